//! Instructions to words, by the patterns of the table.

use crate::instructions::LETTERS;
use crate::instructions::{Instruction, Op, Operand, Row};

/// An operand that its instruction cannot hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// A number without its place in the instruction.
    #[error("{mnemonic}: operand {value} is out of range")]
    Range {
        /// The instruction.
        mnemonic: String,
        /// The operand.
        value: i32,
    },
    /// There are not so many instructions that extensions add.
    #[error("there is no extension instruction number {0}")]
    Custom(u8),
}

/// Whether the number in field `i` has a sign.
pub(crate) fn is_signed(row: &Row) -> bool {
    let signed = [Operand::Signed, Operand::Memory, Operand::Branch];
    row.operands.iter().any(|operand| signed.contains(operand))
}

/// The word of an instruction, by its row.
pub(crate) fn encode_row(row: &Row, instruction: &Instruction) -> Result<u32, EncodeError> {
    let Instruction { rs, mut rt, rd, sa, immediate, .. } = *instruction;
    if matches!(row.op, Op::Clz | Op::Clo) {
        rt = rd;
    }
    let fields = [i32::from(rs), i32::from(rt), i32::from(rd), i32::from(sa), immediate];
    let mut word = row.pattern.value;
    for (letter, value) in LETTERS.into_iter().zip(fields) {
        let bits = row.pattern.width(letter);
        let (least, most) = match letter {
            b'i' if is_signed(row) => (-(1i64 << (bits - 1)), (1i64 << (bits - 1)) - 1),
            _ => (0, (1i64 << bits) - 1),
        };
        if !(least..=most).contains(&i64::from(value)) {
            return Err(EncodeError::Range { mnemonic: row.mnemonic.to_string(), value });
        }
        word |= row.pattern.insert(letter, value as u32);
    }
    Ok(word)
}

/// The word of an instruction of the table.
///
/// # Errors
/// An operand that does not fit; an instruction of an extension, for which see
/// [`Model::encode`](crate::Model::encode).
pub fn encode(instruction: &Instruction) -> Result<u32, EncodeError> {
    let row = instruction.op.row().ok_or(EncodeError::Custom(instruction.custom))?;
    encode_row(row, instruction)
}
