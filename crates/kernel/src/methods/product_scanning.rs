//! Product scanning (Comba): column by column, `C[k] = sum of A[i]*B[k-i]`, in one row.
//!
//! Source: P. G. Comba, "Exponentiation cryptosystems on the IBM PC", IBM Systems Journal 29(4),
//! 1990; Hutter and Wenger, J. Cryptology 33 (2020), section 3.2.
//!
//! With two operand registers, `2n^2` loads if every column runs the same way. Columns run by turns up
//! and down here, so that the last product of a column shares a word with the first of the next:
//! `2n^2 - (2n - 2)` loads. With `2n` registers, `2n` loads. Always `2n` stores.

mod looped;

use super::{Method, column};
use crate::form::Form;
use crate::parameters::{Parameter, Parameters};
use crate::task::Task;
use crate::walk::{Row, Walk};
use rhomb_contract::Operation;

pub(super) const METHOD: Method = Method {
    name: "product-scanning",
    summary: "column by column, each result word stored once",
    source: "Comba 1990; Hutter and Wenger 2020, section 3.2",
    operation: Operation::Mul,
    forms: &[Form::Unrolled, Form::Looped],
    multiplier: true,
    parameters: &[Parameter::Cache],
    free_rows: false,
    task: |shape| match shape.form {
        Form::Unrolled => Task::Multiplication(walk(shape.words, shape.parameters)),
        Form::Looped => Task::LoopedMultiplication(looped::rolled(shape.words, shape.parameters)),
    },
};

fn walk(words: usize, parameters: &Parameters) -> Walk {
    let columns = (0..2 * words - 1).map(|k| {
        let mut products = column(k, words, |_| true);
        if k % 2 == 1 {
            products.reverse();
        }
        products
    });
    Walk {
        words,
        rows: vec![Row::column_wise(columns.collect())],
        pool: 2 * parameters.cache.unwrap_or(10).min(words),
        carry_once: 1,
    }
}
