//! Changes of an object file's structure: header, sections, relocations, symbols, and now and then content.
//! Fields and their places are those of "Tool Interface Standard: Executable and Linking Format", version 1.2,
//! figures 1-3, 1-8, 1-15 and 1-20, in the form for 32 bits and little-endian processors.

use rhomb_machine::Random;

const HEADER: usize = 52;
const SECTION: usize = 40;
const SYMBOL: usize = 16;
/// What a section header's fields are called.
const SECTION_FIELDS: [&str; 10] = [
    "sh_name",
    "sh_type",
    "sh_flags",
    "sh_addr",
    "sh_offset",
    "sh_size",
    "sh_link",
    "sh_info",
    "sh_addralign",
    "sh_entsize",
];
const SHT_SYMTAB: u32 = 2;
const SHT_RELA: u32 = 4;
const SHT_REL: u32 = 9;

/// The place of a section in the file.
#[derive(Clone, Copy)]
struct Section {
    /// Of its entry in the section header table.
    entry: usize,
    kind: u32,
    start: usize,
    size: usize,
}

/// An object file that can be changed field by field.
struct Elf(Vec<u8>);

impl Elf {
    fn half(&self, at: usize) -> u16 {
        u16::from_le_bytes([self.0[at], self.0[at + 1]])
    }

    fn word(&self, at: usize) -> u32 {
        u32::from_le_bytes([self.0[at], self.0[at + 1], self.0[at + 2], self.0[at + 3]])
    }

    fn set_half(&mut self, at: usize, value: u16) {
        self.0[at..at + 2].copy_from_slice(&value.to_le_bytes());
    }

    fn set_word(&mut self, at: usize, value: u32) {
        self.0[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }

    /// Another value: a small step, another bit, or a value that means something elsewhere.
    fn change(&mut self, at: usize, random: &mut Random, values: &[u32]) {
        let old = self.word(at);
        let steps = [1u32, 2, 4, 8, 16, 1u32.wrapping_neg(), 2u32.wrapping_neg(), 4u32.wrapping_neg()];
        let new = match random.below(4) {
            0 => old ^ 1 << random.below(32),
            1 if !values.is_empty() => *random.pick(values),
            _ => old.wrapping_add(*random.pick(&steps)),
        };
        self.set_word(at, new);
    }

    fn sections(&self) -> Vec<Section> {
        let table = self.word(32) as usize;
        let section = |number: usize| {
            let entry = table + SECTION * number;
            let [kind, start, size] = [4, 16, 20].map(|field| self.word(entry + field));
            Section { entry, kind, start: start as usize, size: size as usize }
        };
        (1..usize::from(self.half(48))).map(section).collect()
    }
}

/// One mutant, and what was done to it.
pub(crate) fn mutate(file: &[u8], random: &mut Random) -> (Vec<u8>, &'static str) {
    loop {
        let mut elf = Elf(file.to_vec());
        let sections = elf.sections();
        let of_kind = |kinds: &[u32]| {
            let matching =
                sections.iter().filter(|section| kinds.contains(&section.kind) && section.size > 0);
            matching.copied().collect::<Vec<_>>()
        };
        let what = match random.below(16) {
            0 => header(&mut elf, random),
            1..=4 => section_header(&mut elf, random, &sections),
            5..=9 => relocation(&mut elf, random, &of_kind(&[SHT_REL, SHT_RELA])),
            10..=13 => symbol(&mut elf, random, &of_kind(&[SHT_SYMTAB]), sections.len() as u16 + 1),
            14 => exchange(&mut elf, random, &sections),
            _ => content(&mut elf, random, &of_kind(&[1])),
        };
        if let Some(what) = what.filter(|_| elf.0 != file) {
            return (elf.0, what);
        }
    }
}

fn header(elf: &mut Elf, random: &mut Random) -> Option<&'static str> {
    // e_type, e_machine, e_flags, e_shnum, e_shstrndx
    match random.below(5) {
        0 => elf.set_half(16, 1 + random.below(3) as u16),
        1 => elf.set_half(18, *random.pick(&[8, 40, 83, 0xe0])),
        2 => elf.change(36, random, &[]),
        3 => elf.set_half(48, elf.half(48).wrapping_sub(random.below(4) as u16)),
        _ => elf.set_half(50, random.below(16) as u16),
    }
    Some("header")
}

fn section_header(elf: &mut Elf, random: &mut Random, sections: &[Section]) -> Option<&'static str> {
    let section = *random.pick(sections);
    let other = random.pick(sections).entry;
    // sh_name, sh_type, sh_flags, sh_addr, sh_offset, sh_size, sh_link, sh_info, sh_addralign, sh_entsize
    let field = 4 * random.below(10) as usize;
    let values = match field {
        // merged strings and constants, groups, order of links, thread-local, compressed; writable and executable
        8 => vec![0, 2, 3, 4, 6, 7, 0x10, 0x30, 0x80, 0x200, 0x400, 0x800],
        4 => vec![1, 2, 3, 4, 7, 8, 9, 14, 17, 18],
        _ => vec![elf.word(other + field), 0],
    };
    elf.change(section.entry + field, random, &values);
    Some(SECTION_FIELDS[field / 4])
}

fn relocation(elf: &mut Elf, random: &mut Random, tables: &[Section]) -> Option<&'static str> {
    let table = *tables.get(random.index(tables.len().max(1)))?;
    let size = if table.kind == SHT_RELA { 12 } else { 8 };
    let count = table.size / size;
    let at = table.start + size * random.index(count);
    let other = table.start + size * random.index(count);
    match random.below(6) {
        0 => elf.change(at, random, &[]),
        // another kind
        1 => elf.0[at + 4] = random.below(48) as u8,
        // another symbol
        2 => elf.0[at + 5] = elf.0[at + 5].wrapping_add(random.byte() % 9),
        3 if size == 12 => elf.change(at + 8, random, &[0]),
        4 => elf.0.copy_within(other..other + size, at),
        // none at all
        _ => elf.0[at + 4] = 0,
    }
    Some("relocation")
}

fn symbol(elf: &mut Elf, random: &mut Random, tables: &[Section], sections: u16) -> Option<&'static str> {
    let table = *tables.first()?;
    let count = table.size / SYMBOL;
    let at = table.start + SYMBOL * random.index(count);
    let other = table.start + SYMBOL * random.index(count);
    match random.below(8) {
        // st_name, st_value, st_size
        0 => elf.set_word(at, elf.word(other)),
        1 => elf.change(at + 4, random, &[elf.word(other + 4), 0]),
        2 => elf.change(at + 8, random, &[elf.word(other + 8), 0]),
        // binding and type: local, global, weak; no type, object, function, section, indirect function
        3 => elf.0[at + 12] = elf.0[at + 12] & 0xf | *random.pick(&[0x00, 0x10, 0x20, 0xa0]),
        4 => elf.0[at + 12] = elf.0[at + 12] & 0xf0 | *random.pick(&[0, 1, 2, 3, 4, 5, 6, 10, 13]),
        5 => elf.0[at + 13] = random.byte(),
        // a section, none, a fixed value, common
        6 => {
            let section = random.below(u64::from(sections)) as u16;
            elf.set_half(at + 14, *random.pick(&[section, 0, 0xfff1, 0xfff2]));
        }
        _ => elf.0.copy_within(other + 4..other + 16, at + 4),
    }
    Some("symbol")
}

/// Two sections change their contents.
fn exchange(elf: &mut Elf, random: &mut Random, sections: &[Section]) -> Option<&'static str> {
    let (one, two) = (random.pick(sections).entry, random.pick(sections).entry);
    for field in [16, 20] {
        let (first, second) = (elf.word(one + field), elf.word(two + field));
        elf.set_word(one + field, second);
        elf.set_word(two + field, first);
    }
    Some("sections exchanged")
}

fn content(elf: &mut Elf, random: &mut Random, sections: &[Section]) -> Option<&'static str> {
    let section = *sections.get(random.index(sections.len().max(1)))?;
    let at = section.start + random.index(section.size);
    elf.0[at] ^= 1 << random.below(8);
    Some("content")
}

/// Whether the bytes are long enough to be changed.
pub(crate) fn is_object(file: &[u8]) -> bool {
    file.len() > HEADER && file.starts_with(b"\x7fELF\x01\x01")
}

/// The bytes that differ, for reports.
pub(crate) fn difference(old: &[u8], new: &[u8]) -> String {
    let changed = old.iter().zip(new).enumerate().filter(|(_, (old, new))| old != new);
    let texts: Vec<String> =
        changed.map(|(at, (old, new))| format!("{at:#x}: {old:02x} to {new:02x}")).collect();
    texts.join(", ")
}
