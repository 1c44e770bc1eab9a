//! Multiplication column by column, with UMULL, ADDS, ADCS and ADC a product.
//!
//! Source: M. Hutter and E. Wenger, "Fast multi-precision multiplication for public-key cryptography on embedded
//! microprocessors", J. Cryptology 33 (2020), the section on ARM7TDMI; with fewer additions where the ranges of
//! the accumulator's words allow it, and blocks of words loaded and stored at once where registers are free.

use super::pointers::{blocks, place};
use super::{Kernel, LowerError, code, cycles, frame, general_registers};
use crate::conventions::Convention;
use crate::cores::Core;
use crate::instructions::{DataOp, Instruction, LR, Register, Shifter};
use rhomb_kernel::accumulator;
use rhomb_kernel::{Schedule, Squaring, SquaringError, Walk};
use rhomb_lower::Operand;
use rhomb_lower::chains::{Calculation, Script, allocate, group, needed, script};
use std::sync::Arc;

/// Bits of a word.
const WORD: u32 = 32;

/// Lowers a multiplication. Of the ways to share the registers between operand words, accumulator and blocks
/// of words, the one that makes the fastest routine is taken.
///
/// # Errors
/// Where the walk needs more than `registers` registers beside the pointers, or more than there are.
pub fn multiplication(
    walk: &Walk,
    core: &Core,
    convention: &Convention,
    registers: usize,
) -> Result<Kernel, LowerError> {
    let available = general_registers(convention).min(registers);
    let order = order(convention, 3);
    let mut search = Search { core, convention, order: &order, available, best: None, needed: usize::MAX };
    for (pool, passing) in [(walk.pool, 2), (walk.pool, 1), (walk.pool.saturating_sub(1), 2)] {
        if pool + passing < 2 {
            continue;
        }
        let schedule = Arc::new(Schedule::new(walk, pool, passing));
        let most = if schedule.reach == 0 { 0 } else { schedule.reach + 2 };
        for catchers in 0..=most {
            let actions = accumulator::accumulate(&schedule, WORD, catchers)?;
            search.offer(&script(&actions), Some(&schedule));
        }
    }
    search.found()
}

/// Lowers a squaring, the same way.
///
/// # Errors
/// As for a multiplication.
pub fn squaring(
    task: &Squaring,
    core: &Core,
    convention: &Convention,
    registers: usize,
) -> Result<Kernel, LowerError> {
    // the register of the second operand is free
    let available = (general_registers(convention) + 1).min(registers);
    let order = order(convention, 2);
    let mut search = Search { core, convention, order: &order, available, best: None, needed: usize::MAX };
    // more than there are, to see how many are needed
    for registers in 2..=order.len() {
        match task.actions(WORD, registers) {
            Ok(actions) => search.offer(&script(&actions), None),
            Err(SquaringError::Registers { needed }) if registers == order.len() => {
                search.needed = search.needed.min(needed.max(available + 1));
            }
            Err(SquaringError::Registers { .. }) => {}
            Err(SquaringError::Accumulate(error)) => return Err(error.into()),
        }
    }
    search.found()
}

/// Registers beside the pointers to so many arrays: first those that need no saving, then LR, which is saved
/// wherever another one is.
pub(super) fn order(convention: &Convention, arrays: usize) -> Vec<Register> {
    let pointers = &convention.arguments[..arrays];
    let mut all: Vec<Register> = (0..13).filter(|register| !pointers.contains(register)).collect();
    all.sort_by_key(|register| convention.saved & 1 << register != 0);
    let free = all.iter().filter(|register| convention.saved & 1 << **register == 0).count();
    all.insert(free, LR);
    all
}

/// The instruction of what accesses no array.
pub(super) fn calculation(one: Calculation) -> Instruction {
    let operand = |operand| match operand {
        Operand::Register(register) => Shifter::plain(register),
        Operand::Number(value) => Shifter::Immediate { value: value as u8, rotation: 0 },
    };
    match one {
        Calculation::Multiply { low, high, x, y } => code::umull(low, high, x, y),
        Calculation::Add { to, x, y, carry_in, set } => code::add(carry_in, set, to, x, operand(y)),
        Calculation::Zero { to } => code::mov(to, code::ZERO),
        Calculation::CatchLess { to, any } => code::sub(true, false, to, any, Shifter::plain(any)),
        // 0 - (C - 1) borrows nothing if C is set
        Calculation::Release { from } => code::data(DataOp::Rsb, true, from, from, code::ZERO),
        Calculation::Copy { to, from } => code::mov(to, Shifter::plain(from)),
    }
}

struct Search<'a> {
    core: &'a Core,
    convention: &'a Convention,
    order: &'a [Register],
    available: usize,
    /// The fastest so far, and of those the shortest.
    best: Option<((u64, usize), Kernel)>,
    /// The fewest registers that any of the ways needs.
    needed: usize,
}

impl Search<'_> {
    /// Tries the line with each number of registers.
    fn offer(&mut self, line: &Script, schedule: Option<&Arc<Schedule>>) {
        let least = needed(line);
        self.needed = self.needed.min(least);
        for count in least..=self.available {
            self.one(line, count, schedule);
            let grouped = group(line, count);
            if needed(&grouped) <= count {
                self.one(&grouped, count, schedule);
            }
        }
    }

    fn one(&mut self, line: &Script, count: usize, schedule: Option<&Arc<Schedule>>) {
        let [result, a, b, _] = self.convention.arguments;
        let pointers = [result, a, b];
        let Some(items) = allocate(line, &self.order[..count], pointers, calculation) else { return };
        let items = blocks(&items, pointers, [0; 3], self.core);
        let Some((code, _)) = place(&items, &[None; 3], self.core) else { return };
        let kernel = frame::enclose(code, self.convention.saved, 0);
        let Some(cycles) = cycles(&kernel.program, self.core) else { return };
        let cost = (cycles, kernel.program.len());
        if self.best.as_ref().is_none_or(|(least, _)| cost < *least) {
            let schedule = schedule.cloned();
            self.best = Some((cost, Kernel { cycles: Some(cycles), schedule, ..kernel }));
        }
    }

    fn found(self) -> Result<Kernel, LowerError> {
        let available = self.available;
        let lack = LowerError::Registers { needed: self.needed, available };
        self.best.map(|(_, kernel)| kernel).ok_or(lack)
    }
}
