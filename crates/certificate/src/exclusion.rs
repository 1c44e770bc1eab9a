//! Exclusions: values that some bits never take together.
//!
//! A function of carries that lie far apart is tabulated over all their values, also over those that
//! cannot occur. What remains of a statement then need not vanish on these.

use crate::claim::Manner;
use crate::facts::Facts;
use crate::modulo::Modulo;
use crate::reduce::{Reduction, View};
use rhomb_equations::Equation;
use rhomb_poly::{Dyadic, Monomial, Sum, Variable};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Most bits over whose values a remainder is looked at.
pub const MOST_BITS_AT_ONCE: usize = 14;

/// That these bits never have these values together.
///
/// Some of them are carries, or the lowest bits of words. A sum of multiples of these is replaced by what they are
/// defined by, a carry's divided by its radix; with all bits fixed, its range does not reach the value that the
/// assignment wants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exclusion {
    /// Bits by index, and their values.
    pub assignment: Vec<(u32, bool)>,
    /// Those of them whose definitions are added up, and how often.
    pub combined: Vec<(u32, i8)>,
    /// What is replaced.
    pub manner: Manner,
    /// In products, variables older than this one stay.
    pub floor: u32,
    /// Lemmas, by number, that are not used.
    pub open: Vec<u32>,
}

impl Exclusion {
    /// Checks the exclusion and records it.
    pub fn accept(&self, facts: &mut Facts) -> bool {
        let holds = self.holds(facts);
        if holds {
            facts.record_exclusion(self.assignment.clone());
        }
        holds
    }

    /// Whether it follows.
    pub fn holds(&self, facts: &Facts) -> bool {
        let Some(sum) = self.excess(facts) else { return false };
        let (least, most) = facts.range_with_squares(&sum);
        most.is_negative() || Dyadic::ZERO < least
    }

    /// By how much the sum exceeds the value that the assignment wants: zero where the assignment holds.
    /// `None` where the indices do not fit, or what is replaced is not equal.
    pub fn excess(&self, facts: &Facts) -> Option<Sum> {
        let graph = &facts.graph;
        let bit = |index: u32| ((index as usize) < graph.len()).then(|| graph.variable_at(index as usize));
        let fixed: Vec<(Variable, bool)> = self
            .assignment
            .iter()
            .map(|(index, value)| Some((bit(*index)?, *value)))
            .collect::<Option<_>>()?;
        let mut bits: Vec<Variable> = fixed.iter().map(|(bit, _)| *bit).collect();
        bits.sort_unstable();
        bits.dedup();
        if bits.len() != fixed.len() || bits.iter().any(|bit| !bit.is_bit()) {
            return None;
        }
        let view = match self.manner {
            Manner::Telescoped => View::Telescoped,
            Manner::Expanded => View::Expanded,
            Manner::Relaxed => return None,
        };
        let mut reduction = Reduction::new(facts, view, 0, graph.len());
        reduction.fix(&fixed);
        reduction.leave_open(&self.open);
        let mut wanted = 0;
        for (index, times) in &self.combined {
            let (_, value) = fixed.iter().find(|(bit, _)| bit.index() == *index as usize)?;
            wanted += i64::from(*times) * i64::from(*value);
            let index = *index as usize;
            if let Some(equation) = graph.defining_high(index) {
                let (_, radix) = equation.high?;
                // high = (right - low) / radix
                let places = radix.unsigned_abs().trailing_zeros() as i32;
                let factor = Dyadic::new(radix.signum() * i64::from(*times), 0).shift(-places);
                reduction.add(&equation.right, &factor);
                reduction.add_term(&Monomial::variable(equation.low), &factor.negate());
            } else {
                // low = right - radix * high
                let Equation { high, right, .. } = graph.defining_low(index)?;
                reduction.add(right, &Dyadic::new((*times).into(), 0));
                if let Some((high, radix)) = high {
                    let factor = Dyadic::new(-radix, 0).scale((*times).into());
                    reduction.add_term(&Monomial::variable(*high), &factor);
                }
            }
        }
        // nested products are written out in inputs; words that stand alone stay, for their ranges
        let mut products = Reduction::new(facts, View::Identity, self.floor as usize, graph.len());
        products.fix(&fixed);
        products.keep_digits(false);
        products.leave_open(&self.open);
        let mut sum = Sum::default();
        for (monomial, factor) in reduction.finish().terms() {
            match monomial.variables() {
                [] | [_] => sum.add(monomial, factor),
                _ => products.add_term(monomial, factor),
            }
        }
        sum.add_multiple(&products.finish(), &Dyadic::new(1, 0));
        sum.add(&Monomial::one(), &Dyadic::new(-wanted, 0));
        Some(facts.where_fixed(&sum, &fixed))
    }
}

/// Whether a sum is zero, or a multiple of what it may be, for all values of its variables that are not
/// excluded.
pub fn vanishes(sum: &Sum, facts: &Facts, modulo: &Modulo) -> bool {
    open_assignments(sum, facts, modulo).is_some_and(|open| open.is_empty())
}

/// Values of bits for which a sum need not vanish; `None` where there are too many bits to look.
pub fn open_assignments(sum: &Sum, facts: &Facts, modulo: &Modulo) -> Option<Vec<Vec<(u32, bool)>>> {
    let zero = |factor: &Dyadic| modulo.ignores(factor);
    // coefficients of each product of words, as functions of bits
    let mut groups: BTreeMap<Monomial, Vec<(Vec<Variable>, Dyadic)>> = BTreeMap::new();
    for (monomial, factor) in sum.terms().filter(|(_, factor)| !zero(factor)) {
        let (bits, words): (Vec<Variable>, Vec<Variable>) =
            monomial.variables().iter().partition(|variable| variable.is_bit());
        let words = words.iter().fold(Monomial::one(), |rest, word| rest.times(&Monomial::variable(*word)));
        groups.entry(words).or_default().push((bits, factor.clone()));
    }
    let mut open: BTreeSet<Vec<(u32, bool)>> = BTreeSet::new();
    for terms in groups.values() {
        let mut bits: BTreeSet<Variable> = terms.iter().flat_map(|(bits, _)| bits.iter().copied()).collect();
        // exclusions that say something about these bits may name others
        for exclusion in facts.exclusions() {
            let others = exclusion.iter().map(|(index, _)| facts.graph.variable_at(*index as usize));
            if others.clone().any(|bit| bits.contains(&bit))
                && bits.len() + exclusion.len() <= MOST_BITS_AT_ONCE
            {
                bits.extend(others);
            }
        }
        if bits.len() > MOST_BITS_AT_ONCE {
            return None;
        }
        let bits: Vec<Variable> = bits.into_iter().collect();
        for assignment in 0..1usize << bits.len() {
            facts.spend(terms.len() + facts.exclusions().len());
            if facts.is_exhausted() {
                return None;
            }
            let value = |bit: &Variable| bits.binary_search(bit).is_ok_and(|at| assignment >> at & 1 == 1);
            let total = terms
                .iter()
                .filter(|(factors, _)| factors.iter().all(value))
                .fold(Dyadic::ZERO, |total, (_, factor)| total.plus(factor));
            if zero(&total) {
                continue;
            }
            let excluded = facts.exclusions().iter().any(|exclusion| {
                exclusion.iter().all(|(index, wanted)| {
                    let bit = facts.graph.variable_at(*index as usize);
                    bits.binary_search(&bit).is_ok() && value(&bit) == *wanted
                })
            });
            let excluded = excluded || {
                let fixed: Vec<(Variable, bool)> = bits.iter().map(|bit| (*bit, value(bit))).collect();
                facts.is_excluded(&fixed)
            };
            if !excluded {
                open.insert(bits.iter().map(|bit| (bit.index() as u32, value(bit))).collect());
            }
        }
    }
    Some(open.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rhomb_equations::Graph;
    use rhomb_poly::Polynomial;

    fn polynomial(constant: i64, terms: &[(&[Variable], i64)]) -> Polynomial {
        let product = |own: &&[Variable]| {
            own.iter().fold(Monomial::one(), |product, own| product.times(&Monomial::variable(*own)))
        };
        let terms = terms.iter().map(|(own, factor)| (product(own), *factor));
        Polynomial::from_terms(terms.chain([(Monomial::one(), constant)]).collect()).unwrap()
    }

    /// What is excluded of one bit says nothing of a sum of others.
    #[test]
    fn an_exclusion_says_nothing_of_other_bits() {
        let mut graph = Graph::default();
        let [x, z] = [0, 1].map(|_| graph.variable(1));
        let mut sum = Sum::default();
        sum.add(&Monomial::variable(x), &Dyadic::new(1, 0));
        let vanishes_without = |bit: Variable, value: bool| {
            let mut facts = Facts::new(graph.clone(), 8);
            facts.record_exclusion(vec![(bit.index() as u32, value)]);
            vanishes(&sum, &facts, &Modulo::Nothing)
        };
        assert!(vanishes_without(x, true));
        assert!(!vanishes_without(x, false) && !vanishes_without(z, true) && !vanishes_without(z, false));
    }

    /// What a product with a given bit is, is replaced as if it stood alone; also where that bit follows from a given one. Nothing
    /// follows from this that does not hold.
    #[test]
    fn given_bits_have_their_values_in_products() {
        let mut graph = Graph::default();
        let x = graph.variable(255);
        let m = graph.variable(1);
        let n = graph.variable(1);
        graph.equate(Equation { low: n, high: None, right: polynomial(1, &[(&[m], -1)]) });
        let mut equated = |factor, right| {
            let (high, low) = (graph.variable(1), graph.variable(255));
            graph.equate(Equation { low, high: Some((high, factor)), right });
            high
        };
        // t: x is below 200; u and v: it is, and m is 1 or 0; s: it is not
        let t = equated(-256, polynomial(-200, &[(&[x], 1)]));
        let u = equated(256, polynomial(0, &[(&[m, t], 256)]));
        let v = equated(256, polynomial(0, &[(&[n, t], 256)]));
        let s = equated(256, polynomial(56, &[(&[x], 1)]));
        let facts = Facts::new(graph, 8);
        let holds = |bits: &[(Variable, bool)], combined: &[(Variable, i8)]| {
            let index = |own: &Variable| own.index() as u32;
            let one = Exclusion {
                assignment: bits.iter().map(|(bit, value)| (index(bit), *value)).collect(),
                combined: combined.iter().map(|(bit, times)| (index(bit), *times)).collect(),
                manner: Manner::Telescoped,
                floor: 0,
                open: Vec::new(),
            };
            one.holds(&facts)
        };
        assert!(holds(&[(m, true), (s, true), (u, true)], &[(s, 1), (u, 1)]));
        assert!(holds(&[(m, false), (s, true), (v, true)], &[(s, 1), (v, 1)]));
        // what may be
        for (bit, is_set) in [(u, true), (v, false)] {
            for (first, second) in [(true, false), (false, true)] {
                for times in [[1, 1], [1, -1], [-1, 1], [1, 0], [0, 1]] {
                    let bits = [(m, is_set), (s, first), (bit, second)];
                    assert!(!holds(&bits, &[(s, times[0]), (bit, times[1])]), "{is_set} {first} {times:?}");
                }
            }
        }
        // not without the bit that decides
        assert!(!holds(&[(s, true), (u, true)], &[(s, 1), (u, 1)]));
    }
}
