//! Kernels with loops.

use crate::matrix::conventions::{OTHERS, check as keeps, fits};
use crate::matrix::kernels::{Request, has_turn};
use crate::matrix::simulate::{check, report};
use rhomb_avr::cores::core;
use rhomb_avr::instructions::Op;
use rhomb_kernel::{Form, METHODS, Method, Operation, Parameter, Parameters};
use rhomb_oracles::{parallel, sample, stand_in};
use std::fmt::Write as _;

const OPEN: Parameters = Parameters::OPEN;

/// Sizes above 40 words.
const LARGE: [usize; 9] = [48, 64, 96, 127, 128, 255, 256, 258, 512];

fn looped(method: &'static Method, words: usize, parameters: Parameters) -> Request {
    Request { method, words, parameters, form: Form::Looped }
}

fn named(name: &str, words: usize, parameters: Parameters) -> Request {
    Request { form: Form::Looped, ..Request::new(name, words, parameters) }
}

/// The methods that have loops. Those of product scanning's squaring are for accumulators that hold a column.
pub(crate) fn looping() -> impl Iterator<Item = &'static Method> {
    METHODS.iter().filter(|method| {
        let scans = (method.operation, method.name) == (Operation::Sqr, "product-scanning");
        method.multiplier && method.forms.contains(&Form::Looped) && !scans
    })
}

/// Every cache, the other parameters by turns.
fn squarings(words: usize) -> impl Iterator<Item = Parameters> {
    let caches = 1..=words.min(if words > 40 { 5 } else { 10 });
    caches.map(move |cache| Parameters {
        cache: Some(cache),
        carry_once: Some(1 + (cache + words) % 3),
        batch: Some(1 + words % if cache < 4 { 3 } else { 2 }),
        ..OPEN
    })
}

/// Every value of every parameter, some of those of carry-once and of the initial block.
pub(crate) fn list(method: &'static Method, words: usize) -> Vec<Request> {
    let mut all = vec![OPEN];
    if method.operation == Operation::Sqr {
        all.extend(squarings(words));
        return all.into_iter().map(|parameters| looped(method, words, parameters)).collect();
    }
    for parameter in method.parameters {
        let values: Vec<usize> = match parameter {
            Parameter::Cache | Parameter::Rows => (1..=words.min(if words > 40 { 5 } else { 10 })).collect(),
            Parameter::CarryOnce => vec![1, 2, 3, 7],
            Parameter::InitialBlock => vec![0, 3, 10, words % 7],
            Parameter::Batch => panic!("a multiplication with squares"),
            // its place is fixed
            Parameter::NarrowStrip => vec![0],
            Parameter::Levels | Parameter::Parts | Parameter::Pairs => panic!("a split with loops"),
        };
        let extended: Vec<Parameters> = all
            .iter()
            .flat_map(|one| {
                values.iter().map(|value| {
                    let mut one = *one;
                    parameter.set(&mut one, Some(*value));
                    one
                })
            })
            .collect();
        if *parameter == Parameter::InitialBlock {
            all.extend(extended.into_iter().filter(|it| it.carry_once == Some(2)));
        } else {
            all = extended;
        }
    }
    all.into_iter().map(|parameters| looped(method, words, parameters)).collect()
}

#[test]
fn every_looped_kernel_up_to_40_words_keeps_its_contract() {
    let core = core("atmega128").unwrap();
    let mut tasks: Vec<(&'static Method, usize)> =
        looping().flat_map(|method| (1..=40).map(move |words| (method, words))).collect();
    tasks.retain(|(_, words)| has_turn(0, *words));
    tasks.reverse();
    let counts = parallel::each(&tasks, |(method, words)| {
        let (mut count, mut runs) = (0, 0);
        for request in list(method, *words) {
            if let Some(kernel) = request.fits(core) {
                count += 1;
                runs += check(core, &request, &kernel);
            }
        }
        (count, runs)
    });
    report("looped, 1 to 40 words", &counts);
}

#[test]
fn large_looped_kernels_keep_their_contract() {
    let core = core("atmega128").unwrap();
    let mut requests = Vec::new();
    for words in LARGE.into_iter().rev() {
        for cache in [1, 5, 8, 9] {
            requests.push(named("operand-caching", words, Parameters { cache: Some(cache), ..OPEN }));
        }
        for cache in [1, 5, 8] {
            let parameters = Parameters { cache: Some(cache), ..OPEN };
            requests.push(named("consecutive-operand-caching", words, parameters));
        }
        for cache in [1, 2, 3, 8] {
            requests.push(named("product-scanning", words, Parameters { cache: Some(cache), ..OPEN }));
        }
        for carry_once in [1, 2, 6] {
            requests.push(named(
                "operand-scanning",
                words,
                Parameters { carry_once: Some(carry_once), ..OPEN },
            ));
        }
        for rows in [1, 2, 3, 4] {
            requests.push(named("hybrid", words, Parameters { rows: Some(rows), ..OPEN }));
        }
    }
    for words in LARGE.into_iter().rev() {
        for method in looping().filter(|method| method.operation == Operation::Sqr) {
            let caches = [1, 3, 6, 8].into_iter();
            let squarings = caches.map(|cache| Parameters { cache: Some(cache), ..OPEN });
            requests.extend(squarings.map(|parameters| looped(method, words, parameters)));
        }
    }
    let requests: Vec<_> = requests.into_iter().step_by(sample(3, 1)).collect();
    let counts = parallel::each(&requests, |request| match request.fits(core) {
        Some(kernel) => (1, check(core, request, &kernel)),
        // counters of two bytes take more registers
        None if request.words > 127 => (0, 0),
        None => panic!("{request}"),
    });
    report("looped, 48 to 512 words", &counts);
}

fn some_sizes() -> impl Iterator<Item = usize> {
    [3, 12, 20, 300, 1, 2, 7, 31].into_iter().take(rhomb_oracles::sample(3, 8))
}

#[test]
fn looped_kernels_keep_every_convention() {
    let tasks: Vec<(&'static Method, usize)> =
        looping().flat_map(|method| some_sizes().map(move |words| (method, words))).collect();
    for convention in OTHERS {
        let counts = parallel::each(&tasks, |(method, words)| {
            let kernels =
                list(method, *words).into_iter().filter_map(|it| Some((it, fits(&it, convention)?)));
            kernels.fold((0, 0), |sum, (request, kernel)| {
                (sum.0 + 1, sum.1 + keeps("", convention, &request, &kernel, 3))
            })
        });
        assert!(counts.iter().all(|(kernels, _)| *kernels > 0), "{counts:?}");
        report(&format!("looped, {}", convention.name), &counts);
    }
}

/// Body cycles and bytes of the whole routine.
fn figures(request: &Request) -> Option<(u64, usize)> {
    let core = core("atmega128").unwrap();
    let kernel = request.fits(core)?;
    let routine = request.routine(core, &kernel);
    let saves = 2 * 2 * kernel.saves.len() as u64;
    assert_eq!(kernel.program.iter().filter(|one| one.op == Op::Push).count(), kernel.saves.len());
    // return, and the zero register's clear
    Some((kernel.cycles? - saves - 5, 2 * routine.program.words().len()))
}

#[test]
fn figures_of_looped_kernels_are_the_ones_written_down() {
    const BITS: [usize; 7] = [8, 64, 128, 160, 256, 512, 1024];
    let mut table = format!("{:46}", "body cycles and bytes of the routine, by bits");
    BITS.iter().for_each(|bits| table += &format!("{bits:>13}"));
    table.push('\n');
    let mut row = |name: &str, parameters: Parameters| {
        let mut label = name.to_owned();
        for parameter in Parameter::ALL {
            if let Some(value) = parameter.of(&parameters) {
                let _ = write!(label, " {}={value}", parameter.name());
            }
        }
        let _ = write!(table, "{label:46}");
        for bits in BITS {
            let cell = figures(&named(name, bits / 8, parameters));
            let cell = cell.map_or("-".to_owned(), |(cycles, bytes)| format!("{cycles} {bytes}"));
            let _ = write!(table, "{cell:>13}");
        }
        table.push('\n');
    };
    for cache in 1..=10 {
        for carry_once in 1..=3 {
            row("operand-caching", Parameters { cache: Some(cache), carry_once: Some(carry_once), ..OPEN });
        }
    }
    for cache in 1..=8 {
        row("product-scanning", Parameters { cache: Some(cache), ..OPEN });
    }
    for carry_once in 1..=8 {
        row("operand-scanning", Parameters { carry_once: Some(carry_once), ..OPEN });
    }
    for rows in 1..=6 {
        row("hybrid", Parameters { rows: Some(rows), ..OPEN });
    }
    insta::assert_snapshot!("looped", table);
}

#[test]
fn figures_of_looped_squarings_are_the_ones_written_down() {
    const BITS: [usize; 7] = [8, 64, 128, 160, 256, 512, 1024];
    let mut table = format!("{:46}", "body cycles and bytes of the routine, by bits");
    BITS.iter().for_each(|bits| table += &format!("{bits:>13}"));
    table.push('\n');
    for method in looping().filter(|method| method.operation == Operation::Sqr) {
        for cache in (1..=9).step_by(sample(3, 1)) {
            for batch in 1..=2 {
                let _ = write!(table, "{:46}", format!("{} cache={cache} batch={batch}", method.name));
                for bits in BITS {
                    let parameters = Parameters { cache: Some(cache), batch: Some(batch), ..OPEN };
                    let cell = figures(&looped(method, bits / 8, parameters));
                    let cell = cell.map_or("-".to_owned(), |(cycles, bytes)| format!("{cycles} {bytes}"));
                    let _ = write!(table, "{cell:>13}");
                }
                table.push('\n');
            }
        }
    }
    if sample(0, 1) == 1 {
        insta::assert_snapshot!("looped_squarings", table);
    } else {
        stand_in(&table, include_str!("snapshots/all__matrix__looped__looped_squarings.snap"));
    }
}
