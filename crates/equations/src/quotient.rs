//! Products by numbers that are written into the code, as they are told where such a product is negated or compared: by all ones,
//! and by a number whose product with another one is all ones, as in Montgomery's reduction.

use crate::equations::Equations;
use crate::graph::Equation;
use crate::value::{Flag, Value};
use rhomb_machine::Domain;
use rhomb_poly::{Polynomial, Variable};

impl Equations {
    /// A wide word times all ones: its negative below, and above the word less 1, unless it is zero.
    pub(crate) fn times_ones(&mut self, word: &Value) -> Option<(Value, Value)> {
        if !self.compiled || !self.is_wide() {
            return None;
        }
        let Value::Variable(word) = self.single(word)? else { return None };
        if word.is_bit() {
            return None;
        }
        let (low, is_not_zero) = self.sub(&Value::Known(0), &Value::Variable(word), &Flag::Known(false));
        let is_not_zero = self.bit_polynomial(&is_not_zero);
        let above = Polynomial::variable(word).plus_multiple(&is_not_zero, -1)?;
        self.find(Some(()));
        if let Some(high) = self.defined.get(&above) {
            return Some((low, Value::Variable(*high)));
        }
        // no product of two words has all ones above
        let high = self.graph.variable(self.ones() as u32 - 1);
        self.defined.insert(above.clone(), high);
        self.graph.equate(Equation { low: high, high: None, right: above });
        Some((low, Value::Variable(high)))
    }

    /// What is left when a word `x` is taken from zero, and whether it is not zero, where the low word `q` of `x` times a number
    /// was made: with the number's negative inverse `c`, the low word of `q * c` is the negative of `x`, and `x` and it are
    /// together the radix where `x` is not zero, and else nothing.
    pub(crate) fn negative_by_quotient(
        &mut self,
        word: Variable,
        defined: Option<&Equation>,
    ) -> Option<[Variable; 2]> {
        // the product of a quotient and the modulus is no quotient
        let is_multiple = |equation: &Equation| {
            let [(product, factor)] = equation.right.terms() else { return false };
            *factor > 1 && product.variables().len() == 1
        };
        if !self.compiled || !self.is_wide() || word.is_bit() || defined.is_none_or(is_multiple) {
            return None;
        }
        let (factor, [quotient, _]) = self.multiple(word)?;
        let inverse = negative_inverse(factor, self.bits)?;
        let (negative, _) = self.mul(&Value::Variable(quotient), &Value::Known(inverse));
        let Value::Variable(negative) = negative else { return None };
        let sum = Polynomial::variable(word).plus_multiple(&Polynomial::variable(negative), 1)?;
        let is_not_zero = self.graph.variable(1);
        let nothing = self.graph.variable(self.ones() as u32);
        self.graph.equate(Equation { low: nothing, high: Some((is_not_zero, self.radix())), right: sum });
        self.find(Some(()));
        Some([negative, is_not_zero])
    }

    /// An odd number, but for 1 and all ones, and the words of its product with a word, where that was made.
    fn multiple(&self, word: Variable) -> Option<(u64, [Variable; 2])> {
        let recent = self.graph.equations().iter().rev().take(RECENT);
        recent.into_iter().find_map(|equation| {
            let [(product, factor)] = equation.right.terms() else { return None };
            let is_odd = *factor > 1 && factor % 2 == 1 && *factor < self.ones();
            let high = equation.high.filter(|(_, by)| *by == self.radix())?.0;
            (is_odd && product.variables() == [word]).then_some((*factor as u64, [equation.low, high]))
        })
    }
}

/// How many equations back a product is looked for.
const RECENT: usize = 64;

/// -1 divided by an odd number, modulo 2 to the power of bits, by Newton's iteration.
fn negative_inverse(number: u64, bits: u32) -> Option<u64> {
    let mut inverse = 1u64;
    for _ in 0..6 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(number.wrapping_mul(inverse)));
    }
    let negative = inverse.wrapping_neg() & (u64::MAX >> (64 - bits));
    (number.wrapping_mul(negative).wrapping_add(1).trailing_zeros() >= bits).then_some(negative)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As in Montgomery's reduction, whose lowest word is 0: its carry is told by whether the word was zero.
    #[test]
    fn a_word_and_its_quotients_multiple_are_one_sum() {
        let (modulus, inverse) = (0xffff_ffc5, negative_inverse(0xffff_ffc5, 32).unwrap());
        assert_eq!((modulus * inverse) as u32, u32::MAX);
        for late in [false, true] {
            let mut domain = Equations::new(32).compiled();
            let (x, y) = (domain.input(), domain.input());
            let (word, _) = domain.mul(&x, &y);
            let none = domain.bit(false);
            let zero = domain.word(0);
            let [modulus, inverse] = [modulus, inverse].map(|number| domain.word(number));
            let (quotient, _) = domain.mul(&word, &inverse);
            let early = if late { Some(domain.mul(&quotient, &modulus)) } else { None };
            let (negative, not_zero) = domain.sub(&zero, &word, &none);
            let (low, _) = early.unwrap_or_else(|| domain.mul(&quotient, &modulus));
            assert_eq!(negative, low);
            let not_zero = domain.bit_polynomial(&not_zero).as_variable().unwrap();
            let equation = domain.graph.defining_high(not_zero.index()).unwrap();
            let sum = domain.polynomial(&word).unwrap().plus_multiple(&domain.polynomial(&low).unwrap(), 1);
            assert_eq!(Some(&equation.right), sum.as_ref());
        }
        // of another number nothing is told
        let mut domain = Equations::new(32).compiled();
        let (x, y) = (domain.input(), domain.input());
        let (word, _) = domain.mul(&x, &y);
        let [zero, modulus, other] = [0, modulus, inverse + 2].map(|number| domain.word(number));
        let none = domain.bit(false);
        let (quotient, _) = domain.mul(&word, &other);
        let (low, _) = domain.mul(&quotient, &modulus);
        let (negative, _) = domain.sub(&zero, &word, &none);
        assert_ne!(negative, low);
    }

    #[test]
    fn a_word_times_all_ones_is_its_negative_and_one_less() {
        let mut domain = Equations::new(32).compiled();
        let x = domain.input();
        let (zero, ones, none) = (domain.word(0), domain.word(u64::MAX), domain.bit(false));
        let (low, high) = domain.mul(&x, &ones);
        let (negative, not_zero) = domain.sub(&zero, &x, &none);
        assert_eq!(low, negative);
        let Value::Variable(high) = high else { panic!("{high:?}") };
        let less = domain.polynomial(&x).unwrap().plus_multiple(&domain.bit_polynomial(&not_zero), -1);
        assert_eq!(Some(&domain.graph.defining_low(high.index()).unwrap().right), less.as_ref());
        assert_eq!(domain.graph.most(high), i64::from(u32::MAX) - 1);
    }
}
