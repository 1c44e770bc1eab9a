//! Squaring. There are two arrays only, so the registers of a third pointer are free. Carries that wait
//! are masks: SBC of a register with itself sets it to 0 or 255, adding it to itself gives the carry back.

use super::pointers::{self, Assignment, X, Y, Z};
use super::registers::{Allocation, Layout, Liveness, last_uses, needed};
use super::split::INNER;
use super::translate::{HIGH, LOW, translate};
use super::{Kernel, LowerError, frame, static_cycles, times};
use crate::assembler::Assembler;
use crate::conventions::Convention;
use crate::cores::Core;
use crate::instructions::{Instruction, Op};
use rhomb_kernel::{Action, Squaring, SquaringError};

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

/// The square of the difference of two operands of so many words as the task has, of which the second stands behind the first;
/// without a return, it keeps nothing. The words of the difference come into registers, where they stay: `|d| = (d ^ m) - m`.
/// Nothing where these are too few.
pub(super) fn of_difference(task: &Squaring, core: &Core) -> Option<Vec<Instruction>> {
    let times = times(core);
    let available = general(&INNER);
    let mut best: Option<(u64, Vec<Instruction>)> = None;
    for registers in task.words..=available.checked_sub(ZERO + MASKS)? {
        let Ok(actions) = task.actions_behind_loads(8, registers) else { continue };
        let is_load = |action: &Action| matches!(action, Action::Load { .. });
        if actions.iter().skip(task.words).any(is_load) {
            continue;
        }
        for kernel in kernels(task, &actions, registers, (&INNER, available)) {
            let Some(code) = difference_at_loads(&kernel.program, task.words) else { continue };
            let cycles = static_cycles(&code, &times);
            if best.as_ref().is_none_or(|(fewest, _)| cycles < *fewest) {
                best = Some((cycles, code));
            }
        }
    }
    best.map(|(_, code)| code)
}

/// Puts the difference behind the first loads of a square, of so many words, and takes the return away.
fn difference_at_loads(program: &[Instruction], words: usize) -> Option<Vec<Instruction>> {
    let (Instruction { op: Op::Ret, .. }, body) = program.split_last()? else { return None };
    // the pointer, and whether it moves
    let load = |one: &Instruction| match one.op {
        Op::LdXInc => Some((X, true)),
        Op::LdYInc => Some((Y, true)),
        Op::LdZInc => Some((Z, true)),
        Op::LddY => Some((Y, false)),
        Op::LddZ => Some((Z, false)),
        _ => None,
    };
    let loads: Vec<(usize, (u8, bool))> =
        body.iter().enumerate().filter_map(|(at, one)| Some((at, load(one)?))).take(words).collect();
    let (last, (pointer, _)) = *loads.last().filter(|_| loads.len() == words)?;
    let moved = loads.iter().filter(|(_, (_, moves))| *moves).count();
    let data: Vec<u8> = loads.iter().map(|(at, _)| body[*at].d).collect();
    let mut asm = Assembler::default();
    body[..=last].iter().for_each(|one| asm.emit(*one));
    // neither holds anything before the first product
    let (word, sign) = (LOW, HIGH);
    for (index, to) in data.iter().enumerate() {
        match moved == words {
            true => asm.load(word, pointer),
            false => asm.load_at(word, pointer, words + index - moved),
        }
        asm.sub_chain(index == 0, *to, word);
    }
    asm.park(sign);
    for (index, to) in data.iter().enumerate() {
        asm.eor(*to, sign);
        asm.sub_chain(index == 0, *to, sign);
    }
    body[last + 1..].iter().for_each(|one| asm.emit(*one));
    Some(asm.enclosed(&[], &[]))
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
