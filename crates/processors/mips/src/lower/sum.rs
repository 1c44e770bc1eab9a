//! Columns of products in the accumulator, whatever it can do.
//!
//! With guard bits a column is a list of MADDUs, and one or two instructions take its low word and move the rest
//! down. Without, a product may overflow 64 bits: then HI, which grew by less than `2^32`, is smaller than before.
//! Proof: an addition of `p <= (2^32 - 1)^2` that overflows lowers the sum by `2^64 - p >= 2^33 - 1`, hence HI by 1
//! or more; one that does not overflow does not lower HI. So a comparison of HI before and after is the carry, and the
//! carries of a column are counted in a register. Where the ranges exclude an overflow nothing is compared.

use super::LowerError;
use super::abilities::Abilities;
use super::line::{Line, Name, Value, ZERO};
use crate::instructions::{Instruction, Op};

/// What the words are coefficients of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ring {
    /// Integers.
    Integers,
    /// Polynomials over GF(2), bits as coefficients.
    BinaryPolynomials,
}

/// The largest word, and the largest product of two words.
const WORD: u128 = u32::MAX as u128;
const PRODUCT: u128 = WORD * WORD;
/// The largest carry-less product: its degree is at most 62.
const POLYNOMIAL: u128 = (1 << 63) - 1;
const LOW: u128 = u64::MAX as u128;

/// The sum of a column, in the accumulator. Bounds are those of the sum itself, so that the sum of a row of columns
/// is known to be zero above the last one.
#[derive(Clone, Debug)]
pub struct Sum<'a> {
    abilities: &'a Abilities,
    ring: Ring,
    /// The largest value of the sum, carries that were counted included.
    most: u128,
    /// The largest value of HI and LO, without guard bits.
    part: u128,
    /// What HI holds, where that is known.
    high: Option<Name>,
    /// Overflows so far.
    count: Option<Value>,
    /// A register that holds 1.
    one: Option<Value>,
}

impl<'a> Sum<'a> {
    /// An empty sum.
    ///
    /// # Errors
    /// Where the processor cannot multiply in this ring.
    pub fn new(abilities: &'a Abilities, ring: Ring) -> Result<Self, LowerError> {
        if ring == Ring::BinaryPolynomials && abilities.carryless.is_none() {
            return Err(LowerError::Carryless);
        }
        Ok(Sum { abilities, ring, most: 0, part: 0, high: None, count: None, one: None })
    }

    /// Whether it is known to be zero.
    pub fn is_empty(&self) -> bool {
        self.most == 0
    }

    /// The largest value that it can have.
    pub fn most(&self) -> u128 {
        self.most
    }

    /// States a bound that the caller knows for another reason than the sizes of what was added: the sum has no more
    /// than so many words.
    pub fn limit(&mut self, words: usize) {
        if words < 4 {
            self.most = self.most.min((1 << (32 * words)) - 1);
            self.part = self.part.min(self.most);
        }
    }

    /// It becomes zero; nothing is emitted for it.
    pub fn clear(&mut self) {
        (self.most, self.part, self.high, self.count) = (0, 0, None, None);
    }

    /// Whether the accumulator moves down by a word in one instruction.
    pub fn is_wide(&self) -> bool {
        self.abilities.is_wide()
    }

    /// Adds something of at most `most` by an instruction that adds to the accumulator.
    fn add(
        &mut self,
        line: &mut Line,
        instruction: Instruction,
        [x, y]: [Name; 2],
        most: u128,
    ) -> Result<(), LowerError> {
        if self.ring == Ring::BinaryPolynomials {
            line.accumulate(instruction, x, y);
            self.most |= most;
            return Ok(());
        }
        if self.is_wide() {
            let room = (1 << self.abilities.accumulator) - 1 - self.most;
            if most > room {
                return Err(LowerError::Guard { bits: self.abilities.accumulator });
            }
            line.accumulate(instruction, x, y);
        } else if most <= LOW - self.part {
            line.accumulate(instruction, x, y);
            self.part += most;
            self.high = None;
        } else {
            let before = self.high(line);
            line.accumulate(instruction, x, y);
            let after = line.take(Instruction::new(Op::Mfhi));
            let carry = line.compute(Op::Sltu, after, before);
            self.count = Some(match self.count {
                Some(count) => line.compute(Op::Addu, count, carry),
                None => carry,
            });
            self.high = Some(after.into());
            self.part = LOW;
        }
        self.most += most;
        Ok(())
    }

    /// Adds the product of two words.
    ///
    /// # Errors
    /// Where it may be more than the accumulator holds.
    pub fn product(
        &mut self,
        line: &mut Line,
        x: impl Into<Name>,
        y: impl Into<Name>,
    ) -> Result<(), LowerError> {
        let names = [x.into(), y.into()];
        let (first, more, most) = match (self.ring, self.abilities.carryless) {
            (Ring::BinaryPolynomials, Some([first, more])) => (first, more, POLYNOMIAL),
            (Ring::BinaryPolynomials, None) => return Err(LowerError::Carryless),
            (Ring::Integers, _) => (Instruction::new(Op::Multu), Instruction::new(Op::Maddu), PRODUCT),
        };
        if self.most > 0 {
            return self.add(line, more, names, most);
        }
        self.clear();
        line.accumulate(first, names[0], names[1]);
        (self.most, self.part) = (most, most);
        Ok(())
    }

    /// Adds twice the product of two words; in characteristic 2 that is nothing.
    ///
    /// # Errors
    /// Where it may be more than the accumulator holds.
    pub fn twice(
        &mut self,
        line: &mut Line,
        x: impl Into<Name>,
        y: impl Into<Name>,
    ) -> Result<(), LowerError> {
        let names = [x.into(), y.into()];
        if self.ring == Ring::BinaryPolynomials {
            return Ok(());
        }
        let Some(twice) = self.abilities.twice.filter(|_| self.is_wide()) else {
            self.product(line, names[0], names[1])?;
            return self.product(line, names[0], names[1]);
        };
        self.begin(line);
        self.add(line, twice, names, 2 * PRODUCT)
    }

    /// The accumulator holds the sum, even where that is zero.
    fn begin(&mut self, line: &mut Line) {
        if self.most == 0 {
            line.accumulate(Instruction::new(Op::Multu), ZERO, ZERO);
            self.clear();
            self.high = Some(ZERO);
        }
    }

    fn one(&mut self, line: &mut Line) -> Value {
        *self.one.get_or_insert_with(|| line.number(1))
    }

    /// Adds a word.
    ///
    /// # Errors
    /// Where it may be more than the accumulator holds.
    pub fn word(&mut self, line: &mut Line, x: impl Into<Name>) -> Result<(), LowerError> {
        self.words(line, x, ZERO)
    }

    /// Adds two words; either may be [`ZERO`].
    ///
    /// # Errors
    /// Where it may be more than the accumulator holds.
    pub fn words(
        &mut self,
        line: &mut Line,
        x: impl Into<Name>,
        y: impl Into<Name>,
    ) -> Result<(), LowerError> {
        let words: Vec<Name> = [x.into(), y.into()].into_iter().filter(|name| *name != ZERO).collect();
        if let (Ring::Integers, Some(add), true) = (self.ring, self.abilities.words, self.is_wide()) {
            let (Some(x), y) = (words.first(), words.get(1)) else { return Ok(()) };
            if self.most == 0 && y.is_none() && self.abilities.sets_high {
                self.set(line, *x, ZERO, WORD);
                return Ok(());
            }
            self.begin(line);
            return self.add(line, add, [*x, *y.unwrap_or(&ZERO)], WORD * words.len() as u128);
        }
        for x in words {
            if self.most == 0 && self.abilities.sets_high {
                self.set(line, x, ZERO, WORD);
                continue;
            }
            let one = self.one(line).into();
            let (first, more) = match (self.ring, self.abilities.carryless) {
                (Ring::BinaryPolynomials, Some([first, more])) => (first, more),
                (Ring::BinaryPolynomials, None) => return Err(LowerError::Carryless),
                (Ring::Integers, _) => (Instruction::new(Op::Multu), Instruction::new(Op::Maddu)),
            };
            if self.most == 0 {
                line.accumulate(first, x, one);
                (self.most, self.part, self.high) = (WORD, WORD, None);
            } else {
                self.add(line, more, [x, one], WORD)?;
            }
        }
        Ok(())
    }

    /// HI and LO become these words; guard bits become zero.
    fn set(&mut self, line: &mut Line, low: Name, high: Name, most: u128) {
        line.accumulate(Instruction::new(Op::Mtlo), low, ZERO);
        line.accumulate(Instruction::new(Op::Mthi), high, ZERO);
        (self.most, self.part, self.high, self.count) = (most, most, Some(high), None);
    }

    /// The low word of the sum, which stays.
    pub fn peek(&self, line: &mut Line) -> Name {
        if self.most == 0 { ZERO } else { line.take(Instruction::new(Op::Mflo)).into() }
    }

    /// The low word of the sum, which is divided by `2^32`; [`ZERO`] where the sum is known to be zero.
    pub fn take(&mut self, line: &mut Line) -> Name {
        self.take_around(line, false, |_| ())
    }

    /// The same; with `away`, for which there must be no guard bits, the sum is nowhere in the accumulator while `other`
    /// writes instructions that may use it.
    pub(super) fn take_around(&mut self, line: &mut Line, away: bool, other: impl FnOnce(&mut Line)) -> Name {
        if self.most == 0 {
            other(line);
            return ZERO;
        }
        let rest = self.most >> 32;
        let plain = Instruction::new(Op::Mflo);
        if rest == 0 {
            let low = line.take(plain);
            other(line);
            self.clear();
            return low.into();
        }
        debug_assert!(!away || !self.is_wide());
        if self.is_wide() {
            let low = match (self.abilities.take, self.abilities.shift) {
                (Some(take), _) => line.take(take),
                (None, shift) => {
                    let low = line.take(plain);
                    // a wide accumulator has one of them
                    shift.into_iter().for_each(|shift| line.accumulate(shift, ZERO, ZERO));
                    low
                }
            };
            other(line);
            (self.most, self.part, self.high) = (rest, rest.min(LOW), None);
            return low.into();
        }
        let low = line.take(plain);
        let high = self.high(line);
        let above = self.count.map_or(ZERO, Name::from);
        other(line);
        self.set(line, high, above, rest);
        low.into()
    }

    /// The same, where nobody wants the low word.
    pub fn skip(&mut self, line: &mut Line) {
        let rest = self.most >> 32;
        match self.abilities.shift {
            _ if rest == 0 => self.clear(),
            Some(shift) if self.is_wide() => {
                line.accumulate(shift, ZERO, ZERO);
                (self.most, self.part, self.high) = (rest, rest.min(LOW), None);
            }
            _ if self.is_wide() => {
                self.take(line);
            }
            _ => {
                let high = self.high(line);
                self.set(line, high, self.count.map_or(ZERO, Name::from), rest);
            }
        }
    }

    /// What HI holds.
    fn high(&self, line: &mut Line) -> Name {
        self.high.unwrap_or_else(|| line.take(Instruction::new(Op::Mfhi)).into())
    }

    /// The last word of a sum that has no more.
    ///
    /// # Errors
    /// Where it may have more than a word.
    pub fn last(&mut self, line: &mut Line) -> Result<Name, LowerError> {
        if self.most > WORD {
            return Err(LowerError::Carry);
        }
        Ok(self.take(line))
    }
}
