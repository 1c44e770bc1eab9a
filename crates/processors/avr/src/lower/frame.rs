//! What stands around a routine's body: saves, argument moves, restores.

use super::Kernel;
use crate::conventions::Convention;
use crate::instructions::{Instruction, Op};

/// The whole routine. `pointers` are the low registers of the pointers to the result and the operands,
/// `zeros` are the registers that the body expects to be zero, where it
/// reads them.
pub(super) fn wrap(body: Vec<Instruction>, pointers: &[u8], zeros: &[u8], convention: &Convention) -> Kernel {
    let read = body.iter().fold(0, |read, instruction| read | instruction.registers_read());
    let mut set_up: Vec<Instruction> = pointers
        .iter()
        .zip(convention.arguments)
        .map(|(pointer, argument)| Instruction::dr(Op::Movw, *pointer, argument))
        .collect();
    let needed = zeros.iter().filter(|zero| read & (1 << **zero) != 0);
    set_up.extend(needed.map(|zero| Instruction::dr(Op::Eor, *zero, *zero)));
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
    Kernel { program, saves }
}
