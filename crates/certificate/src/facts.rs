use crate::lemma::Lemma;
use num_bigint::BigUint;
use rhomb_equations::{Equation, Graph};
use rhomb_poly::{Dyadic, Monomial, Sum, Variable, bounded_range};
use std::cell::Cell;
use std::collections::HashMap;

/// Terms that a proof, or the check of a certificate, may touch unless told otherwise: about a minute.
pub const EFFORT: u64 = 1_000_000_000;

/// How far beyond operands and result numbers may reach.
const MOST_TIMES: u32 = 8;

/// A modulus that is an argument, given as it is at the call.
#[derive(Clone, Debug)]
pub struct Argument {
    /// That its words are zero, which they are modulo it; the lowest is odd.
    pub zero: Lemma,
    /// -1 divided by the lowest word, modulo 2^w.
    pub inverse: Variable,
    /// The product of both, plus 1, divided by 2^w.
    pub quotient: Variable,
}

/// The equations of an execution, and what has been shown about its variables.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Equations.
    pub graph: Graph,
    word_bits: u32,
    claimed: Vec<Option<u8>>,
    lemmas: Vec<Lemma>,
    exclusions: Vec<Vec<(u32, bool)>>,
    /// The largest values of numbers, by the indices of their words.
    bounds: HashMap<Vec<u32>, BigUint>,
    /// The modulus, where it is an argument.
    pub argument: Option<Argument>,
    /// The lemmas in which a variable is a word, as (lemma, position), the newest last.
    words: Vec<Vec<(u32, u32)>>,
    /// Terms that may still be touched.
    effort: Cell<u64>,
    /// Bits that a number in a sum may reach to, above and below the point.
    most_bits: u32,
}

impl Facts {
    /// Nothing shown yet.
    pub fn new(graph: Graph, word_bits: u32) -> Self {
        let count = graph.len();
        Facts {
            graph,
            word_bits,
            claimed: vec![None; count],
            lemmas: Vec::new(),
            exclusions: Vec::new(),
            bounds: HashMap::new(),
            argument: None,
            words: vec![Vec::new(); count],
            effort: Cell::new(EFFORT),
            most_bits: 1 << 20,
        }
    }

    /// Lets so many terms be touched from now on. When they are used up, sums stay as they are: nothing
    /// more is shown.
    pub fn set_effort(&self, terms: u64) {
        self.effort.set(terms);
    }

    /// Counts terms that were touched.
    pub fn spend(&self, terms: usize) {
        self.effort.set(self.effort.get().saturating_sub(terms as u64));
    }

    /// Numbers that reach no further than so many times the bits of operands and result are all that a proof is made
    /// of.
    pub(crate) fn set_size(&mut self, bits: u32) {
        self.most_bits = MOST_TIMES * bits;
    }

    /// Whether a number reaches no further: adding to one that does takes long.
    pub(crate) fn is_near(&self, factor: &Dyadic) -> bool {
        u64::from(factor.exponent().unsigned_abs()) + 64 * factor.words() <= 64 + u64::from(self.most_bits)
    }

    /// What is made by touching fewer terms than so many; `None` where that many are not enough.
    pub fn within<T>(&self, terms: u64, make: impl FnOnce() -> T) -> Option<T> {
        let left = self.effort();
        let most = terms.min(left);
        self.set_effort(most);
        let made = make();
        let is_made = !self.is_exhausted();
        self.set_effort(left - (most - self.effort()));
        is_made.then_some(made)
    }

    /// Terms that may still be touched.
    pub fn effort(&self) -> u64 {
        self.effort.get()
    }

    /// Whether no more terms may be touched.
    pub fn is_exhausted(&self) -> bool {
        self.effort.get() == 0
    }

    /// Width of a word.
    pub fn word_bits(&self) -> u32 {
        self.word_bits
    }

    /// The constant that a claim has shown a variable to be.
    pub fn claimed(&self, index: usize) -> Option<u8> {
        self.claimed[index]
    }

    /// Values that bits never take together.
    pub fn exclusions(&self) -> &[Vec<(u32, bool)>] {
        &self.exclusions
    }

    /// Whether the bits never have these values together: two of them are 1 of which one at most is.
    pub(crate) fn is_excluded(&self, fixed: &[(Variable, bool)]) -> bool {
        let mut set: Vec<Variable> = fixed.iter().filter(|(_, value)| *value).map(|(bit, _)| *bit).collect();
        set.sort_unstable();
        self.graph.is_zero(&set)
    }

    /// All lemmas, the oldest first.
    pub fn lemmas(&self) -> &[Lemma] {
        &self.lemmas
    }

    /// What the lowest word of a modulus that is an argument is multiplied with, in a product with its inverse.
    pub(crate) fn beside_unit(&self, monomial: &Monomial) -> Option<(&Argument, Monomial)> {
        let argument = self.argument.as_ref()?;
        let lowest = self.graph.variable_at(argument.zero.words[0] as usize);
        // each pair makes two terms
        let both = |all: &[_]| all.len() <= 16 && all.contains(&lowest) && all.contains(&argument.inverse);
        both(monomial.variables()).then(|| (argument, monomial.without(lowest).without(argument.inverse)))
    }

    /// The low part of the lowest word of such a modulus, in a product with its inverse: its equation, and what it is multiplied with.
    pub(crate) fn part_beside_inverse(&self, monomial: &Monomial) -> Option<(&Equation, Monomial)> {
        let argument = self.argument.as_ref()?;
        let all = monomial.variables();
        let lowest = Some(self.graph.variable_at(argument.zero.words[0] as usize));
        let part = |own: &Variable| {
            let cut = self.graph.defining_low(own.index())?;
            (cut.right.as_variable() == lowest).then(|| (cut, monomial.without(*own)))
        };
        all.iter().filter(|_| all.contains(&argument.inverse)).find_map(part)
    }

    /// Whether a variable is a digit, a low part of multiples of the inverse, and not beside the lowest word of the modulus or a
    /// part of it.
    pub(crate) fn is_lone_digit(&self, index: usize, rest: &Monomial) -> bool {
        let Some(Argument { zero, inverse, .. }) = &self.argument else { return false };
        let names = |own: &Monomial, index: usize| own.variables().iter().any(|own| own.index() == index);
        let lowest = self.graph.variable_at(zero.words[0] as usize);
        let is_of_lowest = |own: &Variable| {
            let cuts = [self.graph.defining_low(own.index()), self.graph.defining_high(own.index())];
            *own == lowest || cuts.into_iter().flatten().any(|cut| cut.right.as_variable() == Some(lowest))
        };
        !rest.variables().iter().any(is_of_lowest)
            && self.graph.defining_low(index).is_some_and(|equation| {
                equation.right.terms().iter().all(|(monomial, _)| names(monomial, inverse.index()))
            })
    }

    /// The newest lemma in which the variable is a word, but for those that are `open`, and its position
    /// there.
    pub fn word_of(&self, index: usize, open: &[u32]) -> Option<(&Lemma, usize)> {
        let newest = self.words[index].iter().rev().find(|(lemma, _)| !open.contains(lemma))?;
        Some((&self.lemmas[newest.0 as usize], newest.1 as usize))
    }

    /// Whether a lemma says that the variable is zero.
    pub fn is_zero_word(&self, index: usize, open: &[u32]) -> bool {
        let zero = |lemma: &Lemma| lemma.words.len() == 1 && lemma.value.is_empty();
        index < self.words.len() && self.word_of(index, open).is_some_and(|(lemma, _)| zero(lemma))
    }

    /// Largest value of a variable.
    pub fn most(&self, variable: Variable) -> i64 {
        match self.claimed[variable.index()] {
            Some(value) => value.into(),
            None => self.graph.most(variable),
        }
    }

    /// The value of a variable, where it is fixed or claimed.
    fn known(&self, fixed: &[(Variable, bool)], variable: &Variable) -> Option<i64> {
        match fixed.iter().find(|(bit, _)| bit == variable) {
            Some((_, value)) => Some(i64::from(*value)),
            None => self.claimed(variable.index()).map(i64::from),
        }
    }

    /// A sum where the bits of `fixed`, and what is claimed, have their values.
    pub fn where_fixed(&self, sum: &Sum, fixed: &[(Variable, bool)]) -> Sum {
        sum.where_known(|variable| self.known(fixed, variable))
    }

    /// Least and largest value of a sum of different monomials, term by term, where the bits of `fixed` have the given
    /// values.
    pub fn range<'s>(
        &self,
        terms: impl Iterator<Item = (&'s Monomial, &'s Dyadic)>,
        fixed: &[(Variable, bool)],
    ) -> (Dyadic, Dyadic) {
        let known = |variable: &Variable| self.known(fixed, variable);
        let terms = terms.inspect(|_| self.spend(1));
        bounded_range(terms, self.graph.bounded_numbers(), known, |variable| self.graph.most(*variable))
    }

    /// The range of a sum in which squares of numbers that have bounds stand as a whole, where it says more than that of its terms.
    pub fn range_with_squares(&self, sum: &Sum) -> (Dyadic, Dyadic) {
        let mut ends = self.range(sum.terms(), &[]);
        for (words, most) in &self.bounds {
            let Some((below, [top])) = words.split_last_chunk() else { continue };
            let top = Monomial::variable(self.graph.variable_at(*top as usize));
            let Some(factor) = sum.get(&top.times(&top)) else { continue };
            let places = below.len() as i32 * self.word_bits as i32;
            let times = factor.shift(-2 * places);
            let words: Vec<Variable> =
                words.iter().map(|own| self.graph.variable_at(*own as usize)).collect();
            let number = Sum::number(&words, self.word_bits, &Dyadic::new(1, 0));
            let mut rest = sum.clone();
            for (one, weight) in number.terms() {
                for (other, own) in number.terms() {
                    rest.add(&one.times(other), &times.times(weight).times(own).negate());
                }
            }
            let most = Dyadic::whole(most.clone());
            let square = times.times(&most.times(&most));
            let (low, high) = self.range(rest.terms(), &[]);
            let (low, high) = match times.is_negative() {
                true => (low.plus(&square), high),
                false => (low, high.plus(&square)),
            };
            ends = (ends.0.max(low), ends.1.min(high));
        }
        ends
    }

    /// Takes a variable for a constant, unchecked: for who has just seen that it is.
    pub fn record_claim(&mut self, index: usize, value: u8) {
        self.claimed[index] = Some(value);
    }

    pub(crate) fn record_exclusion(&mut self, assignment: Vec<(u32, bool)>) {
        self.exclusions.push(assignment);
    }

    pub(crate) fn record_bound(&mut self, words: Vec<u32>, most: BigUint) {
        self.bounds.insert(words, most);
    }

    /// The largest value that the number of these words, lowest first, is known to have.
    pub(crate) fn bound(&self, words: &[u32]) -> Option<&BigUint> {
        self.bounds.get(words)
    }

    pub(crate) fn record_lemma(&mut self, lemma: Lemma) {
        let number = self.lemmas.len() as u32;
        for (position, word) in lemma.words.iter().enumerate() {
            self.words[*word as usize].push((number, position as u32));
        }
        self.lemmas.push(lemma);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BITS: u32 = 2;

    /// Against all values of a number of two words that has a bound, in sums in which its square, or part of it, stands; that of the square
    /// alone is exact.
    #[test]
    fn ranges_of_squares_hold() {
        let mut narrower = 0;
        for bound in 0..16i64 {
            for seed in 0..40i64 {
                let mut graph = Graph::default();
                let words = [0, 1].map(|_| graph.variable((1 << BITS) - 1));
                let factors = match seed {
                    0 => [1, 8, 16, 0, 0, 0],
                    1 => [-1, -8, -16, 0, 0, 0],
                    _ => [3, 7, 5, 2, 11, 13].map(|step| seed * step % 23 - 8),
                };
                let [low, high] = words.map(Monomial::variable);
                let products =
                    [low.times(&low), low.times(&high), high.times(&high), low, high, Monomial::one()];
                let mut sum = Sum::default();
                products.iter().zip(factors).for_each(|(own, by)| sum.add(own, &Dyadic::new(by, 0)));
                let mut facts = Facts::new(graph, BITS);
                facts.record_bound(words.map(|own| own.index() as u32).to_vec(), BigUint::from(bound as u64));
                let (least, most) = facts.range_with_squares(&sum);
                let values = (0..=bound).map(|number| {
                    let (low, high) = (number % 4, number / 4);
                    let products = [low * low, low * high, high * high, low, high, 1];
                    products.iter().zip(factors).map(|(own, by)| own * by).sum::<i64>()
                });
                let (low, high) = (values.clone().min().unwrap(), values.max().unwrap());
                let (low, high) = (Dyadic::new(low, 0), Dyadic::new(high, 0));
                assert!(least <= low && high <= most, "{bound} {factors:?}");
                assert!(seed > 1 || (least, most.clone()) == (low, high), "{bound} {factors:?}");
                narrower += u32::from(most < facts.range(sum.terms(), &[]).1);
            }
        }
        assert!(narrower > 50, "{narrower}");
    }
}
