//! Lays out the sections of an object file that a function needs, and fills in their addresses, as the linker
//! would.
//!
//! Source of the relocations' numbers and meanings: "System V ABI, MIPS RISC Processor Supplement", third edition,
//! chapter 4, figure 4-11; R_MIPS_PC16 and R_MIPS_JALR as GNU binutils has them (`include/elf/mips.h`). The addend
//! stands in the code. Addresses of data (HI16, LO16, GOT16 ...) are not modelled: a function that needs them
//! cannot be linked.

use rhomb_object::{Code, Kind, ObjectFile, Relocation, Section, Target, shown};
use std::collections::BTreeMap;
use std::ops::Range;

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
}

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

/// A word that is no instruction: where nothing is known, nothing can be executed.
const NOTHING: u32 = u32::MAX;

/// The function with its section and all sections to which these jump. What is linked keeps its address; else the
/// function's own section comes first, at address 0.
///
/// # Errors
/// [`LinkError`]: only what stands in the function itself; elsewhere, what cannot be filled in is no instruction.
pub fn link(file: &ObjectFile<'_>, code: &Code<'_>) -> Result<Linked, LinkError> {
    let function = || shown(code.name);
    let routine = code.offset..code.offset + code.size;
    if !code.little_endian {
        return Err(LinkError::BigEndian(function()));
    }
    if !routine.start.is_multiple_of(4) || !routine.end.is_multiple_of(4) {
        return Err(LinkError::Odd(function()));
    }
    if file.kind() == Kind::Executable {
        let origin = u32::try_from(code.section.address).ok().filter(|origin| origin.is_multiple_of(4));
        let origin = origin.ok_or_else(|| LinkError::Odd(function()))?;
        let words = words(code.section.bytes);
        let sections = vec![(0..4 * words.len(), code.section.index)];
        return Ok(Linked { origin, words, routine, sections });
    }
    let order = needed(file, code.section);
    if order.iter().map(|section| section.bytes.len() + 4).sum::<usize>() > MOST_BYTES {
        return Err(LinkError::Size(function()));
    }
    let (mut all, mut places) = (Vec::new(), BTreeMap::new());
    for section in &order {
        places.insert(section.index, 4 * all.len());
        all.extend(words(section.bytes));
    }
    for section in &order {
        for relocation in &section.relocations {
            let at = places[&section.index] + relocation.offset;
            let Some(word) = all.get_mut(at / 4).filter(|_| relocation.offset.is_multiple_of(4)) else {
                continue;
            };
            match filled(*word, at as i64, relocation, &places, code.name) {
                Ok(filled) => *word = filled,
                Err(error) if section.index == code.section.index && routine.contains(&relocation.offset) => {
                    return Err(error);
                }
                Err(_) => *word = NOTHING,
            }
        }
    }
    let place = |section: &&Section<'_>| {
        let start = places[&section.index];
        (start..start + section.bytes.len(), section.index)
    };
    let sections = order.iter().map(place).collect();
    Ok(Linked { origin: 0, words: all, routine, sections })
}

fn words(bytes: &[u8]) -> Vec<u32> {
    let word = |bytes: &[u8]| match *bytes {
        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
        _ => NOTHING,
    };
    bytes.chunks(4).map(word).collect()
}

/// The first section, and all to which its relocations and those of the others refer.
fn needed<'file>(file: &'file ObjectFile<'_>, first: &'file Section<'_>) -> Vec<&'file Section<'file>> {
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
        // R_MIPS_NONE; R_MIPS_JALR, a hint
        0 | 37 => return Ok(word),
        // R_MIPS_26
        4 => (26, false),
        // R_MIPS_PC16
        10 => (16, true),
        _ => return Err(LinkError::Kind { function: function(), kind, offset }),
    };
    let elsewhere = || LinkError::Elsewhere { function: function(), symbol: symbol() };
    let start = match relocation.target {
        Target::Section { index, offset } => {
            let place = places.get(&index).ok_or_else(elsewhere)?;
            (*place as i64).wrapping_add_unsigned(offset)
        }
        Target::Absolute(value) => value as i64,
        Target::Elsewhere => return Err(elsewhere()),
    };
    let written = i64::from((word << (32 - bits)) as i32 >> (32 - bits)) * 4;
    let target = start.wrapping_add(relocation.addend.unwrap_or(written));
    let distance = if relative { target - at } else { target };
    let least = if relative { -(1 << (bits + 1)) } else { 0 };
    let most = if relative { 1 << (bits + 1) } else { 1i64 << (bits + 2) };
    if distance % 4 != 0 || !(least..most).contains(&distance) {
        return Err(LinkError::Reach { function: function(), symbol: symbol(), offset });
    }
    let mask = u32::MAX >> (32 - bits);
    Ok(word & !mask | (distance / 4) as u32 & mask)
}
