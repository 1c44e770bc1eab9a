//! The accumulator's actions, executed word by word, against multiplication of big integers.

use crate::execute::{execute, integer, operands};
use rhomb_kernel::accumulator::{accumulate, peak};
use rhomb_kernel::{Parameter, Parameters, Schedule, given, text, walks};
use rhomb_oracles::{Random, sample};

/// All settings of a method's parameters up to `most`.
fn settings(parameters: &[Parameter], most: usize) -> Vec<Parameters> {
    let mut all = vec![Parameters::default()];
    for parameter in parameters {
        let values = parameter.least()..=most;
        all = all
            .into_iter()
            .flat_map(|setting| {
                values.clone().map(move |value| {
                    let mut setting = setting;
                    parameter.set(&mut setting, Some(value));
                    setting
                })
            })
            .collect();
    }
    all
}

#[test]
fn every_walk_multiplies() {
    let mut checked = 0;
    for method in walks() {
        for words in 1..=9 {
            // all of the small sizes, some of the others
            let every = if words > 3 { sample(20, 1) } else { 1 };
            for parameters in settings(method.parameters, words.min(6) + 1).into_iter().step_by(every) {
                let walk = method.walk(words, &parameters).unwrap();
                walk.validate().unwrap();
                for (bits, catchers) in [(8, 0), (8, 2), (8, 99), (32, 0), (32, 99)] {
                    let schedule = Schedule::new(&walk, walk.pool, 2);
                    let actions = accumulate(&schedule, bits, catchers).unwrap();
                    if catchers == 0 && schedule.reach == 0 {
                        let most = parameters.carry_once.unwrap_or(2).max(2) + 1;
                        assert!(peak(&actions) <= most, "{} {words} {parameters:?}", method.name);
                    }
                    let operands = operands(words, bits, words as u64);
                    for a in &operands {
                        for b in &operands {
                            let result = execute(&actions, words, bits, a, b);
                            assert_eq!(integer(&result, bits), integer(a, bits) * integer(b, bits));
                        }
                    }
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > sample(500, 1000), "{checked}");
}

/// Rows that a user wrote, a word of A each, may finish one column after some products and several after others.
#[test]
fn rows_in_any_order_multiply() {
    let mut random = Random::new(1);
    let mut mixed = 0;
    for words in 2..=7 {
        for _ in 0..40 {
            let row = |i: usize, random: &mut Random| {
                let mut products: Vec<String> = (0..words).map(|j| format!("({i},{j})")).collect();
                for at in (1..words).rev() {
                    products.swap(at, random.index(at + 1));
                }
                products.join(" ")
            };
            let lines: Vec<String> = (0..words).map(|i| row(i, &mut random)).collect();
            let rows = text::rows(&lines.join("\n\n"), words).unwrap();
            mixed += rows.iter().filter(|row| row.segments.iter().any(|one| one.finishes == 1)).count();
            for carry_once in 1..=3 {
                let parameters = Parameters { carry_once: Some(carry_once), ..Parameters::default() };
                let walk = given(words, rows.clone(), &parameters);
                walk.validate().unwrap();
                let actions = accumulate(&Schedule::new(&walk, walk.pool, 2), 8, 2).unwrap();
                for a in operands(words, 8, 1) {
                    for b in operands(words, 8, 2) {
                        let result = execute(&actions, words, 8, &a, &b);
                        assert_eq!(
                            integer(&result, 8),
                            integer(&a, 8) * integer(&b, 8),
                            "{lines:?}, {carry_once}"
                        );
                    }
                }
            }
        }
    }
    assert!(mixed > 100, "{mixed}");
}

#[test]
fn large_walks_multiply() {
    for method in walks() {
        for words in [40, 64, 128] {
            let walk = method.walk(words, &Parameters::default()).unwrap();
            walk.validate().unwrap();
            let actions = accumulate(&Schedule::new(&walk, walk.pool, 2), 8, 8).unwrap();
            for a in operands(words, 8, 1) {
                for b in operands(words, 8, 2) {
                    let result = execute(&actions, words, 8, &a, &b);
                    assert_eq!(integer(&result, 8), integer(&a, 8) * integer(&b, 8), "{}", method.name);
                }
            }
        }
    }
}
