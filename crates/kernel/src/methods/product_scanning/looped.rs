//! Product scanning with loops: columns in one loop while they grow longer and in another while they
//! grow shorter, the products of a column in a loop inside.
//!
//! An iteration of the inner loop takes `u` products (the cache: so many words of each operand). What is
//! left of a column is the end of an iteration, where the loop is entered; it depends on the column's
//! number modulo `u`, so an iteration of the outer loops takes a multiple `g` of `u` columns. `g` is
//! even, because columns run by turns up and down, so that the pointers go on from where they are.
//!
//! `2n^2` loads, `2n` stores.

use crate::parameters::Parameters;
use crate::rolled::{Block, Index, Loop, Node, Rolled, counted};
use crate::schedule::Step;
use crate::walk::{Operand, Product};
use std::ops::Range;

pub(super) fn rolled(words: usize, parameters: &Parameters) -> Rolled {
    let unroll = parameters.cache.unwrap_or(1).min(words);
    let group = if unroll.is_multiple_of(2) { unroll } else { 2 * unroll };
    let scan = Scan { words: words as isize, unroll, group };
    let mut nodes = vec![Node::Block(Block::fixed(vec![Step::StartRow { column: 0 }]))];
    nodes.extend(scan.columns(words, |column, depth| scan.growing(column, depth)));
    nodes.extend(scan.columns(words - 1, |column, depth| scan.shrinking(column, depth)));
    let end = Block { a: Index::from(2 * words - 1), ..Block::fixed(vec![Step::EndRow { column: 0 }]) };
    nodes.push(Node::Block(end));
    Rolled { words, slots: 0, nodes }
}

struct Scan {
    words: isize,
    /// Products of an iteration.
    unroll: usize,
    /// Columns of an iteration.
    group: usize,
}

impl Scan {
    /// `count` columns in groups; `one` makes the nodes of a column from its number.
    fn columns(&self, count: usize, one: impl Fn(Index, usize) -> Vec<Node>) -> Vec<Node> {
        let (full, partial) = (count / self.group, count % self.group);
        let some = |from: Index, columns: Range<usize>, depth: usize| -> Vec<Node> {
            columns.flat_map(|t| one(from + t, depth)).collect()
        };
        if full == 0 || (full, partial) == (1, 0) {
            return some(Index::from(0), 0..count, 0);
        }
        let turn = Index::counter(0) * self.group as isize;
        if partial == 0 {
            let body = some(turn, 0..self.group, 1);
            return vec![Node::Loop(Loop { count: Index::from(full), enter: 0, body })];
        }
        let from = turn + partial - self.group;
        let mut body = some(from, 0..self.group - partial, 1);
        let enter = body.len();
        body.extend(some(from, self.group - partial..self.group, 1));
        vec![Node::Loop(Loop { count: Index::from(full), enter, body })]
    }

    /// Column `k` below the middle: `k + 1` products.
    fn growing(&self, k: Index, depth: usize) -> Vec<Node> {
        self.column(k, Index::from(0), k + 1, depth)
    }

    /// Column `n + f`: `n - 1 - f` products.
    fn shrinking(&self, f: Index, depth: usize) -> Vec<Node> {
        self.column(f + self.words, f + 1, -f + (self.words - 1), depth)
    }

    /// `products` products of column `k`, the lowest word of an operand in it being `lowest`.
    fn column(&self, k: Index, lowest: Index, products: Index, depth: usize) -> Vec<Node> {
        let u = self.unroll as isize;
        // counters count whole groups of columns, so remainders do not depend on them
        let up = k.at.rem_euclid(2) == 0;
        let partial = (products.at - 1).rem_euclid(u) + 1;
        let whole = (products - partial).divided(u);
        let some = |from: Index, range: Range<usize>| {
            // from the lowest word of A up, or from the lowest word of B
            let (rising, falling) = (lowest + from, k - lowest - from - (u - 1));
            let (a, b) = if up { (rising, falling) } else { (falling, rising) };
            let steps = range.flat_map(|t| self.product(t, up)).collect();
            Node::Block(Block { a, b, base: self.unroll - 1, steps })
        };
        let mut nodes = if partial == u {
            counted(depth, whole + 1, |turn, _| vec![some(turn * u, 0..self.unroll)])
        } else if let Some(whole) = whole.constant() {
            let rest = self.unroll - partial as usize;
            let mut nodes = vec![some(Index::from(partial - u), rest..self.unroll)];
            nodes.extend(counted(depth, Index::from(whole), |turn, _| {
                vec![some(turn * u + partial, 0..self.unroll)]
            }));
            nodes
        } else {
            let rest = self.unroll - partial as usize;
            let from = (Index::counter(depth) - 1) * u + partial;
            let body = vec![some(from, 0..rest), some(from, rest..self.unroll)];
            vec![Node::Loop(Loop { count: whole, enter: 1, body })]
        };
        let finish = Step::Finish { columns: 0..1, intermediates: 0..0 };
        nodes.push(Node::Block(Block { a: k, ..Block::fixed(vec![finish]) }));
        nodes
    }

    /// Product `t` of an iteration, both words used once.
    fn product(&self, t: usize, up: bool) -> [Step; 3] {
        let other = self.unroll - 1 - t;
        let (i, j) = if up { (t, other) } else { (other, t) };
        [
            Step::Load { slot: 0, operand: Operand::A(i) },
            Step::Load { slot: 1, operand: Operand::B(j) },
            Step::Multiply { a: 0, b: 1, product: Product { i, j } },
        ]
    }
}
