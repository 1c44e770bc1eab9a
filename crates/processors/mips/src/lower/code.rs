//! Instructions with their registers.

use crate::instructions::{Instruction, Op, Register};

/// `op rt, rs, number`.
pub(super) fn immediate(op: Op, rt: Register, rs: Register, number: i32) -> Instruction {
    Instruction::rt_rs_immediate(op, rt, rs, number)
}

/// `lw rt, offset(rs)`.
pub(super) fn lw(rt: Register, rs: Register, offset: i32) -> Instruction {
    immediate(Op::Lw, rt, rs, offset)
}

/// `sw rt, offset(rs)`.
pub(super) fn sw(rt: Register, rs: Register, offset: i32) -> Instruction {
    immediate(Op::Sw, rt, rs, offset)
}
