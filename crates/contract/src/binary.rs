//! Operations on polynomials over GF(2), whose coefficients are the bits of words.

use crate::contract::{ContractError, Expression, MOST_BITS};
use crate::polynomial::BinaryPolynomial;
use crate::prime::is_irreducible;
use std::fmt;

/// What is computed. Of those modulo a polynomial of degree `m`, with `n = ceil(m / w)` words and `R = x^(w*n)`, the
/// result has `n` words and is congruent to what is written here; its degree need not be below `m`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOperation {
    /// `a * b`, of `2n` words.
    Mul,
    /// `a * a`, of `2n` words.
    Sqr,
    /// `a + b`.
    Add,
    /// `a * b` modulo the polynomial.
    ModMul,
    /// `a * a` modulo the polynomial.
    ModSqr,
    /// `a`, of `2n` words, modulo the polynomial.
    ModReduce,
    /// `a * b / R` modulo the polynomial.
    MontgomeryMul,
    /// `a * a / R` modulo the polynomial.
    MontgomerySqr,
    /// `a / R`, where `a` has `2n` words, modulo the polynomial.
    MontgomeryReduce,
    /// `1 / a` modulo the polynomial, which is irreducible; 0 where it divides `a`.
    ModInverse,
}

impl BinaryOperation {
    /// All of them.
    pub const ALL: [BinaryOperation; 10] = [
        BinaryOperation::Mul,
        BinaryOperation::Sqr,
        BinaryOperation::Add,
        BinaryOperation::ModMul,
        BinaryOperation::ModSqr,
        BinaryOperation::ModReduce,
        BinaryOperation::MontgomeryMul,
        BinaryOperation::MontgomerySqr,
        BinaryOperation::MontgomeryReduce,
        BinaryOperation::ModInverse,
    ];

    /// The name in contracts.
    pub fn name(self) -> &'static str {
        match self {
            BinaryOperation::Mul => "gf2mul",
            BinaryOperation::Sqr => "gf2sqr",
            BinaryOperation::Add => "gf2add",
            BinaryOperation::ModMul => "gf2modmul",
            BinaryOperation::ModSqr => "gf2modsqr",
            BinaryOperation::ModReduce => "gf2modreduce",
            BinaryOperation::MontgomeryMul => "gf2montmul",
            BinaryOperation::MontgomerySqr => "gf2montsqr",
            BinaryOperation::MontgomeryReduce => "gf2montreduce",
            BinaryOperation::ModInverse => "gf2modinv",
        }
    }

    /// Whether it is modulo a polynomial.
    pub fn is_modular(self) -> bool {
        !matches!(self, BinaryOperation::Mul | BinaryOperation::Sqr | BinaryOperation::Add)
    }
}

/// What bounds the operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Size {
    /// A number of coefficients.
    Bits(u32),
    /// The modulus.
    Modulo(BinaryPolynomial),
}

/// An operation on polynomials over GF(2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Binary {
    operation: BinaryOperation,
    size: Size,
}

impl Binary {
    /// What is computed.
    pub fn operation(&self) -> BinaryOperation {
        self.operation
    }

    /// The modulus, where there is one.
    pub fn modulus(&self) -> Option<&BinaryPolynomial> {
        match &self.size {
            Size::Modulo(polynomial) => Some(polynomial),
            Size::Bits(_) => None,
        }
    }

    /// What the result, times `x^shift`, is equal or congruent to; sums and products are those of polynomials.
    pub fn expression(&self) -> Expression {
        match self.operation {
            BinaryOperation::Mul | BinaryOperation::ModMul | BinaryOperation::MontgomeryMul => {
                Expression::Product
            }
            BinaryOperation::Sqr | BinaryOperation::ModSqr | BinaryOperation::MontgomerySqr => {
                Expression::Square
            }
            BinaryOperation::Add => Expression::Sum,
            BinaryOperation::ModReduce | BinaryOperation::MontgomeryReduce => Expression::Value,
            BinaryOperation::ModInverse => Expression::Inverse,
        }
    }

    /// The size in bits, or the degree of the modulus.
    pub fn bits(&self) -> u32 {
        match &self.size {
            Size::Bits(bits) => *bits,
            Size::Modulo(polynomial) => polynomial.degree(),
        }
    }

    fn words(&self, word_bits: u32) -> u32 {
        match &self.size {
            Size::Bits(bits) => bits.div_ceil(word_bits),
            Size::Modulo(polynomial) => polynomial.words(word_bits),
        }
    }

    /// By how many bits the result is moved up before it is compared: `w*n` for a division by `R`.
    pub fn shift(&self, word_bits: u32) -> u32 {
        match self.operation {
            BinaryOperation::MontgomeryMul
            | BinaryOperation::MontgomerySqr
            | BinaryOperation::MontgomeryReduce => word_bits * self.words(word_bits),
            BinaryOperation::Mul
            | BinaryOperation::Sqr
            | BinaryOperation::Add
            | BinaryOperation::ModMul
            | BinaryOperation::ModSqr
            | BinaryOperation::ModReduce
            | BinaryOperation::ModInverse => 0,
        }
    }

    /// Words of the operands.
    pub(crate) fn operands(&self, word_bits: u32) -> Vec<u32> {
        let words = self.words(word_bits);
        match self.expression() {
            Expression::Product | Expression::Sum | Expression::Difference => vec![words; 2],
            Expression::Square | Expression::Inverse => vec![words],
            Expression::Value => vec![2 * words],
        }
    }

    /// Words of the result.
    pub(crate) fn result(&self, word_bits: u32) -> u32 {
        match self.operation {
            BinaryOperation::Mul | BinaryOperation::Sqr => 2 * self.words(word_bits),
            _ => self.words(word_bits),
        }
    }

    /// Reads what follows the operation: a size, or a modulus.
    pub(crate) fn parse(operation: BinaryOperation, text: &[&str]) -> Result<Binary, ContractError> {
        let short = |text: &str| text.chars().take(80).collect::<String>();
        let name = operation.name().to_owned();
        let one = match text {
            [one] => *one,
            _ if operation.is_modular() => {
                return Err(ContractError::Polynomials { operation: name, given: text.len() });
            }
            _ => return Err(ContractError::Sizes { operation: name, takes: "one", given: text.len() }),
        };
        let size = if operation.is_modular() {
            let modulus: BinaryPolynomial = one.parse()?;
            if operation == BinaryOperation::ModInverse && !is_irreducible(&modulus) {
                return Err(ContractError::NoField(short(one)));
            }
            Size::Modulo(modulus)
        } else {
            let bits = one.parse().ok().filter(|bits| (1..=MOST_BITS).contains(bits));
            Size::Bits(bits.ok_or_else(|| ContractError::Size(short(one)))?)
        };
        Ok(Binary { operation, size })
    }
}

impl fmt::Display for Binary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.size {
            Size::Bits(bits) => write!(f, "{} {bits}", self.operation.name()),
            Size::Modulo(polynomial) => write!(f, "{} {polynomial}", self.operation.name()),
        }
    }
}
