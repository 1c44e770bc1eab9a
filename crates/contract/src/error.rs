//! Texts that are no contracts.

use crate::bound::VALID;
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
    /// Something else than a bound behind `<`.
    #[error("'{0}' is no bound; valid: {VALID}, with p only where there is a modulus")]
    Bound(String),
    /// A bound of a result of limbs.
    #[error("a result of limbs has no bound as a number; valid: a bound of each limb, r[i]<2*limb")]
    BoundOfLimbs,
    /// Limbs of an operation that has none.
    #[error(
        "{0} has no limbs; valid with limbs: mul, sqr, add, select, addif, cmp, less, equal, iszero, shl BITS 0, signed limbs with sub, \
         subif and neg, too, and what has a modulus"
    )]
    NoLimbs(String),
    /// One of several numbers that may lie in one place is to lie in another order.
    #[error(
        "'big-endian {0}': several numbers lie alike; valid: big-endian, and big-endian a, big-endian r where a is the only operand"
    )]
    OneBigEndian(String),
    /// A bound of a number in signed limbs.
    #[error("a number in signed limbs has no bound; valid: a bound of each limb, a[i]<1.5*limb")]
    BoundOfSigned,
    /// Something else than limbs, or their bounds without them.
    #[error("'{given}' says nothing of limbs; valid behind a size or a modulus: {valid}")]
    Limbs {
        /// What stands there.
        given: String,
        /// What could.
        valid: &'static str,
    },
    /// No number of bits to shift by.
    #[error("'{0}' is no number of bits to shift by; valid: 0 to 31")]
    Shift(String),
    /// A parenthesis that is not closed.
    #[error("'{0}' has no closing parenthesis; valid: arguments in their order, such as (r, a, b)")]
    Parenthesis(String),
    /// Something else behind the arguments.
    #[error("'{0}' stands behind the contract; valid there: -> carry, -> void, -> 0")]
    Behind(String),
    /// An argument that is none.
    #[error("'{given}' is no argument; valid: {valid}")]
    Argument {
        /// What stands there.
        given: String,
        /// What could.
        valid: String,
    },
    /// Too many arguments.
    #[error("more than {0} arguments")]
    Arguments(usize),
    /// The same thing said twice.
    #[error("{0} is given twice")]
    Twice(String),
    /// An operand, or the result, that is no argument.
    #[error("'{0}' is not among the arguments")]
    Unpassed(String),
    /// Not what a function returns.
    #[error("'{given}' is not what it returns; valid: {valid}")]
    Returned {
        /// What stands there.
        given: String,
        /// What could.
        valid: &'static str,
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
