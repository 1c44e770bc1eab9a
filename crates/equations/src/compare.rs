//! Carries and borrows that are read back by comparison, on processors without a carry flag and in compiled code: `x + y < y`,
//! `x < y` after `x - y`, `x < x - y`, `y - x` after `x - y`, a word compared with zero.

use crate::equations::Equations;
use crate::graph::Equation;
use crate::tabulate::{bits_of, evaluate};
use crate::value::{Flag, Value};
use rhomb_machine::Domain;
use rhomb_poly::{Monomial, Polynomial, Variable};
use std::collections::HashMap;
use std::rc::Rc;

/// How many equations back a difference is looked for.
pub(crate) const RECENT: usize = 64;
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
    pub(crate) negatives: HashMap<Variable, [Variable; 2]>,
    /// By the bit that says that a word is not zero, that word.
    pub(crate) words: HashMap<Variable, Variable>,
    /// Of words that were compared with zero, whether they are.
    pub(crate) zeros: HashMap<Variable, Polynomial>,
    /// What a word of a sum has more than the word that something was added to, by `u - d`.
    unequal: HashMap<Variable, Unequal>,
    /// For the low part of a sum that was made in two steps, the second step and its carry.
    pub(crate) steps: HashMap<Variable, (Polynomial, i64, Variable)>,
    /// Whether words are all zero, by what says of each that it is not.
    all_zero: HashMap<Vec<Variable>, Variable>,
    /// The low part and the carry for a second step.
    pub(crate) again: HashMap<(Polynomial, i64), (Variable, Variable)>,
    /// For a word that was told as the negative of another one, the difference that it is, with its borrow.
    told: HashMap<Variable, (Polynomial, (Variable, i64))>,
    /// Whether a word is below a number: the bit that tells, by the value that it then has.
    pub(crate) below: HashMap<(Variable, i64), (Variable, bool)>,
    /// The second step, by its carry.
    pub(crate) seconds: HashMap<Variable, (Polynomial, i64)>,
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
            && (self.is_combined(*word) || self.is_compared_with_zero(*word))
        {
            // what is below 1 is 0
            let is_zero = self.is_nothing(x)?;
            let less = left.plus_multiple(&right, -1)?;
            let word = match self.recent(&less, -radix) {
                Some((low, borrow)) if is_zero.as_variable() == Some(borrow) => low,
                _ => {
                    let low = self.graph.variable(self.ones() as u32);
                    let right = less.plus_multiple(&is_zero, radix)?;
                    self.graph.equate(Equation { low, high: None, right });
                    let borrow = self.bit_of_polynomial(is_zero.clone());
                    self.compared.told.insert(low, (less, (borrow, -radix)));
                    low
                }
            };
            return Some((Value::Variable(word), self.flag_of(is_zero)));
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
            // what was made as a word is one, whatever range it seems to have
            if let Some(known) = self.defined.get(&word) {
                return Some((Value::Variable(*known), bit(carry)));
            }
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
    pub(crate) fn recent(&self, wanted: &Polynomial, radix: i64) -> Option<(Variable, Variable)> {
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
        let told = self.compared.told.get(word).filter(|(_, (_, own))| *own == factor);
        let told = told.map(|(difference, (borrow, _))| (difference.clone(), *borrow));
        let own = self.carry_of(*word, factor);
        // a word and its negative together are the radix, or nothing
        let negative = self.compared.negatives.get(word).filter(|_| factor == -self.radix());
        let negative = negative.and_then(|[of, is_not_zero]| {
            Some((Polynomial::zero().plus_multiple(&Polynomial::variable(*of), -1)?, *is_not_zero))
        });
        let own = own.into_iter().chain(negative);
        let mut sums: Vec<(Polynomial, Variable)> = own.chain(step).chain(told).collect();
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
        let not = || Polynomial::constant(1).plus_multiple(bit, -1);
        let side = if is_set { Some(bit.clone()) } else { not() };
        if side.as_ref() == Some(is_zero) {
            return true;
        }
        // it is one of several that all are
        let own = Polynomial::constant(1).plus_multiple(is_zero, -1).and_then(|own| own.as_variable());
        let all = side.and_then(|side| side.as_variable());
        own.zip(all).is_some_and(|(own, all)| {
            let mut known = self.compared.all_zero.iter();
            known.any(|(not_zero, known)| *known == all && not_zero.contains(&own))
        })
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
        if let Some(known) = self.compared.zeros.get(word).filter(|_| self.ranking) {
            return Some(known.clone());
        }
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
            let is_zero = (*self.bit_polynomial(&is_zero)).clone();
            self.compared.zeros.insert(*word, is_zero.clone());
            return Some(is_zero);
        }
        if let Some(is_zero) = self.zero_by_step(*word) {
            if self.ranking {
                self.compared.zeros.insert(*word, is_zero.clone());
            }
            return Some(is_zero);
        }
        let [_, is_not_zero] = self.negative(*word);
        Polynomial::constant(1).plus_multiple(&Polynomial::variable(is_not_zero), -1)
    }

    /// Whether a word is zero by what left it: the carry, where it is what a sum leaves that is above nothing and the radix at most, such as a
    /// word and 1; that nothing was borrowed, where it is what a difference leaves that is nothing at most; or the borrow of 1 less.
    fn zero_by_step(&self, word: Variable) -> Option<Polynomial> {
        let radix = self.radix();
        let left = |factor: i64, from: i128| {
            let (right, carry) = self.carry_of(word, factor)?;
            let (least, most) = self.graph.range(&right)?;
            (least >= from && most < from + i128::from(radix)).then_some(carry)
        };
        let by_carry = || left(radix, 1).map(Polynomial::variable);
        let by_borrow = || {
            let borrow = left(-radix, 1 - i128::from(radix))?;
            Polynomial::constant(1).plus_multiple(&Polynomial::variable(borrow), -1)
        };
        by_carry().or_else(by_borrow).or_else(|| {
            let less = Polynomial::variable(word).plus_multiple(&Polynomial::constant(1), -1)?;
            let borrow =
                self.recent(&less, -radix).map(|(_, borrow)| borrow).filter(|borrow| borrow.is_bit());
            borrow.map(Polynomial::variable)
        })
    }

    /// All ones added to a word that was joined by OR, or is what two differ in: 1 is taken away, and what leaves is that nothing was
    /// borrowed.
    pub(crate) fn one_less(&mut self, x: &Value, step: &Value, carry: &Flag) -> Option<(Value, Flag)> {
        let (Value::Variable(word), Flag::Known(false)) = (x, carry) else { return None };
        let is_asked = || self.is_combined(*word) || self.is_compared_with_zero(*word);
        if !self.compiled || *step != Value::Known(self.ones() as u64) || !is_asked() {
            return None;
        }
        let (low, borrow) = self.sub(x, &Value::Known(1), carry);
        Some((low, self.bit_not(&borrow)))
    }

    /// Whether a word was compared with zero, or taken from it.
    pub(crate) fn is_compared_with_zero(&self, word: Variable) -> bool {
        self.compared.zeros.contains_key(&word) || self.compared.negatives.contains_key(&word)
    }

    /// What 1 less than the number borrows that words make of which these bits say that they are not zero, the older words being the lower
    /// ones.
    fn borrow_of_one(&mut self, not_zero: &[Variable]) -> Option<Variable> {
        let word = |own: &Variable| Some((self.word_not_zero(*own)?, *own));
        let mut words: Vec<(Variable, Variable)> = not_zero.iter().map(word).collect::<Option<_>>()?;
        words.sort_unstable();
        let (_, first) = words.first()?;
        let mut borrow = Polynomial::constant(1).plus_multiple(&Polynomial::variable(*first), -1)?;
        for (word, _) in &words[1..] {
            let less = Polynomial::variable(*word).plus_multiple(&borrow, -1)?;
            borrow = Polynomial::variable(self.word_of_number(&less).1);
        }
        borrow.as_variable()
    }

    /// Whether words are all zero, which are joined to one: one bit for the same words, in whatever order. It is what 1 less than
    /// their number borrows.
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
        let all = match self.borrow_of_one(&not_zero) {
            Some(all) => all,
            None => {
                let less = Polynomial::variable(joined).plus_multiple(&Polynomial::constant(1), -1)?;
                self.word_of_number(&less).1
            }
        };
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
pub(crate) fn is_moved_down(sum: &Polynomial) -> bool {
    Polynomial::zero().plus_multiple(sum, -1).is_some_and(|opposite| is_moved(&opposite))
}

/// Whether a sum is one variable and a constant.
pub(crate) fn is_moved(sum: &Polynomial) -> bool {
    let mut others = sum.terms().iter().filter(|(product, _)| !product.variables().is_empty());
    matches!((others.next(), others.next()), (Some((product, 1)), None) if product.variables().len() == 1)
}

pub(crate) fn difference(x: Variable, y: Variable) -> Option<Polynomial> {
    Polynomial::variable(x).plus_multiple(&Polynomial::variable(y), -1)
}

pub(crate) fn bit(variable: Variable) -> Flag {
    Flag::Polynomial(Rc::new(Polynomial::variable(variable)))
}
