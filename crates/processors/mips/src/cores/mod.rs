//! Processor cores and how long their instructions take.
//!
//! A bare core has no memory of its own: where memory lies is said here only so that a routine can be placed
//! somewhere. Caches hit always.

mod mips32_4km;
mod mips32_ise;
mod smartmips;
mod timing_4k;
mod timing_ise;

use crate::instructions::Kind;
use std::ops::Range;

/// A processor core.
#[derive(Debug)]
pub struct Core {
    /// Name on the command line.
    pub name: &'static str,
    /// What it is, in one line.
    pub description: &'static str,
    /// Manuals and sections from which the fields were taken.
    pub source: &'static str,
    /// The value of the GNU tools' `-march=`.
    pub march: &'static str,
    /// The text of its instruction set extension, see [`crate::extension`].
    pub extension: Option<&'static str>,
    /// Whether MTHI clears the guard bits above HI; else it leaves them undefined. Without guard bits it does
    /// not matter.
    pub mthi_clears_guard: bool,
    /// Byte addresses of data memory.
    pub ram: Range<u32>,
    /// How long instructions take.
    pub timing: &'static Timing,
}

/// A part of the processor that works on one instruction at a time, or a few.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Arithmetic and logic, loads, stores, branches.
    Integer,
    /// Multiplication, division, and the accumulator.
    MultiplyDivide,
}

/// How long an instruction takes. One instruction is issued after the other, each as soon as what it reads is
/// there and its unit is free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Time {
    /// Which unit works on it.
    pub unit: Unit,
    /// Cycles until the next instruction can be issued.
    pub issue: u8,
    /// Cycles until its unit takes the next instruction.
    pub occupies: u8,
    /// Cycles until an instruction can be issued that reads its result.
    pub latency: u8,
}

/// Cycles of the instructions of a pipeline. A branch, taken or not, costs its delay slot and nothing else.
#[derive(Debug)]
pub struct Timing {
    /// What the figures are called.
    pub name: &'static str,
    /// Manual and sections.
    pub source: &'static str,
    /// Arithmetic, logic, shifts, comparisons, traps that do not happen.
    pub plain: Time,
    /// Loads.
    pub load: Time,
    /// Stores.
    pub store: Time,
    /// Branches and jumps.
    pub branch: Time,
    /// MULT, MADD and their kin.
    pub product: Time,
    /// The same where rt has 16 bits, if that is faster.
    pub narrow_product: Option<Time>,
    /// MUL.
    pub product_to_register: Time,
    /// The same where rt has 16 bits, if that is faster.
    pub narrow_product_to_register: Option<Time>,
    /// Cycles of DIV for a dividend of 1, 2, 3 and 4 bytes, until its result can be used and until the next
    /// instruction is taken.
    pub divide: [u8; 4],
    /// Of DIVU.
    pub divide_unsigned: [u8; 4],
    /// MFHI and MFLO.
    pub from_accumulator: Time,
    /// MTHI and MTLO.
    pub to_accumulator: Time,
}

const fn time(unit: Unit, occupies: u8, latency: u8) -> Time {
    Time { unit, issue: 1, occupies, latency }
}

/// What an instruction takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// Most.
    pub most: Time,
    /// What it takes where rt has 16 bits, if that is less.
    pub narrow: Option<Time>,
    /// Cycles of a division by the number of the dividend's bytes.
    pub divide: Option<[u8; 4]>,
}

impl Timing {
    /// What instructions of a kind take; `None` for those of system mode, whose time is no pipeline's, and for
    /// those that have a time of their own.
    pub fn times(&self, kind: Kind) -> Option<Times> {
        let simple = |most| Some(Times { most, narrow: None, divide: None });
        let divide = |cycles: [u8; 4]| {
            let most = time(Unit::MultiplyDivide, cycles[3], cycles[3]);
            Some(Times { most, narrow: None, divide: Some(cycles) })
        };
        match kind {
            Kind::Plain => simple(self.plain),
            Kind::Load => simple(self.load),
            Kind::Store => simple(self.store),
            Kind::Branch => simple(self.branch),
            Kind::Product => Some(Times { most: self.product, narrow: self.narrow_product, divide: None }),
            Kind::ProductToRegister => Some(Times {
                most: self.product_to_register,
                narrow: self.narrow_product_to_register,
                divide: None,
            }),
            Kind::Divide => divide(self.divide),
            Kind::DivideUnsigned => divide(self.divide_unsigned),
            Kind::FromAccumulator => simple(self.from_accumulator),
            Kind::ToAccumulator => simple(self.to_accumulator),
            Kind::System | Kind::Extension => None,
        }
    }
}

/// All cores.
pub static CORES: &[&Core] = &[&mips32_4km::CORE, &mips32_ise::CORE, &smartmips::CORE];

/// The core of that name.
pub fn core(name: &str) -> Option<&'static Core> {
    CORES.iter().copied().find(|core| core.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_figures() {
        let times = |name: &str, kind| core(name).unwrap().timing.times(kind).unwrap();
        let product = times("mips32-4km", Kind::Product);
        assert_eq!((product.most.occupies, product.most.latency), (2, 2));
        assert_eq!(product.narrow.unwrap().latency, 1);
        assert_eq!(times("mips32-ise", Kind::Product).narrow, None);
        assert_eq!(times("mips32-4km", Kind::FromAccumulator).most.latency, 2);
        assert_eq!(times("mips32-ise", Kind::FromAccumulator).most.latency, 1);
        assert_eq!(times("mips32-4km", Kind::DivideUnsigned).divide, Some([9, 17, 25, 33]));
        assert_eq!(times("mips32-4km", Kind::Load).most.latency, 2);
        assert!(core("mips32-4km").unwrap().timing.times(Kind::System).is_none());
        assert!(core("r3000").is_none());
    }
}
