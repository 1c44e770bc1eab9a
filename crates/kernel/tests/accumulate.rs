//! The accumulator's actions, executed word by word, against multiplication of big integers.

mod execute;

use execute::{execute, integer, operands};
use rhomb_kernel::accumulator::{accumulate, peak};
use rhomb_kernel::{Parameter, Parameters, Schedule, walks};
use rhomb_oracles::sample;

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
            let every = if words > 4 { sample(9, 1) } else { 1 };
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
    assert!(checked > 1000, "{checked}");
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
