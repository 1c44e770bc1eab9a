//! Lays out the sections of an object file that a function needs, and fills in their addresses, as the
//! linker would.
//!
//! Source of the relocations' numbers and meanings: GNU binutils, `include/elf/avr.h` and
//! `bfd/elf32-avr.c` (`avr_final_link_relocate`).

use crate::link::field::{Field, field};
use rhomb_object::{Code, Kind, ObjectFile, Relocation, Section, Target, shown};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

mod field;

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
    if file.kind() == Kind::Executable {
        let address = code.section.address;
        let origin = u32::try_from(address).ok().filter(|origin| origin % 2 == 0);
        let origin = origin.ok_or_else(|| LinkError::Place { function: function(), address })?;
        let bytes = code.section.bytes.to_vec();
        let sections = vec![(0..bytes.len(), code.section.index)];
        return Ok(Linked { origin, bytes, routine, sections });
    }
    let order = needed_sections(file, code.section);
    // sections of a damaged file may overlap, and be larger together than the file
    if order.iter().map(|section| section.bytes.len() + 1).sum::<usize>() > MOST_BYTES {
        return Err(LinkError::Size { function: function() });
    }
    let (mut bytes, mut places) = (Vec::new(), Places::new());
    for section in &order {
        places.insert(section.index, bytes.len());
        bytes.extend_from_slice(section.bytes);
        // instructions stand at even addresses
        bytes.resize(bytes.len().next_multiple_of(2), 0);
    }
    let needed = needed_ranges(file, code);
    for section in &order {
        let place = places[&section.index];
        for relocation in &section.relocations {
            let field = field(relocation.kind);
            let result = match target(file, relocation, &places) {
                Ok(target) => apply(field, &mut bytes, place, relocation, target),
                Err(fault) => Err(fault),
            };
            let Err(fault) = result else { continue };
            let here = |range: &&(usize, Range<usize>)| {
                range.0 == section.index && range.1.contains(&relocation.offset)
            };
            if needed.iter().any(|range| here(&range)) {
                return Err(fault.named(code.name, relocation));
            }
            // never executed; should it be, that is no instruction
            poison(&mut bytes, place + relocation.offset);
        }
    }
    let place = |section: &&Section<'_>| {
        let start = places[&section.index];
        (start..start + section.bytes.len(), section.index)
    };
    let sections = order.iter().map(place).collect();
    Ok(Linked { origin: 0, bytes, routine, sections })
}

fn poison(bytes: &mut [u8], offset: usize) {
    if let Some(word) = bytes.get_mut(offset..offset + 2) {
        word.copy_from_slice(&[0xff, 0xff]);
    }
}

/// The first section, and all that its relocations and those of the others refer to.
fn needed_sections<'file>(
    file: &'file ObjectFile<'_>,
    first: &'file Section<'_>,
) -> Vec<&'file Section<'file>> {
    let mut order = vec![first];
    let mut next = 0;
    while let Some(section) = order.get(next).copied() {
        next += 1;
        for relocation in &section.relocations {
            let Target::Section { index, .. } = relocation.target else { continue };
            let found = file.sections().iter().find(|section| section.index == index);
            if let Some(found) = found.filter(|found| order.iter().all(|known| known.index != found.index)) {
                order.push(found);
            }
        }
    }
    order
}

/// The parts of sections that the function may execute or read, as far as relocations tell: itself and the
/// functions that it refers to.
fn needed_ranges(file: &ObjectFile<'_>, code: &Code<'_>) -> Vec<(usize, Range<usize>)> {
    let functions: Vec<_> = file.functions().collect();
    let mut ranges = vec![(code.section.index, code.offset..code.offset + code.size)];
    let mut seen: BTreeSet<(usize, usize)> = BTreeSet::from([(code.section.index, code.offset)]);
    let mut next = 0;
    while let Some((index, range)) = ranges.get(next).cloned() {
        next += 1;
        let Some(section) = file.sections().iter().find(|section| section.index == index) else { continue };
        for relocation in section.relocations.iter().filter(|one| range.contains(&one.offset)) {
            let Target::Section { index, offset } = relocation.target else { continue };
            let offset = offset.wrapping_add_signed(relocation.addend.unwrap_or(0)) as usize;
            let Some(section) = file.sections().iter().find(|section| section.index == index) else {
                continue;
            };
            let owner = functions.iter().find(|function| {
                let start = function.address as usize;
                function.section == section.name && (start..start + function.size).contains(&offset)
            });
            let range = match owner {
                Some(owner) => owner.address as usize..owner.address as usize + owner.size,
                None => 0..section.bytes.len(),
            };
            if seen.insert((index, range.start)) {
                ranges.push((index, range));
            }
        }
    }
    ranges
}

/// What goes wrong with one relocation.
enum Fault {
    Elsewhere,
    Data,
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
            Fault::Kind => LinkError::Kind { function, kind, offset },
            Fault::Reach(why) => LinkError::Reach { function, symbol, offset, why },
        }
    }
}

/// The address that a relocation refers to.
fn target(file: &ObjectFile<'_>, relocation: &Relocation<'_>, places: &Places) -> Result<i64, Fault> {
    let address = match relocation.target {
        Target::Absolute(value) => value as i64,
        Target::Elsewhere => return Err(Fault::Elsewhere),
        Target::Section { index, offset } => match places.get(&index) {
            Some(place) => *place as i64 + offset as i64,
            None if file.sections().iter().any(|section| section.index == index) => return Err(Fault::Kind),
            None => return Err(Fault::Data),
        },
    };
    Ok(address.wrapping_add(relocation.addend.unwrap_or(0)))
}

/// Fills in one relocation of the section that stands at `place`.
fn apply(
    field: Option<Field>,
    bytes: &mut [u8],
    place: usize,
    relocation: &Relocation<'_>,
    target: i64,
) -> Result<(), Fault> {
    let field = field.ok_or(Fault::Kind)?;
    let at = place + relocation.offset;
    let end = at + field.bytes();
    let slot = bytes.get_mut(at..end).ok_or(Fault::Reach("it lies at the section's end"))?;
    field.fill(slot, target, at as i64).map_err(Fault::Reach)
}
