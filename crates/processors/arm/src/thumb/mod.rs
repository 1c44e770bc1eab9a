//! Thumb: halfwords to instructions, and back.
//!
//! Source: ARM DDI 0403E.e, chapter A5 (encodings) and A7.7; DDI 0419E, chapters A5 and A6, for ARMv6-M. An instruction that
//! means the same as one of ARM state is the same value; its condition is that of the IT block in which it stands. All forms
//! are rows of a table; an instruction is encoded by the first row that gives it back, which is the one that GNU as takes.

mod table;

use crate::decode::DecodeError;
use crate::encode::EncodeError;
use crate::instructions::{Action, Condition, DataOp, Instruction, PC, Shifter};
use smallvec::{SmallVec, smallvec};
use std::sync::LazyLock;
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
    /// ARMv7E-M with the floating-point extension.
    V7emFp,
}

impl Level {
    const fn name(self) -> &'static str {
        match self {
            Level::V6m => "ARMv6-M",
            Level::V8mBaseline => "ARMv8-M Baseline",
            Level::V7m => "ARMv7-M",
            Level::V7em => "ARMv7E-M, or of the DSP extension",
            Level::V7emFp => "the floating-point extension",
        }
    }
}

/// An instruction, and how many bytes it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The instruction.
    pub instruction: Instruction,
    /// 2 or 4.
    pub bytes: u8,
    /// The IT block in which it stands.
    pub block: Block,
}

/// What is left of an IT block, as ITSTATE has it (DDI 0403E, A7.3.3): the condition of the next instruction, and what tells
/// those after it. 0 is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Block(u8);

impl Block {
    /// What an IT begins.
    pub(crate) const fn of(first: Condition, mask: u8) -> Self {
        Block(first.bits() << 4 | mask)
    }

    /// The block that these halfwords begin, if they are an IT.
    fn begun(half: u16) -> Option<Self> {
        let bits = half as u8;
        (half >> 8 == 0xbf && bits & 0xf != 0 && bits >> 4 != 0xf).then_some(Block(bits))
    }

    /// In which block the instruction at this place stands. Where an instruction begins is told from the halfwords before:
    /// one that is not the first of two is the last of an instruction.
    fn at(halves: &[u16], place: usize) -> Self {
        let begins =
            |it: usize| halves[..it].iter().rev().take_while(|half| is_wide(**half)).count() % 2 == 0;
        let within = |it: usize| {
            let mut block = Block::begun(halves[it]).filter(|_| begins(it))?;
            let mut at = it + 1;
            while at < place && block.is_some() {
                at += if is_wide(halves[at]) { 2 } else { 1 };
                block = block.next();
            }
            (at == place && block.is_some()).then_some(block)
        };
        // an IT and three instructions of two halfwords
        (place.saturating_sub(7)..place).rev().find_map(within).unwrap_or_default()
    }

    /// Whether there is one.
    pub(crate) const fn is_some(self) -> bool {
        self.0 != 0
    }

    /// What is left after an instruction.
    pub(crate) const fn next(self) -> Self {
        Block(if self.0 & 7 == 0 { 0 } else { self.0 & 0xe0 | self.0 << 1 & 0x1f })
    }

    fn condition(self) -> Option<Condition> {
        Condition::from_bits(self.0 >> 4).filter(|_| self.is_some())
    }
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

/// The bits of a first halfword below those by which rows are found.
const START: u32 = 9;

/// The rows that a first halfword with these highest bits may fit.
static BY_START: LazyLock<Vec<Vec<&Row>>> = LazyLock::new(|| {
    let may_fit = |row: &Row, start: u32| {
        let (start, bits) = (start << START, 0xffff >> START << START);
        let above = if row.wide { 16 } else { 0 };
        (row.pattern.value >> above ^ start) & row.pattern.mask >> above & bits == 0
            && row.wide == is_wide(start as u16)
    };
    (0..1 << (16 - START)).map(|start| ROWS.iter().filter(|row| may_fit(row, start)).collect()).collect()
});

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
    let rows = || BY_START[usize::from(first >> START)].iter().copied().filter(|row| row.matches(code));
    for row in rows().filter(|row| row.level <= level) {
        let Some(found) = row.build(code, block.is_some()) else { continue };
        let mut instruction = Instruction { condition: row.condition(code), action: found };
        if let Some(rule) = row.forbidden(code, &instruction, block.is_some()) {
            why = Some(rule);
            continue;
        }
        if let Some(block) = block {
            instruction.condition = block;
        }
        return Ok(Found { instruction, bytes: if wide { 4 } else { 2 }, block: Block::default() });
    }
    Err(match why {
        Some(rule) => DecodeError::OpenThumb { code, rule },
        None => match rows().find(|row| row.level > level && row.build(code, false).is_some()) {
            Some(row) => DecodeError::OtherThumb { code, version: row.level.name() },
            None => DecodeError::NoThumb(code),
        },
    })
}

/// The instruction that begins with the halfword of this number among those of a program, in the IT block in which it stands.
///
/// # Errors
/// Those of [`decode`]; and what leaves an IT block before its end, which is left open.
pub fn decode_among(level: Level, halves: &[u16], number: usize) -> Result<Found, DecodeError> {
    let block = if level < Level::V7m { Block::default() } else { Block::at(halves, number) };
    let found = decode(level, halves.get(number..).unwrap_or_default(), block.condition())?;
    if block.next().is_some() && found.registers_written() >> PC & 1 != 0 {
        let code = halves[number].into();
        return Err(DecodeError::OpenThumb { code, rule: "a jump within an IT block, not at its end" });
    }
    Ok(Found { block, ..found })
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
    let halves = |one| encode(Level::V7emFp, one).map_or(usize::MAX, |halves| halves.len());
    if halves(&other) < halves(one) { other } else { *one }
}

/// The halfwords of an instruction; one under a condition, branches left out, is that of an IT block.
///
/// # Errors
/// There are none.
pub fn encode(level: Level, one: &Instruction) -> Result<SmallVec<[u16; 2]>, EncodeError> {
    if let Action::Literal(word) = one.action {
        return Ok(smallvec![word as u16, (word >> 16) as u16]);
    }
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
