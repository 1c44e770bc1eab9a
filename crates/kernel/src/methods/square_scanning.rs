//! Squaring by product scanning: the products `i < j` column by column in one row, doubled, and the
//! squares added, by batches of columns.
//!
//! Source: P. G. Comba, "Exponentiation cryptosystems on the IBM PC", IBM Systems Journal 29(4), 1990,
//! for the columns; doubling sums of columns instead of products: A. Menezes, P. van Oorschot and
//! S. Vanstone, "Handbook of applied cryptography", 1996, algorithm 14.16. Carries of the doubling and
//! of the squares that wait from batch to batch are ours.
//!
//! `n(n+1)/2` products. `n` operand loads if registers hold all words, always `2n` stores.

use super::{Method, column};
use crate::form::Form;
use crate::parameters::{Parameter, Parameters};
use crate::squaring::Squaring;
use crate::task::Task;
use crate::walk::Row;
use rhomb_contract::Operation;

pub(super) const METHOD: Method = Method {
    name: "product-scanning",
    summary: "column by column; batches of columns doubled at once",
    source: "Comba 1990; Menezes, van Oorschot and Vanstone 1996, algorithm 14.16",
    operation: Operation::Sqr,
    forms: &[Form::Unrolled, Form::Looped],
    multiplier: true,
    parameters: &[Parameter::Batch],
    free_rows: false,
    task: |shape| match shape.form {
        Form::Unrolled => Task::Squaring(squaring(shape.words, shape.parameters)),
        Form::Looped => Task::ScannedSquaring { words: shape.words },
    },
};

pub(super) fn squaring(words: usize, parameters: &Parameters) -> Squaring {
    let columns = (0..2 * words).map(|k| {
        let mut products = column(k, words, |product| product.i < product.j);
        if k % 2 == 1 {
            products.reverse();
        }
        products
    });
    let rows = vec![Row { first_column: 0, ..Row::column_wise(columns.collect()) }];
    Squaring { words, rows, carry_once: 1, batch: parameters.batch.unwrap_or(1) }
}
