//! Trees to instructions: where pointers stand, and how often everything is executed.
//!
//! A pointer's position is known as a number that depends on the counters. Before each part a pointer stands where the
//! part's first access is, so that the ways into a loop agree; from block to block that takes an adjustment only where
//! the arrays are not read on and on. How pointers move and loops are counted the processor says ([`Loops`]).

use super::tree::{Tree, natural};
use crate::item::{Item, accesses};
use rhomb_kernel::rolled::{DEPTH, Index};
use rhomb_line::Array;
use std::ops::Range;

/// Why there are no instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// A counter is too narrow.
    Narrow,
    /// The loops are of no kind that can be made.
    Never,
}

/// An instruction, how often it is executed, and how often of these it takes its other time: that of a branch that is
/// taken, or of an instruction whose condition does not hold.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "said above")]
pub struct Counted<I> {
    pub instruction: I,
    pub runs: u64,
    pub otherwise: u64,
}

impl<I> Counted<I> {
    /// One that always takes the same time.
    pub fn plain(instruction: I, runs: u64) -> Counted<I> {
        Counted { instruction, runs, otherwise: 0 }
    }

    /// Cycles of all executions, by its time and its other time.
    pub fn cycles(&self, [time, other]: [u64; 2]) -> u64 {
        time * (self.runs - self.otherwise) + other * self.otherwise
    }
}

/// Where a pointer is before a block, and where it is wanted behind it, in words from the block's origin.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "said above")]
pub struct Span {
    pub start: isize,
    pub end: Option<isize>,
}

/// How often a loop is executed.
#[derive(Clone, Debug)]
pub struct Turns {
    /// Full iterations.
    pub count: Index,
    /// Whether a part of an iteration comes before them.
    pub entered: bool,
    /// The most of them, whatever the counter around is.
    pub most: isize,
    /// Loops around.
    pub depth: usize,
    /// How often the loop is begun.
    pub begun: u64,
    /// Iterations in all, parts of iterations included.
    pub all: u64,
    /// The counts of loops inside that depend on its counter.
    pub varying: Vec<Index>,
    /// Whether there are loops inside.
    pub outer: bool,
}

impl Turns {
    /// Iterations, the part of one included, where the counters around are 0.
    pub fn first(&self) -> isize {
        self.count.at + isize::from(self.entered)
    }
}

/// What a processor says of loops.
pub trait Loops {
    /// An instruction.
    type Instruction: Copy;
    /// What is remembered of a loop while its body is made.
    type Begun;
    /// Whether an access moves its pointer down by a word before it, and up by a word after it, and no further.
    const STEPS: bool;

    /// The code of a block, and how far behind the origins the pointers are then. There is a span for each array that the
    /// block accesses.
    ///
    /// # Errors
    /// Where a pointer does not reach its words.
    fn block(
        &mut self,
        items: &[Item<Self::Instruction>],
        spans: &[Option<Span>; 3],
    ) -> Result<(Vec<Self::Instruction>, [isize; 3]), Unfit>;

    /// Moves a pointer by so many words, the constant and those for each iteration of the outer loop, which is executed
    /// for `outer`.
    ///
    /// # Errors
    /// Where it cannot.
    fn shift(
        &mut self,
        array: Array,
        by: [isize; 2],
        outer: &Range<isize>,
        code: &mut Vec<Self::Instruction>,
    ) -> Result<(), Unfit>;

    /// What stands before a loop.
    ///
    /// # Errors
    /// Where it cannot be counted.
    fn begin(&mut self, turns: &Turns) -> Result<(Vec<Self::Instruction>, Self::Begun), Unfit>;

    /// The way into the middle of a loop, over so many instructions.
    fn over(&self, length: usize) -> Option<Self::Instruction>;

    /// What stands behind the body of a loop, which has so many instructions.
    ///
    /// # Errors
    /// Where nothing reaches back.
    fn end(
        &mut self,
        begun: Self::Begun,
        turns: &Turns,
        length: usize,
    ) -> Result<Vec<Counted<Self::Instruction>>, Unfit>;
}

/// Where code stands.
#[derive(Clone)]
struct Around {
    /// Loops around.
    depth: usize,
    /// Iterations of the outer loop in which it is executed.
    outer: Range<isize>,
    /// How often it is executed.
    runs: u64,
}

type Positions = [Option<Index>; 3];

type Parts<'a, L> = &'a [Tree<<L as Loops>::Instruction>];

struct Emitter<'a, L> {
    loops: &'a mut L,
    positions: [Index; 3],
}

/// The instructions of all parts.
///
/// # Errors
/// Where the processor has none for a loop.
pub fn emit<L: Loops>(parts: Parts<L>, loops: &mut L) -> Result<Vec<Counted<L::Instruction>>, Unfit> {
    let mut emitter = Emitter { loops, positions: [Index::from(0); 3] };
    emitter.sequence(parts, [None; 3], &Around { depth: 0, outer: 0..1, runs: 1 })
}

fn natural_of<L: Loops>(parts: Parts<L>, array: Array, depth: usize) -> Option<Index> {
    natural(parts, array, depth, L::STEPS)
}

impl<L: Loops> Emitter<'_, L> {
    /// `end` is where pointers are wanted afterwards.
    fn sequence(
        &mut self,
        parts: Parts<L>,
        end: Positions,
        around: &Around,
    ) -> Result<Vec<Counted<L::Instruction>>, Unfit> {
        let mut lines = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            match part {
                Tree::Block { origin, items } => {
                    let rest = &parts[at + 1..];
                    let wanted = Array::ARGUMENTS
                        .map(|array| natural_of::<L>(rest, array, around.depth).or(end[array as usize]));
                    let code = self.block(origin, items, (part, wanted), around)?;
                    lines.extend(code.into_iter().map(|one| Counted::plain(one, around.runs)));
                }
                Tree::Loop { count, enter, body } => {
                    lines.extend(self.repeated(*count, body.split_at(*enter), body, around)?);
                }
            }
        }
        Ok(lines)
    }

    /// `wanted` is where pointers should be afterwards.
    fn block(
        &mut self,
        origin: &[Index; 3],
        items: &[Item<L::Instruction>],
        (part, wanted): (&Tree<L::Instruction>, Positions),
        around: &Around,
    ) -> Result<Vec<L::Instruction>, Unfit> {
        let mut code = Vec::new();
        let mut spans = [None; 3];
        for array in Array::ARGUMENTS {
            let index = array as usize;
            if accesses(items, array).next().is_none() {
                continue;
            }
            if (self.positions[index] - origin[index]).constant().is_none() {
                let first = natural_of::<L>(std::slice::from_ref(part), array, around.depth);
                self.settle(array, first, around, &mut code)?;
            }
            let start = (self.positions[index] - origin[index]).constant().ok_or(Unfit::Never)?;
            let end = wanted[index].and_then(|wanted| (wanted - origin[index]).constant());
            spans[index] = Some(Span { start, end });
        }
        let (body, ends) = self.loops.block(items, &spans)?;
        code.extend(body);
        for array in Array::ARGUMENTS {
            let index = array as usize;
            if spans[index].is_some() {
                self.positions[index] = origin[index] + ends[index];
            }
            self.settle(array, wanted[index], around, &mut code)?;
        }
        Ok(code)
    }

    /// Brings a pointer where it is wanted.
    fn settle(
        &mut self,
        array: Array,
        wanted: Option<Index>,
        around: &Around,
        code: &mut Vec<L::Instruction>,
    ) -> Result<(), Unfit> {
        let Some(wanted) = wanted else { return Ok(()) };
        let distance = wanted - self.positions[array as usize];
        self.positions[array as usize] = wanted;
        match distance.by {
            [outer, 0] => self.loops.shift(array, [distance.at, outer], &around.outer, code),
            _ => Err(Unfit::Never),
        }
    }

    fn repeated(
        &mut self,
        count: Index,
        (before, after): (Parts<L>, Parts<L>),
        body: Parts<L>,
        around: &Around,
    ) -> Result<Vec<Counted<L::Instruction>>, Unfit> {
        let Around { depth, runs: begun, .. } = *around;
        let entered = !before.is_empty();
        let partial = isize::from(entered);
        let at = |v: isize| count.value(&std::array::from_fn(|at| if at == 0 { v } else { 0 }));
        let times = |v: isize| at(v) + partial;
        if depth >= DEPTH || around.outer.clone().any(|v| times(v) < 1) {
            return Err(Unfit::Never);
        }
        let turns = Turns {
            count,
            entered,
            most: around.outer.clone().map(at).max().unwrap_or(0),
            depth,
            begun,
            all: around.outer.clone().map(|v| times(v) as u64).sum(),
            varying: varying(body),
            outer: body.iter().any(|part| matches!(part, Tree::Loop { .. })),
        };
        let (start, opened) = self.loops.begin(&turns)?;
        let head = Array::ARGUMENTS.map(|array| {
            if !body.iter().any(|part| part.accesses(array)) {
                return None;
            }
            natural_of::<L>(before, array, depth + 1).or_else(|| natural_of::<L>(after, array, depth + 1))
        });
        let next = head.map(|index| index.map(|index| index.with(depth, Index::counter(depth) + 1)));
        let middle: Positions = std::array::from_fn(|array| {
            head[array]
                .and_then(|_| natural_of::<L>(after, Array::ARGUMENTS[array], depth + 1).or(next[array]))
        });
        let inside = |from: isize, runs: u64| {
            let outer = if depth == 0 { from..times(0) } else { around.outer.clone() };
            Around { depth: depth + 1, outer, runs }
        };
        self.start_at(if entered { &middle } else { &head });
        let second = self.sequence(after, next, &inside(0, turns.all))?;
        let first = if entered {
            self.start_at(&head);
            self.sequence(before, middle, &inside(1, turns.all - begun))?
        } else {
            Vec::new()
        };
        // after the last iteration
        for (position, next) in self.positions.iter_mut().zip(&next) {
            if let Some(next) = next {
                *position = next.with(depth, count + (partial - 1));
            }
        }
        let over = self.loops.over(first.len()).filter(|_| entered);
        let end = self.loops.end(opened, &turns, first.len() + second.len())?;
        let start = start.into_iter().chain(over).map(|one| Counted::plain(one, begun));
        Ok(start.chain(first).chain(second).chain(end).collect())
    }

    fn start_at(&mut self, positions: &Positions) {
        for (position, start) in self.positions.iter_mut().zip(positions) {
            *position = start.unwrap_or(*position);
        }
    }
}

/// The counts of loops that depend on a counter.
fn varying<I>(parts: &[Tree<I>]) -> Vec<Index> {
    let mut list = Vec::new();
    for part in parts {
        if let Tree::Loop { count, body, .. } = part {
            list.extend(count.constant().is_none().then_some(*count));
            list.extend(varying(body));
        }
    }
    list
}
