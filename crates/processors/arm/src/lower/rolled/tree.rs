//! Blocks and loops with registers, their accesses still symbolic.

use super::block::{Item, Layout, Words, items};
use crate::instructions::Register;
use crate::lower::columns::line::Array;
use rhomb_kernel::Place;
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

/// Gives registers to all parts; the accumulator's words are in the same ones on every way to a block. `None`
/// where registers do not last.
pub(super) fn trees(parts: &[Part], layout: &Layout) -> Option<Vec<Tree>> {
    sequence(parts, &mut Vec::new(), None, layout)
}

/// The words of a border.
fn places((border, base): &(Border, usize)) -> Vec<Place> {
    let words = (0..border.words).map(|offset| Place::Word(base + offset));
    words.chain(border.catchers.iter().map(|offset| Place::Catcher(base + offset))).collect()
}

/// `words` are the registers of the accumulator's words, before and afterwards; `end` are those wanted
/// afterwards.
fn sequence(
    parts: &[Part],
    words: &mut Vec<Register>,
    end: Option<&[Register]>,
    layout: &Layout,
) -> Option<Vec<Tree>> {
    let mut trees = Vec::with_capacity(parts.len());
    for (at, part) in parts.iter().enumerate() {
        match part {
            Part::Block { a, b, entry, actions, exit } => {
                let wanted = end.filter(|_| at + 1 == parts.len());
                let before = words.clone();
                let (from, to) = (places(entry), places(exit));
                let from = Words { places: &from, registers: Some(&before) };
                let to = Words { places: &to, registers: wanted };
                let (items, after) = items(actions, layout, &from, &to)?;
                *words = after;
                trees.push(Tree::Block { origin: [*a + *b, *a, *b], items });
            }
            Part::Loop { count, enter, body } => {
                let (before, after) = body.split_at(*enter);
                let entry = words.clone();
                let again = before.is_empty().then_some(entry.as_slice());
                let second = sequence(after, words, again, layout)?;
                let mut rest = words.clone();
                let mut body = if before.is_empty() {
                    Vec::new()
                } else {
                    sequence(before, &mut rest, Some(&entry), layout)?
                };
                body.extend(second);
                trees.push(Tree::Loop { count: *count, enter: *enter, body });
            }
        }
    }
    Some(trees)
}

/// The index of the first access to an array.
fn first(items: &[Item], array: Array) -> Option<usize> {
    items.iter().find_map(|item| match item {
        Item::Access(access) if access.array == array => Some(access.index),
        _ => None,
    })
}

/// Where a pointer to `array` should be before these parts, so that the first access is there. `depth` is the
/// number of loops around.
pub(super) fn natural(parts: &[Tree], array: Array, depth: usize) -> Option<Index> {
    parts.iter().find_map(|part| match part {
        Tree::Block { origin, items } => Some(origin[array as usize] + first(items, array)?),
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

/// How deep loops stand in each other.
pub(super) fn depth(parts: &[Part]) -> usize {
    let one = |part: &Part| match part {
        Part::Block { .. } => 0,
        Part::Loop { body, .. } => 1 + depth(body),
    };
    parts.iter().map(one).max().unwrap_or(0)
}
