//! A rolled schedule: blocks of steps inside loops, for code that does not grow with the operands.
//!
//! A block's steps count words from origins of its own, which move with the counters of the loops around
//! it. [`Rolled::expand`] gives the steps in the order in which they happen; [`accumulate`] makes
//! actions for each block, so that the accumulator is the same wherever a block is entered from.

mod accumulate;
mod index;

pub use accumulate::{Border, Part, accumulate};
pub use index::{DEPTH, Index};

use crate::schedule::Step;
use crate::walk::{Operand, Product};
use std::ops::Range;

/// Steps in a straight line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The word of A that the steps call 0.
    pub a: Index,
    /// The word of B that the steps call 0. The steps' column 0 is the sum of both.
    pub b: Index,
    /// Lowest open column at the start, as the steps count.
    pub base: usize,
    /// The steps. A row may begin and end in different blocks.
    pub steps: Vec<Step>,
}

/// A loop. Its counter counts from 0; a loop that is entered in the middle counts that part of an
/// iteration, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// Full iterations. At least 1 where `enter` is 0.
    pub count: Index,
    /// Where the loop is entered, as an index into `body`; its length stands for the test at the end.
    pub enter: usize,
    /// Blocks and loops.
    pub body: Vec<Node>,
}

/// A part of a rolled schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// Straight line.
    Block(Block),
    /// Loop.
    Loop(Loop),
}

/// A rolled schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rolled {
    /// Words of either operand.
    pub words: usize,
    /// Slots of the operand pool; as many as wanted after these hold a word for the next product only.
    pub slots: usize,
    /// What is done.
    pub nodes: Vec<Node>,
}

impl Block {
    /// A block whose steps count as the whole does.
    pub fn fixed(steps: Vec<Step>) -> Block {
        Block { a: Index::from(0), b: Index::from(0), base: 0, steps }
    }

    /// The block that does nothing.
    pub fn nothing() -> Block {
        Block::fixed(Vec::new())
    }
}

impl Loop {
    /// The values that the counter takes, for given counters around the loop.
    pub fn counter(&self, counters: &[isize; DEPTH]) -> Range<isize> {
        let partial = isize::from(self.enter > 0);
        0..self.count.value(counters) + partial
    }
}

/// `count` times `body`, which gets the counter and the depth of loops around it. Nothing is left of a
/// loop with less than two iterations.
pub(crate) fn repeat(depth: usize, count: usize, body: impl Fn(Index, usize) -> Vec<Node>) -> Vec<Node> {
    match count {
        0 => Vec::new(),
        1 => body(Index::from(0), depth),
        _ => vec![Node::Loop(Loop {
            count: Index::from(count as isize),
            enter: 0,
            body: body(Index::counter(depth), depth + 1),
        })],
    }
}

/// `count` times `body`, where `count` may depend on a counter; at least once.
pub(crate) fn counted(depth: usize, count: Index, body: impl Fn(Index, usize) -> Vec<Node>) -> Vec<Node> {
    match count.constant() {
        Some(count) => repeat(depth, usize::try_from(count).unwrap_or(0), body),
        None => vec![Node::Loop(Loop { count, enter: 0, body: body(Index::counter(depth), depth + 1) })],
    }
}

impl Rolled {
    /// The steps in the order in which they happen, in words of the whole.
    pub fn expand(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        self.visit(&mut |block, counters| {
            let (a, b) = (block.a.value(counters), block.b.value(counters));
            steps.extend(block.steps.iter().map(|step| moved(step, a, b)));
        });
        steps
    }

    /// Calls `enter` for each block in the order in which they are executed, with the loops' counters.
    pub fn visit(&self, enter: &mut impl FnMut(&Block, &[isize; DEPTH])) {
        visit(&self.nodes, 0, &mut [0; DEPTH], enter);
    }
}

fn visit(
    nodes: &[Node],
    depth: usize,
    counters: &mut [isize; DEPTH],
    enter: &mut impl FnMut(&Block, &[isize; DEPTH]),
) {
    for node in nodes {
        match node {
            Node::Block(block) => enter(block, counters),
            Node::Loop(one) => {
                for counter in one.counter(counters) {
                    counters[depth] = counter;
                    let first = if counter == 0 { one.enter } else { 0 };
                    visit(&one.body[first..], depth + 1, counters, enter);
                }
                counters[depth] = 0;
            }
        }
    }
}

/// A step with its words moved by those of A and B.
fn moved(step: &Step, a: isize, b: isize) -> Step {
    let at = |index: usize, by: isize| index.wrapping_add_signed(by);
    let range = |columns: &Range<usize>| at(columns.start, a + b)..at(columns.end, a + b);
    match step {
        Step::StartRow { column } => Step::StartRow { column: at(*column, a + b) },
        Step::Load { slot, operand } => {
            let operand = match operand {
                Operand::A(i) => Operand::A(at(*i, a)),
                Operand::B(j) => Operand::B(at(*j, b)),
            };
            Step::Load { slot: *slot, operand }
        }
        Step::Multiply { a: x, b: y, product } => {
            let product = Product { i: at(product.i, a), j: at(product.j, b) };
            Step::Multiply { a: *x, b: *y, product }
        }
        Step::AddIntermediates { columns } => Step::AddIntermediates { columns: range(columns) },
        Step::Finish { columns, intermediates } => {
            Step::Finish { columns: range(columns), intermediates: range(intermediates) }
        }
        Step::FinishSquare { columns } => Step::FinishSquare { columns: range(columns) },
        Step::EndRow { column } => Step::EndRow { column: at(*column, a + b) },
    }
}
