//! What stands around a routine's body: saves, argument moves, restores.

use super::Kernel;
use super::assembler::Assembler;
use super::pointers::Assignment;
use crate::conventions::Convention;
use crate::instructions::{Instruction, Op};

/// The whole routine of a straight body, which expects `zero` to be zero where it reads it.
pub(super) fn wrap(
    body: Vec<Instruction>,
    assignment: &Assignment,
    zero: u8,
    convention: &Convention,
) -> Kernel {
    let read = body.iter().fold(0, |read, instruction| read | instruction.registers_read());
    let mut whole = Assembler::default();
    assignment.moves(convention).into_iter().for_each(|(to, from)| whole.movw(to, from));
    if read & (1 << zero) != 0 {
        whole.clr(zero);
    }
    body.into_iter().for_each(|instruction| whole.emit(instruction));
    enclose(whole, 0, convention)
}

/// The whole routine of a body that takes the arguments where they arrive. Of the registers to preserve it
/// restores those in `restored` (bit n is Rn) itself.
pub(super) fn enclose(body: Assembler, restored: u32, convention: &Convention) -> Kernel {
    let written =
        body.instructions().fold(0, |written, instruction| written | instruction.registers_written());
    let saves: Vec<u8> =
        (0..32).filter(|register| written & convention.saved & !restored & (1 << register) != 0).collect();
    let head: Vec<Instruction> =
        saves.iter().map(|register| Instruction::rk(Op::Push, *register, 0)).collect();
    let mut tail = Vec::new();
    if let Some(zero) = convention.zero.filter(|zero| written & (1 << zero) != 0) {
        tail.push(Instruction::dr(Op::Eor, zero, zero));
    }
    tail.extend(saves.iter().rev().map(|register| Instruction::dk(Op::Pop, *register, 0)));
    tail.push(Instruction::new(Op::Ret));
    Kernel { program: body.enclosed(&head, &tail), saves, cycles: None, schedule: None }
}
