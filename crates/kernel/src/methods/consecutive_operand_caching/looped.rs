//! Consecutive operand caching with loops: rows of full strips differ only in where they turn.
//!
//! The square of the full strips, `A[n-m..n]` by `B[0..m]`, comes first: the first block, the first row, which
//! meets stored words only from its turn on, and a loop over the others. What is left over of `n` are L-shaped
//! rows around the square, as in operand caching. LoopedRow k, with `s = (k-1)e` and `t = m - ke`:
//!
//! 1. `e` columns: `A_(k-1)`, which the row before kept, times `B[0..e]`;
//! 2. `t - e` columns: one word of B loaded a column;
//! 3. the turn, `e` columns: the words of `A_k` take the place of those of `A_(k-1)`, one a column;
//! 4. `ke` columns: `A_k` times `B[t..m]`, one word of B loaded a column;
//! 5. `e-1` columns that fade out, without loads; then the carry word.
//!
//! Parts 2 and 4 are loops of `e` columns, after which each word is again in the slot it came from.

use crate::methods::operand_caching::looped::LoopedRow as LShaped;
use crate::parameters::Parameters;
use crate::rolled::{Block, Index, Loop, Node, Rolled, counted, repeat};
use crate::schedule::Step;
use crate::walk::{Operand, Product};

pub(super) fn rolled(words: usize, parameters: &Parameters) -> Rolled {
    let cache = parameters.cache.unwrap_or(5).min(words);
    let carry_once = parameters.carry_once.unwrap_or(2).max(1);
    let narrow = parameters.initial_block.unwrap_or(words % cache).min(cache);
    let rest = (words - narrow) % cache;
    let side = words - narrow - rest;
    let square = Square { cache, carry_once, x: words - side, strips: side / cache };
    let mut nodes = square.nodes();
    let mut covered = side;
    for width in [rest, narrow].into_iter().filter(|width| *width > 0) {
        nodes.extend(LShaped::around(words, covered, width, carry_once));
        covered += width;
    }
    Rolled { words, slots: 2 * cache, nodes }
}

/// Rows of full strips.
struct Square {
    cache: usize,
    carry_once: usize,
    /// First word of A.
    x: usize,
    strips: usize,
}

/// Where stored words are met.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stored {
    Nowhere,
    Everywhere,
}

impl Square {
    fn nodes(&self) -> Vec<Node> {
        let e = self.cache as isize;
        let Some(last) = self.strips.checked_sub(1) else { return Vec::new() };
        let top = Index::from(last as isize * e);
        let mut nodes = vec![
            Node::Block(self.start(Index::from(self.x), top, true, Stored::Nowhere)),
            Node::Block(self.end(Index::from(self.x), top)),
        ];
        if last > 0 {
            nodes.extend(self.row(Index::from(1), 0, Stored::Nowhere));
        }
        nodes.extend(repeat(0, last.saturating_sub(1), |counter, depth| {
            self.row(counter + 2, depth, Stored::Everywhere)
        }));
        nodes
    }

    /// LoopedRow `k`; `first` says what its columns before the turn meet.
    fn row(&self, k: Index, depth: usize, first: Stored) -> Vec<Node> {
        let e = self.cache as isize;
        let last = self.strips as isize - 1;
        let a = (k - 1) * e + self.x;
        let turn = -k * e + (last + 1) * e;
        let mut nodes = vec![Node::Block(self.start(a, Index::from(0), false, first))];
        let stream = |a: Index, b: Index, stored| Node::Block(self.stream(a, b, stored));
        // none in the last row
        let turns = -k + last;
        match turns.constant() {
            Some(turns) => {
                let block = |counter: Index, _| vec![stream(a, counter * e, first)];
                nodes.extend(repeat(depth, turns.unsigned_abs(), block));
            }
            None => {
                let before = (Index::counter(depth) - 1) * e;
                nodes.push(Node::Loop(Loop { count: turns, enter: 1, body: vec![stream(a, before, first)] }));
            }
        }
        nodes.push(Node::Block(self.turn(a, turn - e)));
        let above = |counter: Index, _| vec![stream(a + e, turn - e + counter * e, Stored::Everywhere)];
        nodes.extend(counted(depth, k, above));
        nodes.push(Node::Block(self.end(a + e, Index::from(last * e))));
        nodes
    }

    fn slot_a(&self, i: usize) -> usize {
        i % self.cache
    }

    fn slot_b(&self, j: usize) -> usize {
        self.cache + j % self.cache
    }

    /// The product of the words that the steps call so.
    fn product(&self, i: usize, j: usize) -> Step {
        Step::Multiply { a: self.slot_a(i), b: self.slot_b(j), product: Product { i, j } }
    }

    /// Part 1, and the first half of the first block.
    fn start(&self, a: Index, b: Index, loads_a: bool, stored: Stored) -> Block {
        let mut steps = vec![Step::StartRow { column: 0 }];
        steps.extend(self.columns(0, stored, |t| {
            let load_a = loads_a.then(|| Step::Load { slot: self.slot_a(t), operand: Operand::A(t) });
            let load_b = Step::Load { slot: self.slot_b(t), operand: Operand::B(t) };
            let products = (0..=t).map(|i| self.product(i, t - i));
            load_a.into_iter().chain([load_b]).chain(products).collect()
        }));
        Block { a, b, base: 0, steps }
    }

    /// An iteration of parts 2 and 4; `e` words of B above `b` are there.
    fn stream(&self, a: Index, b: Index, stored: Stored) -> Block {
        let e = self.cache;
        let steps = self.columns(e, stored, |t| {
            let load = Step::Load { slot: self.slot_b(t), operand: Operand::B(e + t) };
            let products = (0..e).rev().map(|i| self.product(i, e + t - i));
            std::iter::once(load).chain(products).collect()
        });
        Block { a, b, base: e, steps }
    }

    /// Part 3.
    fn turn(&self, a: Index, b: Index) -> Block {
        let e = self.cache;
        let steps = self.columns(e, Stored::Everywhere, |t| {
            let load = Step::Load { slot: self.slot_a(t), operand: Operand::A(e + t) };
            let products = (0..e).rev().map(|j| self.product(e + t - j, j));
            std::iter::once(load).chain(products).collect()
        });
        Block { a, b, base: e, steps }
    }

    /// Part 5.
    fn end(&self, a: Index, b: Index) -> Block {
        let e = self.cache;
        let mut steps = Vec::new();
        for t in 1..e {
            steps.extend((t..e).map(|i| self.product(i, e - 1 + t - i)));
            steps.push(finish(e - 1 + t));
        }
        steps.push(Step::EndRow { column: 2 * e - 1 });
        Block { a, b, base: e, steps }
    }

    /// `e` columns from `base` on, with the words that earlier rows stored.
    fn columns(&self, base: usize, stored: Stored, products: impl Fn(usize) -> Vec<Step>) -> Vec<Step> {
        let mut steps = Vec::new();
        for t in 0..self.cache {
            if stored == Stored::Everywhere && t.is_multiple_of(self.carry_once) {
                let end = self.cache.min(t + self.carry_once);
                steps.push(Step::AddIntermediates { columns: base + t..base + end });
            }
            steps.extend(products(t));
            steps.push(finish(base + t));
        }
        steps
    }
}

fn finish(column: usize) -> Step {
    Step::Finish { columns: column..column + 1, intermediates: column..column }
}
