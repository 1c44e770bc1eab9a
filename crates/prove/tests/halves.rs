//! Products of half words on ARMv6-M and on the Cortex-M3 in constant time, whatever their size, from one draft.

use rhomb_arm::conventions::AAPCS;
use rhomb_arm::cores::core;
use rhomb_arm::lower::halves::{Made, routine};
use rhomb_arm::lower::placed;
use rhomb_arm::{Function, Program};
use rhomb_prove::{Budget, Timing, Verdict, decide, timing};
use std::sync::Arc;

/// That it is proved and takes the same time always.
fn holds(name: &str, made: Made, words: usize, contract: &str) {
    let core = core(name).unwrap();
    let kernel = routine(made, words, core, &AAPCS, usize::MAX).unwrap();
    let code = placed(core, &kernel.program).unwrap();
    let program = Arc::new(Program::assemble(core, 0, &code).unwrap());
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
            holds("cortex-m0plus", Made::Sum { subtract }, words, &format!("{name} {}", 32 * words));
        }
    }
}

#[test]
fn products_and_squares_are_proved() {
    for core in ["cortex-m0plus", "cortex-m3"] {
        for words in (1..=8)
            .step_by(rhomb_oracles::sample(5, 1))
            .chain((rhomb_oracles::sample(0, 1) == 1).then_some(12))
        {
            holds(core, Made::Product, words, &format!("mul {}", 32 * words));
            holds(core, Made::Square, words, &format!("sqr {}", 32 * words));
        }
    }
}
