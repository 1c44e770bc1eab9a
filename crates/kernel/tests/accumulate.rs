//! The accumulator's actions, executed word by word, against multiplication of big integers.

use num_bigint::BigUint;
use rhomb_kernel::accumulator::{Action, Place, Source, accumulate, peak};
use rhomb_kernel::{Operand, Parameter, Parameters, Schedule, walks};
use std::collections::HashMap;

/// Executes actions on words of `bits` bits and checks each claim that they make: an addition whose
/// carry is not used has none, a word is used only while it is there, what is dropped is zero.
fn execute(actions: &[Action], words: usize, bits: u32, a: &[u64], b: &[u64]) -> Vec<u64> {
    let mask = (1u64 << bits) - 1;
    let mut slots: HashMap<usize, u64> = HashMap::new();
    let mut places: HashMap<Place, u64> = HashMap::new();
    let mut result: Vec<Option<u64>> = vec![None; 2 * words];
    let (mut low, mut high, mut carry) = (0, 0, None);
    for action in actions {
        match *action {
            Action::Load { slot, operand } => {
                let word = match operand {
                    Operand::A(i) => a[i],
                    Operand::B(j) => b[j],
                };
                slots.insert(slot, word);
            }
            Action::Multiply { a: x, b: y, product } => {
                assert_eq!((slots[&x], slots[&y]), (a[product.i], b[product.j]));
                assert_eq!(carry, None, "a product in a chain");
                let product = slots[&x] * slots[&y];
                (low, high) = (product & mask, product >> bits);
            }
            Action::PlaceProduct { column } => {
                assert_eq!(places.insert(Place::Word(column), low), None);
                assert_eq!(places.insert(Place::Word(column + 1), high), None);
            }
            Action::Place { to, source } => {
                let word = match source {
                    Source::ProductLow => low,
                    Source::ProductHigh => high,
                    Source::Result(k) => result[k].unwrap(),
                    Source::Place(from) => places.remove(&from).unwrap(),
                    Source::Zero => 0,
                };
                assert_eq!(places.insert(to, word), None);
            }
            Action::Clear { to, in_chain } => {
                assert!(in_chain || carry.is_none());
                assert_eq!(places.insert(to, 0), None);
            }
            Action::Add { to, source, carry_in, carry_out } => {
                let word = match source {
                    Source::ProductLow => low,
                    Source::ProductHigh => high,
                    Source::Result(k) => result[k].unwrap(),
                    Source::Place(from) => places.remove(&from).unwrap(),
                    Source::Zero => 0,
                };
                assert_eq!(carry_in, carry.is_some());
                let sum = places[&to] + word + carry.take().unwrap_or(0);
                places.insert(to, sum & mask);
                if carry_out {
                    carry = Some(sum >> bits);
                } else {
                    assert_eq!(sum >> bits, 0, "a carry was lost at {to:?}");
                }
            }
            Action::Store { column, in_chain } => {
                assert!(in_chain || carry.is_none());
                result[column] = Some(places.remove(&Place::Word(column)).unwrap());
            }
            Action::StoreZero { column, in_chain } => {
                assert!(in_chain || carry.is_none());
                assert!(!places.contains_key(&Place::Word(column)));
                result[column] = Some(0);
            }
            Action::Drop { place } => assert_eq!(places.remove(&place), Some(0)),
        }
    }
    assert!(places.is_empty() && carry.is_none());
    result.into_iter().map(Option::unwrap).collect()
}

fn integer(words: &[u64], bits: u32) -> BigUint {
    words.iter().rev().fold(BigUint::ZERO, |sum, word| (sum << bits) + word)
}

/// Operands with carries in all places: zero, one, all ones, alternating words, a random one.
fn operands(words: usize, bits: u32, seed: u64) -> Vec<Vec<u64>> {
    let ones = (1u64 << bits) - 1;
    let mut state = seed;
    let mut random = || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (state >> 20) & ones
    };
    let mut one = vec![0; words];
    one[0] = 1;
    vec![
        vec![0; words],
        one,
        vec![ones; words],
        (0..words).map(|i| if i % 2 == 0 { ones } else { 0 }).collect(),
        (0..words).map(|i| if i % 2 == 1 { ones } else { 0 }).collect(),
        (0..words).map(|_| random()).collect(),
    ]
}

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
            for parameters in settings(method.parameters, words.min(6) + 1) {
                let walk = method.walk(words, &parameters).unwrap();
                walk.validate().unwrap();
                for (bits, catchers) in [(8, 0), (8, 2), (8, 99), (32, 99)] {
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
