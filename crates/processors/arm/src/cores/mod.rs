//! Processor cores and how long their instructions take.
//!
//! A bare core has no memory of its own: where memory lies is said here only so that a routine can be placed
//! somewhere. Code is fetched and data accessed without wait states, so that every kind of bus cycle (N, S, I,
//! C of the manuals) takes one clock.

mod arm7tdmi;
mod arm7tdmi_paper;
mod arm9ej_s;
mod cortex_m;
mod interlocks;

use crate::extension::Extension;
use crate::instructions::{Action, Condition, DataOp, Instruction, Later, Offset, PC, ShiftKind, Shifter};
use crate::later::Nothing;
use crate::thumb::Level;
use std::ops::Range;

pub use interlocks::{Delays, Interlocks, Reads};
pub(crate) use interlocks::{Needs, Pipeline};

/// A processor core.
#[derive(Clone, Debug)]
pub struct Core {
    /// Name on the command line.
    pub name: &'static str,
    /// What it is, in one line.
    pub description: &'static str,
    /// Manuals and sections from which the fields were taken.
    pub source: &'static str,
    /// The value of the GNU tools' `-mcpu=`.
    pub mcpu: &'static str,
    /// Bytes of program memory. A bare core has none: as far as a branch reaches (DDI 0100, A4.1.5).
    pub flash_bytes: u32,
    /// Byte addresses of data memory. A bare core has none: a place that no program stands at.
    pub ram: Range<u32>,
    /// Whether the long multiplications leave the carry as it is, where they set no flags.
    pub carry_survives_multiplication: bool,
    /// Whether it has UMAAL.
    pub umaal: bool,
    /// Which instructions of Thumb state it has; `None` for ARM state.
    pub thumb: Option<Level>,
    /// How long instructions take.
    pub timing: &'static Timing,
    /// The same core where loads overlap as far as its manual says.
    pub paired: Option<&'static Core>,
    /// Whether products are made of half words, whose product is a word: long multiplications are left out.
    pub in_halves: bool,
    /// The same core without what takes a time of its own for some operands.
    pub constant: Option<&'static Core>,
    /// Whose measurements the times rest on, where the maker publishes none: counts are about right then.
    pub about: Option<&'static str>,
}

/// Clock cycles of instructions.
#[derive(Debug)]
pub struct Timing {
    /// What the figures are called.
    pub name: &'static str,
    /// Manual and sections.
    pub source: &'static str,
    /// An instruction whose condition fails.
    pub skipped: u8,
    /// Whether it is not known that this is what it takes whenever its condition fails.
    pub skips_leak: bool,
    /// Data processing.
    pub data: u8,
    /// Added where a register holds the number of places of a shift.
    pub register_shift: u8,
    /// Added where data processing writes PC.
    pub to_pc: u8,
    /// Added to that by operations that are logical, RSC among them, and by a shift.
    pub shifted_to_pc: u8,
    /// LDR and its kin.
    pub load: u8,
    /// Added where a load writes PC.
    pub loaded_to_pc: u8,
    /// Added where the offset is a shifted register.
    pub scaled: u8,
    /// STR and its kin.
    pub store: u8,
    /// LDM, beside one for each register.
    pub block_load: u8,
    /// STM, beside one for each register.
    pub block_store: u8,
    /// Registers that LDM and STM take in a cycle.
    pub block_words: u8,
    /// The least of LDM and STM, but of LDM that writes PC.
    pub block_least: u8,
    /// VMOV, for each word, where there is the floating-point extension.
    pub moved: u8,
    /// SWP, if that is known.
    pub swap: Option<u8>,
    /// MRS and MSR, if that is known.
    pub status: Option<u8>,
    /// B, BX.
    pub branch: u8,
    /// Added to a call, BL or BLX.
    pub call: u8,
    /// MUL, less the time of the multiplier array.
    pub multiply: u8,
    /// Added to a multiplication that accumulates.
    pub accumulate: u8,
    /// Added to a multiplication with a result of 64 bits.
    pub long: u8,
    /// Added to a multiplication that sets flags.
    pub multiply_flags: u8,
    /// The time of the multiplier array; fixed on a core with interlocks.
    pub array: Array,
    /// What instructions wait for, if they ever do.
    pub interlocks: Option<&'static Interlocks>,
}

/// How long a multiplier array takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Array {
    /// This long.
    Fixed(u8),
    /// One cycle for each byte of Rs, without those at its top that are all zero; the signed
    /// multiplications and those of 32 bits leave out bytes that are all ones, too. At least one.
    Early,
    /// One cycle for 32 bits; for 64 bits as many as these, the least and the most, whatever else is added; and as many
    /// where it accumulates.
    Open([u8; 2], [u8; 2]),
}

/// What an instruction takes whose condition holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpCycles {
    /// Least cycles.
    pub least: u8,
    /// What may be added to that, for the value of a register.
    pub early: Option<Early>,
}

/// A multiplication whose time depends on Rs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Early {
    /// Register Rs.
    pub rs: u8,
    /// Whether bytes of ones at its top save time, as zeros do.
    pub signed: bool,
    /// The other factor and the most that is added, on a core that does not say for which operands.
    pub open: Option<(u8, u8)>,
}

impl Early {
    /// Most that a multiplication takes more than the least.
    pub const MOST: u8 = 3;

    /// What a multiplication by this number takes more than the least.
    #[inline]
    pub fn more(self, rs: u32) -> u8 {
        let rs = if self.signed { rs ^ (rs as i32 >> 31) as u32 } else { rs };
        (3 - rs.leading_zeros().min(31) / 8) as u8
    }

    /// What a multiplication by any number that has at least these bits takes more than the least.
    #[inline]
    pub fn fewest(self, ones: u32) -> u8 {
        // a signed one may be all ones at its top
        if self.signed { 0 } else { self.more(ones) }
    }
}

/// All cores.
pub static CORES: &[&Core] = &[
    &arm7tdmi::CORE,
    &arm7tdmi_paper::CORE,
    &arm9ej_s::CORE,
    &cortex_m::M0,
    &cortex_m::M0_PLUS,
    &cortex_m::M0_PLUS_SLOW,
    &cortex_m::M3,
    &cortex_m::M4,
    &cortex_m::M4F,
    &cortex_m::M33,
    &cortex_m::M33_WITHOUT_DSP,
    &cortex_m::M7,
];

/// The core of that name.
pub fn core(name: &str) -> Option<&'static Core> {
    CORES.iter().copied().find(|core| core.name == name)
}

impl Core {
    /// What addresses of instructions are a multiple of, in bytes.
    pub const fn alignment(&self) -> usize {
        if self.thumb.is_some() { 2 } else { 4 }
    }

    /// Whether it is one of ARMv6-M, most of whose instructions have short codes alone.
    pub fn is_small(&self) -> bool {
        self.thumb.is_some_and(|level| level < Level::V7m)
    }

    /// Whether it has the registers of the floating-point extension.
    pub const fn has_extension(&self) -> bool {
        matches!(self.thumb, Some(Level::V7emFp))
    }

    /// Cycles of an instruction whose condition holds; `None` where the model has no time for it.
    pub fn cycles(&self, instruction: &Instruction) -> Option<OpCycles> {
        let t = self.timing;
        let if_so = |condition: bool, cycles: u8| if condition { cycles } else { 0 };
        let least = match instruction.action {
            Action::Data { op, rd, operand, .. } => {
                let by_register = matches!(operand, Shifter::ByRegister { .. });
                let plain = match operand {
                    Shifter::Immediate { .. } | Shifter::Number(_) => true,
                    Shifter::Register { rm, .. } => operand == Shifter::plain(rm),
                    Shifter::Rrx { .. } | Shifter::ByRegister { .. } => false,
                };
                let adds = matches!(op, DataOp::Add | DataOp::Sub | DataOp::Rsb | DataOp::Adc | DataOp::Sbc);
                let to_pc = op.keeps_result() && rd == PC;
                t.data
                    + if_so(by_register, t.register_shift)
                    + if_so(to_pc, t.to_pc + if_so(!plain || !adds, t.shifted_to_pc))
            }
            Action::Multiply { set, rs, rn, .. } => {
                let least = t.multiply + if_so(rn.is_some(), t.accumulate) + if_so(set, t.multiply_flags);
                return Some(t.array.added(least, Early { rs, signed: true, open: None }));
            }
            Action::LongMultiply { accumulate, rm, rs, .. } if matches!(t.array, Array::Open(..)) => {
                let Array::Open(plain, accumulated) = t.array else { return None };
                let [least, most] = if accumulate { accumulated } else { plain };
                let early = Early { rs, signed: false, open: Some((rm, most - least)) };
                return Some(OpCycles { least, early: Some(early) });
            }
            Action::LongMultiply { set, signed, accumulate, rs, .. } => {
                let least =
                    t.multiply + t.long + if_so(accumulate, t.accumulate) + if_so(set, t.multiply_flags);
                return Some(t.array.added(least, Early { rs, signed, open: None }));
            }
            // as UMLAL; cores that have it know no early end
            Action::DoubleAccumulate { .. } if !self.umaal => return None,
            Action::DoubleAccumulate { rs, .. } => {
                return Some(
                    t.array
                        .added(t.multiply + t.long + t.accumulate, Early { rs, signed: false, open: None }),
                );
            }
            Action::Transfer { load, rd, address, .. } => {
                let scaled = match address.offset {
                    Offset::Immediate(_) => false,
                    Offset::Register { kind, amount, .. } => (kind, amount) != (ShiftKind::Lsl, 0),
                    Offset::Rrx { .. } => true,
                };
                // no load of PC overlaps
                let alone = u8::from(t.interlocks.is_some_and(|locks| locks.pairs));
                let access = if load { t.load + if_so(rd == PC, t.loaded_to_pc + alone) } else { t.store };
                access + if_so(scaled, t.scaled)
            }
            Action::Block { load, registers, .. } => {
                let number = (registers.count_ones() as u8).div_ceil(t.block_words);
                match load {
                    true if registers >> PC != 0 => number + t.block_load + t.loaded_to_pc,
                    true => (number + t.block_load).max(t.block_least),
                    false => (number + t.block_store).max(t.block_least),
                }
            }
            Action::Swap { .. } => t.swap?,
            Action::Branch { link: true, .. } => t.branch + t.call,
            Action::Branch { .. } | Action::BranchExchange { .. } => t.branch,
            Action::Later(later) => match later {
                Later::MultiplySubtract { .. } => {
                    let array = t.array.added(t.multiply, Early { rs: 0, signed: false, open: None });
                    array.least + t.accumulate
                }
                // one cycle on Cortex-M4 with a sum, too (DDI 0439D, table 3-1)
                Later::Halves { .. } => {
                    t.array.added(t.multiply, Early { rs: 0, signed: true, open: None }).least
                }
                Later::Double { load, .. } => {
                    2 / t.block_words + if load { t.block_load } else { t.block_store }
                }
                Later::CompareBranch { .. } | Later::CallExchange { .. } => t.branch,
                Later::Extension(_) if !self.has_extension() => return None,
                Later::Extension(Extension::Move { singles, .. }) => singles.count * t.moved,
                Later::Extension(
                    Extension::Transfer { load, singles, .. } | Extension::Block { load, singles, .. },
                ) => singles.count + if load { t.block_load } else { t.block_store },
                Later::Nothing(Nothing::Dmb | Nothing::Dsb | Nothing::Isb) => return None,
                Later::Nothing(Nothing::Nop)
                | Later::If { .. }
                | Later::MoveTop { .. }
                | Later::BitField { .. }
                | Later::Unary { .. }
                | Later::Extend { .. }
                | Later::Pack { .. } => t.data,
            },
            Action::ReadStatus { .. } | Action::WriteStatus { .. } => t.status?,
            Action::Literal(_) => 0,
            Action::SoftwareInterrupt { .. } | Action::Coprocessor { .. } => return None,
        };
        Some(OpCycles { least, early: None })
    }

    /// The most cycles that an instruction takes whose condition holds.
    pub fn most(&self, instruction: &Instruction) -> Option<u64> {
        let cycles = self.cycles(instruction)?;
        Some(
            u64::from(cycles.least)
                + cycles.early.map_or(0, |early| early.open.map_or(Early::MOST, |(_, most)| most).into()),
        )
    }

    /// The fewest cycles that an instruction takes, where it is conditional those of a failed condition.
    pub fn least(&self, instruction: &Instruction) -> Option<u64> {
        let cycles = self.cycles(instruction)?.least;
        let skipped = self.timing.skipped;
        Some(if instruction.condition == Condition::Al { cycles } else { cycles.min(skipped) }.into())
    }
}

impl Array {
    fn added(self, least: u8, early: Early) -> OpCycles {
        match self {
            Array::Fixed(cycles) => OpCycles { least: least + cycles, early: None },
            Array::Early => OpCycles { least: least + 1, early: Some(early) },
            // of 32 bits
            Array::Open(..) => OpCycles { least: least + 1, early: None },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instructions::{Address, BlockMode, Indexing, Offset, SP, Size};

    fn cycles(name: &str, action: Action) -> (u64, u64) {
        let core = core(name).unwrap();
        (core.least(&action.into()).unwrap(), core.most(&action.into()).unwrap())
    }

    fn block(load: bool, registers: u16) -> Action {
        Action::Block { load, rn: SP, write_back: true, mode: BlockMode::Db, registers, user: false }
    }

    fn transfer(load: bool, rd: u8) -> Action {
        let address = Address { rn: 1, up: true, offset: Offset::Immediate(4), indexing: Indexing::Offset };
        Action::Transfer { load, size: Size::Word, rd, address }
    }

    fn long(signed: bool, accumulate: bool) -> Action {
        Action::LongMultiply { signed, accumulate, set: false, low: 3, high: 4, rm: 5, rs: 6 }
    }

    /// The tables of the manuals, in numbers of registers and not in N, S and I.
    #[test]
    fn known_figures() {
        for name in ["arm7tdmi", "arm7tdmi-paper"] {
            let exactly = |action, number| assert_eq!(cycles(name, action), (number, number), "{action:?}");
            let data = |rd, operand| Action::Data { op: DataOp::Add, set: false, rd, rn: 1, operand };
            exactly(data(0, Shifter::plain(2)), 1);
            exactly(data(PC, Shifter::plain(2)), 3);
            let kind = crate::instructions::ShiftKind::Lsr;
            exactly(data(0, Shifter::ByRegister { rm: 2, kind, rs: 3 }), 2);
            exactly(transfer(true, 0), 3);
            exactly(transfer(true, PC), 5);
            exactly(transfer(false, 0), 2);
            // r4-r11 and lr: 10 to save, 13 to restore and return
            exactly(block(false, 0x4ff0), 10);
            exactly(block(true, 0x8ff0), 13);
            exactly(block(true, 0x0001), 3);
            exactly(block(false, 0x0001), 2);
            exactly(Action::Branch { link: true, distance: 8 }, 3);
            exactly(Action::BranchExchange { rm: 14 }, 3);
            exactly(Action::Swap { byte: false, rd: 0, rm: 1, rn: 2 }, 4);
        }
        let multiply = |rn| Action::Multiply { set: false, rd: 0, rm: 1, rs: 2, rn };
        assert_eq!(cycles("arm7tdmi", multiply(None)), (2, 5));
        assert_eq!(cycles("arm7tdmi", multiply(Some(3))), (3, 6));
        assert_eq!(cycles("arm7tdmi", long(false, false)), (3, 6));
        assert_eq!(cycles("arm7tdmi", long(false, true)), (4, 7));
        assert_eq!(cycles("arm7tdmi-paper", long(false, false)), (4, 4));
        assert_eq!(cycles("arm7tdmi-paper", long(true, true)), (5, 5));
        // ARM DDI 0222B, table 8.2, and the others that its file names
        let nine = |action, number| assert_eq!(cycles("arm9ej-s", action), (number, number), "{action:?}");
        let data = |op, rd, operand| Action::Data { op, set: false, rd, rn: 1, operand };
        nine(data(DataOp::Add, 0, Shifter::plain(2)), 1);
        nine(data(DataOp::Add, PC, Shifter::plain(2)), 3);
        nine(data(DataOp::Mov, PC, Shifter::plain(2)), 4);
        nine(data(DataOp::Add, PC, Shifter::Rrx { rm: 2 }), 4);
        nine(data(DataOp::Orr, 0, Shifter::ByRegister { rm: 2, kind: ShiftKind::Lsr, rs: 3 }), 2);
        nine(transfer(true, 0), 1);
        nine(transfer(true, PC), 5);
        nine(transfer(false, 0), 1);
        nine(block(true, 0x0001), 2);
        nine(block(true, 0x4ff0), 9);
        nine(block(true, 0x8ff0), 13);
        nine(block(false, 0x4ff0), 9);
        nine(block(false, 0x0001), 2);
        nine(Action::BranchExchange { rm: 14 }, 3);
        nine(multiply(None), 2);
        nine(multiply(Some(3)), 2);
        nine(long(false, true), 3);
        let flags = Action::LongMultiply {
            signed: false,
            accumulate: false,
            set: true,
            low: 3,
            high: 4,
            rm: 5,
            rs: 6,
        };
        nine(flags, 5);
        // where its manual was not read
        let unread =
            [Action::Swap { byte: false, rd: 0, rm: 1, rn: 2 }, Action::ReadStatus { saved: false, rd: 0 }];
        assert!(unread.iter().all(|one| core("arm9ej-s").unwrap().cycles(&(*one).into()).is_none()));
        // times that are ranges, and waits, are not modelled together
        let both = |core: &&&Core| core.timing.array == Array::Early && core.timing.interlocks.is_some();
        assert!(!CORES.iter().any(|core| both(&core)));
        let conditional = Instruction { condition: Condition::Ne, action: long(false, false) };
        assert_eq!(core("arm7tdmi").unwrap().least(&conditional), Some(1));
        assert_eq!(core("arm7tdmi").unwrap().cycles(&Action::SoftwareInterrupt { number: 0 }.into()), None);
        assert!(core("z80").is_none());
    }

    /// DDI 0029E, 4.7 and 4.8: m by the bits of the multiplier operand above a byte's border.
    #[test]
    fn early_termination() {
        let more = |signed, rs| Early { rs: 0, signed, open: None }.more(rs);
        for (rs, unsigned, signed) in [
            (0, 0, 0),
            (0xff, 0, 0),
            (0x100, 1, 1),
            (0xffff, 1, 1),
            (0x1_0000, 2, 2),
            (0x00ff_ffff, 2, 2),
            (0x0100_0000, 3, 3),
            (0x7fff_ffff, 3, 3),
            (0x8000_0000, 3, 3),
            (0xffff_ffff, 3, 0),
            (0xffff_ff00, 3, 0),
            (0xffff_feff, 3, 1),
            (0xffff_0000, 3, 1),
            (0xfffe_ffff, 3, 2),
            (0xff00_0000, 3, 2),
            (0xfeff_ffff, 3, 3),
        ] {
            assert_eq!((more(false, rs), more(true, rs)), (unsigned, signed), "{rs:#x}");
            // more bits never take less time, but for signs
            let fewest = |signed| Early { rs: 0, signed, open: None }.fewest(rs);
            assert_eq!((fewest(false), fewest(true)), (unsigned, 0));
            assert!(
                [0, 1, 0x8000, 0x80_0000, 0xff00_0000].iter().all(|bits| more(false, rs | bits) >= unsigned)
            );
        }
    }
}
