//! Multiplication and squaring row by row, in calls by the convention, against big integers.

mod run;

use rhomb_arm::conventions::AAPCS;
use rhomb_arm::cores::core;
use rhomb_arm::lower::{Kernel, LowerError, rows};
use rhomb_kernel::{Form, Operation, Parameters, Shape, Task};
use run::{multiplies, squares};

fn lower(operation: Operation, method: &str, words: usize, width: usize) -> Result<Kernel, LowerError> {
    let parameters = Parameters { rows: Some(width), ..Parameters::default() };
    let shape = Shape { form: Form::Unrolled, words, parameters: &parameters };
    let core = core("arm7tdmi").unwrap();
    match rhomb_kernel::method(operation, method).unwrap().task(&shape).unwrap() {
        Task::Multiplication(walk) => rows::multiplication(&walk, core, &AAPCS, usize::MAX),
        Task::Squaring(squaring) => rows::squaring(&squaring, core, &AAPCS, usize::MAX),
        other => panic!("{other:?}"),
    }
}

#[test]
fn multiplications() {
    for words in 4..=6 {
        let kernel = lower(Operation::Mul, "hybrid", words, 5).unwrap();
        println!("mul {words}: {:?}", multiplies(&kernel, words));
    }
}

#[test]
fn squarings() {
    for words in 4..=5 {
        let kernel = lower(Operation::Sqr, "product-scanning", words, 5).unwrap();
        println!("sqr {words}: {:?}", squares(&kernel, words));
    }
}
