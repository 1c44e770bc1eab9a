//! Squaring. There are two arrays only, so the registers of a third pointer are free. Carries that wait
//! are masks: SBC of a register with itself sets it to 0 or 255, adding it to itself gives the carry back.

use super::pointers::{self, Assignment, X, Y, Z};
use super::registers::{Allocation, Layout, Liveness, last_uses, needed};
use super::split::INNER;
use super::translate::{HIGH, Item, LOW, translate};
use super::{Kernel, LowerError, frame, static_cycles, times};
use crate::assembler::Assembler;
use crate::conventions::Convention;
use crate::cores::Core;
use crate::instructions::{Instruction, Op};
use rhomb_kernel::{Action, Squaring, SquaringError};
use rhomb_lower::Access;

/// The zero.
const ZERO: usize = 1;

/// One mask for each of the two carries that may wait.
pub(super) const MASKS: usize = 2;

/// Up to this number of words fewer registers are tried too: they need fewer saves.
const SMALL: usize = 12;

/// Registers for accumulator, operand words, zero and masks.
pub(super) fn general(convention: &Convention) -> usize {
    if convention.untouched & 1 << Y == 0 { 26 } else { 24 }
}

/// The pairs of pointers to the result and the operand that the convention allows.
pub(super) fn pointers(convention: &Convention) -> impl Iterator<Item = [u8; 2]> {
    let allowed = |pointer: &u8| convention.untouched & 1 << pointer == 0;
    [[Z, Y], [Z, X], [X, Z]].into_iter().filter(move |pointers| pointers.iter().all(allowed))
}

/// Lowers a squaring. Of the pairs of pointers and the numbers of registers, the fastest.
pub(super) fn squaring(
    task: &Squaring,
    core: &Core,
    convention: &Convention,
    registers: usize,
) -> Result<Kernel, LowerError> {
    if core.cycles(Op::Mul).is_err() {
        return Err(LowerError::NoMultiplier { core: core.name });
    }
    let times = times(core);
    let available = general(convention).min(registers);
    let Some(most) = available.checked_sub(ZERO + MASKS) else {
        return Err(LowerError::Registers { needed: ZERO + MASKS + 2, available });
    };
    let least = if task.words <= SMALL { 2 } else { most };
    let mut best: Option<(u64, Kernel)> = None;
    let mut fault = LowerError::Pointers;
    for registers in least..=most {
        let actions = match task.actions(8, registers) {
            Ok(actions) => actions,
            Err(SquaringError::Registers { needed }) => {
                fault = LowerError::Registers { needed: needed + ZERO + MASKS, available };
                continue;
            }
            Err(SquaringError::Accumulate(error)) => return Err(error.into()),
        };
        for kernel in kernels(task, &actions, registers, (convention, available)) {
            let cycles = static_cycles(&kernel.program, &times);
            if best.as_ref().is_none_or(|(fewest, _)| cycles < *fewest) {
                best = Some((cycles, Kernel { cycles: Some(cycles), ..kernel }));
            }
        }
    }
    best.map(|(_, kernel)| kernel).ok_or(fault)
}

/// What is squared where Y stands at words.
#[derive(Clone, Copy)]
pub(super) enum Words {
    /// The words from this distance on.
    At(usize),
    /// The difference to as many words behind them: `|d| = (d ^ m) - m`.
    OfDifference,
}

/// Where the square goes.
#[derive(Clone, Copy)]
pub(super) enum Sink {
    /// To this distance from Z.
    At(usize),
    /// To the stack, the lowest word first.
    Stack,
}

/// The square of words that come into registers, where they stay; without a return, it keeps nothing but Z and, if it is to, Y. Nothing
/// where registers are too few.
pub(super) fn in_registers(
    task: &Squaring,
    core: &Core,
    (from, keeps_y): (Words, bool),
    to: Sink,
) -> Option<Vec<Instruction>> {
    let times = times(core);
    let available = general(&INNER);
    let mut best: Option<(u64, Vec<Instruction>)> = None;
    for registers in task.words..=available.checked_sub(ZERO + MASKS)? {
        // words of a difference are not loaded again
        let actions = match from {
            Words::At(_) => task.actions(8, registers),
            Words::OfDifference => task.actions_behind_loads(8, registers),
        };
        let Ok(actions) = actions else { continue };
        let is_load = |action: &Action| matches!(action, Action::Load { .. });
        if matches!(from, Words::OfDifference) && actions.iter().skip(task.words).any(is_load) {
            continue;
        }
        let uses = last_uses(&actions);
        let line = Liveness { actions: &actions, uses: &uses, slots: registers };
        for count in needed(&actions, &uses, registers)..=available - MASKS {
            let layout = Layout::of_two(count, MASKS, [Z, Y], &INNER);
            let joins = if keeps_y { 0 } else { 3 << Y };
            let items = translate(&actions, &mut Allocation::new(&line, &layout, [0, joins, 0]));
            let code = standing(&items, layout.zero, task.words, (from, to));
            let cycles = static_cycles(&code, &times);
            if best.as_ref().is_none_or(|(fewest, _)| cycles < *fewest) {
                best = Some((cycles, code));
            }
        }
    }
    best.map(|(_, code)| code)
}

/// The code of items, of which the first ones load so many words. No pointer moves.
fn standing(items: &[Item], zero: u8, words: usize, (from, to): (Words, Sink)) -> Vec<Instruction> {
    let first = if let Words::At(first) = from { first } else { 0 };
    let mut asm = Assembler::default();
    let mut data = Vec::new();
    asm.clr(zero);
    for item in items {
        match (*item, to) {
            (Item::Code(code), _) => asm.emit(code),
            (Item::Access(Access { index, register, store: true, .. }), Sink::At(first)) => {
                asm.store_at(Z, first + index, register);
            }
            (Item::Access(Access { register, store: true, .. }), Sink::Stack) => asm.push(register),
            (Item::Access(Access { index, register, .. }), _) => {
                asm.load_at(register, Y, first + index);
                data.push(register);
                if matches!(from, Words::OfDifference) && data.len() == words {
                    difference(&mut asm, &data);
                }
            }
        }
    }
    asm.enclosed(&[], &[])
}

/// The absolute value of the difference of words in registers, which Y points to, and those behind them in memory.
fn difference(asm: &mut Assembler, data: &[u8]) {
    // neither holds anything before the first product
    let (word, sign) = (LOW, HIGH);
    for (index, to) in data.iter().enumerate() {
        asm.load_at(word, Y, data.len() + index);
        asm.sub_chain(index == 0, *to, word);
    }
    asm.park(sign);
    for (index, to) in data.iter().enumerate() {
        asm.eor(*to, sign);
        asm.sub_chain(index == 0, *to, sign);
    }
}

/// The kernels of the same actions; operand words have slots below `slots`.
fn kernels(
    task: &Squaring,
    actions: &[Action],
    slots: usize,
    (convention, available): (&Convention, usize),
) -> Vec<Kernel> {
    let uses = last_uses(actions);
    let line = Liveness { actions, uses: &uses, slots };
    let masks = if actions.iter().any(|action| matches!(action, Action::Park { .. })) { MASKS } else { 0 };
    let needed = needed(actions, &uses, slots);
    let mut kernels = Vec::new();
    for pointers in pointers(convention) {
        for count in needed..=available.saturating_sub(masks) {
            let layout = Layout::of_two(count, masks, pointers, convention);
            let items = translate(actions, &mut Allocation::new(&line, &layout, [0, 3 << pointers[1], 0]));
            let Some(assignment) = Assignment::of([pointers[0], pointers[1], pointers[1]], [None; 3], 2)
                .again(&items, 2 * task.words)
            else {
                continue;
            };
            let body: Vec<Instruction> = pointers::apply(&items, &assignment);
            kernels.push(frame::wrap(body, &assignment, layout.zero, convention));
        }
    }
    kernels
}
