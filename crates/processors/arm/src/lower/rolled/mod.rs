//! From a rolled schedule to ARM instructions with loops.
//!
//! [`rhomb_kernel::rolled`] makes actions for each block; here blocks get registers ([`rhomb_lower::chains`]), pointers,
//! counters and branches (`emit`, `counters`); the rest is shared ([`rhomb_lower::rolled`]).

mod counters;
mod emit;

use super::columns::{calculation, order};
use super::{Kernel, LowerError, cycles, frame};
use crate::conventions::Convention;
use crate::cores::Core;
use crate::instructions::{Instruction, Register};
use emit::Emitter;
use rhomb_kernel::Step;
use rhomb_kernel::rolled::{Node, Part, Rolled, accumulate};
use rhomb_lower::chains::{Layout, items};
use rhomb_lower::rolled::{Tree, depth, emit, trees};
use std::collections::BTreeSet;

/// Bits of a word.
const WORD: u32 = 32;

/// More catchers than any schedule needs here.
const CATCHERS: usize = 4;

/// Carries of a squaring that may wait from block to block, each in a register of its own.
const MASKS: usize = 2;

/// Lowers a multiplication with loops. Of the ways to share the registers, the one that makes the fastest
/// routine is taken.
pub(super) fn multiplication(
    rolled: &Rolled,
    core: &Core,
    convention: &Convention,
    registers: usize,
) -> Result<Kernel, LowerError> {
    Lowering { rolled, core, convention, order: order(convention, 3), masks: 0 }.fastest(registers)
}

/// The same for a squaring: there the register of the second operand is free.
pub(super) fn squaring(
    rolled: &Rolled,
    core: &Core,
    convention: &Convention,
    registers: usize,
) -> Result<Kernel, LowerError> {
    Lowering { rolled, core, convention, order: order(convention, 2), masks: MASKS }.fastest(registers)
}

/// What routines are made from.
struct Lowering<'a> {
    rolled: &'a Rolled,
    core: &'a Core,
    convention: &'a Convention,
    /// Registers beside those of pointers, the first ones first.
    order: Vec<Register>,
    masks: usize,
}

impl Lowering<'_> {
    fn fastest(&self, registers: usize) -> Result<Kernel, LowerError> {
        let available = self.order.len().min(registers);
        let slots = staying(&self.rolled.nodes);
        let mut best: Option<(u64, Kernel)> = None;
        let mut needed = usize::MAX;
        let mut fits = false;
        for catchers in 0..=CATCHERS {
            let parts = accumulate(self.rolled, WORD, catchers)?;
            let depth = depth(&parts);
            for counters in depth.min(1)..=depth {
                let least = self.least(&parts, &slots, counters);
                needed = needed.min(least);
                for count in least..=available {
                    fits = true;
                    let layout = self.layout(&self.order[..count], &slots, counters);
                    let Some(kernel) = self.routine(&parts, &layout) else { continue };
                    let Some(cycles) = kernel.cycles else { continue };
                    if best.as_ref().is_none_or(|(fewest, _)| cycles < *fewest) {
                        best = Some((cycles, kernel));
                    }
                }
            }
        }
        let fault = if fits { LowerError::Loops } else { LowerError::Registers { needed, available } };
        // what waits from one round to the next is not counted
        let counted = self.core.timing.interlocks.is_none();
        best.map(|(cycles, kernel)| Kernel { cycles: counted.then_some(cycles), ..kernel }).ok_or(fault)
    }

    /// The fewest registers with which all blocks get theirs.
    fn least(&self, parts: &[Part], slots: &[usize], counters: usize) -> usize {
        // registers that are not there: they only count
        let beyond = self.order.iter().copied().chain(16..32).collect::<Vec<Register>>();
        let first = slots.len() + counters + self.masks + 1;
        let enough =
            |count: &usize| placed(parts, &self.layout(&beyond[..*count], slots, counters)).is_some();
        (first..=beyond.len()).find(enough).unwrap_or(usize::MAX)
    }

    /// The accumulator's registers first: they are the ones that are used in any case.
    fn layout(&self, order: &[Register], slots: &[usize], counters: usize) -> Layout {
        let (others, fixed) = order.split_at(order.len() - slots.len() - counters - self.masks);
        let (pool, fixed) = fixed.split_at(slots.len());
        let (counters, masks) = fixed.split_at(counters);
        Layout {
            slots: slots.to_vec(),
            pool: pool.to_vec(),
            others: others.to_vec(),
            counters: counters.to_vec(),
            masks: masks.to_vec(),
        }
    }

    fn routine(&self, parts: &[Part], layout: &Layout) -> Option<Kernel> {
        let [result, a, b, _] = self.convention.arguments;
        let lines =
            emit(&placed(parts, layout)?, &mut Emitter::new(self.core, [result, a, b], &layout.counters))
                .ok()?;
        let body: Vec<Instruction> = lines.iter().map(|line| line.instruction).collect();
        let once = cycles(&body, self.core)?;
        let skipped = self.core.timing.skipped.into();
        let times = |one| Some([self.core.most(one)?, skipped]);
        let looped = lines.iter().map(|line| Some(line.cycles(times(&line.instruction)?)));
        let looped: u64 = looped.sum::<Option<u64>>()?;
        let waiting = if depth(parts) > layout.counters.len() { 4 } else { 0 };
        let kernel = frame::enclose(body, self.convention.saved, waiting);
        let cycles = cycles(&kernel.program, self.core)? - once + looped;
        Some(Kernel { cycles: Some(cycles), ..kernel })
    }
}

/// All parts with registers.
fn placed(parts: &[Part], layout: &Layout) -> Option<Vec<Tree<Instruction>>> {
    trees(parts, &|actions, entry, exit| items(actions, layout, (entry, exit), calculation))
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
