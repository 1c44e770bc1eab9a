//! Every squaring that the lowering makes is proved, takes the same time for all operands, and the proof
//! passes the checker.

use rhomb_avr::conventions::{AVR_GCC, CROSSWORKS, Convention, IAR};
use rhomb_avr::{Function, Program, cores::core, lower::routine};
use rhomb_certificate::{Contract, check};
use rhomb_kernel::{Form, Method, Operation, Parameter, Parameters, Shape, methods};
use rhomb_prove::prove;
use std::sync::Arc;

/// Proves and checks one kernel; `false` where the registers do not last.
fn proved(method: &Method, words: usize, parameters: &Parameters) -> bool {
    proved_by(&AVR_GCC, method, words, parameters)
}

fn proved_by(
    convention: &'static Convention,
    method: &Method,
    words: usize,
    parameters: &Parameters,
) -> bool {
    let core = core("atmega128").unwrap();
    let task = method.task(&Shape { form: method.forms[0], words, parameters }).unwrap();
    let Ok(kernel) = routine(&task, core, convention) else { return false };
    let program = Arc::new(Program::assemble(core, 0, &kernel.program).unwrap());
    let function = Function { program, entry: 0, convention, stack_limit: 18, step_limit: 1 << 24 };
    let contract = Contract::whole(Operation::Sqr, 8 * words as u32);
    let certificate = match prove(&function, &contract) {
        Ok(certificate) => certificate,
        Err(error) => panic!("{} {words} words {parameters:?}: {error} {error:?}", method.name),
    };
    assert_eq!(check(&function, &certificate), Ok(contract));
    true
}

fn settings(method: &Method, words: usize) -> Vec<Parameters> {
    let mut all = vec![Parameters::default()];
    for parameter in method.parameters {
        let most = if *parameter == Parameter::Batch { 5 } else { 11 };
        for value in parameter.least()..=most.min(words) {
            let mut setting = Parameters::default();
            if method.parameters.contains(&Parameter::Batch) {
                setting.batch = Some(1 + words % 3);
            }
            parameter.set(&mut setting, Some(value));
            all.push(setting);
        }
    }
    all
}

/// But splits, which have tests of their own.
fn unrolled() -> impl Iterator<Item = &'static Method> {
    methods(Operation::Sqr).filter(|method| method.forms.contains(&Form::Unrolled) && method.name != "split")
}

#[test]
fn every_squaring_from_1_to_40_words() {
    for method in unrolled() {
        let mut count = 0;
        for words in (1..=40).step_by(rhomb_oracles::sample(3, 1)) {
            for setting in settings(method, words) {
                count += usize::from(proved(method, words, &setting));
            }
        }
        assert!(count >= rhomb_oracles::sample(30, 100), "{} {count}", method.name);
    }
}

#[test]
fn other_conventions() {
    for convention in [&IAR, &CROSSWORKS] {
        for method in unrolled() {
            for words in (1..=16).chain([24, 33, 40]) {
                assert!(proved_by(convention, method, words, &Parameters::default()), "{words}");
            }
        }
    }
}

#[test]
fn large_squarings() {
    for method in unrolled() {
        for words in [64, 128, 256] {
            assert!(proved(method, words, &Parameters::default()));
        }
    }
}
