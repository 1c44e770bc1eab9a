//! Instructions to opcode words, by the patterns of the table.

use crate::instructions::{Instruction, Operand, Row};

/// An operand that its instruction cannot hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{mnemonic}: operand {value} is out of range")]
pub struct EncodeError {
    /// The instruction.
    pub mnemonic: &'static str,
    /// The operand.
    pub value: i32,
}

/// How a register number stands in its field: (offset, divisor).
pub(crate) fn field_scale(row: &Row, letter: u8) -> (i32, i32) {
    for operand in row.operands {
        match (operand, letter) {
            (Operand::DHigh | Operand::DMid, b'd') | (Operand::RHigh | Operand::RMid, b'r') => {
                return (16, 1);
            }
            (Operand::DPair, b'd') | (Operand::RPair, b'r') => return (0, 2),
            (Operand::DWord, b'd') => return (24, 2),
            _ => {}
        }
    }
    (0, 1)
}

/// The instruction's words: the first, and the second if it has one.
pub fn encode(instruction: &Instruction) -> Result<(u16, Option<u16>), EncodeError> {
    let row = instruction.op.row();
    let signed = row.operands.contains(&Operand::Relative);
    let fields = [
        (b'd', i32::from(instruction.d)),
        (b'r', i32::from(instruction.r)),
        (b'b', i32::from(instruction.b)),
        (b'k', instruction.k),
    ];
    let mut bits = row.pattern.value;
    for (letter, value) in fields {
        let (offset, divisor) = field_scale(row, letter);
        if (value - offset) % divisor != 0 {
            return Err(EncodeError { mnemonic: row.mnemonic, value });
        }
        let value = (value - offset) / divisor;
        let width = row.pattern.width(letter);
        let (least, most) = match (letter, signed) {
            (b'k', true) => (-(1i64 << (width - 1)), (1i64 << (width - 1)) - 1),
            _ => (0, (1i64 << width) - 1),
        };
        let fits = match width {
            0 => value == field_absent(row, letter),
            _ => (least..=most).contains(&i64::from(value)),
        };
        if !fits {
            return Err(EncodeError { mnemonic: row.mnemonic, value });
        }
        bits |= row.pattern.insert(letter, value as u32);
    }
    Ok(if row.words() == 2 { ((bits >> 16) as u16, Some(bits as u16)) } else { (bits as u16, None) })
}

/// A field that the pattern lacks must be 0 in the instruction.
fn field_absent(row: &Row, letter: u8) -> i32 {
    let (offset, divisor) = field_scale(row, letter);
    -offset / divisor
}
