//! Substitution of equations into a sum, youngest variable first.

use crate::facts::Facts;
use crate::lemma::Lemma;
use rhomb_equations::Equation;
use rhomb_poly::{Dyadic, Monomial, Polynomial, Sum, Variable};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Which variables are replaced, always by something equal to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// `low := right - factor * high`: what remains of an identity are carries and high words that
    /// nothing took up.
    Identity,
    /// `high := (right - low) / factor`, in linear terms: sums telescope, only words remain, and their
    /// ranges bound the sum.
    Telescoped,
    /// As `Telescoped`, and words that lost no carry are replaced by what was added.
    Expanded,
    /// As `Expanded`, and words whose carry went elsewhere are replaced by the whole sum, which is at
    /// least (at most, for a subtraction) the word: the outcome is not equal to the sum but bounds it
    /// from above.
    Above,
    /// The same from below.
    Below,
}

/// Products of a sum at which substitution is given up.
const MOST_PRODUCTS: usize = 1 << 19;

/// Most steps in which the value of a bit follows from those of others.
const MOST_FIXED: usize = 3;

/// A sum under substitution.
pub struct Reduction<'facts> {
    facts: &'facts Facts,
    view: View,
    /// Lemmas that are not used.
    open: Vec<u32>,
    /// Variables that stay.
    kept: Vec<Variable>,
    /// Bits that have these values.
    fixed: Vec<(Variable, bool)>,
    /// Variables from here on are replaced, older ones stay, and so do those from `ceiling` on.
    floor: usize,
    ceiling: usize,
    constant: Dyadic,
    /// Coefficients of the variables that may be replaced, the youngest first, up to the oldest that occurs.
    young: Vec<Dyadic>,
    /// How many of them are replaced already.
    done: usize,
    others: BTreeMap<Variable, Dyadic>,
    products: FxHashMap<Monomial, Dyadic>,
    /// Of a modulus that is an argument: multiples are nothing; digits stay as they are.
    congruent: bool,
    digits_stay: bool,
    /// Products by their youngest replaceable variable.
    pending: BTreeMap<usize, Vec<Monomial>>,
}

impl<'facts> Reduction<'facts> {
    /// An empty sum. Variables from `floor` on and below `ceiling` are replaced, others stay.
    pub fn new(facts: &'facts Facts, view: View, floor: usize, ceiling: usize) -> Self {
        let ceiling = ceiling.min(facts.graph.len());
        let floor = floor.min(ceiling);
        Reduction {
            facts,
            view,
            open: Vec::new(),
            kept: Vec::new(),
            fixed: Vec::new(),
            floor,
            ceiling,
            constant: Dyadic::ZERO,
            young: Vec::new(),
            done: 0,
            others: BTreeMap::new(),
            products: FxHashMap::default(),
            congruent: false,
            digits_stay: false,
            pending: BTreeMap::new(),
        }
    }

    /// Leaves the digits of a modulus that is an argument as they are, and looks for a congruence only.
    pub fn keep_digits(&mut self, congruent: bool) {
        (self.digits_stay, self.congruent) = (true, congruent);
    }

    /// Replaces older variables too, from `floor` on; not for [`View::Identity`].
    pub fn lower(&mut self, floor: usize) {
        self.floor = floor.min(self.floor);
        for (variable, factor) in std::mem::take(&mut self.others) {
            self.add_variable(variable, &factor);
        }
    }

    /// Adds `factor * polynomial`.
    pub fn add(&mut self, polynomial: &Polynomial, factor: &Dyadic) {
        for (monomial, own) in polynomial.terms() {
            self.add_term(monomial, &factor.scale(*own));
        }
    }

    /// Adds `factor * monomial`.
    pub fn add_term(&mut self, monomial: &Monomial, factor: &Dyadic) {
        if factor.is_zero() {
            return;
        }
        self.facts.spend(factor.words() as usize + monomial.variables().len());
        if !self.facts.is_near(factor) {
            self.facts.set_effort(0);
        }
        match monomial.variables() {
            [] => self.constant = self.constant.plus(factor),
            [variable] => match self.told_by_others(*variable) {
                Some(value) => self.constant = self.constant.plus(&factor.scale(value)),
                None => self.add_variable(*variable, factor),
            },
            _ if self.fixed.is_empty() => self.add_product(monomial, factor),
            all => match all.iter().find_map(|own| Some((*own, self.fixed_value(*own, MOST_FIXED)?))) {
                Some((bit, value)) => self.add_term(&monomial.without(bit), &factor.scale(value)),
                None => self.add_product(monomial, factor),
            },
        }
    }

    /// The value of a bit that is a sum of others, where these have theirs.
    fn told_by_others(&self, bit: Variable) -> Option<i64> {
        let is_fixed = |(own, _): &(Variable, bool)| *own == bit;
        if self.fixed.is_empty() || !bit.is_bit() || self.fixed.iter().any(is_fixed) {
            return None;
        }
        let equation = self.facts.graph.defining_low(bit.index())?;
        if equation.high.is_none() { self.fixed_value(bit, MOST_FIXED) } else { None }
    }

    /// The value that a bit has where others have theirs: one of these, a constant, or a sum of such, of so many steps.
    fn fixed_value(&self, bit: Variable, steps: usize) -> Option<i64> {
        if !bit.is_bit() {
            return None;
        }
        let own = self.fixed.iter().find(|(own, _)| *own == bit).map(|(_, value)| i64::from(*value));
        let own = own.or_else(|| self.facts.claimed(bit.index()).map(i64::from));
        own.or_else(|| {
            let steps = steps.checked_sub(1)?;
            let equation = self.facts.graph.defining_low(bit.index()).filter(|own| own.high.is_none())?;
            let mut terms = equation.right.terms().iter();
            self.facts.spend(terms.len());
            terms.try_fold(0i64, |sum, (product, factor)| {
                let mut bits = product.variables().iter();
                let value =
                    bits.try_fold(*factor, |value, own| value.checked_mul(self.fixed_value(*own, steps)?))?;
                sum.checked_add(value)
            })
        })
    }

    fn add_variable(&mut self, variable: Variable, factor: &Dyadic) {
        // those beyond the ceiling wrap around
        let at = self.ceiling.wrapping_sub(1 + variable.index());
        let entry = if at < self.bound() {
            if at >= self.young.len() {
                self.young.resize(at + 1, Dyadic::ZERO);
            }
            &mut self.young[at]
        } else {
            self.others.entry(variable).or_insert(Dyadic::ZERO)
        };
        *entry = entry.plus(factor);
    }

    /// The number of variables that may be replaced.
    fn bound(&self) -> usize {
        self.ceiling - self.floor
    }

    fn add_product(&mut self, monomial: &Monomial, factor: &Dyadic) {
        if let Some(entry) = self.products.get_mut(monomial) {
            *entry = entry.plus(factor);
            return;
        }
        let facts = self.facts;
        if facts.graph.is_zero(monomial.variables()) {
            return;
        }
        if let Some((argument, rest)) = facts.beside_unit(monomial) {
            let whole = factor.shift(facts.word_bits() as i32);
            self.add_term(&rest.times(&Monomial::variable(argument.quotient)), &whole);
            return self.add_term(&rest, &factor.negate());
        }
        // at once, so that what is beside both parts is the same
        if let Some((cut, rest)) = facts.part_beside_inverse(monomial).filter(|_| self.view == View::Identity)
        {
            let whole = cut.right.terms().iter().cloned();
            let high = cut.high.map(|(high, by)| (Monomial::variable(high), -by));
            return whole
                .chain(high)
                .for_each(|(own, by)| self.add_term(&own.times(&rest), &factor.scale(by)));
        }
        self.products.insert(monomial.clone(), factor.clone());
        if self.view == View::Identity {
            let range = self.floor..self.ceiling;
            let mut young = monomial.variables().iter().rev().filter(|own| range.contains(&own.index()));
            if let Some(top) = young.find(|own| self.replaceable(own.index(), &monomial.without(**own))) {
                self.pending.entry(top.index()).or_default().push(monomial.clone());
            }
        }
    }

    /// By what a variable is replaced beside others.
    fn replacement(&self, index: usize, rest: &Monomial) -> Option<Replacement<'facts>> {
        if self.kept.iter().any(|kept| kept.index() == index) {
            return None;
        }
        if let Some((lemma, position)) = self.facts.word_of(index, &self.open) {
            let replaced = match self.view {
                View::Identity => position == 0,
                View::Telescoped | View::Expanded | View::Above | View::Below => {
                    position + 1 == lemma.words.len()
                }
            };
            return replaced.then_some(Replacement::Lemma(lemma, position));
        }
        let zero = self.facts.argument.as_ref().map(|argument| &argument.zero);
        if let Some(zero) = zero.filter(|zero| self.congruent && zero.words[0] as usize == index) {
            return Some(Replacement::Lemma(zero, 0));
        }
        let one = Monomial::one();
        let beside = if self.digits_stay { &one } else { rest };
        if self.view == View::Identity && self.facts.is_lone_digit(index, beside) {
            return None;
        }
        let graph = &self.facts.graph;
        let low = || graph.defining_low(index).map(Replacement::Low);
        let high = || graph.defining_high(index).map(Replacement::High);
        match self.view {
            // where nothing is left below, the high part is a quotient without rest
            View::Identity if self.facts.is_zero_word(index + 1, &self.open) => low().or_else(high),
            View::Identity => low(),
            View::Telescoped => high(),
            View::Expanded | View::Above | View::Below => {
                let settled = graph.defining_low(index).is_some_and(|equation| {
                    equation.high.is_none_or(|(high, _)| self.facts.claimed(high.index()).is_some())
                });
                if settled { low() } else { high() }
            }
        }
    }

    fn replaceable(&self, index: usize, rest: &Monomial) -> bool {
        self.facts.claimed(index).is_some() || self.replacement(index, rest).is_some()
    }

    /// Leaves these variables as they are.
    pub fn keep(&mut self, variables: &[Variable]) {
        self.kept = variables.to_vec();
    }

    /// Leaves these bits as they are where they stand alone, and lets them have these values in products: what a product is with
    /// them is replaced as if it stood alone.
    pub fn fix(&mut self, bits: &[(Variable, bool)]) {
        self.kept = bits.iter().map(|(bit, _)| *bit).collect();
        self.fixed = bits.to_vec();
    }

    /// Uses lemmas but for these, by number.
    pub fn leave_open(&mut self, open: &[u32]) {
        self.open = open.to_vec();
    }

    /// Adds `factor * sum`.
    pub fn add_sum(&mut self, sum: &Sum, factor: &Dyadic) {
        for (monomial, own) in sum.terms() {
            self.add_term(monomial, &own.times(factor));
        }
    }

    /// Substitutes until nothing is left to replace.
    pub fn substitute(&mut self) {
        let (facts, one) = (self.facts, Monomial::one());
        while self.done < self.bound() {
            // where no variable stands alone any more, the next one is that of a product
            if self.done >= self.young.len() {
                let Some((top, _)) = self.pending.last_key_value() else { break };
                self.done = self.done.max(self.ceiling - 1 - top);
            }
            let at = self.done;
            let index = self.ceiling - 1 - at;
            // what is left as it stands is still right, only not proved
            if self.products.len() > MOST_PRODUCTS || self.facts.is_exhausted() {
                return;
            }
            self.relax(at);
            if self.young.get(at).is_some_and(|factor| !factor.is_zero()) && self.replaceable(index, &one) {
                let factor = std::mem::replace(&mut self.young[at], Dyadic::ZERO);
                self.replace(index, &one, &factor);
            }
            // replacing one of two equal variables leaves a product that is pending again
            while let Some(youngest) = self.pending.last_entry().filter(|entry| *entry.key() >= index) {
                // a lemma may bring in a variable that is past: its products stay
                let (top, monomials) = youngest.remove_entry();
                for monomial in monomials.into_iter().filter(|_| top == index && !facts.is_exhausted()) {
                    let Some(factor) = self.products.remove(&monomial) else { continue };
                    let Some(variable) = monomial.variables().iter().find(|own| own.index() == index) else {
                        continue;
                    };
                    if !factor.is_zero() {
                        self.replace(index, &monomial.without(*variable), &factor);
                    }
                }
            }
            self.done += 1;
        }
        self.done = self.bound();
    }

    /// Least and largest value, term by term.
    pub fn range(&self) -> (Dyadic, Dyadic) {
        let young = self.young.iter().enumerate().filter(|(_, factor)| !factor.is_zero());
        let young = young.map(|(at, factor)| (self.facts.graph.variable_at(self.ceiling - 1 - at), factor));
        let linear = self.others.iter().map(|(variable, factor)| (*variable, factor)).chain(young);
        let linear: Vec<_> =
            linear.map(|(variable, factor)| (Monomial::variable(variable), factor)).collect();
        let one = Monomial::one();
        let linear = linear.iter().map(|(monomial, factor)| (monomial, *factor));
        self.facts.range(linear.chain(&self.products).chain([(&one, &self.constant)]), &[])
    }

    /// The sum, after substitution.
    pub fn finish(mut self) -> Sum {
        self.substitute();
        let (ceiling, graph) = (self.ceiling, &self.facts.graph);
        let young = self.young.into_iter().enumerate().filter(|(_, factor)| !factor.is_zero());
        let young = young.map(|(at, factor)| (graph.variable_at(ceiling - 1 - at), factor));
        let linear = self.others.into_iter().chain(young);
        let linear = linear.map(|(variable, factor)| (Monomial::variable(variable), factor));
        linear.chain(self.products).chain([(Monomial::one(), self.constant)]).collect()
    }

    /// Replaces a word by its whole sum where that can only move the bound outwards.
    fn relax(&mut self, at: usize) {
        let index = self.ceiling - 1 - at;
        // the carry is next older
        let carry = at + 1;
        let is_zero = |at: usize| self.young.get(at).is_none_or(Dyadic::is_zero);
        if is_zero(at) && is_zero(carry) {
            return;
        }
        let upwards = match self.view {
            View::Above => true,
            View::Below => false,
            View::Identity | View::Telescoped | View::Expanded => return,
        };
        let facts = self.facts;
        let Some(equation) = facts.graph.defining_low(index) else { return };
        let Some((high, by)) = equation.high.filter(|(high, _)| high.is_bit()) else { return };
        let lemma = facts.word_of(index, &self.open).is_some();
        if lemma || facts.claimed(high.index()).is_some() || carry == self.bound() {
            return;
        }
        // it takes its share of the word first; where a lemma keeps it, it stays
        if self.young.get(carry).is_some_and(|carried| !carried.is_zero()) {
            let carried = std::mem::replace(&mut self.young[carry], Dyadic::ZERO);
            self.replace(high.index(), &Monomial::one(), &carried);
        }
        // low = right - by * high: leaving the high part out adds factor * by * high
        let factor = &self.young[at];
        if !factor.is_zero() && (factor.is_negative() == (by < 0)) == upwards {
            let factor = std::mem::replace(&mut self.young[at], Dyadic::ZERO);
            self.add(&equation.right, &factor);
        }
    }

    /// Adds `factor * rest * (what the variable is equal to)`.
    fn replace(&mut self, index: usize, rest: &Monomial, factor: &Dyadic) {
        if let Some(value) = self.facts.claimed(index) {
            self.add_term(rest, &factor.scale(value.into()));
            return;
        }
        let facts = self.facts;
        let Some(replacement) = self.replacement(index, rest) else {
            return self.add_term(&rest.times(&Monomial::variable(facts.graph.variable_at(index))), factor);
        };
        facts.spend(self.open.len() + self.kept.len());
        // of a high part: something is left below
        let rests = !facts.is_zero_word(index + 1, &self.open);
        let mut add = |monomial: &Monomial, by: &Dyadic| match rest.variables() {
            [] => self.add_term(monomial, by),
            _ => self.add_term(&monomial.times(rest), by),
        };
        match replacement {
            Replacement::Low(equation) => {
                for (monomial, own) in equation.right.terms() {
                    add(monomial, &factor.scale(*own));
                }
                if let Some((high, by)) = equation.high {
                    add(&Monomial::variable(high), &factor.scale(-by));
                }
            }
            Replacement::High(equation) => {
                let Some((_, divisor)) = equation.high else { return };
                // the divisor is a power of two, with the sign of its direction
                let places = divisor.unsigned_abs().trailing_zeros() as i32;
                let factor = factor.shift(-places).scale(divisor.signum());
                for (monomial, own) in equation.right.terms() {
                    add(monomial, &factor.scale(*own));
                }
                if rests {
                    add(&Monomial::variable(equation.low), &factor.negate());
                }
            }
            Replacement::Lemma(lemma, position) => {
                // weights are powers of two: dividing by the word's own is exact
                let bits = facts.word_bits() as i32;
                let factor = factor.shift(-bits * position as i32);
                for (monomial, own) in lemma.value.terms() {
                    add(monomial, &own.times(&factor));
                }
                let minus = factor.negate();
                for (other, word) in lemma.variables(facts).into_iter().enumerate() {
                    if other != position {
                        add(&Monomial::variable(word), &minus.shift(bits * other as i32));
                    }
                }
            }
        }
    }
}

/// By what a variable is replaced.
#[derive(Clone, Copy)]
enum Replacement<'facts> {
    /// It is the low part.
    Low(&'facts Equation),
    /// It is the high part.
    High(&'facts Equation),
    /// It is the word of a lemma at this position.
    Lemma(&'facts Lemma, usize),
}
