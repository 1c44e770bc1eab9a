use crate::parts::{Debug, Definition, Symbol};
use crate::{Choices, Code, Kind, Machine, ObjectError, Open, Relocation, Section, Target};
use std::collections::BTreeSet;
use std::ops::Range;

/// An ELF file, read.
#[derive(Clone, Debug)]
pub struct ObjectFile<'data> {
    pub(crate) machine: Machine,
    pub(crate) flags: u32,
    pub(crate) wide: bool,
    pub(crate) kind: Kind,
    pub(crate) little_endian: bool,
    pub(crate) sections: Vec<Section<'data>>,
    pub(crate) symbols: Vec<Symbol<'data>>,
    /// Per code section, the offsets at which a function or object starts, ascending.
    pub(crate) starts: Vec<Vec<u64>>,
    pub(crate) debug: Debug<'data>,
    pub(crate) data_memory: Range<u64>,
}

/// A function that a file defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionSymbol<'file> {
    /// The symbol's name.
    pub name: &'file str,
    /// Name of its section.
    pub section: &'file str,
    /// As [`Code::address`].
    pub address: u64,
    /// As [`Code::size`].
    pub size: usize,
}

impl<'data> ObjectFile<'data> {
    /// The processor that the file is for.
    pub fn machine(&self) -> Machine {
        self.machine
    }

    /// Whether the file is linked.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The processor's own flags from the file's header (`e_flags`).
    pub fn flags(&self) -> u32 {
        self.flags
    }

    /// Whether it is a file of a processor of 64 bits (`ELFCLASS64`).
    pub fn is_wide(&self) -> bool {
        self.wide
    }

    /// The sections that hold code, and those with constants.
    pub fn sections(&self) -> &[Section<'data>] {
        &self.sections
    }

    /// The section with a number, if it holds code.
    pub fn section(&self, index: usize) -> Option<&Section<'data>> {
        self.sections.iter().find(|section| section.index == index)
    }

    /// The addresses of a data memory of its own that a linked file takes, whatever stands there.
    pub fn data_memory(&self) -> Range<u64> {
        self.data_memory.clone()
    }

    /// The variable at an offset of a section that is not read.
    pub(crate) fn variable(&self, index: usize, at: u64) -> Option<&str> {
        let holds = |symbol: &&Symbol<'data>| match symbol.place {
            Definition::Data { section, offset } => {
                section == Some(index) && at.checked_sub(offset).is_some_and(|at| at < symbol.size.max(1))
            }
            _ => false,
        };
        self.symbols.iter().find(holds).map(|symbol| &*symbol.name)
    }

    /// The constants that have a name in a section of constants: their offsets, each byte once, in the order of the section.
    pub fn constants(&self, section: &Section<'_>) -> Vec<(&str, Range<usize>)> {
        let named = |symbol: &'_ Symbol<'data>| match symbol.place {
            Definition::Constant { slot, offset } if self.sections[slot].index == section.index => {
                let range =
                    usize::try_from(offset).ok()?..usize::try_from(offset + i128::from(symbol.size)).ok()?;
                (!range.is_empty() && range.end <= section.bytes.len()).then_some(range)
            }
            _ => None,
        };
        let mut found: Vec<_> =
            self.symbols.iter().filter_map(|symbol| Some((&*symbol.name, named(symbol)?))).collect();
        found.sort_by_key(|(name, range)| (range.start, range.end, *name));
        let mut next = 0;
        found.retain(|(_, range)| {
            let is_apart = range.start >= next;
            next = next.max(range.end);
            is_apart
        });
        found
    }

    /// A section, and all to which its relocations and those of the others refer.
    pub fn needed<'file>(&'file self, first: &'file Section<'data>) -> Vec<&'file Section<'data>> {
        let mut order = vec![first];
        let mut next = 0;
        while let Some(section) = order.get(next).copied() {
            next += 1;
            for relocation in &section.relocations {
                let Target::Section { index, .. } = relocation.target else { continue };
                if let Some(found) = self.section(index)
                    && order.iter().all(|known| known.index != found.index)
                {
                    order.push(found);
                }
            }
        }
        order
    }

    /// The parts of sections, by their numbers, that a function may execute or read, as far as relocations tell: itself
    /// and the functions and tables that it refers to, also by addresses among constants if these are followed. `addend` says
    /// what a relocation adds to its symbol.
    pub fn needed_ranges(
        &self,
        code: &Code<'_>,
        through_constants: bool,
        addend: impl Fn(&Section<'data>, &Relocation<'data>) -> i64,
    ) -> Vec<(usize, Range<usize>)> {
        let functions: Vec<_> = self.functions().collect();
        let mut ranges = vec![(code.section.index, code.offset..code.offset + code.size)];
        let mut seen = BTreeSet::from([(code.section.index, code.offset)]);
        let mut next = 0;
        while let Some((index, range)) = ranges.get(next).cloned() {
            next += 1;
            let section = self.section(index).filter(|section| through_constants || !section.constants);
            let Some(section) = section else { continue };
            for relocation in section.relocations.iter().filter(|one| range.contains(&one.offset)) {
                let Target::Section { index, offset } = relocation.target else { continue };
                let Some(found) = self.section(index) else { continue };
                let offset = offset.wrapping_add_signed(addend(section, relocation)) as usize;
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

    /// The functions that the file defines, in the order of its symbol table.
    ///
    /// Hand-written assembly often leaves a symbol's type out, so these are the symbols of type
    /// function and the global ones without a type, in sections that hold code. Symbols without
    /// any code are left out.
    pub fn functions(&self) -> impl Iterator<Item = FunctionSymbol<'_>> {
        self.symbols.iter().filter(|symbol| symbol.listed()).filter_map(|symbol| {
            let code = self.code(symbol).ok()?;
            let section = &*code.section.name;
            Some(FunctionSymbol { name: code.name, section, address: code.address, size: code.size })
        })
    }

    /// The code of the function called `name`. A local label without a type is found too, though
    /// not listed. Where a global and local functions share the name, it is the global one.
    ///
    /// # Errors
    /// Every [`ObjectError`] but those of [`ObjectFile::parse`] and [`Code::words`].
    pub fn function(&self, name: &str) -> Result<Code<'_>, ObjectError> {
        let named = || self.symbols.iter().filter(|symbol| symbol.name == name);
        let mut found: Vec<&Symbol<'_>> = named().filter(|symbol| symbol.is_code()).collect();
        if found.iter().any(|symbol| symbol.global) {
            found.retain(|symbol| symbol.global);
        }
        found.sort_by_key(|symbol| symbol.place);
        found.dedup_by_key(|symbol| symbol.place);
        match found[..] {
            [symbol] => self.code(symbol),
            [] => {
                let (name, choices) = (name.to_owned(), self.choices(name));
                Err(match named().next().map(|symbol| symbol.place) {
                    None => ObjectError::NoFunction { name, choices },
                    Some(Definition::Elsewhere) => ObjectError::Undefined { name, choices },
                    Some(_) => ObjectError::NotCode { name, choices },
                })
            }
            _ => Err(ObjectError::Ambiguous { name: name.to_owned(), count: found.len() }),
        }
    }

    fn choices(&self, wanted: &str) -> Choices {
        Choices::new(wanted, self.functions().map(|function| function.name))
    }

    /// The code of a symbol that is in a code section.
    fn code<'file>(&'file self, symbol: &'file Symbol<'data>) -> Result<Code<'file>, ObjectError> {
        let Definition::Code { slot, offset } = symbol.place else {
            return Err(ObjectError::damaged("symbol without code"));
        };
        // what stands there is not the function
        if let Some(why @ (Open::Indirect | Open::Compressed)) = symbol.open {
            return Err(ObjectError::Open { name: symbol.name.to_string(), why });
        }
        let section = &self.sections[slot];
        let length = section.bytes.len();
        let end = match symbol.size {
            0 => self.end(slot, offset),
            size => offset + i128::from(size),
        };
        let range = usize::try_from(offset).ok().zip(usize::try_from(end).ok());
        let Some((start, end)) = range.filter(|(start, end)| start <= end && *end <= length) else {
            return Err(ObjectError::OutsideSection {
                name: symbol.name.to_string(),
                section: section.name.to_string(),
                start: offset,
                end,
                section_size: length,
            });
        };
        if start == end {
            return Err(ObjectError::Empty { name: symbol.name.to_string() });
        }
        Ok(Code {
            name: &symbol.name,
            machine: self.machine,
            flags: self.flags,
            kind: self.kind,
            little_endian: self.little_endian,
            thumb: symbol.thumb,
            open: symbol.open.or(section.grouped.then_some(Open::Grouped)),
            section,
            offset: start,
            size: end - start,
            // a file may place a section so high that this wraps; then the address is as wrong as the file
            address: section.address.wrapping_add(start as u64),
        })
    }

    /// Where a function at `offset` ends whose symbol does not tell.
    fn end(&self, slot: usize, offset: i128) -> i128 {
        let starts = &self.starts[slot];
        let next = starts.partition_point(|start| i128::from(*start) <= offset);
        let section_end = self.sections[slot].bytes.len() as i128;
        match starts.get(next) {
            Some(start) => i128::from(*start).min(section_end),
            // past the end: the range check then names both numbers
            None => section_end.max(offset),
        }
    }
}
