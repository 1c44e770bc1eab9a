//! Negatives of words, and whether these are not zero.

use crate::compare::{RECENT, is_moved_down, is_none_without};
use crate::equations::Equations;
use crate::graph::Equation;
use crate::together::opposite;
use crate::value::Value;
use rhomb_poly::{Polynomial, Variable};

impl Equations {
    /// What is left when a word is taken from zero, and the borrow, which is 1 where the word is not zero.
    pub(crate) fn negative(&mut self, word: Variable) -> [Variable; 2] {
        if let Some(known) = self.compared.negatives.get(&word) {
            return *known;
        }
        if let Some(known) = self.negative_of_combined(word) {
            self.compared.negatives.insert(word, known);
            self.compared.negatives.insert(known[0], [word, known[1]]);
            return known;
        }
        let defined = self.graph.defining_low(word.index()).cloned();
        let known = match self.negative_by_one_less(word) {
            None => self.negative_by_quotient(word, defined.as_ref()),
            known => known,
        };
        if let Some(known) = known {
            self.compared.words.insert(known[1], word);
            self.compared.negatives.insert(word, known);
            self.compared.negatives.insert(known[0], [word, known[1]]);
            return known;
        }
        let radix = self.radix();
        // all ones less a word: what is zero is compared with all ones
        let written = match &defined {
            Some(Equation { high: None, right, .. }) if right.terms().len() == 2 && is_moved_down(right) => {
                right.clone()
            }
            _ => Polynomial::variable(word),
        };
        let right = Polynomial::zero().plus_multiple(&written, -1);
        let known = right.as_ref().and_then(|right| self.recent(right, -radix));
        let (negative, is_not_zero) = known.unwrap_or_else(|| {
            let is_not_zero = self.graph.variable(1);
            let negative = self.graph.variable(self.ones() as u32);
            if let Some(right) = right {
                self.graph.equate(Equation { low: negative, high: Some((is_not_zero, -radix)), right });
            }
            (negative, is_not_zero)
        });
        self.compared.words.insert(is_not_zero, word);
        let recent = self.graph.equations().iter().rev().take(RECENT).filter_map(|equation| {
            let (carry, factor) = equation.high?;
            self.needs(&equation.right, factor, word).filter(|()| carry.is_bit()).map(|()| carry)
        });
        for carry in recent.collect::<Vec<_>>() {
            self.imply(carry, is_not_zero);
        }
        if let Some(Equation { high, right, .. }) = &defined {
            self.note_common(is_not_zero, right);
            // of a sum of bits and words each is zero where it is
            let is_sum = high.is_none() && right.terms().iter().all(|(_, factor)| *factor > 0);
            let bits = right.terms().iter().filter_map(|(product, _)| match product.variables() {
                [bit] if bit.is_bit() && is_sum => Some(*bit),
                _ => None,
            });
            bits.collect::<Vec<_>>().into_iter().for_each(|bit| self.imply(bit, is_not_zero));
        }
        // a difference that is borrowed for is not zero
        if let Some(Equation { high: Some((borrow, factor)), right, .. }) = defined
            && factor == -radix
            && borrow.is_bit()
            && self.graph.range(&right).is_some_and(|(least, _)| least > i128::from(-radix))
        {
            self.note_borrow(is_not_zero, borrow);
            self.imply(borrow, is_not_zero);
        }
        self.compared.negatives.insert(word, [negative, is_not_zero]);
        self.compared.negatives.insert(negative, [word, is_not_zero]);
        if let Some(is_zero) = Polynomial::constant(1).plus_multiple(&Polynomial::variable(is_not_zero), -1) {
            self.compared.zeros.extend([word, negative].map(|own| (own, is_zero.clone())));
        }
        [negative, is_not_zero]
    }

    /// The same where all ones were added to the word before, which leaves a carry where it is not zero.
    fn negative_by_one_less(&mut self, word: Variable) -> Option<[Variable; 2]> {
        let less = Polynomial::variable(word).plus_multiple(&Polynomial::constant(self.ones()), 1)?;
        let (_, is_not_zero) = self.recent(&less, self.radix())?;
        self.negative_where(word, is_not_zero)
    }

    /// The same of words joined by OR, or what two differ in, and where it is known whether it is zero.
    fn negative_of_combined(&mut self, word: Variable) -> Option<[Variable; 2]> {
        let is_known = self.ranking && self.compared.zeros.contains_key(&word);
        if !self.is_combined(word) && !is_known {
            return None;
        }
        let is_zero = self.is_nothing(&Value::Variable(word))?;
        let is_not_zero = self.bit_of_polynomial(Polynomial::constant(1).plus_multiple(&is_zero, -1)?);
        self.negative_where(word, is_not_zero)
    }

    /// The negative of a word of which a bit says that it is not zero, and that bit.
    fn negative_where(&mut self, word: Variable, is_not_zero: Variable) -> Option<[Variable; 2]> {
        let right = Polynomial::zero().plus_multiple(&Polynomial::variable(word), -1)?;
        let right = right.plus_multiple(&Polynomial::variable(is_not_zero), self.radix())?;
        let negative = self.graph.variable(self.ones() as u32);
        self.graph.equate(Equation { low: negative, high: None, right });
        Some([negative, is_not_zero])
    }

    /// A sum of which a word and its negative are terms: both together are the radix where the word is not zero.
    pub(crate) fn without_negatives(&self, sum: &Polynomial) -> Option<Polynomial> {
        let words = sum.terms().iter().filter_map(|(product, times)| match product.variables() {
            [word] if *times == 1 => Some(*word),
            _ => None,
        });
        let words: Vec<Variable> = words.collect();
        let (word, [negative, is_not_zero]) = words.iter().find_map(|word| {
            let known = self.compared.negatives.get(word)?;
            words.contains(&known[0]).then_some((*word, *known))
        })?;
        let rest = sum.plus_multiple(&Polynomial::variable(word), -1)?;
        let rest = rest.plus_multiple(&Polynomial::variable(negative), -1)?;
        rest.plus_multiple(&Polynomial::variable(is_not_zero), self.radix())
    }

    /// Whether the word 1 - x is taken where it does not borrow, and else zero: whether x is zero.
    pub(crate) fn zero_by_one_less(&mut self, borrow: &Polynomial, x: &Value, y: &Value) -> Option<Value> {
        let Value::Known(0) = x else { return None };
        let word = self.polynomial(y)?;
        let Equation { low, high, right } = self.graph.defining_high(borrow.as_variable()?.index())?;
        let compared = opposite(right)?;
        if *word != Polynomial::variable(*low) && *word != *right
            || high.is_none_or(|(_, factor)| factor != -self.radix())
        {
            return None;
        }
        let is_zero = self.is_nothing(&Value::Variable(compared))?;
        Some(self.word_of(is_zero))
    }

    /// Whether a sum leaves a carry (a difference: a borrow) only where a word of it is not zero: without it there is none.
    pub(crate) fn needs(&self, sum: &Polynomial, factor: i64, word: Variable) -> Option<()> {
        let times = sum.terms().iter().find(|(product, _)| product.variables() == [word])?.1;
        let without = sum.plus_multiple(&Polynomial::variable(word), -times)?;
        is_none_without(self, &without, factor).then_some(())
    }
}
