//! Rolled schedules: the steps that they expand to, and the actions of their blocks, executed.

use crate::execute::{Machine, integer, operands, run};
use rhomb_kernel::rolled::{DEPTH, accumulate};
use rhomb_kernel::{Form, Method, Operand, Parameter, Parameters, Rolled, Shape, Step, Task, walks};

fn rolled(method: &Method, words: usize, parameters: &Parameters) -> Option<Rolled> {
    match method.task(&Shape { form: Form::Looped, words, parameters })? {
        Task::LoopedMultiplication(rolled) => Some(rolled),
        other => panic!("{other:?}"),
    }
}

/// The methods that have loops.
fn looping() -> impl Iterator<Item = &'static Method> {
    walks().filter(|method| method.forms.contains(&Form::Looped))
}

/// Settings of a method's parameters: each alone up to `most`, and all at small values.
fn settings(method: &Method, most: usize) -> Vec<Parameters> {
    let mut all = vec![Parameters::default()];
    for parameter in method.parameters {
        for value in parameter.least()..=most {
            for others in [None, Some(1), Some(2), Some(5)] {
                let mut setting = Parameters::default();
                for other in method.parameters.iter().filter(|other| *other != parameter) {
                    other.set(&mut setting, others);
                }
                parameter.set(&mut setting, Some(value));
                all.push(setting);
            }
        }
    }
    all
}

/// Follows the steps: every product once, from slots that hold its words; columns finished in order;
/// words that an earlier row stored are added once, and no other; carry words are new.
fn follow(rolled: &Rolled) {
    let n = rolled.words;
    let mut slots: Vec<Option<Operand>> = vec![None; rolled.slots + 2];
    let mut times = vec![0; n * n];
    let mut stored = vec![false; 2 * n];
    let mut added = vec![false; 2 * n];
    let mut open: Option<usize> = None;
    for step in rolled.expand() {
        match step {
            Step::StartRow { column } => {
                assert_eq!(open.replace(column), None);
                added.fill(false);
            }
            Step::Load { slot, operand } => {
                let (Operand::A(index) | Operand::B(index)) = operand;
                assert!(index < n);
                slots[slot] = Some(operand);
            }
            Step::Multiply { a, b, product } => {
                assert_eq!((slots[a], slots[b]), (Some(Operand::A(product.i)), Some(Operand::B(product.j))));
                assert!(product.column() >= open.unwrap());
                times[product.i * n + product.j] += 1;
                slots.truncate(rolled.slots);
                slots.resize(rolled.slots + 2, None);
            }
            Step::AddIntermediates { columns } => {
                assert!(columns.start >= open.unwrap());
                columns.for_each(|k| assert!(stored[k] && !std::mem::replace(&mut added[k], true)));
            }
            Step::Finish { columns, intermediates } => {
                assert!(intermediates.is_empty() || intermediates.start == columns.start);
                intermediates.for_each(|k| assert!(stored[k] && !std::mem::replace(&mut added[k], true)));
                for k in columns {
                    assert_eq!(open.replace(k + 1), Some(k));
                    assert_eq!(stored[k], added[k], "column {k}");
                    stored[k] = true;
                }
            }
            Step::FinishSquare { .. } => panic!("a square in a multiplication"),
            Step::EndRow { column } => {
                assert_eq!(open.take(), Some(column));
                assert!(!stored[column]);
                stored[column] = true;
            }
        }
    }
    assert!(times.iter().all(|times| *times == 1), "{times:?}");
    assert!(stored.iter().all(|stored| *stored) && open.is_none());
}

#[test]
fn steps_make_a_multiplication() {
    for method in looping() {
        let mut checked = 0;
        for words in 1..=40 {
            for parameters in settings(method, words.min(12)) {
                let Some(rolled) = rolled(method, words, &parameters) else { continue };
                follow(&rolled);
                checked += 1;
            }
        }
        assert!(checked > 400, "{} {checked}", method.name);
    }
}

/// The size does not add steps once there are more words than a block holds.
#[test]
fn steps_do_not_grow_with_the_size() {
    fn count(nodes: &[rhomb_kernel::rolled::Node]) -> usize {
        nodes
            .iter()
            .map(|node| match node {
                rhomb_kernel::rolled::Node::Block(block) => block.steps.len(),
                rhomb_kernel::rolled::Node::Loop(one) => count(&one.body),
            })
            .sum()
    }
    for method in looping() {
        let size = |words| count(&rolled(method, words, &Parameters::default()).unwrap().nodes);
        assert_eq!(size(60), size(120), "{}", method.name);
        assert_eq!(size(61), size(121), "{}", method.name);
    }
}

fn multiplies(rolled: &Rolled, bits: u32, catchers: usize) {
    let parts = accumulate(rolled, bits, catchers).unwrap();
    let mut operands = operands(rolled.words, bits, 7);
    if rolled.words > 40 {
        operands.drain(..2);
        operands.drain(1..3);
    }
    for a in &operands {
        for b in &operands {
            let mut machine = Machine::new(rolled.words, bits, a, b);
            run(&parts, 0, &mut [0; DEPTH], &mut machine);
            let result = machine.finish();
            assert_eq!(integer(&result, bits), integer(a, bits) * integer(b, bits));
        }
    }
}

#[test]
fn actions_multiply() {
    for method in looping() {
        for words in 1..=11 {
            for parameters in settings(method, words.min(4)) {
                let Some(rolled) = rolled(method, words, &parameters) else { continue };
                for (bits, catchers) in [(8, 0), (8, 2), (32, 0), (32, 99)] {
                    multiplies(&rolled, bits, catchers);
                }
            }
        }
    }
}

/// Sizes at which values get another word, and catchers might overflow.
#[test]
fn actions_multiply_large_numbers() {
    for method in looping() {
        for words in [64, 255, 257, 258, 259, 300] {
            for value in [1, 4] {
                let mut parameters = Parameters::default();
                for parameter in method.parameters.iter().filter(|it| **it != Parameter::InitialBlock) {
                    parameter.set(&mut parameters, Some(value));
                }
                multiplies(&rolled(method, words, &parameters).unwrap(), 8, 99);
            }
        }
    }
}
