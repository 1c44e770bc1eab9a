//! What the linker fills into MIPS32 code; all else is shared ([`rhomb_object::link()`]).
//!
//! Source of the relocations' numbers and meanings: "System V ABI, MIPS RISC Processor Supplement", third edition,
//! chapter 4, figure 4-11; R_MIPS_PC16 and R_MIPS_JALR as GNU binutils has them (`include/elf/mips.h`). The addend
//! stands in the code. Addresses of data (HI16, LO16, GOT16 ...) are not modelled: a function that needs them
//! cannot be linked.

pub mod flags;

use rhomb_machine::{Filled, Placement};
use rhomb_object::{Code, ObjectFile, Patch, Reference, Relocation, Section};
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
}

impl Field {
    /// Bits that it takes of a word.
    fn bits(self) -> u32 {
        if self == Field::Branch { 16 } else { 26 }
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
            // R_MIPS_26
            4 => Some(Field::Jump),
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
        let bytes = section.bytes.get(relocation.offset..).and_then(|bytes| bytes.first_chunk::<4>());
        let spare = 32 - self.bits();
        let written = |bytes| i64::from((u32::from_le_bytes(bytes) << spare) as i32 >> spare) * 4;
        relocation.addend.unwrap_or(bytes.map_or(0, |bytes| written(*bytes)))
    }

    fn fill(self, slot: &mut [u8], target: i64, at: i64) -> Result<(), &'static str> {
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
        match (self, to.section) {
            // a section stays together
            (Field::Branch, _) if to.same => {}
            (_, Some(_)) => placement.fill(at, 4, Filled::Branch),
            // a jump to a number
            (_, None) => placement.fill(at, 4, Filled::Missing),
        }
    }

    fn told(self, to: &Reference) -> Option<&'static str> {
        (!to.same).then_some("jump to")
    }
}
