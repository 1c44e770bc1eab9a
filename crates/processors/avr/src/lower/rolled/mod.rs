//! From a rolled schedule to AVR instructions with loops.
//!
//! A squaring has two arrays only, so the registers of a third pointer are free; carries that wait are masks
//! as in a straight line (`squaring`).
//!
//! [`rhomb_kernel::rolled`] makes actions for each block; here blocks get registers,
//! pointers, counters and branches (`emit`, `counters`); the rest is shared ([`rhomb_lower::rolled`]).

mod access;
mod block;
mod counters;
mod emit;
mod layout;

use super::pointers::{Assignment, X, Y, Z};
use super::translate::{Item, translate};
use super::{Kernel, LowerError, frame, general_registers, shared, squaring};
use crate::conventions::Convention;
use crate::cores::Core;
use crate::instructions::{Instruction, Op, ROWS};
use access::Pointers;
use block::Block;
use counters::Counter;
use emit::{Emitter, Setting};
use layout::{Counts, Layout};
use rhomb_kernel::Step;
use rhomb_kernel::accumulator::{self, AccumulateError};
use rhomb_kernel::rolled::{Node, Part, Rolled, accumulate};
use rhomb_lower::rolled::{Counted, Paired, Tree, Unfit, allocate, depth, emit, trees};
use rhomb_lower::{Placed, moves};

/// Lowers a multiplication with loops. Of the ways to share the registers, the one that makes the fastest
/// routine is taken.
pub(super) fn multiplication(
    rolled: &Rolled,
    core: &Core,
    convention: &Convention,
    registers: usize,
) -> Result<Kernel, LowerError> {
    let general = general_registers(convention).min(registers);
    let pointers = if convention.untouched & 1 << Y != 0 {
        vec![Pointers { registers: [Z, X, X], homes: shared::homes(0, convention), arrays: 3 }]
    } else {
        [[Z, X, Y], [Z, Y, X]].map(|registers| Pointers { registers, homes: [None; 3], arrays: 3 }).to_vec()
    };
    Lowering { rolled, core, convention, general, pointers, masks: 0 }.fastest()
}

/// The same for a squaring.
pub(super) fn squaring(
    rolled: &Rolled,
    core: &Core,
    convention: &Convention,
    registers: usize,
) -> Result<Kernel, LowerError> {
    let general = squaring::general(convention).min(registers);
    let pointers = squaring::pointers(convention).map(|[result, a]| Pointers {
        registers: [result, a, a],
        homes: [None; 3],
        arrays: 2,
    });
    Lowering { rolled, core, convention, general, pointers: pointers.collect(), masks: squaring::MASKS }
        .fastest()
}

/// What routines are made from.
struct Lowering<'a> {
    rolled: &'a Rolled,
    core: &'a Core,
    convention: &'a Convention,
    /// Registers beside the pointers and the product.
    general: usize,
    /// Which arrays have which pointers, one after the other: Z, which has displacements, is the result's.
    pointers: Vec<Pointers>,
    masks: usize,
}

impl Lowering<'_> {
    fn fastest(&self) -> Result<Kernel, LowerError> {
        if self.core.cycles(Op::Mul).is_err() {
            return Err(LowerError::NoMultiplier { core: self.core.name });
        }
        let time =
            |op| self.core.cycles(op).map_or([0; 2], |cycles| [cycles.plain.into(), cycles.taken.into()]);
        let times: Vec<[u64; 2]> = ROWS.iter().map(|row| time(row.op)).collect();
        let mut fault = LowerError::Loops;
        for wide in [false, true] {
            match self.with_counters(wide, &times) {
                Err(error @ LowerError::Loops) => fault = error,
                done => return done,
            }
        }
        Err(fault)
    }

    fn with_counters(&self, wide: bool, times: Times) -> Result<Kernel, LowerError> {
        let Lowering { rolled, convention, general, masks, .. } = *self;
        let used = used_slots(&rolled.nodes, rolled.slots);
        // as many catchers as there is room for
        let mut catchers = general;
        let (parts, words, counters) = loop {
            let parts = match accumulate(rolled, 8, catchers) {
                // more than 16 words
                Err(AccumulateError::Wide) => {
                    return Err(LowerError::Registers { needed: used + 18, available: general });
                }
                parts => parts?,
            };
            let counters = depth(&parts) * if wide { 2 } else { 1 };
            let words = peak(&parts);
            let needed = words + used + counters + masks + 1;
            if needed <= general {
                break (parts, words, counters);
            }
            if catchers == 0 {
                return Err(LowerError::Registers { needed, available: general });
            }
            catchers -= 1;
        };
        let taken = used + counters + masks;
        let mut best: Option<(u64, Kernel)> = None;
        for pointers in &self.pointers {
            for accumulator in words..=(words + if masks > 0 { 1 } else { 3 }).min(general) {
                for zeros in (1..=2).filter(|zeros| accumulator + taken + zeros <= general) {
                    let counts = Counts { slots: used, accumulator, zeros, counters, masks };
                    let layout = Layout::new(&counts, convention, pointers);
                    let Some(trees) = placed(&parts, &layout, rolled.slots) else { continue };
                    let Some(lines) = shortest(&trees, &layout, *pointers, wide, times)? else { continue };
                    let (cycles, kernel) = framed(&lines, &layout, *pointers, times, convention);
                    if best.as_ref().is_none_or(|(fewest, _)| cycles < *fewest) {
                        best = Some((cycles, Kernel { cycles: Some(cycles), ..kernel }));
                    }
                }
            }
        }
        best.map(|(_, kernel)| kernel).ok_or(LowerError::Loops)
    }
}

/// So many registers of the accumulator are tried in all ways.
const FEW: usize = 7;

/// Holds a word for a moment; it is no register of the accumulator.
const SPARE: u8 = 0;

/// The moves that bring the word of each register in `from` to the one in `to`.
fn moving(from: &[u8], to: &[u8]) -> impl Iterator<Item = Instruction> + use<> {
    moves(from, to, Some(SPARE), true).into_iter().flatten().filter_map(|one| match one {
        Placed::Copy { to, from } => Some(Instruction::dr(Op::Mov, to, from)),
        Placed::CopyPair { to, from } => Some(Instruction::dr(Op::Movw, to, from)),
        _ => None,
    })
}

/// All parts with registers.
fn placed(parts: &[Part], layout: &Layout, slots: usize) -> Option<Vec<Tree<Instruction>>> {
    let alike = layout.accumulator.len() > FEW;
    let zero_pair = layout.zeros.len() == 2;
    let paired = Paired { registers: &layout.accumulator, zero_pair, spare: SPARE, alike };
    trees(parts, &|actions, entry, exit| {
        let mut allocation = allocate(actions, entry, exit, &paired);
        let mut end = allocation.end.clone();
        let mut items = translate(actions, &mut Block { layout, slots, allocation: &mut allocation });
        if let Some(wanted) = exit.registers {
            items.extend(moving(&end, wanted).map(Item::Code));
            end = wanted.to_vec();
        }
        Some((items, end))
    })
}

/// A kind of instruction's cycles, and those of a branch of that kind that is taken.
type Times<'a> = &'a [[u64; 2]];

fn cycles(lines: &[Counted<Instruction>], times: Times) -> u64 {
    lines.iter().map(|line| line.cycles(times[line.instruction.op as usize])).sum()
}

/// The whole routine, and the cycles of a call.
fn framed(
    lines: &[Counted<Instruction>],
    layout: &Layout,
    pointers: Pointers,
    times: Times,
    convention: &Convention,
) -> (u64, Kernel) {
    let mut body: Vec<Instruction> = lines.iter().map(|line| line.instruction).collect();
    let straight = |code: &[Instruction]| code.iter().map(|one| times[one.op as usize][0]).sum::<u64>();
    let once = straight(&body);
    // the frame clears one zero
    if let [_, second] = layout.zeros[..]
        && body.iter().any(|one| one.op == Op::Movw && one.r == second & !1)
    {
        body.insert(0, Instruction::dr(Op::Eor, second, second));
    }
    let assignment = Assignment::of(pointers.registers, pointers.homes, pointers.arrays);
    let kernel = frame::wrap(body, &assignment, layout.zeros[0], convention);
    (straight(&kernel.program) - once + cycles(lines, times), kernel)
}

/// The faster of counting iterations and counting the words that they take; `None` where counters of
/// their size do not reach.
fn shortest(
    trees: &[Tree<Instruction>],
    layout: &Layout,
    pointers: Pointers,
    wide: bool,
    times: Times,
) -> Result<Option<Vec<Counted<Instruction>>>, LowerError> {
    let register = |at: usize| layout.counters.get(at).copied().unwrap_or(0);
    let counter = |at: usize| {
        if wide {
            Counter { low: register(2 * at), high: register(2 * at + 1), wide }
        } else {
            Counter { low: register(at), high: 0, wide }
        }
    };
    let setting =
        |unit| Setting { pointers, counters: [counter(0), counter(1)], zero: layout.zeros[0], unit };
    let mut best: Option<Vec<Counted<Instruction>>> = None;
    let mut unit = 1;
    for _ in 0..2 {
        let mut emitter = Emitter::new(setting(unit));
        match emit(trees, &mut emitter) {
            Ok(lines) => {
                if best.as_ref().is_none_or(|best| cycles(&lines, times) < cycles(best, times)) {
                    best = Some(lines);
                }
                let other = emitter.unit;
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
            entry.words + entry.catchers.len() + accumulator::peak(actions)
        }
    };
    parts.iter().map(one).max().unwrap_or(0)
}
