//! The range of a sum of monomials.

use crate::{Dyadic, Monomial, Total, Variable, bilinear_range};
use rustc_hash::{FxHashMap, FxHashSet};

/// Least and largest value of a sum of different monomials, bounded term by term, where some variables
/// have `known` values and any other lies in `0..=most(variable)`. Products of two words are bounded
/// together, and with these words alone, where that says more.
pub fn sum_range<'s>(
    terms: impl Iterator<Item = (&'s Monomial, &'s Dyadic)>,
    known: impl Fn(&Variable) -> Option<i64>,
    most: impl Fn(&Variable) -> i64,
) -> (Dyadic, Dyadic) {
    // terms that become equal by what is known belong together
    let mut merged: FxHashMap<Monomial, Dyadic> = FxHashMap::default();
    let mut plain: Vec<(&Monomial, &Dyadic)> = Vec::new();
    for (monomial, factor) in terms {
        if monomial.variables().iter().all(|own| known(own).is_none()) {
            plain.push((monomial, factor));
            continue;
        }
        let (rest, factor) = apply_known(monomial, factor, &known);
        if !factor.is_zero() {
            let entry = merged.entry(rest).or_insert(Dyadic::ZERO);
            *entry = entry.plus(&factor);
        }
    }
    plain.retain(|(monomial, factor)| match merged.get_mut(*monomial) {
        Some(entry) => {
            *entry = entry.plus(factor);
            false
        }
        None => true,
    });
    plain.extend(merged.iter().filter(|(_, factor)| !factor.is_zero()));
    let mut ends = term_by_term(plain.iter().copied(), &most);
    let is_pair = |monomial: &Monomial| matches!(monomial.variables(), [x, y] if x != y);
    let pairs: Vec<(Variable, Variable, Dyadic)> = plain
        .iter()
        .filter(|(monomial, _)| is_pair(monomial))
        .map(|(monomial, factor)| (monomial.variables()[0], monomial.variables()[1], (*factor).clone()))
        .collect();
    let Some((.., first)) = pairs.first() else { return ends };
    let words: FxHashSet<Variable> = pairs.iter().flat_map(|(x, y, _)| [*x, *y]).collect();
    let is_alone = |monomial: &Monomial| matches!(monomial.variables(), [word] if words.contains(word));
    let alone: Vec<(Variable, Dyadic)> = plain
        .iter()
        .filter(|(monomial, _)| is_alone(monomial))
        .map(|(monomial, factor)| (monomial.variables()[0], (*factor).clone()))
        .collect();
    // what has one sign has its extremes together anyway; what is bounded in several ways lies in all of
    // these ranges
    let differs = |factor: &Dyadic| factor.is_negative() != first.is_negative();
    let mixed = pairs.iter().any(|(.., factor)| differs(factor));
    let beside = !alone.is_empty() && (mixed || alone.iter().any(|(_, factor)| differs(factor)));
    for alone in [mixed.then_some(&[][..]), beside.then_some(&alone[..])].into_iter().flatten() {
        let (low, high) = bilinear_range(&pairs, alone, &most);
        let apart = |(monomial, _): &(&Monomial, &Dyadic)| {
            !is_pair(monomial) && (alone.is_empty() || !is_alone(monomial))
        };
        let rest = term_by_term(plain.iter().copied().filter(apart), &most);
        ends = (ends.0.max(low.plus(&rest.0)), ends.1.min(high.plus(&rest.1)));
    }
    ends
}

/// A term where some variables have `known` values: what is left of the monomial, and the new factor.
pub fn apply_known(
    monomial: &Monomial,
    factor: &Dyadic,
    known: impl Fn(&Variable) -> Option<i64>,
) -> (Monomial, Dyadic) {
    let (mut rest, mut factor) = (Monomial::one(), factor.clone());
    for own in monomial.variables() {
        match known(own) {
            Some(value) => factor = factor.scale(value),
            None => rest = rest.times(&Monomial::variable(*own)),
        }
    }
    (rest, factor)
}

/// Least and largest value of a sum of monomials, each by itself.
fn term_by_term<'s>(
    terms: impl Iterator<Item = (&'s Monomial, &'s Dyadic)>,
    most: impl Fn(&Variable) -> i64,
) -> (Dyadic, Dyadic) {
    let (mut low, mut high) = (Total::default(), Total::default());
    for (monomial, factor) in terms {
        let variables = monomial.variables();
        if variables.is_empty() || factor.is_negative() {
            low.add_product(factor, variables.iter().map(&most));
        }
        if variables.is_empty() || !factor.is_negative() {
            high.add_product(factor, variables.iter().map(&most));
        }
    }
    (low.value(), high.value())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against all values of a word in `0..=3` and two bits, of which one may be known.
    #[test]
    fn ranges_hold_and_are_exact_for_one_sign() {
        let (w, b, c) = (Variable::new(0, false), Variable::new(1, true), Variable::new(2, true));
        let monomials = [
            Monomial::one(),
            Monomial::variable(w),
            Monomial::variable(b),
            Monomial::variable(w).times(&Monomial::variable(b)),
            Monomial::variable(w).times(&Monomial::variable(c)),
            Monomial::variable(w).times(&Monomial::variable(w)),
            Monomial::variable(w).times(&Monomial::variable(b)).times(&Monomial::variable(c)),
        ];
        for seed in 0..2000i64 {
            let factor = |at: usize| Dyadic::new((seed * 37 + 11 * at as i64 * seed / 7) % 7 - 3, at as i32);
            let factors: Vec<Dyadic> = (0..monomials.len()).map(factor).collect();
            let fixed = (seed % 3 < 2).then_some(seed % 3);
            let known = |own: &Variable| fixed.filter(|_| *own == c);
            let most = |own: &Variable| if own.is_bit() { 1 } else { 3 };
            let (low, high) = sum_range(monomials.iter().zip(&factors), known, most);
            let mut seen = Vec::new();
            for values in 0..16i64 {
                let value = |own: &Variable| match own.index() {
                    0 => values % 4,
                    1 => values / 4 % 2,
                    _ => fixed.unwrap_or(values / 8),
                };
                let term = |(monomial, factor): (&Monomial, &Dyadic)| {
                    monomial.variables().iter().fold(factor.clone(), |product, own| product.scale(value(own)))
                };
                seen.push(monomials.iter().zip(&factors).map(term).fold(Dyadic::ZERO, |sum, x| sum.plus(&x)));
            }
            assert!(seen.iter().all(|value| low <= *value && *value <= high), "{seed}");
            if factors[1..].iter().all(|factor| !factor.is_negative()) {
                assert_eq!((Some(&low), Some(&high)), (seen.iter().min(), seen.iter().max()), "{seed}");
            }
        }
    }
}
