//! Instructions by their operands.

use super::LowerError;
use crate::instructions::{Instruction, Op, RA, Register};

/// `op rd, rs1, rs2`.
pub(super) fn compute(op: Op, rd: Register, rs1: Register, rs2: Register) -> Instruction {
    Instruction::rd_rs_rs(op, rd, rs1, rs2)
}

/// `op rd, rs1, number`.
pub(super) fn immediate(op: Op, rd: Register, rs1: Register, number: i32) -> Instruction {
    Instruction::rd_rs_immediate(op, rd, rs1, number)
}

/// `addi rd, rs1, number`.
pub(super) fn addi(rd: Register, rs1: Register, number: i32) -> Instruction {
    immediate(Op::Addi, rd, rs1, number)
}

/// `lw rd, offset(rs1)`.
pub(super) fn lw(rd: Register, rs1: Register, offset: i32) -> Instruction {
    immediate(Op::Lw, rd, rs1, offset)
}

/// `sw rs2, offset(rs1)`.
pub(super) fn sw(rs2: Register, rs1: Register, offset: i32) -> Instruction {
    Instruction { rs2, rs1, immediate: offset, ..Instruction::new(Op::Sw) }
}

/// `lui rd, number`, of 20 bits.
pub(super) fn lui(rd: Register, number: u32) -> Instruction {
    Instruction { rd, immediate: (number & 0xf_ffff) as i32, ..Instruction::new(Op::Lui) }
}

/// The return.
pub(super) fn ret() -> Instruction {
    immediate(Op::Jalr, 0, RA, 0)
}

/// `jal rd, distance`.
pub(super) fn jal(rd: Register, distance: i64) -> Result<Instruction, LowerError> {
    let reach = -(1 << 20)..1 << 20;
    let distance = Some(distance).filter(|distance| reach.contains(distance));
    let immediate = distance.ok_or(LowerError::Displacement)? as i32;
    Ok(Instruction { rd, immediate, ..Instruction::new(Op::Jal) })
}

/// Whether an instruction of the form `addi` holds a number.
pub(super) fn fits(number: i32) -> bool {
    (-2048..2048).contains(&number)
}

/// The upper 20 bits of a number, and what is added to them.
pub(super) fn halves(number: u32) -> (u32, i32) {
    let low = (number << 20) as i32 >> 20;
    (number.wrapping_sub(low as u32) >> 12, low)
}
