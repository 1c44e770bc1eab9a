//! Operand scanning (schoolbook): row `i` is `A[i]*B[0..n]`, added to the result so far.
//!
//! Source: Hutter and Wenger, J. Cryptology 33 (2020), section 3.1; carry-once: Seo and Kim 2013,
//! section III.
//!
//! `n^2 + n` loads of operands, `n^2 - n` of intermediates (the paper's `3n^2 + 2n` accesses counts
//! loads of the result in the first row too), `n^2 + n` stores.
//!
//! With carry-once `c > 1` a segment is `c` products. Their words are made first, in two passes: the
//! products at odd places touch each other nowhere and are simply placed, those at even places are
//! added to them; a placed high word is at most `2^w - 2`, so the carry of each addition ends in it.
//! Then `c` intermediates are added in one chain.

mod looped;

use super::Method;
use crate::form::Form;
use crate::parameters::{Parameter, Parameters};
use crate::task::Task;
use crate::walk::{Product, Row, Segment, Walk};
use rhomb_contract::Operation;

pub(super) const METHOD: Method = Method {
    name: "operand-scanning",
    summary: "row by row, as by hand: one word of A times all of B",
    source: "Hutter and Wenger 2020, section 3.1",
    operation: Operation::Mul,
    forms: &[Form::Unrolled, Form::Looped],
    multiplier: true,
    parameters: &[Parameter::Cache, Parameter::CarryOnce],
    free_rows: false,
    task: |shape| match shape.form {
        Form::Unrolled => Task::Multiplication(walk(shape.words, shape.parameters)),
        Form::Looped => Task::LoopedMultiplication(looped::rolled(shape.words, shape.parameters)),
    },
};

fn walk(words: usize, parameters: &Parameters) -> Walk {
    let carry_once = parameters.carry_once.unwrap_or(2).min(words);
    let row = |i: usize| {
        let columns: Vec<usize> = (0..words).collect();
        let segments = columns.chunks(carry_once).map(|chunk| {
            let odd = chunk.iter().skip(1).step_by(2);
            let even = chunk.iter().step_by(2);
            Segment {
                products: odd.chain(even).map(|j| Product { i, j: *j }).collect(),
                finishes: chunk.len(),
            }
        });
        Row { first_column: i, segments: segments.collect() }
    };
    Walk {
        words,
        rows: (0..words).map(row).collect(),
        pool: 2 * parameters.cache.unwrap_or(1).min(words),
        carry_once,
    }
}
