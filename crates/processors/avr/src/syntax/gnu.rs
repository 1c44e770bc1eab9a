//! The dialect of GNU as (and of clang's assembler).

use crate::instructions::{Instruction, Op, Operand};
use std::fmt::Write;

/// One instruction as GNU as reads it, without indentation or newline. Distances are written
/// relative to the location counter (`.+4`), addresses in bytes.
pub fn instruction(instruction: &Instruction) -> String {
    let mut text = String::with_capacity(20);
    write_instruction(&mut text, instruction);
    text
}

/// A global function in a section of its own, so that a linker can drop it where nobody calls it.
/// `name` must be a symbol that the assembler takes unquoted.
pub fn function(name: &str, instructions: impl IntoIterator<Item = Instruction>) -> String {
    let mut text = format!(
        "\t.section .text.{name},\"ax\",@progbits\n\t.global {name}\n\t.type {name}, @function\n{name}:\n"
    );
    for instruction in instructions {
        text.push('\t');
        write_instruction(&mut text, &instruction);
        text.push('\n');
    }
    text.push_str(&format!("\t.size {name}, . - {name}\n"));
    text
}

/// Appends what [`instruction`] returns.
pub fn write_instruction(text: &mut String, instruction: &Instruction) {
    let row = instruction.op.row();
    let alias = match instruction.op {
        Op::Eor if instruction.d == instruction.r => Some("clr"),
        Op::Add if instruction.d == instruction.r => Some("lsl"),
        Op::Adc if instruction.d == instruction.r => Some("rol"),
        _ => None,
    };
    if let Some(alias) = alias {
        // writing to a String cannot fail
        let _ = write!(text, "{alias} r{}", instruction.d);
        return;
    }
    let plain = matches!(instruction.op, Op::LddY | Op::LddZ | Op::StdY | Op::StdZ) && instruction.k == 0;
    text.push_str(if plain { &row.mnemonic[..2] } else { row.mnemonic });
    for (index, operand) in row.operands.iter().enumerate() {
        text.push_str(if index == 0 { " " } else { ", " });
        let _ = match operand {
            Operand::D | Operand::DHigh | Operand::DMid | Operand::DPair | Operand::DWord => {
                write!(text, "r{}", instruction.d)
            }
            Operand::R | Operand::RHigh | Operand::RMid | Operand::RPair => {
                write!(text, "r{}", instruction.r)
            }
            Operand::K8 | Operand::K6 => write!(text, "{}", instruction.k),
            Operand::Io | Operand::Data => write!(text, "{:#x}", instruction.k),
            Operand::Bit | Operand::Flag => write!(text, "{}", instruction.b),
            Operand::Relative => write!(text, ".{:+}", 2 * instruction.k),
            Operand::Absolute => write!(text, "{:#x}", 2 * instruction.k),
            Operand::X => write!(text, "X"),
            Operand::XInc => write!(text, "X+"),
            Operand::XDec => write!(text, "-X"),
            Operand::YInc => write!(text, "Y+"),
            Operand::YDec => write!(text, "-Y"),
            Operand::Z => write!(text, "Z"),
            Operand::ZInc => write!(text, "Z+"),
            Operand::ZDec => write!(text, "-Z"),
            Operand::YDisp if plain => write!(text, "Y"),
            Operand::ZDisp if plain => write!(text, "Z"),
            Operand::YDisp => write!(text, "Y+{}", instruction.k),
            Operand::ZDisp => write!(text, "Z+{}", instruction.k),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text() {
        let check = |given: Instruction, expected: &str| assert_eq!(instruction(&given), expected);
        check(Instruction::dr(Op::Mul, 4, 9), "mul r4, r9");
        check(Instruction::dr(Op::Eor, 4, 4), "clr r4");
        check(Instruction::dr(Op::Movw, 30, 24), "movw r30, r24");
        check(Instruction::dk(Op::LddY, 5, 0), "ld r5, Y");
        check(Instruction::dk(Op::LddY, 5, 63), "ldd r5, Y+63");
        check(Instruction::rk(Op::StXInc, 5, 0), "st X+, r5");
        check(Instruction::dk(Op::Adiw, 26, 12), "adiw r26, 12");
        check(Instruction { k: -3, ..Instruction::new(Op::Rjmp) }, "rjmp .-6");
        check(Instruction { b: 1, k: 2, ..Instruction::new(Op::Brbs) }, "brbs 1, .+4");
        check(Instruction { k: 0x100, ..Instruction::new(Op::Jmp) }, "jmp 0x200");
    }
}
