//! Multiplication and squaring row by row, in calls by the convention, against big integers.

mod run;

use rhomb_arm::conventions::AAPCS;
use rhomb_arm::cores::core;
use rhomb_arm::lower::{Kernel, LowerError, rows};
use rhomb_kernel::windows::WindowError;
use rhomb_kernel::{Form, Operation, Parameters, Shape, Task};
use rhomb_oracles::sample;
use run::{Figures, multiplies, squares};
use std::fmt::Write;

fn lower(
    operation: Operation,
    method: &str,
    words: usize,
    parameters: &Parameters,
    constant_time: bool,
) -> Result<Kernel, LowerError> {
    let shape = Shape { form: Form::Unrolled, words, parameters };
    let core = core("arm7tdmi").unwrap();
    match rhomb_kernel::method(operation, method).unwrap().task(&shape).unwrap() {
        Task::Multiplication(walk) => rows::multiplication(&walk, core, &AAPCS, usize::MAX, constant_time),
        Task::Squaring(squaring) => rows::squaring(&squaring, core, &AAPCS, usize::MAX, constant_time),
        other => panic!("{other:?}"),
    }
}

fn product(words: usize, constant_time: bool) -> Kernel {
    let parameters = Parameters { rows: Some(rows::WIDEST), ..Parameters::default() };
    lower(Operation::Mul, "hybrid", words, &parameters, constant_time).unwrap()
}

fn square(words: usize, constant_time: bool) -> Kernel {
    lower(Operation::Sqr, "product-scanning", words, &Parameters::default(), constant_time).unwrap()
}

const HEAD: &str = "words   paper body/function   worst case body/function   stack\n";

fn line(text: &mut String, words: usize, kernel: &Kernel, Figures { paper, trm }: Figures) {
    let (paper, trm) = (format!("{}/{}", paper.0, paper.1), format!("{}/{}", trm.0, trm.1));
    writeln!(text, "{words:5}   {paper:>19}   {trm:>24}   {:5}", kernel.stack_bytes).unwrap();
}

/// Cycles by the paper's model and, in the worst case, by the manual's.
fn multiplication_figures(sizes: impl Iterator<Item = usize>, constant_time: bool) -> String {
    sizes.fold(HEAD.to_owned(), |mut text, words| {
        let kernel = product(words, constant_time);
        line(&mut text, words, &kernel, multiplies("hybrid", &kernel, words, constant_time));
        text
    })
}

fn squaring_figures(sizes: impl Iterator<Item = usize>, constant_time: bool) -> String {
    sizes.fold(HEAD.to_owned(), |mut text, words| {
        let kernel = square(words, constant_time);
        line(&mut text, words, &kernel, squares("product-scanning", &kernel, words, constant_time));
        text
    })
}

#[test]
fn small_multiplications() {
    insta::assert_snapshot!(multiplication_figures(1..=8, false));
}

#[test]
fn large_multiplications() {
    insta::assert_snapshot!(multiplication_figures([9, 12, 16, 32].into_iter(), false));
}

#[test]
fn small_squarings() {
    insta::assert_snapshot!(squaring_figures(1..=8, false));
}

#[test]
fn large_squarings() {
    insta::assert_snapshot!(squaring_figures([9, 12, 16, 32].into_iter(), false));
}

#[test]
fn multiplications_of_constant_time() {
    insta::assert_snapshot!(multiplication_figures((1..=6).chain([8, 12]), true));
}

#[test]
fn squarings_of_constant_time() {
    insta::assert_snapshot!(squaring_figures((1..=6).chain([8, 12]), true));
}

/// The same request makes the same routine.
#[test]
fn searches_are_repeatable() {
    let parameters = Parameters { cache: Some(3), ..Parameters::default() };
    let searched = || lower(Operation::Mul, "operand-caching", 4, &parameters, false).unwrap();
    assert_eq!(searched(), searched());
}

/// Whatever method made the rows. Some take more registers than there are; they are told.
#[test]
fn walks_of_other_methods() {
    let mut lowered = 0;
    for words in [4, 7].into_iter().take(sample(1, 2)) {
        for cache in 1..=4 {
            let parameters = Parameters { cache: Some(cache), ..Parameters::default() };
            // which has no cache
            let scanning = (cache == 1).then_some("operand-scanning");
            for method in ["operand-caching", "consecutive-operand-caching"].into_iter().chain(scanning) {
                match lower(Operation::Mul, method, words, &parameters, false) {
                    Ok(kernel) => {
                        multiplies(&format!("{method} {cache}"), &kernel, words, false);
                        lowered += 1;
                    }
                    Err(error) => assert_eq!(error, LowerError::Rows { registers: 14 }, "{method} {words}"),
                }
            }
        }
    }
    assert!(lowered >= sample(8, 16), "{lowered}");
}

#[test]
fn columns_are_refused() {
    let fault = lower(Operation::Mul, "product-scanning", 6, &Parameters::default(), false);
    assert_eq!(fault, Err(LowerError::Windows(WindowError::Row { row: 0, widest: rows::WIDEST })));
}
