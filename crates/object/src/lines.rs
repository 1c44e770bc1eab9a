//! Which line of the source an instruction comes from, where the file has DWARF's table of lines.
//!
//! Source of the format: DWARF 5, section 6.2; relocations of addresses: ELF for the AVR, as GNU's tools
//! number them; System V ABI, MIPS supplement, figure 4-11; ELF for the ARM architecture (IHI 0044), table 4-8.

use crate::parts::{Debug, Filling};
use crate::{Kind, Machine, ObjectFile, Section, Target};
use gimli::{
    AttributeValue, DebugLine, DebugLineOffset, DebugLineStr, DebugStr, EndianSlice, LineProgramHeader,
    Reader as _, RunTimeEndian,
};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The lines of a file.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    rows: Vec<Span>,
    names: Vec<String>,
    /// Of each code section, by number: where it stands among the addresses of the rows.
    bases: BTreeMap<usize, u64>,
}

/// Instructions that come from one line.
#[derive(Clone, Copy, Debug)]
struct Span {
    start: u64,
    end: u64,
    /// Number in [`Lines::names`].
    name: usize,
    line: u64,
}

/// A line of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceLine<'lines> {
    /// The file, as the compiler or assembler noted it.
    pub file: &'lines str,
    /// Its line, from 1.
    pub line: u64,
}

impl std::fmt::Display for SourceLine<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", crate::shown(self.file), self.line)
    }
}

/// Bytes of a name that are kept.
const MOST_NAME: usize = 1024;

type Slice<'a> = EndianSlice<'a, RunTimeEndian>;

impl ObjectFile<'_> {
    /// The lines that the file tells; none where it has no table of lines, a relocatable file is for a
    /// processor whose relocations are not known here, or from where the table is damaged: lines help people and prove nothing.
    pub fn lines(&self) -> Lines {
        let bases = bases(&self.sections, self.kind);
        let mut lines = Lines { bases, ..Lines::default() };
        let debug = &self.debug;
        let bytes = match self.kind {
            Kind::Executable | Kind::Shared => Cow::Borrowed(debug.line),
            Kind::Relocatable => Cow::Owned(filled(debug, &lines.bases, self.machine, self.little_endian)),
        };
        let endian = if self.little_endian { RunTimeEndian::Little } else { RunTimeEndian::Big };
        let strings = Strings {
            line: DebugLineStr::from(EndianSlice::new(debug.line_strings, endian)),
            other: DebugStr::from(EndianSlice::new(debug.strings, endian)),
        };
        let mut offset = 0;
        while let Some(next) = lines.program(&bytes, endian, offset, &strings) {
            offset = next;
        }
        lines.rows.sort_by_key(|row| row.start);
        lines
    }
}

impl Lines {
    /// The line of the instruction at an offset of the code section with this number.
    pub fn at(&self, section: usize, offset: u64) -> Option<SourceLine<'_>> {
        let address = self.bases.get(&section)?.checked_add(offset)?;
        let after = self.rows.partition_point(|row| row.start <= address);
        let row = self.rows[..after].last().filter(|row| address < row.end)?;
        Some(SourceLine { file: &self.names[row.name], line: row.line })
    }

    /// Reads one program of the table; gives the offset of the next, if there may be one.
    fn program(
        &mut self,
        bytes: &[u8],
        endian: RunTimeEndian,
        offset: usize,
        strings: &Strings<'_>,
    ) -> Option<usize> {
        const ADDRESS_SIZE: u8 = 4;
        if offset >= bytes.len() {
            return None;
        }
        let table = DebugLine::new(bytes, endian);
        let program = table.program(DebugLineOffset(offset), ADDRESS_SIZE, None, None).ok()?;
        let header = program.header();
        let length = usize::from(header.format().initial_length_size());
        let next = offset.checked_add(length)?.checked_add(header.unit_length())?;
        let mut names: BTreeMap<u64, Option<usize>> = BTreeMap::new();
        // the row before, whose end is the next one's start
        let mut before: Option<(u64, usize, u64)> = None;
        let mut rows = program.rows();
        while let Ok(Some((header, row))) = rows.next_row() {
            if let Some((start, name, line)) = before.take().filter(|before| before.0 < row.address()) {
                self.rows.push(Span { start, end: row.address(), name, line });
            }
            if row.end_sequence() {
                continue;
            }
            let name = *names.entry(row.file_index()).or_insert_with(|| {
                let name = name(header, row.file_index(), strings)?;
                self.names.push(name);
                Some(self.names.len() - 1)
            });
            before = name.zip(row.line()).map(|(name, line)| (row.address(), name, line.get()));
        }
        Some(next)
    }
}

/// Where the code sections stand: as linked, else one behind the other.
fn bases(sections: &[Section<'_>], kind: Kind) -> BTreeMap<usize, u64> {
    let mut next = 0;
    let base = |section: &Section<'_>| {
        let base = if kind == Kind::Relocatable { next } else { section.address };
        // an end of a section is not the start of another
        next += section.bytes.len() as u64 + 1;
        (section.index, base)
    };
    sections.iter().map(base).collect()
}

/// `.debug_line` with its addresses filled in.
fn filled(debug: &Debug<'_>, bases: &BTreeMap<usize, u64>, machine: Machine, little_endian: bool) -> Vec<u8> {
    let mut bytes = debug.line.to_vec();
    for Filling { offset, kind, target, addend } in &debug.relocations {
        // R_AVR_32, R_MIPS_32, R_ARM_ABS32; R_AVR_16; what others would fill in stands there already
        let size = match (machine, kind) {
            (Machine::AVR, 1) | (Machine::MIPS | Machine::ARM, 2) => 4,
            (Machine::AVR, 4) => 2,
            _ => continue,
        };
        let address = match target {
            // strings stand in sections of their own, from 0
            Target::Section { index, offset } => bases.get(index).copied().unwrap_or(0).wrapping_add(*offset),
            Target::Absolute(value) => *value,
            Target::Elsewhere => continue,
        };
        let slot = usize::try_from(*offset).ok().and_then(|start| bytes.get_mut(start..)?.get_mut(..size));
        if let Some(slot) = slot {
            let written = slot.iter().enumerate().fold(0, |sum, (place, byte)| {
                let place = if little_endian { place } else { size - 1 - place };
                sum | i64::from(*byte) << (8 * place)
            });
            let value = address.wrapping_add_signed(addend.unwrap_or(written)).to_le_bytes();
            slot.copy_from_slice(&value[..size]);
            if !little_endian {
                slot.reverse();
            }
        }
    }
    bytes
}

/// Where names stand that the table only refers to.
struct Strings<'a> {
    line: DebugLineStr<Slice<'a>>,
    other: DebugStr<Slice<'a>>,
}

impl Strings<'_> {
    fn text(&self, value: AttributeValue<Slice<'_>>) -> Option<String> {
        let bytes = |slice: Slice<'_>| slice.slice()[..slice.len().min(MOST_NAME)].to_vec();
        let bytes = match value {
            AttributeValue::String(slice) => bytes(slice),
            AttributeValue::DebugLineStrRef(offset) => bytes(self.line.get_str(offset).ok()?),
            AttributeValue::DebugStrRef(offset) => bytes(self.other.get_str(offset).ok()?),
            _ => return None,
        };
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// A file's name; with its directory, unless that is the one in which the compiler was run.
fn name(header: &LineProgramHeader<Slice<'_>>, index: u64, strings: &Strings<'_>) -> Option<String> {
    let file = header.file(index)?;
    let name = strings.text(file.path_name())?;
    let directory = match file.directory_index() {
        0 => None,
        _ => file.directory(header).and_then(|directory| strings.text(directory)),
    };
    Some(match directory.filter(|_| !name.starts_with('/')) {
        Some(directory) => format!("{directory}/{name}"),
        None => name,
    })
}
