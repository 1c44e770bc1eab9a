//! Rolled schedules of squarings: the steps that they expand to, and the actions of their blocks, executed.

use crate::execute::{Machine, integer, operands, run};
use rhomb_kernel::rolled::{DEPTH, Node, accumulate};
use rhomb_kernel::{Form, Method, Operand, Operation, Parameters, Rolled, Shape, Step, Task, methods};

fn looping() -> impl Iterator<Item = &'static Method> {
    let rolled = |method: &&'static Method| {
        let shape = Shape { form: Form::Looped, words: 1, parameters: &Parameters::default() };
        matches!(method.task(&shape), Some(Task::LoopedSquaring(_)))
    };
    methods(Operation::Sqr).filter(rolled)
}

fn rolled(method: &Method, words: usize, parameters: &Parameters) -> Rolled {
    match method.task(&Shape { form: Form::Looped, words, parameters }) {
        Some(Task::LoopedSquaring(rolled)) => rolled,
        other => panic!("{other:?}"),
    }
}

fn settings(most: usize) -> impl Iterator<Item = Parameters> {
    (1..=most).flat_map(move |cache| {
        (1..=3).map(move |other| Parameters {
            cache: Some(cache),
            carry_once: Some(1 + (cache + other) % 3),
            batch: Some(other),
            ..Parameters::default()
        })
    })
}

/// Follows the steps: every product of two different words once, from slots that hold its words; columns
/// finished in order; words that an earlier row stored are added once, and no other, and not once they are
/// doubled; carry words are new; squares find their words.
fn follow(rolled: &Rolled) {
    let n = rolled.words;
    let mut slots: Vec<Option<usize>> = vec![None; rolled.slots + 2];
    let mut times = vec![0; n * n];
    let mut stored = vec![false; 2 * n];
    let mut doubled = vec![false; 2 * n];
    let mut added = vec![false; 2 * n];
    let mut open: Option<usize> = None;
    let mut squares = 0;
    let close = |open: &mut Option<usize>, stored: &mut [bool], added: &[bool], k: usize| {
        assert_eq!(open.replace(k + 1), Some(k));
        assert_eq!(stored[k], added[k], "column {k}");
        stored[k] = true;
    };
    let mut origins = Vec::new();
    rolled.visit(&mut |block, counters| {
        let (a, b) = (block.a.value(counters), block.b.value(counters));
        origins.extend(block.steps.iter().map(|_| (a, b)));
    });
    for (step, (a_origin, b_origin)) in rolled.expand().into_iter().zip(origins) {
        match step {
            Step::StartRow { column } => {
                assert!(open.replace(column).is_none());
                added.fill(false);
            }
            Step::Load { slot, operand } => {
                let Operand::A(index) = operand else { panic!("{operand:?}") };
                assert!(index < n);
                slots[slot] = Some(index);
            }
            Step::Multiply { a, b, product } => {
                assert_eq!((slots[a], slots[b]), (Some(product.i), Some(product.j)));
                assert!(product.column() >= open.unwrap());
                assert!(!doubled[product.column()]);
                let (low, high) = (product.i.min(product.j), product.i.max(product.j));
                times[low * n + high] += 1;
                slots.truncate(rolled.slots);
                slots.resize(rolled.slots + 2, None);
            }
            Step::AddIntermediates { columns } => {
                assert!(columns.start >= open.unwrap());
                for k in columns {
                    assert!(stored[k] && !doubled[k] && !std::mem::replace(&mut added[k], true));
                }
            }
            Step::Finish { columns, intermediates } => {
                assert!(intermediates.is_empty());
                columns.for_each(|k| close(&mut open, &mut stored, &added, k));
            }
            Step::FinishSquare { columns } => {
                for k in columns {
                    close(&mut open, &mut stored, &added, k);
                    assert!(!std::mem::replace(&mut doubled[k], true));
                    if k % 2 == 0 {
                        // in the slot of its number, as the block counts
                        assert_eq!(a_origin, b_origin);
                        let own = (k / 2).checked_add_signed(-a_origin).unwrap();
                        assert_eq!(slots[own], Some(k / 2));
                        assert_eq!(squares, k / 2);
                        squares += 1;
                    }
                }
                if open == Some(2 * n) {
                    open = None;
                }
            }
            Step::EndRow { column } => {
                assert_eq!(open.take(), Some(column));
                assert!(!stored[column]);
                stored[column] = true;
            }
        }
    }
    let expected = |at: usize| usize::from(at / n < at % n);
    assert!((0..n * n).all(|at| times[at] == expected(at)), "{times:?}");
    assert!(doubled.iter().all(|doubled| *doubled) && squares == n && open.is_none());
}

#[test]
fn steps_make_a_squaring() {
    for method in looping() {
        for words in 1..=40 {
            settings(words.min(12)).for_each(|parameters| follow(&rolled(method, words, &parameters)));
        }
        [300, 511, 512].into_iter().for_each(|words| follow(&rolled(method, words, &Parameters::default())));
    }
}

/// The size does not add steps once there are more words than a block holds.
#[test]
fn steps_do_not_grow_with_the_size() {
    fn count(nodes: &[Node]) -> usize {
        let one = |node: &Node| match node {
            Node::Block(block) => block.steps.len(),
            Node::Loop(one) => count(&one.body),
        };
        nodes.iter().map(one).sum()
    }
    for method in looping() {
        let size = |words| count(&rolled(method, words, &Parameters::default()).nodes);
        assert_eq!(size(60), size(120), "{}", method.name);
        assert_eq!(size(61), size(121), "{}", method.name);
    }
}

fn squares(method: &Method, words: usize, parameters: &Parameters, bits: u32) {
    let parts = accumulate(&rolled(method, words, parameters), bits, 99);
    let parts = parts.unwrap_or_else(|error| panic!("{} {words} {parameters:?}: {error}", method.name));
    for a in operands(words, bits, 7) {
        let mut machine = Machine::new(words, bits, &a, &a);
        run(&parts, 0, &mut [0; DEPTH], &mut machine);
        let result = machine.finish();
        let a = integer(&a, bits);
        assert_eq!(integer(&result, bits), &a * &a, "{} {words} {parameters:?}", method.name);
    }
}

#[test]
fn actions_square() {
    for method in looping() {
        for words in 1..=40 {
            settings(words.min(10)).for_each(|parameters| squares(method, words, &parameters, 8));
            if words <= 9 {
                let small = Parameters { cache: Some(2), ..Parameters::default() };
                squares(method, words, &small, 16);
            }
        }
    }
}

/// Sizes at which values get another word.
#[test]
fn actions_square_large_numbers() {
    for method in looping() {
        for words in [64, 127, 128, 255, 256, 257, 259, 512] {
            for cache in [1, 4, 9] {
                let parameters = Parameters { cache: Some(cache), ..Parameters::default() };
                squares(method, words, &parameters, 8);
            }
        }
    }
}
