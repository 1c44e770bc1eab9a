//! A modulus that is an argument: lemmas that would be replaced for ever.

use crate::kernels::assembled;
use rhomb_certificate::{EFFORT, Facts, Lemma, Reading, Reduction, Step, View, execute, take};
use rhomb_poly::{Dyadic, Monomial, Sum, Variable};

/// r = a * a / R modulo n, of one byte each, executed for a routine that stores something.
fn facts() -> Facts {
    let contract = "montsqr any 8 workspace 3 complement 1 inverse 2".parse().unwrap();
    let routine = assembled("movw r26, r24\nst X, r1\nret");
    execute(&routine, &contract, &contract.patterns()[0], Reading::Plain, EFFORT).unwrap().facts
}

fn times(variables: &[Variable]) -> Monomial {
    variables.iter().fold(Monomial::one(), |product, own| product.times(&Monomial::variable(*own)))
}

fn reduced(facts: &Facts, monomial: &Monomial) -> Sum {
    let mut reduction = Reduction::new(facts, View::Identity, 0, facts.graph.len());
    reduction.add_term(monomial, &Dyadic::power(0));
    reduction.finish()
}

#[test]
fn the_product_of_the_lowest_word_and_its_inverse_is_known() {
    let facts = facts();
    let argument = facts.argument.as_ref().unwrap();
    let (n, a) = (facts.graph.variable_at(1), facts.graph.variable_at(0));
    let mut right = Sum::default();
    right.add(&times(&[a, argument.quotient]), &Dyadic::power(8));
    right.add(&times(&[a]), &Dyadic::power(0).negate());
    assert_eq!(reduced(&facts, &times(&[a, n, argument.inverse])), right);
}

/// What the quotient is, as a lemma: each replacement brings it in again.
#[test]
fn a_replacement_that_comes_back_ends() {
    let mut facts = facts();
    let argument = facts.argument.clone().unwrap();
    let (a, n) = (facts.graph.variable_at(0), facts.graph.variable_at(1));
    let mut value = Sum::default();
    value.add(&times(&[n, argument.inverse]), &Dyadic::power(-8));
    value.add(&Monomial::one(), &Dyadic::power(-8));
    let words = vec![argument.quotient.index() as u32];
    let lemma = Step::Lemma(Lemma { words, value, forms: Vec::new(), cases: Vec::new(), open: Vec::new() });
    facts.set_effort(100_000);
    // true, and of no use
    let _ = take(&lemma, &mut facts);
    reduced(&facts, &times(&[a, argument.quotient]));
}

/// Many pairs would make two terms each.
#[test]
fn long_products_stay() {
    let facts = facts();
    let argument = facts.argument.as_ref().unwrap();
    let n = facts.graph.variable_at(1);
    let long = times(&[[n; 60], [argument.inverse; 60]].concat());
    assert_eq!(
        reduced(&facts, &long).terms().map(|(monomial, _)| monomial.clone()).collect::<Vec<_>>(),
        [long]
    );
}
