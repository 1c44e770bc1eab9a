//! Straight lines along walks.

use crate::matrix::requests::{CORES, OPEN, Request, list};
use crate::matrix::run::{call_secretly, check};
use rhomb_kernel::{Form, Operation, Parameter, Parameters, methods, walks};
use rhomb_mips::lower::{LowerError, Ring};

/// Random inputs beside the fixed ones.
fn random_cases(words: usize) -> usize {
    match words {
        0..=8 => 8,
        9..=16 => 3,
        _ => 2,
    }
}

/// A few values of each parameter.
fn some(parameter: Parameter, words: usize) -> Vec<usize> {
    match parameter {
        Parameter::CarryOnce => vec![2],
        Parameter::Batch => vec![1],
        Parameter::Levels | Parameter::Pairs => vec![0],
        Parameter::Parts => vec![2],
        Parameter::InitialBlock => vec![0, words / 2],
        Parameter::NarrowStrip => vec![0, 1],
        Parameter::Cache | Parameter::Rows => vec![1, 3, words.min(6)],
    }
}

#[test]
fn every_walk_up_to_16_words_multiplies() {
    let (mut kernels, mut runs) = (0, 0);
    for method in walks() {
        for words in 1..=16 {
            // large sizes take one core by turns
            for (index, core) in CORES.into_iter().enumerate() {
                if words > 6 && words % 3 != index {
                    continue;
                }
                for request in list(core, method, words, |parameter| some(parameter, words)) {
                    match request.lower() {
                        Ok(kernel) => {
                            kernels += 1;
                            runs += check(&request, &kernel, random_cases(words));
                        }
                        Err(LowerError::Registers { .. }) => {}
                        Err(error) => panic!("{request}: {error}"),
                    }
                }
            }
        }
    }
    println!("{kernels} kernels, {runs} runs");
    assert!(kernels > 500);
}

#[test]
fn every_squaring_up_to_16_words_squares() {
    let mut kernels = 0;
    for method in methods(Operation::Sqr).filter(|method| method.forms.contains(&Form::Unrolled)) {
        for words in 1..=16 {
            for (index, core) in CORES.into_iter().enumerate() {
                if words > 8 && words % 3 != index {
                    continue;
                }
                for request in list(core, method, words, |parameter| some(parameter, words)) {
                    let kernel = request.lower().unwrap_or_else(|error| panic!("{request}: {error}"));
                    kernels += 1;
                    check(&request, &kernel, random_cases(words));
                }
            }
        }
    }
    assert!(kernels > 100, "{kernels}");
}

#[test]
fn large_walks_multiply() {
    for (core, words) in [("mips32-4km", 32), ("mips32-ise", 64), ("smartmips", 32)] {
        for method in walks() {
            let parameters = match method.name {
                "hybrid" => Parameters { rows: Some(4), ..OPEN },
                _ => Parameters { cache: Some(4), ..OPEN },
            };
            let request = Request::of(core, Operation::Mul, method.name, words, parameters);
            let kernel = request.lower().unwrap_or_else(|error| panic!("{request}: {error}"));
            check(&request, &kernel, 1);
        }
        let request = Request::of(core, Operation::Sqr, "product-scanning", words, OPEN);
        let kernel = request.lower().unwrap_or_else(|error| panic!("{request}: {error}"));
        check(&request, &kernel, 1);
    }
}

#[test]
fn polynomials_multiply_where_there_are_instructions_for_them() {
    let ring = Ring::BinaryPolynomials;
    for core in ["mips32-ise", "smartmips"] {
        for words in (1..=12).chain([32]) {
            for method in walks() {
                let parameters = match method.name {
                    "hybrid" => Parameters { rows: Some(3), ..OPEN },
                    _ => Parameters { cache: Some(3), ..OPEN },
                };
                let request = Request::of(core, Operation::Mul, method.name, words, parameters);
                let request = Request { ring, ..request };
                let kernel = request.lower().unwrap_or_else(|error| panic!("{request}: {error}"));
                check(&request, &kernel, 2);
            }
            let request = Request::of(core, Operation::Sqr, "product-scanning", words, OPEN);
            let request = Request { ring, ..request };
            check(&request, &request.lower().unwrap(), 2);
        }
    }
}

#[test]
fn the_way_is_the_same_for_all_operands() {
    for core in CORES {
        for words in [1, 3, 6] {
            for method in walks() {
                let parameters = Parameters { cache: Some(2), rows: Some(2), ..OPEN };
                let request = Request::of(core, Operation::Mul, method.name, words, parameters);
                call_secretly(&request, &request.lower().unwrap());
            }
            let request = Request::of(core, Operation::Sqr, "product-scanning", words, OPEN);
            call_secretly(&request, &request.lower().unwrap());
        }
    }
}

/// 72 bits hold 256 products and what is carried, not 257; doubled, 128.
#[test]
fn columns_that_are_longer_than_the_guard_bits_allow_are_refused() {
    let scan = |words| {
        let parameters = Parameters { cache: Some(1), ..OPEN };
        Request::of("mips32-ise", Operation::Mul, "product-scanning", words, parameters)
    };
    assert_eq!(scan(257).lower().map(|_| ()), Err(LowerError::Guard { bits: 72 }));
    // rows of few words have short columns
    let rows = Parameters { cache: Some(1), carry_once: Some(1), ..OPEN };
    let by_rows = Request::of("mips32-ise", Operation::Mul, "operand-scanning", 40, rows);
    check(&by_rows, &by_rows.lower().unwrap(), 1);
}
