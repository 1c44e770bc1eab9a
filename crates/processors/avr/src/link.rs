//! Lays out the sections of an object file that a function needs, and fills in their addresses, as the
//! linker would.
//!
//! Source of the relocations' numbers and meanings: GNU binutils, `include/elf/avr.h` and
//! `bfd/elf32-avr.c` (`avr_final_link_relocate`).

use crate::link::field::{Field, Filling, field};
use rhomb_machine::{Filled, Linking, Placement, SECTION_GAP};
use rhomb_object::{Code, Kind, Memory, ObjectFile, Open, Relocation, Target, shown};
use std::collections::BTreeMap;
use std::ops::Range;

mod field;
pub mod flags;

/// A function with all that it needs, at addresses of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linked {
    /// Byte address of the first byte.
    pub origin: u32,
    /// The code.
    pub bytes: Vec<u8>,
    /// Where in `bytes` the function stands.
    pub routine: Range<usize>,
    /// Where in `bytes` the sections stand, with their numbers, the first at the start.
    pub sections: Vec<(Range<usize>, usize)>,
    /// What the linker may still change.
    pub placement: Placement,
}

/// Bytes of program memory that a program counter of 22 bits reaches: no AVR has more.
const MOST_BYTES: usize = 1 << 23;

/// Why a function cannot be linked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// It needs something that is not in the file.
    #[error("'{function}' needs '{symbol}', which is not in the file")]
    Elsewhere {
        /// The function.
        function: String,
        /// What it needs.
        symbol: String,
    },
    /// It needs the address of a variable, which the linker chooses.
    #[error("'{function}' refers to data '{symbol}', which has no address before linking")]
    Data {
        /// The function.
        function: String,
        /// The variable.
        symbol: String,
    },
    /// It needs what another file may replace.
    #[error("'{function}' needs '{symbol}', which is {why}")]
    Open {
        /// The function.
        function: String,
        /// What it needs.
        symbol: String,
        /// Why that is not final.
        why: Open,
    },
    /// A kind of relocation that is not known.
    #[error("'{function}' has a relocation of kind {kind} at offset {offset:#x}, which is not modelled")]
    Kind {
        /// The function.
        function: String,
        /// The relocation's number.
        kind: u32,
        /// Where in the section.
        offset: usize,
    },
    /// A target out of reach, or at an odd address.
    #[error("'{function}' cannot reach '{symbol}' from offset {offset:#x}: {why}")]
    Reach {
        /// The function.
        function: String,
        /// The target.
        symbol: String,
        /// Where in the section.
        offset: usize,
        /// What is wrong.
        why: &'static str,
    },
    /// Its sections are larger than any program memory.
    #[error("the sections that '{function}' needs have more than {MOST_BYTES} bytes")]
    Size {
        /// The function.
        function: String,
    },
    /// A section of a linked file that lies where no program can.
    #[error(
        "the section of '{function}' lies at {address:#x}; a program lies at even addresses of its flash"
    )]
    Place {
        /// The function.
        function: String,
        /// The section's address.
        address: u64,
    },
}

/// Where each section stands in the image.
type Places = BTreeMap<usize, usize>;

/// The function with its section and all sections that it needs. What is linked keeps its addresses; else
/// the function's own section comes first, at address 0.
pub fn link(file: &ObjectFile<'_>, code: &Code<'_>) -> Result<Linked, LinkError> {
    let function = || shown(code.name);
    let routine = code.offset..code.offset + code.size;
    let linking = match file.kind() {
        Kind::Relocatable => Linking::Open,
        Kind::Executable => Linking::Final,
        Kind::Shared => Linking::Movable,
    };
    let mut placement = Placement::new(linking);
    if linking != Linking::Open {
        let address = code.section.address;
        let memory = file.memory(code, 2, MOST_BYTES as u64);
        let memory = memory.ok_or_else(|| LinkError::Place { function: function(), address })?;
        for (_, section) in &memory.sections {
            placement.add_section(section.addresses());
        }
        let sections =
            memory.sections.iter().map(|(place, section)| (place.clone(), section.index)).collect();
        let Memory { origin, bytes, routine, .. } = memory;
        return Ok(Linked { origin, bytes, routine, sections, placement });
    }
    let order = file.needed(code.section);
    // no such address is there
    if order.iter().any(|section| section.alignment >= MOST_BYTES as u64) {
        return Err(LinkError::Size { function: function() });
    }
    // sections of a damaged file may overlap, and be larger together than the file
    if order.iter().map(|section| section.bytes.len() + 2 * SECTION_GAP).sum::<usize>() > MOST_BYTES {
        return Err(LinkError::Size { function: function() });
    }
    let (mut bytes, mut places, mut sections) = (Vec::new(), Places::new(), Vec::new());
    for section in &order {
        let start = bytes.len();
        places.insert(section.index, start);
        bytes.extend_from_slice(section.bytes);
        placement.add_section(start as u32..bytes.len() as u32);
        sections.push((start..bytes.len(), section.index));
        // instructions stand at even addresses
        bytes.resize((bytes.len() + SECTION_GAP).next_multiple_of(2), 0);
    }
    let needed = file.needed_ranges(code, |_, relocation| relocation.addend.unwrap_or(0));
    for section in &order {
        let place = places[&section.index];
        for relocation in &section.relocations {
            let at = (place + relocation.offset) as u32;
            let here = |range: &(usize, Range<usize>)| {
                range.0 == section.index && range.1.contains(&relocation.offset)
            };
            let is_needed = needed.iter().any(here);
            let field = field(relocation.kind).map(|field| field.on(code.flags));
            let filled = target(file, relocation, &places)
                .and_then(|target| apply(field, &mut bytes, place, relocation, target));
            match filled {
                Ok(field) => {
                    field.record(&mut placement, at, base_of(relocation, &places));
                    let Target::Section { index, .. } = relocation.target else { continue };
                    if let Some(what) = field.told(index != section.index).filter(|_| is_needed) {
                        let addend = relocation.addend.unwrap_or(0);
                        placement.relocations.push(relocation.told(section, what, addend));
                    }
                }
                Err(fault) if is_needed => return Err(fault.named(code.name, relocation)),
                // never executed nor read; should it be, that is a fault
                Err(_) => placement.fill(at, field.map_or(4, Field::bytes).max(2) as u32, Filled::Missing),
            }
        }
    }
    Ok(Linked { origin: 0, bytes, routine, sections, placement })
}

/// What goes wrong with one relocation.
enum Fault {
    Elsewhere,
    Data,
    Open(Open),
    Kind,
    Reach(&'static str),
}

impl Fault {
    fn named(self, function: &str, relocation: &Relocation<'_>) -> LinkError {
        let (function, symbol) = (shown(function), shown(&relocation.symbol));
        let Relocation { offset, kind, .. } = *relocation;
        match self {
            Fault::Elsewhere => LinkError::Elsewhere { function, symbol },
            Fault::Data => LinkError::Data { function, symbol },
            Fault::Open(why) => LinkError::Open { function, symbol, why },
            Fault::Kind => LinkError::Kind { function, kind, offset },
            Fault::Reach(why) => LinkError::Reach { function, symbol, offset, why },
        }
    }
}

/// The address that a relocation refers to.
fn target(file: &ObjectFile<'_>, relocation: &Relocation<'_>, places: &Places) -> Result<i64, Fault> {
    let address = match (relocation.target, relocation.open) {
        (Target::Elsewhere, _) => return Err(Fault::Elsewhere),
        (_, Some(why)) => return Err(Fault::Open(why)),
        (Target::Absolute(value), None) => value as i64,
        (Target::Section { index, offset }, None) => match places.get(&index) {
            Some(place) => *place as i64 + offset as i64,
            None if file.section(index).is_some() => return Err(Fault::Kind),
            None => return Err(Fault::Data),
        },
    };
    Ok(address.wrapping_add(relocation.addend.unwrap_or(0)))
}

/// The start of the section that a relocation refers to.
fn base_of(relocation: &Relocation<'_>, places: &Places) -> Option<u32> {
    let Target::Section { index, .. } = relocation.target else { return None };
    places.get(&index).map(|place| *place as u32)
}

/// Fills in one relocation of the section that stands at `place`; gives what it is.
fn apply(
    field: Option<Field>,
    bytes: &mut [u8],
    place: usize,
    relocation: &Relocation<'_>,
    target: i64,
) -> Result<Filling, Fault> {
    let field = field.ok_or(Fault::Kind)?;
    let at = place + relocation.offset;
    let end = at + field.bytes();
    let slot = bytes.get_mut(at..end).ok_or(Fault::Reach("it lies at the section's end"))?;
    field.fill(slot, target, at as i64).map_err(Fault::Reach)?;
    Ok(Filling { field, target })
}
