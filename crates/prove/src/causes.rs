//! Which instructions drop a carry in a call that gives a wrong result.
//!
//! What the equations leave of the statement about the result is a sum of terms, each with the
//! instructions that made its variables. For given operands every variable has a value; the terms that
//! are not zero then are the error.

use crate::calls::pattern_named;
use crate::provable::Provable;
use crate::reason::{Reason, distinct, distinct_reasons, weight_text};
use rhomb_certificate::{Contract, EFFORT, Execution, Reading, execute};
use rhomb_equations::Graph;
use rhomb_poly::{Polynomial, Variable};

/// More variables than this are not worth the wait for a hint.
const MOST_VARIABLES: usize = 200_000;

/// The terms of the result's error for these operands; none where they cannot be told.
pub(crate) fn causes(
    routine: &dyn Provable,
    contract: &Contract,
    pattern: &str,
    operands: &[Vec<u64>],
) -> Vec<Reason> {
    // equations of numbers say nothing about polynomials over GF(2)
    if contract.binary().is_some() {
        return Vec::new();
    }
    let Some(pattern) = pattern_named(contract, pattern) else { return Vec::new() };
    let Ok(execution) = execute(routine, contract, pattern, Reading::Plain, EFFORT) else {
        return Vec::new();
    };
    let graph = &execution.facts.graph;
    if graph.len() > MOST_VARIABLES || is_nested(graph) || !execution.missing.is_empty() {
        return Vec::new();
    }
    let inputs: Vec<i64> = operands.iter().flatten().map(|word| *word as i64).collect();
    let values = values(graph, &inputs);
    terms(&execution, &values)
}

fn terms(execution: &Execution, values: &[Option<i64>]) -> Vec<Reason> {
    let remainders: Vec<_> = (0..execution.results()).map(|part| execution.remainder(part)).collect();
    let mut found = Vec::new();
    for (monomial, weight) in remainders.iter().flat_map(|remainder| remainder.terms()) {
        let variables = monomial.variables();
        if variables.iter().any(|variable| values[variable.index()].is_none()) {
            return Vec::new();
        }
        if variables.iter().all(|variable| values[variable.index()] != Some(0)) {
            let graph = &execution.facts.graph;
            let origin = |variable: &Variable| u64::from(graph.origin(variable.index()));
            // operands come from nowhere in the code
            let made = variables.iter().filter(|variable| is_made(graph, variable.index()));
            let reason = Reason {
                addresses: distinct(made.map(origin)),
                weight: Some(weight_text(&weight.to_string())),
                text: "what leaves the word here is missing in the result".to_owned(),
                count: 1,
            };
            found.push((weight.exponent(), reason));
        }
    }
    found.sort_by_key(|(exponent, _)| *exponent);
    distinct_reasons(found.into_iter().map(|(_, reason)| reason))
}

/// Whether results of the code are multiplied: substitution may then give more terms than fit.
fn is_nested(graph: &Graph) -> bool {
    let derived = |variable: &Variable| !variable.is_bit() && is_made(graph, variable.index());
    graph.equations().iter().any(|equation| {
        let products = equation.right.terms().iter().map(|(monomial, _)| monomial.variables());
        products.into_iter().any(|variables| variables.len() > 1 && variables.iter().any(derived))
    })
}

/// Whether an instruction made the variable.
pub(crate) fn is_made(graph: &Graph, index: usize) -> bool {
    graph.defining_low(index).is_some() || graph.defining_high(index).is_some()
}

/// The values of all variables for given inputs, which are the first variables; `None` where no equation
/// tells.
fn values(graph: &Graph, inputs: &[i64]) -> Vec<Option<i64>> {
    let mut values: Vec<Option<i64>> = vec![None; graph.len()];
    for (value, input) in values.iter_mut().zip(inputs) {
        *value = Some(*input);
    }
    for equation in graph.equations() {
        let Some(right) = evaluate(&equation.right, &values) else { continue };
        let word = |value: i128| i64::try_from(value).ok();
        match equation.high {
            None => values[equation.low.index()] = word(right),
            Some((high, factor)) => {
                let factor = i128::from(factor);
                let low = right.rem_euclid(factor.abs());
                values[equation.low.index()] = word(low);
                values[high.index()] = word((right - low) / factor);
            }
        }
    }
    values
}

fn evaluate(polynomial: &Polynomial, values: &[Option<i64>]) -> Option<i128> {
    let known = polynomial.variables().iter().all(|variable| values[variable.index()].is_some());
    let value = |variable: Variable| values[variable.index()].unwrap_or(0);
    known.then(|| polynomial.evaluate(value)).flatten()
}
