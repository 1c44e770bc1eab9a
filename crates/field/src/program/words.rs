//! Small routines of programs as straight lines: numbers that are set, copied, picked and exchanged, and numbers below the
//! modulus. Masks are words of all ones or zero, so that neither branches nor addresses tell which.

use num_bigint::BigUint;
use rhomb_line::{Address, Array, Line, Logic, Value};

pub(super) fn load(line: &mut Line, array: Array, index: usize) -> Value {
    line.load(Address { array, index })
}

pub(super) fn store(line: &mut Line, value: Value, index: usize) {
    line.store(value, Address { array: Array::Result, index });
}

/// The same line with zeros above.
pub(super) fn above(mut line: Line, range: std::ops::Range<usize>) -> Line {
    let zero = line.number(0);
    range.for_each(|index| store(&mut line, zero, index));
    line
}

/// y where the mask is set, x elsewhere.
pub(super) fn picked(line: &mut Line, mask: Value, x: Value, y: Value) -> Value {
    let differ = line.logic(Logic::Xor, x, y);
    let differ = line.logic(Logic::And, differ, mask);
    line.logic(Logic::Xor, differ, x)
}

/// That one of several words whose mask is set, of which `masked` gives each under its mask.
pub(super) fn one_of(
    line: &mut Line,
    masks: &[Value],
    mut masked: impl FnMut(&mut Line, usize, Value) -> Value,
) -> Value {
    let mut sum = None;
    for (entry, mask) in masks.iter().enumerate() {
        let own = masked(line, entry, *mask);
        // of all but one nothing is left
        sum = Some(sum.map_or(own, |sum| line.logic(Logic::Xor, sum, own)));
    }
    sum.unwrap_or_else(|| line.number(0))
}

/// So many words of so many bits of a number, the lowest first; what is above them is left out.
pub fn words(number: &BigUint, bits: u32, count: usize) -> Vec<u64> {
    let ones = u64::MAX >> (64 - bits);
    let word = |at: usize| (number >> (bits as usize * at)).iter_u64_digits().next().unwrap_or(0) & ones;
    (0..count).map(word).collect()
}

/// r = a number.
pub(super) fn constant(number: &BigUint, bits: u32, count: usize) -> Line {
    let mut line = Line::default();
    for (index, word) in words(number, bits, count).into_iter().enumerate() {
        let value = line.number(word);
        store(&mut line, value, index);
    }
    line
}

/// A word of a number whose bytes stand the highest first in a.
pub(super) fn reversed(line: &mut Line, bits: u32, (word, count): (usize, usize)) -> Value {
    let own = load(line, Array::A, count - 1 - word);
    swapped(line, bits, own)
}

/// A word with its bytes in the other order: halves are exchanged, then bytes in each of them.
fn swapped(line: &mut Line, bits: u32, word: Value) -> Value {
    let (mut own, mut places) = (word, bits / 2);
    while places >= 8 {
        let [low, high] = line.shift(own, places);
        let (below, above) = match 2 * places == bits {
            true => (high, low),
            false => {
                // the lower part of each
                let parts =
                    (0..bits / (2 * places)).fold(0, |all, _| all << (2 * places) | ((1u64 << places) - 1));
                let down = line.shift_down(own, bits, places);
                (line.mask(down, parts), line.mask(low, parts << places))
            }
        };
        own = line.logic(Logic::Or, below, above);
        places /= 2;
    }
    own
}

/// r = the number whose bytes stand the highest first in a, or the other way round.
pub(super) fn bytes(bits: u32, count: usize) -> Line {
    let mut line = Line::default();
    for word in 0..count {
        let own = reversed(&mut line, bits, (word, count));
        store(&mut line, own, word);
    }
    line
}

/// A number that moves up by one bit, the lowest word first: by the carry flag, which is faster where there is one, or by shifts.
pub(super) struct Up {
    has_carry: bool,
    is_first: bool,
    /// What left the word below, where it is no carry.
    bit: Option<Value>,
}

impl Up {
    pub(super) fn new(has_carry: bool) -> Self {
        Up { has_carry, is_first: true, bit: None }
    }

    /// The next word; `is_last` where nobody asks for the bit that leaves it.
    pub(super) fn word(&mut self, line: &mut Line, own: Value, is_last: bool) -> Value {
        if self.has_carry {
            let is_first = std::mem::take(&mut self.is_first);
            return line.add(own, Some(own), !is_first, !is_last);
        }
        let [low, high] = line.shift(own, 1);
        let below = self.bit.replace(high);
        below.map_or(low, |below| line.logic(Logic::Or, low, below))
    }

    /// A mask of the bit that left the last word.
    pub(super) fn mask(self, line: &mut Line) -> Value {
        match self.bit {
            Some(bit) => line.negate(bit),
            None => line.spread(false),
        }
    }
}

/// A word: zero less a.
pub(super) fn negative() -> Line {
    let mut line = Line::default();
    let own = load(&mut line, Array::A, 0);
    let own = line.negate(own);
    store(&mut line, own, 0);
    line
}

/// A word: all ones where a is even.
pub(super) fn is_even() -> Line {
    let mut line = Line::default();
    let low = load(&mut line, Array::A, 0);
    let odd = line.mask(low, 1);
    let odd = line.negate(odd);
    let even = line.not(odd);
    store(&mut line, even, 0);
    line
}

/// r = the words of a from one on.
pub(super) fn copy(first: usize, count: usize) -> Line {
    let mut line = Line::default();
    for index in 0..count {
        let word = load(&mut line, Array::A, first + index);
        store(&mut line, word, index);
    }
    line
}

/// Of two numbers one behind the other in a the second, where a word of b is all ones, and else the first.
pub(super) fn pick(mask: usize, count: usize) -> Line {
    let mut line = Line::default();
    let mask = load(&mut line, Array::B, mask);
    for index in 0..count {
        let [x, y] = [index, count + index].map(|index| load(&mut line, Array::A, index));
        let own = picked(&mut line, mask, x, y);
        store(&mut line, own, index);
    }
    line
}

/// The words of b where the word behind a is all ones, and else those of a.
pub(super) fn either(count: usize) -> Line {
    let mut line = Line::default();
    let mask = load(&mut line, Array::A, count);
    for index in 0..count {
        let [x, y] = [Array::A, Array::B].map(|array| load(&mut line, array, index));
        let own = picked(&mut line, mask, x, y);
        store(&mut line, own, index);
    }
    line
}

/// Two numbers one behind the other in a, exchanged where a word of b is all ones.
pub(super) fn exchange(mask: usize, count: usize) -> Line {
    let mut line = Line::default();
    let mask = load(&mut line, Array::B, mask);
    for index in 0..count {
        let [x, y] = [index, count + index].map(|index| load(&mut line, Array::A, index));
        let differ = line.logic(Logic::Xor, x, y);
        let differ = line.logic(Logic::And, differ, mask);
        for (word, at) in [(x, index), (y, count + index)] {
            let own = line.logic(Logic::Xor, word, differ);
            store(&mut line, own, at);
        }
    }
    line
}

/// r = a modulo p, for a < 2p.
pub(super) fn below(p: &BigUint, bits: u32, count: usize) -> Line {
    let mut line = Line::default();
    let mut less = Vec::new();
    for (index, word) in words(p, bits, count).into_iter().enumerate() {
        let a = load(&mut line, Array::A, index);
        let word = line.number(word);
        let own = line.subtract(a, Some(word), index > 0, true);
        line.homes.insert(own, Address { array: Array::Result, index });
        less.push(own);
    }
    let mask = line.spread(true);
    for (index, own) in less.into_iter().enumerate() {
        let a = load(&mut line, Array::A, index);
        let word = picked(&mut line, mask, own, a);
        store(&mut line, word, index);
    }
    line
}

/// r = a modulo a polynomial over GF(2), which has the words of a.
pub(super) fn remainder(polynomial: &BigUint, bits: u32, count: usize) -> Line {
    let mut line = Line::default();
    let mut own: Vec<Value> = (0..count).map(|index| load(&mut line, Array::A, index)).collect();
    let degree = polynomial.bits() - 1;
    for place in (degree..u64::from(bits) * count as u64).rev() {
        let (word, bit) = (place / u64::from(bits), (place % u64::from(bits)) as u32);
        let mut top = own[word as usize];
        if bit > 0 {
            top = line.shift_down(top, bits, bit);
        }
        if bit + 1 < bits {
            top = line.mask(top, 1);
        }
        let mask = line.negate(top);
        let moved = polynomial << (place - degree) as usize;
        for (index, word) in words(&moved, bits, count).into_iter().enumerate().filter(|(_, word)| *word > 0)
        {
            let word = line.mask(mask, word);
            own[index] = line.logic(Logic::Xor, own[index], word);
        }
    }
    own.into_iter().enumerate().for_each(|(index, word)| store(&mut line, word, index));
    line
}

/// A word: all ones where a is zero.
pub(super) fn is_zero(count: usize) -> Line {
    let mut line = Line::default();
    let mut any = load(&mut line, Array::A, 0);
    for index in 1..count {
        let word = load(&mut line, Array::A, index);
        any = line.logic(Logic::Or, any, word);
    }
    let zero = line.number(0);
    line.subtract(zero, Some(any), false, true);
    let some = line.spread(true);
    let none = line.not(some);
    store(&mut line, none, 0);
    line
}
