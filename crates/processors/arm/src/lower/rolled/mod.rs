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
use std::collections::BTreeSet;

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
    let slots = staying(&rolled.nodes);
    let mut best: Option<(u64, Kernel)> = None;
    let mut needed = usize::MAX;
    let mut fits = false;
    for catchers in 0..=CATCHERS {
        let parts = accumulate(rolled, WORD, catchers)?;
        let depth = tree::depth(&parts);
        for counters in depth.min(1)..=depth {
            let least = least(&parts, &slots, counters, &order);
            needed = needed.min(least);
            for count in least..=available {
                fits = true;
                let layout = layout(&order[..count], &slots, counters);
                let Some(kernel) = routine(&parts, &layout, core, convention) else { continue };
                let Some(cycles) = kernel.cycles else { continue };
                if best.as_ref().is_none_or(|(fewest, _)| cycles < *fewest) {
                    best = Some((cycles, kernel));
                }
            }
        }
    }
    let fault = if fits { LowerError::Loops } else { LowerError::Registers { needed, available } };
    best.map(|(_, kernel)| kernel).ok_or(fault)
}

/// The fewest registers with which all blocks get theirs.
fn least(parts: &[Part], slots: &[usize], counters: usize, order: &[Register]) -> usize {
    // registers that are not there: they only count
    let beyond = order.iter().copied().chain(16..32).collect::<Vec<Register>>();
    let first = slots.len() + counters + 1;
    let enough = |count: &usize| tree::trees(parts, &layout(&beyond[..*count], slots, counters)).is_some();
    (first..=beyond.len()).find(enough).unwrap_or(usize::MAX)
}

/// The accumulator's registers first: they are the ones that are used in any case.
fn layout(order: &[Register], slots: &[usize], counters: usize) -> Layout {
    let (others, fixed) = order.split_at(order.len() - slots.len() - counters);
    let (pool, counters) = fixed.split_at(slots.len());
    Layout {
        slots: slots.to_vec(),
        pool: pool.to_vec(),
        others: others.to_vec(),
        counters: counters.to_vec(),
    }
}

fn routine(parts: &[Part], layout: &Layout, core: &Core, convention: &Convention) -> Option<Kernel> {
    let trees = tree::trees(parts, layout)?;
    let [result, a, b, _] = convention.arguments;
    let lines = emit::emit(&trees, [result, a, b], &layout.counters).ok()?;
    let body: Vec<Instruction> = lines.iter().map(|line| line.instruction).collect();
    let once = cycles(&body, core)?;
    let looped: u64 = lines.iter().map(|line| line.cycles(core)).sum::<Option<u64>>()?;
    let waiting = if tree::depth(parts) > layout.counters.len() { 4 } else { 0 };
    let kernel = frame::enclose(body, convention.saved, waiting);
    let cycles = cycles(&kernel.program, core)? - once + looped;
    Some(Kernel { cycles: Some(cycles), ..kernel })
}

/// Slots whose words are used in another block than the one that loads them.
fn staying(nodes: &[Node]) -> Vec<usize> {
    let mut slots = BTreeSet::new();
    for node in nodes {
        match node {
            Node::Loop(one) => slots.extend(staying(&one.body)),
            Node::Block(block) => {
                let mut loaded = BTreeSet::new();
                for step in &block.steps {
                    match step {
                        Step::Load { slot, .. } => {
                            loaded.insert(*slot);
                        }
                        Step::Multiply { a, b, .. } => {
                            slots.extend([a, b].into_iter().filter(|slot| !loaded.contains(slot)));
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    slots.into_iter().collect()
}
