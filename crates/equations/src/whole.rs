//! The largest value of sums in which words stand by their parts: the equations of the words say more than the ranges of the parts.

use crate::graph::Graph;
use rhomb_poly::{Dyadic, Monomial, Polynomial, Sum, Variable, bounded_range};

/// Most equations that are looked into for one sum.
const MOST_STEPS: usize = 24;

/// Most terms of what is looked into.
const MOST_TERMS: usize = 32;

/// How far below a number a largest value is told.
const MOST_BELOW: i64 = 2;

impl Graph {
    /// The largest value of a polynomial if that is `most` or little less, with words written out by their equations: a low part
    /// and its carry are what was added, a high part is what is left of it without the low part, and bits and words are what they
    /// are sums of.
    ///
    /// Nothing where no word is put together of parts: what instructions add to whole words is better looked at with its carries.
    pub(crate) fn most_in_whole(&mut self, polynomial: &Polynomial, most: i64) -> Option<i64> {
        let mut told = Sum::default();
        add(&mut told, polynomial, &Dyadic::power(0));
        let has_parts = || linear(&told).into_iter().any(|(word, _)| self.has_parts(word));
        if self.bounded_numbers().is_empty() && !has_parts() {
            return None;
        }
        let mut least: Option<Dyadic> = None;
        for _ in 0..MOST_STEPS {
            self.spend(told.len() as u64);
            let ways =
                [Graph::sum_of_low_part, Graph::sum_of_bit, Graph::rest_of_high_part, Graph::sum_of_word];
            let Some(next) = ways.into_iter().find_map(|way| way(self, &told)) else { break };
            if next.len() > MOST_TERMS {
                break;
            }
            told = next;
            let most = |own: &Variable| self.most(*own);
            let (_, high) = bounded_range(told.terms(), self.bounded_numbers(), |_| None, most);
            least = Some(least.map_or(high.clone(), |own| own.min(high)));
        }
        let least = least?;
        let is_most = |most: &i64| least < Dyadic::new(most + 1, 0);
        (0..=MOST_BELOW).map(|below| most - below).take_while(is_most).last()
    }

    /// Whether a variable is the high part of a word that was cut, or a sum in which one is.
    fn has_parts(&self, variable: Variable) -> bool {
        let is_part = |own: Variable| {
            let cut = self.defining_high(own.index()).filter(|_| !own.is_bit());
            cut.is_some_and(|equation| equation.right.as_variable().is_some())
        };
        let sum = self.defining_low(variable.index()).filter(|equation| equation.high.is_none());
        is_part(variable) || sum.is_some_and(|sum| sum.right.variables().into_iter().any(is_part))
    }

    /// With what a low part and its carry are together.
    fn sum_of_low_part(&self, sum: &Sum) -> Option<Sum> {
        linear(sum).into_iter().find_map(|(low, times)| {
            let equation = self.defining_low(low.index())?;
            let (high, factor) = equation.high?;
            let carries = times.scale(factor);
            let mut left = sum.clone();
            left.add(&Monomial::variable(low), &times.negate());
            left.add(&Monomial::variable(high), &carries.negate());
            // both were there, and as often
            (left.len() + 2 == sum.len()).then(|| with(left, &equation.right, &times))
        })
    }

    /// With the carries whose sum a bit is.
    fn sum_of_bit(&self, sum: &Sum) -> Option<Sum> {
        linear(sum).into_iter().filter(|(bit, _)| bit.is_bit()).find_map(|own| self.defined(sum, own))
    }

    /// With what a word is the sum of.
    fn sum_of_word(&self, sum: &Sum) -> Option<Sum> {
        linear(sum).into_iter().find_map(|own| self.defined(sum, own))
    }

    fn defined(&self, sum: &Sum, (low, times): (Variable, Dyadic)) -> Option<Sum> {
        let equation = self.defining_low(low.index()).filter(|equation| equation.high.is_none())?;
        let mut left = sum.clone();
        left.add(&Monomial::variable(low), &times.negate());
        Some(with(left, &equation.right, &times))
    }

    /// With a word less its low part for the high part.
    fn rest_of_high_part(&self, sum: &Sum) -> Option<Sum> {
        linear(sum).into_iter().find_map(|(high, times)| {
            let equation = self.defining_high(high.index())?;
            let (_, factor) = equation.high.filter(|(_, factor)| *factor > 1 && factor.count_ones() == 1)?;
            let times = times.shift(-(factor.trailing_zeros() as i32));
            let mut left = sum.clone();
            left.add(&Monomial::variable(high), &times.scale(factor).negate());
            left.add(&Monomial::variable(equation.low), &times.negate());
            Some(with(left, &equation.right, &times))
        })
    }
}

/// The terms of a single variable, the youngest first.
fn linear(sum: &Sum) -> Vec<(Variable, Dyadic)> {
    let own = |(product, factor): (&Monomial, &Dyadic)| match product.variables() {
        [variable] => Some((*variable, factor.clone())),
        _ => None,
    };
    let mut all: Vec<_> = sum.terms().filter_map(own).collect();
    all.sort_by_key(|(variable, _)| std::cmp::Reverse(*variable));
    all
}

fn add(sum: &mut Sum, polynomial: &Polynomial, times: &Dyadic) {
    for (product, factor) in polynomial.terms() {
        sum.add(product, &times.scale(*factor));
    }
}

fn with(mut sum: Sum, polynomial: &Polynomial, times: &Dyadic) -> Sum {
    add(&mut sum, polynomial, times);
    sum
}
