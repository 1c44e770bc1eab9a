//! What stands around a routine's body: saves, restores, return.
//!
//! `STMFD sp!, {..., lr}` and `LDMFD sp!, {..., pc}`. On ARMv4T a load of PC does not change to Thumb state
//! (ARM DDI 0100, A4.1.20), so that a routine which saves anything is for callers in ARM state.

use super::{Kernel, code};
use crate::instructions::{Instruction, LR, PC, SP};

/// The whole routine of a body that takes the arguments where they arrive. `saved` are the registers that
/// it must leave as it found them (bit n is Rn); `stack_bytes` are those that the body itself uses.
pub(super) fn enclose(body: Vec<Instruction>, saved: u16, stack_bytes: u32) -> Kernel {
    let written = code::written(&body);
    // the body returns nowhere, and its stack pointer ends where it began
    let written = written & !(1 << SP | 1 << PC);
    let kept = written & saved & !code::LR_BIT;
    let links = kept != 0 || written & code::LR_BIT != 0;
    let pushed = if links { kept | code::LR_BIT } else { 0 };
    let mut program = Vec::with_capacity(body.len() + 2);
    if links {
        program.push(code::push(pushed));
    }
    program.extend(body);
    program.push(if links { code::pop(kept | code::PC_BIT) } else { code::return_to_caller() });
    let saves: Vec<u8> = (0..=LR).filter(|register| pushed & (1 << register) != 0).collect();
    let stack_bytes = stack_bytes + 4 * saves.len() as u32;
    Kernel { program, saves, cycles: None, schedule: None, accumulation: None, stack_bytes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instructions::Shifter;

    #[test]
    fn only_what_is_used_is_saved() {
        let saved = 0x0ff0;
        let leaf = enclose(vec![code::mov(3, Shifter::plain(1))], saved, 0);
        assert_eq!(leaf.program, [code::mov(3, Shifter::plain(1)), code::return_to_caller()]);
        assert_eq!((leaf.saves, leaf.stack_bytes), (vec![], 0));
        let body = vec![code::umull(4, 12, 1, 2), code::ldr(9, 1, 4)];
        let some = enclose(body, saved, 8);
        assert_eq!(some.program[0], code::push(0x4210));
        assert_eq!(some.program[3], code::pop(0x8210));
        assert_eq!((some.saves, some.stack_bytes), (vec![4, 9, 14], 20));
        let link = enclose(vec![code::mov(14, code::ZERO)], saved, 0);
        assert_eq!(link.program[2], code::pop(0x8000));
    }
}
