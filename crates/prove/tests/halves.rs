//! Products of half words on ARMv6-M, whatever their size, from one draft.

use rhomb_arm::conventions::AAPCS;
use rhomb_arm::cores::core;
use rhomb_arm::lower::halves::{Made, routine};
use rhomb_arm::{Function, Program};
use rhomb_prove::{Budget, Timing, Verdict, decide, timing};
use std::sync::Arc;

/// That it is proved and takes the same time always.
fn holds(made: Made, words: usize, contract: &str) {
    let kernel = routine(made, words, &AAPCS, usize::MAX).unwrap();
    let core = core("cortex-m0plus").unwrap();
    let program = Arc::new(Program::assemble(core, 0, &kernel.program).unwrap());
    let function = Function { program, entry: 0, convention: &AAPCS, stack_limit: 1024, step_limit: 10_000 };
    let own = contract.parse().unwrap();
    let verdict = decide(&function, &own, Budget { second: 4_000_000, ..Budget::default() });
    assert!(matches!(verdict, Verdict::Proved(_)), "{contract}: {verdict:?}");
    assert!(matches!(timing(&function, &own), Timing::Constant), "{contract}");
}

#[test]
fn sums_are_proved() {
    for words in [1, 2, 5, 8, 16] {
        for (subtract, name) in [(false, "add"), (true, "sub")] {
            holds(Made::Sum { subtract }, words, &format!("{name} {}", 32 * words));
        }
    }
}

#[test]
fn products_and_squares_are_proved() {
    for words in (1..=8).chain([12]) {
        holds(Made::Product, words, &format!("mul {}", 32 * words));
        holds(Made::Square, words, &format!("sqr {}", 32 * words));
    }
}
