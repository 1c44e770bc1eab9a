//! Routines that follow walks column by column.

use crate::matrix::requests::{OPEN, Request, arm7tdmi, list, paper};
use crate::matrix::run::{body_cycles, check};
use rhomb_arm::conventions::AAPCS;
use rhomb_arm::lower::{Accumulation, LowerError, Making, routine_by};
use rhomb_kernel::{Form, Operation, Parameter, Parameters, methods, walks};
use rhomb_oracles::{sample, stand_in};
use std::fmt::Write as _;

/// Random inputs beside the fixed ones.
fn random_cases(words: usize) -> usize {
    match words {
        0..=8 => 12,
        9..=16 => 4,
        _ => 2,
    }
}

#[test]
fn every_walk_up_to_16_words_multiplies() {
    let (mut kernels, mut runs) = (0, 0);
    for method in walks() {
        for words in 1..=16 {
            let every = if words > 8 { sample(20, 1) } else { sample(5, 1) };
            for request in list(method, words, if words > 8 { 3 } else { 5 }).into_iter().step_by(every) {
                match request.by_columns(paper()) {
                    Ok(kernel) => {
                        kernels += 1;
                        runs += check(paper(), &request, &kernel, random_cases(words));
                    }
                    Err(LowerError::Registers { .. }) => {}
                    Err(error) => panic!("{request}: {error}"),
                }
            }
        }
    }
    println!("{kernels} kernels, {runs} runs");
    assert!(kernels > sample(100, 1000));
}

#[test]
fn every_squaring_up_to_16_words_squares() {
    let (mut kernels, mut runs) = (0, 0);
    // splits have a test of their own
    let straight =
        |method: &&rhomb_kernel::Method| method.forms.contains(&Form::Unrolled) && method.name != "split";
    for method in methods(Operation::Sqr).filter(straight) {
        for words in 1..=16 {
            for request in list(method, words, 4).into_iter().step_by(sample(2, 1)) {
                match request.by_columns(arm7tdmi()) {
                    Ok(kernel) => {
                        kernels += 1;
                        runs += check(arm7tdmi(), &request, &kernel, random_cases(words));
                    }
                    Err(LowerError::Registers { .. }) => {}
                    Err(error) => panic!("{request}: {error}"),
                }
            }
        }
    }
    println!("{kernels} kernels, {runs} runs");
    assert!(kernels > sample(150, 300));
}

/// Parameters that fit the registers.
fn fitting(name: &str) -> Vec<Parameters> {
    let caches = (1..=3).map(|cache| Parameters { cache: Some(cache), ..OPEN });
    match name {
        "hybrid" => (1..=2).map(|rows| Parameters { rows: Some(rows), ..OPEN }).collect(),
        "operand-scanning" => (1..=4)
            .map(|carry_once| Parameters { cache: Some(1), carry_once: Some(carry_once), ..OPEN })
            .collect(),
        _ => caches.collect(),
    }
}

#[test]
fn large_walks_multiply() {
    for method in walks() {
        for words in [32, 64].into_iter().take(sample(1, 2)) {
            for parameters in fitting(method.name).into_iter().step_by(sample(3, 1)) {
                let request = Request::of(Operation::Mul, method.name, words, parameters);
                let kernel =
                    request.by_columns(arm7tdmi()).unwrap_or_else(|error| panic!("{request}: {error}"));
                check(arm7tdmi(), &request, &kernel, 2);
            }
        }
    }
}

#[test]
fn body_cycles_are_the_ones_written_down() {
    const WORDS: [usize; 9] = [1, 2, 4, 5, 6, 7, 8, 16, 32];
    let mut table = format!("{:42}", "column by column on arm7tdmi-paper, by words");
    WORDS.iter().for_each(|words| table += &format!("{words:>7}"));
    table.push('\n');
    for method in walks() {
        for parameters in fitting(method.name).into_iter().step_by(sample(3, 1)) {
            let mut label = method.name.to_owned();
            for parameter in Parameter::ALL {
                if let Some(value) = parameter.of(&parameters) {
                    let _ = write!(label, " {}={value}", parameter.name());
                }
            }
            let _ = write!(table, "{label:44}");
            for words in WORDS {
                let request = Request::of(Operation::Mul, method.name, words, parameters);
                let kernel = request.by_columns(paper()).unwrap_or_else(|error| panic!("{request}: {error}"));
                let _ = write!(table, "{:>7}", body_cycles(paper(), &request, &kernel));
            }
            table.push('\n');
        }
    }
    if sample(0, 1) == 1 {
        insta::assert_snapshot!("column_cycles", table);
    } else {
        stand_in(&table, include_str!("snapshots/all__matrix__columns__column_cycles.snap"));
    }
}

fn body(name: &str, words: usize, parameters: Parameters) -> u64 {
    let request = Request::of(Operation::Mul, name, words, parameters);
    let kernel = request.by_columns(paper()).unwrap();
    check(paper(), &request, &kernel, 20);
    body_cycles(paper(), &request, &kernel)
}

/// The figures of Hutter and Wenger 2020, tables for ARM7TDMI, and of those that they compare with.
#[test]
fn published_figures_are_reached() {
    let cache = Parameters { cache: Some(3), ..OPEN };
    let rows = Parameters { rows: Some(2), ..OPEN };
    let one = Parameters { cache: Some(1), ..OPEN };
    for (name, words, parameters, published) in [
        ("operand-caching", 5, cache, 281),
        ("operand-caching", 6, cache, 392),
        ("product-scanning", 5, one, 357),
        ("product-scanning", 6, one, 580),
        ("hybrid", 6, rows, 487),
    ] {
        let cycles = body(name, words, parameters);
        assert!(cycles <= published, "{name} {words}: {cycles} of {published}");
    }
}

/// The faster way is taken; what columns have too few registers for may fit rows.
#[test]
fn rows_or_columns() {
    for (name, words, parameters, fitting) in [
        ("hybrid", 5, Parameters { rows: Some(5), ..OPEN }, &[Accumulation::Rows][..]),
        ("hybrid", 4, Parameters { rows: Some(2), ..OPEN }, &Accumulation::ALL),
        ("operand-caching", 4, Parameters { cache: Some(3), ..OPEN }, &Accumulation::ALL),
    ] {
        let request = Request::of(Operation::Mul, name, words, parameters);
        let by = |accumulation| {
            let making = Making { accumulation, ..Making::default() };
            routine_by(&request.task(), arm7tdmi(), &AAPCS, &making)
        };
        let best = by(None).unwrap();
        let ways = Accumulation::ALL.map(|accumulation| by(Some(accumulation)));
        let made: Vec<_> = ways.iter().flatten().filter_map(|kernel| kernel.accumulation).collect();
        assert_eq!(made, fitting, "{request}");
        let fastest = ways.iter().flatten().filter_map(|kernel| kernel.cycles).min();
        assert_eq!(best.cycles, fastest);
        check(arm7tdmi(), &request, &best, 10);
    }
}
