//! Kernels with loops.

use crate::matrix::requests::{OPEN, Request, arm7tdmi, list};
use crate::matrix::run::{body_cycles, check};
use rhomb_arm::lower::{Kernel, LowerError};
use rhomb_kernel::{Form, Method, Operation, Parameter, Parameters, methods, walks};
use rhomb_oracles::sample;
use std::fmt::Write as _;

/// Multiplications and squarings with loops.
fn looping() -> impl Iterator<Item = &'static Method> {
    let squarings = methods(Operation::Sqr).filter(|method| method.name == "operand-caching");
    walks().filter(|method| method.forms.contains(&Form::Looped)).chain(squarings)
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
        for words in (1..=20).step_by(sample(5, 1)) {
            for request in list(method, words, 4) {
                let request = Request { form: Form::Looped, ..request };
                let Some(kernel) = fits(&request) else { continue };
                kernels += 1;
                runs += check(arm7tdmi(), &request, &kernel, if words < 10 { 6 } else { 2 });
            }
        }
        println!("{} {}: {kernels} kernels, {runs} runs", method.operation.name(), method.name);
        assert!(kernels > sample(3, 20), "{}", method.name);
    }
}

/// Parameters that fit the registers with so many words.
fn fitting(method: &Method, words: usize) -> Vec<Parameters> {
    let with = |parameter: Parameter, values: std::ops::RangeInclusive<usize>| {
        values
            .map(|value| {
                let mut parameters = OPEN;
                parameter.set(&mut parameters, Some(value));
                parameters
            })
            .collect()
    };
    match method.name {
        // where strips are cut by the end, one word more stays from block to block
        _ if method.operation == Operation::Sqr && words % 2 == 1 => with(Parameter::Cache, 1..=1),
        "hybrid" => with(Parameter::Rows, 1..=2),
        "operand-scanning" => with(Parameter::CarryOnce, 1..=4),
        "operand-caching" | "consecutive-operand-caching" => with(Parameter::Cache, 1..=2),
        _ => with(Parameter::Cache, 1..=4),
    }
}

fn looped(method: &'static Method, words: usize, parameters: Parameters) -> Request {
    Request { method, words, parameters, form: Form::Looped }
}

#[test]
fn large_looped_kernels_multiply() {
    for method in looping() {
        for words in [31, 64, 127, 128, 257] {
            for parameters in fitting(method, words) {
                let request = looped(method, words, parameters);
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
        for parameters in fitting(method, 2) {
            let mut label = format!("{} {}", method.operation.name(), method.name);
            for parameter in Parameter::ALL {
                if let Some(value) = parameter.of(&parameters) {
                    let _ = write!(label, " {}={value}", parameter.name());
                }
            }
            let _ = write!(table, "{label:41}");
            for words in WORDS {
                let request = looped(method, words, parameters);
                let kernel = fits(&request).unwrap_or_else(|| panic!("{request}"));
                let cycles = body_cycles(arm7tdmi(), &request, &kernel);
                let _ = write!(table, "{:>13}", format!("{cycles} {}", 4 * kernel.program.len()));
            }
            table.push('\n');
        }
    }
    insta::assert_snapshot!("looped", table);
}
