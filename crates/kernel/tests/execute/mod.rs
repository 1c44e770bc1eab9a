//! Executes actions word by word, for the tests.

use num_bigint::BigUint;
use rhomb_kernel::Operand;
use rhomb_kernel::accumulator::{Action, Carry, Place, Source};
use std::collections::HashMap;

/// Executes actions on words of `bits` bits and checks each claim that they make: an addition whose
/// carry is not used has none, a word is used only while it is there, what is dropped is zero.
pub(crate) fn execute(actions: &[Action], words: usize, bits: u32, a: &[u64], b: &[u64]) -> Vec<u64> {
    let mask = (1u64 << bits) - 1;
    let mut slots: HashMap<usize, u64> = HashMap::new();
    let mut places: HashMap<Place, u64> = HashMap::new();
    let mut result: Vec<Option<u64>> = vec![None; 2 * words];
    let mut parked: HashMap<Carry, u64> = HashMap::new();
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
            Action::PlaceProduct { low: lower, high: higher } => {
                assert_eq!(places.insert(lower, low), None);
                assert_eq!(places.insert(higher, high), None);
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
            Action::Double { to, carry_in, carry_out } => {
                assert_eq!(carry_in, carry.is_some());
                let sum = 2 * places[&to] + carry.take().unwrap_or(0);
                places.insert(to, sum & mask);
                if carry_out {
                    carry = Some(sum >> bits);
                } else {
                    assert_eq!(sum >> bits, 0, "a carry was lost at {to:?}");
                }
            }
            Action::Park { carry: name } => {
                assert_eq!(parked.insert(name, carry.take().unwrap()), None);
            }
            Action::Restore { carry: name } => {
                assert_eq!(carry, None);
                carry = parked.remove(&name);
                assert!(carry.is_some(), "{name:?} is not parked");
            }
        }
    }
    assert!(places.is_empty() && parked.is_empty() && carry.is_none());
    result.into_iter().map(Option::unwrap).collect()
}

pub(crate) fn integer(words: &[u64], bits: u32) -> BigUint {
    words.iter().rev().fold(BigUint::ZERO, |sum, word| (sum << bits) + word)
}

/// Operands with carries in all places: zero, one, all ones, alternating words, a random one.
pub(crate) fn operands(words: usize, bits: u32, seed: u64) -> Vec<Vec<u64>> {
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
