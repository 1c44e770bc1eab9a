//! Both shapes of operand caching in one walk: a square of staircase rows, and L-shaped rows around it.
//!
//! With `b` words in the square, which is `A[n-b..n] x B[0..b]`, and `e` of cache: `b <= e` gives operand caching
//! whose initial block is one strip, `b = n` consecutive operand caching. In between stand walks of neither paper.
//! Staircase rows share `e` words with the row before, L-shaped ones do not; but where `e` does not divide the
//! side of the square, its narrow strip is crossed along the whole side, which L-shaped rows avoid. With
//! `R = ceil(b/e)` strips and a narrow one of `q` words, the square has `b + q - e - Rq` stores and as many
//! intermediates more than L-shaped rows have, and loads up to `(R - 2) e` operand words less.
//!
//! Sources of the parts: Hutter and Wenger 2020, section 3.4; Seo and Kim 2012, section 4. The rows of the square
//! end below column `n + b`, those around it above, ascending, so each carry word is fresh.
//!
//! `strips` gives the widths of all strips, those of the square first: as many as a side of `initial-block` has room
//! for, else all but the last.

use super::consecutive_operand_caching::{staircase, strips};
use super::operand_caching::{rows_around, widths_around};
use super::{Method, widths};
use crate::form::Form;
use crate::parameters::{Parameter, Parameters};
use crate::rows::arrange;
use crate::task::Task;
use crate::walk::Walk;
use rhomb_contract::Operation;

pub(super) const METHOD: Method = Method {
    name: "mixed-operand-caching",
    summary: "a square of staircase rows, then L-shaped rows around it",
    source: "Hutter and Wenger 2020, section 3.4; Seo and Kim 2012, section 4; carry-once: Seo and Kim 2013",
    operation: Operation::Mul,
    forms: &[Form::Unrolled],
    multiplier: true,
    parameters: &[Parameter::Cache, Parameter::CarryOnce, Parameter::InitialBlock, Parameter::NarrowStrip],
    free_rows: true,
    task: |shape| Task::Multiplication(walk(shape.words, shape.parameters)),
};

/// Strips of the square where its side is open.
const STRIPS: usize = 3;

fn walk(words: usize, parameters: &Parameters) -> Walk {
    let cache = parameters.cache.unwrap_or(10).min(words);
    let (square, around) = match parameters.strips {
        Some(_) => {
            let mut square = widths(parameters.strips, words, Vec::new);
            let around = square.split_off(strips_of_square(&square, parameters.initial_block));
            (square, around)
        }
        None => {
            let open = || match words % cache {
                0 => STRIPS * cache,
                rest => rest + (STRIPS - 1) * cache,
            };
            let block = parameters.initial_block.unwrap_or_else(open).min(words);
            let square = strips(block, cache, block % cache, parameters.narrow_strip.unwrap_or(0));
            (square, widths_around(words, block, cache))
        }
    };
    let block = square.iter().sum();
    let mut rows = staircase(block, &square);
    for product in rows.iter_mut().flat_map(|row| &mut row.segments).flat_map(|segment| &mut segment.products)
    {
        product.i += words - block;
    }
    rows.iter_mut().for_each(|row| row.first_column += words - block);
    rows.extend(rows_around(words, block, &around));
    if let Some(orders) = &parameters.orders {
        arrange(&mut rows, orders);
    }
    Walk { words, rows, pool: 2 * cache, carry_once: parameters.carry_once.unwrap_or(2) }
}

/// How many of the strips belong to the square: those that a side of `block` has room for, or all but the last.
fn strips_of_square(widths: &[usize], block: Option<usize>) -> usize {
    let Some(block) = block else { return widths.len().saturating_sub(1) };
    let ends = widths.iter().scan(0, |end, width| {
        *end += width;
        Some(*end)
    });
    ends.take_while(|end| *end <= block).count()
}
