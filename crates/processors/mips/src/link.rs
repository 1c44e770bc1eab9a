//! Lays out the sections of an object file that a function needs, and fills in their addresses, as the linker
//! would.
//!
//! Source of the relocations' numbers and meanings: "System V ABI, MIPS RISC Processor Supplement", third edition,
//! chapter 4, figure 4-11; R_MIPS_PC16 and R_MIPS_JALR as GNU binutils has them (`include/elf/mips.h`). The addend
//! stands in the code. Addresses of data (HI16, LO16, GOT16 ...) are not modelled: a function that needs them
//! cannot be linked.

use rhomb_machine::{Filled, Linking, Placement, SECTION_GAP};
use rhomb_object::{Code, Kind, Memory, ObjectFile, Open, Relocation, Section, Target, shown};
use std::collections::BTreeMap;
use std::ops::Range;

pub mod flags;

/// A function with all that it needs, at addresses of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linked {
    /// Byte address of the first word.
    pub origin: u32,
    /// The code.
    pub words: Vec<u32>,
    /// Where in it the function stands, in bytes.
    pub routine: Range<usize>,
    /// Where in it the sections stand, in bytes, with their numbers, the first at the start.
    pub sections: Vec<(Range<usize>, usize)>,
    /// What the linker may still change.
    pub placement: Placement,
}

/// R_MIPS_NONE.
const NONE: u32 = 0;
/// R_MIPS_26.
const JUMP: u32 = 4;
/// R_MIPS_PC16.
const PC16: u32 = 10;
/// R_MIPS_JALR.
const JALR: u32 = 37;

/// Bytes of code that are laid out: what a jump reaches.
const MOST_BYTES: usize = 1 << 26;

/// Why a function cannot be linked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// Its file is for big-endian processors.
    #[error("'{0}' is big-endian code; valid: little-endian")]
    BigEndian(String),
    /// It does not consist of whole words at a word's address, as compressed code does.
    #[error("'{0}' does not consist of whole words of MIPS32 code")]
    Odd(String),
    /// It needs something that is not in the file.
    #[error("'{function}' needs '{symbol}', which is not in the file")]
    Elsewhere {
        /// The function.
        function: String,
        /// What it needs.
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
    /// A target out of reach.
    #[error("'{function}' cannot reach '{symbol}' from offset {offset:#x}")]
    Reach {
        /// The function.
        function: String,
        /// The target.
        symbol: String,
        /// Where in the section.
        offset: usize,
    },
    /// Its sections are larger than a jump reaches.
    #[error("the sections that '{0}' needs have more than {MOST_BYTES} bytes")]
    Size(String),
}

/// The function with its section and all sections to which these jump. What is linked keeps its address; else the
/// function's own section comes first, at address 0.
///
/// # Errors
/// [`LinkError`]: only what stands in the function itself; elsewhere, what cannot be filled in is not executed.
pub fn link(file: &ObjectFile<'_>, code: &Code<'_>) -> Result<Linked, LinkError> {
    let function = || shown(code.name);
    let routine = code.offset..code.offset + code.size;
    if !code.little_endian {
        return Err(LinkError::BigEndian(function()));
    }
    if !routine.start.is_multiple_of(4) || !routine.end.is_multiple_of(4) {
        return Err(LinkError::Odd(function()));
    }
    let linking = match file.kind() {
        Kind::Relocatable => Linking::Open,
        Kind::Executable => Linking::Final,
        Kind::Shared => Linking::Movable,
    };
    let mut placement = Placement::new(linking);
    if linking != Linking::Open {
        let memory = file.memory(code, 4, MOST_BYTES as u64).ok_or_else(|| LinkError::Odd(function()))?;
        for (_, section) in &memory.sections {
            placement.add_section(section.addresses());
        }
        let sections =
            memory.sections.iter().map(|(place, section)| (place.clone(), section.index)).collect();
        let Memory { origin, bytes, routine, .. } = memory;
        return Ok(Linked { origin, words: words(&bytes), routine, sections, placement });
    }
    let order = file.needed(code.section);
    let needed = file.needed_ranges(code, addend);
    if order.iter().map(|section| section.bytes.len() + 2 * SECTION_GAP).sum::<usize>() > MOST_BYTES {
        return Err(LinkError::Size(function()));
    }
    let (mut all, mut places) = (Vec::new(), BTreeMap::new());
    for section in &order {
        let start = 4 * all.len();
        places.insert(section.index, start);
        placement.add_section(start as u32..(start + section.bytes.len()) as u32);
        all.extend(words(section.bytes));
        all.resize(all.len() + SECTION_GAP / 4, 0);
    }
    for section in &order {
        for relocation in &section.relocations {
            let at = places[&section.index] + relocation.offset;
            let own = section.index == code.section.index && routine.contains(&relocation.offset);
            let word = all.get_mut(at / 4).filter(|_| relocation.offset.is_multiple_of(4));
            let word = word.ok_or_else(|| LinkError::Odd(function()));
            let result = word.and_then(|word| {
                *word = filled(*word, at as i64, relocation, &places, code.name)?;
                Ok(())
            });
            let same = matches!(relocation.target, Target::Section { index, .. } if index == section.index);
            match (result, relocation.kind, relocation.target) {
                (Err(error), ..) if own => return Err(error),
                (Err(_), ..) => placement.fill(at as u32, 4, Filled::Missing),
                (Ok(()), NONE | JALR, _) => {}
                // a section stays together
                (Ok(()), PC16, _) if same => {}
                (Ok(()), _, Target::Section { .. }) => placement.fill(at as u32, 4, Filled::Branch),
                // a jump to a number
                (Ok(()), ..) => placement.fill(at as u32, 4, Filled::Missing),
            }
            let here = |(index, range): &(usize, Range<usize>)| {
                *index == section.index && range.contains(&relocation.offset)
            };
            if !same && needed.iter().any(here) && ![NONE, JALR].contains(&relocation.kind) {
                placement.relocations.push(relocation.told(section, "jump to", addend(section, relocation)));
            }
        }
    }
    let place = |section: &&Section<'_>| {
        let start = places[&section.index];
        (start..start + section.bytes.len(), section.index)
    };
    let sections = order.iter().map(place).collect();
    Ok(Linked { origin: 0, words: all, routine, sections, placement })
}

fn words(bytes: &[u8]) -> Vec<u32> {
    let word = |bytes: &[u8]| match *bytes {
        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
        // a part of a word is none
        _ => 0,
    };
    bytes.chunks(4).map(word).collect()
}

/// What the lowest bits of a word count, in bytes.
fn written(word: u32, bits: u32) -> i64 {
    i64::from((word << (32 - bits)) as i32 >> (32 - bits)) * 4
}

/// What a jump adds to the address of its symbol.
fn addend(section: &Section<'_>, relocation: &Relocation<'_>) -> i64 {
    let bits = if relocation.kind == PC16 { 16 } else { 26 };
    let bytes = section.bytes.get(relocation.offset..).and_then(|bytes| bytes.first_chunk::<4>());
    let in_word = bytes.map_or(0, |bytes| written(u32::from_le_bytes(*bytes), bits));
    relocation.addend.unwrap_or(in_word)
}

/// A word with its relocation filled in; `at` is its byte address.
fn filled(
    word: u32,
    at: i64,
    relocation: &Relocation<'_>,
    places: &BTreeMap<usize, usize>,
    function: &str,
) -> Result<u32, LinkError> {
    let (function, symbol) = (|| shown(function), || shown(&relocation.symbol));
    let Relocation { offset, kind, .. } = *relocation;
    // width in bits of a field that counts words, and whether it counts from the relocation
    let (bits, relative) = match kind {
        // the second is a hint
        NONE | JALR => return Ok(word),
        JUMP => (26, false),
        PC16 => (16, true),
        _ => return Err(LinkError::Kind { function: function(), kind, offset }),
    };
    let elsewhere = || LinkError::Elsewhere { function: function(), symbol: symbol() };
    if let (Some(why), Target::Section { .. } | Target::Absolute(_)) = (relocation.open, relocation.target) {
        return Err(LinkError::Open { function: function(), symbol: symbol(), why });
    }
    let start = match relocation.target {
        Target::Section { index, offset } => {
            let place = places.get(&index).ok_or_else(elsewhere)?;
            (*place as i64).wrapping_add_unsigned(offset)
        }
        Target::Absolute(value) => value as i64,
        Target::Elsewhere => return Err(elsewhere()),
    };
    let target = start.wrapping_add(relocation.addend.unwrap_or(written(word, bits)));
    let distance = if relative { target - at } else { target };
    let least = if relative { -(1 << (bits + 1)) } else { 0 };
    let most = if relative { 1 << (bits + 1) } else { 1i64 << (bits + 2) };
    if distance % 4 != 0 || !(least..most).contains(&distance) {
        return Err(LinkError::Reach { function: function(), symbol: symbol(), offset });
    }
    let mask = u32::MAX >> (32 - bits);
    Ok(word & !mask | (distance / 4) as u32 & mask)
}
