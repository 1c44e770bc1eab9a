//! What is computed.

use crate::any_modulus::AnyModulus;
use crate::binary::Binary;
use crate::modular::Modular;
use crate::operation::{Expression, Operation};
use crate::whole::Whole;

/// What is computed, by family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Computation {
    /// An operation on whole numbers.
    Whole(Whole),
    /// An operation modulo a given number.
    Modular(Modular),
    /// An operation modulo a number that is an argument.
    AnyModulus(AnyModulus),
    /// An operation on polynomials over GF(2).
    Binary(Binary),
}

impl Computation {
    /// The operation.
    pub(crate) fn operation(&self) -> Operation {
        match self {
            Computation::Whole(whole) => whole.operation,
            Computation::Modular(modular) => modular.operation,
            Computation::AnyModulus(any) => any.operation,
            Computation::Binary(binary) => binary.operation(),
        }
    }

    /// What the result is compared with.
    pub(crate) fn expression(&self) -> Expression {
        match self {
            Computation::Modular(Modular { factor: Some(_), .. }) => Expression::Value,
            _ => self.operation().expression(),
        }
    }
}
