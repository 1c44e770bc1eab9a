//! The accumulator's actions, executed word by word.

#![allow(dead_code)] // each test needs a part

use num_bigint::BigUint;
use rhomb_kernel::Operand;
use rhomb_kernel::accumulator::{AccumulatorWord, Action, Carry, Source};
use rhomb_kernel::rolled::{Border, DEPTH, Part};
use std::collections::HashMap;

/// Executes actions on words of `bits` bits and checks each claim that they make: an addition whose
/// carry is not used has none, a word is used only while it is there, what is dropped is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Word,
    Catcher,
    Square,
}

pub(crate) struct Machine<'a> {
    bits: u32,
    operands: [&'a [u64]; 2],
    /// What the actions call word 0 of A and of B.
    origin: [isize; 2],
    slots: HashMap<usize, u64>,
    /// The lowest open column, counted on and on from the first block.
    open: isize,
    /// From the actions' columns to those.
    moved: isize,
    /// By column, counted likewise, and kind.
    places: HashMap<(isize, Kind), u64>,
    parked: HashMap<Carry, u64>,
    result: Vec<Option<u64>>,
    product: (u64, u64),
    carry: Option<u64>,
}

impl<'a> Machine<'a> {
    pub(crate) fn new(words: usize, bits: u32, a: &'a [u64], b: &'a [u64]) -> Self {
        Machine {
            bits,
            operands: [a, b],
            origin: [0; 2],
            slots: HashMap::new(),
            open: 0,
            moved: 0,
            places: HashMap::new(),
            parked: HashMap::new(),
            result: vec![None; 2 * words],
            product: (0, 0),
            carry: None,
        }
    }

    /// Enters a block: the words that its actions call 0, and its lowest open column.
    pub(crate) fn enter(&mut self, a: isize, b: isize, base: usize) {
        self.origin = [a, b];
        self.moved = self.open - base as isize;
    }

    /// Leaves a block with that lowest open column.
    pub(crate) fn leave(&mut self, base: usize) {
        self.open = self.moved + base as isize;
    }

    fn column(&self, column: usize) -> usize {
        column.checked_add_signed(self.origin[0] + self.origin[1]).unwrap()
    }

    fn place(&self, place: AccumulatorWord) -> (isize, Kind) {
        let kind = match place {
            AccumulatorWord::Column(_) => Kind::Word,
            AccumulatorWord::Catcher(_) => Kind::Catcher,
            AccumulatorWord::Square(_) => Kind::Square,
        };
        (place.column() as isize + self.moved, kind)
    }

    /// Exactly these words are there.
    pub(crate) fn check_border(&self, border: &Border, base: usize) {
        let words = (0..border.words).map(|offset| AccumulatorWord::Column(base + offset));
        let catchers = border.catchers.iter().map(|offset| AccumulatorWord::Catcher(base + offset));
        let expected: Vec<_> = words.chain(catchers).map(|place| self.place(place)).collect();
        assert!(expected.iter().all(|place| self.places.contains_key(place)));
        assert_eq!(expected.len(), self.places.len());
        assert_eq!(self.carry, None);
    }

    fn take(&mut self, source: Source) -> u64 {
        match source {
            Source::ProductLow => self.product.0,
            Source::ProductHigh => self.product.1,
            Source::Result(k) => self.result[self.column(k)].unwrap(),
            Source::Accumulator(from) => self.places.remove(&self.place(from)).unwrap(),
            Source::Zero => 0,
        }
    }

    fn put(&mut self, to: AccumulatorWord, word: u64) {
        assert_eq!(self.places.insert(self.place(to), word), None);
    }

    /// A word becomes `sum`; what does not fit waits, or must not be.
    fn settle(&mut self, to: AccumulatorWord, sum: u64, carry_out: bool) {
        let place = self.place(to);
        self.places.insert(place, sum & ((1 << self.bits) - 1));
        if carry_out {
            self.carry = Some(sum >> self.bits);
        } else {
            assert_eq!(sum >> self.bits, 0, "a carry was lost at {to:?}");
        }
    }

    pub(crate) fn execute(&mut self, actions: &[Action]) {
        let mask = (1u64 << self.bits) - 1;
        for action in actions {
            match *action {
                Action::Load { slot, operand } => {
                    let (side, index) = match operand {
                        Operand::A(i) => (0, i),
                        Operand::B(j) => (1, j),
                    };
                    let index = index.checked_add_signed(self.origin[side]).unwrap();
                    self.slots.insert(slot, self.operands[side][index]);
                }
                Action::Multiply { a, b, .. } => {
                    assert_eq!(self.carry, None, "a product in a chain");
                    let product = self.slots[&a] * self.slots[&b];
                    self.product = (product & mask, product >> self.bits);
                }
                Action::PlaceProduct { low, high } => {
                    self.put(low, self.product.0);
                    self.put(high, self.product.1);
                }
                Action::Place { to, source } => {
                    let word = self.take(source);
                    self.put(to, word);
                }
                Action::Clear { to, in_chain } => {
                    assert!(in_chain || self.carry.is_none());
                    self.put(to, 0);
                }
                Action::Add { to, source, carry_in, carry_out } => {
                    assert_eq!(carry_in, self.carry.is_some());
                    let word = self.take(source) + self.carry.take().unwrap_or(0);
                    let sum = self.places[&self.place(to)] + word;
                    self.settle(to, sum, carry_out);
                }
                Action::Store { column, in_chain } => {
                    assert!(in_chain || self.carry.is_none());
                    let word = self.places.remove(&self.place(AccumulatorWord::Column(column)));
                    let column = self.column(column);
                    self.result[column] = Some(word.unwrap());
                }
                Action::StoreZero { column, in_chain } => {
                    assert!(in_chain || self.carry.is_none());
                    assert!(!self.places.contains_key(&self.place(AccumulatorWord::Column(column))));
                    let column = self.column(column);
                    self.result[column] = Some(0);
                }
                Action::Drop { place } => assert_eq!(self.places.remove(&self.place(place)), Some(0)),
                Action::Double { to, carry_in, carry_out } => {
                    assert_eq!(carry_in, self.carry.is_some());
                    let place = self.place(to);
                    let sum = 2 * self.places[&place] + self.carry.take().unwrap_or(0);
                    self.settle(to, sum, carry_out);
                }
                Action::Park { carry } => {
                    assert_eq!(self.parked.insert(carry, self.carry.take().unwrap()), None);
                }
                Action::Restore { carry } => {
                    assert_eq!(self.carry, None);
                    self.carry = self.parked.remove(&carry);
                    assert!(self.carry.is_some(), "{carry:?} is not parked");
                }
            }
        }
    }

    /// The result, when all is done.
    pub(crate) fn finish(self) -> Vec<u64> {
        assert!(self.places.is_empty() && self.parked.is_empty() && self.carry.is_none());
        self.result.into_iter().map(Option::unwrap).collect()
    }
}

/// Executes parts with their loops.
pub(crate) fn run(parts: &[Part], depth: usize, counters: &mut [isize; DEPTH], machine: &mut Machine) {
    for part in parts {
        match part {
            Part::Block { a, b, entry, actions, exit } => {
                let (a, b) = (a.value(counters), b.value(counters));
                machine.enter(a, b, entry.1);
                machine.check_border(&entry.0, entry.1);
                machine.execute(actions);
                machine.check_border(&exit.0, exit.1);
                machine.leave(exit.1);
            }
            Part::Loop { count, enter, body } => {
                let times = count.value(counters) + isize::from(*enter > 0);
                assert!(times > 0);
                for counter in 0..times {
                    counters[depth] = counter;
                    let first = if counter == 0 { *enter } else { 0 };
                    run(&body[first..], depth + 1, counters, machine);
                }
                counters[depth] = 0;
            }
        }
    }
}

/// The result of the actions of a whole routine.
pub(crate) fn execute(actions: &[Action], words: usize, bits: u32, a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut machine = Machine::new(words, bits, a, b);
    machine.execute(actions);
    machine.finish()
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
