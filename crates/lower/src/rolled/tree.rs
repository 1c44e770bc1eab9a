//! Blocks and loops with registers, their accesses still symbolic.

use crate::file::Register;
use crate::item::{Item, accesses};
use rhomb_kernel::rolled::{Border, Index, Part};
use rhomb_kernel::{AccumulatorWord, Action};
use rhomb_line::Array;

/// A part with registers.
#[derive(Clone, Debug)]
pub enum Tree<I> {
    /// Straight line.
    Block {
        /// What accesses count from: the result, A and B.
        origin: [Index; 3],
        /// Its code.
        items: Vec<Item<I>>,
    },
    /// Loop.
    Loop {
        /// Full iterations.
        count: Index,
        /// Where it is entered.
        enter: usize,
        /// Its parts.
        body: Vec<Tree<I>>,
    },
}

/// The words of the accumulator at a border, with their registers where these are given.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a> {
    /// The words.
    pub places: &'a [AccumulatorWord],
    /// Their registers.
    pub registers: Option<&'a [Register]>,
}

/// What gives a block's words registers, from its entry to its exit: the items, and where the accumulator's words are at
/// the end, which is where they are wanted. `None` where registers do not last.
type Allocate<'a, I> = &'a dyn Fn(&[Action], Words, Words) -> Option<(Vec<Item<I>>, Vec<Register>)>;

/// Gives registers to all parts; the accumulator's words are in the same ones on every way to a block. `None` where
/// `allocate` gives none for a block.
pub fn trees<I>(parts: &[Part], allocate: Allocate<'_, I>) -> Option<Vec<Tree<I>>> {
    sequence(parts, &mut Vec::new(), None, allocate)
}

fn places((border, base): &(Border, usize)) -> Vec<AccumulatorWord> {
    let words = (0..border.words).map(|offset| AccumulatorWord::Column(base + offset));
    words.chain(border.catchers.iter().map(|offset| AccumulatorWord::Catcher(base + offset))).collect()
}

/// `words` are the registers of the accumulator's words, before and afterwards; `end` are those wanted afterwards.
fn sequence<I>(
    parts: &[Part],
    words: &mut Vec<Register>,
    end: Option<&[Register]>,
    allocate: Allocate<'_, I>,
) -> Option<Vec<Tree<I>>> {
    let mut trees = Vec::with_capacity(parts.len());
    for (at, part) in parts.iter().enumerate() {
        match part {
            Part::Block { a, b, entry, actions, exit } => {
                let (from, to) = (places(entry), places(exit));
                let from = Words { places: &from, registers: Some(words) };
                let to = Words { places: &to, registers: end.filter(|_| at + 1 == parts.len()) };
                let (items, after) = allocate(actions, from, to)?;
                *words = after;
                trees.push(Tree::Block { origin: [*a + *b, *a, *b], items });
            }
            Part::Loop { count, enter, body } => {
                let (before, after) = body.split_at(*enter);
                let entry = words.clone();
                let again = before.is_empty().then_some(entry.as_slice());
                let second = sequence(after, words, again, allocate)?;
                let mut rest = words.clone();
                let mut body = if before.is_empty() {
                    Vec::new()
                } else {
                    sequence(before, &mut rest, Some(&entry), allocate)?
                };
                body.extend(second);
                trees.push(Tree::Loop { count: *count, enter: *enter, body });
            }
        }
    }
    Some(trees)
}

/// Where a pointer to `array` should be before these parts, so that the first access needs no adjustment and leads on.
/// `depth` is the number of loops around. With `steps_down` a pointer that goes down begins a word above.
pub(super) fn natural<I>(parts: &[Tree<I>], array: Array, depth: usize, steps_down: bool) -> Option<Index> {
    parts.iter().find_map(|part| match part {
        Tree::Block { origin, items } => {
            let mut all = accesses(items, array).map(|access| access.index);
            let first = all.next()?;
            let last = all.next_back().unwrap_or(first);
            let origin = origin[array as usize];
            let stride = depth.checked_sub(1).map_or(0, |inner| origin.by[inner]);
            let down = last < first || last == first && stride < 0;
            Some(origin + first + usize::from(steps_down && down))
        }
        Tree::Loop { enter, body, .. } => {
            let (before, after) = body.split_at(*enter);
            let at = |parts: &[Tree<I>], counter: isize| {
                let index = natural(parts, array, depth + 1, steps_down);
                index.map(|index| index.with(depth, Index::from(counter)))
            };
            at(after, 0).or_else(|| at(before, isize::from(*enter > 0)))
        }
    })
}

impl<I> Tree<I> {
    /// Whether it accesses an array.
    pub(super) fn accesses(&self, array: Array) -> bool {
        match self {
            Tree::Block { items, .. } => accesses(items, array).next().is_some(),
            Tree::Loop { body, .. } => body.iter().any(|part| part.accesses(array)),
        }
    }
}

/// How deep loops stand in each other.
pub fn depth(parts: &[Part]) -> usize {
    let one = |part: &Part| match part {
        Part::Block { .. } => 0,
        Part::Loop { body, .. } => 1 + depth(body),
    };
    parts.iter().map(one).max().unwrap_or(0)
}
