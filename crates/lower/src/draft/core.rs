//! What a draft wants to know of a processor.

use super::form::{Act, Pair};
use crate::file::Register;
use smallvec::SmallVec;

/// Why there is no code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// More registers than there are.
    #[error("{needed} registers are needed, {available} are there")]
    Registers {
        /// Needed.
        needed: usize,
        /// Available.
        available: usize,
    },
    /// A column is longer than the guard bits allow.
    #[error("a column may add up to more than the {bits} bits of the accumulator")]
    Guard {
        /// Width of the accumulator.
        bits: u32,
    },
    /// What a row carries upwards may be longer than a word.
    #[error("a row may carry more than a word")]
    Carry,
    /// Polynomials over GF(2) without instructions for them.
    #[error("there is no carry-less multiplication")]
    Carryless,
    /// Operands beyond the reach of offsets and branches.
    #[error("the operands are longer than offsets and branches reach")]
    Displacement,
    /// Splits over GF(2).
    #[error("splits are made over the integers")]
    Splits,
    /// A method for other processors.
    #[error("{what} are made for processors without a multiplication instruction")]
    Multiplier {
        /// What the method is made of.
        what: &'static str,
    },
    /// Loops in another order than by columns or by rows of a word.
    #[error("loops are made by columns, one product at a time, or by rows of one word")]
    Loops,
    /// Something that a draft cannot have, or for which the core has no instruction.
    #[error("an instruction that has no place in a straight line")]
    Instruction,
}

/// What an instruction is to the core's clock.
#[derive(Clone, Copy, Debug)]
pub struct Facts<T> {
    /// What it takes, as the clock has it.
    pub time: T,
    /// Cycles from its issue until what it makes can be read.
    pub latency: u64,
    /// Cycles from its issue to that of the next one.
    pub length: u64,
    /// Parts of the accumulator that it reads: bits from 32 on.
    pub reads: u64,
    /// Parts of the accumulator that it writes, likewise.
    pub writes: u64,
}

/// The clock of a core: instructions are issued one after the other.
pub trait Clock<T>: Default {
    /// The cycle in which an instruction would be issued next that reads these registers: the low 32 bits; those above are
    /// the accumulator's.
    fn earliest(&self, reads: u64, time: &T) -> u64;

    /// Issues an instruction that reads and writes these.
    fn issue(&mut self, reads: u64, writes: u64, time: &T);
}

/// A core without a carry flag, and perhaps with an accumulator.
pub trait Core {
    /// Its instructions.
    type Instruction;
    /// What one takes.
    type Time: Copy;
    /// Its clock.
    type Clock: Clock<Self::Time>;

    /// What an instruction is to the clock; `small` says of a product that its second word is.
    ///
    /// # Errors
    /// Where there is no such instruction, or its address is too far from the base.
    fn facts(&self, act: Act, small: bool) -> Result<Facts<Self::Time>, Fault>;

    /// Whether what an instruction makes is so small a word that products by it take less time; `of_zero` where its first
    /// word is zero.
    fn is_small(&self, act: Act, of_zero: bool) -> bool;

    /// The acts that make a number, each of which but the first reads what the one before it made.
    fn number(&self, number: u32) -> SmallVec<[Act; 2]>;

    /// Whether there is an instruction of a word and this number.
    fn has_number(&self, pair: Pair, number: i32) -> bool;

    /// Whether it is shorter where its result takes the place of its first word.
    fn is_in_place(&self, act: Act) -> bool {
        let _ = act;
        false
    }

    /// The instruction with its registers: of what it makes, and of what it reads.
    fn instruction(&self, act: Act, to: Register, reads: [Register; 2]) -> Self::Instruction;
}

/// What the words are coefficients of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ring {
    /// Integers.
    Integers,
    /// Polynomials over GF(2), bits as coefficients.
    BinaryPolynomials,
}

/// What the accumulator can do.
#[derive(Clone, Copy, Debug)]
pub struct Abilities {
    /// Bits of a word.
    pub word: u32,
    /// Width of the accumulator in bits: two words where there are no guard bits above, 0 where products stand in registers.
    pub accumulator: u32,
    /// Whether [`Change::SetHigh`](super::Change::SetHigh) clears the guard bits, or there are none.
    pub sets_high: bool,
    /// Whether there is [`Change::Shift`](super::Change::Shift).
    pub shift: bool,
    /// Whether there is [`Part::Take`](super::Part::Take).
    pub take: bool,
    /// Whether there is [`Change::Twice`](super::Change::Twice).
    pub twice: bool,
    /// Whether there is [`Change::Words`](super::Change::Words).
    pub words: bool,
    /// Whether there are carry-less products.
    pub carryless: bool,
}

impl Abilities {
    /// Whether there is an accumulator.
    pub fn accumulates(&self) -> bool {
        self.accumulator > 0
    }

    /// Whether columns are added up above two words and moved down a word by an instruction.
    pub fn is_wide(&self) -> bool {
        self.accumulator > 2 * self.word && (self.shift || self.take)
    }
}

/// What is to be known where a draft is begun.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// What the accumulator can do.
    pub abilities: Abilities,
    /// What words are coefficients of.
    pub ring: Ring,
    /// Registers that point to the result and the operands.
    pub arguments: [Register; 3],
    /// The register of a carry that is returned.
    pub returned: Register,
    /// The stack pointer.
    pub stack: Register,
    /// Words from the stack pointer on that a routine which is called may use.
    pub home: usize,
}

/// The best of some results; of those that are equal, the first; where there is none, the last error, or `none`.
///
/// # Errors
/// Where there is no result.
pub fn best<R, K: Ord, E>(
    all: impl IntoIterator<Item = Result<R, E>>,
    rank: impl Fn(&R) -> K,
    none: E,
) -> Result<R, E> {
    let mut fault = none;
    let made = all.into_iter().filter_map(|one| one.map_err(|error| fault = error).ok());
    let found = made.min_by_key(rank);
    found.ok_or(fault)
}
