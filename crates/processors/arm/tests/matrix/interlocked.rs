//! Kernels of a core that waits for results: right, and as fast as was counted when they were made.

use crate::matrix::requests::Request;
use crate::matrix::run::{call_secretly, check, function_cycles};
use rhomb_arm::conventions::AAPCS;
use rhomb_arm::cores::{Core, core};
use rhomb_arm::lower::{Accumulation, Kernel, Making, routine_by};
use rhomb_kernel::{Operation, Parameters};
use std::fmt::Write;

fn arm9ej_s() -> &'static Core {
    core("arm9ej-s").unwrap()
}

fn by(request: &Request, accumulation: Accumulation) -> Option<Kernel> {
    let making = Making { accumulation: Some(accumulation), ..Making::default() };
    routine_by(&request.task(), arm9ej_s(), &AAPCS, &making).ok()
}

/// Products are of constant time: nothing varies, and what is counted is what calls take.
#[test]
fn every_way_is_right_and_takes_what_was_counted() {
    let mut kernels = 0;
    for (operation, name) in [
        (Operation::Mul, "operand-scanning"),
        (Operation::Mul, "product-scanning"),
        (Operation::Mul, "hybrid"),
        (Operation::Mul, "operand-caching"),
        (Operation::Sqr, "product-scanning"),
        (Operation::Sqr, "operand-caching"),
    ] {
        for words in 1..=4 {
            let request = Request::of(operation, name, words, Parameters::default());
            for kernel in Accumulation::ALL.iter().filter_map(|way| by(&request, *way)) {
                check(arm9ej_s(), &request, &kernel, 4);
                let ones = vec![u32::MAX; words];
                let taken = function_cycles(arm9ej_s(), &request, &kernel, &[ones.clone(), ones]);
                assert_eq!(kernel.cycles, Some(taken), "{request}");
                call_secretly(arm9ej_s(), &request, &kernel);
                kernels += 1;
            }
        }
    }
    assert!(kernels > 35, "{kernels}");
}

#[test]
fn cycles_of_the_fastest_ways() {
    let mut table = String::from("function cycles, arm9ej-s, by words: rows, columns\n");
    for (operation, name) in [(Operation::Mul, "hybrid"), (Operation::Sqr, "product-scanning")] {
        for words in [1, 2, 4, 6] {
            let request = Request::of(
                operation,
                name,
                words,
                Parameters { rows: Some(words.min(5)), ..Parameters::default() },
            );
            let cycles = Accumulation::ALL.map(|way| by(&request, way).and_then(|kernel| kernel.cycles));
            writeln!(table, "{operation:?} {words}: {cycles:?}").unwrap();
        }
    }
    insta::assert_snapshot!(table);
}
