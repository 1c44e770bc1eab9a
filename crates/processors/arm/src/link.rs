//! Lays out the sections of an object file that a function needs, and fills in their addresses, as the
//! linker would.
//!
//! Source of the relocations' numbers and meanings: "ELF for the Arm Architecture", Arm IHI 0044, 4.6.1 (codes)
//! and 4.6.1.1 (where the addend stands). Constants are laid out like code: a literal pool, or a table in
//! `.rodata`, is part of the image and read as data.

use error::{Fault, MOST_BYTES};
use field::{Field, field};
use rhomb_object::{Code, Content, Kind, ObjectFile, Relocation, Section, Target, shown};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

mod error;
mod field;

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
}

impl Linked {
    /// The image as words.
    pub fn words(&self) -> Vec<u32> {
        let word = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        self.bytes.chunks_exact(4).map(word).collect()
    }
}

/// Bytes between the starts of sections: their alignment is not known, and this is the most that the procedure
/// call standard asks of data (IHI 0042, 5.1).
const ALIGNMENT: usize = 8;

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
    if file.kind() == Kind::Executable {
        return linked(file, code);
    }
    let order = needed_sections(file, code.section);
    // sections of a damaged file may overlap, and be larger together than the file
    if order.iter().map(|section| section.bytes.len() + ALIGNMENT).sum::<usize>() > MOST_BYTES {
        return Err(LinkError::Size { function: function() });
    }
    let (mut bytes, mut places) = (Vec::new(), Places::new());
    for section in &order {
        places.insert(section.index, bytes.len());
        bytes.extend_from_slice(section.bytes);
        bytes.resize(bytes.len().next_multiple_of(ALIGNMENT), 0);
    }
    let needed = needed_ranges(file, code);
    for section in &order {
        let place = places[&section.index];
        for relocation in &section.relocations {
            let Err(fault) = apply(file, &places, section, &mut bytes, place, relocation) else { continue };
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

/// From a linked file: all code and constants if they lie close together, else the function's section.
fn linked(file: &ObjectFile<'_>, code: &Code<'_>) -> Result<Linked, LinkError> {
    let misplaced = || LinkError::Place { function: shown(code.name), address: code.section.address };
    let fits = |section: &&Section<'_>| {
        let end = section.address.checked_add(section.bytes.len() as u64);
        section.address.is_multiple_of(4) && end.is_some_and(|end| end <= 1 << 32)
    };
    if !fits(&code.section) {
        return Err(misplaced());
    }
    let mut sections: Vec<&Section<'_>> =
        file.sections().iter().filter(fits).filter(|section| !section.bytes.is_empty()).collect();
    sections.sort_by_key(|section| section.address);
    let end = |section: &Section<'_>| section.address + section.bytes.len() as u64;
    let spread = |sections: &[&Section<'_>]| match sections {
        [first, .., last] => end(last).saturating_sub(first.address),
        _ => 0,
    };
    let overlap = sections.windows(2).any(|pair| end(pair[0]) > pair[1].address);
    if overlap || spread(&sections) > MOST_BYTES as u64 {
        sections = vec![code.section];
    }
    let origin = sections.first().map_or(code.section.address, |first| first.address);
    let mut image = Linked {
        origin: u32::try_from(origin).map_err(|_| misplaced())?,
        bytes: Vec::new(),
        routine: 0..0,
        sections: Vec::new(),
    };
    for section in sections {
        // no instruction stands between sections
        let start = (section.address - origin) as usize;
        image.bytes.resize(start, 0xff);
        image.bytes.extend_from_slice(section.bytes);
        image.sections.push((start..image.bytes.len(), section.index));
        if section.index == code.section.index {
            image.routine = start + code.offset..start + code.offset + code.size;
        }
    }
    image.bytes.resize(image.bytes.len().next_multiple_of(4), 0xff);
    Ok(image)
}

fn poison(bytes: &mut [u8], offset: usize) {
    let offset = offset & !3;
    if let Some(word) = bytes.get_mut(offset..offset + 4) {
        word.copy_from_slice(&[0xff; 4]);
    }
}

/// The section with this number.
fn numbered<'file>(file: &'file ObjectFile<'_>, index: usize) -> Option<&'file Section<'file>> {
    file.sections().iter().find(|section| section.index == index)
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
            if let Some(found) = numbered(file, index)
                && order.iter().all(|known| known.index != found.index)
            {
                order.push(found);
            }
        }
    }
    order
}

/// The parts of sections that the function may execute or read, as far as relocations tell: itself and the
/// functions and constants that it refers to.
fn needed_ranges(file: &ObjectFile<'_>, code: &Code<'_>) -> Vec<(usize, Range<usize>)> {
    let functions: Vec<_> = file.functions().collect();
    let mut ranges = vec![(code.section.index, code.offset..code.offset + code.size)];
    let mut seen: BTreeSet<(usize, usize)> = BTreeSet::from([(code.section.index, code.offset)]);
    let mut next = 0;
    while let Some((index, range)) = ranges.get(next).cloned() {
        next += 1;
        let Some(section) = numbered(file, index) else { continue };
        for relocation in section.relocations.iter().filter(|one| range.contains(&one.offset)) {
            let Target::Section { index, offset } = relocation.target else { continue };
            let Some(found) = numbered(file, index) else { continue };
            let addend = field(relocation.kind).map_or(0, |field| addend(field, section, relocation));
            let offset = offset.wrapping_add_signed(addend) as usize;
            let owner = functions.iter().find(|function| {
                let start = function.address as usize;
                function.section == found.name && (start..start + function.size).contains(&offset)
            });
            let range = match owner {
                Some(owner) => owner.address as usize..owner.address as usize + owner.size,
                None => 0..found.bytes.len(),
            };
            if seen.insert((index, range.start)) {
                ranges.push((index, range));
            }
        }
    }
    ranges
}

/// What is added to the symbol's address: from the relocation, or from the code.
fn addend(field: Field, section: &Section<'_>, relocation: &Relocation<'_>) -> i64 {
    let bytes = section.bytes.get(relocation.offset..).and_then(|bytes| bytes.first_chunk::<4>());
    let written = bytes.map_or(0, |bytes| field.addend(u32::from_le_bytes(*bytes)));
    relocation.addend.map_or(written, |addend| field.of_symbol(addend))
}

/// Fills in one relocation of the section that stands at `place`.
fn apply(
    file: &ObjectFile<'_>,
    places: &Places,
    section: &Section<'_>,
    bytes: &mut [u8],
    place: usize,
    relocation: &Relocation<'_>,
) -> Result<(), Fault> {
    let field = field(relocation.kind).ok_or(Fault::Kind)?;
    if field == Field::Done {
        return Ok(());
    }
    let symbol = match relocation.target {
        Target::Absolute(value) => value as i64,
        Target::Elsewhere => return Err(Fault::Elsewhere),
        Target::Section { index, offset } => {
            let place = places.get(&index).ok_or(Fault::Data)?;
            let found = numbered(file, index).ok_or(Fault::Data)?;
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
    Ok(())
}
