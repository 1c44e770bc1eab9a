//! Kernels for ARM, from their machine code: all proved, and none of their mutants that is wrong.

mod kernels;
mod mutants;

use kernels::{Kernel, kernels};
use rhomb_arm::lower::Accumulation;
use rhomb_certificate::{Contract, check};
use rhomb_kernel::Operation;
use rhomb_kernel::split::Pairs;
use rhomb_oracles::sample;
use rhomb_prove::{Timing, duration, prove, refute, timing};

/// The core of most kernels.
const CORE: &str = "arm7tdmi";

/// What is wrong with a kernel, if anything is.
fn wrong(kernel: &Kernel) -> Option<String> {
    let contract: Contract = kernel.contract.parse().unwrap();
    match prove(&kernel.function, &contract) {
        Ok(certificate) => match check(&kernel.function, &certificate) {
            Ok(checked) if checked == contract => None,
            other => Some(format!("{kernel}: {other:?}")),
        },
        Err(error) => {
            let found = refute(&kernel.function, &contract, 1_000_000).found;
            Some(format!("{kernel}: {error}; {found:x?}"))
        }
    }
}

/// Every method at its defaults in every form, added up in these ways.
fn all(operation: Operation, sizes: impl IntoIterator<Item = usize>, ways: &[Accumulation], fewest: usize) {
    let mut failures = Vec::new();
    for words in sizes {
        let kernels = kernels(CORE, operation, words, ways, false);
        assert!(kernels.len() >= fewest, "{} of {words} words: {}", operation.name(), kernels.len());
        failures.extend(kernels.iter().filter_map(wrong));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The first of them are those of `./test`.
const SIZES: [usize; 18] = [1, 2, 3, 4, 5, 6, 8, 16, 12, 32, 7, 9, 10, 11, 13, 14, 15, 64];

fn sizes() -> impl Iterator<Item = usize> {
    SIZES.into_iter().take(sample(7, SIZES.len()))
}

#[test]
fn columns() {
    all(Operation::Mul, [1], &[Accumulation::Columns], 1);
    all(Operation::Mul, sizes().skip(1), &[Accumulation::Columns], 2);
    all(Operation::Sqr, sizes(), &[Accumulation::Columns], 1);
}

// registers of rows are searched for: that takes a minute, the proofs do not
#[test]
fn multiplications_by_rows() {
    all(Operation::Mul, sizes().take(sample(5, SIZES.len())), &[Accumulation::Rows], 1);
}

#[test]
fn squarings_by_rows() {
    all(Operation::Sqr, sizes(), &[Accumulation::Rows], 1);
}

/// Whose time is the same for all operands: proved, too, and the time is told.
#[test]
fn rows_of_constant_time() {
    let mut failures = Vec::new();
    for operation in [Operation::Mul, Operation::Sqr] {
        for words in [2, 5, 8, 1, 3, 4, 12].into_iter().take(sample(3, 7)) {
            for kernel in kernels(CORE, operation, words, &[Accumulation::Rows], true) {
                is_constant(&kernel);
                failures.extend(wrong(&kernel));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// That no time depends on an operand, and how long it is.
fn is_constant(kernel: &Kernel) {
    let contract: Contract = kernel.contract.parse().unwrap();
    assert_eq!(timing(&kernel.function, &contract), Timing::Constant, "{kernel}");
    let cycles = duration(&kernel.function, &contract).unwrap();
    assert_eq!(cycles.min, cycles.max, "{kernel}");
}

/// Whose instructions wait for results and stand in an order of its own; no time depends on an operand.
#[test]
fn a_core_with_interlocks() {
    let mut failures = Vec::new();
    for (words, ways) in (1..=16)
        .step_by(sample(3, 1))
        .map(|words| (words, if words < 6 { &Accumulation::ALL[..] } else { &Accumulation::ALL[1..] }))
    {
        for operation in [Operation::Mul, Operation::Sqr] {
            let kernels = kernels("arm9ej-s", operation, words, ways, false);
            assert!(!kernels.is_empty());
            for kernel in kernels {
                is_constant(&kernel);
                failures.extend(wrong(&kernel));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn sums_and_differences() {
    all(Operation::Add, sizes(), &Accumulation::ALL, 1);
    all(Operation::Sub, sizes(), &Accumulation::ALL, 1);
}

/// Of one level with halves equal and not, of two and of three.
#[test]
fn splits() {
    let all = [(1, &[2, 3, 4, 5, 6, 8, 9, 12, 16, 24, 32, 64][..]), (2, &[4, 7, 8, 16, 24, 32]), (3, &[19])];
    let mut failures = Vec::new();
    for (levels, sizes) in all {
        for (words, accumulation) in
            sizes.iter().flat_map(|words| Accumulation::ALL.map(|accumulation| (*words, accumulation)))
        {
            if words > 16 && sample(1, 0) == 1 {
                continue;
            }
            failures.extend(wrong(&kernels::split(words, levels, accumulation, false)));
        }
    }
    failures.extend(wrong(&kernels::split(8, 1, Accumulation::Rows, true)));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Into parts equal and not, by differences and by sums, of one level and two.
#[test]
fn splits_into_any_parts() {
    let (differences, sums) = (Pairs::Subtractive, Pairs::Additive);
    let mut failures = Vec::new();
    for (pairs, parts, words, levels) in [
        (sums, 2, 2, 1),
        (sums, 2, 7, 1),
        (sums, 2, 8, 2),
        (sums, 3, 3, 1),
        (sums, 3, 8, 1),
        (sums, 112, 8, 1),
        (sums, 31, 8, 1),
        (differences, 3, 3, 1),
        (differences, 3, 8, 1),
        (differences, 3, 9, 2),
        (differences, 4, 8, 1),
        (differences, 112, 4, 1),
        (differences, 112, 9, 1),
        (differences, 12, 6, 1),
        (differences, 21, 8, 2),
    ] {
        failures.extend(wrong(&kernels::split_into(parts, pairs, words, levels)));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn no_mutant_of_a_split_that_is_wrong_is_proved() {
    let mut tally = mutants::Tally::default();
    let kernel = kernels::split(4, 1, Accumulation::Columns, false);
    mutants::deletions(&kernel, sample(6, 1), &mut tally);
    mutants::replacements(&kernel, sample(5, 120) as u64, &mut tally);
    for pairs in Pairs::ALL.into_iter().take(sample(1, Pairs::ALL.len())) {
        mutants::deletions(&kernels::split_into(3, pairs, 3, 1), sample(4, 1), &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.refuted > sample(12, 600) && sample(20, 50) * tally.unknown < tally.refuted, "{tally:?}");
}

#[test]
fn no_mutant_that_is_wrong_is_proved() {
    let mut tally = mutants::Tally::default();
    for (operation, words) in [
        (Operation::Mul, 2),
        (Operation::Mul, 4),
        (Operation::Sqr, 4),
        (Operation::Add, 2),
        (Operation::Sub, 2),
    ] {
        for kernel in kernels(CORE, operation, words, &Accumulation::ALL, false) {
            mutants::deletions(&kernel, sample(2, 1), &mut tally);
            mutants::replacements(&kernel, sample(20, 60) as u64, &mut tally);
        }
    }
    println!("{tally:?}");
    assert!(tally.refuted > sample(200, 500), "{tally:?}");
    // what is wrong is nearly always found out
    assert!(50 * tally.unknown < tally.refuted, "{tally:?}");
}
