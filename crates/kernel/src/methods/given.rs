//! The rows of a walk that a user wrote: see [`crate::text`].
//!
//! Loads, stores and intermediates are counted as of any walk. The pool has twice as many registers as `cache` says.

use super::Method;
use crate::form::Form;
use crate::parameters::{Parameter, Parameters};
use crate::task::Task;
use crate::walk::{Row, Walk};
use rhomb_contract::Operation;

/// A walk whose rows are given beside its parameters. It is in no list of methods, and its task by itself has no rows.
pub static GIVEN: Method = Method {
    name: "walk",
    summary: "the rows of a file",
    source: "the file",
    operation: Operation::Mul,
    forms: &[Form::Unrolled],
    multiplier: true,
    parameters: &[Parameter::Cache, Parameter::CarryOnce],
    free_rows: false,
    task: |shape| Task::Multiplication(given(shape.words, Vec::new(), shape.parameters)),
};

/// The walk along these rows, for operands of `words` words.
pub fn given(words: usize, rows: Vec<Row>, parameters: &Parameters) -> Walk {
    let pool = 2 * parameters.cache.unwrap_or(10).min(words);
    Walk { words, rows, pool, carry_once: parameters.carry_once.unwrap_or(2) }
}
