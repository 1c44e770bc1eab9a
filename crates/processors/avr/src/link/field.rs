//! The kinds of relocations: which bits of the code they fill, with what of the target's address.

use rhomb_machine::{Filled, Placement, SectionAddress, Unit};
use rhomb_object::{DataMemory, Patch, Reference};

/// What a relocation fills in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    /// Nothing: the assembler has done it.
    Done,
    /// Nothing either, unless the linker makes code shorter: so many bytes, the distance of two labels.
    Difference(usize),
    /// Distance in words of a conditional branch.
    Branch,
    /// Distance in words of RJMP and RCALL.
    Relative,
    /// Word address of JMP and CALL.
    Absolute,
    /// A byte of the address as constant of LDI and its like: byte number, negated, in words.
    Constant {
        /// 0 the lowest.
        byte: u32,
        /// The address is negated first.
        negative: bool,
        /// The address counts words.
        words: bool,
        /// It may be that of a jump to the address, which the linker makes where words need more than 16 bits.
        stub: bool,
    },
    /// Displacement of LDD and STD.
    Displacement,
    /// Constant of ADIW and SBIW.
    AddWord,
    /// I/O address of IN and OUT.
    Port6,
    /// I/O address of SBI, CBI, SBIC and SBIS.
    Port5,
    /// Data: so many bytes, from that byte of the address on.
    Data {
        /// Length.
        bytes: usize,
        /// First byte of the address.
        from: u32,
        /// The address counts words.
        words: bool,
    },
}

/// The field of a relocation's number; `None` for kinds that are not modelled.
fn field(kind: u32) -> Option<Field> {
    let constant = |byte, negative, words| Field::Constant { byte, negative, words, stub: false };
    let data = |bytes, from, words| Field::Data { bytes, from, words };
    Some(match kind {
        // R_AVR_NONE
        0 => Field::Done,
        // R_AVR_DIFF8, R_AVR_DIFF16, R_AVR_DIFF32
        30..=32 => Field::Difference(1 << (kind - 30)),
        // R_AVR_32
        1 => data(4, 0, false),
        // R_AVR_7_PCREL
        2 => Field::Branch,
        // R_AVR_13_PCREL
        3 => Field::Relative,
        // R_AVR_16, R_AVR_16_PM
        4 => data(2, 0, false),
        5 => data(2, 0, true),
        // R_AVR_LO8_LDI, HI8_LDI, HH8_LDI
        6..=8 => constant(kind - 6, false, false),
        // R_AVR_LO8_LDI_NEG, HI8_LDI_NEG, HH8_LDI_NEG
        9..=11 => constant(kind - 9, true, false),
        // R_AVR_LO8_LDI_PM, HI8_LDI_PM, HH8_LDI_PM
        12..=14 => constant(kind - 12, false, true),
        // R_AVR_LO8_LDI_PM_NEG, HI8_LDI_PM_NEG, HH8_LDI_PM_NEG
        15..=17 => constant(kind - 15, true, true),
        // R_AVR_CALL
        18 => Field::Absolute,
        // R_AVR_LDI
        19 => constant(0, false, false),
        // R_AVR_6, R_AVR_6_ADIW
        20 => Field::Displacement,
        21 => Field::AddWord,
        // R_AVR_MS8_LDI, R_AVR_MS8_LDI_NEG
        22 => constant(3, false, false),
        23 => constant(3, true, false),
        // R_AVR_LO8_LDI_GS, R_AVR_HI8_LDI_GS
        24 | 25 => Field::Constant { byte: kind - 24, negative: false, words: true, stub: true },
        // R_AVR_8, R_AVR_8_LO8, R_AVR_8_HI8, R_AVR_8_HLO8
        26 => data(1, 0, false),
        27..=29 => data(1, kind - 27, false),
        // R_AVR_PORT6, R_AVR_PORT5
        34 => Field::Port6,
        35 => Field::Port5,
        // R_AVR_LDS_STS_16 (the small cores' short LDS) and R_AVR_32_PCREL are not
        _ => return None,
    })
}

/// The data memory as the linker numbers it (`ld/scripttempl/avr.sc`), and where constants are laid out: below the SRAM
/// of no core is as much free, and above that of the older ones nothing is.
pub(super) const DATA: DataMemory = DataMemory { origin: 0x80_0000, constants: 0x4000..0x1_0000 };

/// Whether it is an address of data.
fn is_data(to: &Reference) -> bool {
    to.section.is_some_and(|section| section >= DATA.origin)
}

const ODD: &str = "an odd address";
const FAR: &str = "too far";

/// The architecture whose program counter has 22 bits, in the flags of a file (`include/elf/avr.h`: E_AVR_MACH_AVR6).
const AVR6: u32 = 6;

impl Patch for Field {
    const ALIGNMENT: usize = 2;
    /// What a program counter of 22 bits reaches: no AVR has more.
    const MOST_BYTES: usize = 1 << 23;
    const PLACES: &'static str = "even addresses of its flash";
    const DATA: Option<DataMemory> = Some(DATA);

    fn of(kind: u32, flags: u32) -> Option<Field> {
        Some(match field(kind)? {
            Field::Constant { byte, negative, words, stub } => {
                Field::Constant { byte, negative, words, stub: stub && flags & 0x7f == AVR6 }
            }
            other => other,
        })
    }

    fn bytes(self) -> usize {
        match self {
            Field::Done => 0,
            Field::Absolute => 4,
            Field::Data { bytes, .. } | Field::Difference(bytes) => bytes,
            _ => 2,
        }
    }

    fn fill(self, slot: &mut [u8], target: i64, at: i64) -> Result<(), &'static str> {
        let in_words = |address: i64| if address & 1 == 0 { Ok(address >> 1) } else { Err(ODD) };
        let within = |value: i64, least: i64, most: i64| {
            if (least..=most).contains(&value) { Ok(value) } else { Err(FAR) }
        };
        let distance = || in_words(target - at - 2);
        match self {
            Field::Done | Field::Difference(_) => {}
            Field::Branch => {
                let distance = within(distance()?, -64, 63)?;
                set(slot, 0x03f8, (distance as u16) << 3);
            }
            Field::Relative => {
                let distance = within(distance()?, -2048, 2047)?;
                set(slot, 0x0fff, distance as u16);
            }
            Field::Absolute => {
                let address = within(in_words(target)?, 0, 0x3f_ffff)?;
                set(slot, 0x01f1, (address >> 16 & 1 | address >> 17 << 4) as u16);
                slot[2..].copy_from_slice(&(address as u16).to_le_bytes());
            }
            Field::Constant { byte, negative, words, .. } => {
                let address = if words { in_words(target)? } else { target };
                let address = if negative { -address } else { address };
                let value = (address >> (8 * byte)) as u16 & 0xff;
                set(slot, 0x0f0f, value & 0xf | (value & 0xf0) << 4);
            }
            Field::Displacement => {
                let value = within(target, 0, 63)? as u16;
                set(slot, 0x2c07, value & 7 | (value & 0x18) << 7 | (value & 0x20) << 8);
            }
            Field::AddWord => {
                let value = within(target, 0, 63)? as u16;
                set(slot, 0x00cf, value & 0xf | (value & 0x30) << 2);
            }
            Field::Port6 => {
                let value = within(target, 0, 63)? as u16;
                set(slot, 0x060f, value & 0xf | (value & 0x30) << 5);
            }
            Field::Port5 => {
                let value = within(target, 0, 31)? as u16;
                set(slot, 0x00f8, value << 3);
            }
            Field::Data { bytes, from, words } => {
                let address = if words { in_words(target)? } else { target };
                let address = (address >> (8 * from)).to_le_bytes();
                slot.copy_from_slice(&address[..bytes]);
            }
        }
        Ok(())
    }

    fn record(self, to: &Reference, placement: &mut Placement, at: u32) {
        let length = self.bytes() as u32;
        let Some(section) = to.section else {
            match self {
                // a jump to a number
                Field::Branch | Field::Relative | Field::Absolute => {
                    placement.fill(at, length, Filled::Missing);
                }
                Field::Difference(_) => placement.fill(at, length, Filled::Unknown),
                _ => {}
            }
            return;
        };
        let word = |placement: &Placement, negative, words, part| {
            let target = if is_data(to) { to.target - i64::from(DATA.origin) } else { to.target };
            let (unit, address) = match words {
                true => (Unit::Words, target >> 1),
                false => (Unit::Bytes, target),
            };
            // pointers have two bytes
            let base = placement.base(section, unit).filter(|_| part < 2)?;
            Some(SectionAddress { base, address, negative, part })
        };
        let what = match self {
            Field::Done => return,
            Field::Branch | Field::Relative | Field::Absolute => Filled::Branch,
            Field::Constant { stub: true, .. } => Filled::Immediate(None),
            Field::Constant { byte, negative, words, stub: false } => {
                Filled::Immediate(word(placement, negative, words, byte))
            }
            Field::Data { bytes, from, words } => {
                for byte in 0..bytes as u32 {
                    let word = word(placement, false, words, from + byte);
                    placement.fill(at + byte, 1, word.map_or(Filled::Unknown, Filled::Data));
                }
                return;
            }
            Field::Difference(_) | Field::Displacement | Field::AddWord | Field::Port6 | Field::Port5 => {
                Filled::Unknown
            }
        };
        placement.fill(at, length, what);
    }

    fn told(self, to: &Reference) -> Option<&'static str> {
        to.section?;
        Some(match self {
            Field::Done => return None,
            Field::Branch | Field::Relative | Field::Absolute if to.same => return None,
            Field::Branch | Field::Relative | Field::Absolute => "branch to",
            Field::Difference(_) => "distance at",
            Field::Constant { byte: 1, negative: false, words: false, .. } => match is_data(to) {
                true => "hi8 of",
                false => "hi8, below 64 KiB, of",
            },
            Field::Constant { byte: 0, negative: false, words: false, .. } => "lo8 of",
            Field::Constant { negative: true, .. } => "byte of minus",
            Field::Constant { .. } => "byte of",
            Field::Displacement | Field::AddWord | Field::Port6 | Field::Port5 | Field::Data { .. } => {
                "address of"
            }
        })
    }
}

/// Replaces the bits of `mask` in the first word.
fn set(slot: &mut [u8], mask: u16, value: u16) {
    let word = u16::from_le_bytes([slot[0], slot[1]]);
    slot[..2].copy_from_slice(&(word & !mask | value & mask).to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::decode;
    use crate::encode::encode;
    use crate::instructions::{Instruction, Op};

    /// Each field stands where the instruction's operand is.
    #[test]
    fn fields_are_the_operands_of_their_instructions() {
        let check = |kind: u32, plain: Instruction, target: i64, expected: i32| {
            let (first, second) = encode(&plain).unwrap();
            let mut bytes = first.to_le_bytes().to_vec();
            bytes.extend(second.map_or([0; 2], u16::to_le_bytes));
            let field = field(kind).unwrap();
            let length = field.bytes();
            field.fill(&mut bytes[..length], target, 0x100).unwrap();
            let words: Vec<u16> =
                bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
            assert_eq!(decode(&words).unwrap().0, Instruction { k: expected, ..plain });
        };
        let branch = Instruction { b: 1, ..Instruction::new(Op::Brbs) };
        check(2, branch, 0x100, -1);
        check(2, branch, 0x102 + 2 * 63, 63);
        check(2, branch, 0x102 - 2 * 64, -64);
        check(3, Instruction::new(Op::Rcall), 0x102 - 4096, -2048);
        check(3, Instruction::new(Op::Rjmp), 0x102 + 4094, 2047);
        check(18, Instruction::new(Op::Call), 0x7f_fffe, 0x3f_ffff);
        check(18, Instruction::new(Op::Jmp), 0x2_0246, 0x1_0123);
        let ldi = Instruction::dk(Op::Ldi, 30, 0);
        check(6, ldi, 0x1234, 0x34);
        check(7, ldi, 0x1234, 0x12);
        check(8, ldi, 0x1_1234, 1);
        check(12, ldi, 0x1234, 0x1a);
        check(13, ldi, 0x1234, 0x09);
        check(9, Instruction::dk(Op::Subi, 30, 0), 0x1234, 0xcc);
        check(10, Instruction::dk(Op::Sbci, 31, 0), 0x1234, 0xed);
        check(24, ldi, 0x1234, 0x1a);
        check(20, Instruction::dk(Op::LddY, 5, 0), 63, 63);
        check(20, Instruction::rk(Op::StdZ, 5, 0), 41, 41);
        check(21, Instruction::dk(Op::Adiw, 26, 0), 45, 45);
        check(34, Instruction::dk(Op::In, 26, 0), 0x3f, 0x3f);
        check(35, Instruction::new(Op::Sbi), 0x1f, 0x1f);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let fault = |kind: u32, target| field(kind).unwrap().fill(&mut [0; 4], target, 0).unwrap_err();
        assert_eq!(fault(2, 2 + 2 * 64), FAR);
        assert_eq!(fault(3, 2 - 4098), FAR);
        assert_eq!(fault(18, 0x80_0000), FAR);
        assert_eq!(fault(18, 3), ODD);
        assert_eq!(fault(2, 5), ODD);
        assert_eq!(fault(13, 5), ODD);
        assert_eq!(fault(20, 64), FAR);
        assert_eq!((field(33), field(36), field(99)), (None, None, None));
    }
}
