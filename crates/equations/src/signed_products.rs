//! Products of words that stand for signed numbers, and what such numbers are multiplied by in shifts: limbs that are below zero at times.

use crate::equations::Equations;
use crate::graph::Equation;
use crate::value::{Bitwise, Flag, Value};
use rhomb_poly::Polynomial;
use std::collections::HashMap;

/// The words of products of signed numbers, by the products.
#[derive(Clone, Debug, Default)]
pub(crate) struct SignedProducts(HashMap<Polynomial, SignedProduct>);

/// The words of a product of signed numbers.
#[derive(Clone, Debug)]
pub(crate) struct SignedProduct {
    /// The lower one.
    pub(crate) low: Value,
    /// The higher one.
    pub(crate) high: Value,
    /// The signed number for which the higher one stands.
    above: Polynomial,
}

/// Products are smaller, by their bits.
const MOST_BITS: u32 = 62;

impl Equations {
    /// Whether numbers below zero are limbs, of which more is told.
    pub(crate) fn tells_limbs(&self) -> bool {
        self.signed_limbs && self.compiled && self.is_wide()
    }

    /// The number that a word stands for, with its range, where it is a signed one or has no sign; and whether it is a signed one.
    fn signed_number(&self, value: &Value) -> Option<(Polynomial, bool)> {
        if let Value::Known(known) = value {
            let below = if *known > self.ones() as u64 / 2 { self.radix() } else { 0 };
            return Some((Polynomial::constant(*known as i64 - below), false));
        }
        if let Some(number) = self.number_of(value) {
            return Some((number, true));
        }
        let own = self.polynomial(value)?;
        let (least, most) = self.graph.range(&own)?;
        (least >= 0 && most <= (self.ones() / 2).into()).then(|| ((*own).clone(), false))
    }

    /// The product of two words as signed ones, where one stands for a signed number.
    pub(crate) fn product_of_signed(&mut self, x: &Value, y: &Value) -> Option<SignedProduct> {
        if !self.tells_limbs() {
            return None;
        }
        let ((x, x_signed), (y, y_signed)) = (self.signed_number(x)?, self.signed_number(y)?);
        if !x_signed && !y_signed {
            return None;
        }
        let product = x.times(&y)?;
        if let Some(known) = self.signed_products.0.get(&product) {
            return Some(known.clone());
        }
        let (first, second) = (self.range_over_bits(&x)?, self.range_over_bits(&y)?);
        let ends = [first.0 * second.0, first.0 * second.1, first.1 * second.0, first.1 * second.1];
        let (least, most) = (*ends.iter().min()?, *ends.iter().max()?);
        let least = if x == y { 0 } else { least };
        if least < -1 << MOST_BITS || most >= 1 << MOST_BITS {
            return None;
        }
        let words = self.words_of_number(product.clone(), (least, most))?;
        self.find(Some(()));
        self.signed_products.0.insert(product, words.clone());
        Some(words)
    }

    /// The high word of a product of unsigned words, where one of them is known and the other one stands for a signed number: from that of
    /// the signed product. Nobody asks for another one.
    pub(crate) fn unsigned_above(&mut self, factors: [&Value; 2], product: &SignedProduct) -> Option<Value> {
        let (word, known) = match factors {
            [word, Value::Known(known)] | [Value::Known(known), word] => (word, *known),
            _ => return None,
        };
        if known == 0 || known > self.ones() as u64 / 2 {
            return None;
        }
        // a word that is below zero counts the radix more
        let right = product.above.plus_multiple(&self.sign_of(word)?, known as i64)?;
        let above = self.graph.variable(known as u32 - 1);
        self.graph.equate(Equation { low: above, high: None, right });
        Some(Value::Variable(above))
    }

    /// The two words of a number in this range, the higher one with the sign.
    fn words_of_number(&mut self, number: Polynomial, (least, most): (i128, i128)) -> Option<SignedProduct> {
        let half = i128::from(self.radix() / 2);
        if least >= 0 && most < half {
            let low = self.graph.variable(most as u32);
            self.graph.equate(Equation { low, high: None, right: number });
            let (low, above) = (Value::Variable(low), Polynomial::zero());
            return Some(SignedProduct { low, high: Value::Known(0), above });
        }
        if least >= -half && most < half {
            let (low, is_negative) = self.word_of_number(&number);
            let of_signs =
                |factor: i64| Polynomial::zero().plus_multiple(&Polynomial::variable(is_negative), factor);
            let (low, above) = (Value::Variable(low), of_signs(-1)?);
            return Some(SignedProduct { low, high: self.word_of(of_signs(self.ones())?), above });
        }
        let (least, most) = ((least >> self.bits) as i64, (most >> self.bits) as i64);
        let right = number.plus_multiple(&Polynomial::constant(-least), self.radix())?;
        let above = self.graph.variable((most - least) as u32);
        let low = self.graph.variable(self.ones() as u32);
        self.graph.equate(Equation { low, high: Some((above, self.radix())), right });
        let above = Polynomial::constant(least).plus_multiple(&Polynomial::variable(above), 1)?;
        let high = match self.is_negative_at_times(&above) {
            true => Value::Variable(self.word_of_number(&above).0),
            false => self.word_of(above.clone()),
        };
        Some(SignedProduct { low: Value::Variable(low), high, above })
    }

    /// A word that stands for a signed number, moved up, where it still does: with what leaves it, which is nothing but signs.
    pub(crate) fn signed_moved(&mut self, x: &Value, places: u32) -> Option<(Value, Value)> {
        if !self.tells_limbs() {
            return None;
        }
        let number = self.number_of(x)?;
        let moved = Polynomial::zero().plus_multiple(&number, 1 << places)?;
        let (least, most) = self.range_over_bits(&moved)?;
        let half = i128::from(self.radix() / 2);
        if least < -half || most >= half {
            return None;
        }
        let (low, is_negative) = self.word_of_number(&moved);
        let signs =
            Polynomial::zero().plus_multiple(&Polynomial::variable(is_negative), (1 << places) - 1)?;
        self.find(Some(()));
        Some((Value::Variable(low), self.word_of(signs)))
    }

    /// `x op y` of a word that stands for a signed number, a multiple of a power of two, and one that is below that: their sum.
    pub(crate) fn signed_joined(&mut self, x: &Value, y: &Value, operation: Bitwise) -> Option<Value> {
        if !self.tells_limbs() {
            return None;
        }
        let joined = |own: &Self, x: &Value, y: &Value| {
            let (number, below) = (own.number_of(x)?, own.polynomial(y)?);
            let zeros = number.terms().iter().map(|(_, factor)| factor.trailing_zeros()).min()?;
            let (least, most) = own.graph.range(&below)?;
            let sum = number.plus_multiple(&below, 1)?;
            (least >= 0 && most < 1 << zeros && own.is_negative_at_times(&sum)).then_some(sum)
        };
        let sum = joined(self, x, y).or_else(|| joined(self, y, x))?;
        self.find(Some(()));
        Some(match operation {
            Bitwise::And => Value::Known(0),
            Bitwise::Or | Bitwise::Xor => Value::Variable(self.word_of_number(&sum).0),
        })
    }

    /// `x - 2^place * t`, where t is what is above the place of a sum of x and a constant: what is below it, less the constant.
    pub(crate) fn rest_of_rounded(&mut self, x: &Value, y: &Value, borrow: &Flag) -> Option<(Value, Flag)> {
        let Flag::Known(false) = borrow else { return None };
        if !self.tells_limbs() {
            return None;
        }
        let (x, y) = (self.polynomial(x)?, self.polynomial(y)?);
        let y = self.with_cuts_undone((*y).clone());
        let [(product, factor)] = y.terms() else { return None };
        let [above] = product.variables() else { return None };
        let cut = self.graph.defining_high(above.index())?;
        let sum = cut.right.as_variable().filter(|_| cut.high == Some((*above, *factor)))?;
        let low = Polynomial::variable(cut.low);
        let equation = self.graph.defining_low(sum.index())?;
        let (carry, radix) = equation.high.filter(|(_, radix)| *radix == self.radix())?;
        let constant = equation.right.plus_multiple(&x, -1)?.as_constant()?;
        // x = sum - constant + radix * carry
        let number = low.plus_multiple(&Polynomial::constant(constant), -1)?;
        let (least, most) = self.graph.range(&number)?;
        let half = i128::from(radix / 2);
        if least >= 0 || least < -half || most >= half {
            return None;
        }
        let (word, is_negative) = self.word_of_number(&number);
        let borrow = Polynomial::variable(is_negative).plus_multiple(&Polynomial::variable(carry), -1)?;
        self.find(Some(()));
        let borrow = Polynomial::variable(self.bit_of_polynomial(borrow));
        Some((Value::Variable(word), self.flag_of(borrow)))
    }
}
