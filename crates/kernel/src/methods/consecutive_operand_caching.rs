//! Consecutive operand caching: staircase rows that begin with the words which the row before ended
//! with, so that these need no load.
//!
//! Source: Seo and Kim, "Multi-precision multiplication for public-key cryptography on embedded
//! microprocessors", WISA 2012, LNCS 7690, section 4; carry-once: Seo and Kim 2013, section III. The
//! papers show the schedule for one size; this is the general one that has their counts.
//!
//! A is cut into strips and B into blocks of the same widths `w_0 .. w_(R-1)`, at most `e` each. With
//! `A_k` the strip that begins at `s_k = w_0 + .. + w_(k-1)`, and `t_k = n - s_k`,
//!
//! ```text
//! row 0   A_0 x B[n-w_0 .. n)                                      the first block
//! row k   A_(k-1) x B[0 .. t_k)                                    A fixed, B streams upwards
//!         A_k x B[t_k - w_k .. n)                                  the turn, then A_k fixed, B streams on
//! ```
//!
//! Row k covers columns `s_(k-1) .. n + s_(k+1) - 2`; the ends ascend strictly, so each carry word is
//! fresh. Where `e` divides `n`: operand loads `nR + e`, intermediates `n(R - 1)`, stores `2n` more.
//!
//! `initial-block` is the width of the first strip: the remainder of `n` by `e`, by default, makes all
//! others full; `e` makes the last one narrow, as in the papers.

use super::{Method, Parameter, Parameters, column};
use crate::operation::{Form, Operation};
use crate::task::Task;
use crate::walk::{Product, Row, Walk};

pub(super) const METHOD: Method = Method {
    name: "consecutive-operand-caching",
    summary: "staircase rows, each beginning with the words that the row before kept",
    source: "Seo and Kim 2012, section 4; carry-once: Seo and Kim 2013",
    operation: Operation::Mul,
    forms: &[Form::Unrolled],
    multiplier: true,
    parameters: &[Parameter::Cache, Parameter::CarryOnce, Parameter::InitialBlock],
    task: |shape| Task::Multiplication(walk(shape.words, shape.parameters)),
};

fn walk(words: usize, parameters: &Parameters) -> Walk {
    let cache = parameters.cache.unwrap_or(10).min(words);
    let first = parameters.initial_block.unwrap_or(words % cache).min(cache);
    let rows = staircase(words, &strips(words, first, cache));
    Walk { words, rows, pool: 2 * cache, carry_once: parameters.carry_once.unwrap_or(2) }
}

/// Widths of the strips: `first` (none if 0), then as many of `cache` as there are, then the rest.
fn strips(words: usize, first: usize, cache: usize) -> Vec<usize> {
    let mut widths = Vec::new();
    let mut left = words;
    for width in std::iter::once(first).chain(std::iter::repeat(cache)) {
        let width = width.min(left);
        if width > 0 {
            widths.push(width);
        }
        left -= width;
        if left == 0 {
            break;
        }
    }
    widths
}

/// The rows for strips of these widths, which add up to `words`.
fn staircase(words: usize, widths: &[usize]) -> Vec<Row> {
    let mut rows = Vec::with_capacity(widths.len());
    let mut start = 0; // s_k
    let mut before = 0; // w_(k-1)
    for width in widths {
        let turn = words - start; // t_k
        let low = turn - width;
        let inside = |product: Product| {
            let old = (start - before..start).contains(&product.i) && product.j < turn;
            let new = (start..start + width).contains(&product.i) && product.j >= low;
            old || new
        };
        let lowest = if before == 0 { start + low } else { start - before };
        // downwards in A: what the turn still needs stays
        let columns = (lowest..=words - 1 + start + width - 1).map(|k| {
            let mut products = column(k, words, inside);
            products.reverse();
            products
        });
        rows.push(Row::column_wise(columns.collect()));
        start += width;
        before = *width;
    }
    rows
}
