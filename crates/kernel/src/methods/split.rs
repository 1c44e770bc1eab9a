//! Split: parts multiplied separately, and the crossed products of each pair by one product of differences or sums, again
//! and again; below, operand caching. Parts are two halves where nothing else is said.
//!
//! Source: A. Karatsuba and Yu. Ofman, "Multiplication of multidigit numbers on automata", Soviet Physics
//! Doklady 7 (1963); recursive, with a rule for the levels, Hwang, Huang and Su, section 3. The algebra
//! stands in [`crate::split`].
//!
//! `n` levels of halves take `3^n` products of parts of `ceil(s / 2^n)` words or one less. Without `levels`, as many as
//! are best by the authors' model, corrected.

use super::{Method, operand_caching, square_caching, square_scanning};
use crate::form::Form;
use crate::parameters::{Parameter, Parameters};
use crate::split::{Cut, Node, Pairs, levels};
use crate::squaring::Squaring;
use crate::task::Task;
use crate::walk::Walk;
use rhomb_contract::Operation;

pub(super) const METHOD: Method = Method {
    name: "split",
    summary: "parts, and a product of differences or sums for each pair (Karatsuba), for so many levels; operand caching below",
    source: "Karatsuba and Ofman 1962; Hwang, Huang and Su, section 3",
    operation: Operation::Mul,
    forms: &[Form::Unrolled],
    multiplier: true,
    parameters: &[Parameter::Levels, Parameter::Parts, Parameter::Pairs, Parameter::Cache],
    free_rows: false,
    task: |shape| Task::Split(node(shape.words, shape.parameters, &|words| walk(words, shape.parameters))),
};

pub(super) const SQUARE: Method = Method {
    summary: "parts, and the square of a difference or sum for each pair (Karatsuba), for so many levels; below, column by column or operand caching",
    operation: Operation::Sqr,
    task: |shape| Task::Split(node(shape.words, shape.parameters, &|words| square(words, shape.parameters))),
    ..METHOD
};

/// Words beyond the cache that a product by columns takes without loading more than rows would.
const MORE_IN_A_BLOCK: usize = 3;

/// Words beyond twice the cache that are squared by columns without loading more than rows would.
const MORE_IN_COLUMNS: usize = 4;

const CACHE: usize = 10;

fn node<W: Into<Node>>(words: usize, parameters: &Parameters, whole: &impl Fn(usize) -> W) -> Node {
    let cut = parameters.parts.and_then(Cut::of_digits).unwrap_or(Cut::Balanced(2));
    let pairs =
        parameters.pairs.and_then(|number| Pairs::ALL.get(number)).copied().unwrap_or(Pairs::Subtractive);
    let levels = parameters.levels.unwrap_or_else(|| match cut {
        Cut::Balanced(parts) => levels::model(parts, words),
        Cut::Ratio(_) => 1,
    });
    Node::new(words, levels, &cut, pairs, whole)
}

fn walk(words: usize, parameters: &Parameters) -> Walk {
    let cache = parameters.cache.unwrap_or(CACHE);
    // a few words more than the cache are best left in one block
    let whole = (cache + 1..=cache + MORE_IN_A_BLOCK).contains(&words);
    let block = parameters.initial_block.or(whole.then_some(words));
    operand_caching::walk(words, &Parameters { initial_block: block, ..*parameters })
}

fn square(words: usize, parameters: &Parameters) -> Squaring {
    match words <= 2 * parameters.cache.unwrap_or(CACHE) + MORE_IN_COLUMNS {
        true => square_scanning::squaring(words, parameters),
        false => square_caching::squaring(words, parameters),
    }
}
