//! Every kernel on our own simulator.

use crate::matrix::case::cases;
use crate::matrix::kernels::{self, LARGE, Request};
use crate::matrix::run::call;
use rhomb_avr::cores::{Core, core};
use rhomb_avr::lower::Kernel;
use rhomb_kernel::Operation;
use rhomb_oracles::parallel;

/// Random inputs beside the fixed ones; on small kernels enough to notice any instruction that lacks.
pub(crate) fn random_cases(words: usize) -> usize {
    match words {
        0..=8 => 300,
        9..=40 => 8,
        41..=64 => 4,
        _ => 2,
    }
}

/// Calls a kernel with all its inputs; gives their number.
pub(crate) fn check(core: &'static Core, request: &Request, kernel: &Kernel) -> usize {
    let routine = request.routine(core, kernel);
    routine.note(&format!("{} {request}", core.name));
    let cases = cases(&routine, request.seed(), random_cases(request.words));
    for case in &cases {
        if let Err(failure) = call(&routine, case) {
            panic!("{}: {request}: {failure:?}\n{case:?}", core.name);
        }
    }
    cases.len()
}

/// Kernels and runs of all tasks.
pub(crate) fn report(what: &str, counts: &[(usize, usize)]) {
    let (kernels, runs) = counts.iter().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    assert!(kernels > 0);
    println!("{what}: {kernels} kernels, {runs} runs");
}

fn check_all(operation: Operation) {
    let core = core("atmega128").unwrap();
    let counts = parallel::each(&kernels::sizes_of(operation), |(method, words)| {
        let (mut count, mut runs) = (0, 0);
        for (request, kernel) in kernels::kernels(method, *words, core) {
            count += 1;
            runs += check(core, &request, &kernel);
        }
        (count, runs)
    });
    report(&format!("{}, 1 to 40 words", operation.name()), &counts);
}

#[test]
fn every_multiplication_up_to_40_words_keeps_its_contract() {
    check_all(Operation::Mul);
}

#[test]
fn every_squaring_up_to_40_words_keeps_its_contract() {
    check_all(Operation::Sqr);
}

#[test]
fn large_kernels_keep_their_contract() {
    let core = core("atmega128").unwrap();
    let requests: Vec<Request> = LARGE.into_iter().rev().flat_map(kernels::large).collect();
    let counts = parallel::each(&requests, |request| {
        let kernel = request.lower(core).unwrap_or_else(|error| panic!("{request}: {error}"));
        (1, check(core, request, &kernel))
    });
    report("48 to 256 words", &counts);
}
