//! What stands around a routine's body: saves, argument moves, restores.

use super::Kernel;
use super::pointers::Assignment;
use crate::assembler::Assembler;
use crate::conventions::Convention;
use crate::instructions::Instruction;

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
    let (program, saves) = body.function(restored, convention);
    Kernel { program, saves, cycles: None, schedule: None }
}
