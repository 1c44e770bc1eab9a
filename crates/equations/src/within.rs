//! What words are where a bit has a value: on the side of a choice on which they are asked for.

use crate::equations::Equations;
use crate::graph::Equation;
use crate::tabulate::bits_of;
use crate::together::opposite;
use crate::value::Value;
use rhomb_poly::{Polynomial, Variable};
use std::collections::HashMap;

/// Most words that are written out to tell one.
const MOST_WORDS: usize = 64;

/// Most terms of a word that is looked into.
const MOST_TERMS: usize = 8;

/// What words were told as already, on one side.
type Known = HashMap<Variable, Option<Polynomial>>;

impl Equations {
    /// A word where a bit has a value: one of two, if the bit chose it; nothing, if the bit says that it is zero; and what is made
    /// of such words.
    pub(crate) fn chosen_where(&mut self, bit: &Polynomial, word: &Value, is_set: bool) -> Value {
        if let Value::Variable(variable) = word {
            if self.says_not_zero(bit, *variable, is_set) {
                return Value::Known(0);
            }
            if let Some((by, x, y)) = self.selected.get(variable) {
                let not = || Polynomial::constant(1).plus_multiple(bit, -1);
                match (**by == *bit, not().as_ref() == Some(&**by)) {
                    (true, _) => return if is_set { x } else { y }.clone(),
                    (_, true) => return if is_set { y } else { x }.clone(),
                    _ => {}
                }
            }
        }
        let polynomial = match word {
            Value::Polynomial(polynomial) if self.compiled => (**polynomial).clone(),
            Value::Variable(variable) if self.compiled && !variable.is_bit() => {
                Polynomial::variable(*variable)
            }
            _ => return word.clone(),
        };
        match self.told_where((bit, is_set), &polynomial, &mut HashMap::new()) {
            Some(told) => self.word_of(told),
            None => word.clone(),
        }
    }

    /// A polynomial where a bit has a value, if it is a number, a word or a function of bits there.
    fn told_where(
        &mut self,
        side: (&Polynomial, bool),
        polynomial: &Polynomial,
        known: &mut Known,
    ) -> Option<Polynomial> {
        let all = self.sum_where(side, polynomial, known)?;
        if all.as_variable().is_some() {
            return Some(all);
        }
        bits_of(&[&all])?;
        let (least, most) = self.range_over_bits(&all).filter(|(least, _)| *least >= 0)?;
        match most {
            // a bit that is made of many is one for those who ask for it next
            1 if least == 0 && all.variables().len() > 2 => {
                Some(Polynomial::variable(self.bit_of_polynomial(all)))
            }
            most => (most <= self.ones().into()).then_some(all),
        }
    }

    /// A polynomial where a bit has a value, if it is another one there.
    fn sum_where(
        &mut self,
        side: (&Polynomial, bool),
        polynomial: &Polynomial,
        known: &mut Known,
    ) -> Option<Polynomial> {
        let (bit, is_set) = side;
        let (own, value) = match (bit.as_variable(), opposite(bit)) {
            (Some(own), _) => (Some(own), i64::from(is_set)),
            (_, own) => (own, i64::from(!is_set)),
        };
        let mut all = Polynomial::zero();
        let mut is_changed = false;
        for (product, factor) in polynomial.terms() {
            let mut term = Polynomial::constant(*factor);
            for variable in product.variables() {
                let told = match *variable {
                    variable if Some(variable) == own => Some(Polynomial::constant(value)),
                    word if self.says_not_zero(bit, word, is_set) => Some(Polynomial::zero()),
                    own => self.defined_where(side, own, known),
                };
                is_changed |= told.is_some();
                term = term.times(&told.unwrap_or_else(|| Polynomial::variable(*variable)))?;
            }
            all = all.plus_multiple(&term, 1)?;
        }
        is_changed.then_some(all)
    }

    /// The same of what was made of others without a carry; and of the word, or the carry, that a sum left which is a number there.
    fn defined_where(
        &mut self,
        side: (&Polynomial, bool),
        own: Variable,
        known: &mut Known,
    ) -> Option<Polynomial> {
        if let Some(told) = known.get(&own) {
            return told.clone();
        }
        let carry = self.graph.defining_high(own.index());
        let Equation { high, right, .. } = carry.or_else(|| self.graph.defining_low(own.index()))?;
        let (high, right, is_carry) = (*high, right.clone(), carry.is_some());
        if right.terms().len() > MOST_TERMS || known.len() >= MOST_WORDS {
            return None;
        }
        known.insert(own, None);
        let told = match high {
            None => self.told_where(side, &right, known),
            Some((_, radix)) if radix.abs() == self.radix() => {
                let sum = self.sum_where(side, &right, known)?.as_constant()?;
                let low = sum.rem_euclid(self.radix());
                Some(Polynomial::constant(if is_carry { (sum - low) / radix } else { low }))
            }
            Some(_) => None,
        };
        known.insert(own, told.clone());
        told
    }

    /// `bit ? x : y`, where one of them is 0, and so is the other one there: what is left when a word is taken from zero, by the bit that it
    /// borrows.
    pub(crate) fn same_where_zero(&self, bit: &Polynomial, x: &Value, y: &Value) -> Option<Value> {
        if !self.compiled {
            return None;
        }
        let (word, borrow) = match (x, y) {
            (Value::Variable(word), Value::Known(0)) => (word, bit.as_variable()?),
            (Value::Known(0), Value::Variable(word)) => (word, opposite(bit)?),
            _ => return None,
        };
        // word - radix * borrow is the negative of a word
        let Equation { high: Some((high, factor)), right, .. } = self.graph.defining_low(word.index())?
        else {
            return None;
        };
        let (_, most) = self.graph.range(right)?;
        (*high == borrow && *factor < 0 && most <= 0).then_some(Value::Variable(*word))
    }
}
