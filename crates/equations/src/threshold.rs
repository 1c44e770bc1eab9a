//! Words that are compared with a constant in several ways: `x - 5` borrows where `x + (2^w - 5)` leaves no carry, and where `4 - x` does not.

use crate::equations::Equations;
use crate::value::{Flag, Value};
use rhomb_poly::{Monomial, Polynomial, Variable};

impl Equations {
    /// The word and the number below which it is where what leaves a sum with a constant is this value: `word + radix * carry` is the sum
    /// (or `word - radix * borrow`), by the sign of the factor.
    pub(crate) fn threshold(&self, sum: &Polynomial, factor: i64) -> Option<((Variable, i64), bool)> {
        let is_word = |product: &Monomial| matches!(product.variables(), [word] if !word.is_bit());
        let (constant, (word, sign)) = match sum.terms() {
            [(one, constant), (word, sign)] if one.variables().is_empty() && is_word(word) => {
                (*constant, (word.variables()[0], *sign))
            }
            [(word, sign)] if is_word(word) => (0, (word.variables()[0], *sign)),
            _ => return None,
        };
        let radix = self.radix();
        if factor.abs() != radix {
            return None;
        }
        match (sign, factor == radix) {
            (1, true) => Some(((word, radix - constant), false)),
            (-1, true) => Some(((word, constant - radix + 1), true)),
            (1, false) => Some(((word, -constant), true)),
            (-1, false) => Some(((word, constant + 1), false)),
            _ => None,
        }
    }

    /// What leaves a sum of a word and a constant, where the word was compared with the same number in another way.
    pub(crate) fn below_known(&mut self, sum: &Polynomial, factor: i64) -> Option<(Value, Flag)> {
        let (key, value) = self.threshold(sum, factor)?;
        let known = self.compared.below.get(&key).copied();
        let (bit, told) = self.find(known)?;
        let left = match value == told {
            true => Polynomial::variable(bit),
            false => Polynomial::constant(1).plus_multiple(&Polynomial::variable(bit), -1)?,
        };
        let word = sum.plus_multiple(&left, -factor)?;
        Some((self.word_of(word), self.flag_of(left)))
    }

    /// Notes what left a sum of a word and a constant.
    pub(crate) fn note_below(&mut self, sum: &Polynomial, carry: Variable, factor: i64) {
        if let Some((key, value)) = self.threshold(sum, factor) {
            self.compared.below.entry(key).or_insert((carry, value));
        }
    }
}
