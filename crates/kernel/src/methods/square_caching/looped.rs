//! Squaring by operand caching with loops: strips of `e` words, from the lowest up, times all words above.
//!
//! LoopedRow `x` has the products `(i,j)` with `x <= i < x+e`, `i < j < n`. It is the last one with products in the
//! columns from `2x` up to `2x + 2e - 1`, so it finishes these: doubled, with the squares of its strip,
//! whose words are in registers.
//!
//! 1. columns `2x+t`, `t < 2e`: the words up to `x+2e-1` loaded one by one; finished by batches of squares;
//! 2. `L = n-x-2e` columns: the strip times `e` words, one of which is loaded a column;
//! 3. `e-1` columns that fade out, without loads; then the carry word.
//!
//! Part 2 is a loop of `e` columns, after which each word is again in the slot it came from. What is left of
//! `L`, the same in all rows, is the end of an iteration: there the loop is entered. The first row, which
//! finds no result, has code of its own. The last words, less than `2e`, are a straight line.
//!
//! Rows end in columns that ascend by `e`, so each carry word is fresh. About `n^2/2e + n` loads of
//! operands, as many stores, `n` less of the result.

use crate::parameters::Parameters;
use crate::rolled::{Block, Index, Loop, Node, Rolled, repeat};
use crate::schedule::Step;
use crate::walk::{Operand, Product};
use std::ops::Range;

pub(super) fn rolled(words: usize, parameters: &Parameters) -> Rolled {
    let cache = parameters.cache.unwrap_or(6).min(words);
    let row = |x: Index, again: bool| LoopedRow {
        words,
        cache,
        carry_once: parameters.carry_once.unwrap_or(2).max(1),
        batch: parameters.batch.unwrap_or(1).max(1),
        x,
        again,
    };
    let rows = (words / cache).saturating_sub(1);
    let mut nodes = Vec::new();
    let turns = words / cache;
    if rows > 0 {
        nodes.extend(row(Index::from(0), false).nodes(0, Index::from(turns) - 2));
        nodes.extend(repeat(0, rows - 1, |turn, depth| {
            row((turn + 1) * cache as isize, true).nodes(depth, -turn + (turns as isize - 3))
        }));
    }
    nodes.push(Node::Block(row(Index::from(rows * cache), rows > 0).tail(words - rows * cache)));
    Rolled { words, slots: 2 * cache, nodes }
}

struct LoopedRow {
    words: usize,
    cache: usize,
    carry_once: usize,
    batch: usize,
    /// First word of the strip.
    x: Index,
    /// Whether earlier rows have stored words.
    again: bool,
}

impl LoopedRow {
    /// `turns` is the length of what streams past, divided by the cache.
    fn nodes(&self, depth: usize, turns: Index) -> Vec<Node> {
        let mut nodes = vec![Node::Block(self.start())];
        nodes.extend(self.stream(depth, turns));
        nodes.push(Node::Block(self.end()));
        nodes
    }

    /// Slots of words beyond the strip, for steps that count from a word whose remainder is `rest`.
    fn slot(&self, i: usize, rest: usize) -> usize {
        self.cache + (i + rest) % self.cache
    }

    /// Remainder of the length of what streams past, in all rows.
    fn partial(&self) -> usize {
        self.words % self.cache
    }

    fn start(&self) -> Block {
        let e = self.cache;
        let steps = self.finished(2 * e, 2 * e, |i| i < e);
        Block { a: self.x, b: self.x, base: 0, steps }
    }

    /// All that is left: the triangle of the last `words` words.
    fn tail(&self, words: usize) -> Block {
        Block { a: self.x, b: self.x, base: 0, steps: self.finished(words, words, |_| true) }
    }

    /// The row's first columns, doubled and with the squares of half as many words: of those up to `words`,
    /// the products `(i,j)` whose `i` is `inside`. Words that are stored already reach up to `stored`.
    fn finished(&self, words: usize, stored: usize, inside: impl Fn(usize) -> bool) -> Vec<Step> {
        let columns = 2 * (0..words).filter(|i| inside(*i)).count();
        let mut steps = vec![Step::StartRow { column: 0 }];
        let mut open = 0;
        for t in 0..columns {
            if self.again && t < stored && t.is_multiple_of(self.carry_once) {
                steps.push(Step::AddIntermediates { columns: t..stored.min(t + self.carry_once) });
            }
            if t < words {
                steps.push(Step::Load { slot: t, operand: Operand::A(t) });
            }
            let lowest = (t + 1).saturating_sub(words);
            let products = (lowest..t.div_ceil(2)).filter(|i| inside(*i)).rev();
            steps.extend(products.map(|i| {
                let product = Product { i, j: t - i };
                Step::Multiply { a: i, b: t - i, product }
            }));
            if t + 1 == columns || t + 1 == open + 2 * self.batch {
                steps.push(Step::FinishSquare { columns: open..t + 1 });
                open = t + 1;
            }
        }
        steps
    }

    /// The loop of the stream.
    fn stream(&self, depth: usize, turns: Index) -> Vec<Node> {
        let (e, partial) = (self.cache, self.partial());
        let entered = |turn: Index| (turn - 1) * e as isize + partial;
        let node = |from: Index, columns: Range<usize>| Node::Block(self.columns(from, columns));
        match turns.constant() {
            Some(0) if partial == 0 => Vec::new(),
            Some(0) => vec![node(entered(Index::from(0)), e - partial..e)],
            Some(turns) if partial == 0 => {
                repeat(depth, turns.unsigned_abs(), |turn, _| vec![node(turn * e as isize, 0..e)])
            }
            _ => {
                let turn = Index::counter(depth);
                let (enter, body) = if partial > 0 {
                    (1, vec![node(entered(turn), 0..e - partial), node(entered(turn), e - partial..e)])
                } else {
                    (1, vec![node(entered(turn), 0..e)])
                };
                vec![Node::Loop(Loop { count: turns, enter, body })]
            }
        }
    }

    /// Some columns of the loop, the first of which is `from` columns after its start. Word `i` of a product
    /// is the one that streams past.
    fn columns(&self, from: Index, columns: Range<usize>) -> Block {
        let (e, partial) = (self.cache, self.partial());
        let mut steps = Vec::new();
        for t in columns.clone() {
            if self.again && (t - columns.start).is_multiple_of(self.carry_once) {
                let end = columns.end.min(t + self.carry_once);
                steps.push(Step::AddIntermediates { columns: 2 * e + t..2 * e + end });
            }
            let new = 2 * e + t;
            steps.push(Step::Load { slot: self.slot(t, partial), operand: Operand::A(new) });
            steps.extend((0..e).map(|j| Step::Multiply {
                a: self.slot(e + t - j, partial),
                b: j,
                product: Product { i: new - j, j },
            }));
            steps.push(Step::Finish { columns: new..new + 1, intermediates: new..new });
        }
        Block { a: self.x + from, b: self.x, base: 2 * e + columns.start, steps }
    }

    fn end(&self) -> Block {
        let (e, partial) = (self.cache, self.partial());
        let mut steps = Vec::new();
        for t in 0..e - 1 {
            let column = 2 * e + t;
            steps.extend((t + 1..e).map(|j| Step::Multiply {
                a: self.slot(e + t - j, partial),
                b: j,
                product: Product { i: column - j, j },
            }));
            steps.push(Step::Finish { columns: column..column + 1, intermediates: column..column });
        }
        steps.push(Step::EndRow { column: 3 * e - 1 });
        Block { a: Index::from(self.words - 2 * e), b: self.x, base: 2 * e, steps }
    }
}
