//! Exponentiation modulo an odd number whose highest bit is set, which is an argument: r = b^e mod n, below n.
//!
//! With Montgomery's products (A. Menezes, P. van Oorschot, S. Vanstone, "Handbook of Applied Cryptography"). An exponent that
//! is an argument is taken by windows of one size (algorithm 14.82). The powers for a window are all read, and masks pick one of
//! them, so that neither branches nor addresses depend on the exponent. One that is public is in the code, bit by bit (algorithm
//! 14.79).

use super::Place;
use super::argument::{Argument, Modulo};
use super::odd::Odd;
use super::words::{copy, load, store};
use super::writer::{Called, Writer};
use rhomb_line::{Array, Line, Logic};

/// The largest window.
pub const MOST_WINDOW: usize = 6;

/// What multiplies, the base and the exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exponentiation {
    /// Numbers and how they are multiplied.
    pub argument: Argument,
    /// Whether b has twice the words of n.
    pub is_double: bool,
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

/// The program: operands are b, e where that is an argument, and n. `None` for other windows, and for 0.
pub fn exponentiation(task: &Exponentiation) -> Option<Called> {
    let Exponentiation { argument, is_double, exponent } = *task;
    let Argument { words, bits, .. } = argument;
    let is_made = match exponent {
        Exponent::Argument { window } => (1..=MOST_WINDOW.min(bits as usize)).contains(&window),
        Exponent::Public(number) => number > 0,
    };
    if !argument.fits() || !is_made {
        return None;
    }
    let operands = if let Exponent::Argument { .. } = exponent { 3 } else { 2 };
    let mut w = Writer::default();
    let odd = Odd::new(&mut w, argument, Place::Operand(operands - 1));
    let products = &odd.products;
    let base = match is_double {
        false => Place::Operand(0),
        true => {
            // b / R, and then b
            let base = Place::Slot(w.slot(words));
            products.reduce(&mut w, base, Place::Operand(0));
            products.mul(&mut w, base, base, odd.square);
            base
        }
    };
    match exponent {
        Exponent::Argument { window } => {
            Digits { words, bits, window }.power(&mut w, &odd, base)?;
            products.divide(&mut w, odd.now(), odd.now());
        }
        Exponent::Public(number) => {
            let in_form = Place::Slot(w.slot(words));
            products.mul(&mut w, in_form, base, odd.square);
            w.line(copy(0, words), odd.now(), &[in_form]);
            products.public_power(&mut w, odd.now(), [base, in_form], number)?;
        }
    }
    odd.below(&mut w, Place::Result);
    Some(w.finish(operands))
}

impl Modulo {
    /// b^exponent modulo n, in `now`, where b R is there; b and b R are given.
    fn public_power(
        &self,
        w: &mut Writer,
        now: Place,
        [base, in_form]: [Place; 2],
        exponent: u64,
    ) -> Option<()> {
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
                1 if left == 0 => self.mul(w, now, now, base),
                1 => self.mul(w, now, now, in_form),
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
    /// b^e R modulo n, in the number that is brought below n at the end.
    fn power(&self, w: &mut Writer, odd: &Odd, base: Place) -> Option<()> {
        let Digits { words, bits, window } = *self;
        let Odd { products, pair, either, .. } = odd;
        let [next, now] = [*pair, odd.now()];
        let table = w.slot(words << window);
        let power = |number: usize| Place::Part(table, number * words);
        w.line(copy(0, words), power(0), &[odd.one]);
        products.mul(w, power(1), base, odd.square);
        for number in 2..1 << window {
            products.mul(w, power(number), power(number - 1), power(1));
        }
        let state = w.slot(window + words);
        let pairs = (1..window).map(|_| w.slot(2 * words)).collect();
        let choice = Choice { words, window, table, pairs, state, pick: *either };
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
