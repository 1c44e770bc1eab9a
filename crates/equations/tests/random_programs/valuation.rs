//! Values of all variables in one run.

use rhomb_equations::Graph;
use rhomb_poly::{Polynomial, Variable};
use std::fmt::Debug;

/// What must hold in a run: a polynomial has the value that the machine had.
#[derive(Clone, Debug)]
pub(crate) struct Observation {
    /// Where it was seen.
    pub(crate) what: String,
    pub(crate) polynomial: Polynomial,
}

/// The values of all variables, as far as they are determined.
pub(crate) struct Valuation<'g> {
    graph: &'g Graph,
    pub(crate) values: Vec<Option<i64>>,
}

impl<'g> Valuation<'g> {
    pub(crate) fn new(graph: &'g Graph, inputs: &[(Variable, i64)]) -> Self {
        let mut values = vec![None; graph.len()];
        for (variable, value) in inputs {
            values[variable.index()] = Some(*value);
        }
        Valuation { graph, values }
    }

    pub(crate) fn value(&self, polynomial: &Polynomial) -> Option<i64> {
        let known = |(monomial, _): &(_, i64)| {
            let monomial: &rhomb_poly::Monomial = monomial;
            monomial.variables().iter().all(|variable| self.values[variable.index()].is_some())
        };
        if !polynomial.terms().iter().all(known) {
            return None;
        }
        let value = polynomial.evaluate(|variable| self.values[variable.index()].unwrap_or_default())?;
        i64::try_from(value).ok()
    }

    /// Gives each variable the value that follows from its equation; the others the value of a register
    /// or flag that is exactly this variable. The first contradiction is an error.
    pub(crate) fn settle(&mut self, observations: &[Observation], seen: &[i64]) -> Result<(), String> {
        let mut held: Vec<Option<i64>> = vec![None; self.values.len()];
        for (observation, value) in observations.iter().zip(seen) {
            if let Some(variable) = observation.polynomial.as_variable() {
                held[variable.index()].get_or_insert(*value);
            }
        }
        // an equation's right side is older than its variables
        for (index, held) in held.into_iter().enumerate() {
            self.follow(index)?;
            if let (None, Some(value)) = (self.values[index], held) {
                let variable = self.graph.variable_at(index);
                self.set(variable, value, &"the register that holds it")?;
            }
        }
        let is_set = |bit: Variable| self.values[bit.index()] == Some(1);
        match self.graph.exclusive().find(|(older, younger)| is_set(*older) && is_set(*younger)) {
            Some(pair) => Err(format!("both of {pair:?} are 1")),
            None => Ok(()),
        }
    }

    /// The equation of a variable, where it determines it.
    fn follow(&mut self, index: usize) -> Result<(), String> {
        let graph = self.graph;
        let equation = graph.defining_high(index).or(graph.defining_low(index));
        let Some(equation) = equation else { return Ok(()) };
        let Some(right) = self.value(&equation.right) else { return Ok(()) };
        match equation.high {
            None => self.set(equation.low, right, equation),
            Some((high, factor)) => {
                let low = right.rem_euclid(factor.abs());
                self.set(equation.low, low, equation)?;
                self.set(high, (right - low) / factor, equation)
            }
        }
    }

    fn set(&mut self, variable: Variable, value: i64, why: &dyn Debug) -> Result<(), String> {
        let index = variable.index();
        if let Some(before) = self.values[index] {
            if before == value {
                return Ok(());
            }
            return Err(format!("{variable:?} is {before}, and {value} by {why:?}"));
        }
        let most = self.graph.most(variable);
        if !(0..=most).contains(&value) || variable.is_bit() && most > 1 {
            return Err(format!("{variable:?} is {value}, not in 0..={most}, by {why:?}"));
        }
        self.values[index] = Some(value);
        Ok(())
    }

    /// How many observations have a determined value, and it is the right one.
    pub(crate) fn compare(&self, observations: &[Observation], seen: &[i64]) -> Result<usize, String> {
        let mut count = 0;
        for (observation, seen) in observations.iter().zip(seen) {
            match self.value(&observation.polynomial) {
                None => {}
                Some(value) if value == *seen => count += 1,
                Some(value) => {
                    let Observation { what, polynomial } = observation;
                    return Err(format!("{what}: {polynomial:?} is {value}, the machine has {seen}"));
                }
            }
        }
        Ok(count)
    }
}
