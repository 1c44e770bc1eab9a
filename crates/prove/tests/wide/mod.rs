//! Routines over words of 16 and 32 bits, on a processor that exists in tests only.

mod exports;
mod kernels;
mod mutants;
mod toy;

use kernels::*;
use rhomb_certificate::{Contract, check};
use rhomb_prove::{Unproved, prove, refute};
use toy::{Toy, on};

/// Proves a routine, has the certificate checked and calls it a few times.
fn proved(what: &str, routine: &Toy, contract: &str) {
    let contract: Contract = contract.parse().unwrap();
    if let Some(found) = on!(routine, routine => refute(routine, &contract, 20_000)).found {
        panic!("{what}, {contract}: {found:?}");
    }
    match on!(routine, routine => prove(routine, &contract)) {
        Ok(certificate) => {
            assert_eq!(on!(routine, routine => check(routine, &certificate)), Ok(contract), "{what}")
        }
        Err(Unproved::Open(open)) => {
            panic!("{what}, {contract}: {} open, {:?}", open.len(), &open[..open.len().min(4)])
        }
        Err(error) => panic!("{what}, {contract}: {error}"),
    }
}

const SIZES: [usize; 18] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 32, 64];

fn each(work: impl Fn(u32, usize)) {
    for bits in [32, 16] {
        SIZES.into_iter().for_each(|n| work(bits, n));
    }
}

#[test]
fn columns() {
    each(|bits, n| proved("columns", &product_scanning(bits, n), &format!("mul {}", bits * n as u32)));
}

#[test]
fn rows_of_carry_chains() {
    for e in [1, 2, 3, 4, 5] {
        each(|bits, n| {
            proved(&format!("strips of {e}"), &strips(bits, n, e), &format!("mul {}", bits * n as u32))
        });
    }
}

#[test]
fn rows_that_accumulate() {
    each(|bits, n| proved("rows", &operand_scanning(bits, n), &format!("mul {}", bits * n as u32)));
}

#[test]
fn squares_with_caught_carries() {
    for p in [2, 3, 4] {
        each(|bits, n| {
            proved(&format!("chunks of {p}"), &square(bits, n, p), &format!("sqr {}", bits * n as u32))
        });
    }
}

#[test]
fn sums_and_differences() {
    each(|bits, n| proved("addition", &addition(bits, n), &format!("add {}", bits * n as u32)));
    each(|bits, n| proved("subtraction", &subtraction(bits, n), &format!("sub {}", bits * n as u32)));
}

#[test]
fn one_level_of_karatsuba() {
    for bits in [32, 16] {
        for n in [2, 4, 6, 8, 10, 12, 16] {
            proved("one level", &karatsuba(bits, n, 1), &format!("mul {}", bits * n as u32));
        }
    }
}

#[test]
fn halves_and_signs_of_words() {
    for bits in [32, 16] {
        proved("halves", &halves(bits), &format!("mul {bits}"));
        proved("signs", &signed(bits), &format!("mul {bits}"));
    }
}

#[test]
fn no_mutant_that_is_wrong_is_proved() {
    let mut tally = mutants::Tally::default();
    for (routine, contract) in [
        (product_scanning(32, 3), "mul 96"),
        (strips(32, 5, 3), "mul 160"),
        (strips(32, 4, 4), "mul 128"),
        (operand_scanning(32, 3), "mul 96"),
        (square(32, 4, 2), "sqr 128"),
        (square(16, 5, 3), "sqr 80"),
        (addition(32, 2), "add 64"),
        (subtraction(32, 2), "sub 64"),
        (karatsuba(32, 2, 1), "mul 64"),
        (halves(32), "mul 32"),
        (signed(32), "mul 32"),
    ] {
        mutants::all(&routine, contract, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.refuted > 1000 && 20 * tally.unknown < tally.refuted, "{tally:?}");
}
