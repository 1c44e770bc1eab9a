//! Squaring by operand caching: the triangle `i < j` in nested rows of the shape of an L, each of which
//! keeps `e` words of both ends of a range while the words between stream past.
//!
//! Source: Hutter and Wenger, J. Cryptology 33 (2020), section 3.4, for the rows of multiplication, carried
//! over to the triangle; carry-once: Seo and Kim 2013, section III.
//!
//! ```text
//! innermost row     all i < j within the middle range [x, n-x)
//! row around [x+e, n-x-e)    (i,j):  x <= i < x+e  or  n-x-e <= j < n-x
//! ```
//!
//! The innermost range has at most `2e` words. Rows end in columns that ascend strictly, so each carry
//! word is fresh. The outermost row covers all columns; it doubles them and adds the squares.

mod looped;

use super::{Method, column};
use crate::form::Form;
use crate::parameters::{Parameter, Parameters};
use crate::squaring::Squaring;
use crate::task::Task;
use crate::walk::Row;
use rhomb_contract::Operation;

pub(super) const METHOD: Method = Method {
    name: "operand-caching",
    summary: "rows that keep e words: nested L's, doubled in the last; with loops strips, doubled as they end",
    source: "Hutter and Wenger 2020, section 3.4, on the triangle; carry-once: Seo and Kim 2013",
    operation: Operation::Sqr,
    forms: &[Form::Unrolled, Form::Looped],
    multiplier: true,
    parameters: &[Parameter::Cache, Parameter::CarryOnce, Parameter::Batch],
    free_rows: false,
    task: |shape| match shape.form {
        Form::Unrolled => Task::Squaring(squaring(shape.words, shape.parameters)),
        Form::Looped => Task::LoopedSquaring(looped::rolled(shape.words, shape.parameters)),
    },
};

pub(super) fn squaring(words: usize, parameters: &Parameters) -> Squaring {
    let cache = parameters.cache.unwrap_or(10).clamp(1, words);
    // how far the innermost range is from either end: a multiple of the cache
    let depth = words.saturating_sub(2 * cache + 1).div_ceil(2 * cache) * cache;
    let mut rows = Vec::new();
    let mut x = depth;
    loop {
        let inner = x + cache..(words - x).saturating_sub(cache);
        let innermost = x == depth;
        let inside = |i: usize, j: usize| {
            x <= i && i < j && j < words - x && (innermost || !inner.contains(&i) || !inner.contains(&j))
        };
        let columns = if x == 0 { 0..2 * words } else { 2 * x + 1..2 * (words - x) - 2 };
        let first_column = columns.start;
        let columns = columns.map(|k| {
            let mut products = column(k, words, |product| inside(product.i, product.j));
            if k % 2 == 1 {
                products.reverse();
            }
            products
        });
        rows.push(Row { first_column, ..Row::column_wise(columns.collect()) });
        if x == 0 {
            break;
        }
        x -= cache;
    }
    Squaring {
        words,
        rows,
        carry_once: parameters.carry_once.unwrap_or(2),
        batch: parameters.batch.unwrap_or(1),
    }
}
