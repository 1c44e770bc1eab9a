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
    let mut bits: u32 = 0;
    let mut width = 0;
    let mut fields = [
        (b'd', i32::from(instruction.d), 0u32),
        (b'r', i32::from(instruction.r), 0),
        (b'b', i32::from(instruction.b), 0),
        (b'k', instruction.k, 0),
    ];
    for (letter, value, _) in &mut fields {
        let (offset, divisor) = field_scale(row, *letter);
        if (*value - offset) % divisor != 0 {
            return Err(EncodeError { mnemonic: row.mnemonic, value: *value });
        }
        *value = (*value - offset) / divisor;
    }
    // lowest bit of each field last: walk the pattern from its end
    for letter in row.pattern.bytes().rev().filter(|letter| *letter != b' ') {
        let bit = match letter {
            b'0' => 0,
            b'1' => 1,
            _ => {
                let Some(field) = fields.iter_mut().find(|field| field.0 == letter) else {
                    unreachable!("a pattern has the letters d, r, b and k only")
                };
                let bit = (field.1 >> field.2) & 1;
                field.2 += 1;
                bit as u32
            }
        };
        bits |= bit << width;
        width += 1;
    }
    for (letter, value, taken) in fields {
        let (least, most) = match (letter, signed) {
            (b'k', true) => (-(1i64 << (taken - 1)), (1i64 << (taken - 1)) - 1),
            _ => (0, (1i64 << taken) - 1),
        };
        let fits = match taken {
            0 => value == field_absent(row, letter),
            _ => (least..=most).contains(&i64::from(value)),
        };
        if !fits {
            return Err(EncodeError { mnemonic: row.mnemonic, value });
        }
    }
    Ok(if width == 32 { ((bits >> 16) as u16, Some(bits as u16)) } else { (bits as u16, None) })
}

/// A field that the pattern lacks must be 0 in the instruction.
fn field_absent(row: &Row, letter: u8) -> i32 {
    let (offset, divisor) = field_scale(row, letter);
    -offset / divisor
}
