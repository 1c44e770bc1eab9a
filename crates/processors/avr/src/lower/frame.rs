//! What stands around a routine's body: saves, argument moves, restores.

use super::Kernel;
use super::pointers::Assignment;
use crate::conventions::Convention;
use crate::instructions::{Instruction, Op};

/// The whole routine. The body expects `zero` to be zero where it reads it.
pub(super) fn wrap(
    body: Vec<Instruction>,
    assignment: &Assignment,
    zero: u8,
    convention: &Convention,
) -> Kernel {
    let read = body.iter().fold(0, |read, instruction| read | instruction.registers_read());
    let moves = assignment.moves(convention).into_iter();
    let mut set_up: Vec<Instruction> = moves.map(|(to, from)| Instruction::dr(Op::Movw, to, from)).collect();
    if read & (1 << zero) != 0 {
        set_up.push(Instruction::dr(Op::Eor, zero, zero));
    }
    let written =
        set_up.iter().chain(&body).fold(0, |written, instruction| written | instruction.registers_written());
    let saves: Vec<u8> =
        (0..32).filter(|register| written & convention.saved & (1 << register) != 0).collect();
    let mut program: Vec<Instruction> =
        saves.iter().map(|register| Instruction::rk(Op::Push, *register, 0)).collect();
    program.extend(set_up);
    program.extend(body);
    if let Some(zero) = convention.zero.filter(|zero| written & (1 << zero) != 0) {
        program.push(Instruction::dr(Op::Eor, zero, zero));
    }
    program.extend(saves.iter().rev().map(|register| Instruction::dk(Op::Pop, *register, 0)));
    program.push(Instruction::new(Op::Ret));
    Kernel { program, saves, pointers: assignment.pointers, schedule: None }
}
