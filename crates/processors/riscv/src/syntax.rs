//! Assembler text: one instruction, without aliases; `gnu` has whole files.

pub mod gnu;

use crate::instructions::{Instruction, Op};
use std::fmt::Write;

/// Names of the registers by number (RISC-V ABIs Specification, "Register Convention").
pub(crate) const NAMES: [&str; 32] = [
    "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3", "a4", "a5", "a6",
    "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
];

/// The name of a register.
pub(crate) fn name(number: u8) -> &'static str {
    NAMES[usize::from(number & 31)]
}

/// One instruction as GNU as reads it; distances are relative to the location counter (`. + 8`).
pub fn instruction(one: &Instruction) -> String {
    let row = one.op.row();
    let form = one.short.map(|short| short.form());
    let mnemonic = form.map_or(row.mnemonic, |form| form.mnemonic);
    let mut text = mnemonic.to_owned();
    let operands = form.map_or(row.format.operands(), |form| form.operands);
    if !operands.is_empty() {
        text.push(' ');
    }
    for letter in operands.chars() {
        // writing to a String cannot fail
        let _ = match letter {
            'd' => write!(text, "{}", name(one.rd)),
            's' => write!(text, "{}", name(one.rs1)),
            't' => write!(text, "{}", name(one.rs2)),
            // the 20 bits as they stand, of the short form too
            'i' if matches!(one.op, Op::Lui | Op::Auipc) => write!(text, "{:#x}", one.immediate),
            'i' => write!(text, "{}", one.immediate),
            'p' if one.immediate < 0 => write!(text, ". - {}", one.immediate.unsigned_abs()),
            'p' => write!(text, ". + {}", one.immediate),
            ',' => write!(text, ", "),
            other => write!(text, "{other}"),
        };
    }
    text
}
