//! What bits are together: pairs of which one at most is 1, and bits that are 1 where others are. A function of bits is
//! tabulated over all their values, also over those that cannot occur; what it says of these is taken out again.

use crate::equations::Equations;
use crate::graph::Equation;
use crate::tabulate::interpolate;
use rhomb_poly::{Monomial, Polynomial, Variable};
use std::collections::{HashMap, HashSet};

/// What is known of bits together, but for those that exclude each other, which are the graph's.
#[derive(Clone, Debug, Default)]
pub(crate) struct Together {
    /// Where the first is 1, so is the second.
    implied: HashSet<(Variable, Variable)>,
    /// Bits that are polynomials in bits.
    bits: HashMap<Polynomial, Variable>,
}

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
        let all = interpolate(bits, function)?;
        self.lean(all)
    }

    /// The same polynomial in bits, wherever they can have their values.
    pub(crate) fn lean(&mut self, polynomial: Polynomial) -> Option<Polynomial> {
        if !self.compiled || self.graph.exclusive().next().is_none() && self.together.implied.is_empty() {
            return Some(polynomial);
        }
        let terms = polynomial.terms().iter();
        let lean = terms.filter(|(product, _)| !self.graph.has_exclusive(product.variables()));
        let lean = Polynomial::from_terms(
            lean.map(|(product, factor)| (self.without_implied(product), *factor)).collect(),
        )?;
        let lean = self.with_sums(lean)?;
        if lean != polynomial {
            self.find(Some(()));
        }
        Some(lean)
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
                    true => self.graph.is_exclusive(*x, *y).then_some((*x, *y, 1, *factor)),
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

    /// The variable of a polynomial that is 0 or 1: the same for the same polynomial.
    pub(crate) fn bit_of_polynomial(&mut self, polynomial: Polynomial) -> Variable {
        if let Some(variable) =
            polynomial.as_variable().or_else(|| self.together.bits.get(&polynomial).copied())
        {
            return variable;
        }
        let bit = self.graph.variable(1);
        self.graph.equate(Equation { low: bit, high: None, right: polynomial.clone() });
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

    /// What follows from `bit = x + y`, `x - y`, for bits.
    fn note_parts(&mut self, bit: Variable, x: Variable, y: Variable, sign: i64) -> Option<()> {
        let [of_bit, of_x, of_y] = [bit, x, y].map(Polynomial::variable);
        if sign == 1 {
            self.imply(x, bit);
            self.imply(y, bit);
            self.together.bits.insert(of_bit.plus_multiple(&of_x, -1)?, y);
            self.together.bits.insert(of_bit.plus_multiple(&of_y, -1)?, x);
        } else if sign == -1 {
            self.imply(bit, x);
            self.graph.exclude(y, bit);
            self.together.bits.insert(of_x.plus_multiple(&of_bit, -1)?, y);
            self.together.bits.insert(of_y.plus_multiple(&of_bit, 1)?, x);
        }
        None
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
        let is_told = |times: i64| times == 1 || times == -1 && self.compiled;
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
