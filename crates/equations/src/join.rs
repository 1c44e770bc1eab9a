//! One state after a branch on a secret.
//!
//! With `g` the condition, every word that the sides left differently is `g ? x : y`, the polynomial
//! `y + g(x - y)`. Where one side has added something to the word and the other has left it alone,
//! another form keeps sums linear: with `x + 256c = y + a` on the taken side, the word `m = g ? x : y`
//! and the bit `c' = gc` satisfy `m + 256c' = y + ga` for both values of `g`; so a chain of additions
//! under a condition is a chain of additions of `ga`, and carries pass on as `c'`. What is added in several steps, each
//! with a carry of its own, is so step by step. Where both sides have added
//! to the same word, `x + 256c = z + a` and `y + 256d = z + b`, the word `m = g ? x : y` and the bit
//! `c' = g ? c : d` satisfy `m + 256c' = z + ga + (1 - g)b`.

use crate::alike::Cases;
use crate::equations::Equations;
use crate::graph::Equation;
use crate::tabulate::bits_of;
use crate::value::{Deferred, Flag, Value};
use rhomb_machine::{Domain, Joined};
use rhomb_poly::{Monomial, Polynomial, Variable};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A side's condition as a polynomial that is 0 or 1, and the carries under it: for each carry `c` of
/// that side, the bit that is `c` times the condition.
#[derive(Clone, Debug)]
struct Side {
    condition: Polynomial,
    carries: BTreeMap<Variable, Variable>,
    /// The sums that were made so far, with their low part and carry: what is made on the way to one word is often made
    /// on the way to another.
    made: FxHashMap<(Polynomial, i64), (Variable, Variable)>,
    /// Terms that may still be touched on the way to one word.
    room: usize,
}

impl Side {
    /// Counts terms that are touched; nothing where there are too many.
    fn touch(&mut self, domain: &mut Equations, terms: usize) -> Option<()> {
        domain.graph.spend(terms as u64);
        self.room = self.room.checked_sub(terms)?;
        Some(())
    }

    /// A carry times the condition; or the sum of some, which is a carry itself.
    fn under(&self, domain: &Equations, carry: Variable) -> Option<Polynomial> {
        if let Some(under) = self.carries.get(&carry) {
            return Some(Polynomial::variable(*under));
        }
        let equation = domain.graph.defining_low(carry.index())?;
        if !carry.is_bit() || equation.high.is_some() {
            return None;
        }
        // some of them may be older than the branch
        let known = |part: &Variable| self.carries.contains_key(part);
        if !equation.right.variables().iter().any(known) {
            return None;
        }
        let part = |sum: Polynomial, (monomial, factor): &(Monomial, i64)| match monomial.variables() {
            [part] => {
                let under = match self.carries.get(part) {
                    Some(under) => Polynomial::variable(*under),
                    None => self.condition.times(&Polynomial::variable(*part))?,
                };
                sum.plus_multiple(&under, *factor)
            }
            _ => None,
        };
        equation.right.terms().iter().try_fold(Polynomial::zero(), part)
    }
}

/// The sides, the taken one first.
#[derive(Clone, Debug)]
pub(crate) struct Sides {
    single: [Side; 2],
    /// For a carry of either side, the bit that is the one or the other.
    both: BTreeMap<(Variable, Variable), Variable>,
}

pub(crate) fn join(
    domain: &mut Equations,
    bit: &Flag,
    words: &[(Value, Value)],
    bits: &[(Flag, Flag)],
) -> Joined<Value, Flag> {
    if words.is_empty() && bits.iter().all(|(x, y)| same(x, y)) {
        return (Vec::new(), bits.iter().map(|(x, _)| x.clone()).collect());
    }
    let condition = (*domain.bit_polynomial(bit)).clone();
    let Some(negated) = Polynomial::constant(1).plus_multiple(&condition, -1) else {
        return (
            words.iter().map(|_| domain.input()).collect(),
            bits.iter().map(|_| domain.new_bit()).collect(),
        );
    };
    let side = |condition| Side { condition, carries: BTreeMap::new(), made: FxHashMap::default(), room: 0 };
    // compilers test one condition for word after word: what the bits under it are, they stay
    let known = domain.last_sides.take().filter(|sides| sides.single[0].condition == condition);
    let mut sides = known
        .unwrap_or_else(|| Sides { single: [side(condition.clone()), side(negated)], both: BTreeMap::new() });
    // in the order in which the words were made, so that a carry is known when it is added
    let mut order: Vec<usize> = (0..words.len()).collect();
    let made = |value: &Value| match value {
        Value::Variable(variable) if !variable.is_bit() || !domain.compiled => variable.index(),
        // a carry is older than the word that it left, and no word follows that at once
        _ if domain.compiled => {
            let bits = domain.polynomial(value).map(|polynomial| polynomial.variables());
            bits.and_then(|bits| bits.last().map(|youngest| youngest.index() + 2)).unwrap_or(0)
        }
        _ => 0,
    };
    order.sort_by_key(|at| made(&words[*at].0).max(made(&words[*at].1)));
    let mut joined: Vec<Option<Value>> = vec![None; words.len()];
    // by conditions that paths together are
    let mut others: Vec<Sides> = Vec::new();
    let mut cases = Cases::of(domain, &condition, words);
    for at in order {
        let (x, y) = &words[at];
        let alike = if x == y { None } else { domain.alike(&mut cases, x, y) };
        if let Some(word) = domain.find(alike) {
            joined[at] = Some(word);
            continue;
        }
        // carries that are known under the condition pass on as such
        let is_sum = x == y
            || adds_what_is_known(domain, &sides.single[0], x, y)
            || adds_what_is_known(domain, &sides.single[1], y, x);
        let one = if is_sum { None } else { domain.one_choice(&condition, x, y) };
        joined[at] = Some(match one {
            None => word(domain, &mut sides, x, y),
            Some((all, x, y)) => match all.as_constant() {
                Some(all) => {
                    if all == 1 {
                        x
                    } else {
                        y
                    }
                }
                None => {
                    let known = others.iter().position(|own| own.single[0].condition == all);
                    let known = known.or_else(|| {
                        let negated = Polynomial::constant(1).plus_multiple(&all, -1)?;
                        let sides = Sides { single: [side(all), side(negated)], both: BTreeMap::new() };
                        others.push(sides);
                        Some(others.len() - 1)
                    });
                    match known {
                        Some(known) => word(domain, &mut others[known], &x, &y),
                        None => domain.input(),
                    }
                }
            },
        });
    }
    let words = joined.into_iter().flatten().collect();
    let bits = bits.iter().map(|(x, y)| flag(domain, &sides, x, y)).collect();
    domain.last_sides = domain.compiled.then_some(sides);
    (words, bits)
}

fn word(domain: &mut Equations, sides: &mut Sides, x: &Value, y: &Value) -> Value {
    if x == y {
        return x.clone();
    }
    let joined = joined_word(domain, sides, x, y);
    domain.note_choice(&joined, &sides.single[0].condition, x, y);
    joined
}

fn joined_word(domain: &mut Equations, sides: &mut Sides, x: &Value, y: &Value) -> Value {
    if let Some(either) = domain.either(&sides.single[0].condition, x, y) {
        return either;
    }
    // what is added to a word that is zero on a side stays a sum
    if domain.compiled && matches!((x, y), (Value::Known(_), _) | (_, Value::Known(_))) {
        let condition = &sides.single[0].condition;
        let known = [domain.chosen_where(condition, x, true), domain.chosen_where(condition, y, false)];
        if known != [x.clone(), y.clone()] {
            domain.find(Some(()));
            return domain.select(&Flag::Polynomial(Rc::new(condition.clone())), &known[0], &known[1]);
        }
    }
    let same = domain.same_where_zero(&sides.single[0].condition, x, y);
    if let Some(word) = domain.find(same) {
        return word;
    }
    for (side, zero, other) in [(0, x, y), (1, y, x)] {
        let condition = sides.single[side].condition.clone();
        let told = if domain.compiled { domain.zero_by_one_less(&condition, zero, other) } else { None };
        if let Some(value) = domain.find(told) {
            return value;
        }
    }
    for (side, changed, kept) in [(0, x, y), (1, y, x)] {
        if let Some(value) = guarded(domain, &mut sides.single[side], changed, kept) {
            return value;
        }
    }
    if let Some(value) = alternative(domain, sides, x, y) {
        return value;
    }
    let told = carries(domain, sides, x, y);
    if let Some(value) = domain.find(told) {
        return value;
    }
    domain.select(&Flag::Polynomial(Rc::new(sides.single[0].condition.clone())), x, y)
}

/// The word that is made of carries of the sides, as multiples of them: they are bits already where their sums were joined.
fn carries(domain: &mut Equations, sides: &Sides, x: &Value, y: &Value) -> Option<Value> {
    if !domain.compiled {
        return None;
    }
    let mut is_known = false;
    let mut sum = Polynomial::zero();
    for (side, word) in sides.single.iter().zip([x, y]) {
        let word = domain.polynomial(word)?;
        bits_of(&[&word])?;
        let word = domain.with_opposite((*word).clone());
        for (monomial, factor) in word.terms() {
            let carry = match monomial.variables() {
                // what is halved is told by the carry itself
                [carry] if !domain.is_halved(*carry) => side.carries.get(carry),
                _ => None,
            };
            is_known |= carry.is_some();
            let under = match carry {
                Some(under) => Polynomial::variable(*under),
                None => side.condition.times(&Polynomial::from_terms(vec![(monomial.clone(), 1)])?)?,
            };
            sum = sum.plus_multiple(&under, *factor)?;
        }
    }
    is_known.then(|| domain.word_of(sum))
}

/// The word that either side has made by adding to the same word, or subtracting from it.
fn alternative(domain: &mut Equations, sides: &mut Sides, x: &Value, y: &Value) -> Option<Value> {
    let (Value::Variable(x), Value::Variable(y)) = (x, y) else { return None };
    let ((added, (carry, factor)), (instead, (other, by))) = (domain.sum_of(*x)?, domain.sum_of(*y)?);
    let difference = added.plus_multiple(&instead, -1)?;
    // something must have cancelled, or the form says nothing
    if factor != by || difference.terms().len() >= added.terms().len() + instead.terms().len() {
        return None;
    }
    // instead + condition * (added - instead); where that takes the carries of both sides below, the
    // bit that is the one or the other
    let mut right = instead;
    let mut rest = difference;
    for ((one, two), either) in &sides.both {
        let coefficient = |polynomial: &Polynomial, wanted: Variable| {
            let own = polynomial.terms().iter().find(|(monomial, _)| monomial.variables() == [wanted]);
            own.map_or(0, |(_, coefficient)| *coefficient)
        };
        let times = coefficient(&rest, *one);
        if times != 0 && coefficient(&rest, *two) == -times {
            rest = rest.plus_multiple(&Polynomial::variable(*one), -times)?;
            rest = rest.plus_multiple(&Polynomial::variable(*two), times)?;
            right = right.plus_multiple(&Polynomial::variable(*two), -times)?;
            right = right.plus_multiple(&Polynomial::variable(*either), times)?;
        }
    }
    right = right.plus_multiple(&sides.single[0].condition.times(&rest)?, 1)?;
    let either = domain.graph.variable(1);
    let low = domain.graph.variable(domain.ones() as u32);
    domain.graph.equate(Equation { low, high: Some((either, factor)), right });
    sides.both.insert((carry, other), either);
    Some(Value::Variable(low))
}

/// Most terms of a flag without a bit of its own.
const MOST_TERMS_OF_FLAG: usize = 64;

/// Most steps in which something is added to a word.
const MOST_STEPS: u32 = 8;

/// Most terms that are touched on the way to one word.
const MOST_TERMS_TOUCHED: usize = 4000;

/// The word that is `kept`, or under the condition `changed = kept + something - radix * carry`.
fn guarded(domain: &mut Equations, side: &mut Side, changed: &Value, kept: &Value) -> Option<Value> {
    let Value::Variable(changed) = changed else { return None };
    let kept = domain.polynomial(kept)?;
    if let Some(value) = negative_or_complement(domain, &side.condition, *changed, &kept) {
        return Some(value);
    }
    side.room = MOST_TERMS_TOUCHED;
    guarded_in_steps(domain, side, *changed, &kept, MOST_STEPS).map(Value::Variable)
}

/// Whether a side adds to the word that is kept only numbers and carries that are known under its condition.
fn adds_what_is_known(domain: &Equations, side: &Side, changed: &Value, kept: &Value) -> bool {
    let (Value::Variable(changed), Some(kept)) = (changed, domain.polynomial(kept)) else { return false };
    let Some((sum, _)) = domain.sum_of(*changed) else { return false };
    let Some(added) = sum.plus_multiple(&kept, -1) else { return false };
    let added = domain.with_opposite(added);
    let stays = kept.variables().iter().any(|variable| added.variables().contains(variable));
    let is_known = |(monomial, _): &(Monomial, i64)| match monomial.variables() {
        [] => true,
        [carry] => side.under(domain, *carry).is_some(),
        _ => false,
    };
    !stays && added.terms().iter().all(is_known)
}

/// Under the condition the negative of a word, and else all ones less the word: told by the bit that says that the word is not zero.
fn negative_or_complement(
    domain: &mut Equations,
    condition: &Polynomial,
    changed: Variable,
    kept: &Polynomial,
) -> Option<Value> {
    if !domain.compiled {
        return None;
    }
    let (negative, (borrow, factor)) = domain.sum_of(changed)?;
    let [(word, -1)] = negative.terms() else { return None };
    if word.variables().len() != 1 {
        return None;
    }
    let less = negative.plus_multiple(kept, -1)?.as_constant().filter(|less| *less == -domain.ones())?;
    let moved = Polynomial::constant(less).plus_multiple(&Polynomial::variable(borrow), -factor)?;
    let word = kept.plus_multiple(&condition.times(&moved)?, 1)?;
    Some(domain.word_of(word))
}

/// All ones that are added to the kept word as 1 that is taken from it: what is borrowed is what does not leave the sum.
fn one_less(
    domain: &mut Equations,
    kept: &Polynomial,
    (sum, carry, factor): (&Polynomial, Variable, i64),
) -> Option<(Polynomial, (Variable, i64))> {
    let radix = domain.radix();
    let added = sum.plus_multiple(kept, -1)?.as_constant()?;
    if !domain.compiled || added != radix - 1 || factor != radix {
        return None;
    }
    let borrow = Polynomial::constant(1).plus_multiple(&Polynomial::variable(carry), -1)?;
    let borrow = domain.bit_of_polynomial(borrow);
    Some((kept.plus_multiple(&Polynomial::constant(1), -1)?, (borrow, -radix)))
}

fn guarded_in_steps(
    domain: &mut Equations,
    side: &mut Side,
    changed: Variable,
    kept: &Polynomial,
    steps: u32,
) -> Option<Variable> {
    let steps = steps.checked_sub(1)?;
    // of a shift, the kept word would not fit
    let (sum, (carry, factor)) = domain.sum_of(changed)?;
    let (sum, (carry, factor)) =
        one_less(domain, kept, (&sum, carry, factor)).unwrap_or((sum, (carry, factor)));
    side.touch(domain, sum.terms().len() + kept.terms().len())?;
    let added = domain.with_opposite(sum.plus_multiple(kept, -1)?);
    // the kept word must have cancelled: what is added is made of other things
    let is_added_to = !kept.variables().iter().any(|variable| added.variables().contains(variable));
    let (mut right, added) = if is_added_to {
        (kept.clone(), added)
    } else {
        // or a word of the sum was made of it before
        let words = sum.terms().iter().filter_map(|(monomial, factor)| match monomial.variables() {
            [word] if *factor == 1 && !word.is_bit() => Some(*word),
            _ => None,
        });
        let words: Vec<Variable> = words.collect();
        let before = words
            .into_iter()
            .find_map(|word| Some((word, guarded_in_steps(domain, side, word, kept, steps)?)));
        let (word, under) = before?;
        (Polynomial::variable(under), sum.plus_multiple(&Polynomial::variable(word), -1)?)
    };
    for (monomial, coefficient) in added.terms() {
        let known = match monomial.variables() {
            [carry] => {
                let known = side.under(domain, *carry);
                known.or_else(|| under_first(domain, side, *carry, steps))
            }
            _ => None,
        };
        let term = match known {
            Some(known) => known,
            None => {
                let term = Polynomial::from_terms(vec![(monomial.clone(), 1)])?;
                side.condition.times(&term)?
            }
        };
        side.touch(domain, right.terms().len() + term.terms().len())?;
        right = right.plus_multiple(&term, *coefficient)?;
    }
    let (low, under) = match side.made.get(&(right.clone(), factor)) {
        Some(made) => *made,
        None => {
            let under = domain.graph.variable(1);
            let low = domain.graph.variable(domain.ones() as u32);
            domain.graph.equate(Equation { low, high: Some((under, factor)), right: right.clone() });
            if domain.compiled {
                domain.note_under(under, &side.condition);
            }
            side.made.insert((right, factor), (low, under));
            (low, under)
        }
    };
    side.carries.insert(carry, under);
    Some(low)
}

/// A carry times the condition, where the word that it left is joined later: that word is made now.
fn under_first(domain: &mut Equations, side: &mut Side, carry: Variable, steps: u32) -> Option<Polynomial> {
    if !domain.compiled || !carry.is_bit() {
        return None;
    }
    let Equation { low, right, .. } = domain.graph.defining_high(carry.index())?.clone();
    // what was added to one word alone
    let mut words =
        right.terms().iter().filter(|(monomial, _)| monomial.variables().iter().any(|own| !own.is_bit()));
    let (Some((word, 1)), None) = (words.next(), words.next()) else { return None };
    let [kept] = word.variables() else { return None };
    guarded_in_steps(domain, side, low, &Polynomial::variable(*kept), steps)?;
    side.under(domain, carry)
}

/// Whether two flags are plainly the same one.
fn same(x: &Flag, y: &Flag) -> bool {
    match (x, y) {
        (Flag::Known(x), Flag::Known(y)) => x == y,
        (Flag::Polynomial(x), Flag::Polynomial(y)) => x == y,
        (Flag::Deferred(x, _), Flag::Deferred(y, _)) => Rc::ptr_eq(x, y),
        _ => false,
    }
}

fn flag(domain: &mut Equations, sides: &Sides, x: &Flag, y: &Flag) -> Flag {
    if same(x, y) {
        return x.clone();
    }
    // flags that nobody has computed yet on either side rarely matter
    let plain = |flag: &Flag| matches!(flag, Flag::Known(_) | Flag::Polynomial(_));
    if !plain(x) || !plain(y) {
        if !domain.ranking {
            return domain.new_bit();
        }
        let condition = Flag::Polynomial(Rc::new(sides.single[0].condition.clone()));
        return domain.defer(Deferred::Either(condition, x.clone(), y.clone()));
    }
    let carries = [x, y].map(|flag| domain.bit_polynomial(flag).as_variable());
    if let [Some(carry), Some(other)] = carries
        && let Some(either) = sides.both.get(&(carry, other))
    {
        return domain.flag_of(Polynomial::variable(*either));
    }
    let mut sum = Polynomial::zero();
    for (side, flag) in sides.single.iter().zip([x, y]) {
        let polynomial = domain.bit_polynomial(flag);
        let under = match polynomial.as_variable().and_then(|carry| side.carries.get(&carry)) {
            Some(under) => Some(Polynomial::variable(*under)),
            None => side.condition.times(&polynomial),
        };
        match under.and_then(|under| sum.plus_multiple(&under, 1)) {
            Some(longer) => sum = longer,
            None => return domain.new_bit(),
        }
    }
    match sum.terms().len() > MOST_TERMS_OF_FLAG {
        // what is joined once more would be twice as long
        true => Flag::Polynomial(Rc::new(Polynomial::variable(domain.bit_of_polynomial(sum)))),
        false => domain.flag_of(sum),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guarded_addition_stays_linear() {
        let mut domain = Equations::new(8);
        let (y, a) = (domain.input(), domain.input());
        let bit = domain.new_bit();
        let none = domain.bit(false);
        let (sum, carry) = domain.add(&y, &a, &none);
        let zero = domain.bit(false);
        let (words, flags) = join(&mut domain, &bit, &[(sum, y.clone())], &[(carry, zero)]);
        let Value::Variable(word) = words[0] else { panic!("{words:?}") };
        let equation = domain.graph.defining_low(word.index()).unwrap();
        let (under, _) = equation.high.unwrap();
        // y + g a, and the flag is the carry under the condition
        let (Value::Variable(y), Value::Variable(a)) = (y, a) else { panic!() };
        let condition = domain.bit_polynomial(&bit).as_variable().unwrap();
        let product = Monomial::variable(condition).times(&Monomial::variable(a));
        let right = Polynomial::from_terms(vec![(Monomial::variable(y), 1), (product, 1)]);
        let equation = domain.graph.defining_low(word.index()).unwrap();
        assert_eq!(Some(&equation.right), right.as_ref());
        assert_eq!(domain.bit_polynomial(&flags[0]).as_variable(), Some(under));
    }

    /// Both sides park their carries as masks: what is made of them later is tabulated.
    #[test]
    fn joined_masks_are_functions_of_bits() {
        let mut domain = Equations::new(8);
        let [bit, carry, borrow] = std::array::from_fn(|_| domain.new_bit());
        let zero = domain.word(0);
        let (mask, _) = domain.sub(&zero, &zero, &borrow);
        let one = domain.select(&carry, &Value::Known(1), &zero);
        let (words, _) = join(&mut domain, &bit, &[(one, mask)], &[]);
        let variables =
            [&bit, &carry, &borrow].map(|flag| domain.bit_polynomial(flag).as_variable().unwrap());
        let word = domain.polynomial(&words[0]).unwrap();
        assert_eq!(word.variables(), variables);
        for values in 0..8 {
            let [g, c, b] = [0, 1, 2].map(|place| values >> place & 1);
            let value = |variable| {
                if variables[0] == variable {
                    g
                } else if variables[1] == variable {
                    c
                } else {
                    b
                }
            };
            assert_eq!(word.evaluate(value), Some(if g == 1 { c.into() } else { 255 * i128::from(b) }));
        }
    }

    #[test]
    fn additions_to_the_same_word_on_both_sides_stay_linear() {
        let mut domain = Equations::new(8);
        let (z, a) = (domain.input(), domain.input());
        let (bit, carry_in) = (domain.new_bit(), domain.new_bit());
        // z + a + c, or z + c
        let zero = domain.word(0);
        let (sum, carry) = domain.add(&z, &a, &carry_in);
        let (instead, other) = domain.add(&z, &zero, &carry_in);
        let (words, flags) = join(&mut domain, &bit, &[(sum, instead)], &[(carry, other)]);
        let Value::Variable(word) = words[0] else { panic!("{words:?}") };
        let equation = domain.graph.defining_low(word.index()).unwrap().clone();
        let (either, factor) = equation.high.unwrap();
        let condition = domain.bit_polynomial(&bit).as_variable().unwrap();
        let carry_in = domain.bit_polynomial(&carry_in).as_variable().unwrap();
        let (Value::Variable(z), Value::Variable(a)) = (z, a) else { panic!() };
        let product = Monomial::variable(condition).times(&Monomial::variable(a));
        let right = Polynomial::from_terms(vec![
            (Monomial::variable(z), 1),
            (Monomial::variable(carry_in), 1),
            (product, 1),
        ]);
        assert_eq!((Some(&equation.right), factor), (right.as_ref(), 256));
        assert_eq!(domain.bit_polynomial(&flags[0]).as_variable(), Some(either));
    }
}
