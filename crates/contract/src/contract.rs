//! What a routine is to compute.

use crate::any_modulus::{ANY, AnyModulus};
use crate::binary::{Binary, BinaryOperation};
use crate::modular::{Modular, ModularOperation};
use crate::modulus::ModulusError;
use crate::pattern::{APART, IN_PLACE, Pattern};
use crate::polynomial::PolynomialError;
use rhomb_machine::{Access, Buffer};
use std::fmt;
use std::str::FromStr;

/// A contract. Sizes are in bits; operands have `ceil(bits / word)` words, lowest word first. Arguments
/// are pointers to the result and the operands, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Contract {
    /// `r = a * b`, where `r` has as many words as `a` and `b` together.
    Mul {
        /// Size of `a`.
        a: u32,
        /// Size of `b`.
        b: u32,
    },
    /// `r = a * a`, where `r` has twice the words of `a`.
    Sqr {
        /// Size of `a`.
        a: u32,
    },
    /// `r = a + b mod 2^size`, the carry returned; `r` may be `a` or `b` or both.
    Add {
        /// Size of all three.
        size: u32,
    },
    /// `r = a - b mod 2^size`, the borrow returned; `r` may be `a` or `b` or both.
    Sub {
        /// Size of all three.
        size: u32,
    },
    /// An operation modulo a given number.
    Modular(Modular),
    /// An operation modulo a number that is an argument.
    AnyModulus(AnyModulus),
    /// An operation on polynomials over GF(2).
    Binary(Binary),
}

/// What a result is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expression {
    /// `a * b`.
    Product,
    /// `a * a`.
    Square,
    /// `a + b`.
    Sum,
    /// `a - b`.
    Difference,
    /// `a`.
    Value,
    /// `1 / a`, of a field.
    Inverse,
}

/// The operand that the routine may write.
const WORKSPACE: &str = "w";

/// Largest size in bits.
pub const MOST_BITS: u32 = 1 << 15;

/// A text that is no contract.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContractError {
    /// No operation, or an unknown one.
    #[error(
        "contract '{0}' names no operation; valid: mul BITS, mul BITS BITS, sqr BITS, add BITS, sub BITS, and with a \
         MODULUS modmul, modsqr, modadd, modsub, modhalf, modreduce, montmul, montsqr, montreduce, modinv, montinv; over \
         GF(2) gf2mul BITS, gf2sqr BITS, gf2add BITS, and with a POLYNOMIAL gf2modmul, gf2modsqr, gf2modreduce, \
         gf2montmul, gf2montsqr, gf2montreduce, gf2modinv"
    )]
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
        "'{ANY} {0}' is no modulus; valid behind montmul and montsqr: {ANY} BITS workspace WORDS complement WORD \
         inverse WORD, the words in this order, with BITS / 8 words for n and for R - n"
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

impl FromStr for Contract {
    type Err = ContractError;

    /// Grammar: `operation size [size]`, `operation modulus [condition]`, `operation any ...` or `operation polynomial`,
    /// separated by blanks; see
    /// docs/contracts.md.
    fn from_str(text: &str) -> Result<Self, ContractError> {
        let mut words = text.split_ascii_whitespace();
        let operation = words.next().unwrap_or_default();
        if let Some(modular) = ModularOperation::ALL.into_iter().find(|modular| modular.name() == operation) {
            if words.clone().next() == Some(ANY) {
                let behind: Vec<&str> = words.skip(1).collect();
                return AnyModulus::parse(operation, &behind).map(Contract::AnyModulus);
            }
            return Modular::parse(modular, &words.collect::<Vec<_>>()).map(Contract::Modular);
        }
        if let Some(binary) = BinaryOperation::ALL.into_iter().find(|binary| binary.name() == operation) {
            return Binary::parse(binary, &words.collect::<Vec<_>>()).map(Contract::Binary);
        }
        if !["mul", "sqr", "add", "sub"].contains(&operation) {
            return Err(ContractError::Operation(text.chars().take(80).collect()));
        }
        let size = |word: &str| match word.parse() {
            Ok(size @ 1..=MOST_BITS) => Ok(size),
            _ => Err(ContractError::Size(word.chars().take(80).collect())),
        };
        let sizes: Vec<u32> = words.map(size).collect::<Result<_, _>>()?;
        let sizes_error =
            |takes| ContractError::Sizes { operation: operation.into(), takes, given: sizes.len() };
        match (operation, sizes.as_slice()) {
            ("mul", [a]) => Ok(Contract::Mul { a: *a, b: *a }),
            ("mul", [a, b]) => Ok(Contract::Mul { a: *a, b: *b }),
            ("mul", _) => Err(sizes_error("one or two")),
            ("sqr", [a]) => Ok(Contract::Sqr { a: *a }),
            ("add", [size]) => Ok(Contract::Add { size: *size }),
            ("sub", [size]) => Ok(Contract::Sub { size: *size }),
            _ => Err(sizes_error("one")),
        }
    }
}

impl fmt::Display for Contract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Contract::Mul { a, b } if a == b => write!(f, "mul {a}"),
            Contract::Mul { a, b } => write!(f, "mul {a} {b}"),
            Contract::Sqr { a } => write!(f, "sqr {a}"),
            Contract::Add { size } => write!(f, "add {size}"),
            Contract::Sub { size } => write!(f, "sub {size}"),
            Contract::Modular(modular) => modular.fmt(f),
            Contract::AnyModulus(any) => any.fmt(f),
            Contract::Binary(binary) => binary.fmt(f),
        }
    }
}

impl Contract {
    /// Words of the operands.
    pub fn operands(&self, word_bits: u32) -> Vec<u32> {
        let words = |bits: &u32| bits.div_ceil(word_bits);
        match self {
            Contract::Mul { a, b } => vec![words(a), words(b)],
            Contract::Sqr { a } => vec![words(a)],
            Contract::Add { size } | Contract::Sub { size } => vec![words(size); 2],
            Contract::Modular(modular) => modular.operands(word_bits),
            Contract::AnyModulus(any) => any.operands(word_bits),
            Contract::Binary(binary) => binary.operands(word_bits),
        }
    }

    /// Names of the operands, in the order of the arguments behind the result.
    pub fn names(&self) -> &'static [&'static str] {
        match (self, self.expression()) {
            (Contract::AnyModulus(_), Expression::Square) => &["a", WORKSPACE],
            (Contract::AnyModulus(_), _) => &["a", "b", WORKSPACE],
            (_, Expression::Square | Expression::Value | Expression::Inverse) => &["a"],
            (_, Expression::Product | Expression::Sum | Expression::Difference) => &["a", "b"],
        }
    }

    /// What the result is compared with.
    pub fn expression(&self) -> Expression {
        match self {
            Contract::Mul { .. } => Expression::Product,
            Contract::Sqr { .. } => Expression::Square,
            Contract::Add { .. } => Expression::Sum,
            Contract::Sub { .. } => Expression::Difference,
            Contract::Modular(modular) => modular.expression(),
            Contract::AnyModulus(any) => any.expression(),
            Contract::Binary(binary) => binary.expression(),
        }
    }

    /// The operation and its modulus, where there is one.
    pub fn modular(&self) -> Option<&Modular> {
        match self {
            Contract::Modular(modular) => Some(modular),
            _ => None,
        }
    }

    /// The operation modulo an argument, if it is one.
    pub fn any_modulus(&self) -> Option<&AnyModulus> {
        match self {
            Contract::AnyModulus(any) => Some(any),
            _ => None,
        }
    }

    /// The operation on polynomials over GF(2), if it is one: then sums and products of
    /// [`Contract::expression`] are those of polynomials.
    pub fn binary(&self) -> Option<&Binary> {
        match self {
            Contract::Binary(binary) => Some(binary),
            _ => None,
        }
    }

    /// By how many bits the result is moved up before it is compared: for a division by R, or by 2.
    pub fn shift(&self, word_bits: u32) -> u32 {
        match self {
            Contract::Modular(modular) => modular.shift(word_bits),
            Contract::AnyModulus(any) => word_bits * any.words(word_bits),
            Contract::Binary(binary) => binary.shift(word_bits),
            Contract::Mul { .. } | Contract::Sqr { .. } | Contract::Add { .. } | Contract::Sub { .. } => 0,
        }
    }

    /// Words of the result.
    pub fn result(&self, word_bits: u32) -> u32 {
        let operands = self.operands(word_bits);
        match self {
            Contract::Mul { .. } => operands.iter().sum(),
            Contract::Sqr { .. } => 2 * operands[0],
            Contract::Add { .. } | Contract::Sub { .. } => operands[0],
            Contract::Modular(modular) => modular.modulus.words(word_bits),
            Contract::AnyModulus(any) => any.words(word_bits),
            Contract::Binary(binary) => binary.result(word_bits),
        }
    }

    /// The buffers of a call: the result, then the operands, which hold `operands`: see
    /// [`Pattern::fitting`].
    pub fn buffers<W: Clone>(
        &self,
        word_bits: u32,
        pattern: &Pattern,
        operands: &[Vec<W>],
    ) -> Vec<Buffer<W>> {
        let result = Buffer {
            name: "r",
            length: self.result(word_bits),
            content: pattern.result_on.first().and_then(|operand| operands.get(*operand).cloned()),
            access: Access::Store,
            shares: None,
        };
        let operand = |(index, (name, words)): (usize, (&'static str, &Vec<W>))| Buffer {
            name,
            length: words.len() as u32,
            content: Some(words.clone()),
            access: if name == WORKSPACE { Access::Store } else { Access::Load },
            shares: pattern.result_on.contains(&index).then_some(0),
        };
        let operands = self.names().iter().copied().zip(operands).enumerate().map(operand);
        std::iter::once(result).chain(operands).collect()
    }

    /// Whether a carry or borrow is returned.
    pub fn returns_carry(&self) -> bool {
        matches!(self, Contract::Add { .. } | Contract::Sub { .. })
    }

    /// The ways in which result and operands may share memory; each must be proved.
    pub fn patterns(&self) -> &'static [Pattern] {
        match self.expression() {
            Expression::Product | Expression::Square | Expression::Value | Expression::Inverse => APART,
            Expression::Sum | Expression::Difference => IN_PLACE,
        }
    }
}
