//! Where the sections of a program stand, and what a linker still decides about it.

use crate::Domain;
use crate::pointer::{NEGATED, SECTION};
use std::collections::BTreeMap;
use std::ops::Range;

/// Bytes between sections, so that what runs off the end of one, delay slots and skipped instructions included, does
/// not come to the next.
pub const SECTION_GAP: usize = 16;

/// Who decides where a program stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Linking {
    /// Nobody has yet. It was made here, as one section, and its jumps go to labels.
    #[default]
    Made,
    /// A linker that places each section where it likes.
    Open,
    /// A loader that moves all of it together.
    Movable,
    /// It stands where it stands.
    Final,
}

/// What a program address counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bytes.
    Bytes,
    /// Words of 16 bits.
    Words,
}

/// A word of the address of something in a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SectionAddress {
    /// As [`Placement::base`] gives it.
    pub base: u32,
    /// The address in this layout, in the base's unit.
    pub address: i64,
    /// Whether it is the address subtracted from zero.
    pub negative: bool,
    /// Which word of it, 0 the lowest.
    pub part: u32,
}

impl SectionAddress {
    /// The word that the linker will fill in.
    pub fn word<D: Domain>(&self, domain: &mut D) -> D::Word {
        let (base, address) = match self.negative {
            true => (self.base | NEGATED, -self.address),
            false => (self.base, self.address),
        };
        domain.pointer(base, address, address as u64 & 0xffff_ffff, self.part)
    }
}

/// A constant of the file in a data memory that is apart from the program's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    /// What the file calls it.
    pub name: String,
    /// Its address among those of the sections.
    pub at: u32,
    /// The data address of its first byte.
    pub address: u32,
    /// What stands there.
    pub bytes: Vec<u8>,
}

impl Constant {
    /// Its data addresses.
    pub fn range(&self) -> Range<u32> {
        self.address..self.address + self.bytes.len() as u32
    }
}

/// What a linker fills into the bytes at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filled {
    /// The target of the branch or call that stands there.
    Branch,
    /// The constant of the instruction that stands there; `None` where nothing is known of it.
    Immediate(Option<SectionAddress>),
    /// The rest of an address in the instruction that stands there, which adds it to a register with the first part.
    Rest {
        /// What the register must hold.
        first: SectionAddress,
        /// The sum.
        address: SectionAddress,
    },
    /// A word of data.
    Data(SectionAddress),
    /// Something that depends on where the linker puts things; what stands there holds in this layout only.
    Unknown,
    /// Something that cannot be told; what stands there means nothing.
    Missing,
}

/// Where an instruction jumps to by a number in itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jump {
    /// Byte address, by its distance.
    Relative(u32),
    /// By its address.
    Absolute,
}

/// Why what stands at an address is not executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unplaced {
    /// Outside of all sections.
    #[error("no program there")]
    Outside,
    /// The file says that it is no code.
    #[error("data, not code, by what the file says")]
    Data,
    /// Bits that the linker fills in, not as the operand of an instruction that is known to take them.
    #[error("what stands there is for the linker to fill in")]
    Filled,
    /// To another section, by a distance that no relocation gives.
    #[error("a jump into another section that no relocation names")]
    Stray,
    /// To a number.
    #[error("a jump to an address that is a number, in code that is not linked")]
    Number,
}

/// Where the sections of a program stand. The default is that of code that was made here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placement {
    linking: Linking,
    /// By address. None: all of the program is one.
    sections: Vec<Range<u32>>,
    /// Parts of them that are no code, by address.
    data: Vec<Range<u32>>,
    filled: BTreeMap<u32, Filled>,
    /// What may be read of a data memory that is apart from the program's.
    pub constants: Vec<Constant>,
    /// The addresses of such a memory that are the file's; what the caller gives lies elsewhere.
    pub taken: Range<u32>,
    /// What the program rests on of what the linker fills in, for people.
    pub relocations: Vec<String>,
}

impl Placement {
    /// A program without sections.
    pub fn new(linking: Linking) -> Placement {
        Placement { linking, ..Placement::default() }
    }

    /// Adds a section, behind all others.
    pub fn add_section(&mut self, range: Range<u32>) {
        self.sections.push(range);
    }

    /// Says that these bytes, behind all that were named before, are no code.
    pub fn add_data(&mut self, range: Range<u32>) {
        self.data.push(range);
    }

    /// From where on there is nothing but code up to this byte: the end of the last data before it.
    pub fn code_begins(&self, at: u32) -> u32 {
        let next = self.data.partition_point(|range| range.end <= at);
        next.checked_sub(1).map_or(0, |last| self.data[last].end)
    }

    /// Says what the linker fills into a field of so many bytes.
    pub fn fill(&mut self, at: u32, length: u32, what: Filled) {
        // of two that fill the same bytes, nothing is known
        let what = if self.filled.contains_key(&at) { Filled::Missing } else { what };
        self.filled.insert(at, what);
        let rest = if what == Filled::Missing { what } else { Filled::Unknown };
        for next in at + 1..at + length {
            self.filled.insert(next, rest);
        }
    }

    /// Whether numbers are addresses.
    pub fn is_final(&self) -> bool {
        self.linking == Linking::Final
    }

    fn section(&self, address: u32) -> Option<usize> {
        if self.sections.is_empty() {
            return Some(0);
        }
        let next = self.sections.partition_point(|range| range.start <= address);
        let number = next.checked_sub(1)?;
        self.sections[number].contains(&address).then_some(number)
    }

    /// The bytes of the section that holds this one; `None` where there is none, or all is one.
    pub fn section_end(&self, address: u32) -> Option<u32> {
        Some(self.sections.get(self.section(address)?)?.end)
    }

    /// The base of the first part of an address that is no address by itself, told from others by a number below 2^28.
    pub fn first_base(number: u32) -> u32 {
        const FIRST: u32 = NEGATED >> 1;
        SECTION | FIRST | number & (FIRST - 1)
    }

    /// The base of addresses in the section that holds this byte.
    pub fn base(&self, address: u32, unit: Unit) -> Option<u32> {
        let number = match (self.section(address)?, self.linking) {
            // these move together
            (_, Linking::Movable | Linking::Final) => 0,
            (number, Linking::Made | Linking::Open) => number as u32,
        };
        Some(SECTION | number << 1 | u32::from(unit == Unit::Words))
    }

    /// The same, where that byte is known to stand in a section.
    pub fn own_base(&self, address: u32, unit: Unit) -> u32 {
        self.base(address, unit).unwrap_or(SECTION | (NEGATED - 1))
    }

    /// What the linker fills in from this byte on, or in the middle of.
    #[inline(always)]
    pub fn filled(&self, address: u32) -> Option<Filled> {
        if self.filled.is_empty() { None } else { self.filled.get(&address).copied() }
    }

    /// The words of a constant of bytes; `None` where something stands that cannot be told.
    pub fn constant<D: Domain>(&self, constant: &Constant, domain: &mut D) -> Vec<Option<D::Word>> {
        let word = |(at, byte): (u32, &u8)| match self.filled(at) {
            None => Some(domain.word((*byte).into())),
            Some(Filled::Data(part)) => Some(part.word(domain)),
            Some(Filled::Missing) => None,
            Some(_) => Some(domain.placed((*byte).into())),
        };
        (constant.at..).zip(&constant.bytes).map(word).collect()
    }

    /// The base of addresses that point to a constant; `None` where these are numbers.
    pub fn constant_base(&self, constant: &Constant) -> Option<u32> {
        if self.is_final() { None } else { self.base(constant.at, Unit::Bytes) }
    }

    /// Whether an instruction of `length` bytes can be executed; `takes` says whether it has a constant where a byte of
    /// an address may be filled in.
    ///
    /// # Errors
    /// Why not.
    pub fn check(&self, at: u32, length: u32, jump: Option<Jump>, takes: bool) -> Result<(), Unplaced> {
        let section = self.section(at).ok_or(Unplaced::Outside)?;
        if self.section(at.wrapping_add(length - 1)) != Some(section) {
            return Err(Unplaced::Outside);
        }
        let next = self.data.partition_point(|range| range.end <= at);
        if self.data.get(next).is_some_and(|range| range.start < at.wrapping_add(length)) {
            return Err(Unplaced::Data);
        }
        match (self.filled(at), jump) {
            (Some(Filled::Branch), Some(_)) => return Ok(()),
            (Some(Filled::Immediate(_) | Filled::Rest { .. }), None) if takes => return Ok(()),
            _ => {}
        }
        if !self.filled.is_empty() && self.filled.range(at..at.wrapping_add(length)).next().is_some() {
            return Err(Unplaced::Filled);
        }
        match (jump, self.linking) {
            (Some(Jump::Relative(to)), Linking::Open) => match self.section(to) {
                Some(other) if other != section => Err(Unplaced::Stray),
                Some(_) | None => Ok(()),
            },
            (Some(Jump::Absolute), Linking::Open | Linking::Movable) => Err(Unplaced::Number),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_sections() -> Placement {
        let mut placement = Placement::new(Linking::Open);
        placement.add_section(0..8);
        placement.add_section(24..32);
        placement
    }

    #[test]
    fn sections_have_bases_of_their_own_unless_they_move_together() {
        let open = two_sections();
        let base = |address| open.base(address, Unit::Bytes);
        assert_eq!(base(0), base(7));
        assert!(base(0).is_some() && base(24).is_some() && base(0) != base(24));
        assert_eq!([base(8), base(23), base(32)], [None; 3]);
        assert_ne!(base(0), open.base(0, Unit::Words));
        let movable = Placement { linking: Linking::Movable, ..two_sections() };
        assert_eq!(movable.base(0, Unit::Bytes), movable.base(24, Unit::Bytes));
        assert_eq!(Placement::default().base(1000, Unit::Bytes), base(0));
    }

    #[test]
    fn only_what_is_code_is_executed() {
        let mut placement = two_sections();
        placement.add_data(4..6);
        assert_eq!(placement.check(0, 4, None, false), Ok(()));
        assert_eq!(placement.check(2, 4, None, false), Err(Unplaced::Data));
        assert_eq!(placement.check(4, 2, None, false), Err(Unplaced::Data));
        assert_eq!(placement.check(6, 2, None, false), Ok(()));
        assert_eq!(placement.check(6, 4, None, false), Err(Unplaced::Outside));
        assert_eq!(placement.check(8, 2, None, false), Err(Unplaced::Outside));
    }

    #[test]
    fn jumps_to_other_sections_and_to_numbers_need_a_relocation() {
        let mut placement = two_sections();
        let jump = |placement: &Placement, jump| placement.check(0, 2, Some(jump), false);
        assert_eq!(jump(&placement, Jump::Relative(6)), Ok(()));
        assert_eq!(jump(&placement, Jump::Relative(24)), Err(Unplaced::Stray));
        assert_eq!(jump(&placement, Jump::Absolute), Err(Unplaced::Number));
        placement.fill(0, 2, Filled::Branch);
        assert_eq!(jump(&placement, Jump::Relative(24)), Ok(()));
        assert_eq!(jump(&placement, Jump::Absolute), Ok(()));
        // the same bits of something else, or its second half
        assert_eq!(placement.check(0, 2, None, true), Err(Unplaced::Filled));
        assert_eq!(placement.check(1, 1, None, true), Err(Unplaced::Filled));
        // a second time
        placement.fill(0, 2, Filled::Branch);
        assert_eq!(jump(&placement, Jump::Absolute), Err(Unplaced::Filled));
        let number = |linking| jump(&Placement::new(linking), Jump::Absolute);
        assert_eq!([number(Linking::Made), number(Linking::Final)], [Ok(()); 2]);
    }
}
