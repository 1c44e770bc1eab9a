//! What bits are together: pairs of which one at most is 1, and bits that are 1 where others are. A function of bits is
//! tabulated over all their values, also over those that cannot occur; what it says of these is taken out again.

use crate::equations::Equations;
use crate::graph::Equation;
use crate::tabulate::{bits_of, interpolate};
use rhomb_poly::{Monomial, Polynomial, Variable};
use std::collections::{HashMap, HashSet};

/// What is known of bits together, but for those that exclude each other, which are the graph's.
#[derive(Clone, Debug, Default)]
pub(crate) struct Together {
    /// Where the first is 1, so is the second.
    implied: HashSet<(Variable, Variable)>,
    /// Bits that are polynomials in bits.
    bits: HashMap<Polynomial, Variable>,
    /// Carries of what a bit is a factor of.
    under: HashSet<Variable>,
    /// For a bit that is the difference of two, the first of these, which it implies.
    differences: HashMap<Variable, Variable>,
    /// Bits that are sums of two.
    sums: HashMap<Variable, [Variable; 2]>,
}

/// The variable, mostly a bit, that a polynomial is 1 less.
pub(crate) fn opposite(polynomial: &Polynomial) -> Option<Variable> {
    Polynomial::constant(1).plus_multiple(polynomial, -1)?.as_variable()
}

/// Most bits of which a bit is a function without a variable of its own, so that what is made of it again and again does not grow.
const MOST_BITS_OF_FUNCTION: usize = 4;

/// Most terms of a sum that are looked at for what excludes it.
const MOST_OPPOSITES: usize = 4;

impl Equations {
    /// Notes that one bit is 1 wherever another one is.
    pub(crate) fn imply(&mut self, from: Variable, to: Variable) {
        if from != to {
            self.together.implied.insert((from, to));
        }
    }

    /// The polynomial that takes the values of a function wherever the bits can have the values that it takes them for:
    /// without products that are nothing, and with one bit for a sum of two that exclude each other.
    pub(crate) fn interpolated(
        &mut self,
        bits: &[Variable],
        function: impl Fn(usize) -> i64,
    ) -> Option<Polynomial> {
        // a bit, or a mask of one
        let most = (self.compiled && bits.len() > MOST_BITS_OF_FUNCTION).then(|| {
            let values: Vec<i64> = self.possible(bits).into_iter().map(&function).collect();
            let most = values.iter().copied().max().filter(|most| *most > 0)?;
            values.iter().all(|value| [0, most].contains(value)).then_some(most)
        });
        let most = most.flatten();
        let own = interpolate(bits, |assignment| function(assignment) / most.unwrap_or(1))?;
        let own = self.lean(own)?;
        let own = self.ranked(&own).unwrap_or(own);
        let is_long = most.is_some() && own.variables().len() > MOST_BITS_OF_FUNCTION;
        let own = if is_long { self.in_one_bit(own)? } else { own };
        Polynomial::zero().plus_multiple(&own, most.unwrap_or(1))
    }

    /// The values that bits can have together, as far as it is known.
    pub(crate) fn possible(&self, bits: &[Variable]) -> Vec<usize> {
        let pairs = || {
            bits.iter()
                .enumerate()
                .flat_map(|(at, x)| bits.iter().enumerate().map(move |(to, y)| ((at, x), (to, y))))
        };
        // of two bits these values never occur: what is looked at, and what stands there
        let never = pairs().filter_map(|((at, x), (to, y))| match at != to && self.compiled {
            true if self.together.implied.contains(&(*x, *y)) => Some((1 << at | 1 << to, 1 << at)),
            true if at < to && self.excludes(*x, *y) => Some((1 << at | 1 << to, 1 << at | 1 << to)),
            _ => None,
        });
        let never: Vec<(usize, usize)> = never.collect();
        let is_possible = |all: &usize| never.iter().all(|(both, values)| all & both != *values);
        (0..1usize << bits.len()).filter(is_possible).collect()
    }

    /// A function of bits as a bit or its opposite, so that a function and its opposite have one bit.
    pub(crate) fn in_one_bit(&mut self, function: Polynomial) -> Option<Polynomial> {
        let opposite = Polynomial::constant(1).plus_multiple(&function, -1)?;
        let is_set_at_zero = |function: &Polynomial| {
            function.terms().iter().any(|(product, _)| product.variables().is_empty())
        };
        if function.as_variable().is_some() || !is_set_at_zero(&function) {
            return Some(Polynomial::variable(self.bit_of_polynomial(function)));
        }
        Polynomial::constant(1).plus_multiple(&Polynomial::variable(self.bit_of_polynomial(opposite)), -1)
    }

    /// The same polynomial in bits, wherever they can have their values.
    pub(crate) fn lean(&mut self, polynomial: Polynomial) -> Option<Polynomial> {
        if !self.compiled || self.graph.exclusive().next().is_none() && self.together.implied.is_empty() {
            return Some(polynomial);
        }
        let terms = polynomial.terms().iter();
        let lean = terms.filter(|(product, _)| !self.has_exclusive(product.variables()));
        let lean = Polynomial::from_terms(
            lean.map(|(product, factor)| (self.without_implied(product), *factor)).collect(),
        )?;
        let lean = self.with_sums(lean)?;
        if lean != polynomial {
            self.find(Some(()));
        }
        Some(lean)
    }

    /// Whether of two bits one at most is 1: of a carry under a mask, and a sum of bits, where that is so of all of these.
    fn excludes(&self, x: Variable, y: Variable) -> bool {
        let of_sum = |bit: Variable, sum: Variable| {
            let parts = self.together.sums.get(&sum).filter(|_| self.together.under.contains(&bit));
            parts.is_some_and(|parts| parts.iter().all(|part| *part != bit && self.excludes(bit, *part)))
        };
        self.graph.is_exclusive(x.min(y), x.max(y)) || of_sum(x, y) || of_sum(y, x)
    }

    /// Whether of two bits one at most is 1, or of one and another that is 1 wherever the other one is.
    pub(crate) fn excludes_by_what_it_implies(&self, x: Variable, y: Variable) -> bool {
        let directly = |x: Variable, y: Variable| self.graph.is_exclusive(x.min(y), x.max(y));
        let above = |bit: Variable| {
            let parts = self.together.differences.get(&bit);
            parts.copied().into_iter()
        };
        directly(x, y) || above(x).any(|own| directly(own, y)) || above(y).any(|own| directly(own, x))
    }

    /// Whether a product of bits is nothing, as one at most of two of them is 1.
    fn has_exclusive(&self, product: &[Variable]) -> bool {
        let pairs =
            product.iter().enumerate().flat_map(|(at, x)| product[at + 1..].iter().map(move |y| (x, y)));
        let mut bits = pairs.filter(|(x, y)| x.is_bit() && y.is_bit());
        bits.any(|(x, y)| self.excludes(*x, *y))
    }

    fn without_implied(&self, product: &Monomial) -> Monomial {
        let is_implied = |product: &Monomial, bit: Variable| {
            product.variables().iter().any(|own| self.together.implied.contains(&(*own, bit)))
        };
        let mut left = product.clone();
        for bit in product.variables() {
            if is_implied(&left, *bit) {
                left = left.without(*bit);
            }
        }
        left
    }

    /// With one bit for each sum of two that exclude each other, and for each difference of two of which one implies the other,
    /// where they stand nowhere else.
    fn with_sums(&mut self, polynomial: Polynomial) -> Option<Polynomial> {
        let mut left = polynomial;
        loop {
            let terms = || left.terms().iter();
            let linear = terms().filter_map(|(product, factor)| match product.variables() {
                [bit] => Some((*bit, *factor)),
                _ => None,
            });
            let is_lone = |(bit, _): &(Variable, i64)| {
                terms().filter(|(product, _)| product.variables().contains(bit)).count() == 1
            };
            let lone: Vec<(Variable, i64)> = linear.filter(is_lone).collect();
            let pairs =
                lone.iter().enumerate().flat_map(|(at, x)| lone[at + 1..].iter().map(move |y| (x, y)));
            let one = pairs.into_iter().find_map(|((x, factor), (y, other))| {
                let implied = &self.together.implied;
                match other * factor.signum() == factor.abs() {
                    true => self.excludes(*x, *y).then_some((*x, *y, 1, *factor)),
                    false if *other != -factor => None,
                    false if implied.contains(&(*y, *x)) => Some((*x, *y, -1, *factor)),
                    false => implied.contains(&(*x, *y)).then_some((*y, *x, -1, *other)),
                }
            });
            let Some((x, y, sign, factor)) = one else { return Some(left) };
            let both = Polynomial::variable(x).plus_multiple(&Polynomial::variable(y), sign)?;
            let one = self.bit_of_polynomial(both.clone());
            left = left.plus_multiple(&both, -factor)?.plus_multiple(&Polynomial::variable(one), factor)?;
        }
    }

    /// A function of bits in which none is the difference of another one and of a third: what that says of the third is said by it.
    pub(crate) fn with_differences(&self, polynomial: Polynomial) -> Polynomial {
        let mut left = polynomial;
        let Some(bits) = bits_of(&[&left]) else { return left };
        for bit in bits.iter().rev() {
            let Some(of) = self.together.differences.get(bit).filter(|of| bits.contains(of)) else {
                continue;
            };
            let right = self.graph.defining_low(bit.index()).map(|equation| &equation.right);
            let written = right.and_then(|right| left.with(*bit, right));
            debug_assert!(of < bit);
            left = written.unwrap_or(left);
        }
        left
    }

    /// That variable, where there is one already.
    pub(crate) fn known_bit(&self, polynomial: &Polynomial) -> Option<Variable> {
        self.together.bits.get(polynomial).copied()
    }

    /// The variable of a polynomial that is 0 or 1: the same for the same polynomial.
    pub(crate) fn bit_of_polynomial(&mut self, polynomial: Polynomial) -> Variable {
        if let Some(variable) =
            polynomial.as_variable().or_else(|| self.together.bits.get(&polynomial).copied())
        {
            return variable;
        }
        let bit = self.graph.variable(1);
        self.graph.equate(Equation { low: bit, high: None, right: polynomial.clone() });
        if self.compiled && polynomial.as_constant().is_none() {
            self.note_opposites(bit, &polynomial);
        }
        if self.compiled
            && let [(one, own), (two, other)] = polynomial.terms()
            && let ([x], [y]) = (one.variables(), two.variables())
        {
            match (own, other) {
                (1, 1 | -1) => self.note_parts(bit, *x, *y, *other),
                (-1, 1) => self.note_parts(bit, *y, *x, -1),
                _ => None,
            };
        }
        self.together.bits.insert(polynomial, bit);
        bit
    }

    /// Notes which bits of a sum `1 - x - y` exclude the bit that it is.
    fn note_opposites(&mut self, bit: Variable, sum: &Polynomial) {
        let terms = sum.terms();
        let is_lone = |product: &Monomial, factor: i64| match product.variables() {
            [] => factor == 1,
            [own] => own.is_bit() && factor == -1,
            _ => false,
        };
        if terms.len() > MOST_OPPOSITES || !terms.iter().all(|(product, factor)| is_lone(product, *factor)) {
            return;
        }
        for own in sum.variables() {
            self.graph.exclude(own, bit);
        }
    }

    /// Notes that a carry (or whether a word is not zero) of `b * sum` is 0 where the bit `b` is, and so excludes what `b` does.
    pub(crate) fn note_common(&mut self, carry: Variable, sum: &Polynomial) {
        let Some((first, _)) = sum.terms().first().filter(|_| self.compiled) else { return };
        let is_common = |bit: &&Variable| {
            bit.is_bit() && sum.terms().iter().all(|(product, _)| product.variables().contains(bit))
        };
        let common: Vec<Variable> = first.variables().iter().filter(is_common).copied().collect();
        for bit in common {
            self.imply(carry, bit);
            self.exclude_alike(carry, bit);
            self.together.under.insert(carry);
        }
    }

    /// Notes that a carry under a condition is 0 where that does not hold.
    pub(crate) fn note_under(&mut self, carry: Variable, condition: &Polynomial) {
        if let Some(bit) = condition.as_variable() {
            self.imply(carry, bit);
        } else if let Some(bit) = opposite(condition) {
            self.graph.exclude(bit.min(carry), bit.max(carry));
        }
    }

    /// Notes that a bit excludes what another one does, which is 1 wherever it is.
    fn exclude_alike(&mut self, bit: Variable, of: Variable) {
        let other = |(x, y)| match (x == of, y == of) {
            (true, _) => Some(y),
            (_, true) => Some(x),
            _ => None,
        };
        let mut others: Vec<Variable> = self.graph.exclusive().filter_map(other).collect();
        // and what implies these
        let mut next = 0;
        while let Some(own) = others.get(next).copied() {
            next += 1;
            let implying = self.together.implied.iter().filter(|(_, to)| *to == own);
            let implying: Vec<Variable> =
                implying.map(|(from, _)| *from).filter(|from| !others.contains(from)).collect();
            others.extend(implying);
        }
        for other in others.into_iter().filter(|other| *other != bit) {
            self.graph.exclude(bit.min(other), bit.max(other));
        }
    }

    /// What follows from `bit = x + y`, `x - y`, for bits.
    fn note_parts(&mut self, bit: Variable, x: Variable, y: Variable, sign: i64) -> Option<()> {
        let [of_bit, of_x, of_y] = [bit, x, y].map(Polynomial::variable);
        if sign == 1 {
            self.together.sums.insert(bit, [x, y]);
            self.imply(x, bit);
            self.imply(y, bit);
            self.together.bits.insert(of_bit.plus_multiple(&of_x, -1)?, y);
            self.together.bits.insert(of_bit.plus_multiple(&of_y, -1)?, x);
        } else if sign == -1 {
            self.together.differences.insert(bit, x);
            self.imply(bit, x);
            self.graph.exclude(y, bit);
            if self.together.under.contains(&x) {
                self.exclude_alike(bit, x);
                self.together.under.insert(bit);
            }
            self.together.bits.insert(of_x.plus_multiple(&of_bit, -1)?, y);
            self.together.bits.insert(of_y.plus_multiple(&of_bit, 1)?, x);
        }
        None
    }

    /// A sum with the bit that is `1 - x` for a number that stands with as often less of x, where there is one.
    pub(crate) fn with_opposite(&self, sum: Polynomial) -> Polynomial {
        let told = || {
            let (_, number) = sum.terms().iter().find(|(product, _)| product.variables().is_empty())?;
            sum.terms().iter().find_map(|(product, factor)| {
                let [own] = product.variables() else { return None };
                let rest = Polynomial::constant(1).plus_multiple(&Polynomial::variable(*own), -1)?;
                let bit = self.together.bits.get(&rest).filter(|_| *factor == -number)?;
                sum.plus_multiple(&rest, -number)?.plus_multiple(&Polynomial::variable(*bit), *number)
            })
        };
        told().unwrap_or(sum)
    }

    /// Whether a polynomial is the sum of two carries of which one at most is 1.
    pub(crate) fn is_one_carry(&self, polynomial: &Polynomial) -> bool {
        match polynomial.terms() {
            [(older, 1), (younger, 1)] => match (older.variables(), younger.variables()) {
                ([older], [younger]) => self.graph.is_exclusive(*older, *younger),
                _ => false,
            },
            _ => false,
        }
    }

    /// Notes what a carry out of this sum excludes: where a word of the sum has left a carry itself, and both sums
    /// together are below twice the radix, only one of the two can be 1. The same of borrows, where both together are
    /// at least minus the radix, and of a carry of what is subtracted; `factor` is what the carry stands for in its
    /// equation.
    pub(crate) fn note_exclusive(&mut self, sum: &Polynomial, carry: Variable, factor: i64) -> Option<()> {
        let radix = i128::from(self.radix());
        let lowest = if factor < 0 { -radix } else { 0 };
        let is_told = |times: i64| times == 1 || self.compiled;
        let terms = sum.terms().iter().filter(|(_, times)| is_told(*times));
        for (monomial, times) in terms.collect::<Vec<_>>() {
            let [word] = monomial.variables() else { continue };
            let Some(Equation { high: Some((older, own)), right, .. }) =
                self.graph.defining_low(word.index())
            else {
                continue;
            };
            let before = *older;
            let all = sum.plus_multiple(right, *times)?;
            let all = all.plus_multiple(&Polynomial::variable(*word), -times)?;
            let (least, most) = self.graph.range(&all)?;
            let is_pair = own * times == factor && before.is_bit() && before != carry;
            if is_pair && least >= lowest && most < lowest + 2 * radix {
                self.graph.exclude(before.min(carry), before.max(carry));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_stand_together_as_far_as_it_is_known() {
        let mut domain = Equations::new(8).compiled();
        let [x, y, z] = [(); 3].map(|()| domain.graph.variable(1));
        domain.imply(x, y);
        domain.graph.exclude(y, z);
        // x by 1, y by 2, z by 4
        assert_eq!(domain.possible(&[x, y, z]), [0, 2, 3, 4]);
        assert_eq!(domain.possible(&[x, z]), [0, 1, 2, 3]);
    }
}
