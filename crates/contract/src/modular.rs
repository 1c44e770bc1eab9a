//! Operations modulo a number that is written into the code.

use crate::error::{ContractError, short};
use crate::modulus::Modulus;
use crate::operation::{Expression, Operation};
use crate::prime::is_prime;
use std::fmt;

/// That operands are below the modulus, as contracts say it.
const CONDITIONS: [&str; 2] = ["a<p", "b<p"];
/// That the result is.
const PROMISE: &str = "r<p";
/// What stands before a factor that is a number.
const FACTOR: &str = "b=";

/// An operation and its modulus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Modular {
    /// What is computed, one of [`Family::Modular`](crate::Family::Modular).
    pub operation: Operation,
    /// The modulus `p`.
    pub modulus: Modulus,
    /// The operands that are below the modulus at the call; others are any numbers of their words.
    pub reduced: [bool; 2],
    /// Whether the result is to be below the modulus, too.
    pub canonical: bool,
    /// Of a product whose factor `b` is a number that is written into the code, that number; then `a` is the only operand.
    pub factor: Option<u32>,
}

impl Modular {
    /// Reads what follows the operation: a modulus, then conditions.
    pub(crate) fn parse(operation: Operation, text: &[&str]) -> Result<Modular, ContractError> {
        let (modulus, conditions) = text.split_first().unwrap_or((&"", &[]));
        let mut modular = Modular {
            operation,
            modulus: modulus.parse()?,
            reduced: [false; 2],
            canonical: false,
            factor: None,
        };
        if operation.expression() == Expression::Inverse && !is_prime(&modular.modulus.number()) {
            return Err(ContractError::NoField(short(modulus)));
        }
        let operands = operation.operands().len();
        for condition in conditions {
            match CONDITIONS[..operands].iter().position(|known| known == condition) {
                Some(operand) => modular.reduced[operand] = true,
                None if *condition == PROMISE => modular.canonical = true,
                None => match factor(condition).filter(|_| operation == Operation::ModMul) {
                    Some(factor) if !modular.reduced[1] && modular.factor.is_none() => {
                        modular.factor = Some(factor);
                    }
                    _ => {
                        let factor = if operation == Operation::ModMul { ", b=NUMBER" } else { "" };
                        return Err(ContractError::Condition {
                            given: short(condition),
                            valid: format!("{}, {PROMISE}{factor}", CONDITIONS[..operands].join(", ")),
                        });
                    }
                },
            }
        }
        if modular.factor.is_some() && modular.reduced[1] {
            let valid = format!("{}, {PROMISE}", CONDITIONS[0]);
            return Err(ContractError::Condition { given: CONDITIONS[1].to_owned(), valid });
        }
        Ok(modular)
    }

    /// By how many bits the result is moved up before it is compared.
    pub fn shift(&self, word_bits: u32) -> u32 {
        self.operation.shift(word_bits * self.modulus.words(word_bits))
    }

    /// Whether operand `index` is below the modulus at the call.
    pub fn is_reduced(&self, index: usize) -> bool {
        self.reduced.get(index).is_some_and(|reduced| *reduced)
    }
}

/// The number of a condition that says what a factor is: decimal, from 2 on.
fn factor(condition: &str) -> Option<u32> {
    let digits = condition.strip_prefix(FACTOR)?;
    let is_plain = digits.starts_with(|first: char| ('1'..='9').contains(&first));
    digits.parse().ok().filter(|factor| is_plain && *factor > 1)
}

impl fmt::Display for Modular {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.operation.name(), self.modulus)?;
        let conditions = CONDITIONS.iter().zip(self.reduced).filter(|(_, reduced)| *reduced);
        conditions.into_iter().try_for_each(|(condition, _)| write!(f, " {condition}"))?;
        self.factor.iter().try_for_each(|factor| write!(f, " {FACTOR}{factor}"))?;
        if self.canonical { write!(f, " {PROMISE}") } else { Ok(()) }
    }
}
