//! Operations on polynomials over GF(2), whose coefficients are the bits of words.

use crate::error::{ContractError, short, size};
use crate::operation::{Expression, Family, Operation};
use crate::polynomial::BinaryPolynomial;
use crate::prime::is_irreducible;
use std::fmt;

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
    operation: Operation,
    size: Size,
}

impl Binary {
    /// What is computed.
    pub fn operation(&self) -> Operation {
        self.operation
    }

    /// The modulus, where there is one.
    pub fn modulus(&self) -> Option<&BinaryPolynomial> {
        match &self.size {
            Size::Modulo(polynomial) => Some(polynomial),
            Size::Bits(_) => None,
        }
    }

    /// The size in bits, or the degree of the modulus.
    pub fn bits(&self) -> u32 {
        match &self.size {
            Size::Bits(bits) => *bits,
            Size::Modulo(polynomial) => polynomial.degree(),
        }
    }

    /// By how many bits the result is moved up before it is compared.
    pub fn shift(&self, word_bits: u32) -> u32 {
        self.operation.shift(word_bits * self.bits().div_ceil(word_bits))
    }

    /// Reads what follows the operation: a size, or a modulus.
    pub(crate) fn parse(operation: Operation, text: &[&str]) -> Result<Binary, ContractError> {
        let is_modular = operation.family() == Family::BinaryModular;
        let operation_name = || operation.name().to_owned();
        let one = match text {
            [one] => *one,
            _ if is_modular => {
                return Err(ContractError::Polynomials { operation: operation_name(), given: text.len() });
            }
            _ => {
                return Err(ContractError::Sizes {
                    operation: operation_name(),
                    takes: "one",
                    given: text.len(),
                });
            }
        };
        if !is_modular {
            return Ok(Binary { operation, size: Size::Bits(size(one)?) });
        }
        let modulus: BinaryPolynomial = one.parse()?;
        if operation.expression() == Expression::Inverse && !is_irreducible(&modulus) {
            return Err(ContractError::NoField(short(one)));
        }
        Ok(Binary { operation, size: Size::Modulo(modulus) })
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
