//! From a rolled schedule to ARM instructions with loops.
//!
//! [`rhomb_kernel::rolled`] makes actions for each block; here blocks get registers (`block`, `tree`), pointers,
//! counters and branches (`emit`, `counters`).

mod block;
mod counters;
mod emit;
mod tree;

use super::columns::order;
use super::{Kernel, LowerError, cycles, frame};
use crate::conventions::Convention;
use crate::cores::Core;
use crate::instructions::{Instruction, Register};
use block::Layout;
use rhomb_kernel::Step;
use rhomb_kernel::rolled::{Node, Part, Rolled, accumulate};

/// Bits of a word.
const WORD: u32 = 32;

/// More catchers than any schedule needs here.
const CATCHERS: usize = 4;

/// Lowers a multiplication with loops. Of the ways to share the registers, the one that makes the fastest
/// routine is taken.
pub(super) fn multiplication(
    rolled: &Rolled,
    core: &Core,
    convention: &Convention,
    registers: usize,
) -> Result<Kernel, LowerError> {
    let order = order(convention, 3);
    let available = order.len().min(registers);
    let used = used_slots(&rolled.nodes, rolled.slots);
    let mut best: Option<(u64, Kernel)> = None;
    let mut needed = usize::MAX;
    let mut fits = false;
    for catchers in 0..=CATCHERS {
        let parts = accumulate(rolled, WORD, catchers)?;
        let least = least(&parts, used, &order);
        needed = needed.min(least);
        for count in least..=available {
            fits = true;
            let layout = layout(&order[..count], used, tree::depth(&parts));
            let Some(kernel) = routine(&parts, &layout, core, convention) else { continue };
            let Some(cycles) = kernel.cycles else { continue };
            if best.as_ref().is_none_or(|(fewest, _)| cycles < *fewest) {
                best = Some((cycles, kernel));
            }
        }
    }
    let fault = if fits { LowerError::Loops } else { LowerError::Registers { needed, available } };
    best.map(|(_, kernel)| kernel).ok_or(fault)
}

/// The fewest registers with which all blocks get theirs.
fn least(parts: &[Part], used: usize, order: &[Register]) -> usize {
    let counters = tree::depth(parts);
    // registers that are not there: they only count
    let beyond = order.iter().copied().chain(16..32).collect::<Vec<Register>>();
    let first = used + counters + 1;
    let enough = |count: &usize| tree::trees(parts, &layout(&beyond[..*count], used, counters)).is_some();
    (first..=beyond.len()).find(enough).unwrap_or(usize::MAX)
}

/// The accumulator's registers first: they are the ones that are used in any case.
fn layout(order: &[Register], used: usize, counters: usize) -> Layout {
    let (others, fixed) = order.split_at(order.len() - used - counters);
    let (pool, counters) = fixed.split_at(used);
    Layout { pool: pool.to_vec(), others: others.to_vec(), counters: counters.to_vec() }
}

fn routine(parts: &[Part], layout: &Layout, core: &Core, convention: &Convention) -> Option<Kernel> {
    let trees = tree::trees(parts, layout)?;
    let [result, a, b, _] = convention.arguments;
    let lines = emit::emit(&trees, [result, a, b], &layout.counters).ok()?;
    let body: Vec<Instruction> = lines.iter().map(|line| line.instruction).collect();
    let once = cycles(&body, core)?;
    let looped: u64 = lines.iter().map(|line| line.cycles(core)).sum::<Option<u64>>()?;
    let kernel = frame::enclose(body, convention.saved, 0);
    let cycles = cycles(&kernel.program, core)? - once + looped;
    Some(Kernel { cycles: Some(cycles), ..kernel })
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
