//! The search for numbers that are reduced step by step: from the result back to what was reduced first.

use rhomb_certificate::{Difference, Execution, NoBorrow, Reduced, Step};
use rhomb_equations::Graph;
use rhomb_poly::Variable;

/// Bounds of the numbers on the way to the result, and that it lies below its own; whether there are any.
pub(crate) fn find_reductions(execution: &mut Execution, steps: &mut Vec<Step>) -> bool {
    let words: Option<Vec<u32>> =
        execution.result().map(|word| Some(word.as_variable()?.index() as u32)).collect();
    let Some(result) = words.filter(|words| !words.is_empty()) else { return false };
    let bits = execution.facts.word_bits();
    let mut found: Vec<Reduced> = Vec::new();
    let mut words = result.clone();
    let is_older =
        |reduced: &Reduced, found: &[Reduced]| found.last().is_none_or(|own| reduced.bit < own.bit);
    while let Some(reduced) = step(&execution.facts.graph, &words, bits).filter(|own| is_older(own, &found)) {
        words.clone_from(&reduced.of);
        found.push(reduced);
    }
    for reduced in found.into_iter().rev() {
        if reduced.accept(&mut execution.facts) {
            steps.push(Step::Reduced(reduced));
        }
    }
    let borrow = execution.excess().variables();
    if let [borrow] = borrow[..] {
        let own = NoBorrow { words: result, borrow: borrow.index() as u32 };
        if own.accept(&mut execution.facts) {
            steps.push(Step::NoBorrow(own));
        }
    }
    !steps.is_empty()
}

/// The step that made words, as far as the equations say.
fn step(graph: &Graph, words: &[u32], bits: u32) -> Option<Reduced> {
    // words from which nothing was taken last were chosen before
    let bit = words.iter().filter_map(|word| chosen_by(graph, *word)).max()?;
    let taken = Difference::of(graph, bit.index() as u32, bits, 1)?.words;
    let above = taken.iter().rev().map(|own| own.word.index() as u32);
    // the lowest words, from which nothing is taken, are those before
    let below = words.len().saturating_sub(taken.len());
    let of = words[..below].iter().copied().chain(above).collect();
    Some(Reduced { words: words.to_vec(), of, bit: bit.index() as u32 })
}

/// The bit by which a word was chosen.
pub(crate) fn chosen_by(graph: &Graph, word: u32) -> Option<Variable> {
    let equation = graph.defining_low(word as usize).filter(|own| own.high.is_none())?;
    let products = equation.right.terms().iter().filter(|(product, _)| product.variables().len() == 2);
    products.flat_map(|(product, _)| product.variables().iter().copied()).find(|own| own.is_bit())
}
