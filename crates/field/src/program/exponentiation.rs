//! Exponentiation modulo an odd number whose highest bit is set, which is an argument: r = b^e mod n, below n.
//!
//! With Montgomery's products (A. Menezes, P. van Oorschot, S. Vanstone, "Handbook of Applied Cryptography"). An exponent that
//! is an argument is taken by windows of one size (algorithm 14.82). The powers for a window are all read, and masks pick one of
//! them, so that neither branches nor addresses depend on the exponent. One that is public is in the code, bit by bit (algorithm
//! 14.79).

use super::Place;
use super::argument::{Argument, Modulo};
use super::blocks::Products;
use super::words::{copy, load, negative as negative_word, pick, store};
use super::writer::{Called, Routine, Writer};
use crate::reduce::Workspace;
use rhomb_contract::{Contract, Operation};
use rhomb_line::{Array, Line, Logic};

/// The largest window.
pub const MOST_WINDOW: usize = 6;

/// What multiplies, and the exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exponentiation {
    /// Numbers and how they are multiplied.
    pub argument: Argument,
    /// e.
    pub exponent: Exponent,
}

/// The exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exponent {
    /// An argument, taken by windows of so many bits, 1 to [`MOST_WINDOW`].
    Argument {
        /// Bits of a window.
        window: usize,
    },
    /// A public number above 0, in the code.
    Public(u64),
}

/// An operand.
const BASE: Place = Place::Operand(0);

/// The program: operands are b, e where that is an argument, and n. `None` for other windows, and for 0.
pub fn exponentiation(task: &Exponentiation) -> Option<Called> {
    let Exponentiation { argument, exponent } = *task;
    let Argument { words, bits, division, .. } = argument;
    let size = bits * words as u32;
    let is_made = match exponent {
        Exponent::Argument { window } => (1..=MOST_WINDOW.min(bits as usize)).contains(&window),
        Exponent::Public(number) => number > 0,
    };
    if !argument.fits() || !is_made {
        return None;
    }
    let operands = if let Exponent::Argument { .. } = exponent { 3 } else { 2 };
    let modulus = Place::Operand(operands - 1);
    let mut w = Writer::default();
    // what a call returned comes first, where every processor reaches it
    let borrow = w.slot(1);
    let own = Workspace::of(words);
    let workspace = w.slot(own.inverse + division.map_or(1, |own| own.inverse_words()));
    let products = Modulo::new(&mut w, argument, Place::Slot(workspace), true);
    w.line(copy(0, words), Place::Slot(workspace), &[modulus]);
    let inverted = division.filter(|own| own.products == Products::Inverted);
    w.line(negative(words), Place::Part(workspace, own.complement), &[modulus]);
    let inversion = match inverted {
        Some(blocks) => Routine::Called(Box::new(blocks.inversion())),
        None => Routine::Lines(vec![inverse(bits)]),
    };
    let inversion = w.routine(inversion);
    w.call(inversion, Place::Part(workspace, own.inverse), &[modulus]);
    // R modulo n, which stands for 1
    let one = Place::Part(workspace, own.complement);
    let two = Place::Slot(w.slot(words));
    // one behind the other, for what is picked at the end
    let pair = Place::Slot(w.slot(2 * words));
    let [next, now] = [pair, pair.moved(words)];
    // n is above R / 2, so that 2 (R - n) is below R
    w.line(double(words), two, &[one]);
    let square = products.power_of_two(&mut w, (two, now), size);
    let either = w.routine(Routine::Lines(vec![pick(0, words)]));
    match exponent {
        Exponent::Argument { window } => {
            let digits = Digits { words, bits, window };
            digits.power(&mut w, &products, (one, square), (pair, either))?;
            products.divide(&mut w, now, now);
        }
        Exponent::Public(number) => {
            let base = Place::Slot(w.slot(words));
            products.mul(&mut w, base, BASE, square);
            w.line(copy(0, words), now, &[base]);
            products.public_power(&mut w, now, (base, number))?;
        }
    }
    // what is below R is below n once that is subtracted where it can be
    let difference = w.routine(Routine::Kept(Contract::whole(Operation::Sub, size)));
    w.call(difference, next, &[now, modulus]);
    w.take(borrow, 0);
    w.line(negative_word(), Place::Slot(borrow), &[Place::Slot(borrow)]);
    w.call(either, Place::Result, &[pair, Place::Slot(borrow)]);
    Some(w.finish(operands))
}

impl Modulo {
    /// 2^exponent R modulo n, in `to`, where 2 R is there: squares, and doublings.
    fn power_of_two(&self, w: &mut Writer, (two, to): (Place, Place), exponent: u32) -> Place {
        let mut from = two;
        for place in (0..exponent.ilog2()).rev() {
            self.sqr(w, to, from);
            from = to;
            if exponent >> place & 1 == 1 {
                self.mul(w, to, to, two);
            }
        }
        from
    }

    /// b^exponent modulo n, in `now`, where b R is there as well as in `base`.
    fn public_power(&self, w: &mut Writer, now: Place, (base, exponent): (Place, u64)) -> Option<()> {
        let mut left = exponent.ilog2();
        while left > 0 {
            // up to the next bit that is set
            let zeros = (exponent << (64 - left)).leading_zeros().min(left - 1);
            left -= zeros + 1;
            w.repeat(zeros + 1, |w| {
                self.sqr(w, now, now);
                Some(())
            })?;
            match exponent >> left & 1 {
                // b in place of b R takes R away, too
                1 if left == 0 => self.mul(w, now, now, BASE),
                1 => self.mul(w, now, now, base),
                _ => {}
            }
        }
        if exponent == 1 || exponent & 1 == 0 {
            self.divide(w, now, now);
        }
        Some(())
    }
}

/// An exponent by digits of a window's bits.
struct Digits {
    words: usize,
    bits: u32,
    window: usize,
}

impl Digits {
    /// b^e R modulo n, in the second of a pair of numbers, by what picks one; R and R^2 modulo n are given.
    fn power(
        &self,
        w: &mut Writer,
        products: &Modulo,
        (one, square): (Place, Place),
        (pair, pick): (Place, usize),
    ) -> Option<()> {
        let Digits { words, bits, window } = *self;
        let [next, now] = [pair, pair.moved(words)];
        let table = w.slot(words << window);
        let power = |number: usize| Place::Part(table, number * words);
        w.line(copy(0, words), power(0), &[one]);
        products.mul(w, power(1), BASE, square);
        for number in 2..1 << window {
            products.mul(w, power(number), power(number - 1), power(1));
        }
        let state = w.slot(window + words);
        let pairs = (1..window).map(|_| w.slot(2 * words)).collect();
        let choice = Choice { words, window, table, pairs, state, pick };
        w.line(copy(0, words), Place::Part(state, window), &[Place::Operand(1)]);
        let size = bits as usize * words;
        let windows = size.div_ceil(window);
        let first = size - (windows - 1) * window;
        w.line(self.digit(first), Place::Slot(state), &[Place::Slot(state)]);
        choice.pick(w, now);
        w.repeat(windows as u32 - 1, |w| {
            (0..window).for_each(|_| products.sqr(w, now, now));
            w.line(self.digit(window), Place::Slot(state), &[Place::Slot(state)]);
            choice.pick(w, next);
            products.mul(w, now, now, next);
            Some(())
        })
    }

    /// The next digit, of so many bits: a mask for each bit of a window, the highest first, and behind them the exponent moved
    /// up by the digit.
    fn digit(&self, digit: usize) -> Line {
        let mut line = Line::default();
        let Digits { words, bits, window } = *self;
        let at = |word: usize| window + word;
        let top = load(&mut line, Array::A, at(words - 1));
        let missing = window - digit;
        if missing > 0 {
            let zero = line.number(0);
            (0..missing).for_each(|mask| store(&mut line, zero, mask));
        }
        for bit in 0..digit {
            let moved = if bit == 0 { top } else { line.shift_up(top, bit as u32) };
            let mask = line.sign(moved);
            store(&mut line, mask, missing + bit);
        }
        let mut own = top;
        for word in (0..words).rev() {
            let mut moved = line.shift_up(own, digit as u32);
            if word > 0 {
                let below = load(&mut line, Array::A, at(word - 1));
                let entering = line.shift_down(below, bits, bits - digit as u32);
                moved = line.logic(Logic::Or, moved, entering);
                own = below;
            }
            store(&mut line, moved, at(word));
        }
        line
    }
}

/// r = R - a.
fn negative(words: usize) -> Line {
    let mut line = Line::default();
    let zero = line.number(0);
    for index in 0..words {
        let word = load(&mut line, Array::A, index);
        let word = line.subtract(zero, Some(word), index > 0, index + 1 < words);
        store(&mut line, word, index);
    }
    line
}

/// A word: -1/a modulo the base of a word of so many bits.
fn inverse(bits: u32) -> Line {
    let mut line = Line::default();
    // Newton's iteration doubles the right low bits, of which a itself has three
    let own = load(&mut line, Array::A, 0);
    let mut inverse = own;
    let mut right = 3;
    while right < bits {
        let product = line.low(own, inverse);
        let two = line.number(2);
        let rest = line.subtract(two, Some(product), false, false);
        inverse = line.low(inverse, rest);
        right *= 2;
    }
    let inverse = line.negate(inverse);
    store(&mut line, inverse, 0);
    line
}

/// r = 2 a.
fn double(words: usize) -> Line {
    let mut line = Line::default();
    for index in 0..words {
        let word = load(&mut line, Array::A, index);
        let word = line.add(word, Some(word), index > 0, index + 1 < words);
        store(&mut line, word, index);
    }
    line
}

/// A power that masks choose from a table.
struct Choice {
    words: usize,
    window: usize,
    table: usize,
    /// For each bit of the window but the highest, two numbers of which the next higher bit picks one.
    pairs: Vec<usize>,
    state: usize,
    pick: usize,
}

impl Choice {
    fn pick(&self, w: &mut Writer, to: Place) {
        self.of_bits(w, self.window, 0, to);
    }

    /// Power `number` of those that the bits above these have in common, picked by so many bits.
    fn of_bits(&self, w: &mut Writer, bits: usize, number: usize, to: Place) {
        let pair = match bits.checked_sub(2) {
            None => Place::Part(self.table, 2 * number * self.words),
            Some(below) => {
                let pair = self.pairs[below];
                for half in 0..2 {
                    let to = Place::Part(pair, half * self.words);
                    self.of_bits(w, bits - 1, 2 * number + half, to);
                }
                Place::Slot(pair)
            }
        };
        w.call(self.pick, to, &[pair, Place::Part(self.state, self.window - bits)]);
    }
}
