//! The hybrid method with loops: block columns in one loop while they grow longer and in another while
//! they grow shorter, the blocks of a column in a loop inside.
//!
//! Where `d` does not divide `n = rd + q`, the first block of A and the last of B have `q` words. Block
//! column `s`, `0 <= s < 2r`, starts in column `q + ds` and holds `r - |r - 1 - s|` whole blocks. Before
//! them comes a narrow one: of A while `s < r - 1`, of both for `s = r - 1`, then of B. Below `s = 0`
//! lies the block of the first words.
//!
//! In a column of blocks A is read upwards and B downwards without a gap. `2n*ceil(n/d)` loads, `2n`
//! stores.

use crate::parameters::Parameters;
use crate::rolled::{Block, Index, Loop, Node, Rolled, counted, repeat};
use crate::schedule::Step;
use crate::walk::{Operand, Product};

pub(super) fn rolled(words: usize, parameters: &Parameters) -> Rolled {
    let d = parameters.rows.unwrap_or(4).min(words);
    let (r, q) = (words / d, words % d);
    let shape = Shape { d, r: r as isize, q: q as isize };
    let mut nodes = vec![Node::Block(Block::fixed(vec![Step::StartRow { column: 0 }]))];
    let left = if q > 0 {
        let mut first = shape.block(Index::from(0), q, Index::from(0), d, 0);
        first.steps.push(finish(0, q));
        nodes.push(Node::Block(first));
        nodes.extend(repeat(0, r - 1, |s, depth| {
            let mut nodes = vec![shape.narrow_a(s, d)];
            nodes.extend(shape.growing(s, depth));
            nodes
        }));
        nodes.push(shape.narrow_a(Index::from(r - 1), q));
        // entered behind the narrow block, with column r - 1
        let s = Index::counter(0) + (r - 1);
        let mut body = vec![shape.narrow_b(s)];
        body.extend(shape.shrinking(s, 1));
        nodes.push(Node::Loop(Loop { count: Index::from(r), enter: 1, body }));
        q - 1
    } else {
        nodes.extend(repeat(0, r, |s, depth| shape.growing(s, depth)));
        nodes.extend(repeat(0, r - 1, |turn, depth| shape.shrinking(turn + r, depth)));
        d - 1
    };
    let mut end = Vec::new();
    if left > 0 {
        end.push(finish(0, left));
    }
    end.push(Step::EndRow { column: left });
    nodes.push(Node::Block(Block { a: Index::from(2 * words - 1 - left), ..Block::fixed(end) }));
    Rolled { words, slots: d + 1, nodes }
}

struct Shape {
    d: usize,
    r: isize,
    q: isize,
}

impl Shape {
    /// A block of `rows` words of A from `a` and `columns` words of B from `b`, the lowest open column
    /// lying `below` columns under its first.
    fn block(&self, a: Index, rows: usize, b: Index, columns: usize, below: usize) -> Block {
        let mut steps = Vec::new();
        steps.extend((0..columns).rev().map(|j| Step::Load { slot: j, operand: Operand::B(j) }));
        for i in below..below + rows {
            steps.push(Step::Load { slot: self.d, operand: Operand::A(i) });
            steps.extend((0..columns).map(|j| Step::Multiply { a: self.d, b: j, product: Product { i, j } }));
        }
        Block { a: a - below, b, base: 0, steps }
    }

    /// The narrow block of A in block column `s`, with `columns` words of B.
    fn narrow_a(&self, s: Index, columns: usize) -> Node {
        let d = self.d as isize;
        let below = (d - self.q) as usize;
        Node::Block(self.block(Index::from(0), self.q as usize, (s + 1) * d, columns, below))
    }

    /// The narrow block of B in block column `s`.
    fn narrow_b(&self, s: Index) -> Node {
        let d = self.d as isize;
        let a = (s - self.r) * d + self.q;
        Node::Block(self.block(a, self.d, Index::from(d * self.r), self.q as usize, 0))
    }

    /// The whole blocks of block column `s` while columns grow, and the column's end.
    fn growing(&self, s: Index, depth: usize) -> Vec<Node> {
        let mut nodes = counted(depth, s + 1, |turn, _| vec![self.whole(s, turn)]);
        nodes.push(self.end(s));
        nodes
    }

    /// The same while columns shrink.
    fn shrinking(&self, s: Index, depth: usize) -> Vec<Node> {
        let (first, count) = (s - (self.r - 1), -s + (2 * self.r - 1));
        let mut nodes = if self.q == 0 {
            counted(depth, count, |turn, _| vec![self.whole(s, turn + first)])
        } else {
            // none in the last column
            let body = vec![self.whole(s, Index::counter(depth) - 1 + first)];
            vec![Node::Loop(Loop { count, enter: 1, body })]
        };
        nodes.push(self.end(s));
        nodes
    }

    /// The whole block number `block` of A in block column `s`.
    fn whole(&self, s: Index, block: Index) -> Node {
        let d = self.d as isize;
        Node::Block(self.block(block * d + self.q, self.d, (s - block) * d, self.d, 0))
    }

    fn end(&self, s: Index) -> Node {
        let column = s * self.d as isize + self.q;
        Node::Block(Block { a: column, ..Block::fixed(vec![finish(0, self.d)]) })
    }
}

fn finish(from: usize, count: usize) -> Step {
    Step::Finish { columns: from..from + count, intermediates: from..from }
}
