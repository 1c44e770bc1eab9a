//! What the linker fills into RISC-V code; all else is shared ([`rhomb_object::link()`]).
//!
//! Source of the relocations' numbers and meanings, and of the file's flags: "RISC-V ABIs Specification", chapter "RISC-V ELF
//! Specification". An object file is taken as it lies, which is what a linker makes of it that is not to make code shorter
//! (`--no-relax`): the marks of places that might get shorter then mean nothing. Bytes for alignment are taken out even so,
//! so that such a mark is refused unless all of them are needed.
//!
//! Of an address in two parts, LUI or AUIPC has the first and the next instruction the rest. How the linker cuts it depends on
//! where the section will stand. So the first part is no number here and no address in the section: it has a base of its own,
//! and only an instruction that adds the rest of the same address makes one of it. Compilers share the first part where
//! alignment makes sure that it is the same; so it stands for all addresses in an aligned block.

use crate::decode::decode;
use crate::encode::encode;
use crate::instructions::{Instruction, Op};
use rhomb_machine::{Filled, Placement, SECTION_GAP, SectionAddress, Unit};
use rhomb_object::{Code, Kind, ObjectFile, Patch, Reference, Section, shown, start_of_words};
pub use rhomb_object::{LinkError, Linked};

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
    let mut linked = rhomb_object::link::<Field>(file, code)?;
    // where it will stand modulo 4 decides about the time
    let sections = linked.sections.iter().filter_map(|(_, index)| file.section(*index));
    let loose = sections.filter(|section| !section.constants && section.alignment < 4);
    if file.kind() == Kind::Relocatable {
        let told = loose.map(|section| format!("time: {} stands at a multiple of 4", shown(&section.name)));
        linked.placement.relocations.extend(told);
    }
    Ok(linked)
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
    /// The first part of an address, in LUI or, as a distance, in AUIPC.
    First { relative: bool },
    /// The rest, in ADDI, a load or a store; `relative`: of the address whose first part stands at the place told.
    Rest { relative: bool },
    /// A word with the address.
    Address,
    /// Part of a difference of two addresses, in so many bytes.
    Difference(usize),
    /// The linker may take bytes away, if it is told to.
    Shorter,
    /// Bytes that it takes away unless they are needed for the alignment.
    Fill,
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

    fn of(kind: u32, _: u32) -> Option<Field> {
        match kind {
            // R_RISCV_NONE
            0 => Some(Field::Done),
            // R_RISCV_32
            1 => Some(Field::Address),
            // R_RISCV_PCREL_HI20, R_RISCV_HI20
            23 | 26 => Some(Field::First { relative: kind == 23 }),
            // R_RISCV_PCREL_LO12_I, R_RISCV_PCREL_LO12_S, R_RISCV_LO12_I, R_RISCV_LO12_S
            24 | 25 | 27 | 28 => Some(Field::Rest { relative: kind < 26 }),
            // R_RISCV_ADD8, R_RISCV_ADD16, R_RISCV_ADD32
            33..=35 => Some(Field::Difference(1 << (kind - 33))),
            // R_RISCV_SUB8, R_RISCV_SUB16, R_RISCV_SUB32
            37..=39 => Some(Field::Difference(1 << (kind - 37))),
            // R_RISCV_BRANCH, R_RISCV_JAL
            16 | 17 => Some(Field::Distance(4)),
            // R_RISCV_CALL, R_RISCV_CALL_PLT
            18 | 19 => Some(Field::Call),
            // R_RISCV_RVC_BRANCH, R_RISCV_RVC_JUMP
            44 | 45 => Some(Field::Distance(2)),
            // R_RISCV_ALIGN
            43 => Some(Field::Fill),
            // R_RISCV_RELAX
            51 => Some(Field::Shorter),
            _ => None,
        }
    }

    fn bytes(self) -> usize {
        match self {
            Field::Distance(bytes) | Field::Difference(bytes) => bytes,
            Field::First { .. } | Field::Rest { .. } | Field::Address => 4,
            Field::Call => 8,
            Field::Done | Field::Shorter | Field::Fill => 0,
        }
    }

    fn forbids(self, offset: usize, addend: i64) -> Option<&'static str> {
        let more = usize::try_from(addend).ok().and_then(|bytes| bytes.checked_add(1));
        let wanted = more.and_then(usize::checked_next_power_of_two);
        let needed = wanted.and_then(|wanted| offset.checked_next_multiple_of(wanted));
        let stays = needed.is_some_and(|next| (next - offset) as i64 == addend);
        let why =
            "the linker takes bytes of an alignment away; valid: code made with -mno-relax, or a linked file";
        (self == Field::Fill && !stays).then_some(why)
    }

    fn assumes(self) -> Option<&'static str> {
        (self == Field::Shorter).then_some("code as it lies: the linker makes nothing shorter (--no-relax)")
    }

    fn start(section: &Section<'_>, end: usize) -> Option<usize> {
        // code that may stand anywhere is taken to stand at a word's address: see `link`
        start_of_words(section, end).or_else(|| Some((end + SECTION_GAP).next_multiple_of(8)))
    }

    fn fill(self, slot: &mut [u8], target: i64, at: i64) -> Result<(), &'static str> {
        let distance = target.wrapping_sub(at);
        match self {
            Field::Distance(_) => return set(slot, distance),
            Field::Call => {}
            // what is filled in is told by `record`
            _ => return Ok(()),
        }
        let (high, low) = halves(distance);
        let (first, second) = slot.split_at_mut(4);
        set(first, high)?;
        set(second, low)
    }

    fn record(self, to: &Reference, placement: &mut Placement, at: u32) {
        let to_address = |base, address| SectionAddress { base, address, negative: false, part: 0 };
        match (self, to.section) {
            (Field::First { relative }, Some(start)) => {
                let first = if relative { distance_part(to, at) } else { first_part(to, start) };
                placement.fill(at, 4, Filled::Immediate(Some(first)));
            }
            (Field::Rest { relative: false }, Some(start)) => {
                let first = first_part(to, start);
                let base = placement.base(start, Unit::Bytes);
                let rest = base.map(|base| Filled::Rest { first, address: to_address(base, to.target) });
                placement.fill(at, 4, rest.unwrap_or(Filled::Missing));
            }
            (Field::Rest { relative: true }, Some(_)) => {
                let what = match placement.filled(to.target as u32) {
                    Some(Filled::Immediate(Some(first))) => placement
                        .base(first.address as u32, Unit::Bytes)
                        .map(|base| Filled::Rest { first, address: to_address(base, first.address) }),
                    _ => None,
                };
                placement.fill(at, 4, what.unwrap_or(Filled::Missing));
            }
            (Field::Address, Some(start)) => {
                let base = placement.base(start, Unit::Bytes);
                let what = base.map_or(Filled::Missing, |base| Filled::Data(to_address(base, to.target)));
                placement.fill(at, 4, what);
            }
            (Field::Difference(bytes), _) => placement.fill(at, bytes as u32, Filled::Missing),
            // a section stays together
            (Field::Distance(_) | Field::Call, _) if to.same => {}
            (Field::Distance(bytes), Some(_)) => placement.fill(at, bytes as u32, Filled::Branch),
            (Field::Call, Some(start)) => {
                let (_, low) = halves(to.target - i64::from(at));
                let base = placement.base(start, Unit::Bytes);
                let address = base.map(|base| to_address(base, to.target - low));
                placement.fill(at, 4, Filled::Immediate(address));
                placement.fill(at + 4, 4, Filled::Immediate(None));
            }
            // a jump to a number
            (_, None) => placement.fill(at, self.bytes() as u32, Filled::Missing),
            (Field::Done | Field::Shorter | Field::Fill, _) => {}
        }
    }

    fn told(self, to: &Reference) -> Option<&'static str> {
        match self {
            Field::First { .. } | Field::Address => Some("address of"),
            Field::Distance(_) | Field::Call => (!to.same).then_some("jump to"),
            _ => None,
        }
    }
}

/// The first part of an address in a section, which stands for all addresses in a block that lies in a block of 2 KiB wherever
/// the section stands. Each has a base of its own, so that nothing is known of the distance between two.
fn first_part(to: &Reference, start: u32) -> SectionAddress {
    let block = to.alignment.min(0x800) as i64;
    let address = i64::from(start) + ((to.target - i64::from(start)) & -block);
    SectionAddress { base: Placement::first_base(2 * address as u32), address, negative: false, part: 0 }
}

/// The first part of the distance to an address from AUIPC, which stands for that address alone.
fn distance_part(to: &Reference, auipc: u32) -> SectionAddress {
    let base = Placement::first_base(2 * auipc + 1);
    SectionAddress { base, address: to.target, negative: false, part: 0 }
}

/// Whether an instruction takes what is filled in.
pub(crate) fn takes(filled: Option<Filled>, one: &Instruction) -> bool {
    use Op::{Addi, Auipc, Jalr, Lb, Lbu, Lh, Lhu, Lui, Lw, Sb, Sh, Sw};
    match filled {
        Some(Filled::Immediate(_)) => matches!(one.op, Lui | Auipc | Jalr),
        Some(Filled::Rest { .. }) => {
            one.short.is_none() && matches!(one.op, Addi | Lb | Lbu | Lh | Lhu | Lw | Sb | Sh | Sw)
        }
        _ => false,
    }
}
