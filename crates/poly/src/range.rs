//! The range of a sum of monomials.

use crate::{Dyadic, Monomial, Total, Variable, bilinear_range};
use rustc_hash::FxHashMap;

/// Least and largest value of a sum of different monomials, bounded term by term, where some variables
/// have `known` values and any other lies in `0..=most(variable)`. Products of two words are bounded
/// together where that says more.
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
        let (mut rest, mut factor) = (Monomial::one(), factor.clone());
        for own in monomial.variables() {
            match known(own) {
                Some(value) => factor = factor.scale(value),
                None => rest = rest.times(&Monomial::variable(*own)),
            }
        }
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
    let is_pair = |monomial: &Monomial| matches!(monomial.variables(), [x, y] if x != y);
    let (pairs, mut apart): (Vec<_>, Vec<_>) = plain.into_iter().partition(|(monomial, _)| is_pair(monomial));
    let (mut low, mut high) = (Total::default(), Total::default());
    // products of one sign have their extremes together anyway
    let mixed = pairs.iter().any(|(_, factor)| factor.is_negative() != pairs[0].1.is_negative());
    let product = |(monomial, factor): &(&Monomial, &Dyadic)| {
        let words = monomial.variables();
        (words[0], words[1], (*factor).clone())
    };
    let together = mixed.then(|| bilinear_range(&pairs.iter().map(product).collect::<Vec<_>>(), &most));
    match together.flatten() {
        Some((least, greatest)) => {
            low.add(&least);
            high.add(&greatest);
        }
        None => apart.extend(pairs),
    }
    for (monomial, factor) in apart {
        let variables = monomial.variables();
        let extreme =
            variables.iter().fold(factor.clone(), |product, variable| product.scale(most(variable)));
        if variables.is_empty() || extreme.is_negative() {
            low.add(&extreme);
        }
        if variables.is_empty() || !extreme.is_negative() {
            high.add(&extreme);
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
