//! Operations modulo a number that is written into the code.

use crate::contract::Expression;
use crate::modulus::Modulus;
use std::fmt;

/// What is computed modulo `p`. With `n` the words of `p` and `R = 2^(w*n)`, the result has `n` words and is
/// congruent to what is written here; it need not be below `p`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ModularOperation {
    /// `a * b`.
    Mul,
    /// `a * a`.
    Sqr,
    /// `a + b`, where `b` is below `p`: with both below `R` only, one correction would not do.
    Add,
    /// `a - b`, where `b` is below `p`.
    Sub,
    /// `a`, of `2n` words.
    Reduce,
    /// `a * b / R`.
    MontgomeryMul,
    /// `a * a / R`.
    MontgomerySqr,
    /// `a / R`, where `a` has `2n` words.
    MontgomeryReduce,
}

impl ModularOperation {
    /// All of them.
    pub const ALL: [ModularOperation; 8] = [
        ModularOperation::Mul,
        ModularOperation::Sqr,
        ModularOperation::Add,
        ModularOperation::Sub,
        ModularOperation::Reduce,
        ModularOperation::MontgomeryMul,
        ModularOperation::MontgomerySqr,
        ModularOperation::MontgomeryReduce,
    ];

    /// The name in contracts.
    pub fn name(self) -> &'static str {
        match self {
            ModularOperation::Mul => "modmul",
            ModularOperation::Sqr => "modsqr",
            ModularOperation::Add => "modadd",
            ModularOperation::Sub => "modsub",
            ModularOperation::Reduce => "modreduce",
            ModularOperation::MontgomeryMul => "montmul",
            ModularOperation::MontgomerySqr => "montsqr",
            ModularOperation::MontgomeryReduce => "montreduce",
        }
    }
}

/// An operation and its modulus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Modular {
    /// What is computed.
    pub operation: ModularOperation,
    /// The modulus `p`.
    pub modulus: Modulus,
}

impl Modular {
    /// What the result, times [`Modular::scale`], is congruent to.
    pub fn expression(&self) -> Expression {
        match self.operation {
            ModularOperation::Mul | ModularOperation::MontgomeryMul => Expression::Product,
            ModularOperation::Sqr | ModularOperation::MontgomerySqr => Expression::Square,
            ModularOperation::Add => Expression::Sum,
            ModularOperation::Sub => Expression::Difference,
            ModularOperation::Reduce | ModularOperation::MontgomeryReduce => Expression::Value,
        }
    }

    /// By how many words the result is moved up before it is compared: `n` for a division by `R`.
    pub fn scale(&self, word_bits: u32) -> u32 {
        match self.operation {
            ModularOperation::MontgomeryMul
            | ModularOperation::MontgomerySqr
            | ModularOperation::MontgomeryReduce => self.modulus.words(word_bits),
            ModularOperation::Mul
            | ModularOperation::Sqr
            | ModularOperation::Add
            | ModularOperation::Sub
            | ModularOperation::Reduce => 0,
        }
    }

    /// Words of the operands.
    pub fn operands(&self, word_bits: u32) -> Vec<u32> {
        let words = self.modulus.words(word_bits);
        match self.expression() {
            Expression::Product | Expression::Sum | Expression::Difference => vec![words; 2],
            Expression::Square => vec![words],
            Expression::Value => vec![2 * words],
        }
    }

    /// Whether operand `index` is below the modulus at the call.
    pub fn is_reduced(&self, index: usize) -> bool {
        index == 1 && matches!(self.operation, ModularOperation::Add | ModularOperation::Sub)
    }
}

impl fmt::Display for Modular {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.operation.name(), self.modulus)
    }
}
