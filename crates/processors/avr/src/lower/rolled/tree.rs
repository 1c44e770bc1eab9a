//! Blocks and loops with registers, their accesses still symbolic.

use super::allocate::{Ring, allocate};
use super::layout::Layout;
use super::moves::moves;
use super::translate::translate;
use crate::lower::translate::{Array, Item};
use rhomb_kernel::rolled::{Border, Index, Part};

/// A part with registers.
pub(super) enum Tree {
    Block {
        /// What accesses count from: the result, A and B.
        origin: [Index; 3],
        items: Vec<Item>,
    },
    Loop {
        count: Index,
        enter: usize,
        body: Vec<Tree>,
    },
}

/// So many registers of the accumulator are tried in all ways.
const FEW: usize = 7;

/// Gives registers to the accumulator of all parts; its words are in the same ones on every way to a
/// block.
pub(super) fn trees(parts: &[Part], layout: &Layout, slots: usize) -> Vec<Tree> {
    let alike = layout.accumulator.len() > FEW;
    let ring = Ring { registers: &layout.accumulator, zero_pair: layout.zeros.len() == 2, alike };
    sequence(parts, &mut Vec::new(), None, &Context { ring, layout, slots })
}

struct Context<'a> {
    ring: Ring<'a>,
    layout: &'a Layout,
    slots: usize,
}

/// `words` are the registers of the accumulator's words, before and afterwards; `end` are those wanted
/// afterwards.
fn sequence(parts: &[Part], words: &mut Vec<u8>, end: Option<&[u8]>, context: &Context) -> Vec<Tree> {
    let mut trees = Vec::with_capacity(parts.len());
    for (at, part) in parts.iter().enumerate() {
        match part {
            Part::Block { a, b, entry, actions, exit } => {
                let wanted = end.filter(|_| at + 1 == parts.len());
                let from = (borrowed(entry), words.as_slice());
                let mut allocation = allocate(actions, from, (borrowed(exit), wanted), &context.ring);
                *words = allocation.end.clone();
                let mut items = translate(actions, context.layout, context.slots, &mut allocation);
                if let Some(wanted) = wanted {
                    items.extend(moves(words, wanted).into_iter().map(Item::Code));
                    *words = wanted.to_vec();
                }
                trees.push(Tree::Block { origin: [*a + *b, *a, *b], items });
            }
            Part::Loop { count, enter, body } => {
                let (before, after) = body.split_at(*enter);
                let entry = words.clone();
                let second = if before.is_empty() {
                    sequence(after, words, Some(&entry), context)
                } else {
                    sequence(after, words, None, context)
                };
                let mut again = words.clone();
                let mut body = if before.is_empty() {
                    Vec::new()
                } else {
                    sequence(before, &mut again, Some(&entry), context)
                };
                body.extend(second);
                trees.push(Tree::Loop { count: *count, enter: *enter, body });
            }
        }
    }
    trees
}

fn borrowed((border, base): &(Border, usize)) -> (&Border, usize) {
    (border, *base)
}

/// The index of the first access to an array and the direction in which it goes on.
fn first(items: &[Item], array: Array) -> Option<(usize, isize)> {
    let mut indices = items.iter().filter_map(|item| match item {
        Item::Access(access) if access.array == array => Some(access.index),
        _ => None,
    });
    let first = indices.next()?;
    let last = indices.next_back().unwrap_or(first);
    Some((first, (last as isize - first as isize).signum()))
}

/// Where a pointer to `array` should be before these parts, so that the first access needs no adjustment
/// and leads on. `depth` is the number of loops around.
pub(super) fn natural(parts: &[Tree], array: Array, depth: usize) -> Option<Index> {
    parts.iter().find_map(|part| match part {
        Tree::Block { origin, items } => {
            let (index, direction) = first(items, array)?;
            let origin = origin[array as usize];
            let stride = depth.checked_sub(1).map_or(0, |inner| origin.by[inner]);
            let down = direction < 0 || direction == 0 && stride < 0;
            Some(origin + index + usize::from(down))
        }
        Tree::Loop { enter, body, .. } => {
            let (before, after) = body.split_at(*enter);
            let at = |parts: &[Tree], counter: isize| {
                natural(parts, array, depth + 1).map(|index| index.with(depth, Index::from(counter)))
            };
            at(after, 0).or_else(|| at(before, isize::from(*enter > 0)))
        }
    })
}

/// Whether the parts access an array.
pub(super) fn accesses(parts: &[Tree], array: Array) -> bool {
    parts.iter().any(|part| match part {
        Tree::Block { items, .. } => first(items, array).is_some(),
        Tree::Loop { body, .. } => accesses(body, array),
    })
}

/// The counts of loops that depend on a counter.
pub(super) fn varying(parts: &[Tree]) -> Vec<Index> {
    let mut list = Vec::new();
    for part in parts {
        if let Tree::Loop { count, body, .. } = part {
            list.extend(count.constant().is_none().then_some(*count));
            list.extend(varying(body));
        }
    }
    list
}

/// How deep loops stand in each other.
pub(super) fn depth(parts: &[Part]) -> usize {
    let one = |part: &Part| match part {
        Part::Block { .. } => 0,
        Part::Loop { body, .. } => 1 + depth(body),
    };
    parts.iter().map(one).max().unwrap_or(0)
}
