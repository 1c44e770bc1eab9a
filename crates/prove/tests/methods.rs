//! Every kernel that the lowering makes is proved, and the proof passes the checker.

use rhomb_avr::{Function, Program, conventions::AVR_GCC, cores::core, lower::multiplication};
use rhomb_certificate::{Contract, check};
use rhomb_kernel::{Method, Parameter, Parameters, walks};
use rhomb_prove::prove;
use std::sync::Arc;

/// Proves and checks one kernel; `false` where the register file does not hold it.
fn proved(method: &Method, words: usize, parameters: &Parameters) -> bool {
    let core = core("atmega128").unwrap();
    let Ok(kernel) = multiplication(&method.walk(words, parameters).unwrap(), core, &AVR_GCC) else {
        return false;
    };
    let program = Arc::new(Program::assemble(core, 0, &kernel.program).unwrap());
    let function = Function { program, entry: 0, convention: &AVR_GCC, stack_limit: 18, step_limit: 1 << 20 };
    let bits = 8 * words as u32;
    let contract = Contract::Mul { a: bits, b: bits };
    let certificate = match prove(&function, &contract) {
        Ok(certificate) => certificate,
        Err(error) => panic!("{} {words} words {parameters:?}: {error} {error:?}", method.name),
    };
    assert_eq!(check(&function, &certificate), Ok(contract));
    true
}

/// All values of each parameter, the others at their defaults or at a value that varies with the size.
fn settings(method: &Method, words: usize) -> Vec<Parameters> {
    let mut all = vec![Parameters::default()];
    for parameter in method.parameters {
        let most = match parameter {
            Parameter::InitialBlock => words.min(20),
            _ => words.min(11),
        };
        for value in parameter.least()..=most {
            for cache in [None, Some(1 + words % 10)] {
                let mut setting = Parameters::default();
                if method.parameters.contains(&Parameter::Cache) {
                    setting.cache = cache;
                }
                parameter.set(&mut setting, Some(value));
                all.push(setting);
            }
        }
    }
    all.sort_by_key(|setting| format!("{setting:?}"));
    all.dedup();
    all
}

#[test]
fn every_method_from_1_to_40_words() {
    for method in walks() {
        let mut count = 0;
        for words in 1..=40 {
            for setting in settings(method, words) {
                count += usize::from(proved(method, words, &setting));
            }
        }
        assert!(count >= 200, "{} {count}", method.name);
    }
}

#[test]
fn large_sizes() {
    for method in walks() {
        for words in [64, 128] {
            assert!(proved(method, words, &Parameters::default()));
        }
    }
}
