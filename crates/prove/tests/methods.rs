//! Every kernel that the lowering makes is proved, and the proof passes the checker.

use rhomb_avr::conventions::{AVR_GCC, CROSSWORKS, Convention, IAR};
use rhomb_avr::{Function, Program, cores::core, lower::multiplication};
use rhomb_certificate::{Contract, check};
use rhomb_kernel::{Method, Parameter, Parameters, walks};
use rhomb_prove::prove;
use std::sync::Arc;

/// Proves and checks one kernel; `false` where the register file does not hold it.
fn proved(method: &Method, words: usize, parameters: &Parameters, convention: &'static Convention) -> bool {
    let core = core("atmega128").unwrap();
    let walk = method.walk(words, parameters).unwrap();
    let Ok(kernel) = multiplication(&walk, core, convention) else { return false };
    let program = Arc::new(Program::assemble(core, 0, &kernel.program).unwrap());
    let function = Function { program, entry: 0, convention, stack_limit: 18, step_limit: 1 << 20 };
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
                count += usize::from(proved(method, words, &setting, &AVR_GCC));
            }
        }
        assert!(count >= 200, "{} {count}", method.name);
    }
}

#[test]
fn large_sizes() {
    for method in walks() {
        for words in [64, 128] {
            assert!(proved(method, words, &Parameters::default(), &AVR_GCC));
        }
    }
}

#[test]
fn every_method_by_every_convention() {
    let small = Parameters { cache: Some(4), carry_once: Some(2), rows: Some(2), initial_block: None };
    for convention in [&IAR, &CROSSWORKS] {
        for method in walks() {
            for words in [1, 2, 3, 5, 8, 13, 20, 32, 40, 64] {
                assert!(
                    proved(method, words, &small, convention),
                    "{} {} {words}",
                    convention.name,
                    method.name
                );
            }
            let open = settings(method, 12);
            let count = open.iter().filter(|setting| proved(method, 12, setting, convention)).count();
            assert!(count > 0, "{} {}", convention.name, method.name);
        }
    }
}
