//! Lays out the sections of an object file that a function needs, and fills in their addresses, as the
//! linker would.
//!
//! Source of the relocations' numbers and meanings: "ELF for the Arm Architecture", Arm IHI 0044, 4.6.1 (codes)
//! and 4.6.1.1 (where the addend stands). Constants are laid out like code: a literal pool, or a table in
//! `.rodata`, is part of the image and read as data.

use error::{Fault, MOST_BYTES};
use field::{Field, field};
use rhomb_machine::{Filled, Linking, Placement, SECTION_GAP, SectionAddress, Unit};
use rhomb_object::{Code, Content, Kind, ObjectFile, Relocation, Section, Target, shown};
use std::collections::BTreeMap;
use std::ops::Range;

mod error;
mod field;
pub mod flags;

pub use error::LinkError;

/// A function with all that it needs, at addresses of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linked {
    /// Address of the first byte, a multiple of 4.
    pub origin: u32,
    /// Code and constants, whole words.
    pub bytes: Vec<u8>,
    /// Where in `bytes` the function stands.
    pub routine: Range<usize>,
    /// Where in `bytes` the sections stand, with their numbers; the first at the start unless the file is
    /// linked.
    pub sections: Vec<(Range<usize>, usize)>,
    /// What the linker may still change.
    pub placement: Placement,
}

impl Linked {
    /// The image as words.
    pub fn words(&self) -> Vec<u32> {
        let word = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        self.bytes.chunks_exact(4).map(word).collect()
    }
}

/// Where each section stands in the image.
type Places = BTreeMap<usize, usize>;

/// The function with its section and all sections that it needs. What is linked keeps its addresses; else
/// the function's own section comes first, at address 0.
///
/// # Errors
/// [`LinkError`].
pub fn link(file: &ObjectFile<'_>, code: &Code<'_>) -> Result<Linked, LinkError> {
    let function = || shown(code.name);
    let routine = code.offset..code.offset + code.size;
    if !code.little_endian {
        return Err(LinkError::BigEndian { function: function() });
    }
    if code.thumb || code.section.has_thumb(routine.clone()) {
        return Err(LinkError::Thumb { function: function() });
    }
    if !routine.start.is_multiple_of(4) || !routine.end.is_multiple_of(4) {
        return Err(LinkError::Odd { function: function(), start: routine.start, end: routine.end });
    }
    if file.kind() != Kind::Relocatable {
        return linked(file, code);
    }
    let order = file.needed(code.section);
    // sections of a damaged file may overlap, and be larger together than the file
    if order.iter().map(|section| section.bytes.len() + 2 * SECTION_GAP).sum::<usize>() > MOST_BYTES {
        return Err(LinkError::Size { function: function() });
    }
    let mut placement = Placement::new(Linking::Open);
    let (mut bytes, mut places, mut sections) = (Vec::new(), Places::new(), Vec::new());
    for section in &order {
        let start = start(section, bytes.len()).ok_or_else(|| LinkError::Alignment {
            function: function(),
            section: shown(&section.name),
            alignment: section.alignment,
        })?;
        bytes.resize(start, 0);
        places.insert(section.index, start);
        bytes.extend_from_slice(section.bytes);
        place_section(&mut placement, section, start as u32);
        sections.push((start..bytes.len(), section.index));
    }
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    let needed = file.needed_ranges(code, |section, relocation| {
        field(relocation.kind).map_or(0, |field| addend(field, section, relocation))
    });
    for section in &order {
        let place = places[&section.index];
        for relocation in &section.relocations {
            let at = (place + relocation.offset) as u32;
            let here = |range: &(usize, Range<usize>)| {
                range.0 == section.index && range.1.contains(&relocation.offset)
            };
            let is_needed = needed.iter().any(here);
            match apply(file, &places, section, &mut bytes, place, relocation) {
                Ok((field, target)) => {
                    let (own, other) = (Some(section.index), target_section(relocation));
                    let Some(what) = filled(&placement, field, target, other == own, other, &places) else {
                        continue;
                    };
                    placement.fill(at, 4, what);
                    if is_needed {
                        let addend = addend(field, section, relocation);
                        placement.relocations.push(relocation.told(section, field.told(), addend));
                    }
                }
                Err(fault) if is_needed => return Err(fault.named(code.name, relocation)),
                // never executed nor read; should it be, that is a fault
                Err(_) => placement.fill(at, 4, Filled::Missing),
            }
        }
    }
    Ok(Linked { origin: 0, bytes, routine, sections, placement })
}

/// Where a section starts behind `end` bytes: at an address that is a multiple of its alignment and, for data, of no more,
/// so that an access that needs more is seen. Code, which has to stand at a word's address, starts at one of 8; there is
/// none for code that may stand anywhere.
fn start(section: &Section<'_>, end: usize) -> Option<usize> {
    let alignment = section.alignment.min(8) as usize;
    let start = if end == 0 { 0 } else { (end + SECTION_GAP).next_multiple_of(8) };
    match alignment {
        4.. => Some(start),
        _ if section.constants => Some(start + alignment),
        _ => None,
    }
}

/// Adds a section at an address, and says where no instructions stand in it.
fn place_section(placement: &mut Placement, section: &Section<'_>, start: u32) {
    let length = section.bytes.len() as u32;
    placement.add_section(start..start + length);
    if section.constants {
        placement.add_data(start..start + length);
    }
    let ends = section.contents.iter().skip(1).map(|(at, _)| *at).chain([section.bytes.len()]);
    for ((from, content), to) in section.contents.iter().zip(ends) {
        let range = (*from as u32).min(length)..(to as u32).min(length);
        if *content != Content::Arm && !section.constants && range.start < range.end {
            placement.add_data(start + range.start..start + range.end);
        }
    }
}

/// The section that a relocation refers to, by its number.
fn target_section(relocation: &Relocation<'_>) -> Option<usize> {
    match relocation.target {
        Target::Section { index, .. } => Some(index),
        Target::Absolute(_) | Target::Elsewhere => None,
    }
}

/// What a relocation leaves at its place until the file is linked; nothing where what was filled in is final. `same` says
/// whether it refers to its own section, `other` to which.
fn filled(
    placement: &Placement,
    field: Field,
    target: i64,
    same: bool,
    other: Option<usize>,
    places: &Places,
) -> Option<Filled> {
    let section = other.and_then(|index| places.get(&index));
    match (field, section) {
        (Field::Done, _) | (Field::Address, None) => None,
        // a section stays together
        (Field::Branch | Field::Distance, Some(_)) if same => None,
        (Field::Branch, Some(_)) => Some(Filled::Branch),
        // by a distance to a number
        (Field::Branch, None) => Some(Filled::Missing),
        (Field::Distance, _) => Some(Filled::Unknown),
        (Field::Address, Some(start)) => Some(match placement.base(*start as u32, Unit::Bytes) {
            Some(base) => Filled::Data(SectionAddress { base, address: target, negative: false, part: 0 }),
            None => Filled::Unknown,
        }),
    }
}

/// From a linked file: all code and constants if they lie close together, else the function's section.
fn linked(file: &ObjectFile<'_>, code: &Code<'_>) -> Result<Linked, LinkError> {
    let memory = file
        .memory(code, 4, MOST_BYTES as u64)
        .ok_or_else(|| LinkError::Place { function: shown(code.name), address: code.section.address })?;
    let linking = if file.kind() == Kind::Shared { Linking::Movable } else { Linking::Final };
    let mut placement = Placement::new(linking);
    for (_, section) in &memory.sections {
        place_section(&mut placement, section, section.address as u32);
    }
    let mut bytes = memory.bytes;
    bytes.resize(bytes.len().next_multiple_of(4), 0xff);
    let sections = memory.sections.into_iter().map(|(place, section)| (place, section.index)).collect();
    Ok(Linked { origin: memory.origin, bytes, routine: memory.routine, sections, placement })
}

/// What is added to the symbol's address: from the relocation, or from the code.
fn addend(field: Field, section: &Section<'_>, relocation: &Relocation<'_>) -> i64 {
    let bytes = section.bytes.get(relocation.offset..).and_then(|bytes| bytes.first_chunk::<4>());
    let written = bytes.map_or(0, |bytes| field.addend(u32::from_le_bytes(*bytes)));
    relocation.addend.map_or(written, |addend| field.of_symbol(addend))
}

/// Fills in one relocation of the section that stands at `place`; gives its field and the address that it is about.
fn apply(
    file: &ObjectFile<'_>,
    places: &Places,
    section: &Section<'_>,
    bytes: &mut [u8],
    place: usize,
    relocation: &Relocation<'_>,
) -> Result<(Field, i64), Fault> {
    let field = field(relocation.kind).ok_or(Fault::Kind)?;
    if field == Field::Done {
        return Ok((field, 0));
    }
    if let (Some(why), Target::Section { .. } | Target::Absolute(_)) = (relocation.open, relocation.target) {
        return Err(Fault::Open(why));
    }
    let symbol = match relocation.target {
        Target::Absolute(value) => value as i64,
        Target::Elsewhere => return Err(Fault::Elsewhere),
        Target::Section { index, offset } => {
            let place = places.get(&index).ok_or(Fault::Data)?;
            let found = file.section(index).ok_or(Fault::Data)?;
            let target = offset.wrapping_add_signed(addend(field, section, relocation));
            // the address of Thumb code is odd
            let thumb = match found.content((target & !1) as usize) {
                Some(Content::Thumb) => true,
                Some(Content::Data) => false,
                Some(Content::Arm) | None => !found.constants && target & 1 != 0,
            };
            if thumb {
                return Err(Fault::Thumb);
            }
            *place as i64 + offset as i64
        }
    };
    let target = symbol.wrapping_add(addend(field, section, relocation));
    let at = place + relocation.offset;
    let whole = relocation.offset + 4 <= section.bytes.len();
    let slot = bytes.get_mut(at..).filter(|_| whole).and_then(|slot| slot.first_chunk_mut::<4>());
    let slot = slot.ok_or(Fault::Reach("it lies at the section's end"))?;
    let word = field.fill(u32::from_le_bytes(*slot), target, at as i64).map_err(Fault::Reach)?;
    *slot = word.to_le_bytes();
    Ok((field, target))
}
