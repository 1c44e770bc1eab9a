//! One instruction as text.

use crate::instructions::{Instruction, Op, Operand};
use crate::model::Model;
use std::fmt::Write;

/// Mnemonic and operands, without indentation or newline. Registers are written by number, distances relative
/// to the location counter (`. + 8`, of the branch itself), targets of jumps as addresses within their 256 MB.
pub fn instruction(model: &Model, instruction: &Instruction) -> String {
    let mut text = String::with_capacity(24);
    write(&mut text, model, instruction, None);
    text
}

/// Appends an instruction; `target` is the label of the place that it names.
pub(crate) fn write(text: &mut String, model: &Model, instruction: &Instruction, target: Option<&str>) {
    if *instruction == Instruction::NOP {
        text.push_str("nop");
        return;
    }
    let Some(row) = model.row(instruction) else {
        // writing to a String cannot fail
        let _ = write!(text, "custom {}", instruction.custom);
        return;
    };
    text.push_str(&row.mnemonic);
    let Instruction { rs, rt, rd, sa, immediate, .. } = *instruction;
    let mut first = true;
    for operand in row.operands.iter() {
        let left_out = match operand {
            Operand::Code | Operand::Halves => immediate == 0,
            _ => false,
        };
        if left_out {
            continue;
        }
        text.push_str(if first { " " } else { ", " });
        first = false;
        let _ = match operand {
            Operand::Rs => write!(text, "${rs}"),
            Operand::Rt => write!(text, "${rt}"),
            Operand::Rd => write!(text, "${rd}"),
            Operand::Zero => write!(text, "$0"),
            Operand::Sa => write!(text, "{sa}"),
            Operand::Unsigned if row.op == Op::Lui => write!(text, "{immediate:#x}"),
            Operand::Signed | Operand::Unsigned | Operand::Code => write!(text, "{immediate}"),
            Operand::Memory => write!(text, "{immediate}(${rs})"),
            Operand::Branch | Operand::Jump if target.is_some() => {
                write!(text, "{}", target.unwrap_or_default())
            }
            Operand::Branch => {
                let distance = 4 * (i64::from(immediate) + 1);
                write!(text, ". {} {}", if distance < 0 { '-' } else { '+' }, distance.abs())
            }
            Operand::Jump => write!(text, "{:#x}", 4 * i64::from(immediate)),
            Operand::Halves => match (immediate >> 10, immediate & 0x3ff) {
                (high, 0) => write!(text, "{high}"),
                (high, low) => write!(text, "{high}, {low}"),
            },
        };
    }
}
