//! Multiplication.

use super::build::Builder;
use super::emit::{self, Frame, Pointers};
use super::line::{Array, Place, Value};
use super::pointers::{self, Item};
use super::unit::Cache;
use super::{WHOLE, WIDEST};
use crate::instructions::Instruction;
use rhomb_kernel::Operand;
use rhomb_kernel::windows::{Trace, WindowStep};
use std::ops::Range;

/// How a multiplication is done.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Variant {
    /// Whether registers are shared out as a whole.
    pub(super) whole: bool,
    /// Whether B's words are moved to the end of the result, so that its pointer is needed no more.
    pub(super) move_b: bool,
    /// Whether A's pointer is moved there, so that its register is free during the first strip.
    pub(super) move_pointer: bool,
}

impl Variant {
    /// What to try.
    pub(super) fn all(words: usize, steps: &[WindowStep]) -> Vec<Variant> {
        let apart = units(steps, false).len();
        let mut all = Vec::new();
        for whole in [true, false] {
            if whole && words > WHOLE || !whole && apart == 1 {
                continue;
            }
            for move_b in [false, true] {
                for move_pointer in [false, true] {
                    if move_b && !(whole && words >= WIDEST) || move_pointer && apart == 1 {
                        continue;
                    }
                    all.push(Variant { whole, move_b, move_pointer });
                }
            }
        }
        all
    }
}

/// Steps that share registers: all of a small multiplication; else those until the columns go back.
fn units(steps: &[WindowStep], whole: bool) -> Vec<Range<usize>> {
    let mut units = Vec::new();
    let mut start = 0;
    for at in 1..=steps.len() {
        let back = |at: usize| steps[at].column() <= steps[at - 1].column();
        if at == steps.len() || !whole && back(at) {
            units.push(start..at);
            start = at;
        }
    }
    units
}

/// The instructions, without saves.
pub(super) fn body(
    (steps, trace, words): (&[WindowStep], &Trace, usize),
    variant: Variant,
    registers: usize,
    cache: &mut Cache,
) -> Option<Vec<Instruction>> {
    let units = units(steps, variant.whole);
    let mut pointers = Pointers::default();
    let mut items: Vec<Item> = Vec::new();
    for (number, range) in units.iter().enumerate() {
        let (is_first, is_last) = (number == 0, number + 1 == units.len());
        let mut builder = Builder::default();
        builder.origin = origin(&steps[range.clone()]);
        let [a, b, r] = [builder.value(), builder.value(), builder.value()];
        builder.bases = [a, b, r];
        builder.unit.entry = vec![(b, 2), (r, 0)];
        if is_first || !variant.move_pointer {
            builder.unit.entry.push((a, 1));
        }
        if !is_last {
            builder.unit.exit = if variant.move_pointer { vec![b, r] } else { vec![a, b, r] };
        }
        builder.begin();
        if variant.move_pointer && units.len() > 1 {
            if is_first {
                builder.leave_pointer(Array::A);
            } else {
                builder.bring_pointer(Array::A);
            }
        }
        if variant.move_b {
            for j in 0..words {
                let place = Place { array: Array::Result, index: words + j };
                builder.move_operand(Operand::B(j), place);
            }
            builder.begin();
        }
        fill(&mut builder, (steps, trace, words), range.clone(), variant)?;
        let frame = Frame { origin: builder.origin, home: 2 * words - 1 };
        let made = cache.make(builder.unit, registers)?;
        let known: Vec<(Value, usize)> = vec![(a, 0), (b, 1), (r, 2)];
        pointers.enter(known);
        items.extend(emit::items(&made.events, &made.assignment, &mut pointers, &frame));
    }
    pointers::place(&items, pointers.count)
}

/// From where a unit counts words of A and columns: strips of A are alike wherever they begin.
fn origin(steps: &[WindowStep]) -> usize {
    let lowest = steps.iter().map(|step| match (step.fixed, step.stream) {
        (Operand::A(x), Operand::B(_)) => x,
        _ => 0,
    });
    lowest.min().unwrap_or(0)
}

/// The steps of a unit.
fn fill(
    builder: &mut Builder,
    (steps, trace, words): (&[WindowStep], &Trace, usize),
    range: Range<usize>,
    variant: Variant,
) -> Option<()> {
    let first = range.start;
    for at in range.clone() {
        let (step, traced) = (&steps[at], &trace.steps[at]);
        if at > first && (steps[at - 1].fixed, steps[at - 1].width) != (step.fixed, step.width) {
            let all = range.len() == steps.len();
            if variant.move_pointer && all && steps[at - 1].fixed == steps[first].fixed {
                builder.move_pointer(Array::A, Place { array: Array::Result, index: 2 * words - 1 });
            }
            builder.begin();
        }
        builder.step(traced);
    }
    // what no later step of this unit takes
    let mut left: Vec<(usize, usize)> = Vec::new();
    for at in range {
        let traced = &trace.steps[at];
        let taken = |word: usize| traced.window.contains(&Some(word)) || traced.more == Some(word);
        left.retain(|(word, _)| !taken(*word));
        left.extend((traced.step.column()..).zip(&traced.makes).map(|(column, word)| (*word, column)));
    }
    left.sort_unstable_by_key(|(_, column)| *column);
    for (word, column) in left {
        let value = builder.known(word)?;
        builder.store(value, column);
    }
    Some(())
}
