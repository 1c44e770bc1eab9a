//! Hybrid multiplication: blocks of `d` by `d` products, block columns as in product scanning, row by
//! row inside a block.
//!
//! Source: Gura, Patel, Wander, Eberle and Shantz, "Comparing elliptic curve cryptography and RSA on
//! 8-bit CPUs", CHES 2004; Hutter and Wenger, J. Cryptology 33 (2020), section 3.3. Carries that would
//! run through the open words are kept in catchers, one a column, as in Scott and Szczechowiak,
//! "Optimizing multiprecision multiplication for public key cryptography", eprint 2007/299.
//!
//! With `d + 1` operand registers, `2n*ceil(n/d)` loads (the `2n^2/d` of the papers where `d` divides
//! `n`), `2n` stores. The accumulator spans `2d` words and their catchers.

mod looped;

use super::Method;
use crate::form::Form;
use crate::parameters::{Parameter, Parameters};
use crate::task::Task;
use crate::walk::{Product, Row, Segment, Walk};
use rhomb_contract::Operation;

pub(super) const METHOD: Method = Method {
    name: "hybrid",
    summary: "blocks of d rows, block columns as in product scanning",
    source: "Gura et al. 2004; Hutter and Wenger 2020, section 3.3",
    operation: Operation::Mul,
    forms: &[Form::Unrolled, Form::Looped],
    multiplier: true,
    parameters: &[Parameter::Rows],
    free_rows: false,
    task: |shape| match shape.form {
        Form::Unrolled => Task::Multiplication(walk(shape.words, shape.parameters)),
        Form::Looped => Task::LoopedMultiplication(looped::rolled(shape.words, shape.parameters)),
    },
};

fn walk(words: usize, parameters: &Parameters) -> Walk {
    let d = parameters.rows.unwrap_or(4).min(words);
    let blocks = words.div_ceil(d);
    let range = |block: usize| block * d..(block * d + d).min(words);
    let block_column = |sum: usize| {
        let mut products = Vec::new();
        for block in (sum + 1).saturating_sub(blocks)..blocks.min(sum + 1) {
            for i in range(block) {
                products.extend(range(sum - block).map(|j| Product { i, j }));
            }
        }
        let last = sum + 2 == 2 * blocks;
        Segment { products, finishes: if last { 2 * words - 1 - sum * d } else { d } }
    };
    let row = Row { first_column: 0, segments: (0..2 * blocks - 1).map(block_column).collect() };
    Walk { words, rows: vec![row], pool: d + 1, carry_once: 1 }
}
