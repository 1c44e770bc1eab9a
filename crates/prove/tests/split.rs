//! Splits are proved, take the same time for all operands, and the proofs pass the checker.

use rhomb_avr::conventions::AVR_GCC;
use rhomb_avr::{Function, Program, cores::core, lower::routine};
use rhomb_certificate::{Contract, check};
use rhomb_kernel::split::{Cut, Node, Pairs};
use rhomb_kernel::{Form, Operation, Parameters, Shape, Task, method};
use rhomb_prove::{Timing, prove, timing};
use std::sync::Arc;

fn function(task: &Task) -> Function {
    let core = core("atmega128").unwrap();
    let kernel = routine(task, core, &AVR_GCC).unwrap();
    let program = Arc::new(Program::assemble(core, 0, &kernel.program).unwrap());
    Function { program, entry: 0, convention: &AVR_GCC, stack_limit: 1024, step_limit: 1 << 24 }
}

fn check_one(words: usize, levels: usize) {
    let parameters = Parameters { levels: Some(levels), ..Parameters::default() };
    let shape = Shape { form: Form::Unrolled, words, parameters: &parameters };
    let task = method(Operation::Mul, "split").and_then(|method| method.task(&shape)).unwrap();
    check_task(&format!("{words} words, {levels} levels"), &task);
}

fn check_task(what: &str, task: &Task) {
    let function = function(task);
    let bits = 8 * task.words() as u32;
    let contract = Contract::Mul { a: bits, b: bits };
    let certificate = match prove(&function, &contract) {
        Ok(certificate) => certificate,
        Err(error) => panic!("{what}: {error} {error:?}"),
    };
    assert_eq!(check(&function, &certificate), Ok(contract));
    assert_eq!(timing(&function, &contract), Timing::Constant);
}

#[test]
fn one_level_of_2_to_20_words() {
    (2..=20).for_each(|words| check_one(words, 1));
}

/// In a straight line and with loops, halves equal and not.
#[test]
fn levels_in_memory() {
    for (words, levels) in [(24, 1), (34, 1), (37, 1), (12, 2), (16, 2), (19, 2), (32, 2), (64, 1)] {
        check_one(words, levels);
    }
}

/// Step by step, pairs by differences and by sums with their carries.
#[test]
fn parts_by_their_plan() {
    let below = method(Operation::Mul, "operand-caching").unwrap();
    let walk = |words: usize| below.walk(words, &Parameters::default()).unwrap();
    for pairs in [Pairs::Subtractive, Pairs::Additive] {
        for cut in [Cut::Balanced(2), Cut::Balanced(3), Cut::Ratio(vec![1, 1, 2])] {
            let node = Node::new(8, 1, &cut, pairs, &walk);
            check_task(&format!("8 words, {cut:?} by {}", pairs.name()), &Task::Split(node));
        }
    }
}
