//! Operand scanning with loops: the first row, which finds no result, then all others; in a row a loop
//! of `c` columns, and what is left of the row behind it. A row starts from the beginning of B, so that
//! one word of A is all that can be cached.

use crate::parameters::Parameters;
use crate::rolled::{Block, Index, Node, Rolled, repeat};
use crate::schedule::Step;
use crate::walk::{Operand, Product};

pub(super) fn rolled(words: usize, parameters: &Parameters) -> Rolled {
    let chunk = parameters.carry_once.unwrap_or(2).min(words);
    let mut nodes = row(words, chunk, Index::from(0), 0, false);
    nodes.extend(repeat(0, words - 1, |turn, depth| row(words, chunk, turn + 1, depth, true)));
    Rolled { words, slots: 1, nodes }
}

/// Row `i`; `again` if earlier rows have stored words.
fn row(words: usize, chunk: usize, i: Index, depth: usize, again: bool) -> Vec<Node> {
    let block = |b: Index, steps: Vec<Step>| Node::Block(Block { a: i, b, base: 0, steps });
    let load = Step::Load { slot: 0, operand: Operand::A(0) };
    let mut nodes = vec![block(Index::from(0), vec![Step::StartRow { column: 0 }, load])];
    nodes.extend(repeat(depth, words / chunk, |turn, _| {
        vec![block(turn * chunk as isize, products(chunk, again))]
    }));
    let rest = words % chunk;
    let mut end = if rest > 0 { products(rest, again) } else { Vec::new() };
    end.push(Step::EndRow { column: rest });
    nodes.push(block(Index::from(words - rest), end));
    nodes
}

/// A segment of the row; for the order of its products see the method.
fn products(count: usize, again: bool) -> Vec<Step> {
    let mut steps = Vec::new();
    for j in (1..count).step_by(2).chain((0..count).step_by(2)) {
        steps.push(Step::Load { slot: 1, operand: Operand::B(j) });
        steps.push(Step::Multiply { a: 0, b: 1, product: Product { i: 0, j } });
    }
    steps.push(Step::Finish { columns: 0..count, intermediates: 0..if again { count } else { 0 } });
    steps
}
