//! Kernels with loops are proved, and take the same time for all operands.

use rhomb_avr::conventions::{AVR_GCC, CONVENTIONS, Convention};
use rhomb_avr::lower::{LowerError, routine};
use rhomb_avr::{Function, Program, cores::core};
use rhomb_certificate::{Contract, check};
use rhomb_kernel::{Form, METHODS, Method, Operation, Parameter, Parameters, Shape};
use rhomb_oracles::sample;
use rhomb_prove::{Timing, prove, timing};
use std::sync::Arc;

/// Product scanning's squaring has no loops here.
fn looping() -> impl Iterator<Item = &'static Method> {
    METHODS.iter().filter(|method| {
        let scans = (method.operation, method.name) == (Operation::Sqr, "product-scanning");
        method.multiplier && method.forms.contains(&Form::Looped) && !scans
    })
}

/// Every value of every parameter up to `most`, the others as the method chooses.
fn settings(method: &Method, most: usize) -> Vec<Parameters> {
    let one = |parameter: &Parameter, value| {
        let mut setting = Parameters::default();
        parameter.set(&mut setting, Some(value));
        setting
    };
    let values = |parameter: &Parameter| parameter.least()..=most;
    let all = method.parameters.iter().flat_map(|it| values(it).map(move |value| one(it, value)));
    std::iter::once(Parameters::default()).chain(all).collect()
}

/// `None` where registers do not last.
fn function(
    method: &Method,
    words: usize,
    parameters: &Parameters,
    convention: &'static Convention,
) -> Option<Function> {
    let core = core("atmega128").unwrap();
    let task = method.task(&Shape { form: Form::Looped, words, parameters }).unwrap();
    let kernel = match routine(&task, core, convention) {
        Err(LowerError::Registers { .. }) => return None,
        kernel => kernel.unwrap(),
    };
    let program = Arc::new(Program::assemble(core, 0, &kernel.program).unwrap());
    Some(Function { program, entry: 0, convention, stack_limit: 32, step_limit: 4 * kernel.cycles? })
}

fn proved(method: &Method, words: usize, parameters: &Parameters, convention: &'static Convention) -> bool {
    let Some(function) = function(method, words, parameters, convention) else { return false };
    let bits = 8 * words as u32;
    let contract = match method.operation {
        Operation::Sqr => Contract::whole(Operation::Sqr, bits),
        _ => Contract::whole(Operation::Mul, bits),
    };
    let certificate = prove(&function, &contract)
        .unwrap_or_else(|error| panic!("{} {words} words {parameters:?}: {error} {error:?}", method.name));
    assert_eq!(check(&function, &certificate), Ok(contract));
    assert_eq!(timing(&function, &contract), Timing::Constant);
    true
}

/// At every size up to 10 words, and at some above; of those above 5 words a third by turns, or all with `--all`.
#[test]
fn every_value_from_1_to_40_words() {
    let (step, every, least) = (sample(14, 3), sample(6, 1), sample(25, 180));
    for method in looping() {
        let mut count = 0;
        for words in (1..=10).chain((13..=40).step_by(step)) {
            let all = settings(method, words.min(9)).into_iter().enumerate();
            let turn = |number: usize| words <= 5 || (number + words).is_multiple_of(every);
            for (_, parameters) in all.filter(|(number, _)| turn(*number)) {
                count += usize::from(proved(method, words, &parameters, &AVR_GCC));
            }
        }
        assert!(count >= least, "{} {count}", method.name);
    }
}

#[test]
fn large_sizes() {
    for method in looping() {
        for words in [127, 256, 64, 128].into_iter().take(sample(1, 4)) {
            assert!(proved(method, words, &Parameters::default(), &AVR_GCC));
        }
    }
    for (words, cache) in [(64, 9), (128, 8)].into_iter().take(sample(1, 2)) {
        let caching = rhomb_kernel::method(Operation::Mul, "operand-caching").unwrap();
        let parameters = Parameters { cache: Some(cache), ..Parameters::default() };
        assert!(proved(caching, words, &parameters, &AVR_GCC));
    }
}

#[test]
fn every_convention() {
    for convention in CONVENTIONS {
        for method in looping() {
            let mut count = 0;
            for words in [2, 5, 8, 1, 3, 13, 20].into_iter().take(sample(3, 7)) {
                for parameters in settings(method, words.min(5)) {
                    count += usize::from(proved(method, words, &parameters, convention));
                }
            }
            assert!(count >= sample(8, 20), "{} {} {count}", convention.name, method.name);
        }
    }
}
