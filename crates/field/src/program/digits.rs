//! The digits of a scalar, one at a time, the highest first: small routines that move the scalar upwards in a slot of its
//! own, and leave masks of the digit at the slot's beginning. Within a word, or a group of bits, they move the word alone; on to
//! the next one the whole scalar.
//!
//! The slot has the masks, then words from which bits leave, one for each number, then the numbers.

use super::words::{Up, load, picked, store, words};
use num_bigint::BigUint;
use rhomb_line::{Array, Line, Logic, Value};

/// A way to scan: what stands where in the slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Digits {
    /// Words of masks.
    masks: usize,
    /// Numbers from which bits are taken.
    numbers: usize,
    /// Words of each.
    words: usize,
}

/// The mask of a subtraction, of -1 in place of 1; what turns digits around, all ones where n - k is taken in place of k.
pub(super) const MINUS: usize = 0;
const TURNED: usize = 1;

/// The mask of an exchange: whether the bit differs from that before; and whether numbers are exchanged for now, as they are
/// for a 0.
pub(super) const DIFFERS: usize = 0;
pub(super) const EXCHANGED: usize = 1;

/// Of the non-adjacent form: whether there is a digit before this one; whether there is, and this one is not zero, or is;
/// whether it is -1; whether there is a digit up to this one.
pub(super) const DOUBLED: usize = 0;
pub(super) const ADDED: usize = 1;
pub(super) const KEPT: usize = 2;
pub(super) const NEGATIVE: usize = 3;
const STARTED: usize = 4;

/// Of a ladder by branches: whether the bit is 1, or 0, and not above the highest that is 1; whether that was reached.
pub(super) const ONE: usize = 0;
pub(super) const ZERO: usize = 1;
const REACHED: usize = 2;

impl Digits {
    /// 1 and -1 alone.
    pub(super) fn signed(words: usize) -> Self {
        Digits { masks: 2, numbers: 1, words }
    }

    /// The non-adjacent form.
    pub(super) fn non_adjacent(words: usize) -> Self {
        Digits { masks: 5, numbers: 2, words }
    }

    /// Bits, for exchanges.
    pub(super) fn bits(words: usize) -> Self {
        Digits { masks: 2, numbers: 1, words }
    }

    /// Bits, for branches.
    pub(super) fn branches(words: usize) -> Self {
        Digits { masks: 3, numbers: 1, words }
    }

    /// Of so many bits the most that make groups of the same size, in a word of so many.
    pub(super) fn group(all: u32, bits: u32) -> u32 {
        (1..bits).rev().find(|group| all.is_multiple_of(*group)).unwrap_or(1)
    }

    /// Words of the slot.
    pub(super) fn length(self) -> usize {
        self.masks + self.numbers * (1 + self.words)
    }

    /// The words of masks.
    pub(super) fn masks(self) -> std::ops::Range<usize> {
        0..self.masks
    }

    /// Where a word of a number stands.
    pub(super) fn at(self, number: usize, word: usize) -> usize {
        self.masks + self.numbers + number * self.words + word
    }

    /// On to the next word: the highest of each number becomes that from which bits leave.
    pub(super) fn next(self) -> Line {
        let mut line = Line::default();
        for number in 0..self.numbers {
            for word in (0..self.words).rev() {
                let own = load(&mut line, Array::A, self.at(number, word));
                let to = if word + 1 < self.words { self.at(number, word + 1) } else { self.masks + number };
                store(&mut line, own, to);
            }
        }
        line
    }

    /// The mask of the bit that leaves a number's word.
    fn bit(self, line: &mut Line, number: usize) -> Value {
        let own = load(line, Array::A, self.masks + number);
        let moved = line.add(own, Some(own), false, true);
        let mask = line.spread(false);
        store(line, moved, self.masks + number);
        mask
    }

    /// The next digit of 1 and -1 alone.
    pub(super) fn next_sign(self) -> Line {
        let mut line = Line::default();
        let plus = self.bit(&mut line, 0);
        let minus = line.not(plus);
        let turned = load(&mut line, Array::A, TURNED);
        let minus = line.logic(Logic::Xor, minus, turned);
        store(&mut line, minus, MINUS);
        line
    }

    /// The next digit of the non-adjacent form.
    pub(super) fn next_digit(self) -> Line {
        let mut line = Line::default();
        let some = self.bit(&mut line, 0);
        let negative = self.bit(&mut line, 1);
        let before = load(&mut line, Array::A, STARTED);
        let none = line.not(some);
        let added = line.logic(Logic::And, before, some);
        let kept = line.logic(Logic::And, before, none);
        let started = line.logic(Logic::Or, before, some);
        for (word, at) in
            [(before, DOUBLED), (added, ADDED), (kept, KEPT), (negative, NEGATIVE), (started, STARTED)]
        {
            store(&mut line, word, at);
        }
        line
    }

    /// The next bit, for an exchange.
    pub(super) fn next_exchange(self) -> Line {
        let mut line = Line::default();
        let own = load(&mut line, Array::A, self.masks);
        let before = load(&mut line, Array::A, EXCHANGED);
        // a shift gives the bit as it is
        let mut up = Up::new(false);
        let moved = up.word(&mut line, own, false);
        store(&mut line, moved, self.masks);
        let bit = up.mask(&mut line);
        let exchanged = line.not(bit);
        let differs = line.logic(Logic::Xor, exchanged, before);
        store(&mut line, differs, DIFFERS);
        store(&mut line, exchanged, EXCHANGED);
        line
    }

    /// So many bits leave the number, as the highest ones of the word from which they are taken.
    pub(super) fn next_group(self, group: u32) -> Line {
        let mut line = Line::default();
        // from the highest word on, so that a word is read before it is written
        let own = load(&mut line, Array::A, self.at(0, self.words - 1));
        store(&mut line, own, self.masks);
        let mut above = line.shift_up(own, group);
        for word in (0..self.words - 1).rev() {
            let own = load(&mut line, Array::A, self.at(0, word));
            let [low, high] = line.shift(own, group);
            let moved = line.logic(Logic::Or, above, high);
            store(&mut line, moved, self.at(0, word + 1));
            above = low;
        }
        store(&mut line, above, self.at(0, 0));
        line
    }

    /// The next bit of a group, for an exchange for a 1.
    pub(super) fn next_of_group(self, has_carry: bool) -> Line {
        let mut line = Line::default();
        // what is made may be stored at once, so that this must have been read
        let before = load(&mut line, Array::A, EXCHANGED);
        let own = load(&mut line, Array::A, self.masks);
        let mut up = Up::new(has_carry);
        let moved = up.word(&mut line, own, false);
        store(&mut line, moved, self.masks);
        let exchanged = up.mask(&mut line);
        let differs = line.logic(Logic::Xor, exchanged, before);
        store(&mut line, differs, DIFFERS);
        store(&mut line, exchanged, EXCHANGED);
        line
    }

    /// The next bit, for branches.
    pub(super) fn next_branch(self) -> Line {
        let mut line = Line::default();
        let bit = self.bit(&mut line, 0);
        let before = load(&mut line, Array::A, REACHED);
        let none = line.not(bit);
        let zero = line.logic(Logic::And, before, none);
        let reached = line.logic(Logic::Or, before, bit);
        for (word, at) in [(bit, ONE), (zero, ZERO), (reached, REACHED)] {
            store(&mut line, word, at);
        }
        line
    }

    /// The slot before the first bit of k.
    pub(super) fn of_bits(self) -> Line {
        let mut line = Line::default();
        let zero = line.number(0);
        (0..self.masks).for_each(|at| store(&mut line, zero, at));
        for word in 0..self.words {
            let own = load(&mut line, Array::A, word);
            store(&mut line, own, self.at(0, word));
        }
        line
    }

    /// The slot before the digits 1 and -1, for k or n - k, whichever is odd: digit i is 1 where bit i + 1 is, and above
    /// them stands a 1. The mask is that of this first digit.
    pub(super) fn of_signs(self, order: &BigUint, bits: u32) -> Line {
        let mut line = Line::default();
        let low = load(&mut line, Array::A, 0);
        let odd = line.mask(low, 1);
        let odd = line.negate(odd);
        let even = line.not(odd);
        store(&mut line, even, MINUS);
        store(&mut line, even, TURNED);
        let mut others = Vec::new();
        for (word, n) in words(order, bits, self.words).into_iter().enumerate() {
            let k = load(&mut line, Array::A, word);
            let n = line.number(n);
            let other = line.subtract(n, Some(k), word > 0, word + 1 < self.words);
            line.homes.insert(other, rhomb_line::Address { array: Array::Result, index: self.at(0, word) });
            others.push(other);
        }
        for (word, other) in others.iter_mut().enumerate() {
            let k = load(&mut line, Array::A, word);
            *other = picked(&mut line, even, k, *other);
            line.homes.insert(*other, rhomb_line::Address { array: Array::Result, index: self.at(0, word) });
        }
        for word in (0..self.words).rev() {
            let half = line.halve(others[word], word + 1 < self.words, word > 0);
            store(&mut line, half, self.at(0, word));
        }
        line
    }

    /// The slot before the non-adjacent form: of 3k and k a digit is not zero where bits differ, and negative where k alone
    /// has one; digit i belongs to bit i + 1. The digit above those of all words leaves first.
    pub(super) fn of_digits(self) -> Line {
        let mut line = Line::default();
        let zero = line.number(0);
        store(&mut line, zero, STARTED);
        let own: Vec<Value> = (0..self.words).map(|word| load(&mut line, Array::A, word)).collect();
        let (mut double, mut triple) = (Vec::new(), Vec::new());
        for (word, k) in own.iter().enumerate() {
            double.push(line.add(*k, Some(*k), word > 0, true));
        }
        double.push(line.add(zero, None, true, false));
        for word in 0..self.words {
            triple.push(line.add(double[word], Some(own[word]), word > 0, true));
        }
        triple.push(line.add(double[self.words], None, true, false));
        for number in 0..self.numbers {
            for word in (0..=self.words).rev() {
                let k = own.get(word).copied().unwrap_or(zero);
                let t = triple[word];
                let mut digits = line.logic(Logic::Xor, t, k);
                if number == 1 {
                    digits = line.logic(Logic::And, digits, k);
                }
                let moved = line.halve(digits, word < self.words, word > 0);
                if word < self.words {
                    store(&mut line, moved, self.at(number, word));
                } else {
                    let first = line.negate(moved);
                    store(&mut line, first, self.masks + number);
                }
            }
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rhomb_machine::Concrete;

    /// All bits of a number come in turn, and tell whether they differ from those before.
    #[test]
    fn groups_of_bits() {
        assert_eq!([8, 16, 32].map(|bits| Digits::group(255, bits)), [5, 15, 17]);
        let (digits, group) = (Digits::bits(4), 5);
        let number = 0xb3_5a_c7_1eu32;
        let mut slot = vec![0u8; digits.length()];
        slot[digits.at(0, 0)..].copy_from_slice(&number.to_le_bytes());
        let mut before = 0;
        for turn in 0..30 {
            let group = (turn % group == 0).then(|| digits.next_group(group));
            for line in group.into_iter().chain([digits.next_of_group(turn % 2 == 0)]) {
                let mut arrays = [slot.clone(), slot, Vec::new(), Vec::new()];
                rhomb_line::run(&line, &mut Concrete::<u8>::new(), &mut arrays);
                [slot, ..] = arrays;
            }
            let bit = if number >> (31 - turn) & 1 == 1 { 0xff } else { 0 };
            assert_eq!((slot[EXCHANGED], slot[DIFFERS]), (bit, bit ^ before), "{turn}");
            before = bit;
        }
    }
}
