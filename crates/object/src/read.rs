//! From the bytes of a file to sections, symbols and relocations.

use crate::parts::{Debug, Definition, Filling, Role, Symbol};
use crate::{Content, Kind, Machine, ObjectError, ObjectFile, Open, Relocation, Section, Target, shown};
use object::elf;
use object::read::elf::{
    FileHeader, ProgramHeader, Rel, Rela, SectionHeader, SectionTable, Sym, SymbolTable,
};
use object::{Endianness, SectionIndex, SymbolIndex};
use std::borrow::Cow;
use std::ops::Range;

impl<'data> ObjectFile<'data> {
    /// Reads an ELF file, 32 or 64 bit, of any byte order.
    ///
    /// # Errors
    /// [`ObjectError::NotElf`], [`ObjectError::FileType`], [`ObjectError::Damaged`].
    pub fn parse(bytes: &'data [u8]) -> Result<Self, ObjectError> {
        const CLASS: usize = 4;
        if !bytes.starts_with(&elf::ELFMAG) {
            return Err(ObjectError::NotElf { found: look(bytes) });
        }
        match bytes.get(CLASS) {
            Some(2) => Reader::<elf::FileHeader64<Endianness>>::new(bytes)?.read(),
            _ => Reader::<elf::FileHeader32<Endianness>>::new(bytes)?.read(),
        }
    }
}

/// What a file is that is not ELF.
fn look(data: &[u8]) -> &'static str {
    match data {
        [] => "it is empty",
        data if data.starts_with(b"!<arch>\n") => "it is a library archive, take its members out with ar",
        [b':', next, ..] if next.is_ascii_hexdigit() => {
            "it looks like Intel HEX, which has no symbols; use the file it was made from"
        }
        _ => "it starts with other bytes than 7f 45 4c 46",
    }
}

impl From<object::read::Error> for ObjectError {
    fn from(error: object::read::Error) -> Self {
        ObjectError::damaged(error)
    }
}

/// Whether linkers treat a section of this name by its name, so that it cannot hold code.
pub fn is_no_code(name: &str) -> bool {
    NO_CODE.iter().any(|other| name.starts_with(other))
}

/// Where linked files of an AVR have the data memory (binutils, `ld/scripttempl/avr.sc`).
const AVR_DATA: Range<u64> = 0x80_0000..0x81_0000;

/// How the names of sections begin that GNU ld treats by their names, whatever stands in them.
const NO_CODE: [&str; 14] = [
    ".ARM.",
    ".MIPS.",
    ".comment",
    ".debug",
    ".dynamic",
    ".eh_frame",
    ".gnu.attributes",
    ".gnu.warning",
    ".got",
    ".mdebug",
    ".note",
    ".pdr",
    ".reginfo",
    ".stab",
];

/// Reads one file; generic over 32 and 64 bit.
struct Reader<'data, Elf: FileHeader<Endian = Endianness>> {
    data: &'data [u8],
    header: &'data Elf,
    endian: Endianness,
    kind: Kind,
    sections: SectionTable<'data, Elf>,
    symbols: SymbolTable<'data, Elf>,
}

impl<'data, Elf: FileHeader<Endian = Endianness>> Reader<'data, Elf> {
    fn new(data: &'data [u8]) -> Result<Self, ObjectError> {
        let header = Elf::parse(data)?;
        let endian = header.endian()?;
        let kind = match header.e_type(endian) {
            elf::ET_REL => Kind::Relocatable,
            elf::ET_EXEC => Kind::Executable,
            elf::ET_DYN => Kind::Shared,
            other => return Err(ObjectError::FileType { number: other.0 }),
        };
        let sections = header.sections(endian, data)?;
        let symbols = sections.symbols(endian, data, elf::SHT_SYMTAB)?;
        Ok(Reader { data, header, endian, kind, sections, symbols })
    }

    fn read(self) -> Result<ObjectFile<'data>, ObjectError> {
        let mut sections = self.code_sections()?;
        // the position in `sections` of each section of the file that holds code
        let mut slots = vec![None; self.sections.len()];
        for (slot, section) in sections.iter().enumerate() {
            slots[section.index] = Some(slot);
        }
        let debug = self.debug();
        if self.kind == Kind::Relocatable {
            self.relocations(&mut sections, &slots)?;
        } else {
            self.no_text_relocations(&sections)?;
            self.loaded(&sections)?;
        }
        let mut symbols = Vec::new();
        // names may share their ends, but a file in which all share one long name is made to waste memory
        let mut room = 16 * self.data.len();
        for (index, symbol) in self.symbols.enumerate() {
            let found = self.symbol(index, symbol, &sections, &slots)?;
            let length = found.as_ref().map_or(0, |symbol| symbol.name.len());
            room =
                room.checked_sub(length).ok_or_else(|| ObjectError::damaged("symbols share their names"))?;
            symbols.extend(found);
        }
        let mut starts = vec![Vec::new(); sections.len()];
        for symbol in symbols.iter().filter(|symbol| symbol.is_start()) {
            if let Definition::Code { slot, offset } = symbol.place {
                starts[slot].extend(u64::try_from(offset));
            }
        }
        starts.iter_mut().for_each(|starts| starts.sort_unstable());
        self.contents(&mut sections, &slots)?;
        Ok(ObjectFile {
            machine: Machine(self.header.e_machine(self.endian).0),
            flags: self.header.e_flags(self.endian).0,
            wide: self.header.is_class_64(),
            kind: self.kind,
            little_endian: self.header.is_little_endian(),
            sections,
            symbols,
            starts,
            debug,
            data_memory: self.data_memory(),
        })
    }

    fn is_arm(&self) -> bool {
        self.header.e_machine(self.endian) == elf::EM_ARM
    }

    /// Puts mapping symbols into their sections.
    fn contents(&self, sections: &mut [Section<'data>], slots: &[Option<usize>]) -> Result<(), ObjectError> {
        let is_riscv = self.header.e_machine(self.endian) == elf::EM_RISCV;
        for (index, symbol) in self.symbols.enumerate().filter(|_| self.is_arm() || is_riscv) {
            if symbol.st_type() != elf::STT_NOTYPE {
                continue;
            }
            // `$a` or `$a.` and anything; `$x` and anything
            let name = self.symbols.symbol_name(self.endian, symbol)?;
            let content = match name {
                [b'$', b'a'] | [b'$', b'a', b'.', ..] => Content::Code,
                [b'$', b'x', ..] => Content::Code,
                [b'$', b't'] | [b'$', b't', b'.', ..] => Content::Thumb,
                [b'$', b'd'] | [b'$', b'd', b'.', ..] => Content::Data,
                _ => continue,
            };
            let section = self.symbols.symbol_section(self.endian, symbol, index)?;
            let Some(Some(slot)) = section.and_then(|section| slots.get(section.0)) else { continue };
            let section = &mut sections[*slot];
            let value: u64 = symbol.st_value(self.endian).into();
            let offset = value.checked_sub(section.address).and_then(|offset| usize::try_from(offset).ok());
            let offset = offset.ok_or_else(|| ObjectError::damaged("a mapping symbol before its section"))?;
            section.contents.push((offset, content));
        }
        sections.iter_mut().for_each(|section| section.contents.sort_by_key(|(offset, _)| *offset));
        Ok(())
    }

    fn code_sections(&self) -> Result<Vec<Section<'data>>, ObjectError> {
        let mut sections = Vec::new();
        for (index, header) in self.sections.enumerate() {
            let flags = header.sh_flags(self.endian).0;
            // tables in an AVR's program memory are marked by the name alone
            let is_avr = self.header.e_machine(self.endian) == elf::EM_AVR;
            let in_flash =
                is_avr && flags & elf::SHF_ALLOC.0 != 0 && self.section_name(index)?.starts_with(".progmem");
            let constant = flags & (elf::SHF_ALLOC.0 | elf::SHF_WRITE.0 | elf::SHF_EXECINSTR.0);
            let holds_constants = match is_avr {
                true => self.is_in_data_memory(index, header)?,
                false => constant == elf::SHF_ALLOC.0,
            };
            let constants = holds_constants && header.sh_type(self.endian) == elf::SHT_PROGBITS;
            if flags & elf::SHF_EXECINSTR.0 == 0 && !in_flash && !constants
                || header.sh_type(self.endian) == elf::SHT_NOBITS
            {
                continue;
            }
            // such as a note that the stack is executable: nothing of it is loaded
            if flags & elf::SHF_ALLOC.0 == 0 && header.sh_size(self.endian).into() == 0 {
                continue;
            }
            let name = self.section_name(index)?;
            let nameless = name.is_empty() || name.contains(char::is_control);
            if flags & elf::SHF_EXECINSTR.0 != 0 && (nameless || is_no_code(&name)) {
                return Err(ObjectError::damaged(format_args!(
                    "code section {index} is called '{}', as what linkers write themselves or leave out",
                    shown(&name)
                )));
            }
            if flags & elf::SHF_COMPRESSED.0 != 0 {
                return Err(ObjectError::damaged(format_args!("code section {index} is compressed")));
            }
            let address = match self.kind {
                Kind::Executable | Kind::Shared => header.sh_addr(self.endian).into(),
                Kind::Relocatable => 0,
            };
            let bytes = header.data(self.endian, self.data)?;
            sections.push(Section {
                grouped: self.is_grouped(index)?,
                name,
                index: index.0,
                address,
                bytes,
                relocations: Vec::new(),
                alignment: header.sh_addralign(self.endian).into().max(1),
                constants,
                contents: Vec::new(),
            });
        }
        Ok(sections)
    }

    /// Whether a section of an AVR's file lies in the data memory. Of a file that is not linked these are the ones that
    /// the linker puts there though nobody writes them, which it knows by their names (binutils, `ld/scripttempl/avr.sc`).
    fn is_in_data_memory(
        &self,
        index: SectionIndex,
        header: &Elf::SectionHeader,
    ) -> Result<bool, ObjectError> {
        let flags = header.sh_flags(self.endian).0;
        if flags & (elf::SHF_ALLOC.0 | elf::SHF_EXECINSTR.0) != elf::SHF_ALLOC.0 {
            return Ok(false);
        }
        if self.kind != Kind::Relocatable {
            return Ok(AVR_DATA.contains(&header.sh_addr(self.endian).into()));
        }
        let name = self.section_name(index)?;
        Ok(flags & elf::SHF_WRITE.0 == 0 && (name == ".rodata" || name.starts_with(".rodata.")))
    }

    /// The addresses of the data memory that a linked file of an AVR takes.
    fn data_memory(&self) -> Range<u64> {
        let mut taken = 0..0;
        for header in self.sections.iter() {
            let start: u64 = header.sh_addr(self.endian).into();
            let end = start.saturating_add(header.sh_size(self.endian).into()).min(AVR_DATA.end);
            let is_there =
                header.sh_flags(self.endian).0 & elf::SHF_ALLOC.0 != 0 && AVR_DATA.contains(&start);
            if self.kind != Kind::Relocatable && is_there && start < end {
                taken = match taken.is_empty() {
                    true => start..end,
                    false => taken.start.min(start)..taken.end.max(end),
                };
            }
        }
        taken
    }

    /// What tells lines. Faults in it are no faults of the code: what cannot be read is left out.
    fn debug(&self) -> Debug<'data> {
        let mut debug = Debug::default();
        let mut table = None;
        for (index, header) in self.sections.enumerate() {
            let Ok(name) = self.sections.section_name(self.endian, header) else { continue };
            let place = match name {
                b".debug_line" if debug.line.is_empty() => {
                    table = Some(index);
                    &mut debug.line
                }
                b".debug_line_str" => &mut debug.line_strings,
                b".debug_str" => &mut debug.strings,
                _ => continue,
            };
            if header.sh_flags(self.endian).0 & elf::SHF_COMPRESSED.0 == 0 {
                *place = header.data(self.endian, self.data).unwrap_or_default();
            }
        }
        let mips64el = self.header.is_mips64el(self.endian);
        let own = |header: &&Elf::SectionHeader| Some(header.info_link(self.endian)) == table;
        let mut fill = |symbol: Option<SymbolIndex>, offset: u64, kind: u32, addend: Option<i64>| {
            if let Some((_, target)) = symbol.and_then(|symbol| self.target(symbol).ok()) {
                debug.relocations.push(Filling { offset, kind, target, addend });
            }
        };
        let rela = |header: &Elf::SectionHeader| Some(header.rela(self.endian, self.data).ok()??.0);
        for entry in self.sections.iter().filter(own).find_map(rela).unwrap_or_default() {
            let kind = entry.r_type(self.endian, mips64el).0;
            let (offset, addend) = (entry.r_offset(self.endian).into(), entry.r_addend(self.endian).into());
            fill(entry.symbol(self.endian, mips64el), offset, kind, Some(addend));
        }
        let rel = |header: &Elf::SectionHeader| Some(header.rel(self.endian, self.data).ok()??.0);
        for entry in self.sections.iter().filter(own).find_map(rel).unwrap_or_default() {
            let kind = entry.r_type(self.endian).0;
            fill(entry.symbol(self.endian), entry.r_offset(self.endian).into(), kind, None);
        }
        debug
    }

    fn section_name(&self, index: SectionIndex) -> Result<Cow<'data, str>, ObjectError> {
        let header = self.sections.section(index)?;
        Ok(String::from_utf8_lossy(self.sections.section_name(self.endian, header)?))
    }

    /// `None` for what names no place in the program: sections, source files, mapping
    /// symbols.
    fn symbol(
        &self,
        index: SymbolIndex,
        symbol: &'data Elf::Sym,
        sections: &[Section<'data>],
        slots: &[Option<usize>],
    ) -> Result<Option<Symbol<'data>>, ObjectError> {
        let role = match symbol.st_type() {
            elf::STT_FUNC | elf::STT_GNU_IFUNC => Role::Function,
            elf::STT_NOTYPE => Role::Untyped,
            elf::STT_SECTION | elf::STT_FILE => return Ok(None),
            _ => Role::Object,
        };
        let name = String::from_utf8_lossy(self.symbols.symbol_name(self.endian, symbol)?);
        if name.is_empty() || (role == Role::Untyped && name.starts_with('$')) {
            return Ok(None);
        }
        let mut value: u64 = symbol.st_value(self.endian).into();
        let thumb = self.is_arm() && role == Role::Function && value & 1 == 1;
        value -= u64::from(thumb);
        let place = match self.symbols.symbol_section(self.endian, symbol, index)? {
            Some(section) => match slots.get(section.0) {
                Some(Some(slot)) => {
                    let (slot, section) = (*slot, &sections[*slot]);
                    let offset = i128::from(value) - i128::from(section.address);
                    match section.constants {
                        true => Definition::Constant { slot, offset },
                        false => Definition::Code { slot, offset },
                    }
                }
                Some(None) => Definition::Data { section: Some(section.0), offset: value },
                None => return Err(ObjectError::damaged("a symbol's section does not exist")),
            },
            None if symbol.is_undefined(self.endian) => Definition::Elsewhere,
            None => Definition::Data { section: None, offset: value },
        };
        let size = symbol.st_size(self.endian).into();
        let open = self.own_open(symbol);
        Ok(Some(Symbol { name, place, size, global: !symbol.is_local(), thumb, open, role }))
    }

    /// Adds to each code section its relocations, sorted.
    fn relocations(
        &self,
        sections: &mut [Section<'data>],
        slots: &[Option<usize>],
    ) -> Result<(), ObjectError> {
        let endian = self.endian;
        let mips64el = self.header.is_mips64el(endian);
        // tables may not overlap, else a small file could have any number of relocations
        let mut room = self.data.len();
        for (index, header) in self.sections.enumerate() {
            let kind = header.sh_type(endian);
            if ![elf::SHT_REL, elf::SHT_RELA, elf::SHT_CREL].contains(&kind) {
                continue;
            }
            let Some(Some(slot)) = slots.get(header.info_link(endian).0) else { continue };
            let section = &mut sections[*slot];
            if header.link(endian) != self.symbols.section() {
                return Err(ObjectError::damaged(format_args!(
                    "relocation section {index} does not refer to the symbol table"
                )));
            }
            let size = usize::try_from(header.sh_size(endian).into()).unwrap_or(usize::MAX);
            room =
                room.checked_sub(size).ok_or_else(|| ObjectError::damaged("relocation sections overlap"))?;
            if let Some((entries, _)) = header.rela(endian, self.data)? {
                for entry in entries {
                    let symbol = entry.symbol(endian, mips64el);
                    let addend = Some(entry.r_addend(endian).into());
                    let kind = entry.r_type(endian, mips64el).0;
                    self.relocation(section, entry.r_offset(endian).into(), kind, symbol, addend)?;
                }
            } else if let Some((entries, _)) = header.rel(endian, self.data)? {
                for entry in entries {
                    let symbol = entry.symbol(endian);
                    let kind = entry.r_type(endian).0;
                    self.relocation(section, entry.r_offset(endian).into(), kind, symbol, None)?;
                }
            } else {
                return Err(ObjectError::damaged(format_args!(
                    "relocation section {index} is in the compact form (CREL), which is not read"
                )));
            }
        }
        // stable: several relocations of one place apply in the file's order
        sections.iter_mut().for_each(|section| section.relocations.sort_by_key(|one| one.offset));
        Ok(())
    }

    fn relocation(
        &self,
        section: &mut Section<'data>,
        offset: u64,
        kind: u32,
        symbol: Option<SymbolIndex>,
        addend: Option<i64>,
    ) -> Result<(), ObjectError> {
        let inside = usize::try_from(offset).ok().filter(|offset| *offset < section.bytes.len());
        let Some(offset) = inside else {
            return Err(ObjectError::damaged(format_args!(
                "a relocation at offset {offset} lies outside section {}, which has {} bytes",
                section.index,
                section.bytes.len()
            )));
        };
        let (name, target) = match symbol {
            None => (Cow::Borrowed(""), Target::Absolute(0)),
            Some(index) => self.target(index)?,
        };
        let open = symbol.map_or(Ok(None), |index| self.open(index, section.index))?;
        let order = section.relocations.len();
        section.relocations.push(Relocation { offset, kind, symbol: name, target, open, addend, order });
        Ok(())
    }

    /// A loader that changes code makes another program of it.
    fn no_text_relocations(&self, sections: &[Section<'data>]) -> Result<(), ObjectError> {
        let inside = |address: u64| {
            let holds = |section: &Section<'_>| {
                address.checked_sub(section.address).is_some_and(|at| at < section.bytes.len() as u64)
            };
            match sections.iter().find(|section| holds(section)) {
                Some(section) => Err(ObjectError::damaged(format_args!(
                    "a loader is to change code at {address:#x}, in section {}; link it to a fixed address",
                    section.index
                ))),
                None => Ok(()),
            }
        };
        for header in self.sections.iter() {
            if header.sh_flags(self.endian).0 & elf::SHF_ALLOC.0 == 0 {
                continue;
            }
            if let Some((entries, _)) = header.rela(self.endian, self.data)? {
                entries.iter().try_for_each(|entry| inside(entry.r_offset(self.endian).into()))?;
            }
            if let Some((entries, _)) = header.rel(self.endian, self.data)? {
                entries.iter().try_for_each(|entry| inside(entry.r_offset(self.endian).into()))?;
            }
        }
        Ok(())
    }

    /// What runs is what program headers load: they and the section headers have to tell the same of all code.
    fn loaded(&self, sections: &[Section<'data>]) -> Result<(), ObjectError> {
        let endian = self.endian;
        let segments = self.header.program_headers(endian, self.data)?;
        for section in sections.iter().filter(|section| !section.bytes.is_empty()) {
            let length = section.bytes.len() as u64;
            let header = self.sections.section(SectionIndex(section.index))?;
            let offset: u64 = header.sh_offset(endian).into();
            // the segments in whose memory a part of the section lies, and whether it is the same part of the file
            let mut holders = segments
                .iter()
                .filter(|segment| segment.p_type(endian) == elf::PT_LOAD)
                .filter_map(|segment| {
                    let start: u64 = segment.p_vaddr(endian).into();
                    let size: u64 = segment.p_memsz(endian).into();
                    let filled: u64 = segment.p_filesz(endian).into();
                    let apart = start.saturating_add(size.max(filled)) <= section.address
                        || section.address.saturating_add(length) <= start;
                    let same = || {
                        let at = section.address.checked_sub(start)?;
                        let file: u64 = segment.p_offset(endian).into();
                        Some(at.checked_add(length)? <= filled && file.checked_add(at)? == offset)
                    };
                    (!apart).then(|| same() == Some(true))
                });
            if (holders.next(), holders.next()) != (Some(true), None) {
                return Err(ObjectError::damaged(format_args!(
                    "its program headers do not load section {}, '{}', as it stands there",
                    section.index,
                    shown(&section.name)
                )));
            }
        }
        Ok(())
    }

    /// Whether a section is in a group, or one for linking once, as older compilers make them.
    fn is_grouped(&self, index: SectionIndex) -> Result<bool, ObjectError> {
        let flags = self.sections.section(index)?.sh_flags(self.endian).0;
        Ok(flags & elf::SHF_GROUP.0 != 0 || self.section_name(index)?.starts_with(".gnu.linkonce."))
    }

    /// Why a symbol by itself leaves open what it stands for.
    fn own_open(&self, symbol: &Elf::Sym) -> Option<Open> {
        // the two highest bits say so (`include/elf/mips.h`: STO_MICROMIPS, STO_MIPS16)
        let is_mips = self.header.e_machine(self.endian) == elf::EM_MIPS;
        match symbol.st_type() {
            elf::STT_GNU_IFUNC => Some(Open::Indirect),
            _ if is_mips && symbol.st_other().0 & 0x80 != 0 => Some(Open::Compressed),
            _ if ![elf::STB_LOCAL, elf::STB_GLOBAL].contains(&symbol.st_bind()) => Some(Open::Weak),
            _ => None,
        }
    }

    /// Why a symbol that a section refers to may stand for something else in the end.
    fn open(&self, index: SymbolIndex, from: usize) -> Result<Option<Open>, ObjectError> {
        let symbol = self.symbols.symbol(index)?;
        let own = self.own_open(symbol);
        let section = self.symbols.symbol_section(self.endian, symbol, index)?;
        let Some(section) = section.filter(|section| own.is_none() && section.0 != from) else {
            return Ok(own);
        };
        let merged = self.sections.section(section)?.sh_flags(self.endian).0 & elf::SHF_MERGE.0 != 0;
        let grouped = self.is_grouped(section)?.then_some(Open::Grouped);
        Ok(grouped.or(merged.then_some(Open::Merged)))
    }

    fn target(&self, index: SymbolIndex) -> Result<(Cow<'data, str>, Target), ObjectError> {
        let symbol = self.symbols.symbol(index)?;
        let section = self.symbols.symbol_section(self.endian, symbol, index)?;
        let name = match section {
            Some(section) if symbol.st_type() == elf::STT_SECTION => self.section_name(section)?,
            _ => String::from_utf8_lossy(self.symbols.symbol_name(self.endian, symbol)?),
        };
        let offset = symbol.st_value(self.endian).into();
        let target = match section {
            Some(section) => Target::Section { index: section.0, offset },
            None if symbol.is_absolute(self.endian) => Target::Absolute(offset),
            None => Target::Elsewhere,
        };
        Ok((name, target))
    }
}
