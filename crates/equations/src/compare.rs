//! Carries and borrows that are read back by comparison, on processors without a carry flag and in compiled code: `x + y < y`,
//! `x < y` after `x - y`, `x < x - y`, `y - x` after `x - y`, a word compared with zero.

use crate::equations::Equations;
use crate::graph::Equation;
use crate::tabulate::{bits_of, evaluate};
use crate::together::opposite;
use crate::value::{Flag, Value};
use rhomb_machine::Domain;
use rhomb_poly::{Monomial, Polynomial, Variable};
use std::collections::HashMap;
use std::rc::Rc;

/// How many equations back a difference is looked for.
const RECENT: usize = 64;
/// The same in compiled code, which compares numbers of many words after they were made.
const RECENT_OF_COMPILED: usize = 1024;

/// Most words of which a sum is compared with one of its terms.
const MOST_COMPARED: usize = 8;

/// Most bits over whose values a range is looked for.
const MOST_BITS_OF_RANGE: usize = 4;

/// Most sums that one word is looked at as.
const MOST_SUMS: usize = 4;

/// What comparisons have told.
#[derive(Clone, Debug, Default)]
pub(crate) struct Compared {
    /// For a word, what is left when it is taken from zero, and the borrow, which is 1 where it is not zero.
    negatives: HashMap<Variable, [Variable; 2]>,
    /// By the bit that says that a word is not zero, that word.
    words: HashMap<Variable, Variable>,
    /// Of words that were compared with zero, whether they are.
    zeros: HashMap<Variable, Polynomial>,
    /// What a word of a sum has more than the word that something was added to, by `u - d`.
    unequal: HashMap<Variable, Unequal>,
    /// For the low part of a sum that was made in two steps, the second step and its carry.
    steps: HashMap<Variable, (Polynomial, i64, Variable)>,
    /// Whether words are all zero, by what says of each that it is not.
    all_zero: HashMap<Vec<Variable>, Variable>,
    /// The low part and the carry for a second step.
    again: HashMap<(Polynomial, i64), (Variable, Variable)>,
    /// For a word that was told as the negative of another one, the difference that it is, with its borrow.
    told: HashMap<Variable, (Polynomial, (Variable, i64))>,
    /// The second step, by its carry.
    seconds: HashMap<Variable, (Polynomial, i64)>,
}

/// Of `s = x + y + c` (or `s = x - y - c`), a word with carry (or borrow) `u`, the comparison with `x`: what `s` has more (or less)
/// is `y + c`, which is a word `t` and a carry `d`.
#[derive(Clone, Debug)]
struct Unequal {
    /// `u` and `d`.
    carry: Variable,
    over: Variable,
    /// `t`.
    word: Variable,
    /// `y + c`, with the `d` of the word below for `c`.
    sum: Polynomial,
    /// That word's `u - d`.
    below: Option<Variable>,
}

impl Equations {
    /// `x - y - borrow` and its borrow where an earlier sum or difference has them: the borrow is its carry.
    pub(crate) fn compared(&mut self, x: &Value, y: &Value, borrow: &Polynomial) -> Option<(Value, Flag)> {
        let radix = self.radix();
        let (left, right) = (self.polynomial(x)?, self.polynomial(y)?);
        let none = borrow.as_constant() == Some(0);
        if !self.compiled {
            return self.compared_once(x, y).filter(|_| none);
        }
        if none
            && left.as_constant() == Some(0)
            && let Value::Variable(word) = y
            && !word.is_bit()
        {
            let [negative, is_not_zero] = self.negative(*word);
            return Some((Value::Variable(negative), bit(is_not_zero)));
        }
        if none
            && right.as_constant() == Some(1)
            && let Value::Variable(word) = x
            && self.is_combined(*word)
        {
            // what is below 1 is 0
            let is_zero = self.is_nothing(x)?;
            let less = left.plus_multiple(&right, -1)?;
            let word = match self.recent(&less, -radix) {
                Some((low, borrow)) if is_zero.as_variable() == Some(borrow) => Value::Variable(low),
                _ => self.input(),
            };
            return Some((word, self.flag_of(is_zero)));
        }
        let by_sums = self.by_sums(x, y, borrow);
        if let Some(found) = self.find(by_sums) {
            return Some(found);
        }
        let taken = left.plus_multiple(&right, -1)?.plus_multiple(borrow, -1)?;
        let in_bits = [(x, 1), (y, -1)].into_iter().find_map(|own| self.in_bits_of_defined(&taken, own));
        if let Some(difference) = self.find(in_bits) {
            return Some(self.carried(difference, true));
        }
        if let Some((low, carry)) = self.recent(&taken, -radix) {
            return Some((Value::Variable(low), bit(carry)));
        }
        if !none || taken.terms().len() < 2 {
            return None;
        }
        let opposite = Polynomial::zero().plus_multiple(&taken, -1)?;
        // the difference may have been told as one with what it was made of
        let known = self.recent(&opposite, -radix);
        let (word, carry) = match known.or_else(|| self.compared.again.get(&(opposite, -radix)).copied()) {
            Some((word, carry)) => (Value::Variable(word), bit(carry)),
            None => self.by_sums(y, x, borrow)?,
        };
        if bits_of(&[&taken]).is_some() {
            return None;
        }
        if let Some((negative, is_not_zero)) = self.negative_in_a_bit(&word) {
            let carry = self.bit_polynomial(&carry);
            let less = self.lean(is_not_zero.plus_multiple(&carry, -1)?)?;
            self.find(Some(()));
            return Some((self.word_of(negative), self.flag_of(less)));
        }
        let Some(Value::Variable(word)) = self.single(&word) else { return None };
        // y - x is a word t less the radix times a borrow b: x - y is -t where t is zero or b is 1, else the radix less t
        let (negative, is_not_zero) = match word.is_bit() {
            // a bit is 1 where it is not zero, and its negative is a mask
            true => (
                self.word_of(Polynomial::zero().plus_multiple(&Polynomial::variable(word), self.ones())?),
                word,
            ),
            false => {
                let [negative, is_not_zero] = self.negative(word);
                (Value::Variable(negative), is_not_zero)
            }
        };
        let carry = self.bit_polynomial(&carry);
        let less = Polynomial::variable(is_not_zero).plus_multiple(&carry, -1)?;
        let own = carry.as_variable();
        let less = self.bit_of_polynomial(less);
        if let Some(borrow) = own {
            self.note_borrow(less, borrow);
        }
        self.note_exclusive(&taken, less, -radix);
        if let Value::Variable(low) = negative {
            self.compared.told.entry(low).or_insert_with(|| (taken.clone(), (less, -radix)));
        }
        self.find(Some(()));
        Some((negative, bit(less)))
    }

    /// The negative of a word that is a number or what a single bit makes, and whether it is not zero.
    fn negative_in_a_bit(&mut self, word: &Value) -> Option<(Polynomial, Polynomial)> {
        let own = match word {
            Value::Known(_) | Value::Polynomial(_) => self.polynomial(word)?,
            Value::Variable(_) | Value::Pointer(_) | Value::Either(_) => return None,
        };
        let (radix, bits) = (self.radix(), bits_of(&[&own]).filter(|bits| bits.len() <= 1)?);
        let values = (0..1usize << bits.len()).map(|all| evaluate(&own, &bits, all));
        let values: Vec<i64> = values.collect::<Option<_>>()?;
        let negative = self.interpolated(&bits, |all| (-values[all]).rem_euclid(radix))?;
        Some((negative, self.interpolated(&bits, |all| i64::from(values[all] != 0))?))
    }

    /// A difference with what one of its words is the sum of, without a carry, where bits alone are left.
    fn in_bits_of_defined(&self, difference: &Polynomial, (word, sign): (&Value, i64)) -> Option<Polynomial> {
        let Value::Variable(word) = word else { return None };
        let equation = self.graph.defining_low(word.index()).filter(|equation| equation.high.is_none())?;
        let without = difference.plus_multiple(&Polynomial::variable(*word), -sign)?;
        let told = without.plus_multiple(&equation.right, sign)?;
        bits_of(&[&told]).map(|_| told)
    }

    /// The same where the last sum or difference has them.
    fn compared_once(&mut self, x: &Value, y: &Value) -> Option<(Value, Flag)> {
        let radix = self.radix();
        let (left, right) = (self.polynomial(x)?, self.polynomial(y)?);
        let own = |word: &Value, factor| match word {
            Value::Variable(word) => self.carry_of(*word, factor),
            _ => None,
        };
        let of_sum = own(x, radix).and_then(|(sum, carry)| Some((sum.plus_multiple(&right, -1)?, carry)));
        let of_difference = own(y, -radix)
            .and_then(|(difference, borrow)| Some((left.plus_multiple(&difference, -1)?, borrow)));
        let found = [of_sum, of_difference].into_iter().flatten().find(|(word, _)| {
            let range = self.graph.range(word);
            range.is_some_and(|(least, most)| least >= 0 && most < radix.into())
        });
        if let Some((word, carry)) = found {
            return Some((self.word_of(word), bit(carry)));
        }
        let taken = left.plus_multiple(&right, -1)?;
        let (low, borrow) = self.recent(&taken, -radix)?;
        Some((Value::Variable(low), bit(borrow)))
    }

    /// The same where a sum of one of both words has the other as a term.
    fn by_sums(&mut self, x: &Value, y: &Value, borrow: &Polynomial) -> Option<(Value, Flag)> {
        let radix = self.radix();
        let (left, right) = (self.polynomial(x)?, self.polynomial(y)?);
        // the borrow of the words below, of which the carry is part of the sum
        let known = borrow.as_variable().and_then(|less| self.compared.unequal.get(&less));
        let entering = match known {
            Some(Unequal { carry, over, .. }) => difference(*carry, *over)?,
            None => borrow.clone(),
        };
        // x = s + y + borrow - radix * carry, so that x - y - borrow = s - radix * carry with s a word
        let of_sum = self.sums(x, radix).into_iter().filter_map(|(sum, carry)| {
            let word = sum.plus_multiple(&right, -1)?.plus_multiple(&entering, -1)?;
            is_less(&word, [&sum, &right, &entering]).then_some((word, carry))
        });
        let of_sum: Vec<_> = of_sum.collect();
        // y = x - borrow - s + radix * carry, so that x - y - borrow = s - radix * carry
        let of_difference = self.sums(y, -radix).into_iter().filter_map(|(difference, carry)| {
            let word = left.plus_multiple(&difference, -1)?.plus_multiple(&entering, -1)?;
            is_less(&word, [&left, &difference, &entering]).then_some((word, carry))
        });
        for (word, carry) in of_sum.into_iter().chain(of_difference) {
            match self.range_over_bits(&word) {
                Some((least, most)) if least >= 0 && most < radix.into() => {
                    return Some((self.word_of(word), bit(carry)));
                }
                Some((0, most)) if most == radix.into() => {
                    return self.unequal(word, carry, borrow);
                }
                // a constant and a bit
                Some((least, most)) if least >= 0 && most == radix.into() => {
                    let Some(bits) = bits_of(&[&word]) else { continue };
                    let is_over = |all| i64::from(evaluate(&word, &bits, all) == Some(radix));
                    let over = self.interpolated(&bits, is_over)?;
                    let Some(own) = over.as_variable() else { continue };
                    self.imply(own, carry);
                    let less = self.bit_of_polynomial(difference(carry, own)?);
                    return Some((self.word_of(word.plus_multiple(&over, -radix)?), bit(less)));
                }
                _ => {}
            }
        }
        self.by_both_sums(x, y, &entering)
    }

    /// The same where both words are of sums or differences that have something in common: x = s - radix * c and y = t - radix * d,
    /// so that x - y - borrow is what is left of s - t, a word, less the radix times c - d, which is 0 or 1 then.
    fn by_both_sums(&mut self, x: &Value, y: &Value, entering: &Polynomial) -> Option<(Value, Flag)> {
        let radix = self.radix();
        let mut told = |word: &Value| {
            let both = [radix, -radix].map(|factor| (factor.signum(), self.sums(word, factor)));
            let all = both.into_iter().flat_map(|(sign, sums)| sums.into_iter().map(move |sum| (sign, sum)));
            all.collect::<Vec<_>>()
        };
        let (of_x, of_y) = (told(x), told(y));
        for (sign, (left, carry)) in &of_x {
            for (other_sign, (right, other)) in &of_y {
                let word = left.plus_multiple(right, -1)?.plus_multiple(entering, -1)?;
                let range = self.range_over_bits(&word);
                let is_word = range.is_some_and(|(least, most)| least >= 0 && most < radix.into());
                if !is_word || !is_less(&word, [left, right, entering]) {
                    continue;
                }
                let carry = Polynomial::zero().plus_multiple(&Polynomial::variable(*carry), *sign)?;
                let carry = carry.plus_multiple(&Polynomial::variable(*other), -other_sign)?;
                let carry = match carry.as_constant() {
                    Some(_) => self.flag_of(carry),
                    None => bit(self.bit_of_polynomial(carry)),
                };
                return Some((self.word_of(word), carry));
            }
        }
        None
    }

    /// Least and largest value: of what stands in few bits alone over all their values, and term by term of the rest.
    pub(crate) fn range_over_bits(&self, polynomial: &Polynomial) -> Option<(i128, i128)> {
        let (own, rest): (Vec<_>, Vec<_>) = polynomial
            .terms()
            .iter()
            .cloned()
            .partition(|(product, _)| product.variables().iter().all(|own| own.is_bit()));
        let (own, rest) = (Polynomial::from_terms(own)?, Polynomial::from_terms(rest)?);
        let Some(bits) = bits_of(&[&own]).filter(|bits| (1..=MOST_BITS_OF_RANGE).contains(&bits.len()))
        else {
            return self.graph.range(polynomial);
        };
        let values = (0..1usize << bits.len()).map(|all| evaluate(&own, &bits, all).map(i128::from));
        let values: Vec<i128> = values.collect::<Option<_>>()?;
        let (least, most) = self.graph.range(&rest)?;
        Some((least + *values.iter().min()?, most + *values.iter().max()?))
    }

    /// The difference of a sum and one of its terms, where the rest is a function of bits: a constant and what was carried, or a mask.
    pub(crate) fn difference_in_bits(
        &mut self,
        x: &Polynomial,
        y: &Polynomial,
        borrow: &Polynomial,
    ) -> Option<Value> {
        if !self.compiled {
            return None;
        }
        let radix = self.radix();
        let sum = |own: &Polynomial| {
            let equation = self.graph.defining_low(own.as_variable()?.index())?;
            let is_whole = equation.high.is_some_and(|(_, factor)| factor.abs() == radix);
            is_whole.then(|| equation.right.clone())
        };
        let both = [sum(x).map(|x| (x, y.clone())), sum(y).map(|y| (x.clone(), y))];
        let rest = both.into_iter().flatten().find_map(|(x, y)| {
            let rest = x.plus_multiple(&y, -1)?.plus_multiple(borrow, -1)?;
            let bits = bits_of(&[&rest])?;
            Some((rest, bits))
        });
        let (rest, bits) = rest?;
        let values =
            (0..1usize << bits.len()).map(|all| Some(evaluate(&rest, &bits, all)?.rem_euclid(radix)));
        let values: Vec<i64> = values.collect::<Option<_>>()?;
        let word = self.interpolated(&bits, |all| values[all])?;
        let word = self.word_of(word);
        self.find(Some(word))
    }

    /// Low and high part of a recent equation with this other side.
    fn recent(&self, wanted: &Polynomial, radix: i64) -> Option<(Variable, Variable)> {
        let count = if self.compiled { RECENT_OF_COMPILED } else { RECENT };
        let mut recent = self.graph.equations().iter().rev().take(count);
        recent.find_map(|equation| match equation {
            Equation { low, high: Some((carry, factor)), right } if *factor == radix && right == wanted => {
                Some((*low, *carry))
            }
            _ => None,
        })
    }

    /// The sums (for a negative factor: differences) whose low part a word is, with the carry that has this factor: that of its
    /// equation, and those of what its terms are sums of, where one at most of the carries is 1.
    pub(crate) fn sums(&mut self, word: &Value, factor: i64) -> Vec<(Polynomial, Variable)> {
        let Value::Variable(word) = word else { return Vec::new() };
        let step = self.compared.steps.get(word).filter(|(_, own, _)| *own == factor);
        let step = step.map(|(sum, _, carry)| (sum.clone(), *carry));
        let own = self.carry_of(*word, factor);
        let mut sums: Vec<(Polynomial, Variable)> = own.into_iter().chain(step).collect();
        let mut next = 0;
        while let Some((sum, carry)) = sums.get(next).cloned().filter(|_| sums.len() < MOST_SUMS) {
            next += 1;
            for (product, times) in sum.terms() {
                let [term] = product.variables() else { continue };
                // of a word that was doubled by a shift the low part counts twice
                let own_factor = factor / times;
                if own_factor * times != factor {
                    continue;
                }
                let step = self.compared.steps.get(term).filter(|(_, own, _)| *own == own_factor);
                let step = step.map(|(sum, _, carry)| (sum.clone(), *carry));
                for (right, before) in step.into_iter().chain(self.carry_of(*term, own_factor)) {
                    let longer = sum.plus_multiple(&Polynomial::variable(*term), -times);
                    let longer = longer.and_then(|longer| longer.plus_multiple(&right, *times));
                    let both = Polynomial::variable(before).plus_multiple(&Polynomial::variable(carry), 1);
                    let (Some(longer), Some(both)) = (longer, both) else { continue };
                    if before != carry && self.excludes_by_what_it_implies(before, carry) {
                        self.graph.exclude(before.min(carry), before.max(carry));
                        sums.push((longer, self.bit_of_polynomial(both)));
                    }
                }
            }
        }
        sums
    }

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
        match self.recent(sum, factor) {
            Some((low, carry)) => Some((Value::Variable(low), bit(carry))),
            None => self.in_one_sum(sum, factor),
        }
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
        let carry = self.graph.variable(1);
        let low = self.graph.variable(self.ones() as u32);
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
    fn carry_of(&self, word: Variable, factor: i64) -> Option<(Polynomial, Variable)> {
        let Equation { high, right, .. } = self.graph.defining_low(word.index())?;
        let (carry, _) = high.filter(|(carry, own)| *own == factor && carry.is_bit())?;
        Some((right.clone(), carry))
    }

    /// What is left when a word is taken from zero, and the borrow, which is 1 where the word is not zero.
    fn negative(&mut self, word: Variable) -> [Variable; 2] {
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

    /// The same of words joined by OR, or what two differ in.
    fn negative_of_combined(&mut self, word: Variable) -> Option<[Variable; 2]> {
        if !self.is_combined(word) {
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
    fn needs(&self, sum: &Polynomial, factor: i64, word: Variable) -> Option<()> {
        let times = sum.terms().iter().find(|(product, _)| product.variables() == [word])?.1;
        let without = sum.plus_multiple(&Polynomial::variable(word), -times)?;
        is_none_without(self, &without, factor).then_some(())
    }

    /// The word of which a bit says that it is not zero.
    pub(crate) fn word_not_zero(&self, bit: Variable) -> Option<Variable> {
        self.compared.words.get(&bit).copied()
    }

    /// Whether a word was told as the negative of another one.
    pub(crate) fn is_told(&self, word: &Value) -> bool {
        matches!(word, Value::Variable(word) if self.compared.told.contains_key(word))
    }

    /// The other side of the equation of which a word is the low part, and the carry, a bit that counts the radix.
    pub(crate) fn sum_of(&self, word: Variable) -> Option<(Polynomial, (Variable, i64))> {
        if let Some(told) = self.compared.told.get(&word) {
            return Some(told.clone());
        }
        let equation = self.graph.defining_low(word.index())?;
        // of a shift, the low part is the bit
        let high = equation.high.filter(|(carry, by)| carry.is_bit() && by.abs() == self.radix())?;
        Some((equation.right.clone(), high))
    }

    /// The second step of a sum of three, and what it stands for, by its carry.
    pub(crate) fn second_step(&self, carry: Variable) -> Option<(Polynomial, i64)> {
        self.compared.seconds.get(&carry).cloned()
    }

    /// Notes that a sum leaves this carry only where words of it are not zero that were compared with zero before.
    pub(crate) fn note_not_zero(&mut self, sum: &Polynomial, carry: Variable, factor: i64) {
        let words = sum.terms().iter().filter_map(|(product, _)| match product.variables() {
            [bit] if bit.is_bit() => Some((*bit, *bit)),
            [word] => Some((*word, self.compared.negatives.get(word)?[1])),
            _ => None,
        });
        let noted = words.filter(|(word, _)| self.needs(sum, factor, *word).is_some());
        for (_, is_not_zero) in noted.collect::<Vec<_>>() {
            self.imply(carry, is_not_zero);
        }
        // a bit that takes away the one by which the sum would reach the radix, or adds the one that it lacks
        let radix = i128::from(factor);
        let reaches = self.graph.range(sum).is_some_and(|(least, most)| match radix > 0 {
            true => most == radix,
            false => least == -1,
        });
        let against = |(product, times): &(Monomial, i64)| match product.variables() {
            [bit] if bit.is_bit() && *bit != carry && *times == -factor.signum() => Some(*bit),
            _ => None,
        };
        for bit in
            sum.terms().iter().filter_map(against).filter(|_| reaches && carry.is_bit()).collect::<Vec<_>>()
        {
            self.graph.exclude(bit.min(carry), bit.max(carry));
        }
    }

    /// Whether a bit (with `is_set`: its opposite) says that a word is not zero.
    pub(crate) fn says_not_zero(&self, bit: &Polynomial, word: Variable, is_set: bool) -> bool {
        let Some(is_zero) = self.compared.zeros.get(&word) else { return false };
        match is_set {
            true => bit == is_zero,
            false => Polynomial::constant(1).plus_multiple(bit, -1).as_ref() == Some(is_zero),
        }
    }

    /// The bit that says that a word is not zero, where it was compared with zero.
    pub(crate) fn not_zero(&self, word: Variable) -> Option<Variable> {
        self.compared.negatives.get(&word).map(|[_, is_not_zero]| *is_not_zero)
    }

    /// Whether a word is zero.
    pub(crate) fn is_nothing(&mut self, value: &Value) -> Option<Polynomial> {
        let single = match value {
            Value::Polynomial(_) if self.compiled => self.single(value)?,
            _ => value.clone(),
        };
        let Value::Variable(word) = &single else { return None };
        let value = &single;
        if !self.compiled {
            if !self.is_wide() {
                return None;
            }
            let (_, borrow) = self.sub(&Value::Known(0), value, &Flag::Known(false));
            let borrow = self.bit_polynomial(&borrow);
            return Polynomial::constant(1).plus_multiple(&borrow, -1);
        }
        self.find(Some(()));
        if let Some(words) = self.all_of_or(value) {
            let is_zero = self.all_zero(*word, &words)?;
            self.compared.zeros.insert(*word, is_zero.clone());
            return Some(is_zero);
        }
        if let Some([x, y]) = self.exclusive_or(*word) {
            // what two words differ in is nothing where their difference is, whichever is taken from the other
            let turns = matches!((&x, &y), (Value::Variable(x), Value::Variable(y)) if x.index() > y.index());
            let (x, y) = if turns { (y, x) } else { (x, y) };
            let (difference, _) = self.sub(&x, &y, &Flag::Known(false));
            let is_zero = self.is_zero(&difference);
            return Some((*self.bit_polynomial(&is_zero)).clone());
        }
        if let Some(is_zero) = self.zero_by_step(*word) {
            return Some(Polynomial::variable(is_zero));
        }
        let [_, is_not_zero] = self.negative(*word);
        Polynomial::constant(1).plus_multiple(&Polynomial::variable(is_not_zero), -1)
    }

    /// The carry that says that a word is zero: what a sum leaves that is above nothing and the radix at most, such as a word and 1; or the
    /// borrow of 1 less.
    fn zero_by_step(&self, word: Variable) -> Option<Variable> {
        let radix = self.radix();
        let by_carry = || {
            let (right, carry) = self.carry_of(word, radix)?;
            let (least, most) = self.graph.range(&right)?;
            (least >= 1 && most <= radix.into()).then_some(carry)
        };
        by_carry().or_else(|| {
            let less = Polynomial::variable(word).plus_multiple(&Polynomial::constant(1), -1)?;
            self.recent(&less, -radix).map(|(_, borrow)| borrow).filter(|borrow| borrow.is_bit())
        })
    }

    /// Whether words are all zero, which are joined to one: one bit for the same words, in whatever order. It is what 1 less than the
    /// joined word borrows.
    fn all_zero(&mut self, joined: Variable, words: &[Value]) -> Option<Polynomial> {
        let mut not_zero = Vec::new();
        for word in words {
            let zero = match word {
                Value::Known(0) => continue,
                Value::Known(_) => return Some(Polynomial::zero()),
                Value::Polynomial(_) | Value::Variable(_) => {
                    let single = self.single(word)?;
                    let zero = self.is_zero(&single);
                    (*self.bit_polynomial(&zero)).clone()
                }
                Value::Pointer(_) | Value::Either(_) => return None,
            };
            let own = Polynomial::constant(1).plus_multiple(&zero, -1)?;
            not_zero.push(self.bit_of_polynomial(own));
        }
        not_zero.sort_unstable();
        not_zero.dedup();
        if let [one] = not_zero[..] {
            return Polynomial::constant(1).plus_multiple(&Polynomial::variable(one), -1);
        }
        if let Some(known) = self.compared.all_zero.get(&not_zero) {
            return Some(Polynomial::variable(*known));
        }
        let right = Polynomial::variable(joined).plus_multiple(&Polynomial::constant(1), -1)?;
        let all = self.graph.variable(1);
        let low = self.graph.variable(self.ones() as u32);
        self.graph.equate(Equation { low, high: Some((all, -self.radix())), right });
        self.compared.all_zero.insert(not_zero, all);
        Some(Polynomial::variable(all))
    }

    /// The comparison of a sum with one of its terms, where the rest may be the radix: then it borrows nothing though the sum has
    /// left a carry.
    fn unequal(&mut self, sum: Polynomial, carry: Variable, borrow: &Polynomial) -> Option<(Value, Flag)> {
        let radix = self.radix();
        let (word, over) = match self.recent(&sum, radix) {
            Some(known) => known,
            None => {
                let over = self.graph.variable(1);
                let word = self.graph.variable(self.ones() as u32);
                self.graph.equate(Equation { low: word, high: Some((over, radix)), right: sum.clone() });
                (word, over)
            }
        };
        if over == carry {
            // compared with nothing
            return Some((Value::Variable(word), Flag::Known(false)));
        }
        self.imply(over, carry);
        let less = self.bit_of_polynomial(difference(carry, over)?);
        // the words below were compared, or there are none
        let below = borrow.as_variable();
        if below.map_or(borrow.as_constant() == Some(0), |own| self.compared.unequal.contains_key(&own)) {
            self.compared.unequal.insert(less, Unequal { carry, over, word, sum, below });
        }
        Some((Value::Variable(word), bit(less)))
    }

    /// The carry `u` where it is chosen by whether the sum `s = x + y + c` is equal to `x`: `if (s != x) c = s < x`.
    ///
    /// Where all words of both are equal, `y + c` is zero or the radix to the power of the words: the carry is `c`.
    pub(crate) fn carry_of_unequal(&mut self, is_first: &Polynomial, x: &Value, y: &Value) -> Option<Value> {
        let (x, y) = (self.polynomial(x)?, self.polynomial(y)?);
        let not = Polynomial::constant(1).plus_multiple(is_first, -1)?;
        let known = |less: &Polynomial| {
            let less = less.as_variable()?;
            Some((less, self.compared.unequal.get(&less)?.carry))
        };
        let (equal, entering, (less, carry)) = match (known(&x), known(&y)) {
            (_, Some(known)) => (is_first, &x, known),
            (Some(known), None) => (&not, &y, known),
            (None, None) => return None,
        };
        // all words are equal, and what enters below is a bit
        let (mut all, mut next) = (Polynomial::constant(1), Some(less));
        for _ in 0..MOST_COMPARED {
            let Some(above) = next else { break };
            let Unequal { word, sum, below, .. } = self.compared.unequal.get(&above)?.clone();
            let rest = match below {
                Some(below) => Polynomial::variable(self.compared.unequal.get(&below)?.over),
                None => (**entering).clone(),
            };
            let (least, most) = self.graph.range(&sum.plus_multiple(&rest, -1)?)?;
            if least < 0 || most >= self.radix().into() {
                return None;
            }
            all = all.times(&self.is_nothing(&Value::Variable(word))?)?;
            next = below;
        }
        let is_bit = self.graph.range(entering).is_some_and(|(least, most)| least >= 0 && most <= 1);
        (next.is_none() && is_bit && all == *equal).then_some(Value::Variable(carry))
    }
}

/// Whether a sum leaves no carry, a difference no borrow, whatever its words are.
pub(crate) fn is_none_without(domain: &Equations, sum: &Polynomial, factor: i64) -> bool {
    let radix = i128::from(domain.radix());
    let factor = i128::from(factor);
    domain
        .graph
        .range(sum)
        .is_some_and(|(least, most)| least >= 0 && most < radix && (factor == radix || factor == -radix))
}

/// Whether a sum of polynomials is shorter than they are: something was in two of them.
fn is_less(sum: &Polynomial, parts: [&Polynomial; 3]) -> bool {
    sum.terms().len() < parts.iter().map(|part| part.terms().len()).sum()
}

/// Whether a sum is a constant less one variable.
fn is_moved_down(sum: &Polynomial) -> bool {
    Polynomial::zero().plus_multiple(sum, -1).is_some_and(|opposite| is_moved(&opposite))
}

/// Whether a sum is one variable and a constant.
fn is_moved(sum: &Polynomial) -> bool {
    let mut others = sum.terms().iter().filter(|(product, _)| !product.variables().is_empty());
    matches!((others.next(), others.next()), (Some((product, 1)), None) if product.variables().len() == 1)
}

fn difference(x: Variable, y: Variable) -> Option<Polynomial> {
    Polynomial::variable(x).plus_multiple(&Polynomial::variable(y), -1)
}

fn bit(variable: Variable) -> Flag {
    Flag::Polynomial(Rc::new(Polynomial::variable(variable)))
}
