//! Squaring. There are two arrays only, so the registers of a third pointer are free; operand words and
//! accumulator share all registers. Carries that wait are masks: SBC of a register with itself sets it to
//! 0 or 255, adding it to itself gives the carry back.

use super::pointers::{self, X, Y, Z};
use super::registers::Layout;
use super::{Kernel, LowerError, frame, static_cycles, times, translate};
use crate::conventions::Convention;
use crate::cores::Core;
use crate::instructions::Op;
use rhomb_kernel::{Squaring, SquaringError};

/// Registers beside R0, R1 and two pointers.
const GENERAL: usize = 26;

/// One mask for each of the two carries that wait.
const MASKS: usize = 2;

/// Lowers a squaring; of the pairs of pointers, and of one or two zeros, the fastest.
pub(super) fn squaring(task: &Squaring, core: &Core, convention: &Convention) -> Result<Kernel, LowerError> {
    if core.cycles(Op::Mul).is_err() {
        return Err(LowerError::NoMultiplier { core: core.name });
    }
    let times = times(core);
    let mut best: Option<(u64, Kernel)> = None;
    let mut fault = None;
    for zeros in 1..=2 {
        let registers = GENERAL - MASKS - zeros;
        let actions = match task.actions(8, registers) {
            Ok(actions) => actions,
            Err(SquaringError::Registers { needed }) => {
                let needed = needed + MASKS + zeros;
                fault = fault.or(Some(LowerError::Registers { needed, available: GENERAL }));
                continue;
            }
            Err(SquaringError::Accumulate(error)) => return Err(error.into()),
        };
        for [result, operand] in [[Z, Y], [Z, X], [X, Z]] {
            let layout = Layout::shared(&[result, operand], zeros, MASKS, convention);
            let items = translate::translate(&actions, &layout, registers);
            let assignment = pointers::assign_to(&items, 2 * task.words, [result, operand, operand]);
            let body = pointers::apply(&items, &assignment);
            let kernel = frame::wrap(body, &[result, operand], &layout.zeros, convention);
            let cycles = static_cycles(&kernel.program, &times);
            if best.as_ref().is_none_or(|(fewest, _)| cycles < *fewest) {
                best = Some((cycles, kernel));
            }
        }
    }
    best.map(|(_, kernel)| kernel)
        .ok_or_else(|| fault.unwrap_or(LowerError::Registers { needed: 0, available: GENERAL }))
}
