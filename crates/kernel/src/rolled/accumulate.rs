//! Actions for the blocks of a rolled schedule.
//!
//! A block in a loop is entered with different bounds each time, so its actions are made for bounds that
//! hold every time. In a loop that finishes columns, values stop growing: bounds are iterated until they
//! stay as they are. In one that only adds, they grow by the same amount each time, as often as the loop
//! runs at most.

use super::{Block, DEPTH, Index, Loop, Node, Rolled};
use crate::accumulator::{AccumulateError, Accumulator, Action, Bound, State};
use crate::schedule::Step;

/// The words of the accumulator that are there between two parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Border {
    /// Words from the lowest open column upwards.
    pub words: usize,
    /// Catchers, by their distance from the lowest open column.
    pub catchers: Vec<usize>,
}

/// A block or a loop, as actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Straight line.
    Block {
        /// The word of A that the actions call 0.
        a: Index,
        /// The word of B that the actions call 0; their column 0 is the sum of both.
        b: Index,
        /// What is there at the start, and the lowest open column.
        entry: (Border, usize),
        /// What is done.
        actions: Vec<Action>,
        /// What is there at the end, and the lowest open column.
        exit: (Border, usize),
    },
    /// Loop; the fields as of [`Loop`]. In a list, blocks stand before and after each loop.
    Loop {
        /// Full iterations.
        count: Index,
        /// Where it is entered.
        enter: usize,
        /// Its parts.
        body: Vec<Part>,
    },
}

/// Turns a rolled schedule into actions for words of `word_bits` bits; `catchers` is the largest number of
/// catchers at a time.
pub fn accumulate(rolled: &Rolled, word_bits: u32, catchers: usize) -> Result<Vec<Part>, AccumulateError> {
    let context = Context { words: rolled.words, bits: word_bits, catchers };
    let nodes = separated(&rolled.nodes);
    let (drafts, end) = context.sequence(&nodes, State::default(), false, 0, [0; DEPTH])?;
    context.finished(drafts, &end)
}

/// Blocks that do nothing, so that before and after each loop stands a block.
fn separated(nodes: &[Node]) -> Vec<Node> {
    let mut list: Vec<Node> = Vec::new();
    for node in nodes {
        let looping = |node: Option<&Node>| !matches!(node, Some(Node::Block(_)));
        if let Node::Loop(one) = node {
            if looping(list.last()) {
                list.push(Node::Block(Block::nothing()));
            }
            let mut body = separated(&one.body[..one.enter]);
            let enter = body.len();
            body.extend(separated(&one.body[one.enter..]));
            list.push(Node::Loop(Loop { count: one.count, enter, body }));
        } else {
            list.push(node.clone());
        }
    }
    if matches!(list.last(), Some(Node::Loop(_))) {
        list.push(Node::Block(Block::nothing()));
    }
    list
}

/// No bound grows for longer than this before it stays or leaves the range of numbers.
const ROUNDS: usize = 200;

struct Context {
    words: usize,
    bits: u32,
    catchers: usize,
}

/// A part whose end is open.
enum Draft<'a> {
    Block { block: &'a Block, entry: State, accumulator: Box<Accumulator> },
    Loop { part: Part, entry: State },
}

impl Context {
    fn border(&self, state: &State) -> Border {
        Border { words: state.words(self.bits), catchers: state.catchers.keys().copied().collect() }
    }

    /// `most` are the largest counters of the loops around, of which there are `depth`.
    fn sequence<'a>(
        &self,
        nodes: &'a [Node],
        entry: State,
        keep_catchers: bool,
        depth: usize,
        most: [isize; DEPTH],
    ) -> Result<(Vec<Draft<'a>>, State), AccumulateError> {
        let mut state = entry;
        let mut drafts = Vec::with_capacity(nodes.len());
        for (at, node) in nodes.iter().enumerate() {
            match node {
                Node::Block(block) => {
                    let entry = state;
                    let mut accumulator = self.block(block, &entry)?;
                    state = accumulator.leave(keep_catchers && at + 1 == nodes.len());
                    if state.total == Bound::MAX {
                        return Err(AccumulateError::Wide);
                    }
                    drafts.push(Draft::Block { block, entry, accumulator: Box::new(accumulator) });
                }
                Node::Loop(one) => {
                    let (part, entry, exit) = self.repeated(one, state, depth, most)?;
                    drafts.push(Draft::Loop { part, entry });
                    state = exit;
                }
            }
        }
        Ok((drafts, state))
    }

    fn block(&self, block: &Block, entry: &State) -> Result<Accumulator, AccumulateError> {
        let mut accumulator = Accumulator::enter(entry, block.base, self.bits, self.catchers);
        let origin = (block.a + block.b).constant();
        if let Some(left) = origin.and_then(|origin| (2 * self.words).checked_add_signed(-origin)) {
            accumulator.limit_columns(left);
        }
        for step in &block.steps {
            if let Step::EndRow { column } = step
                && origin.is_some_and(|origin| origin + *column as isize == 2 * self.words as isize - 1)
            {
                accumulator.limit_to_word();
            }
            accumulator.step(step)?;
        }
        Ok(accumulator)
    }

    /// The end of each part joined to the next; `exit` is what holds at the end.
    fn finished(&self, drafts: Vec<Draft>, exit: &State) -> Result<Vec<Part>, AccumulateError> {
        let mut parts = Vec::with_capacity(drafts.len());
        let mut after = exit.clone();
        for draft in drafts.into_iter().rev() {
            match draft {
                Draft::Block { block, entry, accumulator } => {
                    let (actions, base) = accumulator.close(&after)?;
                    parts.push(Part::Block {
                        a: block.a,
                        b: block.b,
                        entry: (self.border(&entry), block.base),
                        actions,
                        exit: (self.border(&after), base),
                    });
                    after = entry;
                }
                Draft::Loop { part, entry } => {
                    parts.push(part);
                    after = entry;
                }
            }
        }
        parts.reverse();
        Ok(parts)
    }

    /// A loop, what must hold before it, and what holds after it.
    fn repeated(
        &self,
        one: &Loop,
        entry: State,
        depth: usize,
        mut most: [isize; DEPTH],
    ) -> Result<(Part, State, State), AccumulateError> {
        let count = one.count.value(&most).max(one.count.value(&[0; DEPTH]));
        most[depth] = count - isize::from(one.enter == 0);
        let part = |body| Part::Loop { count: one.count, enter: one.enter, body };
        if only_adds(&one.body) {
            let (body, head) = self.adding(one, &entry, most[depth] + 1, depth, most)?;
            return Ok((part(body), head.clone(), head));
        }
        let (before, after) = one.body.split_at(one.enter);
        let mut entry = entry;
        for _ in 0..ROUNDS {
            let (second, test) = self.sequence(after, entry.clone(), false, depth + 1, most)?;
            let (head, joined, first) = if one.enter == 0 {
                (entry.clone(), entry.clone().or(&test), Vec::new())
            } else {
                let (first, end) = self.sequence(before, test.clone(), false, depth + 1, most)?;
                (test, entry.clone().or(&end), first)
            };
            if joined == entry {
                let mut body = self.finished(first, &entry)?;
                body.extend(self.finished(second, &head)?);
                return Ok((part(body), entry, head));
            }
            entry = joined;
        }
        Err(AccumulateError::Wide)
    }

    /// The body of a loop that only adds, and what holds before, between and after its `count` iterations.
    fn adding(
        &self,
        one: &Loop,
        entry: &State,
        count: isize,
        depth: usize,
        most: [isize; DEPTH],
    ) -> Result<(Vec<Part>, State), AccumulateError> {
        let limit = (1u128 << self.bits) - 1;
        let count = count.unsigned_abs() as u64;
        let (before, after) = one.body.split_at(one.enter);
        for keep_catchers in [true, false] {
            let mut head = entry.clone();
            for _ in 0..ROUNDS {
                let (mut parts, mut grown) = (Vec::new(), entry.clone());
                for half in [before, after] {
                    let (drafts, end) = self.sequence(half, head.clone(), keep_catchers, depth + 1, most)?;
                    parts.extend(self.finished(drafts, &head)?);
                    grown.total = grown.total.plus(end.total.minus(head.total).times(count));
                    for (distance, bound) in &end.catchers {
                        let growth = bound - head.catchers.get(distance).unwrap_or(&0);
                        *grown.catchers.entry(*distance).or_default() += growth.saturating_mul(count.into());
                    }
                }
                if grown.total == Bound::MAX {
                    return Err(AccumulateError::Wide);
                }
                if grown == head {
                    return Ok((parts, head));
                }
                if grown.catchers.values().any(|bound| *bound > limit) {
                    break;
                }
                head = grown;
            }
        }
        Err(AccumulateError::Wide)
    }
}

/// Whether the nodes only add products and results.
fn only_adds(nodes: &[Node]) -> bool {
    nodes.iter().all(|node| match node {
        Node::Block(block) => block.steps.iter().all(|step| {
            matches!(step, Step::Load { .. } | Step::Multiply { .. } | Step::AddIntermediates { .. })
        }),
        Node::Loop(_) => false,
    })
}
