use crate::facts::Facts;
use rhomb_poly::{Dyadic, Monomial, Variable, apply_known, sum_range};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A sum of monomials with exact coefficients, none of them zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Sum(BTreeMap<Monomial, Dyadic>);

impl Sum {
    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Its terms.
    pub fn terms(&self) -> impl Iterator<Item = (&Monomial, &Dyadic)> {
        self.0.iter()
    }

    /// Number of terms.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds a term.
    pub fn add(&mut self, monomial: &Monomial, factor: &Dyadic) {
        let entry = self.0.entry(monomial.clone()).or_insert(Dyadic::ZERO);
        *entry = entry.plus(factor);
        if entry.is_zero() {
            self.0.remove(monomial);
        }
    }

    /// Adds `factor * other`.
    pub fn add_multiple(&mut self, other: &Sum, factor: &Dyadic) {
        for (monomial, own) in &other.0 {
            self.add(monomial, &own.times(factor));
        }
    }

    /// Keeps the terms that satisfy the condition.
    pub fn retain(&mut self, keep: impl Fn(&Monomial, &Dyadic) -> bool) {
        self.0.retain(|monomial, factor| keep(monomial, factor));
    }

    /// All variables, ascending, each once.
    pub fn variables(&self) -> Vec<Variable> {
        let mut all: Vec<Variable> =
            self.0.keys().flat_map(|monomial| monomial.variables().iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The sum where the bits of `fixed`, and what is claimed, have their values.
    pub fn where_fixed(&self, facts: &Facts, fixed: &[(Variable, bool)]) -> Sum {
        let mut merged = Sum::default();
        for (monomial, factor) in self.terms() {
            let (rest, factor) = apply_known(monomial, factor, |own| known(facts, fixed, own));
            merged.add(&rest, &factor);
        }
        merged
    }

    /// Least and largest value, term by term, where the bits of `fixed` have the given values.
    pub fn range(&self, facts: &Facts, fixed: &[(Variable, bool)]) -> (Dyadic, Dyadic) {
        range(self.terms(), facts, fixed)
    }
}

/// Least and largest value of a sum of different monomials, term by term, where the bits of `fixed` have
/// the given values.
pub(crate) fn range<'s>(
    terms: impl Iterator<Item = (&'s Monomial, &'s Dyadic)>,
    facts: &Facts,
    fixed: &[(Variable, bool)],
) -> (Dyadic, Dyadic) {
    let known = |variable: &Variable| known(facts, fixed, variable);
    sum_range(terms.inspect(|_| facts.spend(1)), known, |variable| facts.graph.most(*variable))
}

/// The value of a variable, where it is fixed or claimed.
fn known(facts: &Facts, fixed: &[(Variable, bool)], variable: &Variable) -> Option<i64> {
    match fixed.iter().find(|(bit, _)| bit == variable) {
        Some((_, value)) => Some(i64::from(*value)),
        None => facts.claimed(variable.index()).map(i64::from),
    }
}

impl FromIterator<(Monomial, Dyadic)> for Sum {
    fn from_iter<I: IntoIterator<Item = (Monomial, Dyadic)>>(terms: I) -> Self {
        Sum(terms.into_iter().filter(|(_, factor)| !factor.is_zero()).collect())
    }
}
