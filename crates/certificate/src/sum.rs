use crate::facts::Facts;
use rhomb_poly::{Dyadic, Monomial, Variable, bilinear_range};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A sum of monomials with exact coefficients, none of them zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Sum(BTreeMap<Monomial, Dyadic>);

impl Sum {
    /// 0.
    pub fn zero() -> Self {
        Sum::default()
    }

    /// Whether nothing is left.
    pub fn is_zero(&self) -> bool {
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

    /// Whether nothing is left, as [`Sum::is_zero`].
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The coefficient of a monomial.
    pub fn coefficient(&self, monomial: &Monomial) -> Dyadic {
        self.0.get(monomial).cloned().unwrap_or(Dyadic::ZERO)
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
        let most = |variable: &Variable| match fixed.iter().find(|(bit, _)| bit == variable) {
            Some((_, value)) => i64::from(*value),
            None => facts.most(*variable),
        };
        let known = |variable: &Variable| {
            fixed.iter().any(|(bit, _)| bit == variable) || facts.claimed(variable.index()).is_some()
        };
        let mut merged = Sum::zero();
        for (monomial, factor) in &self.0 {
            let factor = monomial
                .variables()
                .iter()
                .filter(|variable| known(variable))
                .fold(factor.clone(), |product, variable| product.scale(most(variable)));
            let rest = monomial.variables().iter().filter(|variable| !known(variable));
            let rest =
                rest.fold(Monomial::one(), |rest, variable| rest.times(&Monomial::variable(*variable)));
            if !factor.is_zero() {
                merged.add(&rest, &factor);
            }
        }
        merged
    }

    /// Least and greatest value where the bits of `fixed` have the given values.
    pub fn range(&self, facts: &Facts, fixed: &[(Variable, bool)]) -> (Dyadic, Dyadic) {
        // terms that become equal by fixing bits belong together
        let merged = self.where_fixed(facts, fixed);
        let most = |variable: &Variable| facts.most(*variable);
        // products of two words are bounded together, where that is possible, and with words that stand
        // alone beside them; what is bounded in several ways lies in all of these ranges
        let (low, high) = merged.apart(|_| true, most);
        let (mut ends, mut words) = ((low, high), BTreeSet::new());
        let mut products = Vec::new();
        for (monomial, factor) in &merged.0 {
            if let [x, y] = monomial.variables()
                && x != y
            {
                products.push((*x, *y, factor.clone()));
                words.extend([*x, *y]);
            }
        }
        let alone = |word: &Variable| Some((*word, merged.0.get(&Monomial::variable(*word))?.clone()));
        let alone: Vec<(Variable, Dyadic)> = words.iter().filter_map(alone).collect();
        for alone in [&[][..], &alone[..alone.len()]] {
            let Some((low, high)) = bilinear_range(&products, alone, most) else { continue };
            let others = |variables: &[Variable]| match variables {
                [x, y] => x == y,
                [word] => alone.iter().all(|(own, _)| own != word),
                _ => true,
            };
            let (rest_low, rest_high) = merged.apart(others, most);
            ends = (ends.0.max(low.plus(&rest_low)), ends.1.min(high.plus(&rest_high)));
        }
        ends
    }

    /// Least and greatest value of some of the terms, one by one.
    fn apart(&self, of: impl Fn(&[Variable]) -> bool, most: impl Fn(&Variable) -> i64) -> (Dyadic, Dyadic) {
        let (mut low, mut high) = (Dyadic::ZERO, Dyadic::ZERO);
        for (monomial, factor) in self.0.iter().filter(|(monomial, _)| of(monomial.variables())) {
            let variables = monomial.variables();
            let extreme =
                variables.iter().fold(factor.clone(), |product, variable| product.scale(most(variable)));
            if variables.is_empty() || extreme.is_negative() {
                low = low.plus(&extreme);
            }
            if variables.is_empty() || !extreme.is_negative() {
                high = high.plus(&extreme);
            }
        }
        (low, high)
    }

    /// Whether each coefficient is a multiple of `2^places`.
    pub fn is_multiple_of_power(&self, places: i32) -> bool {
        self.0.values().all(|factor| factor.exponent() >= places)
    }
}

impl FromIterator<(Monomial, Dyadic)> for Sum {
    fn from_iter<I: IntoIterator<Item = (Monomial, Dyadic)>>(terms: I) -> Self {
        Sum(terms.into_iter().filter(|(_, factor)| !factor.is_zero()).collect())
    }
}
