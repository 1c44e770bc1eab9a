use crate::{Kind, Machine, ObjectError, Open, shown};
use std::borrow::Cow;
use std::ops::Range;

/// The code of one function, and what is needed to follow its calls to neighbours.
#[derive(Clone, Copy, Debug)]
pub struct Code<'file> {
    /// The symbol's name.
    pub name: &'file str,
    /// The file's processor.
    pub machine: Machine,
    /// The processor's own flags from the file's header (`e_flags`).
    pub flags: u32,
    /// Whether the file is linked.
    pub kind: Kind,
    /// Byte order of the file.
    pub little_endian: bool,
    /// ARM only: the symbol says that the code is Thumb.
    pub thumb: bool,
    /// Why the linker may take another function of that name, if it may.
    pub open: Option<Open>,
    /// The section that holds the function, whole.
    pub section: &'file Section<'file>,
    /// Start of the function in the section, in bytes.
    pub offset: usize,
    /// Size of the function in bytes, at least 1. From the symbol; where the symbol says 0, up to
    /// the next function or object in the section, or to the section's end.
    pub size: usize,
    /// Address of the first byte: the load address in an executable, the offset in the section in a
    /// relocatable file. In bytes, also where the processor counts program addresses in words.
    pub address: u64,
}

impl<'file> Code<'file> {
    /// The function's bytes.
    pub fn bytes(&self) -> &'file [u8] {
        &self.section.bytes[self.offset..self.offset + self.size]
    }

    /// The function's relocations, by offset (which counts from the start of the section).
    pub fn relocations(&self) -> &'file [Relocation<'file>] {
        let all = &self.section.relocations;
        let first = all.partition_point(|relocation| relocation.offset < self.offset);
        let after = all.partition_point(|relocation| relocation.offset < self.offset + self.size);
        &all[first..after]
    }

    /// The function as little-endian 16-bit words.
    ///
    /// # Errors
    /// [`ObjectError::Odd`] when size or offset is odd, [`ObjectError::BigEndian`].
    pub fn words(&self) -> Result<Vec<u16>, ObjectError> {
        self.check_words(self.name, self.offset, self.size)?;
        Ok(words(self.bytes()))
    }

    /// The whole section as little-endian 16-bit words; the function starts at word `offset / 2`.
    ///
    /// # Errors
    /// As for [`Code::words`], about the section.
    pub fn section_words(&self) -> Result<Vec<u16>, ObjectError> {
        self.check_words(&self.section.name, self.offset, self.section.bytes.len())?;
        Ok(words(self.section.bytes))
    }

    fn check_words(&self, name: &str, offset: usize, size: usize) -> Result<(), ObjectError> {
        if !self.little_endian {
            return Err(ObjectError::BigEndian { machine: self.machine });
        }
        for (what, value) in [("offset in bytes", offset), ("size in bytes", size)] {
            if value % 2 != 0 {
                return Err(ObjectError::Odd { name: name.to_owned(), what, value });
            }
        }
        Ok(())
    }
}

fn words(bytes: &[u8]) -> Vec<u16> {
    bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect()
}

/// A section that holds code or constants, or a table in program memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section<'data> {
    /// Its name, such as `.text`.
    pub name: Cow<'data, str>,
    /// Its number in the file, which [`Target::Section`] refers to.
    pub index: usize,
    /// Load address in an executable, in bytes; 0 in a relocatable file.
    pub address: u64,
    /// Its content.
    pub bytes: &'data [u8],
    /// What is still to be filled in, by offset. Empty in an executable.
    pub relocations: Vec<Relocation<'data>>,
    /// What its address is a multiple of, at least 1.
    pub alignment: u64,
    /// Whether it is in a group, of which the linker keeps one file's.
    pub grouped: bool,
    /// Constants that code reads as data: no symbol in it is a function.
    pub constants: bool,
    /// ARM and RISC-V: from which offset on the section holds what, by offset. Empty where the file does not say.
    pub contents: Vec<(usize, Content)>,
}

/// What a part of a section holds, as its mapping symbols say (Arm IHI 0044, 4.5.5; RISC-V ABIs Specification, "Mapping
/// Symbol").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// `$a`, `$x`: instructions, of ARM state.
    Code,
    /// `$t`: instructions of Thumb state.
    Thumb,
    /// `$d`: data, such as a pool of literals.
    Data,
}

impl Section<'_> {
    /// Where it lies, of an executable and of a section as [`crate::Memory`] has it.
    pub fn addresses(&self) -> Range<u32> {
        let start = self.address as u32;
        start..start.saturating_add(self.bytes.len() as u32)
    }

    /// What stands at an offset, if the file says so.
    pub fn content(&self, offset: usize) -> Option<Content> {
        let next = self.contents.partition_point(|(start, _)| *start <= offset);
        Some(self.contents.get(next.checked_sub(1)?)?.1)
    }

    /// ARM only: whether Thumb instructions stand anywhere in these bytes of the section, as far as its mapping
    /// symbols say.
    pub fn has_thumb(&self, range: Range<usize>) -> bool {
        let ends = self.contents.iter().skip(1).map(|(start, _)| *start).chain([usize::MAX]);
        let mut parts = self.contents.iter().zip(ends);
        parts.any(|((start, content), end)| {
            *content == Content::Thumb && *start < range.end && end > range.start
        })
    }
}

/// A place in a section whose value the linker fills in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relocation<'data> {
    /// Offset in the section, in bytes.
    pub offset: usize,
    /// The kind's number, whose meaning is the processor's (`r_type`).
    pub kind: u32,
    /// Name of the symbol referred to; of the section where the symbol is only a section's mark;
    /// empty when there is none.
    pub symbol: Cow<'data, str>,
    /// Where that symbol is.
    pub target: Target,
    /// Why it may yet be elsewhere, or something else.
    pub open: Option<Open>,
    /// Added to the symbol's address. `None`: it stands in the code at `offset`.
    pub addend: Option<i64>,
    /// Its place in the file's tables for the section, which may be another one than by offsets.
    pub order: usize,
}

impl Relocation<'_> {
    /// For people: where it stands, what is filled in, and of which symbol, to which so much was added.
    pub fn told(&self, section: &Section<'_>, what: &str, addend: i64) -> String {
        let (section, symbol) = (shown(&section.name), shown(&self.symbol));
        let sign = if addend < 0 { '-' } else { '+' };
        let moved = if addend == 0 { String::new() } else { format!("{sign}{:#x}", addend.unsigned_abs()) };
        format!("{section}+{:#x}: {what} {symbol}{moved}", self.offset)
    }
}

/// Where a symbol is that a relocation refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// In a section of this file.
    Section {
        /// Number of the section, as in [`Section::index`].
        index: usize,
        /// Offset in that section, in bytes.
        offset: u64,
    },
    /// A fixed value.
    Absolute(u64),
    /// In another file, or not yet placed.
    Elsewhere,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mapping_symbols_tell_what_stands_where() {
        let contents =
            vec![(4, Content::Code), (8, Content::Data), (12, Content::Thumb), (14, Content::Code)];
        let section = Section {
            name: ".text".into(),
            index: 1,
            address: 0,
            bytes: &[0; 20],
            alignment: 4,
            grouped: false,
            relocations: Vec::new(),
            constants: false,
            contents,
        };
        let at = |offset| section.content(offset);
        assert_eq!([at(0), at(4), at(7)], [None, Some(Content::Code), Some(Content::Code)]);
        assert_eq!(
            [at(8), at(13), at(100)],
            [Some(Content::Data), Some(Content::Thumb), Some(Content::Code)]
        );
        assert!(section.has_thumb(0..20) && section.has_thumb(13..14) && section.has_thumb(8..13));
        assert!(!section.has_thumb(0..12) && !section.has_thumb(14..20) && !section.has_thumb(12..12));
        assert!(!Section { contents: Vec::new(), ..section }.has_thumb(0..20));
    }
}
