//! Sums in several steps, each with a carry of its own, told as one sum with one carry.

use crate::compare::{bit, is_moved};
use crate::equations::Equations;
use crate::graph::Equation;
use crate::tabulate::{bits_of, evaluate};
use crate::together::opposite;
use crate::value::{Flag, Value};
use rhomb_machine::Domain;
use rhomb_poly::{Polynomial, Variable};

impl Equations {
    /// The sum (or difference) of a word and what bits make 0, 1 or all ones, which is a step up or down: one is added where it is
    /// 1, and taken away where it is all ones. What enters is added (or taken) first; of what leaves both steps the sum leaves the
    /// whole.
    pub(crate) fn stepped(
        &mut self,
        x: &Value,
        step: &Value,
        entering: &Flag,
        is_sum: bool,
    ) -> Option<(Value, Flag)> {
        if self.masks_stay {
            self.masks_added += u32::from(self.is_step(x, step));
            return None;
        }
        if let Flag::Known(false) = entering {
            return self.stepped_alone(x, step, is_sum);
        }
        if !self.compiled || !self.is_step(x, step) {
            return None;
        }
        let zero = Value::Known(0);
        let (word, left) = if is_sum { self.add(x, &zero, entering) } else { self.sub(x, &zero, entering) };
        let (word, right) = self.stepped_alone(&word, step, is_sum)?;
        let (left, right) = (self.bit_polynomial(&left), self.bit_polynomial(&right));
        // both leave one carry at most
        if let (Some(left), Some(right)) = (left.as_variable(), right.as_variable())
            && left != right
        {
            self.graph.exclude(left.min(right), left.max(right));
        }
        let flag = left.plus_multiple(&right, 1)?;
        let flag = if bits_of(&[&flag]).is_some() { self.lean(flag)? } else { flag };
        Some((word, self.flag_of(flag)))
    }

    /// Whether bits make all ones of a step at times.
    fn is_step(&self, x: &Value, step: &Value) -> bool {
        let (Value::Variable(_), Value::Polynomial(step)) = (x, step) else { return false };
        let Some(bits) = bits_of(&[step]) else { return false };
        let ones = self.ones();
        let values = (0..1usize << bits.len()).map(|all| evaluate(step, &bits, all));
        let known: Vec<Option<i64>> = values.collect();
        known.contains(&Some(ones))
            && known.iter().all(|value| matches!(value, Some(0 | 1)) || *value == Some(ones))
    }

    /// The same where nothing enters.
    fn stepped_alone(&mut self, x: &Value, step: &Value, is_sum: bool) -> Option<(Value, Flag)> {
        let (true, Value::Variable(_), Value::Polynomial(step)) = (self.compiled, x, step) else {
            return None;
        };
        let (ones, bits) = (self.ones(), bits_of(&[step])?);
        let values = (0..1usize << bits.len()).map(|all| evaluate(step, &bits, all));
        let values: Vec<i64> = values.collect::<Option<_>>()?;
        if !values.contains(&ones) {
            return None;
        }
        // what a function says of values that bits do not have does not matter, and is gone from these
        let up = self.interpolated(&bits, |all| i64::from(values[all] == 1))?;
        let down = self.interpolated(&bits, |all| i64::from(values[all] == ones))?;
        if self.lean((**step).clone())? != self.lean(up.plus_multiple(&down, ones)?)? {
            return None;
        }
        self.find(Some(()));
        let zero = Value::Known(0);
        let [first, second] = if is_sum { [up, down.clone()] } else { [down.clone(), up] };
        let (raised, carry) = match first.as_constant() {
            Some(0) => (x.clone(), Flag::Known(false)),
            _ => self.add(x, &zero, &self.flag_of(first)),
        };
        let (word, borrow) = match second.as_constant() {
            Some(0) => (raised, Flag::Known(false)),
            _ => self.sub(&raised, &zero, &self.flag_of(second)),
        };
        // x + step = x + up - down + radix * down, x - step = x + down - up - radix * down
        let (carry, borrow) = (self.bit_polynomial(&carry), self.bit_polynomial(&borrow));
        let sign = if is_sum { 1 } else { -1 };
        let flag = down.plus_multiple(&carry, sign)?.plus_multiple(&borrow, -sign)?;
        // what goes down (for a difference: up) by one leaves the word only where it does
        let left = if is_sum { &borrow } else { &carry };
        match (left.as_variable(), down.as_variable(), opposite(&down)) {
            (Some(left), Some(down), _) => self.imply(left, down),
            (Some(left), _, Some(not_down)) if left != not_down => {
                self.graph.exclude(left.min(not_down), left.max(not_down));
            }
            _ => {}
        }
        let flag = if bits_of(&[&flag]).is_some() { self.lean(flag)? } else { flag };
        Some((word, self.flag_of(flag)))
    }

    /// A mask of a bit b less a word y: the radix times b less y and b, so that what is borrowed is what 0 - y - b borrows, but for b.
    /// Where b is what the words below borrowed, that goes on as the borrow of a difference of whole numbers.
    pub(crate) fn mask_less(&mut self, mask: &Value, y: &Value, borrow: &Flag) -> Option<(Value, Flag)> {
        let (Value::Polynomial(_), Value::Variable(word), Flag::Known(false)) = (mask, y, borrow) else {
            return None;
        };
        if !self.compiled || self.masks_stay || word.is_bit() {
            return None;
        }
        let (bit, _) = self.mask_bit(mask).filter(|(_, ones)| *ones == self.ones())?;
        let entering = self.flag_of(bit.clone());
        let (low, whole) = self.sub(&Value::Known(0), y, &entering);
        let whole = self.bit_polynomial(&whole);
        // where the bit is 1, something is borrowed
        if let (Some(bit), Some(whole)) = (bit.as_variable(), whole.as_variable()) {
            self.imply(bit, whole);
        }
        let own = whole.plus_multiple(&bit, -1)?;
        let own = if bits_of(&[&own]).is_some() { self.lean(own)? } else { own };
        self.find(Some(()));
        Some((low, self.flag_of(own)))
    }

    /// A sum (or difference) whose word and carry are known: that of twice a word that was cut, the same as before, or the second
    /// step of one of three.
    pub(crate) fn in_one_form(&mut self, sum: &Polynomial, factor: i64) -> Option<(Value, Flag)> {
        if !self.compiled {
            return None;
        }
        if factor > 0
            && let Some(top) = self.doubled(sum).and_then(|word| self.top_of(word))
        {
            let word = sum.plus_multiple(&Polynomial::variable(top), -factor)?;
            return Some((self.word_of(word), bit(top)));
        }
        if let Some((low, carry)) = self.recent(sum, factor) {
            return Some((Value::Variable(low), bit(carry)));
        }
        // what is the radix more leaves a carry where this borrows nothing
        let moved = sum.plus_multiple(&Polynomial::constant(factor), -1)?;
        if let Some((low, other)) = self.recent(&moved, -factor) {
            let not = Polynomial::constant(1).plus_multiple(&Polynomial::variable(other), -1)?;
            return Some((Value::Variable(low), self.flag_of(not)));
        }
        self.in_one_sum(sum, factor)
    }

    /// What is added (or taken) in two steps, one of them a bit or both constants, as one sum of three with one carry, of which that of the second
    /// step is what that of the first one has not.
    ///
    /// Where the first step took what the second one adds, or the other way round, what leaves the second step is what leaves both,
    /// and what left the first one: `x - y = s - radix * b` and `s + z = t + radix * c` give `x - y + z = t + radix * (c - b)`.
    fn in_one_sum(&mut self, sum: &Polynomial, factor: i64) -> Option<(Value, Flag)> {
        let radix = i128::from(self.radix());
        let lowest = if factor < 0 { -radix } else { 0 };
        let is_bit = |polynomial: &Polynomial| {
            let range = self.graph.range(polynomial);
            range.is_some_and(|(least, most)| least >= -1 && most <= 1 && least < most)
        };
        if let Some((low, second)) = self.compared.again.get(&(sum.clone(), factor)) {
            return Some((Value::Variable(*low), bit(*second)));
        }
        let (whole, before, sign) = sum.terms().iter().find_map(|(product, times)| {
            let [word] = product.variables() else { return None };
            if times.abs() != 1 || word.is_bit() {
                return None;
            }
            let same = self.carry_of(*word, factor * times).map(|(right, before)| (right, before, -1));
            let (right, before, sign) = match same {
                Some(same) => same,
                // the first step has gone the other way, and the second one comes back
                None => self.carry_of(*word, -factor * times).map(|(right, before)| (right, before, 1))?,
            };
            let rest = sum.plus_multiple(&Polynomial::variable(*word), -times)?;
            // a word and what was carried into it: sums of more go on with their own carries
            let bits = right.terms().iter().filter(|(product, own)| {
                own.abs() == 1 && matches!(product.variables(), [bit] if bit.is_bit())
            });
            let has_bit = bits.count() == 1;
            let whole = rest.plus_multiple(&right, *times)?;
            let (least, most) = self.range_over_bits(&whole)?;
            let is_one = least >= lowest && most < lowest + 2 * radix;
            // a constant that no instruction holds is added in parts
            let is_constant = rest.as_constant().is_some() && is_moved(&whole);
            (is_one && (has_bit || is_bit(&rest) || is_constant)).then_some((whole, before, sign))
        })?;
        if let (1, Some(word)) = (sign, self.less_than_itself(&whole)) {
            return Some((word, bit(before)));
        }
        let carry = self.graph.variable(1);
        let low = self.graph.variable(self.ones() as u32);
        self.note_exclusive(&whole, carry, factor);
        self.graph.equate(Equation { low, high: Some((carry, factor)), right: whole });
        // with sign 1 both are not 1 at once: the second step's sum is below twice the radix
        match sign {
            1 => self.graph.exclude(before, carry),
            _ => self.imply(before, carry),
        }
        let second = Polynomial::variable(carry).plus_multiple(&Polynomial::variable(before), sign)?;
        let second = self.bit_of_polynomial(second);
        self.compared.steps.insert(low, (sum.clone(), factor, second));
        self.compared.again.insert((sum.clone(), factor), (low, second));
        self.compared.seconds.insert(second, (sum.clone(), factor));
        Some((Value::Variable(low), bit(second)))
    }

    /// The other side of the equation whose low part a word is, and its high part, a bit with this factor.
    pub(crate) fn carry_of(&self, word: Variable, factor: i64) -> Option<(Polynomial, Variable)> {
        let Equation { high, right, .. } = self.graph.defining_low(word.index())?;
        let (carry, _) = high.filter(|(carry, own)| *own == factor && carry.is_bit())?;
        Some((right.clone(), carry))
    }
}
