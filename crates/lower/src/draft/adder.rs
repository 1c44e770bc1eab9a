//! Sums of words, column by column, in the accumulator or in registers.

use super::core::Fault;
use super::form::{Draft, Name, Pair, ZERO};
use super::sum::Sum;
use super::waiting::Waiting;

/// Where a sum is made.
#[derive(Clone, Debug)]
pub(super) enum Adder {
    /// In the accumulator. A difference is made of complements there: what is left above is 1 less the borrow.
    Accumulator(Sum),
    /// In registers.
    Registers(Waiting),
}

impl Adder {
    /// Adds the products, each with the most that its second word is known to be, and the words of a column, of which so many
    /// words are left; 0 where that is not known.
    pub(super) fn add(
        &mut self,
        draft: &mut Draft,
        products: &[([Name; 2], Option<u32>)],
        words: &[Name],
        left: usize,
    ) -> Result<(), Fault> {
        match self {
            Adder::Accumulator(sum) => {
                for ([x, y], _) in products {
                    sum.product(draft, *x, *y)?;
                }
                for pair in words.chunks(2) {
                    sum.words(draft, pair[0], pair.get(1).copied().unwrap_or(ZERO))?;
                }
                if left > 0 {
                    sum.limit(left);
                }
            }
            Adder::Registers(waiting) => {
                // the carry comes last, which is there last
                waiting.before(0, words);
                for product in products {
                    waiting.product(draft, 0, *product, left == 1);
                }
                waiting.sum(draft, 0, left);
            }
        }
        Ok(())
    }

    /// Adds a word that is at most this, where the sum is in registers.
    pub(super) fn word(&mut self, word: Name, most: u32) {
        if let Adder::Registers(waiting) = self {
            waiting.small(word, most);
        }
    }

    /// Adds 0 or 1 to a carry that is 0 or 1 in a register, where nothing comes out; what is still to be added.
    pub(super) fn joined(&mut self, draft: &mut Draft, bit: Name) -> Name {
        match self {
            Adder::Registers(waiting) => waiting.joined(draft, bit),
            Adder::Accumulator(_) => bit,
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
            Adder::Registers(waiting) => {
                let borrow = waiting.take();
                let (mut word, mut borrows) = (x, ZERO);
                for own in [y, borrow].into_iter().filter(|own| *own != ZERO) {
                    if !last {
                        borrows = added(draft, borrows, [word, own]);
                    }
                    word = draft.pair(Pair::Subtract, word, own).into();
                }
                // the borrows exclude each other
                waiting.becomes(word, borrows);
            }
        }
        Ok(())
    }

    /// The low word; what is above it stays.
    pub(super) fn take(&mut self, draft: &mut Draft) -> Name {
        match self {
            Adder::Accumulator(sum) => sum.take(draft),
            Adder::Registers(waiting) => waiting.take(),
        }
    }

    /// The same, where nobody wants the low word.
    pub(super) fn skip(&mut self, draft: &mut Draft) {
        match self {
            Adder::Accumulator(sum) => sum.skip(draft),
            Adder::Registers(waiting) => {
                waiting.take();
            }
        }
    }

    /// Whether what is left is 0 or 1.
    pub(super) fn is_bit(&self) -> bool {
        match self {
            Adder::Accumulator(sum) => sum.most() <= 1,
            Adder::Registers(waiting) => waiting.most().is_some_and(|most| most <= 1),
        }
    }

    /// The low word, which stays.
    pub(super) fn peek(&mut self, draft: &mut Draft) -> Name {
        match self {
            Adder::Accumulator(sum) => sum.peek(draft),
            Adder::Registers(waiting) => waiting.sum(draft, 0, 0),
        }
    }
}

/// Carries, and one more where the first of two words is smaller than the second.
fn added(draft: &mut Draft, carries: Name, [smaller, larger]: [Name; 2]) -> Name {
    let own = draft.pair(Pair::Below, smaller, larger);
    if carries == ZERO { own.into() } else { draft.pair(Pair::Add, carries, own).into() }
}
