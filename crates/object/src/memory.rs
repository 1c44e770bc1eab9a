//! A linked file as it lies in memory.

use crate::{Code, ObjectFile, Section};
use std::ops::Range;

/// Code and constants of a linked file at their addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory<'file> {
    /// Address of the first byte.
    pub origin: u32,
    /// What lies there, with all bits set between sections.
    pub bytes: Vec<u8>,
    /// Where in `bytes` the function lies.
    pub routine: Range<usize>,
    /// Where in `bytes` each section lies, by address.
    pub sections: Vec<(Range<usize>, &'file Section<'file>)>,
}

impl ObjectFile<'_> {
    /// All sections of a linked file that lie at multiples of `alignment` below 4 GiB, if they overlap nowhere and lie
    /// within `most` bytes; else the function's own section. None if that lies elsewhere itself. Constants are left out if they
    /// are `apart`, in a data memory of their own.
    pub fn memory<'file>(
        &'file self,
        code: &Code<'file>,
        alignment: u64,
        most: u64,
        apart: bool,
    ) -> Option<Memory<'file>> {
        let end = |section: &Section<'_>| section.address.checked_add(section.bytes.len() as u64);
        let fits = |section: &Section<'_>| {
            section.address.is_multiple_of(alignment) && end(section).is_some_and(|end| end < 1 << 32)
        };
        if !fits(code.section) {
            return None;
        }
        let holds = |section: &&Section<'_>| {
            fits(section) && !section.bytes.is_empty() && !(apart && section.constants)
        };
        let mut sections: Vec<&Section<'file>> = self.sections().iter().filter(holds).collect();
        sections.sort_by_key(|section| section.address);
        let overlap = sections.windows(2).any(|pair| end(pair[0]).is_none_or(|end| end > pair[1].address));
        let spread = match sections[..] {
            [first, .., last] => end(last)?.saturating_sub(first.address),
            _ => 0,
        };
        if overlap || spread > most {
            sections = vec![code.section];
        }
        let origin = sections.first()?.address;
        let (mut bytes, mut placed, mut routine) = (Vec::new(), Vec::new(), None);
        for section in sections {
            let start = (section.address - origin) as usize;
            bytes.resize(start, 0xff);
            bytes.extend_from_slice(section.bytes);
            placed.push((start..bytes.len(), section));
            if section.index == code.section.index {
                routine = Some(start + code.offset..start + code.offset + code.size);
            }
        }
        Some(Memory { origin: u32::try_from(origin).ok()?, bytes, routine: routine?, sections: placed })
    }
}
