//! What the linker fills into MIPS32 code; all else is shared ([`rhomb_object::link()`]).
//!
//! Source of the relocations' numbers and meanings: "System V ABI, MIPS RISC Processor Supplement", third edition,
//! chapter 4, figure 4-11; R_MIPS_PC16 and R_MIPS_JALR as GNU binutils has them (`include/elf/mips.h`). The addend
//! stands in the code.
//!
//! Of an address in two parts, LUI has the first (HI16) and the next instructions the rest (LO16), which is added with its sign. As
//! both are cut by where the section will stand, the first part has a base of its own, as on RISC-V. Their addend is made of both:
//! the first relocation's upper half, and the lower half of the next LO16 of the same symbol in the file's order. Addresses by a
//! table or relative to GP (GOT16, GPREL16 ...) are not modelled: a function that needs them cannot be linked.

pub mod flags;

use crate::instructions::{Instruction, Op};
use rhomb_machine::{Filled, Placement, SECTION_GAP, SectionAddress, Unit};
use rhomb_object::{Code, ObjectFile, Patch, Reference, Relocation, Section, start_of_words};
pub use rhomb_object::{LinkError, Linked};

/// The function with its section and all sections to which these jump: see [`rhomb_object::link()`].
///
/// # Errors
/// [`LinkError`].
pub fn link(file: &ObjectFile<'_>, code: &Code<'_>) -> Result<Linked, LinkError> {
    rhomb_object::link::<Field>(file, code)
}

/// What a relocation fills in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    /// Nothing: a hint at most.
    Done,
    /// The address of J and JAL in words.
    Jump,
    /// The distance of a branch in words.
    Branch,
    /// The upper half of an address, in LUI.
    First,
    /// The lower half, in ADDIU, a load or a store.
    Rest,
    /// A word with the address.
    Address,
}

/// R_MIPS_HI16 and R_MIPS_LO16.
const HI16: u32 = 5;
const LO16: u32 = 6;

impl Field {
    /// Bits that it takes of a word.
    fn bits(self) -> u32 {
        match self {
            Field::Branch | Field::First | Field::Rest => 16,
            Field::Address => 32,
            Field::Done | Field::Jump => 26,
        }
    }

    /// The number that stands in the code.
    fn written(self, section: &Section<'_>, relocation: &Relocation<'_>) -> i64 {
        let bytes = section.bytes.get(relocation.offset..).and_then(|bytes| bytes.first_chunk::<4>());
        let spare = 32 - self.bits();
        bytes.map_or(0, |bytes| i64::from((u32::from_le_bytes(*bytes) << spare) as i32 >> spare))
    }
}

impl Patch for Field {
    const ALIGNMENT: usize = 4;
    /// What a jump reaches.
    const MOST_BYTES: usize = 1 << 26;
    const PLACES: &'static str = "a multiple of 4 below 4 GiB";

    fn of(kind: u32, _: u32) -> Option<Field> {
        match kind {
            // R_MIPS_NONE, R_MIPS_JALR
            0 | 37 => Some(Field::Done),
            // R_MIPS_32
            2 => Some(Field::Address),
            // R_MIPS_26
            4 => Some(Field::Jump),
            HI16 => Some(Field::First),
            LO16 => Some(Field::Rest),
            // R_MIPS_PC16
            10 => Some(Field::Branch),
            _ => None,
        }
    }

    fn bytes(self) -> usize {
        if self == Field::Done { 0 } else { 4 }
    }

    /// From the relocation, or from the code.
    fn addend(self, section: &Section<'_>, relocation: &Relocation<'_>) -> i64 {
        let written = self.written(section, relocation);
        let of_symbol = |kind: u32| {
            let all = section.relocations.iter().filter(move |own| own.kind == kind);
            all.filter(|own| (&own.symbol, own.target) == (&relocation.symbol, relocation.target))
        };
        relocation.addend.unwrap_or_else(|| match self {
            Field::First => {
                let next = of_symbol(LO16).filter(|own| own.order > relocation.order);
                let low = next.min_by_key(|own| own.order).map_or(0, |own| Field::Rest.written(section, own));
                (written << 16) + low
            }
            Field::Rest => {
                let before = of_symbol(HI16).filter(|own| own.order < relocation.order);
                let high = before.max_by_key(|own| own.order);
                (high.map_or(0, |own| Field::First.written(section, own)) << 16) + written
            }
            Field::Address => written,
            Field::Done | Field::Jump | Field::Branch => 4 * written,
        })
    }

    fn start(section: &Section<'_>, end: usize) -> Option<usize> {
        start_of_words(section, end).or_else(|| Some((end + SECTION_GAP).next_multiple_of(Self::ALIGNMENT)))
    }

    fn fill(self, slot: &mut [u8], target: i64, at: i64) -> Result<(), &'static str> {
        // what is filled in is told by `record`
        if matches!(self, Field::First | Field::Rest | Field::Address) {
            return Ok(());
        }
        let bits = self.bits();
        let (distance, range) = match self {
            Field::Branch => (target.wrapping_sub(at), -(1 << (bits + 1))..1i64 << (bits + 1)),
            _ => (target, 0..1 << (bits + 2)),
        };
        let Some(word) = slot.first_chunk_mut::<4>().filter(|_| at % 4 == 0) else {
            return Err("it does not stand at a word's address");
        };
        if distance % 4 != 0 || !range.contains(&distance) {
            return Err("too far, or no multiple of 4");
        }
        let mask = u32::MAX >> (32 - bits);
        *word = (u32::from_le_bytes(*word) & !mask | (distance / 4) as u32 & mask).to_le_bytes();
        Ok(())
    }

    fn record(self, to: &Reference, placement: &mut Placement, at: u32) {
        let to_address = |base, address| SectionAddress { base, address, negative: false, part: 0 };
        match (self, to.section) {
            (Field::First, Some(start)) => {
                placement.fill(at, 4, Filled::Immediate(Some(first_part(to, start))));
            }
            (Field::Rest, Some(start)) => {
                let base = placement.base(start, Unit::Bytes);
                let rest = base.map(|base| Filled::Rest {
                    first: first_part(to, start),
                    address: to_address(base, to.target),
                });
                placement.fill(at, 4, rest.unwrap_or(Filled::Missing));
            }
            (Field::Address, Some(start)) => {
                let base = placement.base(start, Unit::Bytes);
                let what = base.map_or(Filled::Missing, |base| Filled::Data(to_address(base, to.target)));
                placement.fill(at, 4, what);
            }
            // a section stays together
            (Field::Branch, _) if to.same => {}
            (_, Some(_)) => placement.fill(at, 4, Filled::Branch),
            // a jump to a number
            (_, None) => placement.fill(at, 4, Filled::Missing),
        }
    }

    fn told(self, to: &Reference) -> Option<&'static str> {
        match self {
            Field::First | Field::Address => Some("address of"),
            Field::Rest => None,
            Field::Done | Field::Jump | Field::Branch => (!to.same).then_some("jump to"),
        }
    }
}

/// The first part of an address in a section, which stands for all addresses in a block that lies in a block of 32 KiB wherever
/// the section stands. Each has a base of its own, so that nothing is known of the distance between two.
fn first_part(to: &Reference, start: u32) -> SectionAddress {
    let block = to.alignment.min(0x8000) as i64;
    let address = i64::from(start) + ((to.target - i64::from(start)) & -block);
    SectionAddress { base: Placement::first_base(2 * address as u32), address, negative: false, part: 0 }
}

/// Whether an instruction takes what is filled in.
pub(crate) fn takes(filled: Option<Filled>, one: &Instruction) -> bool {
    use Op::{Addiu, Lb, Lbu, Lh, Lhu, Lui, Lw, Sb, Sh, Sw};
    match filled {
        Some(Filled::Immediate(_)) => one.op == Lui,
        Some(Filled::Rest { .. }) => matches!(one.op, Addiu | Lb | Lbu | Lh | Lhu | Lw | Sb | Sh | Sw),
        _ => false,
    }
}
