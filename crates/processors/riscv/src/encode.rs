//! Instructions to halfwords, by the patterns of the tables.

use crate::instructions::Instruction;
use smallvec::{SmallVec, smallvec};

/// An operand that its instruction cannot hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// A number without its place in the instruction.
    #[error("{mnemonic}: operand {value} is out of range")]
    Range {
        /// The instruction.
        mnemonic: &'static str,
        /// The operand.
        value: i32,
    },
    /// The short form does not have these operands.
    #[error("{0} does not have these operands")]
    Short(&'static str),
}

/// The 32 bits of an instruction, whatever form it has.
///
/// # Errors
/// An operand that does not fit.
pub fn encode_word(one: &Instruction) -> Result<u32, EncodeError> {
    let row = one.op.row();
    let pattern = row.format.pattern();
    let range = |value| EncodeError::Range { mnemonic: row.mnemonic, value };
    let mut word = row.fixed.0;
    for (letter, register) in [(b'd', one.rd), (b's', one.rs1), (b't', one.rs2)] {
        if u32::from(register) >= 1 << pattern.width(letter) {
            return Err(range(register.into()));
        }
        word |= pattern.insert(letter, register.into());
    }
    let (value, mask) = (one.immediate, pattern.number_mask);
    let bits = 32 - mask.leading_zeros();
    let least = if row.format.is_signed() && bits > 0 { -(1 << (bits - 1)) } else { 0 };
    let most = if least < 0 { -least - 1 } else { mask as i32 };
    // distances are even
    let below = if mask == 0 { 0 } else { (1 << mask.trailing_zeros()) - 1 };
    if !(least..=most).contains(&value) || value & below != 0 {
        return Err(range(value));
    }
    Ok(word | pattern.spread(value as u32))
}

/// The halfwords of an instruction.
///
/// # Errors
/// An operand that does not fit its form.
pub fn encode(one: &Instruction) -> Result<SmallVec<[u16; 2]>, EncodeError> {
    if let Some(short) = one.short {
        let form = short.form();
        let half = (form.op == one.op).then(|| form.encode(one)).flatten();
        return Ok(smallvec![half.ok_or(EncodeError::Short(form.mnemonic))?]);
    }
    let word = encode_word(one)?;
    Ok(smallvec![word as u16, (word >> 16) as u16])
}
