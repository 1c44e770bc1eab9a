//! Lays out the sections of an object file that a function needs, and fills in their addresses, as the linker would. What a
//! relocation fills in is the processor's ([`Patch`]).

mod error;

use error::Fault;
pub use error::LinkError;

use crate::{Code, Content, Kind, ObjectFile, Relocation, Section, Target, shown};
use rhomb_machine::{Constant, Filled, Linking, Placement, SECTION_GAP};
use std::collections::BTreeMap;
use std::ops::Range;

/// A function with all that it needs, at addresses of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linked {
    /// Byte address of the first byte.
    pub origin: u32,
    /// Code and constants.
    pub bytes: Vec<u8>,
    /// Where in `bytes` the function stands.
    pub routine: Range<usize>,
    /// Where in `bytes` the sections stand, with their numbers; the first at the start unless the file is linked.
    pub sections: Vec<(Range<usize>, usize)>,
    /// What the linker may still change.
    pub placement: Placement,
    /// For people: what else was found.
    pub notes: Vec<String>,
}

impl Linked {
    /// The image as words of 32 bits; a part of a word is none.
    pub fn words(&self) -> Vec<u32> {
        self.bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
    }
}

/// What a kind of relocation fills in.
pub trait Patch: Copy {
    /// What an instruction's address is a multiple of, in bytes.
    const ALIGNMENT: usize;
    /// What its own code is.
    const CODE: Content = Content::Code;
    /// The most bytes that are laid out.
    const MOST_BYTES: usize;
    /// Where sections of a linked file lie, for people.
    const PLACES: &'static str;
    /// The data memory, if it is apart from that of the program: sections of constants lie there.
    const DATA: Option<DataMemory> = None;

    /// That of a relocation's number in a file with these flags; `None` for kinds that are not modelled.
    fn of(kind: u32, flags: u32) -> Option<Self>;

    /// Bytes that it touches; none where it only marks something.
    fn bytes(self) -> usize;

    /// What is added to the symbol's address.
    fn addend(self, _: &Section<'_>, relocation: &Relocation<'_>) -> i64 {
        relocation.addend.unwrap_or(0)
    }

    /// Fills the address `target` into the bytes at address `at`.
    ///
    /// # Errors
    /// Why it cannot.
    fn fill(self, slot: &mut [u8], target: i64, at: i64) -> Result<(), &'static str>;

    /// Notes what the linker may still change at byte address `at`.
    fn record(self, to: &Reference, placement: &mut Placement, at: u32);

    /// For people: what is filled in, where a proof rests on it.
    fn told(self, to: &Reference) -> Option<&'static str>;

    /// Why a mark ([`Patch::bytes`] is 0) at an offset of a section does not allow to link it.
    fn forbids(self, _offset: usize, _addend: i64) -> Option<&'static str> {
        None
    }

    /// For people: what of the linker is taken for granted where such a mark stands.
    fn assumes(self) -> Option<&'static str> {
        None
    }

    /// Where a section starts behind others that end at `end`; `None` where no address will do.
    fn start(_: &Section<'_>, end: usize) -> Option<usize> {
        Some((end + SECTION_GAP).next_multiple_of(Self::ALIGNMENT))
    }

    /// Whether the code at an offset of a section is for another state of the processor.
    fn is_foreign(_: &Section<'_>, _: u64) -> bool {
        false
    }
}

/// A data memory that is apart from that of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataMemory {
    /// The address by which files name its first byte.
    pub origin: u32,
    /// Its addresses at which constants are laid out that are not linked.
    pub constants: Range<u32>,
}

/// What a relocation refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The address, in bytes.
    pub target: i64,
    /// The start of the section that it is in; `None` for a number.
    pub section: Option<u32>,
    /// What the address of that section is a multiple of.
    pub alignment: u64,
    /// Whether the relocation stands in the same one.
    pub same: bool,
}

/// Where a section of words starts behind others that end at `end`: at a multiple of its alignment and, for data, of no more, so
/// that an access that needs more is seen. Code, which has to stand at a word's address, starts at a multiple of 8; there is no
/// place for code that may stand anywhere.
pub fn start_of_words(section: &Section<'_>, end: usize) -> Option<usize> {
    let alignment = section.alignment.min(8) as usize;
    let start = (end + SECTION_GAP).next_multiple_of(8);
    match alignment {
        4.. => Some(start),
        _ if section.constants => Some(start + alignment),
        _ => None,
    }
}

/// Where a section stands.
#[derive(Clone, Copy)]
struct Place {
    /// In the bytes that are laid out.
    start: usize,
    /// Its address: the same, but for constants in a data memory of their own.
    address: u32,
}

/// Where each section stands.
type Places = BTreeMap<usize, Place>;

/// The function with its section and all sections that it needs. What is linked keeps its addresses; else the function's own
/// section comes first, at address 0.
///
/// # Errors
/// [`LinkError`]: only of what the function may execute or read, as far as relocations tell; elsewhere, what cannot be filled
/// in is not executed.
pub fn link<P: Patch>(file: &ObjectFile<'_>, code: &Code<'_>) -> Result<Linked, LinkError> {
    let function = || shown(code.name);
    let routine = code.offset..code.offset + code.size;
    if !code.little_endian {
        return Err(LinkError::BigEndian { function: function() });
    }
    if !routine.start.is_multiple_of(P::ALIGNMENT) || !routine.end.is_multiple_of(P::ALIGNMENT) {
        return Err(LinkError::Odd { function: function(), start: routine.start, end: routine.end });
    }
    if file.kind() != Kind::Relocatable {
        return linked::<P>(file, code);
    }
    let mut order = file.needed(code.section);
    let data_memory = |section: &Section<'_>| P::DATA.filter(|_| section.constants);
    order.sort_by_key(|section| data_memory(section).is_some());
    let program_sections = order.partition_point(|section| data_memory(section).is_none());
    // sections of a damaged file may overlap, and be larger together than the file
    let bytes = order.iter().map(|section| section.bytes.len() + 2 * SECTION_GAP).sum::<usize>();
    if bytes > P::MOST_BYTES || order.iter().any(|one| one.alignment >= P::MOST_BYTES as u64) {
        return Err(LinkError::Size { function: function(), most: P::MOST_BYTES });
    }
    let mut placement = Placement::new(Linking::Open);
    let (mut bytes, mut places, mut sections) = (Vec::new(), Places::new(), Vec::new());
    for section in &order[..program_sections] {
        let start = if bytes.is_empty() { Some(0) } else { P::start(section, bytes.len()) };
        let start = start.ok_or_else(|| LinkError::Alignment {
            function: function(),
            section: shown(&section.name),
            alignment: section.alignment,
        })?;
        bytes.resize(start, 0);
        places.insert(section.index, Place { start, address: start as u32 });
        bytes.extend_from_slice(section.bytes);
        place::<P>(&mut placement, section, start as u32);
        sections.push((start..bytes.len(), section.index));
    }
    bytes.resize(bytes.len().next_multiple_of(P::ALIGNMENT), 0);
    let program_bytes = bytes.len();
    for section in &order[program_sections..] {
        let Some(memory) = data_memory(section) else { continue };
        let first = placement.taken.end.max(memory.constants.start) + SECTION_GAP as u32;
        let data = u64::from(first).next_multiple_of(section.alignment) as u32;
        let end = data + section.bytes.len() as u32;
        if end > memory.constants.end {
            return Err(LinkError::Size { function: function(), most: memory.constants.len() });
        }
        placement.taken = memory.constants.start..end;
        let address = memory.origin + data;
        places.insert(section.index, Place { start: bytes.len(), address });
        bytes.extend_from_slice(section.bytes);
        place::<P>(&mut placement, section, address);
    }
    let patch = |relocation: &Relocation<'_>| P::of(relocation.kind, code.flags);
    let addend = |section: &Section<'_>, relocation: &Relocation<'_>| {
        patch(relocation).map_or(0, |patch| patch.addend(section, relocation))
    };
    let needed = file.needed_ranges(code, true, addend);
    let certain = file.needed_ranges(code, false, addend);
    for section in &order {
        for relocation in &section.relocations {
            let at = places[&section.index].address + relocation.offset as u32;
            let here = |range: &(usize, Range<usize>)| {
                range.0 == section.index && range.1.contains(&relocation.offset)
            };
            let is_needed = needed.iter().any(here);
            // of an address among constants nobody knows whether it is read
            let is_certain = certain.iter().any(here) && !section.constants;
            let own = patch(relocation);
            if let Some(mark) = own.filter(|patch| patch.bytes() == 0) {
                if let Some(why) = mark.forbids(relocation.offset, addend(section, relocation)) {
                    return Err(LinkError::Marked { function: function(), offset: relocation.offset, why });
                }
                let told = mark.assumes().map(str::to_owned);
                placement.relocations.extend(told.filter(|told| !placement.relocations.contains(told)));
                continue;
            }
            match apply(own, file, &places, (section, relocation), &mut bytes) {
                Ok((patch, to)) => {
                    patch.record(&to, &mut placement, at);
                    if let Some(what) = patch.told(&to).filter(|_| is_needed) {
                        placement.relocations.push(relocation.told(
                            section,
                            what,
                            addend(section, relocation),
                        ));
                    }
                }
                Err(fault) if is_certain => {
                    return Err(fault.named(code.name, relocation, addend(section, relocation), file));
                }
                // never executed nor read; should it be, that is a fault
                Err(_) => placement.fill(at, own.map_or(4, |own| own.bytes().max(2)) as u32, Filled::Missing),
            }
        }
    }
    for section in &order[program_sections..] {
        let Some(memory) = data_memory(section) else { continue };
        let Place { start, address } = places[&section.index];
        let named = file.constants(section);
        placement.relocations.insert(0, told(section, &named));
        // what stands between those that have names is the section's
        let (mut next, end) = (0, [("", section.bytes.len()..section.bytes.len())]);
        for (name, range) in named.into_iter().chain(end) {
            for (name, range) in [(&*section.name, next..range.start), (name, range.clone())] {
                let at = address + range.start as u32;
                let bytes = bytes[start + range.start..start + range.end].to_vec();
                if !bytes.is_empty() {
                    let data = at - memory.origin;
                    placement.constants.push(Constant { name: shown(name), at, address: data, bytes });
                }
            }
            next = range.end;
        }
    }
    bytes.truncate(program_bytes);
    Ok(Linked { origin: 0, bytes, routine, sections, placement, notes: Vec::new() })
}

/// For people: that constants are read from a section.
fn told(section: &Section<'_>, named: &[(&str, Range<usize>)]) -> String {
    const MOST: usize = 6;
    let names: Vec<_> = named.iter().take(MOST).map(|(name, _)| shown(name)).collect();
    let more = match named.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let colon = if names.is_empty() { "" } else { ": " };
    let (name, length) = (shown(&section.name), section.bytes.len());
    format!("{length} bytes of constants in {name}{colon}{}{more}", names.join(", "))
}

/// Adds a section at an address, and says where no instructions stand in it.
fn place<P: Patch>(placement: &mut Placement, section: &Section<'_>, start: u32) {
    let length = section.bytes.len() as u32;
    placement.add_section(start..start + length);
    if section.constants {
        placement.add_data(start..start + length);
    }
    let ends = section.contents.iter().skip(1).map(|(at, _)| *at).chain([section.bytes.len()]);
    for ((from, content), to) in section.contents.iter().zip(ends) {
        let range = (*from as u32).min(length)..(to as u32).min(length);
        if *content != P::CODE && !section.constants && range.start < range.end {
            placement.add_data(start + range.start..start + range.end);
        }
    }
}

/// From a linked file: all code and constants if they lie close together, else the function's section.
fn linked<P: Patch>(file: &ObjectFile<'_>, code: &Code<'_>) -> Result<Linked, LinkError> {
    let memory = file.memory(code, P::ALIGNMENT as u64, P::MOST_BYTES as u64, P::DATA.is_some());
    let memory = memory.ok_or_else(|| LinkError::Place {
        function: shown(code.name),
        address: code.section.address,
        valid: P::PLACES,
    })?;
    let linking = if file.kind() == Kind::Shared { Linking::Movable } else { Linking::Final };
    let mut placement = Placement::new(linking);
    if let Some(data) = P::DATA {
        let taken = file.data_memory();
        let data_address = |address: u64| (address as u32).saturating_sub(data.origin);
        placement.taken = data_address(taken.start)..data_address(taken.end);
    }
    for (_, section) in &memory.sections {
        place::<P>(&mut placement, section, section.address as u32);
    }
    let mut bytes = memory.bytes;
    bytes.resize(bytes.len().next_multiple_of(P::ALIGNMENT), 0xff);
    let sections = memory.sections.into_iter().map(|(place, section)| (place, section.index)).collect();
    Ok(Linked {
        origin: memory.origin,
        bytes,
        routine: memory.routine,
        sections,
        placement,
        notes: Vec::new(),
    })
}

/// Fills in one relocation; gives what it refers to.
fn apply<P: Patch>(
    patch: Option<P>,
    file: &ObjectFile<'_>,
    places: &Places,
    (section, relocation): (&Section<'_>, &Relocation<'_>),
    bytes: &mut [u8],
) -> Result<(P, Reference), Fault> {
    let patch = patch.ok_or(Fault::Kind)?;
    if let (Some(why), Target::Section { .. } | Target::Absolute(_)) = (relocation.open, relocation.target) {
        return Err(Fault::Open(why));
    }
    let addend = patch.addend(section, relocation);
    let (symbol, other) = match relocation.target {
        Target::Absolute(value) => (value as i64, None),
        Target::Elsewhere => return Err(Fault::Elsewhere),
        Target::Section { index, offset } => {
            let place = places.get(&index).ok_or(Fault::Data)?;
            let found = file.section(index).ok_or(Fault::Data)?;
            if P::is_foreign(found, offset.wrapping_add_signed(addend)) {
                return Err(Fault::Thumb);
            }
            (i64::from(place.address) + offset as i64, Some((place.address, found)))
        }
    };
    let target = symbol.wrapping_add(addend);
    let Place { start, address } = places[&section.index];
    let (from, end) = (start + relocation.offset, relocation.offset + patch.bytes());
    let slot = bytes.get_mut(from..from + patch.bytes()).filter(|_| end <= section.bytes.len());
    let slot = slot.ok_or(Fault::Reach("it lies at the section's end"))?;
    patch.fill(slot, target, i64::from(address) + relocation.offset as i64).map_err(Fault::Reach)?;
    let same = other.is_some_and(|(_, found)| found.index == section.index);
    let alignment = other.map_or(1, |(_, found)| found.alignment);
    Ok((patch, Reference { target, section: other.map(|(start, _)| start), alignment, same }))
}
