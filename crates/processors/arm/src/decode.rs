//! Words to instructions.
//!
//! Source: ARM DDI 0100, A3 (encodings, and A3.16 for what is undefined), A5 (addressing modes). What version
//! 4T lacks, such as BLX, CLZ and LDRD, is undefined here.

use crate::encode::{EncodeError, encode};
use crate::instructions::{
    Action, Address, BlockMode, Condition, DataOp, Indexing, Instruction, Offset, Register, ShiftKind,
    Shifter, Size,
};
use crate::unpredictable::Unpredictable;

/// Words that are no instruction with a known effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// The condition NV (A3.2: UNPREDICTABLE in version 4).
    #[error("word {0:#010x} has the condition NV")]
    Never(u32),
    /// No instruction of ARMv4T.
    #[error("word {0:#010x} is no ARMv4T instruction")]
    Undefined(u32),
    /// Bits that should be zero or one are not.
    #[error("word {word:#010x} is no ARMv4T instruction: of its fixed bits, {bits:#010x} are inverted")]
    ShouldBe {
        /// The word.
        word: u32,
        /// The bits that differ from what they should be.
        bits: u32,
    },
    /// The architecture does not say what it does.
    #[error("word {word:#010x} is unpredictable: {rule}")]
    Unpredictable {
        /// The word.
        word: u32,
        /// What is wrong.
        rule: Unpredictable,
    },
    /// No instruction of the core's Thumb state.
    #[error("code {0:#06x} is no instruction of Thumb state here")]
    NoThumb(u32),
    /// An instruction of Thumb state that the core lacks.
    #[error("code {code:#06x} is an instruction of {version}, which this core does not have")]
    OtherThumb {
        /// One halfword or two.
        code: u32,
        /// What has it.
        version: &'static str,
    },
    /// The architecture does not say what it does.
    #[error("code {code:#06x} is unpredictable: {rule}")]
    OpenThumb {
        /// One halfword or two.
        code: u32,
        /// What is wrong.
        rule: &'static str,
    },
    /// The second half of an instruction is not there.
    #[error("the code ends in an instruction")]
    Cut,
}

/// The instruction of a word.
///
/// # Errors
/// Whatever ARMv4T does not define: see [`DecodeError`].
pub fn decode(word: u32) -> Result<Instruction, DecodeError> {
    decode_for(word, false)
}

/// The same with UMAAL, if the core has it.
///
/// # Errors
/// As [`decode`].
pub fn decode_for(word: u32, umaal: bool) -> Result<Instruction, DecodeError> {
    let condition = Condition::from_bits((word >> 28) as u8).ok_or(DecodeError::Never(word))?;
    let action = action(word).ok_or(DecodeError::Undefined(word))?;
    if !umaal && matches!(action, Action::DoubleAccumulate { .. }) {
        return Err(DecodeError::Undefined(word));
    }
    let instruction = Instruction { condition, action };
    // the fields were read without a look at the bits between them
    match encode(&instruction) {
        Ok(again) if again == word => Ok(instruction),
        Ok(again) => Err(DecodeError::ShouldBe { word, bits: again ^ word }),
        Err(EncodeError::Unpredictable(rule)) => Err(DecodeError::Unpredictable { word, rule }),
        Err(EncodeError::Form(_) | EncodeError::Range { .. }) => Err(DecodeError::Undefined(word)),
    }
}

fn bit(word: u32, place: u32) -> bool {
    word >> place & 1 != 0
}

/// The register whose field starts at bit `place`.
fn register(word: u32, place: u32) -> Register {
    (word >> place & 0xf) as Register
}

fn action(word: u32) -> Option<Action> {
    match word >> 25 & 7 {
        0 if bit(word, 7) && bit(word, 4) => match word >> 5 & 3 {
            0 => multiply_or_swap(word),
            kind => narrow(word, kind),
        },
        0 | 1 => data(word),
        2 => Some(wide(word)),
        3 => (!bit(word, 4)).then(|| wide(word)),
        4 => Some(block(word)),
        5 => {
            // sign extended from 24 bits, in words, from the instruction after the next
            let distance = ((word << 8) as i32 >> 6) + 8;
            Some(Action::Branch { link: bit(word, 24), distance })
        }
        7 if bit(word, 24) => Some(Action::SoftwareInterrupt { number: word & 0x00ff_ffff }),
        _ => Some(Action::Coprocessor { word }),
    }
}

/// Bits 4 and 7 set, 5 and 6 clear.
fn multiply_or_swap(word: u32) -> Option<Action> {
    let [r16, r12, r8, r0] = [16, 12, 8, 0].map(|place| register(word, place));
    let set = bit(word, 20);
    match word >> 22 & 7 {
        0 => {
            let rn = bit(word, 21).then_some(r12);
            Some(Action::Multiply { set, rd: r16, rm: r0, rs: r8, rn })
        }
        1 if word >> 20 & 3 == 0 => Some(Action::DoubleAccumulate { low: r12, high: r16, rm: r0, rs: r8 }),
        2 | 3 => {
            let (signed, accumulate) = (bit(word, 22), bit(word, 21));
            Some(Action::LongMultiply { signed, accumulate, set, low: r12, high: r16, rm: r0, rs: r8 })
        }
        4 | 5 if word >> 20 & 3 == 0 => Some(Action::Swap { byte: bit(word, 22), rd: r12, rm: r0, rn: r16 }),
        _ => None,
    }
}

/// Halfwords and signed bytes; `kind` is 1 to 3, bits 5 and 6.
fn narrow(word: u32, kind: u32) -> Option<Action> {
    let load = bit(word, 20);
    let size = match kind {
        1 => Size::Half,
        // as stores these are LDRD and STRD of version 5
        2 if load => Size::SignedByte,
        3 if load => Size::SignedHalf,
        _ => return None,
    };
    let offset = if bit(word, 22) {
        Offset::Immediate((word >> 4 & 0xf0 | word & 0xf) as u16)
    } else {
        Offset::Register { rm: register(word, 0), kind: ShiftKind::Lsl, amount: 0 }
    };
    Some(Action::Transfer { load, size, rd: register(word, 12), address: address(word, offset) })
}

fn wide(word: u32) -> Action {
    let size = if bit(word, 22) { Size::Byte } else { Size::Word };
    let offset = match bit(word, 25) {
        false => Offset::Immediate((word & 0xfff) as u16),
        true => match shifted(word) {
            (rm, Some((kind, amount))) => Offset::Register { rm, kind, amount },
            (rm, None) => Offset::Rrx { rm },
        },
    };
    Action::Transfer { load: bit(word, 20), size, rd: register(word, 12), address: address(word, offset) }
}

fn address(word: u32, offset: Offset) -> Address {
    let indexing = match (bit(word, 24), bit(word, 21)) {
        (true, false) => Indexing::Offset,
        (true, true) => Indexing::Before,
        (false, false) => Indexing::After,
        (false, true) => Indexing::AfterAsUser,
    };
    Address { rn: register(word, 16), up: bit(word, 23), offset, indexing }
}

/// A register and its shift by a number; none for RRX.
fn shifted(word: u32) -> (Register, Option<(ShiftKind, u8)>) {
    let kind = ShiftKind::from_bits(word >> 5);
    let shift = match (kind, (word >> 7 & 31) as u8) {
        (ShiftKind::Ror, 0) => None,
        (ShiftKind::Lsr | ShiftKind::Asr, 0) => Some((kind, 32)),
        (_, amount) => Some((kind, amount)),
    };
    (register(word, 0), shift)
}

fn data(word: u32) -> Option<Action> {
    let op = DataOp::ALL[(word >> 21 & 0xf) as usize];
    let set = bit(word, 20);
    if !op.keeps_result() && !set {
        return status(word);
    }
    let rd = if op.keeps_result() { register(word, 12) } else { 0 };
    let rn = if op.has_first() { register(word, 16) } else { 0 };
    let operand = if bit(word, 25) {
        immediate(word)
    } else if bit(word, 4) {
        let kind = ShiftKind::from_bits(word >> 5);
        Shifter::ByRegister { rm: register(word, 0), kind, rs: register(word, 8) }
    } else {
        match shifted(word) {
            (rm, Some((kind, amount))) => Shifter::Register { rm, kind, amount },
            (rm, None) => Shifter::Rrx { rm },
        }
    };
    Some(Action::Data { op, set, rd, rn, operand })
}

fn immediate(word: u32) -> Shifter {
    Shifter::Immediate { value: word as u8, rotation: (word >> 8 & 0xf) as u8 }
}

/// The space of comparisons that set no flags (A3.16.4).
fn status(word: u32) -> Option<Action> {
    let (saved, write) = (bit(word, 22), bit(word, 21));
    let fields = (word >> 16 & 0xf) as u8;
    match (bit(word, 25), write, word >> 4 & 0xf) {
        (true, true, _) => Some(Action::WriteStatus { saved, fields, operand: immediate(word) }),
        (false, true, 0) => {
            Some(Action::WriteStatus { saved, fields, operand: Shifter::plain(register(word, 0)) })
        }
        (false, false, 0) => Some(Action::ReadStatus { saved, rd: register(word, 12) }),
        (false, true, 1) if !saved => Some(Action::BranchExchange { rm: register(word, 0) }),
        _ => None,
    }
}

fn block(word: u32) -> Action {
    let mode = match word >> 23 & 3 {
        0 => BlockMode::Da,
        1 => BlockMode::Ia,
        2 => BlockMode::Db,
        _ => BlockMode::Ib,
    };
    Action::Block {
        load: bit(word, 20),
        rn: register(word, 16),
        write_back: bit(word, 21),
        mode,
        registers: word as u16,
        user: bit(word, 22),
    }
}
