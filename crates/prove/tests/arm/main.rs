//! Kernels for ARM, from their machine code: all proved, and none of their mutants that is wrong.

mod kernels;
mod mutants;

use kernels::{Kernel, kernels};
use rhomb_certificate::{Contract, check};
use rhomb_kernel::Operation;
use rhomb_prove::{Unproved, prove};

fn proved(kernel: &Kernel) {
    let contract: Contract = kernel.contract.parse().unwrap();
    match prove(&kernel.function, &contract) {
        Ok(certificate) => assert_eq!(check(&kernel.function, &certificate), Ok(contract), "{kernel}"),
        Err(Unproved::Open(open)) => {
            panic!("{kernel}: {} terms open, {:?}", open.len(), &open[..open.len().min(4)])
        }
        Err(error) => panic!("{kernel}: {error}"),
    }
}

/// Every method at its defaults.
fn all(operation: Operation, fewest: usize) {
    for words in (1..=16).chain([32, 64]) {
        let kernels = kernels(operation, words);
        assert!(kernels.len() >= fewest, "{} of {words} words: {} kernels", operation.name(), kernels.len());
        kernels.iter().for_each(proved);
    }
}

#[test]
fn products() {
    all(Operation::Mul, 3);
}

#[test]
fn squares() {
    all(Operation::Sqr, 1);
}

#[test]
fn no_mutant_that_is_wrong_is_proved() {
    let mut tally = mutants::Tally::default();
    for (operation, words) in [(Operation::Mul, 2), (Operation::Mul, 4), (Operation::Sqr, 4)] {
        for kernel in kernels(operation, words) {
            mutants::deletions(&kernel, &mut tally);
            mutants::replacements(&kernel, 60, &mut tally);
        }
    }
    println!("{tally:?}");
    assert!(tally.refuted > 500, "{tally:?}");
    // what is wrong is nearly always found out
    assert!(50 * tally.unknown < tally.refuted, "{tally:?}");
}
