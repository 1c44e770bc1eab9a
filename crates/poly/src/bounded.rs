//! The range of a sum in which numbers stand that are known to be below a bound as a whole.

use crate::{Dyadic, Monomial, Sum, Variable, sum_range};

/// A number in limbs, the lowest first, each with its weight, and its largest value.
#[derive(Clone, Debug)]
pub struct BoundedNumber {
    /// Limbs, with powers of two.
    pub limbs: Vec<(Variable, Dyadic)>,
    /// No value of the limbs makes a number above this one.
    pub most: Dyadic,
}

/// [`sum_range`], and the same with as many times each number as its highest limb stands in the sum: both are ranges of the sum.
pub fn bounded_range<'s>(
    terms: impl Iterator<Item = (&'s Monomial, &'s Dyadic)>,
    numbers: &[BoundedNumber],
    known: impl Fn(&Variable) -> Option<i64>,
    most: impl Fn(&Variable) -> i64,
) -> (Dyadic, Dyadic) {
    if numbers.is_empty() {
        return sum_range(terms, known, most);
    }
    let terms: Vec<_> = terms.collect();
    let (low, high) = sum_range(terms.iter().copied(), &known, &most);
    let mut rest = Sum::default();
    terms.iter().for_each(|(monomial, factor)| rest.add(monomial, factor));
    let mut whole = (Dyadic::ZERO, Dyadic::ZERO);
    for BoundedNumber { limbs, most } in numbers {
        let Some((top, weight)) = limbs.last() else { continue };
        let top = Monomial::variable(*top);
        let Some((_, factor)) = terms.iter().find(|(own, _)| **own == top) else { continue };
        let times = factor.shift(-weight.exponent());
        for (limb, weight) in limbs {
            rest.add(&Monomial::variable(*limb), &times.times(weight).negate());
        }
        let end = if times.is_negative() { &mut whole.0 } else { &mut whole.1 };
        *end = end.plus(&times.times(most));
    }
    let (least, most) = sum_range(rest.terms(), &known, &most);
    (low.max(least.plus(&whole.0)), high.min(most.plus(&whole.1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against all values of two numbers of two limbs of two bits, both at most 11, and a bit: ranges hold, and that of the
    /// difference of the numbers is exact.
    #[test]
    fn ranges_of_whole_numbers_hold() {
        let variables: Vec<Variable> = (0..5).map(|index| Variable::new(index, index == 4)).collect();
        let limbs =
            |at: usize| vec![(variables[at], Dyadic::power(0)), (variables[at + 1], Dyadic::power(2))];
        let numbers = [0, 2].map(|at| BoundedNumber { limbs: limbs(at), most: Dyadic::new(11, 0) });
        for seed in 0..500i64 {
            let factor = |at: usize| match seed {
                0 => [1, 4, -1, -4, 0][at],
                _ => (seed * 37 + 11 * at as i64 * seed / 7) % 9 - 4,
            };
            let factors: Vec<(Monomial, Dyadic)> = (0..5)
                .map(|at| (Monomial::variable(variables[at]), Dyadic::new(factor(at), 0)))
                .filter(|(_, factor)| !factor.is_zero())
                .collect();
            let most = |own: &Variable| if own.is_bit() { 1 } else { 3 };
            let terms = factors.iter().map(|(own, factor)| (own, factor));
            let (low, high) = bounded_range(terms, &numbers, |_| None, most);
            let mut values = Vec::new();
            for all in 0..512i64 {
                let own = [all % 4, all / 4 % 4, all / 16 % 4, all / 64 % 4, all / 256];
                if own[0] + 4 * own[1] <= 11 && own[2] + 4 * own[3] <= 11 {
                    values.push((0..5).map(|at| factor(at) * own[at]).sum::<i64>());
                }
            }
            let ends = [values.iter().min(), values.iter().max()].map(|end| Dyadic::new(*end.unwrap(), 0));
            assert!(low <= ends[0] && ends[1] <= high, "{seed}");
            if seed == 0 {
                assert_eq!((low, high), (Dyadic::new(-11, 0), Dyadic::new(11, 0)));
            }
        }
    }
}
