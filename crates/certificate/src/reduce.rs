//! Substitution of equations into a sum, youngest variable first.

use crate::graph::{Equation, Graph};
use rhomb_poly::{Dyadic, Monomial, Polynomial, Variable};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Which variables are replaced, always by something equal to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// `low := right - factor * high`: what remains of an identity are carries and high words that
    /// nothing took up.
    Identity,
    /// `high := (right - low) / factor`, in linear terms: sums telescope, only words remain, and their
    /// ranges bound the sum.
    Telescoped,
    /// As `Telescoped`, and words that lost no carry are replaced by what was added.
    Expanded,
    /// As `Expanded`, and words whose carry went elsewhere are replaced by the whole sum, which is at
    /// least (at most, for a subtraction) the word: the outcome is not equal to the sum but bounds it
    /// from above.
    Above,
    /// The same from below.
    Below,
}

/// A sum of monomials with exact coefficients.
#[derive(Clone, Debug)]
pub struct Sum {
    /// The constant.
    pub constant: Dyadic,
    /// Coefficient of each variable that occurs alone, by index; never zero.
    pub linear: Vec<(Variable, Dyadic)>,
    /// Coefficient of each product; never zero.
    pub products: Vec<(Monomial, Dyadic)>,
}

impl Sum {
    /// Least and largest value, term by term.
    pub fn range(&self, graph: &Graph) -> (Dyadic, Dyadic) {
        let (mut low, mut high) = (self.constant.clone(), self.constant.clone());
        let mut widen = |extreme: Dyadic| {
            let end = if extreme.is_negative() { &mut low } else { &mut high };
            *end = end.plus(&extreme);
        };
        for (variable, factor) in &self.linear {
            widen(factor.scale(graph.most(*variable)));
        }
        for (monomial, factor) in &self.products {
            widen(graph.largest(monomial).fold(factor.clone(), |product, most| product.scale(most)));
        }
        (low, high)
    }
}

/// A sum under substitution.
pub struct Reduction<'graph> {
    graph: &'graph Graph,
    view: View,
    /// Variables from here on are replaced, older ones stay.
    floor: usize,
    constant: Dyadic,
    /// Coefficients of the variables from `floor` on.
    young: Vec<(Dyadic, bool)>,
    old: BTreeMap<Variable, Dyadic>,
    products: FxHashMap<Monomial, Dyadic>,
    /// Products by their youngest replaceable variable.
    pending: BTreeMap<usize, Vec<Monomial>>,
}

impl<'graph> Reduction<'graph> {
    /// An empty sum. Variables from `floor` on are replaced, older ones stay; all that occur, also in
    /// equations of those that are replaced, must be younger than `ceiling`.
    pub fn new(graph: &'graph Graph, view: View, floor: usize, ceiling: usize) -> Self {
        let ceiling = ceiling.min(graph.len());
        let floor = floor.min(ceiling);
        Reduction {
            graph,
            view,
            floor,
            constant: Dyadic::ZERO,
            young: vec![(Dyadic::ZERO, false); ceiling - floor],
            old: BTreeMap::new(),
            products: FxHashMap::default(),
            pending: BTreeMap::new(),
        }
    }

    /// Adds `factor * polynomial`.
    pub fn add(&mut self, polynomial: &Polynomial, factor: &Dyadic) {
        for (monomial, own) in polynomial.terms() {
            self.add_term(monomial, &factor.scale(*own));
        }
    }

    /// Adds `factor * monomial`.
    pub fn add_term(&mut self, monomial: &Monomial, factor: &Dyadic) {
        if factor.is_zero() {
            return;
        }
        match monomial.variables() {
            [] => self.constant = self.constant.plus(factor),
            [variable] => self.add_variable(*variable, factor),
            _ => self.add_product(monomial, factor),
        }
    }

    fn add_variable(&mut self, variable: Variable, factor: &Dyadic) {
        match variable.index().checked_sub(self.floor) {
            Some(at) => {
                let entry = &mut self.young[at];
                *entry = (entry.0.plus(factor), variable.is_bit());
            }
            None => {
                let entry = self.old.entry(variable).or_insert(Dyadic::ZERO);
                *entry = entry.plus(factor);
            }
        }
    }

    fn add_product(&mut self, monomial: &Monomial, factor: &Dyadic) {
        if let Some(entry) = self.products.get_mut(monomial) {
            *entry = entry.plus(factor);
            return;
        }
        self.products.insert(monomial.clone(), factor.clone());
        if self.view == View::Identity {
            let young = monomial.variables().iter().rev().map(|variable| variable.index());
            if let Some(top) =
                young.take_while(|index| *index >= self.floor).find(|index| self.replaceable(*index))
            {
                self.pending.entry(top).or_default().push(monomial.clone());
            }
        }
    }

    /// The equation by which a variable is replaced, and whether it is the high part there.
    fn replacement(&self, index: usize) -> Option<(&'graph Equation, bool)> {
        match self.view {
            View::Identity => self.graph.defining_low(index).map(|equation| (equation, false)),
            View::Telescoped => self.graph.defining_high(index).map(|equation| (equation, true)),
            View::Expanded | View::Above | View::Below => {
                let settled = |equation: &&Equation| {
                    equation.high.is_none_or(|(high, _)| self.graph.claimed(high.index()).is_some())
                };
                let low = self.graph.defining_low(index).filter(settled).map(|equation| (equation, false));
                low.or_else(|| self.graph.defining_high(index).map(|equation| (equation, true)))
            }
        }
    }

    fn replaceable(&self, index: usize) -> bool {
        self.graph.claimed(index).is_some() || self.replacement(index).is_some()
    }

    /// Substitutes until nothing is left to replace.
    pub fn finish(mut self) -> Sum {
        for at in (0..self.young.len()).rev() {
            let index = at + self.floor;
            self.relax(at);
            if self.replaceable(index) {
                let (factor, _) = std::mem::replace(&mut self.young[at], (Dyadic::ZERO, false));
                if !factor.is_zero() {
                    self.replace(index, &Monomial::one(), &factor);
                }
            }
            // replacing one of two equal variables leaves a product that is pending again
            while let Some(monomials) = self.pending.remove(&index) {
                for monomial in monomials {
                    let Some(factor) = self.products.remove(&monomial) else { continue };
                    let Some(variable) = monomial.variables().iter().find(|own| own.index() == index) else {
                        continue;
                    };
                    if !factor.is_zero() {
                        self.replace(index, &monomial.without(*variable), &factor);
                    }
                }
            }
        }
        let floor = self.floor;
        let mut linear: Vec<(Variable, Dyadic)> = self.old.into_iter().collect();
        linear.extend(
            self.young
                .into_iter()
                .enumerate()
                .map(|(at, (factor, bit))| (Variable::new((at + floor) as u32, bit), factor)),
        );
        linear.retain(|(_, factor)| !factor.is_zero());
        let mut products: Vec<(Monomial, Dyadic)> =
            self.products.into_iter().filter(|(_, factor)| !factor.is_zero()).collect();
        products.sort_unstable_by(|x, y| x.0.cmp(&y.0));
        Sum { constant: self.constant, linear, products }
    }

    /// Replaces a word by its whole sum where that can only move the bound outwards.
    fn relax(&mut self, at: usize) {
        let index = at + self.floor;
        let upwards = match self.view {
            View::Above => true,
            View::Below => false,
            View::Identity | View::Telescoped | View::Expanded => return,
        };
        let graph = self.graph;
        let Some(equation) = graph.defining_low(index) else { return };
        let Some((high, by)) = equation.high.filter(|(high, _)| high.is_bit()) else { return };
        if graph.claimed(high.index()).is_some() || at == 0 {
            return;
        }
        // the carry, next older, takes its share of the word first
        let (carried, _) = std::mem::replace(&mut self.young[at - 1], (Dyadic::ZERO, true));
        if !carried.is_zero() {
            self.replace(high.index(), &Monomial::one(), &carried);
        }
        // low = right - by * high: leaving the high part out adds factor * by * high
        let factor = &self.young[at].0;
        if !factor.is_zero() && (factor.is_negative() == (by < 0)) == upwards {
            let (factor, _) = std::mem::replace(&mut self.young[at], (Dyadic::ZERO, false));
            self.add(&equation.right, &factor);
        }
    }

    /// Adds `factor * rest * (what the variable is equal to)`.
    fn replace(&mut self, index: usize, rest: &Monomial, factor: &Dyadic) {
        if let Some(value) = self.graph.claimed(index) {
            self.add_term(rest, &factor.scale(value.into()));
            return;
        }
        let Some((equation, is_high)) = self.replacement(index) else { return };
        let factor = match (is_high, equation.high) {
            // the divisor is a power of two, with the sign of its direction
            (true, Some((_, divisor))) => {
                factor.shift(-(divisor.unsigned_abs().trailing_zeros() as i32)).scale(divisor.signum())
            }
            _ => factor.clone(),
        };
        let mut add = |monomial: &Monomial, by: &Dyadic| match rest.variables() {
            [] => self.add_term(monomial, by),
            _ => self.add_term(&monomial.times(rest), by),
        };
        for (monomial, own) in equation.right.terms() {
            add(monomial, &factor.scale(*own));
        }
        match (is_high, equation.high) {
            (true, _) => add(&Monomial::variable(equation.low), &factor.negate()),
            (false, Some((high, by))) => add(&Monomial::variable(high), &factor.scale(-by)),
            (false, None) => {}
        }
    }
}
