//! Operations on whole numbers.

use crate::bound::Bound;
use crate::error::{ContractError, size};
use crate::operation::{Expression, Operation};
use std::fmt;

/// What follows the size of the first operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Second {
    /// The size of `b` in bits; of a shift, by how many bits.
    Bits(u32),
    /// `b` is one word, which is given by value.
    Word,
}

/// An operation on numbers of so many bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Whole {
    /// What is computed, one of [`Family::Whole`](crate::Family::Whole).
    pub operation: Operation,
    /// Size of `a` in bits.
    pub a: u32,
    /// What `b` is, where there is one.
    pub second: Second,
}

/// What stands for a size where an operand is one word.
const WORD: &str = "word";

impl Whole {
    /// The operation on numbers of one size.
    pub fn new(operation: Operation, size: u32) -> Self {
        Whole { operation, a: size, second: Second::Bits(size) }
    }

    /// Whether the operation is a shift, whose second number says how far.
    fn is_shift(&self) -> bool {
        matches!(self.operation, Operation::Shl | Operation::Shr)
    }

    /// By how many bits a shift shifts; 0 of all others.
    pub(crate) fn distance(&self) -> u32 {
        match self.second {
            Second::Bits(bits) if self.is_shift() => bits,
            _ => 0,
        }
    }

    /// Whether `b` is one word, which is given by value.
    pub(crate) fn takes_word(&self) -> bool {
        self.second == Second::Word
    }

    /// Words of the operands, where `count` says how many a number of so many bits has.
    pub(crate) fn operands(&self, count: impl Fn(u32) -> u32) -> Vec<u32> {
        let n = count(self.a);
        let m = match self.second {
            Second::Bits(bits) => count(bits),
            Second::Word => 1,
        };
        match self.operation.expression() {
            Expression::Product => vec![n, m],
            Expression::Accumulated | Expression::Reduced => vec![self.result(&count), n, m],
            expression if expression.has_bit() => vec![n, n, 1],
            Expression::Sum | Expression::Difference if self.takes_word() => vec![n, m],
            _ => vec![n; self.operation.operands().len()],
        }
    }

    /// Words of the result, likewise.
    pub(crate) fn result(&self, count: impl Fn(u32) -> u32) -> u32 {
        let n = count(self.a);
        match (self.operation, self.second) {
            _ if self.operation.expression().is_comparison() => 0,
            (_, Second::Word) => n,
            (Operation::Mul | Operation::Mac | Operation::Msub, Second::Bits(b)) => n + count(b),
            (Operation::Sqr | Operation::Swap, _) => 2 * n,
            _ => n,
        }
    }

    /// What is granted of an operand whatever the contract says.
    pub(crate) fn own_bound(&self, operand: usize) -> Option<Bound> {
        (self.operation.expression().has_bit() && operand == 2).then_some(Bound::TWO)
    }

    /// Reads the sizes that follow the operation.
    pub(crate) fn parse(operation: Operation, text: &[&str]) -> Result<Whole, ContractError> {
        let is_product = matches!(operation, Operation::Mul | Operation::Mac | Operation::Msub);
        let is_sum = matches!(operation, Operation::Add | Operation::Sub);
        let whole = match text {
            [a, second] if (is_product || is_sum) && *second == WORD => {
                Whole { operation, a: size(a)?, second: Second::Word }
            }
            [a, b] if is_product => Whole { operation, a: size(a)?, second: Second::Bits(size(b)?) },
            [a, by] if matches!(operation, Operation::Shl | Operation::Shr) => {
                let second = Second::Bits(distance(by)?);
                Whole { operation, a: size(a)?, second }
            }
            [a] if !matches!(operation, Operation::Shl | Operation::Shr) => Whole::new(operation, size(a)?),
            _ => {
                // a text that is no size is the fault, however many there are
                text.iter().filter(|text| **text != WORD).try_for_each(|text| size(text).map(|_| ()))?;
                let takes = match (is_product, operation) {
                    (true, _) => "one or two",
                    (_, Operation::Shl | Operation::Shr) => "a size and a number of bits",
                    _ => "one",
                };
                return Err(ContractError::Sizes {
                    operation: operation.name().into(),
                    takes,
                    given: text.len(),
                });
            }
        };
        Ok(whole)
    }
}

/// Most bits by which a shift shifts, fewer than a word has; by none it is a copy.
const MOST_SHIFT: u32 = 31;

fn distance(text: &str) -> Result<u32, ContractError> {
    let bits = text.parse().ok().filter(|bits| (0..=MOST_SHIFT).contains(bits));
    bits.ok_or_else(|| ContractError::Shift(crate::error::short(text)))
}

impl fmt::Display for Whole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.operation.name(), self.a)?;
        match self.second {
            Second::Word => write!(f, " {WORD}"),
            Second::Bits(b) if self.is_shift() || b != self.a => write!(f, " {b}"),
            Second::Bits(_) => Ok(()),
        }
    }
}
