//! Sums with words written out by what they were made of without a carry: some are shorter then, and differences have one sign.

use crate::equations::Equations;
use crate::value::{Flag, Value};
use rhomb_machine::Domain;
use rhomb_poly::{Monomial, Polynomial};

/// Most terms of a difference in which sums are written out.
const MOST_WRITTEN: usize = 4;

impl Equations {
    /// A word less the bit that says that it is not zero: it is at least 1 there.
    pub(crate) fn less_than_itself(&mut self, sum: &Polynomial) -> Option<Value> {
        let [(word, 1), (one, -1)] = sum.terms() else { return None };
        let ([word], [one]) = (word.variables(), one.variables()) else { return None };
        if !self.compiled || self.word_not_zero(*one) != Some(*word) {
            return None;
        }
        let most = self.ones() - 1;
        let word = self.define_within(sum.clone(), most);
        self.find(Some(word))
    }

    /// A sum with words written out that were made of others without a carry, as long as that makes it shorter.
    pub(crate) fn written_shorter(&self, sum: Polynomial) -> Polynomial {
        let mut sum = sum;
        loop {
            let written = |(product, factor): &(Monomial, i64)| {
                let [word] = product.variables() else { return None };
                let equation = self.graph.defining_low(word.index())?;
                let right = Some(&equation.right).filter(|_| equation.high.is_none() && !word.is_bit())?;
                let change = right.plus_multiple(&Polynomial::variable(*word), -1)?;
                sum.plus_multiple(&change, *factor).filter(|own| own.terms().len() < sum.terms().len())
            };
            match sum.terms().iter().find_map(written) {
                Some(shorter) => sum = shorter,
                None => return sum,
            }
        }
    }

    /// A difference of two words of which one is a sum without a carry that the other one stands in: it is never below zero, or never above,
    /// and then the negative of what the one is more.
    pub(crate) fn one_way(&mut self, sum: &Polynomial, negative: bool) -> Option<(Value, Flag)> {
        let radix = i128::from(self.radix());
        let [(x, own), (y, other)] = sum.terms() else { return None };
        let ([_], [_]) = (x.variables(), y.variables()) else { return None };
        // a word may be a multiple of another one
        if !self.compiled || !negative || *own < 1 || *other > -1 {
            return None;
        }
        // the youngest word is written out, as it may be the sum
        let mut next = Some(sum.clone());
        let written = std::iter::from_fn(|| {
            let told = next.take()?;
            let words = told.terms().iter().filter_map(|(own, factor)| match own.variables() {
                [word] if !word.is_bit() => {
                    let equation = self.graph.defining_low(word.index()).filter(|own| own.high.is_none())?;
                    Some((*word, *factor, &equation.right))
                }
                _ => None,
            });
            let (word, factor, right) = words.max_by_key(|(word, ..)| word.index())?;
            let change = right.plus_multiple(&Polynomial::variable(word), -1)?;
            let told = told.plus_multiple(&change, factor).filter(|own| own.terms().len() <= MOST_WRITTEN)?;
            next = Some(told.clone());
            Some(told)
        });
        let difference = written.take(MOST_WRITTEN).find_map(|told| {
            let (least, most) = self.graph.range(&told)?;
            (least > -radix && most < radix && (least >= 0 || most <= 0)).then_some((told, least >= 0))
        });
        let (told, is_above) = self.find(difference)?;
        if is_above {
            return Some((self.word_of(sum.clone()), Flag::Known(false)));
        }
        let more = Polynomial::zero().plus_multiple(&told, -1)?;
        let more = self.word_of(more);
        Some(self.sub(&Value::Known(0), &more, &Flag::Known(false)))
    }
}
