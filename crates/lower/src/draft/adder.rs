//! Sums of words, column by column, in the accumulator or in registers.

use super::core::Fault;
use super::form::{Draft, Name, Pair, ZERO};
use super::sum::Sum;

/// Where a sum is made.
#[derive(Clone, Debug)]
pub(super) enum Adder {
    /// In the accumulator. A difference is made of complements there: what is left above is 1 less the borrow.
    Accumulator(Sum),
    /// In registers: the low word, and what came out of it; and how much the low word and the other are at most.
    Registers { low: Name, high: Name, most: [u64; 2] },
}

impl Adder {
    /// Nothing, in registers.
    pub(super) const REGISTERS: Adder = Adder::Registers { low: ZERO, high: ZERO, most: [0; 2] };

    /// Adds the products and the words of a column, of which so many words are left; 0 where that is not known.
    pub(super) fn add(
        &mut self,
        draft: &mut Draft,
        products: &[[Name; 2]],
        words: &[Name],
        left: usize,
    ) -> Result<(), Fault> {
        match self {
            Adder::Accumulator(sum) => {
                for [x, y] in products {
                    sum.product(draft, *x, *y)?;
                }
                for pair in words.chunks(2) {
                    sum.words(draft, pair[0], pair.get(1).copied().unwrap_or(ZERO))?;
                }
                if left > 0 {
                    sum.limit(left);
                }
            }
            Adder::Registers { low, high, most } => {
                if !products.is_empty() {
                    return Err(Fault::Instruction);
                }
                // the carry comes last, which is there last
                let entering = std::mem::replace(low, ZERO);
                if !words.is_empty() {
                    most[0] = u64::MAX;
                }
                for word in words.iter().copied().chain([entering]).filter(|word| *word != ZERO) {
                    if *low == ZERO {
                        *low = word;
                        continue;
                    }
                    let sum = draft.pair(Pair::Add, *low, word).into();
                    if left != 1 {
                        *high = added(draft, *high, [sum, word]);
                        most[1] += 1;
                    }
                    *low = sum;
                }
            }
        }
        Ok(())
    }

    /// Adds 0 or 1 to a carry that is 0 or 1 in a register, where nothing comes out; what is still to be added.
    pub(super) fn joined(&mut self, draft: &mut Draft, bit: Name) -> Name {
        match self {
            Adder::Registers { low, most, .. } if *low != ZERO && bit != ZERO && most[0] <= 1 => {
                *low = draft.pair(Pair::Add, *low, bit).into();
                most[0] += 1;
                ZERO
            }
            _ => bit,
        }
    }

    /// Subtracts `y` and the borrow from `x`.
    pub(super) fn subtract(
        &mut self,
        draft: &mut Draft,
        x: Name,
        y: Name,
        first: bool,
        last: bool,
    ) -> Result<(), Fault> {
        match self {
            Adder::Accumulator(sum) => {
                if first {
                    let one = draft.number(1);
                    sum.word(draft, one)?;
                }
                let complement = draft.pair(Pair::Nor, y, ZERO);
                sum.words(draft, x, complement)?;
                sum.limit(if last { 1 } else { 2 });
            }
            Adder::Registers { low, high, most } => {
                let borrow = *low;
                let (mut word, mut borrows) = (x, ZERO);
                for own in [y, borrow].into_iter().filter(|own| *own != ZERO) {
                    if !last {
                        borrows = added(draft, borrows, [word, own]);
                    }
                    word = draft.pair(Pair::Subtract, word, own).into();
                }
                // the borrows exclude each other
                (*low, *high, *most) = (word, borrows, [u64::MAX, 1]);
            }
        }
        Ok(())
    }

    /// The low word; what is above it stays.
    pub(super) fn take(&mut self, draft: &mut Draft) -> Name {
        match self {
            Adder::Accumulator(sum) => sum.take(draft),
            Adder::Registers { low, high, most } => {
                let word = *low;
                (*low, *high, *most) = (*high, ZERO, [most[1], 0]);
                word
            }
        }
    }

    /// The same, where nobody wants the low word.
    pub(super) fn skip(&mut self, draft: &mut Draft) {
        match self {
            Adder::Accumulator(sum) => sum.skip(draft),
            Adder::Registers { .. } => {
                self.take(draft);
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
    pub(super) fn peek(&self, draft: &mut Draft) -> Name {
        match self {
            Adder::Accumulator(sum) => sum.peek(draft),
            Adder::Registers { low, .. } => *low,
        }
    }
}

/// Carries, and one more where the first of two words is smaller than the second.
fn added(draft: &mut Draft, carries: Name, [smaller, larger]: [Name; 2]) -> Name {
    let own = draft.pair(Pair::Below, smaller, larger);
    if carries == ZERO { own.into() } else { draft.pair(Pair::Add, carries, own).into() }
}
