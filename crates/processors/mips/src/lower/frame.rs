//! What stands around a routine's body: saves, restores, return.
//!
//! Up to four registers and words are in the home of the register arguments, which the caller provides (System V ABI, MIPS
//! supplement, figure 3-21); more on the routine's own stack. The slot of the return takes the last restore, the move
//! of the stack pointer, or the body's last instruction.

use super::{Kernel, code};
use crate::conventions::Convention;
use crate::instructions::{Instruction, Op, RA, Register, SP};
use crate::model::Model;

/// Registers that an instruction writes, as a set.
fn written(model: &Model, code: &[Instruction]) -> u32 {
    let own = |one: &Instruction| model.row(one).map_or(0, |row| one.writes(row) as u32);
    code.iter().fold(0, |set, one| set | own(one))
}

/// The whole routine of a body that takes the arguments where they arrive. `movable` says that the body's last
/// instruction may stand in the slot of the return. `stack_bytes` are those from the stack pointer on that the body
/// itself uses, which it reaches where the stack pointer points in the body.
pub(super) fn enclose(
    mut body: Vec<Instruction>,
    movable: bool,
    stack_bytes: u32,
    model: &Model,
    convention: &Convention,
) -> Kernel {
    let kept = written(model, &body) & (convention.saved | 1 << RA) & !(1 << SP);
    let saves: Vec<Register> = (0..32).filter(|register| kept >> register & 1 == 1).collect();
    let count = saves.len() as u32;
    let at_home = stack_bytes + 4 * count <= convention.home;
    let own =
        if at_home { 0 } else { (stack_bytes + 4 * count).next_multiple_of(convention.stack_alignment) };
    let places: Vec<(Register, i32)> =
        (stack_bytes as i32..).step_by(4).zip(&saves).map(|(place, register)| (*register, place)).collect();
    let mut program = Vec::with_capacity(body.len() + 2 * saves.len() + 3);
    if own > 0 {
        program.push(code::immediate(Op::Addiu, SP, SP, -(own as i32)));
    }
    program.extend(places.iter().map(|(register, place)| code::sw(*register, SP, *place)));
    let mut restores: Vec<Instruction> =
        places.iter().map(|(register, place)| code::lw(*register, SP, *place)).collect();
    if own > 0 {
        restores.push(code::immediate(Op::Addiu, SP, SP, own as i32));
    }
    let before = program.len();
    let last_of_body = if restores.is_empty() && movable { body.pop() } else { None };
    program.extend(body);
    // the return address must be back before it is used
    if let Some(at) = restores.iter().position(|one| one.op == Op::Lw && one.rt == RA) {
        let address = restores.remove(at);
        restores.insert(0, address);
        if restores.len() == 1 {
            restores.push(Instruction::NOP);
        }
    }
    let slot = restores.pop().or(last_of_body).unwrap_or(Instruction::NOP);
    program.extend(restores);
    program.push(Instruction { rs: RA, ..Instruction::new(Op::Jr) });
    program.push(slot);
    Kernel { program, saves, before, cycles: None, schedule: None, stack_bytes: own }
}
