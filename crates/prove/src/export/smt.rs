//! SMT-LIB 2.6, logic QF_NIA.

use super::Obligation;
use rhomb_certificate::Expression;
use rhomb_poly::{Polynomial, Variable};
use std::collections::BTreeSet;

pub(super) fn text(obligation: &Obligation, identity: &str) -> String {
    let graph = &obligation.execution.facts.graph;
    let mut out = String::new();
    let mut line = |text: &str| {
        out.push_str(text);
        out.push('\n');
    };
    obligation.title(identity).iter().for_each(|text| line(&format!("; {text}")));
    line("; Unsatisfiable: the result is right for all inputs.");
    line("(set-logic QF_NIA)");
    let needed = |index: &usize| obligation.needed[*index];
    for index in (0..graph.len()).filter(needed) {
        let most = graph.most(graph.variable_at(index));
        line(&format!("(declare-const v{index} Int) (assert (<= 0 v{index} {most}))"));
    }
    // products by name: most of the reasoning is linear in them
    for product in products(obligation) {
        let [x, y] = [name(product[0]), name(product[1])];
        let most = i128::from(graph.most(product[0])) * i128::from(graph.most(product[1]));
        let name = product_name(&product);
        line(&format!("(declare-const {name} Int) (assert (<= 0 {name} {most}))"));
        line(&format!("(assert (= {name} (* {x} {y})))"));
    }
    for equation in graph.equations().iter().filter(|equation| needed(&equation.low.index())) {
        let low = name(equation.low);
        let left = match equation.high {
            Some((high, factor)) => format!("(+ {low} (* {} {}))", integer(factor.into()), name(high)),
            None => low,
        };
        line(&format!("(assert (= {left} {}))", polynomial(&equation.right)));
    }
    let (result, right) = (result(obligation), right(obligation));
    match obligation.contract.modular() {
        None => line(&format!("(assert (not (= {result} {right})))")),
        Some(modular) => {
            let modulus = modular.modulus.number();
            for (index, words) in obligation.operands.iter().enumerate() {
                let bound = obligation.contract.bound(index, obligation.word_bits);
                bound
                    .iter()
                    .for_each(|bound| line(&format!("(assert (< {} {bound}))", number(obligation, words))));
            }
            let scale =
                num_bigint::BigUint::from(1u8) << obligation.contract.shift(obligation.word_bits) as usize;
            let congruent = format!("(= (mod (- (* {scale} {result}) {right}) {modulus}) 0)");
            let right = match obligation.contract.is_canonical() {
                true => format!("(and {congruent} (< {result} {modulus}))"),
                false => congruent,
            };
            line(&format!("(assert (not {right}))"));
        }
    }
    line("(check-sat)");
    out
}

fn name(variable: Variable) -> String {
    format!("v{}", variable.index())
}

fn integer(value: i128) -> String {
    if value < 0 { format!("(- {})", value.unsigned_abs()) } else { value.to_string() }
}

fn sum(terms: &[String]) -> String {
    match terms {
        [] => "0".to_owned(),
        [one] => one.clone(),
        _ => format!("(+ {})", terms.join(" ")),
    }
}

/// The products of two variables that occur.
fn products(obligation: &Obligation) -> BTreeSet<Vec<Variable>> {
    let graph = &obligation.execution.facts.graph;
    let equations = graph.equations().iter().filter(|equation| obligation.needed[equation.low.index()]);
    let polynomials = equations.map(|equation| &equation.right).chain(&obligation.result);
    let monomials =
        polynomials.flat_map(Polynomial::terms).map(|(monomial, _)| monomial.variables().to_vec());
    monomials.chain(wanted_products(obligation)).filter(|variables| variables.len() == 2).collect()
}

/// Those of the product that the contract wants.
fn wanted_products(obligation: &Obligation) -> Vec<Vec<Variable>> {
    let operands = &obligation.operands;
    match obligation.contract.expression() {
        Expression::Product | Expression::Square => {
            let b = operands.last().unwrap_or(&operands[0]);
            operands[0].iter().flat_map(|x| b.iter().map(|y| sorted(*x, *y))).collect()
        }
        _ => Vec::new(),
    }
}

fn sorted(x: Variable, y: Variable) -> Vec<Variable> {
    if y < x { vec![y, x] } else { vec![x, y] }
}

fn product_name(product: &[Variable]) -> String {
    let names: Vec<String> = product.iter().map(|variable| variable.index().to_string()).collect();
    format!("p{}", names.join("_"))
}

/// `factor` times the variables; products of two have a name.
fn term(factor: &str, variables: &[Variable]) -> String {
    match variables {
        [] => factor.to_owned(),
        [_, _] => format!("(* {factor} {})", product_name(variables)),
        _ => {
            let names: Vec<String> = variables.iter().copied().map(name).collect();
            format!("(* {factor} {})", names.join(" "))
        }
    }
}

fn polynomial(polynomial: &Polynomial) -> String {
    let terms = polynomial.terms().iter();
    sum(&terms
        .map(|(monomial, factor)| term(&integer((*factor).into()), monomial.variables()))
        .collect::<Vec<_>>())
}

/// `2^(word_bits * column)` as a number.
fn weight(obligation: &Obligation, column: usize) -> String {
    (num_bigint::BigUint::from(1u8) << (obligation.word_bits as usize * column)).to_string()
}

/// The number that the result's words make; a returned carry counts up, a borrow down.
fn result(obligation: &Obligation) -> String {
    let borrow = obligation.contract.expression() == Expression::Difference;
    let last = obligation.result.len() - 1;
    let terms: Vec<String> = obligation
        .result
        .iter()
        .enumerate()
        .map(|(column, word)| {
            let weight = weight(obligation, column);
            let sign = if borrow && column == last { format!("(- {weight})") } else { weight };
            format!("(* {sign} {})", polynomial(word))
        })
        .collect();
    sum(&terms)
}

/// The number that words make.
fn number(obligation: &Obligation, words: &[Variable]) -> String {
    let terms = words.iter().enumerate();
    sum(&terms
        .map(|(column, word)| format!("(* {} {})", weight(obligation, column), name(*word)))
        .collect::<Vec<_>>())
}

/// What it should be.
fn right(obligation: &Obligation) -> String {
    let own = |operand: usize, words: &[Variable]| match obligation.contract.times(operand) {
        1 => number(obligation, words),
        times => format!("(* {times} {})", number(obligation, words)),
    };
    let (a, b) = (&obligation.operands[0], obligation.operands.last().unwrap_or(&obligation.operands[0]));
    match obligation.contract.expression() {
        Expression::Product | Expression::Square => {
            let mut terms = Vec::new();
            for (i, x) in a.iter().enumerate() {
                for (j, y) in b.iter().enumerate() {
                    terms.push(term(&weight(obligation, i + j), &sorted(*x, *y)));
                }
            }
            sum(&terms)
        }
        Expression::Sum => format!("(+ {} {})", own(0, a), own(1, b)),
        Expression::Difference => format!("(- {} {})", own(0, a), own(1, b)),
        // never another one: see `Obligation::new`
        _ => own(0, a),
    }
}
