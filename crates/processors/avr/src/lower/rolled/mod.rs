//! From a rolled schedule to AVR instructions with loops.
//!
//! [`rhomb_kernel::rolled`] makes actions for each block; here blocks get registers (`tree`, `allocate`),
//! pointers, counters and branches (`emit`, `counters`).

mod allocate;
mod counters;
mod emit;
mod moves;
mod tree;

use super::pointers::{X, Y, Z};
use super::registers::Layout;
use super::{GENERAL, Kernel, LowerError, frame};
use crate::conventions::Convention;
use crate::cores::Core;
use crate::instructions::{Instruction, Op, ROWS};
use counters::Counter;
use emit::{Line, Setting, Unfit, emit};
use rhomb_kernel::rolled::{Node, Part, Rolled, accumulate};
use rhomb_kernel::{Action, Source, Step};

/// Lowers a multiplication with loops. Of the ways to share the registers, the one that makes the fastest
/// routine is taken.
pub(super) fn multiplication(
    rolled: &Rolled,
    core: &Core,
    convention: &Convention,
) -> Result<Kernel, LowerError> {
    if core.cycles(Op::Mul).is_err() {
        return Err(LowerError::NoMultiplier { core: core.name });
    }
    let times: Vec<(u64, u64)> = ROWS
        .iter()
        .map(|row| core.cycles(row.op).map_or((0, 0), |cycles| (cycles.plain.into(), cycles.taken.into())))
        .collect();
    let used = used_slots(&rolled.nodes, rolled.slots);
    let mut fault = LowerError::Loops;
    for wide in [false, true] {
        match with_counters(rolled, used, wide, &times, convention) {
            Err(error @ LowerError::Loops) => fault = error,
            done => return done,
        }
    }
    Err(fault)
}

fn with_counters(
    rolled: &Rolled,
    used: usize,
    wide: bool,
    times: &[(u64, u64)],
    convention: &Convention,
) -> Result<Kernel, LowerError> {
    // as many catchers as there is room for
    let (mut catchers, mut parts, mut words, mut taken);
    let mut most = GENERAL;
    loop {
        catchers = most;
        parts = accumulate(rolled, 8, catchers)?;
        words = peak(&parts);
        taken = used + tree::depth(&parts) * if wide { 2 } else { 1 };
        if words + taken + 1 <= GENERAL || catchers == 0 {
            break;
        }
        most = catchers - 1;
    }
    if words + taken + 1 > GENERAL {
        return Err(LowerError::Registers { needed: words + taken + 1, available: GENERAL });
    }
    let mut best: Option<(u64, Kernel)> = None;
    for size in words..=(words + 3).min(GENERAL) {
        for zeros in 1..=2 {
            if size + taken + zeros > GENERAL {
                continue;
            }
            let layout = Layout::new(used, size, zeros, taken - used, convention);
            let trees = tree::trees(&parts, &layout, rolled.slots);
            for pointers in [[Z, X, Y], [Z, Y, X]] {
                let Some(lines) = shortest(&trees, &layout, pointers, wide, times)? else { continue };
                let body: Vec<Instruction> = lines.iter().map(|line| line.instruction).collect();
                let straight: u64 = body.iter().map(|one| times[one.op as usize].0).sum();
                let looped: u64 = lines.iter().map(|line| line.cycles(times)).sum();
                let mut kernel = frame::wrap(body, pointers, &layout.zeros, convention);
                let frame: u64 = kernel.program.iter().map(|one| times[one.op as usize].0).sum();
                kernel.cycles = frame - straight + looped;
                let cycles = kernel.cycles;
                if best.as_ref().is_none_or(|(fewest, _)| cycles < *fewest) {
                    best = Some((cycles, kernel));
                }
            }
        }
    }
    best.map(|(_, kernel)| kernel).ok_or(LowerError::Loops)
}

/// The faster of counting iterations and counting the words that they take; `None` where counters of
/// their size do not reach.
fn shortest(
    trees: &[tree::Tree],
    layout: &Layout,
    pointers: [u8; 3],
    wide: bool,
    times: &[(u64, u64)],
) -> Result<Option<Vec<Line>>, LowerError> {
    let register = |at: usize| layout.counters.get(at).copied().unwrap_or(0);
    let counter = |at: usize| {
        if wide {
            Counter { low: register(2 * at), high: register(2 * at + 1), wide }
        } else {
            Counter { low: register(at), high: 0, wide }
        }
    };
    let setting = |unit| Setting {
        pointers,
        counters: [counter(0), counter(1)],
        zero: layout.zeros[0],
        unit,
    };
    let cycles = |lines: &[Line]| lines.iter().map(|line| line.cycles(times)).sum::<u64>();
    let mut best: Option<Vec<Line>> = None;
    let mut unit = 1;
    for _ in 0..2 {
        match emit(trees, setting(unit)) {
            Ok((lines, other)) => {
                if best.as_ref().is_none_or(|best| cycles(&lines) < cycles(best)) {
                    best = Some(lines);
                }
                if other == unit || other == 0 {
                    break;
                }
                unit = other;
            }
            Err(Unfit::Narrow) => break,
            Err(Unfit::Never) => return Err(LowerError::Loops),
        }
    }
    Ok(best)
}

/// Slots of the pool that are used.
fn used_slots(nodes: &[Node], slots: usize) -> usize {
    let one = |node: &Node| match node {
        Node::Loop(one) => used_slots(&one.body, slots),
        Node::Block(block) => {
            let slot = |step: &Step| match step {
                Step::Load { slot, .. } if *slot < slots => slot + 1,
                _ => 0,
            };
            block.steps.iter().map(slot).max().unwrap_or(0)
        }
    };
    nodes.iter().map(one).max().unwrap_or(0)
}

/// The most words of the accumulator that are there at a time.
fn peak(parts: &[Part]) -> usize {
    let one = |part: &Part| match part {
        Part::Loop { body, .. } => peak(body),
        Part::Block { entry: (entry, _), actions, .. } => {
            let mut now = entry.words + entry.catchers.len();
            let mut most = now;
            for action in actions {
                match action {
                    Action::PlaceProduct { .. } => now += 2,
                    Action::Place { source: Source::Place(_), .. } => {}
                    Action::Place { .. } | Action::Clear { .. } => now += 1,
                    Action::Add { source: Source::Place(_), .. }
                    | Action::Store { .. }
                    | Action::Drop { .. } => now -= 1,
                    _ => {}
                }
                most = most.max(now);
            }
            most
        }
    };
    parts.iter().map(one).max().unwrap_or(0)
}
