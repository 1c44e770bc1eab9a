//! Kernels with loops.

use crate::requests::{OPEN, Request, arm7tdmi, list};
use crate::run::{body_cycles, check};
use rhomb_arm::lower::{Kernel, LowerError};
use rhomb_kernel::{Form, Method, Operation, Parameter, Parameters, walks};
use std::fmt::Write as _;

fn looping() -> impl Iterator<Item = &'static Method> {
    walks().filter(|method| method.forms.contains(&Form::Looped))
}

/// `None` where registers do not last; nothing else may stand in the way.
fn fits(request: &Request) -> Option<Kernel> {
    match request.lower(arm7tdmi()) {
        Ok(kernel) => Some(kernel),
        Err(LowerError::Registers { .. }) => None,
        Err(error) => panic!("{request}: {error}"),
    }
}

#[test]
fn every_looped_kernel_up_to_20_words_multiplies() {
    for method in looping() {
        let (mut kernels, mut runs) = (0, 0);
        for words in 1..=20 {
            for request in list(method, words, 4) {
                let request = Request { form: Form::Looped, ..request };
                let Some(kernel) = fits(&request) else { continue };
                kernels += 1;
                runs += check(arm7tdmi(), &request, &kernel, if words < 10 { 6 } else { 2 });
            }
        }
        println!("{}: {kernels} kernels, {runs} runs", method.name);
        assert!(kernels > 20, "{}", method.name);
    }
}

/// Parameters that fit the registers.
fn fitting(name: &str) -> Vec<Parameters> {
    let with = |parameter: Parameter, values: std::ops::RangeInclusive<usize>| {
        values
            .map(|value| {
                let mut parameters = OPEN;
                parameter.set(&mut parameters, Some(value));
                parameters
            })
            .collect()
    };
    match name {
        "hybrid" => with(Parameter::Rows, 1..=2),
        "operand-scanning" => with(Parameter::CarryOnce, 1..=4),
        "operand-caching" | "consecutive-operand-caching" => with(Parameter::Cache, 1..=2),
        _ => with(Parameter::Cache, 1..=4),
    }
}

fn looped(name: &str, words: usize, parameters: Parameters) -> Request {
    Request { form: Form::Looped, ..Request::of(Operation::Mul, name, words, parameters) }
}

#[test]
fn large_looped_kernels_multiply() {
    for method in looping() {
        for words in [31, 64, 127, 128, 257] {
            for parameters in fitting(method.name) {
                let request = looped(method.name, words, parameters);
                let kernel = fits(&request).unwrap_or_else(|| panic!("{request}"));
                check(arm7tdmi(), &request, &kernel, 0);
            }
        }
    }
}

#[test]
fn figures_of_loops_are_the_ones_written_down() {
    const WORDS: [usize; 7] = [1, 5, 8, 16, 32, 64, 128];
    let mut table = format!("{:36}", "body cycles and bytes, arm7tdmi, by words");
    WORDS.iter().for_each(|words| table += &format!("{words:>13}"));
    table.push('\n');
    for method in looping() {
        for parameters in fitting(method.name) {
            let mut label = method.name.to_owned();
            for parameter in Parameter::ALL {
                if let Some(value) = parameter.of(&parameters) {
                    let _ = write!(label, " {}={value}", parameter.name());
                }
            }
            let _ = write!(table, "{label:41}");
            for words in WORDS {
                let request = looped(method.name, words, parameters);
                let kernel = fits(&request).unwrap_or_else(|| panic!("{request}"));
                let cycles = body_cycles(arm7tdmi(), &request, &kernel);
                let _ = write!(table, "{:>13}", format!("{cycles} {}", 4 * kernel.program.len()));
            }
            table.push('\n');
        }
    }
    insta::assert_snapshot!("looped", table);
}
