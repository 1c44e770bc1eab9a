//! Texts that are no contracts.

use crate::modulus::ModulusError;
use crate::operation::valid;
use crate::polynomial::PolynomialError;

/// Largest size in bits.
pub const MOST_BITS: u32 = 1 << 15;

/// A text that is no contract.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContractError {
    /// No operation, or an unknown one.
    #[error("contract '{0}' names no operation; valid: {valid}", valid = valid())]
    Operation(String),
    /// A size that is no number, or not one from 1 to [`MOST_BITS`].
    #[error("'{0}' is no size in bits; valid: 1 to {MOST_BITS}")]
    Size(String),
    /// Something else than a condition behind a modulus.
    #[error("'{given}' is no condition on an operand or the result; valid: {valid}")]
    Condition {
        /// What stands there.
        given: String,
        /// The conditions.
        valid: String,
    },
    /// Not what follows `any`.
    #[error(
        "'any {0}' is no modulus; valid behind montmul, montsqr and montreduce: any BITS workspace WORDS \
         complement WORD inverse WORD, the words in this order, with room for n and for R - n before the next"
    )]
    AnyModulus(String),
    /// The modulus is missing or none.
    #[error(transparent)]
    Modulus(#[from] ModulusError),
    /// The polynomial is none.
    #[error(transparent)]
    Polynomial(#[from] PolynomialError),
    /// An inversion modulo what is not prime, or not irreducible: there are elements without an inverse.
    #[error("'{0}' makes no field: an inversion wants a prime modulus, or an irreducible polynomial")]
    NoField(String),
    /// No polynomial, or several.
    #[error("{operation} takes one polynomial such as x^191+x^9+1, not {given}")]
    Polynomials {
        /// The operation.
        operation: String,
        /// How many there are.
        given: usize,
    },
    /// Too few or too many sizes.
    #[error("{operation} takes {takes}, not {given} sizes")]
    Sizes {
        /// The operation.
        operation: String,
        /// What it takes.
        takes: &'static str,
        /// How many there are.
        given: usize,
    },
}

/// The beginning of a text, for a message.
pub(crate) fn short(text: &str) -> String {
    text.chars().take(80).collect()
}

/// A size in bits or words.
pub(crate) fn size(text: &str) -> Result<u32, ContractError> {
    text.parse()
        .ok()
        .filter(|size| (1..=MOST_BITS).contains(size))
        .ok_or_else(|| ContractError::Size(short(text)))
}
