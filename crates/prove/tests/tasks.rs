//! Additions, subtractions and multiplications without MUL: right in the simulator, proved, and their time
//! does not depend on the operands.

use rhomb_avr::conventions::{AVR_GCC, CROSSWORKS, Convention, IAR};
use rhomb_avr::{Function, Program, cores::core, lower::routine};
use rhomb_certificate::{Contract, check};
use rhomb_kernel::{Form, Operation, Parameters, Shape, method};
use rhomb_prove::{Timing, prove, refute, timing};
use std::sync::Arc;

/// Instructions that the simulated calls of a routine may take together.
const BUDGET: u64 = 300_000;

/// Makes a routine; `None` where the registers do not hold it.
fn function(
    name: &str,
    operation: Operation,
    core_name: &str,
    form: Form,
    words: usize,
    cache: Option<usize>,
    convention: &'static Convention,
) -> Option<Function> {
    let parameters = Parameters { cache, ..Default::default() };
    let shape = Shape { form, words, parameters: &parameters };
    let task = method(operation, name).unwrap().task(&shape).unwrap();
    assert_eq!(task.operation(), operation);
    let core = core(core_name).unwrap();
    let kernel = routine(&task, core, convention).ok()?;
    let program = Arc::new(Program::assemble(core, 0, &kernel.program).unwrap());
    Some(Function { program, entry: 0, convention, stack_limit: 40, step_limit: 1 << 24 })
}

fn holds(function: &Function, contract: Contract, expected: Timing, what: &str) {
    let search = refute(function, &contract, BUDGET);
    assert!(
        search.found.is_none() && search.stopped.is_none(),
        "{what}: {:?} {:?}",
        search.found,
        search.stopped
    );
    let figures = search.figures.unwrap();
    assert_eq!(figures.function.min, figures.function.max, "{what}");
    println!("{what}: {} cycles, {} bytes", figures.function.max, 2 * function.program.words().len());
    match prove(function, &contract) {
        Ok(certificate) => assert_eq!(check(function, &certificate), Ok(contract), "{what}"),
        Err(error) => panic!("{what}: {error} {error:?}"),
    }
    assert_eq!(timing(function, &contract), expected, "{what}");
}

fn chain(words: usize, form: Form, convention: &'static Convention) {
    for (operation, name) in [(Operation::Add, "add"), (Operation::Sub, "sub")] {
        let contract = format!("{name} {}", 8 * words).parse().unwrap();
        let function =
            function("carry-chain", operation, "atmega128", form, words, None, convention).unwrap();
        let what = format!("{name} {words} words {} {}", form.name(), convention.name);
        holds(&function, contract, Timing::Constant, &what);
    }
}

#[test]
fn chains_of_1_to_40_words() {
    for words in 1..=40 {
        Form::ALL.into_iter().for_each(|form| chain(words, form, &AVR_GCC));
    }
}

#[test]
fn long_chains() {
    for words in [63, 64, 65, 128, 255, 256, 257, 512, 513] {
        Form::ALL.into_iter().for_each(|form| chain(words, form, &AVR_GCC));
    }
}

fn strip(words: usize, cache: usize) {
    strip_by(words, cache, &AVR_GCC);
}

fn strip_by(words: usize, cache: usize, convention: &'static Convention) {
    let contract = format!("mul {}", 8 * words).parse().unwrap();
    let function =
        function("strip", Operation::Mul, "attiny85", Form::Looped, words, Some(cache), convention);
    let what = format!("strip {cache} {words} words {}", convention.name);
    holds(&function.unwrap(), contract, Timing::Balanced, &what);
}

#[test]
fn software_products_of_1_to_40_words() {
    let all = (1..=12).chain([13, 16, 20, 24, 32, 33, 40]);
    all.step_by(rhomb_oracles::sample(3, 1)).for_each(|words| software_products(words, &AVR_GCC));
}

fn software_products(words: usize, convention: &'static Convention) {
    let contract = format!("mul {}", 8 * words).parse().unwrap();
    let method = "software-products";
    let function = function(method, Operation::Mul, "attiny85", Form::Looped, words, None, convention);
    let what = format!("{method} {words} words {}", convention.name);
    holds(&function.unwrap(), contract, Timing::Balanced, &what);
}

#[test]
fn other_conventions() {
    for convention in [&IAR, &CROSSWORKS] {
        for words in (1..=12).chain([16, 20, 25, 32, 40, 63, 64, 65, 128, 257, 513]) {
            Form::ALL.into_iter().for_each(|form| chain(words, form, convention));
        }
        [1, 2, 3, 5, 8, 13, 20].into_iter().for_each(|words| software_products(words, convention));
        for (words, cache) in [(1, 1), (2, 1), (3, 2), (5, 5), (8, 3), (11, 11), (16, 8), (20, 10), (32, 11)]
        {
            strip_by(words, cache, convention);
        }
    }
}

#[test]
fn strips_of_up_to_8_words() {
    for words in 1..=8 {
        (1..=words).for_each(|cache| strip(words, cache));
    }
}

/// Every width, with and without a narrow strip; the wide ones are the fast ones.
#[test]
fn strips_of_9_to_40_words() {
    for words in (9..=40).step_by(3) {
        let widths = [12, 11, 10, 9, 8, 7, 6, 5];
        strip(words, widths[words % widths.len()].min(words));
    }
    for (words, cache) in [(9, 1), (12, 12), (20, 10), (20, 11), (24, 12), (32, 11)] {
        strip(words, cache);
    }
}
