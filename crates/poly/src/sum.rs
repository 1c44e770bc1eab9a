//! Sums with exact coefficients, dyadic fractions.

use crate::{Dyadic, Monomial, Variable, apply_known};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A sum of monomials with exact coefficients, none of them zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Sum(BTreeMap<Monomial, Dyadic>);

impl Sum {
    /// The number that words of so many bits are together, the lowest first, times `factor`.
    pub fn number(words: &[Variable], bits: u32, factor: &Dyadic) -> Sum {
        let terms = (0..).step_by(bits as usize).zip(words);
        terms.map(|(places, word)| (Monomial::variable(*word), factor.shift(places))).collect()
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Its terms.
    pub fn terms(&self) -> impl Iterator<Item = (&Monomial, &Dyadic)> {
        self.0.iter()
    }

    /// The coefficient of a monomial that stands in it.
    pub fn get(&self, monomial: &Monomial) -> Option<&Dyadic> {
        self.0.get(monomial)
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

    /// The sum where some variables have `known` values.
    pub fn where_known(&self, known: impl Fn(&Variable) -> Option<i64>) -> Sum {
        let mut merged = Sum::default();
        for (monomial, factor) in self.terms() {
            let (rest, factor) = apply_known(monomial, factor, &known);
            merged.add(&rest, &factor);
        }
        merged
    }
}

impl FromIterator<(Monomial, Dyadic)> for Sum {
    fn from_iter<I: IntoIterator<Item = (Monomial, Dyadic)>>(terms: I) -> Self {
        Sum(terms.into_iter().filter(|(_, factor)| !factor.is_zero()).collect())
    }
}
