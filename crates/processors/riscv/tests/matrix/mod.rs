//! The kernel matrix: every method, size and parameter on some core, run from its bytes on our own simulator; beside it the
//! figures that the kernels must reach.

// the operands of 32-bit words are those of ARM
#[path = "../../../arm/tests/matrix/cases.rs"]
mod cases;
mod fields;
mod figures;
mod proved;
#[cfg(feature = "oracles")]
mod rtl;
mod run;

use rhomb_kernel::{Form, METHODS, Operation, Parameter, Parameters};
use rhomb_lower::draft::Fault;
use rhomb_oracles::sample;
use run::{Request, check};

const OPEN: Parameters = Parameters::OPEN;

/// Cores by turns.
const CORES: [&str; 4] = ["ibex-single", "picorv32", "cv32e40p", "ibex-maxperf"];

/// A few values of each parameter.
fn some(parameter: Parameter, words: usize) -> Vec<usize> {
    match parameter {
        Parameter::Cache => vec![2],
        Parameter::Rows => vec![1, 3, words.min(8)],
        Parameter::Levels => vec![0, 1, 2],
        Parameter::Parts => vec![2],
        _ => vec![1],
    }
}

/// Every combination of them.
fn sets(parameters: &[Parameter], words: usize) -> Vec<Parameters> {
    parameters.iter().fold(vec![OPEN], |sets, parameter| {
        let with = |set: &Parameters, value| {
            let mut set = *set;
            parameter.set(&mut set, Some(value));
            set
        };
        let values = some(*parameter, words);
        sets.iter().flat_map(|set| values.iter().map(|value| with(set, *value))).collect()
    })
}

#[test]
fn every_method_computes() {
    let mut kernels = 0;
    for method in METHODS.iter().filter(|method| method.forms.contains(&Form::Unrolled)) {
        for words in [1, 2, 3, 5, 8, 11] {
            for (index, parameters) in sets(method.parameters, words).into_iter().enumerate() {
                if (words + index) % sample(2, 1) > 0 {
                    continue;
                }
                let core = CORES[(words + index) % CORES.len()];
                let request = Request { core, method, form: Form::Unrolled, words, parameters };
                match request.lower() {
                    Ok(kernel) => {
                        kernels += 1;
                        check(&request, &kernel, 6);
                    }
                    Err(Fault::Multiplier { .. }) => {}
                    Err(error) => panic!("{request}: {error}"),
                }
            }
        }
    }
    assert!(kernels > sample(40, 80), "{kernels}");
}

/// Loops by columns and by rows are made; code grows with the size no more than numbers do.
#[test]
fn every_loop_computes() {
    let mut kernels = 0;
    for method in METHODS.iter().filter(|method| method.forms.contains(&Form::Looped)) {
        for words in [1, 2, 3, 5, 8, 16] {
            let parameters = match method.parameters {
                [] => OPEN,
                [parameter, ..] => {
                    let mut one = OPEN;
                    parameter.set(&mut one, Some(1));
                    one
                }
            };
            let core = CORES[words % CORES.len()];
            let request = Request { core, method, form: Form::Looped, words, parameters };
            match request.lower() {
                Ok(kernel) => {
                    kernels += 1;
                    check(&request, &kernel, 6);
                    assert!(kernel.program.len() < 120, "{request}");
                }
                Err(Fault::Loops | Fault::Multiplier { .. }) => {}
                Err(error) => panic!("{request}: {error}"),
            }
        }
    }
    assert!(kernels >= 30, "{kernels}");
}

#[test]
fn few_registers_are_enough() {
    for (operation, name) in [
        (Operation::Mul, "hybrid"),
        (Operation::Mul, "product-scanning"),
        (Operation::Sqr, "product-scanning"),
    ] {
        for registers in [5, 7, 10] {
            let request = Request::of("ibex-single", operation, name, 6, OPEN);
            let kernel = request.within(registers).unwrap_or_else(|error| panic!("{request}: {error}"));
            run::check_plainly(&request, &kernel, 6);
        }
    }
}
