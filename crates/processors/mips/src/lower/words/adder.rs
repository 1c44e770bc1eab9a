//! Sums of words, column by column, in the accumulator or in registers.

use super::super::LowerError;
use super::super::line::{Line, Name, ZERO};
use super::super::sum::Sum;
use crate::instructions::Op;

/// Where a sum is made.
#[derive(Clone, Debug)]
pub(super) enum Adder<'a> {
    /// In the accumulator. A difference is made of complements there: what is left above is 1 less the borrow.
    Accumulator(Sum<'a>),
    /// In registers: the low word, and what came out of it; and how much the low word and the other are at most.
    Registers { low: Name, high: Name, most: [u32; 2] },
}

impl<'a> Adder<'a> {
    /// Nothing, in registers.
    pub(super) const REGISTERS: Adder<'static> = Adder::Registers { low: ZERO, high: ZERO, most: [0; 2] };

    /// Adds the products and the words of a column, of which so many words are left; 0 where that is not known.
    pub(super) fn add(
        &mut self,
        line: &mut Line,
        products: &[[Name; 2]],
        words: &[Name],
        left: usize,
    ) -> Result<(), LowerError> {
        match self {
            Adder::Accumulator(sum) => {
                for [x, y] in products {
                    sum.product(line, *x, *y)?;
                }
                for pair in words.chunks(2) {
                    sum.words(line, pair[0], pair.get(1).copied().unwrap_or(ZERO))?;
                }
                if left > 0 {
                    sum.limit(left);
                }
            }
            Adder::Registers { low, high, most } => {
                if !products.is_empty() {
                    return Err(LowerError::Instruction);
                }
                // the carry comes last, which is there last
                let entering = std::mem::replace(low, ZERO);
                if !words.is_empty() {
                    most[0] = u32::MAX;
                }
                for word in words.iter().copied().chain([entering]).filter(|word| *word != ZERO) {
                    if *low == ZERO {
                        *low = word;
                        continue;
                    }
                    let sum = line.compute(Op::Addu, *low, word).into();
                    if left != 1 {
                        *high = added(line, *high, [sum, word]);
                        most[1] += 1;
                    }
                    *low = sum;
                }
            }
        }
        Ok(())
    }

    /// Subtracts `y` and the borrow from `x`.
    pub(super) fn subtract(
        &mut self,
        line: &mut Line,
        x: Name,
        y: Name,
        first: bool,
        last: bool,
    ) -> Result<(), LowerError> {
        match self {
            Adder::Accumulator(sum) => {
                if first {
                    let one = line.number(1);
                    sum.word(line, one)?;
                }
                let complement = line.compute(Op::Nor, y, ZERO);
                sum.words(line, x, complement)?;
                sum.limit(if last { 1 } else { 2 });
            }
            Adder::Registers { low, high, most } => {
                let borrow = *low;
                let (mut word, mut borrows) = (x, ZERO);
                for own in [y, borrow].into_iter().filter(|own| *own != ZERO) {
                    if !last {
                        borrows = added(line, borrows, [word, own]);
                    }
                    word = line.compute(Op::Subu, word, own).into();
                }
                // the borrows exclude each other
                (*low, *high, *most) = (word, borrows, [u32::MAX, 1]);
            }
        }
        Ok(())
    }

    /// The low word; what is above it stays.
    pub(super) fn take(&mut self, line: &mut Line) -> Name {
        match self {
            Adder::Accumulator(sum) => sum.take(line),
            Adder::Registers { low, high, most } => {
                let word = *low;
                (*low, *high, *most) = (*high, ZERO, [most[1], 0]);
                word
            }
        }
    }

    /// The same, where nobody wants the low word.
    pub(super) fn skip(&mut self, line: &mut Line) {
        match self {
            Adder::Accumulator(sum) => sum.skip(line),
            Adder::Registers { .. } => {
                self.take(line);
            }
        }
    }

    /// Whether what is left is 0 or 1.
    pub(super) fn is_bit(&self) -> bool {
        match self {
            Adder::Accumulator(sum) => sum.most() <= 1,
            Adder::Registers { most, .. } => most[0] <= 1,
        }
    }

    /// The low word, which stays.
    pub(super) fn peek(&self, line: &mut Line) -> Name {
        match self {
            Adder::Accumulator(sum) => sum.peek(line),
            Adder::Registers { low, .. } => *low,
        }
    }
}

/// Carries, and one more where the first of two words is smaller than the second.
fn added(line: &mut Line, carries: Name, [smaller, larger]: [Name; 2]) -> Name {
    let own = line.compute(Op::Sltu, smaller, larger);
    if carries == ZERO { own.into() } else { line.compute(Op::Addu, carries, own).into() }
}
