//! Instructions to words.
//!
//! Source: ARM DDI 0100, A3 (encodings), A5 (addressing modes).

use crate::instructions::{
    Action, Address, BlockMode, DataOp, Indexing, Instruction, Offset, Register, ShiftKind, Shifter, Size,
};
use crate::unpredictable::Unpredictable;

/// Why an instruction has no encoding that can be relied on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// A number that its field cannot hold.
    #[error("{what} {value} is out of range; valid: {least} to {most}")]
    Range {
        /// What the number is.
        what: &'static str,
        /// The number.
        value: i64,
        /// Smallest valid number.
        least: i64,
        /// Largest valid number.
        most: i64,
    },
    /// Parts that no encoding combines.
    #[error("there is no instruction for {0}")]
    Form(&'static str),
    /// The architecture does not say what it does.
    #[error("unpredictable: {0}")]
    Unpredictable(#[from] Unpredictable),
}

type Encoded = Result<u32, EncodeError>;

/// The word of an instruction.
///
/// # Errors
/// A field out of its range, parts that do not go together, and every encoding that ARMv4T calls
/// UNPREDICTABLE.
pub fn encode(instruction: &Instruction) -> Encoded {
    if let Action::Literal(word) = instruction.action {
        return Ok(word);
    }
    let bits = action(&instruction.action)?;
    if let Some(rule) = Unpredictable::of(&instruction.action) {
        return Err(rule.into());
    }
    let condition = u32::from(instruction.condition.bits()) << 28;
    if let Action::Coprocessor { word } = instruction.action {
        return if word >> 28 << 28 == condition {
            Ok(word)
        } else {
            Err(EncodeError::Form("a coprocessor word with another condition"))
        };
    }
    Ok(condition | bits)
}

/// The bits below the condition.
fn action(action: &Action) -> Encoded {
    match *action {
        Action::Data { op, set, rd, rn, operand } => data(op, set, rd, rn, &operand),
        Action::Multiply { set, rd, rm, rs, rn } => {
            let added = match rn {
                Some(rn) => 1 << 21 | at(rn, 12)?,
                None => 0,
            };
            Ok(0x90 | added | flag(set, 20) | at(rd, 16)? | at(rs, 8)? | at(rm, 0)?)
        }
        Action::LongMultiply { signed, accumulate, set, low, high, rm, rs } => {
            let kind = flag(signed, 22) | flag(accumulate, 21) | flag(set, 20);
            Ok(0x0080_0090 | kind | at(high, 16)? | at(low, 12)? | at(rs, 8)? | at(rm, 0)?)
        }
        Action::DoubleAccumulate { low, high, rm, rs } => {
            Ok(0x0040_0090 | at(high, 16)? | at(low, 12)? | at(rs, 8)? | at(rm, 0)?)
        }
        Action::Later(_) => Err(EncodeError::Form("this in ARM state")),
        Action::Transfer { load, size, rd, address } => {
            let bits = flag(load, 20) | at(rd, 12)?;
            Ok(bits
                | if narrow(size) { narrow_address(load, size, &address)? } else { wide(size, &address)? })
        }
        Action::Block { load, rn, write_back, mode, registers, user } => {
            let mode = match mode {
                BlockMode::Da => 0,
                BlockMode::Ia => 1 << 23,
                BlockMode::Db => 1 << 24,
                BlockMode::Ib => 3 << 23,
            };
            let flags = flag(user, 22) | flag(write_back, 21) | flag(load, 20);
            Ok(0x0800_0000 | mode | flags | at(rn, 16)? | u32::from(registers))
        }
        Action::Swap { byte, rd, rm, rn } => {
            Ok(0x0100_0090 | flag(byte, 22) | at(rn, 16)? | at(rd, 12)? | at(rm, 0)?)
        }
        Action::Branch { link, distance } => {
            let words = (i64::from(distance) - 8) / 4;
            if distance % 4 != 0 {
                return Err(EncodeError::Form("a branch by a distance that is no multiple of 4"));
            }
            if !(-(1 << 23)..1 << 23).contains(&words) {
                let [least, most] = [-(1 << 25) + 8, (1 << 25) + 4];
                let value = i64::from(distance);
                return Err(EncodeError::Range { what: "branch distance", value, least, most });
            }
            Ok(0x0a00_0000 | flag(link, 24) | words as u32 & 0x00ff_ffff)
        }
        Action::BranchExchange { rm } => Ok(0x012f_ff10 | at(rm, 0)?),
        Action::ReadStatus { saved, rd } => Ok(0x010f_0000 | flag(saved, 22) | at(rd, 12)?),
        Action::WriteStatus { saved, fields, operand } => {
            let fields = field("fields", fields.into(), 0, 15)? << 16;
            match operand {
                Shifter::Immediate { .. } | Shifter::Register { kind: ShiftKind::Lsl, amount: 0, .. } => {
                    Ok(0x0120_f000 | flag(saved, 22) | fields | shifter(&operand)?)
                }
                _ => Err(EncodeError::Form("a shifted register into a status register")),
            }
        }
        Action::Literal(_) => Err(EncodeError::Form("data")),
        Action::SoftwareInterrupt { number } => {
            Ok(0x0f00_0000 | field("number", number.into(), 0, 0x00ff_ffff)?)
        }
        Action::Coprocessor { word } => {
            let transfer = word >> 25 & 7 == 0b110;
            // LDC and STC with P, U and W clear: taken by the extensions of version 5 (A5.5)
            let addressed = word >> 21 & 0b1101 != 0;
            if word >> 24 & 0xf == 0xe || transfer && addressed {
                Ok(word)
            } else {
                Err(EncodeError::Form("a word outside of the coprocessors' space"))
            }
        }
    }
}

fn flag(set: bool, place: u32) -> u32 {
    u32::from(set) << place
}

fn field(what: &'static str, value: i64, least: i64, most: i64) -> Encoded {
    if (least..=most).contains(&value) {
        Ok(value as u32)
    } else {
        Err(EncodeError::Range { what, value, least, most })
    }
}

/// A register in the field whose lowest bit is `place`.
fn at(register: Register, place: u32) -> Encoded {
    Ok(field("register", register.into(), 0, 15)? << place)
}

fn data(op: DataOp, set: bool, rd: Register, rn: Register, operand: &Shifter) -> Encoded {
    if !op.keeps_result() && (!set || rd != 0) {
        return Err(EncodeError::Form("a comparison with a destination or without flags"));
    }
    if !op.has_first() && rn != 0 {
        return Err(EncodeError::Form("a move with a first operand"));
    }
    Ok((op as u32) << 21 | flag(set, 20) | at(rn, 16)? | at(rd, 12)? | shifter(operand)?)
}

/// Bits 0 to 11, and bit 25 for a number.
fn shifter(operand: &Shifter) -> Encoded {
    match *operand {
        Shifter::Immediate { value, rotation } => {
            let rotation = field("rotation", rotation.into(), 0, 15)?;
            Ok(1 << 25 | rotation << 8 | u32::from(value))
        }
        Shifter::Register { rm, kind, amount } => shifted(rm, kind, amount),
        Shifter::Rrx { rm } => Ok((ShiftKind::Ror as u32) << 5 | at(rm, 0)?),
        Shifter::Number(_) => Err(EncodeError::Form("such a number in ARM state")),
        Shifter::ByRegister { rm, kind, rs } => Ok(0x10 | (kind as u32) << 5 | at(rs, 8)? | at(rm, 0)?),
    }
}

fn shifted(rm: Register, kind: ShiftKind, amount: u8) -> Encoded {
    let (least, most) = kind.amounts();
    let amount = field("shift", amount.into(), least.into(), most.into())?;
    // 32 stands as 0
    Ok((amount & 31) << 7 | (kind as u32) << 5 | at(rm, 0)?)
}

pub(crate) fn narrow(size: Size) -> bool {
    matches!(size, Size::Half | Size::SignedByte | Size::SignedHalf)
}

/// P, U, W and the base.
fn base(address: &Address) -> Encoded {
    let indexing = match address.indexing {
        Indexing::Offset => 1 << 24,
        Indexing::Before => 1 << 24 | 1 << 21,
        Indexing::After => 0,
        Indexing::AfterAsUser => 1 << 21,
    };
    Ok(indexing | flag(address.up, 23) | at(address.rn, 16)?)
}

/// Words and bytes (A5.2).
fn wide(size: Size, address: &Address) -> Encoded {
    let offset = match address.offset {
        Offset::Immediate(offset) => field("offset", offset.into(), 0, 4095)?,
        Offset::Register { rm, kind, amount } => 1 << 25 | shifted(rm, kind, amount)?,
        Offset::Rrx { rm } => 1 << 25 | (ShiftKind::Ror as u32) << 5 | at(rm, 0)?,
    };
    Ok(0x0400_0000 | flag(size == Size::Byte, 22) | base(address)? | offset)
}

/// Halfwords and signed bytes (A5.3).
fn narrow_address(load: bool, size: Size, address: &Address) -> Encoded {
    let kind = match (load, size) {
        (_, Size::Half) => 0xb0,
        (true, Size::SignedByte) => 0xd0,
        (true, Size::SignedHalf) => 0xf0,
        _ => return Err(EncodeError::Form("a store that extends the sign")),
    };
    let offset = match address.offset {
        Offset::Immediate(offset) => {
            let offset = field("offset", offset.into(), 0, 255)?;
            1 << 22 | (offset & 0xf0) << 4 | offset & 0xf
        }
        Offset::Register { rm, kind: ShiftKind::Lsl, amount: 0 } => at(rm, 0)?,
        Offset::Register { .. } | Offset::Rrx { .. } => {
            return Err(EncodeError::Form("a halfword or signed byte at a shifted offset"));
        }
    };
    Ok(kind | base(address)? | offset)
}
