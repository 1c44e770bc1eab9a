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
//! `initial-block` is the width of one strip: the remainder of `n` by `e`, by default, makes all others
//! full. It is the first, or stands behind `narrow-strip` full ones: the papers' is the last. With loops it is an
//! L-shaped row around all others, whatever `narrow-strip` says. `strips` gives all widths instead; columns run
//! downwards in A unless `orders` says something else.

mod looped;

use super::{Method, column, widths};
use crate::form::Form;
use crate::parameters::{Parameter, Parameters};
use crate::rows::arrange;
use crate::task::Task;
use crate::walk::{Product, Row, Walk};
use rhomb_contract::Operation;

pub(super) const METHOD: Method = Method {
    name: "consecutive-operand-caching",
    summary: "staircase rows, each beginning with the words that the row before kept",
    source: "Seo and Kim 2012, section 4; carry-once: Seo and Kim 2013",
    operation: Operation::Mul,
    forms: &[Form::Unrolled, Form::Looped],
    multiplier: true,
    parameters: &[Parameter::Cache, Parameter::CarryOnce, Parameter::InitialBlock, Parameter::NarrowStrip],
    free_rows: true,
    task: |shape| match shape.form {
        Form::Unrolled => Task::Multiplication(walk(shape.words, shape.parameters)),
        Form::Looped => Task::LoopedMultiplication(looped::rolled(shape.words, shape.parameters)),
    },
};

fn walk(words: usize, parameters: &Parameters) -> Walk {
    let cache = parameters.cache.unwrap_or(10).min(words);
    let narrow = parameters.initial_block.unwrap_or(words % cache).min(cache);
    let own = || strips(words, cache, narrow, parameters.narrow_strip.unwrap_or(0));
    let mut rows = staircase(words, &widths(parameters.strips, words, own));
    if let Some(orders) = &parameters.orders {
        arrange(&mut rows, orders);
    }
    Walk { words, rows, pool: 2 * cache, carry_once: parameters.carry_once.unwrap_or(2) }
}

/// Widths of the strips: as many of `cache` as there are, then the rest, and among them one of `narrow`
/// (none if 0) behind the first `before`, or the last.
pub(super) fn strips(words: usize, cache: usize, narrow: usize, before: usize) -> Vec<usize> {
    let others = words - narrow;
    let mut widths = vec![cache; others / cache];
    widths.extend(Some(others % cache).filter(|rest| *rest > 0));
    if narrow > 0 {
        widths.insert(before.min(widths.len()), narrow);
    }
    widths
}

/// The rows for strips of these widths, which add up to `words`.
pub(super) fn staircase(words: usize, widths: &[usize]) -> Vec<Row> {
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

#[cfg(test)]
mod tests {
    use super::strips;

    #[test]
    fn the_narrow_strip_has_any_place() {
        assert_eq!(strips(24, 10, 4, 0), [4, 10, 10]);
        assert_eq!(strips(24, 10, 4, 1), [10, 4, 10]);
        assert_eq!(strips(24, 10, 4, 2), [10, 10, 4]);
        assert_eq!(strips(24, 10, 4, 9), [10, 10, 4]);
        assert_eq!(strips(24, 10, 7, 0), [7, 10, 7]);
        assert_eq!(strips(20, 10, 0, 1), [10, 10]);
        assert_eq!(strips(3, 10, 3, 0), [3]);
    }
}
