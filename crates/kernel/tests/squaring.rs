//! Squarings, executed word by word, against big integers.

use crate::execute::{execute, integer, operands};
use rhomb_kernel::accumulator::{Action, change};
use rhomb_kernel::{Form, Operation, Parameters, Shape, Squaring, Task, methods};
use std::collections::HashMap;

fn squarings(words: usize, caches: &[usize]) -> Vec<(String, Squaring)> {
    let mut all = Vec::new();
    for method in methods(Operation::Sqr).filter(|method| method.forms.contains(&Form::Unrolled)) {
        for cache in caches {
            for batch in 1..=4 {
                for carry_once in 1..=3 {
                    let parameters = Parameters {
                        cache: Some(*cache),
                        batch: Some(batch),
                        carry_once: Some(carry_once),
                        ..Parameters::default()
                    };
                    let shape = Shape { form: Form::Unrolled, words, parameters: &parameters };
                    match method.task(&shape) {
                        Some(Task::Squaring(squaring)) => {
                            all.push((format!("{} {words} {parameters:?}", method.name), squaring));
                        }
                        // tests/split.rs executes them
                        Some(Task::Split(_)) => {}
                        other => panic!("{other:?}"),
                    }
                }
            }
        }
    }
    all
}

/// Most registers that words of the accumulator and operand words take together, each from its load to
/// its last use.
fn registers(actions: &[Action], passing: usize) -> usize {
    let (mut held, mut last) = (vec![0; actions.len() + 1], HashMap::new());
    for (at, action) in actions.iter().enumerate().rev() {
        match *action {
            Action::Multiply { a, b, .. } => {
                last.entry(a).or_insert(at);
                last.entry(b).or_insert(at);
            }
            Action::Load { slot, .. } => {
                let end = last.remove(&slot).expect("a word that is used");
                if slot < passing {
                    held[at] += 1;
                    held[end + 1] -= 1;
                }
            }
            _ => held[at] += change(action),
        }
    }
    let most = held.iter().scan(0, |sum, change| {
        *sum += change;
        Some(*sum)
    });
    most.max().unwrap_or(0) as usize
}

fn check(words: usize, caches: &[usize], bits: u32, most: usize) -> usize {
    let mut checked = 0;
    for (name, squaring) in squarings(words, caches) {
        squaring.validate().unwrap_or_else(|error| panic!("{name}: {error}"));
        let Ok(actions) = squaring.actions(bits, most) else { continue };
        let taken = registers(&actions, most);
        assert!(taken <= most, "{name}: {taken} registers");
        for a in operands(words, bits, words as u64) {
            let result = execute(&actions, words, bits, &a, &a);
            let a = integer(&a, bits);
            assert_eq!(integer(&result, bits), &a * &a, "{name}");
            checked += 1;
        }
    }
    checked
}

#[test]
fn every_squaring_squares() {
    for words in (1..=40).step_by(rhomb_oracles::sample(3, 1)) {
        for (bits, most) in [(8, 23), (32, 100), (16, 9)] {
            assert!(check(words, &[1, 2, 3, 4, 8, 9], bits, most) > 0, "{words} {most}");
        }
    }
}

#[test]
fn large_squarings_square() {
    for words in [48, 64, 128] {
        assert!(check(words, &[8], 8, 23) > 0);
    }
}

/// With registers for everything each word is loaded once, and each product of two words computed once.
#[test]
fn product_scanning_needs_the_fewest_accesses() {
    for words in 1..=40 {
        let parameters = Parameters::default();
        let shape = Shape { form: Form::Unrolled, words, parameters: &parameters };
        let method = rhomb_kernel::method(Operation::Sqr, "product-scanning").unwrap();
        let Some(Task::Squaring(squaring)) = method.task(&shape) else { panic!("no squaring") };
        let actions = squaring.actions(8, 5 * words).unwrap();
        let count = |which: fn(&Action) -> bool| actions.iter().filter(|action| which(action)).count();
        assert_eq!(count(|action| matches!(action, Action::Load { .. })), words);
        assert_eq!(count(|action| matches!(action, Action::Multiply { .. })), words * (words + 1) / 2);
        assert_eq!(count(|action| matches!(action, Action::Store { .. })), 2 * words);
    }
}
