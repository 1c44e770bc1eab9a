//! Operand caching with loops: rows differ only in the length of what streams past.
//!
//! The multiplication of the first `m` rows, `A[n-m..n]` by `B[0..m]`, is a straight line: the initial
//! block, and the narrow row next to it where `e` does not divide `n - b`. Then rows follow with
//! `x = n-m-e, n-m-2e .. 0` and streams of `L = m, m+e ..` columns:
//!
//! 1. columns `x+t`, `t < e`: `sum of A[x+i]*B[t-i]`, both operands loaded;
//! 2. `L` columns: `A[x..x+e]` times the last `e` of B, one word of B loaded a column;
//! 3. `L` columns: the last `e` of A times `B[L..L+e]`, one word of A loaded a column;
//! 4. `e-1` columns that fade out, without loads; then the carry word.
//!
//! Parts 2 and 3 are loops of `e` columns, after which each word is again in the slot it came from. What
//! is left of `L`, the same in all rows, is the end of an iteration: there the loop is entered.

use super::walk;
use crate::parameters::Parameters;
use crate::rolled::{Block, Index, Loop, Node, Rolled, repeat};
use crate::schedule::{Schedule, Step};
use crate::walk::{Operand, Product};
use std::ops::Range;

pub(super) fn rolled(words: usize, parameters: &Parameters) -> Rolled {
    let cache = parameters.cache.unwrap_or(5).min(words);
    let block = parameters.initial_block.unwrap_or(words % cache).min(words);
    let first = block + (words - block) % cache;
    let mut nodes = Vec::new();
    if first > 0 {
        let walk = walk(first, &Parameters { cache: Some(cache), initial_block: Some(block), ..*parameters });
        let steps = Schedule::new(&walk, 2 * cache, 2).steps;
        nodes.push(Node::Block(Block { a: Index::from(words - first), ..Block::fixed(steps) }));
    }
    let rows = (words - first) / cache;
    nodes.extend(repeat(0, rows, |row, depth| {
        let length = row * cache as isize + first;
        let carry_once = parameters.carry_once.unwrap_or(2).max(1);
        let partial = first % cache;
        LoopedRow { cache, carry_once, length, x: -length + (words - cache), partial }
            .nodes(depth, row + first / cache)
    }));
    Rolled { words, slots: 2 * cache, nodes }
}

/// An L-shaped row.
pub(in crate::methods) struct LoopedRow {
    cache: usize,
    carry_once: usize,
    /// Words of an operand that stream past.
    length: Index,
    /// First word of A, a multiple of the cache.
    x: Index,
    /// Remainder of all rows' lengths divided by the cache.
    partial: usize,
}

impl LoopedRow {
    /// A row of `width` words around the square of the last `covered` words of A and the first of B.
    pub(in crate::methods) fn around(
        words: usize,
        covered: usize,
        width: usize,
        carry_once: usize,
    ) -> Vec<Node> {
        let (length, x) = (Index::from(covered), Index::from(words - covered - width));
        let row = LoopedRow { cache: width, carry_once, length, x, partial: covered % width };
        row.nodes(0, Index::from(covered / width))
    }

    /// `turns` is the length divided by the cache.
    fn nodes(&self, depth: usize, turns: Index) -> Vec<Node> {
        let mut nodes = vec![Node::Block(self.start())];
        nodes.extend(self.stream(depth, turns, |from, columns| self.stream_b(from, columns)));
        nodes.extend(self.stream(depth, turns, |from, columns| self.stream_a(from, columns)));
        nodes.push(Node::Block(self.end()));
        nodes
    }

    /// Slots of words of A and B, for steps that count from words whose remainder is `rest`.
    fn slot_a(&self, i: usize, rest: usize) -> usize {
        (i + rest) % self.cache
    }

    fn slot_b(&self, j: usize, rest: usize) -> usize {
        self.cache + (j + rest) % self.cache
    }

    fn start(&self) -> Block {
        let mut steps = vec![Step::StartRow { column: 0 }];
        for t in 0..self.cache {
            steps.push(Step::Load { slot: self.slot_a(t, 0), operand: Operand::A(t) });
            steps.push(Step::Load { slot: self.slot_b(t, 0), operand: Operand::B(t) });
            steps.extend((0..=t).map(|i| Step::Multiply {
                a: self.slot_a(i, 0),
                b: self.slot_b(t - i, 0),
                product: Product { i, j: t - i },
            }));
            steps.push(finish(t));
        }
        Block { a: self.x, b: Index::from(0), base: 0, steps }
    }

    /// The loops of a stream; `block` makes some columns of an iteration, which begins at a column
    /// of the stream.
    fn stream(&self, depth: usize, turns: Index, block: impl Fn(Index, Range<usize>) -> Block) -> Vec<Node> {
        let (e, partial) = (self.cache, self.partial);
        let node = |from: Index, columns: Range<usize>| Node::Block(block(from, columns));
        let entered = |turn: Index| (turn - 1) * e as isize + partial;
        if let Some(turns) = turns.constant() {
            let mut nodes = Vec::new();
            if partial > 0 {
                nodes.push(node(entered(Index::from(0)), e - partial..e));
            }
            let whole = |turn: Index, _| vec![node(turn * e as isize + partial, 0..e)];
            nodes.extend(repeat(depth, turns.unsigned_abs(), whole));
            return nodes;
        }
        let turn = Index::counter(depth);
        let (enter, body) = if partial > 0 {
            (1, vec![node(entered(turn), 0..e - partial), node(entered(turn), e - partial..e)])
        } else if turns.at > 0 {
            (0, vec![node(turn * e as isize, 0..e)])
        } else {
            (1, vec![node(entered(turn), 0..e)])
        };
        vec![Node::Loop(Loop { count: turns, enter, body })]
    }

    /// Columns of part 2.
    fn stream_b(&self, from: Index, columns: Range<usize>) -> Block {
        let e = self.cache;
        let steps = self.columns(&columns, |t| {
            let load = Step::Load { slot: self.slot_b(e + t, self.partial), operand: Operand::B(e + t) };
            let product = |i: usize| Step::Multiply {
                a: self.slot_a(i, 0),
                b: self.slot_b(e + t - i, self.partial),
                product: Product { i, j: e + t - i },
            };
            std::iter::once(load).chain((0..e).rev().map(product)).collect()
        });
        Block { a: self.x, b: from, base: e + columns.start, steps }
    }

    /// Columns of part 3.
    fn stream_a(&self, from: Index, columns: Range<usize>) -> Block {
        let e = self.cache;
        let steps = self.columns(&columns, |t| {
            let load = Step::Load { slot: self.slot_a(e + t, self.partial), operand: Operand::A(e + t) };
            let product = |j: usize| Step::Multiply {
                a: self.slot_a(e + t - j, self.partial),
                b: self.slot_b(j, self.partial),
                product: Product { i: e + t - j, j },
            };
            std::iter::once(load).chain((0..e).rev().map(product)).collect()
        });
        Block { a: self.x + from, b: self.length, base: e + columns.start, steps }
    }

    /// Columns of a stream with the words that earlier rows stored.
    fn columns(&self, columns: &Range<usize>, products: impl Fn(usize) -> Vec<Step>) -> Vec<Step> {
        let mut steps = Vec::new();
        for t in columns.clone() {
            if (t - columns.start).is_multiple_of(self.carry_once) {
                let end = columns.end.min(t + self.carry_once);
                steps.push(Step::AddIntermediates { columns: self.cache + t..self.cache + end });
            }
            steps.extend(products(t));
            steps.push(finish(self.cache + t));
        }
        steps
    }

    fn end(&self) -> Block {
        let e = self.cache;
        let mut steps = Vec::new();
        for t in 1..e {
            steps.extend((t..e).map(|i| Step::Multiply {
                a: self.slot_a(i, self.partial),
                b: self.slot_b(e - 1 + t - i, self.partial),
                product: Product { i, j: e - 1 + t - i },
            }));
            steps.push(finish(e - 1 + t));
        }
        steps.push(Step::EndRow { column: 2 * e - 1 });
        Block { a: self.x + self.length, b: self.length, base: e, steps }
    }
}

fn finish(column: usize) -> Step {
    Step::Finish { columns: column..column + 1, intermediates: column..column }
}
