//! Thumb: halfwords to instructions, and back.
//!
//! Source: ARM DDI 0403E.e, chapter A5 (encodings) and A7.7; DDI 0419E, chapters A5 and A6, for ARMv6-M. An instruction that
//! means the same as one of ARM state is the same value; its condition is that of the IT block in which it stands. All forms
//! are rows of a table; an instruction is encoded by the first row that gives it back, which is the one that GNU as takes.

mod table;

use crate::decode::DecodeError;
use crate::encode::EncodeError;
use crate::instructions::{Action, Condition, DataOp, Instruction, Shifter};
use smallvec::{SmallVec, smallvec};
use table::{ROWS, Row};

/// Which instructions there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// ARMv6-M.
    V6m,
    /// ARMv8-M Baseline.
    V8mBaseline,
    /// ARMv7-M.
    V7m,
    /// ARMv7E-M.
    V7em,
}

/// An instruction, and how many bytes it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The instruction.
    pub instruction: Instruction,
    /// 2 or 4.
    pub bytes: u8,
}

impl std::ops::Deref for Found {
    type Target = Instruction;

    fn deref(&self) -> &Instruction {
        &self.instruction
    }
}

/// Whether a halfword is the first of two (DDI 0403E, A5.1).
const fn is_wide(half: u16) -> bool {
    half >> 11 >= 0b11101
}

/// The instruction at the beginning of these halfwords, `block` being its condition in an IT block.
///
/// # Errors
/// Whatever this version does not define, and what it leaves open.
pub fn decode(level: Level, halves: &[u16], block: Option<Condition>) -> Result<Found, DecodeError> {
    let first = *halves.first().ok_or(DecodeError::Cut)?;
    let wide = is_wide(first);
    let code = match (wide, halves.get(1)) {
        (false, _) => u32::from(first),
        (true, Some(second)) => u32::from(first) << 16 | u32::from(*second),
        (true, None) => return Err(DecodeError::Cut),
    };
    let mut why = None;
    for row in ROWS.iter().filter(|row| row.wide == wide && row.level <= level && row.matches(code)) {
        let Some(found) = row.build(code, block.is_some()) else { continue };
        let mut instruction = Instruction { condition: row.condition(code), action: found };
        if let Some(rule) = row.forbidden(code, &instruction, block.is_some()) {
            why = Some(rule);
            continue;
        }
        if let Some(block) = block {
            instruction.condition = block;
        }
        return Ok(Found { instruction, bytes: if wide { 4 } else { 2 } });
    }
    Err(match why {
        Some(rule) => DecodeError::OpenThumb { code, rule },
        None => DecodeError::NoThumb(code),
    })
}

/// The same with its operands exchanged where it has a form of 16 bits then, as assemblers do it.
pub fn shorter(one: &Instruction) -> Instruction {
    let mut other = *one;
    if let Action::Data { op, rd, ref mut rn, ref mut operand, .. } = other.action
        && matches!(op, DataOp::And | DataOp::Eor | DataOp::Add | DataOp::Adc | DataOp::Orr)
        && *operand == Shifter::plain(rd)
        && *rn != rd
    {
        (*operand, *rn) = (Shifter::plain(*rn), rd);
    }
    let halves = |one| encode(Level::V7em, one).map_or(usize::MAX, |halves| halves.len());
    if halves(&other) < halves(one) { other } else { *one }
}

/// The halfwords of an instruction; one under a condition, branches left out, is that of an IT block.
///
/// # Errors
/// There are none.
pub fn encode(level: Level, one: &Instruction) -> Result<SmallVec<[u16; 2]>, EncodeError> {
    let branches = matches!(one.action, Action::Branch { link: false, .. });
    let block = Some(one.condition).filter(|condition| *condition != Condition::Al && !branches);
    let code = |row: &&Row| {
        let code = row.code(one)?;
        let halves: SmallVec<[u16; 2]> =
            if row.wide { smallvec![(code >> 16) as u16, code as u16] } else { smallvec![code as u16] };
        let same = decode(level, &halves, block).is_ok_and(|found| found.instruction == *one);
        same.then_some(halves)
    };
    let mut rows = ROWS.iter().filter(|row| row.level <= level);
    rows.find_map(|row| code(&row)).ok_or(EncodeError::Form("this in Thumb state"))
}
