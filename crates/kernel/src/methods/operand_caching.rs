//! Operand caching: an initial block, then L-shaped rows around it, each of which keeps `e` words of
//! one operand in registers while the other streams past.
//!
//! Source: Hutter and Wenger, "Fast multi-precision multiplication for public-key cryptography on
//! embedded microprocessors", CHES 2011 and J. Cryptology 33 (2020), section 3.4; carry-once: Seo and
//! Kim 2013, section III.
//!
//! With `r = floor(n/e)` and the block of `q = n - re` words of the paper,
//!
//! ```text
//! block     (i,j):  n-q <= i < n,   0 <= j < q
//! row p     (i,j):  x <= i < x+e,   0 <= j < n-x                A fixed, B streams   (parts 1, 2)
//!   x = pe  (i,j):  x+e <= i < n,   n-x-e <= j < n-x            B fixed, A streams   (parts 3, 4)
//! ```
//!
//! for `p = r-1` down to 0. Rows end in columns that ascend strictly, so each carry word is fresh.
//!
//! Loads of operands and intermediates `2n + 4rn - 2er^2 - 2er` (equation 1), fewer by the words that
//! a row finds still in registers: `e` at the first change of row. Stores `2n + 2rn - er^2 - er`
//! (equation 2). Intermediates `2rn - er(r+1)`. The bounds `2n^2/e` and `n^2/e + n` that the paper puts
//! beside these hold only where `e` divides `n`.
//!
//! The authors name a patent application, PCT/AT2011/00397; its status is for users to check.
//!
//! The block may have any side `b`; inside it is product scanning. Where `e` does not divide `n - b`,
//! the row next to the block is the narrow one. `strips` gives the block and the widths of all rows instead; columns run
//! upwards in A, in the block by turns, unless `orders` says something else.

pub(super) mod looped;

use super::{Method, column, widths};
use crate::form::Form;
use crate::parameters::{Parameter, Parameters};
use crate::rows::arrange;
use crate::task::Task;
use crate::walk::{Product, Row, Walk};
use rhomb_contract::Operation;

pub(super) const METHOD: Method = Method {
    name: "operand-caching",
    summary: "an initial block, then L-shaped rows that keep e words of an operand",
    source: "Hutter and Wenger 2020, section 3.4; carry-once: Seo and Kim 2013",
    operation: Operation::Mul,
    forms: &[Form::Unrolled, Form::Looped],
    multiplier: true,
    parameters: &[Parameter::Cache, Parameter::CarryOnce, Parameter::InitialBlock],
    free_rows: true,
    task: |shape| match shape.form {
        Form::Unrolled => Task::Multiplication(walk(shape.words, shape.parameters)),
        Form::Looped => Task::LoopedMultiplication(looped::rolled(shape.words, shape.parameters)),
    },
};

pub(super) fn walk(words: usize, parameters: &Parameters) -> Walk {
    let cache = parameters.cache.unwrap_or(10).min(words);
    let block = parameters.initial_block.unwrap_or(words % cache).min(words);
    let (block, around) = match parameters.strips {
        Some(_) => {
            let mut widths = widths(parameters.strips, words, Vec::new);
            (widths.remove(0), widths)
        }
        None => (block, widths_around(words, block, cache)),
    };
    let mut rows = Vec::new();
    if block > 0 {
        let x = words - block;
        let columns = (x..=words - 1 + block - 1).map(|k| {
            let mut products = column(k, words, |product| product.i >= x && product.j < block);
            if (k - x) % 2 == 1 {
                products.reverse();
            }
            products
        });
        rows.push(Row::column_wise(columns.collect()));
    }
    rows.extend(rows_around(words, block, &around));
    if let Some(orders) = &parameters.orders {
        arrange(&mut rows, orders);
    }
    Walk { words, rows, pool: 2 * cache, carry_once: parameters.carry_once.unwrap_or(2) }
}

/// Widths of rows around a block of `block` words: `cache` each, the one next to the block narrower where that does
/// not divide the rest.
pub(super) fn widths_around(words: usize, block: usize, cache: usize) -> Vec<usize> {
    let rest = words - block;
    let narrow = Some(rest % cache).filter(|narrow| *narrow > 0);
    narrow.into_iter().chain(std::iter::repeat_n(cache, rest / cache)).collect()
}

/// L-shaped rows of these widths, which add up to `words` with `block`, around a block of `block` words.
pub(super) fn rows_around(words: usize, block: usize, widths: &[usize]) -> Vec<Row> {
    let mut rows = Vec::with_capacity(widths.len());
    let mut x = words - block;
    for width in widths {
        x -= width;
        let inside = |product: Product| {
            let fixed_a = (x..x + width).contains(&product.i) && product.j < words - x;
            let fixed_b = product.i >= x + width && (words - x - width..words - x).contains(&product.j);
            fixed_a || fixed_b
        };
        let columns = (x..=2 * words - x - 2).map(|k| column(k, words, inside));
        rows.push(Row::column_wise(columns.collect()));
    }
    rows
}
