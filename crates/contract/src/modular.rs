//! Operations modulo a number that is written into the code.

use crate::contract::{ContractError, Expression};
use crate::modulus::Modulus;
use crate::prime::is_prime;
use std::fmt;

/// What is computed modulo `p`. With `n` the words of `p` and `R = 2^(w*n)`, the result has `n` words and is
/// congruent to what is written here; it need not be below `p`, but where the contract says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ModularOperation {
    /// `a * b`.
    Mul,
    /// `a * a`.
    Sqr,
    /// `a + b`.
    Add,
    /// `a - b`.
    Sub,
    /// `a / 2`.
    Half,
    /// `a`, of `2n` words.
    Reduce,
    /// `a * b / R`.
    MontgomeryMul,
    /// `a * a / R`.
    MontgomerySqr,
    /// `a / R`, where `a` has `2n` words.
    MontgomeryReduce,
    /// `1 / a` for a prime `p`; 0 where `p` divides `a`.
    Inverse,
    /// `R^2 / a`, which is `1 / a` where numbers stand for themselves times `R`; `p` is prime.
    MontgomeryInverse,
}

impl ModularOperation {
    /// All of them.
    pub const ALL: [ModularOperation; 11] = [
        ModularOperation::Mul,
        ModularOperation::Sqr,
        ModularOperation::Add,
        ModularOperation::Sub,
        ModularOperation::Half,
        ModularOperation::Reduce,
        ModularOperation::MontgomeryMul,
        ModularOperation::MontgomerySqr,
        ModularOperation::MontgomeryReduce,
        ModularOperation::Inverse,
        ModularOperation::MontgomeryInverse,
    ];

    /// The name in contracts.
    pub fn name(self) -> &'static str {
        match self {
            ModularOperation::Mul => "modmul",
            ModularOperation::Sqr => "modsqr",
            ModularOperation::Add => "modadd",
            ModularOperation::Sub => "modsub",
            ModularOperation::Half => "modhalf",
            ModularOperation::Reduce => "modreduce",
            ModularOperation::MontgomeryMul => "montmul",
            ModularOperation::MontgomerySqr => "montsqr",
            ModularOperation::MontgomeryReduce => "montreduce",
            ModularOperation::Inverse => "modinv",
            ModularOperation::MontgomeryInverse => "montinv",
        }
    }
}

/// That operands are below the modulus, as contracts say it.
const CONDITIONS: [&str; 2] = ["a<p", "b<p"];
/// That the result is.
const PROMISE: &str = "r<p";

/// An operation and its modulus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Modular {
    /// What is computed.
    pub operation: ModularOperation,
    /// The modulus `p`.
    pub modulus: Modulus,
    /// The operands that are below the modulus at the call; others are any numbers of their words.
    pub reduced: [bool; 2],
    /// Whether the result is to be below the modulus, too.
    pub canonical: bool,
}

impl Modular {
    /// What the result, times [`Modular::shift`], is congruent to.
    pub fn expression(&self) -> Expression {
        match self.operation {
            ModularOperation::Mul | ModularOperation::MontgomeryMul => Expression::Product,
            ModularOperation::Sqr | ModularOperation::MontgomerySqr => Expression::Square,
            ModularOperation::Add => Expression::Sum,
            ModularOperation::Sub => Expression::Difference,
            ModularOperation::Half | ModularOperation::Reduce | ModularOperation::MontgomeryReduce => {
                Expression::Value
            }
            ModularOperation::Inverse | ModularOperation::MontgomeryInverse => Expression::Inverse,
        }
    }

    /// By how many bits the result is moved up before it is compared: `w*n` for a division by `R`.
    pub fn shift(&self, word_bits: u32) -> u32 {
        match self.operation {
            ModularOperation::MontgomeryMul
            | ModularOperation::MontgomerySqr
            | ModularOperation::MontgomeryReduce => word_bits * self.modulus.words(word_bits),
            ModularOperation::Half => 1,
            ModularOperation::Mul
            | ModularOperation::Sqr
            | ModularOperation::Add
            | ModularOperation::Sub
            | ModularOperation::Reduce
            | ModularOperation::Inverse
            | ModularOperation::MontgomeryInverse => 0,
        }
    }

    /// Words of the operands.
    pub fn operands(&self, word_bits: u32) -> Vec<u32> {
        let words = self.modulus.words(word_bits);
        match self.expression() {
            Expression::Product | Expression::Sum | Expression::Difference => vec![words; 2],
            Expression::Square | Expression::Inverse => vec![words],
            Expression::Value if self.operation == ModularOperation::Half => vec![words],
            Expression::Value => vec![2 * words],
        }
    }

    /// Reads what follows the operation: a modulus, then conditions.
    pub(crate) fn parse(operation: ModularOperation, text: &[&str]) -> Result<Modular, ContractError> {
        let (modulus, conditions) = text.split_first().unwrap_or((&"", &[]));
        let mut modular =
            Modular { operation, modulus: modulus.parse()?, reduced: [false; 2], canonical: false };
        if modular.expression() == Expression::Inverse && !is_prime(&modular.modulus.number()) {
            return Err(ContractError::NoField(modulus.chars().take(80).collect()));
        }
        let operands = modular.operands(1).len();
        for condition in conditions {
            match CONDITIONS[..operands].iter().position(|known| known == condition) {
                Some(operand) => modular.reduced[operand] = true,
                None if *condition == PROMISE => modular.canonical = true,
                None => {
                    return Err(ContractError::Condition {
                        given: condition.chars().take(80).collect(),
                        valid: format!("{}, {PROMISE}", CONDITIONS[..operands].join(", ")),
                    });
                }
            }
        }
        Ok(modular)
    }

    /// Whether operand `index` is below the modulus at the call.
    pub fn is_reduced(&self, index: usize) -> bool {
        self.reduced.get(index).is_some_and(|reduced| *reduced)
    }
}

impl fmt::Display for Modular {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.operation.name(), self.modulus)?;
        let conditions = CONDITIONS.iter().zip(self.reduced).filter(|(_, reduced)| *reduced);
        conditions.into_iter().try_for_each(|(condition, _)| write!(f, " {condition}"))?;
        if self.canonical { write!(f, " {PROMISE}") } else { Ok(()) }
    }
}
