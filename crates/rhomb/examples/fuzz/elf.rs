//! Changes of ELF files that keep most of their form: fields of the header and of the tables, and words
//! of code. Layouts: System V ABI, chapter 4.

use crate::bytes::interesting;
use rhomb_machine::Random;

/// A field: its offset in a record and its size in bytes.
type Field = (usize, usize);

/// Places in a file of 32 or 64 bits.
struct Layout {
    header: &'static [Field],
    /// Where the section table's offset stands.
    table: Field,
    /// Where the number of sections stands.
    count: Field,
    section: &'static [Field],
    section_size: usize,
    /// In a section's record: type, flags, offset, size.
    kind: Field,
    flags: Field,
    offset: Field,
    size: Field,
    symbol: &'static [Field],
    symbol_size: usize,
    rela: &'static [Field],
    rela_size: usize,
}

const SMALL: Layout = Layout {
    header: &[(4, 1), (5, 1), (16, 2), (18, 2), (32, 4), (36, 4), (40, 2), (46, 2), (48, 2), (50, 2)],
    table: (32, 4),
    count: (48, 2),
    section: &[(0, 4), (4, 4), (8, 4), (12, 4), (16, 4), (20, 4), (24, 4), (28, 4), (32, 4), (36, 4)],
    section_size: 40,
    kind: (4, 4),
    flags: (8, 4),
    offset: (16, 4),
    size: (20, 4),
    symbol: &[(0, 4), (4, 4), (8, 4), (12, 1), (13, 1), (14, 2)],
    symbol_size: 16,
    rela: &[(0, 4), (4, 1), (5, 3), (8, 4)],
    rela_size: 12,
};

const LARGE: Layout = Layout {
    header: &[(4, 1), (5, 1), (16, 2), (18, 2), (40, 8), (48, 4), (52, 2), (58, 2), (60, 2), (62, 2)],
    table: (40, 8),
    count: (60, 2),
    section: &[(0, 4), (4, 4), (8, 8), (16, 8), (24, 8), (32, 8), (40, 4), (44, 4), (48, 8), (56, 8)],
    section_size: 64,
    kind: (4, 4),
    flags: (8, 8),
    offset: (24, 8),
    size: (32, 8),
    symbol: &[(0, 4), (4, 1), (5, 1), (6, 2), (8, 8), (16, 8)],
    symbol_size: 24,
    rela: &[(0, 8), (8, 4), (12, 4), (16, 8)],
    rela_size: 24,
};

const SYMBOLS: u64 = 2;
const RELA: u64 = 4;
const EXECUTABLE: u64 = 4;

/// A number in either byte order.
struct Numbers {
    little: bool,
}

impl Numbers {
    fn get(&self, bytes: &[u8], at: usize, (offset, size): Field) -> Option<u64> {
        let field = bytes.get(at.checked_add(offset)?..)?.get(..size)?;
        let join = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        Some(if self.little { field.iter().rev().fold(0, join) } else { field.iter().fold(0, join) })
    }

    fn set(&self, bytes: &mut [u8], at: usize, (offset, size): Field, value: u64) {
        let start = at.saturating_add(offset);
        let Some(field) = bytes.get_mut(start..start.saturating_add(size)) else { return };
        for (place, byte) in field.iter_mut().enumerate() {
            let place = if self.little { place } else { size - 1 - place };
            *byte = value.checked_shr(8 * place as u32).unwrap_or(0) as u8;
        }
    }
}

/// One change; `false` where the bytes have no such form.
pub(crate) fn change(bytes: &mut [u8], random: &mut Random) -> bool {
    if !bytes.starts_with(b"\x7fELF") || bytes.len() < 64 {
        return false;
    }
    let layout = if bytes[4] == 2 { &LARGE } else { &SMALL };
    let numbers = Numbers { little: bytes[5] != 2 };
    let length = bytes.len();
    let table = numbers.get(bytes, 0, layout.table).unwrap_or(0) as usize;
    let count = numbers.get(bytes, 0, layout.count).unwrap_or(0) as usize;
    let fits = |index: &usize| {
        let end = (index + 1).checked_mul(layout.section_size).and_then(|end| table.checked_add(end));
        end.is_some_and(|end| end <= length)
    };
    let records: Vec<usize> =
        (0..count.min(200)).filter(fits).map(|index| table + index * layout.section_size).collect();
    let section = |wanted: fn(u64, u64) -> bool| -> Vec<(usize, usize)> {
        let numbers = &numbers;
        records
            .iter()
            .filter(|at| {
                let value = |field| numbers.get(bytes, **at, field).unwrap_or(0);
                wanted(value(layout.kind), value(layout.flags))
            })
            .filter_map(|at| {
                let start = numbers.get(bytes, *at, layout.offset)? as usize;
                let size = numbers.get(bytes, *at, layout.size)? as usize;
                (size > 0 && start < length && size <= length - start).then_some((start, size))
            })
            .collect()
    };
    let symbols = section(|kind, _| kind == SYMBOLS);
    let relocations = section(|kind, _| kind == RELA);
    let code = section(|kind, flags| kind == 1 && flags & EXECUTABLE != 0);
    let data = section(|kind, flags| kind == 1 && flags & EXECUTABLE == 0);
    let record = |list: &[(usize, usize)], size: usize, random: &mut Random| {
        let (start, length) = *random.pick(list);
        start + random.index((length / size).max(1)) * size
    };
    let (at, field) = match random.index(14) {
        0 => (0, *random.pick(layout.header)),
        1..=3 if !records.is_empty() => (*random.pick(&records), *random.pick(layout.section)),
        4 | 5 if !symbols.is_empty() => {
            (record(&symbols, layout.symbol_size, random), *random.pick(layout.symbol))
        }
        6..=8 if !relocations.is_empty() => {
            (record(&relocations, layout.rela_size, random), *random.pick(layout.rela))
        }
        9..=11 if !code.is_empty() => {
            let at = record(&code, 2, random);
            let word = match random.index(3) {
                // an instruction from elsewhere in the code
                0 => {
                    let from = record(&code, 2, random);
                    numbers.get(bytes, from, (0, 2)).unwrap_or(0)
                }
                1 => numbers.get(bytes, at, (0, 2)).unwrap_or(0) ^ 1 << random.index(16),
                _ => random.bits(),
            };
            numbers.set(bytes, at, (0, 2), word);
            return true;
        }
        12 if !data.is_empty() => {
            let size = *random.pick(&[1, 2, 4]);
            (record(&data, size, random), (0, size))
        }
        _ => return false,
    };
    // the value of another record's field is right in form, and wrong here
    let value = match random.index(3) {
        0 if !records.is_empty() => {
            numbers.get(bytes, *random.pick(&records), *random.pick(layout.section)).unwrap_or(0)
        }
        1 => numbers.get(bytes, at, field).unwrap_or(0).wrapping_add(random.index(9) as u64).wrapping_sub(4),
        _ => interesting(random, length),
    };
    numbers.set(bytes, at, field, value);
    true
}
