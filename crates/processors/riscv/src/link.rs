//! What the linker fills into RISC-V code; all else is shared ([`rhomb_object::link()`]).
//!
//! Source of the relocations' numbers and meanings, and of the file's flags: "RISC-V ABIs Specification", chapter "RISC-V ELF
//! Specification". Addresses of data (HI20, LO12, PCREL ...) are not modelled: a function that needs them cannot be linked.
//! Nor can one that the linker may still make shorter, or move to another address modulo 4.

use crate::decode::decode;
use crate::encode::encode;
use crate::instructions::{Instruction, Op};
use rhomb_machine::{Filled, Placement, SectionAddress, Unit};
use rhomb_object::{Code, Kind, ObjectFile, Patch, Reference, shown};
pub use rhomb_object::{LinkError, Linked};

/// Short forms somewhere in the file.
const COMPRESSED: u32 = 1;
/// Which registers of floating point hold arguments.
const FLOATING: u32 = 6;
/// Half the registers.
const EMBEDDED: u32 = 8;

/// Why code of a file is not followed by a convention, `ilp32` or `ilp32e`.
///
/// # Errors
/// A sentence.
pub fn check(file: &ObjectFile<'_>, convention: &str) -> Result<(), String> {
    let flags = file.flags();
    if file.is_wide() {
        return Err("the file is for processors of 64 bits; valid: RV32".into());
    }
    if flags & FLOATING != 0 {
        return Err(
            "the file passes arguments in registers of floating point; valid: -mabi=ilp32 or ilp32e".into()
        );
    }
    if flags & EMBEDDED != 0 && convention != "ilp32e" {
        return Err("the file is made for ilp32e, not for ilp32".into());
    }
    Ok(())
}

/// The function with its section and all sections to which these jump: see [`rhomb_object::link()`].
///
/// # Errors
/// [`LinkError`].
pub fn link(file: &ObjectFile<'_>, code: &Code<'_>) -> Result<Linked, LinkError> {
    // where it will stand modulo 4 decides about the time
    if file.kind() == Kind::Relocatable && code.section.alignment < 4 {
        let (function, section) = (shown(code.name), shown(&code.section.name));
        return Err(LinkError::Alignment { function, section, alignment: code.section.alignment });
    }
    rhomb_object::link::<Field>(file, code)
}

/// What a relocation fills in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    /// Nothing.
    Done,
    /// The distance of the branch or jump that stands there, in so many bytes.
    Distance(usize),
    /// That of AUIPC and JALR together.
    Call,
    /// The linker may take bytes away; whether all else stays at an address of the same kind.
    Shorter { others_stay: bool },
}

/// Sets the distance of the instruction in these bytes.
fn set(slot: &mut [u8], immediate: i64) -> Result<(), &'static str> {
    let halves: Vec<u16> = slot.as_chunks().0.iter().map(|half| u16::from_le_bytes(*half)).collect();
    let one = decode(&halves).map_err(|_| "no instruction stands there")?;
    let immediate = i32::try_from(immediate).map_err(|_| "too far")?;
    let halves = encode(&Instruction { immediate, ..one }).map_err(|_| "too far, or to an odd address")?;
    let bytes = halves.iter().flat_map(|half| half.to_le_bytes());
    slot.iter_mut().zip(bytes).for_each(|(place, byte)| *place = byte);
    Ok(())
}

/// A distance as AUIPC adds it, in units of 4 KiB, and what is left.
fn halves(distance: i64) -> (i64, i64) {
    let high = (distance + 0x800) >> 12;
    (high & 0xf_ffff, distance - (high << 12))
}

impl Patch for Field {
    const ALIGNMENT: usize = 2;
    /// What a jump reaches.
    const MOST_BYTES: usize = 1 << 20;
    const PLACES: &'static str = "a multiple of 2 below 4 GiB";

    fn of(kind: u32, flags: u32) -> Option<Field> {
        match kind {
            // R_RISCV_NONE
            0 => Some(Field::Done),
            // R_RISCV_BRANCH, R_RISCV_JAL
            16 | 17 => Some(Field::Distance(4)),
            // R_RISCV_CALL, R_RISCV_CALL_PLT
            18 | 19 => Some(Field::Call),
            // R_RISCV_RVC_BRANCH, R_RISCV_RVC_JUMP
            44 | 45 => Some(Field::Distance(2)),
            // R_RISCV_ALIGN, R_RISCV_RELAX
            43 | 51 => Some(Field::Shorter { others_stay: flags & COMPRESSED == 0 }),
            _ => None,
        }
    }

    fn bytes(self) -> usize {
        match self {
            Field::Distance(bytes) => bytes,
            Field::Call => 8,
            Field::Done | Field::Shorter { .. } => 0,
        }
    }

    fn forbids(self, is_needed: bool) -> Option<&'static str> {
        let why =
            "the linker may still make the code shorter; valid: code made with -mno-relax, or a linked file";
        match self {
            Field::Shorter { others_stay } if is_needed || !others_stay => Some(why),
            _ => None,
        }
    }

    fn fill(self, slot: &mut [u8], target: i64, at: i64) -> Result<(), &'static str> {
        let distance = target.wrapping_sub(at);
        if self != Field::Call {
            return set(slot, distance);
        }
        let (high, low) = halves(distance);
        let (first, second) = slot.split_at_mut(4);
        set(first, high)?;
        set(second, low)
    }

    fn record(self, to: &Reference, placement: &mut Placement, at: u32) {
        match (self, to.section) {
            // a section stays together
            _ if to.same => {}
            (Field::Distance(bytes), Some(_)) => placement.fill(at, bytes as u32, Filled::Branch),
            (Field::Call, Some(start)) => {
                let (_, low) = halves(to.target - i64::from(at));
                let address =
                    |base| SectionAddress { base, address: to.target - low, negative: false, part: 0 };
                let address = placement.base(start, Unit::Bytes).map(address);
                placement.fill(at, 4, Filled::Immediate(address));
                placement.fill(at + 4, 4, Filled::Immediate(None));
            }
            // a jump to a number
            (_, None) => placement.fill(at, self.bytes() as u32, Filled::Missing),
            _ => {}
        }
    }

    fn told(self, to: &Reference) -> Option<&'static str> {
        (!to.same).then_some("jump to")
    }
}

/// Whether an instruction takes a part of an address.
pub(crate) fn takes(op: Op) -> bool {
    matches!(op, Op::Auipc | Op::Jalr)
}
