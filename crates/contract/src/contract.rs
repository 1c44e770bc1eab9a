//! What a routine is to compute.

use crate::any_modulus::{ANY, AnyModulus};
use crate::binary::Binary;
use crate::error::{ContractError, short, size};
use crate::modular::Modular;
use crate::operation::{Expression, Family, Operation};
use crate::pattern::{APART, IN_PLACE, Pattern};
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

/// The operand that the routine may write.
const WORKSPACE: &str = "w";

impl FromStr for Contract {
    type Err = ContractError;

    /// Grammar: `operation size [size]`, `operation modulus [condition]`, `operation any ...` or `operation polynomial`,
    /// separated by blanks; see
    /// docs/contracts.md.
    fn from_str(text: &str) -> Result<Self, ContractError> {
        let mut words = text.split_ascii_whitespace();
        let named = words.next().and_then(Operation::named);
        let operation = named.ok_or_else(|| ContractError::Operation(short(text)))?;
        let words: Vec<&str> = words.collect();
        match (operation.family(), words.as_slice()) {
            (Family::Modular, [ANY, behind @ ..]) => {
                return AnyModulus::parse(operation, behind).map(Contract::AnyModulus);
            }
            (Family::Modular, words) => return Modular::parse(operation, words).map(Contract::Modular),
            (Family::Binary | Family::BinaryModular, words) => {
                return Binary::parse(operation, words).map(Contract::Binary);
            }
            (Family::Whole, _) => {}
        }
        let sizes: Vec<u32> = words.iter().map(|word| size(word)).collect::<Result<_, _>>()?;
        let takes = if operation == Operation::Mul { "one or two" } else { "one" };
        match (operation, sizes.as_slice()) {
            (Operation::Mul, [a, b]) => Ok(Contract::Mul { a: *a, b: *b }),
            (_, [size]) => Ok(Contract::whole(operation, *size)),
            _ => Err(ContractError::Sizes { operation: operation.name().into(), takes, given: sizes.len() }),
        }
    }
}

impl fmt::Display for Contract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Contract::Mul { a, b } if a != b => write!(f, "mul {a} {b}"),
            Contract::Modular(modular) => modular.fmt(f),
            Contract::AnyModulus(any) => any.fmt(f),
            Contract::Binary(binary) => binary.fmt(f),
            _ => write!(f, "{} {}", self.operation().name(), self.bits()),
        }
    }
}

impl Contract {
    /// The contract of an operation on whole numbers of one size.
    pub fn whole(operation: Operation, size: u32) -> Self {
        match operation.expression() {
            Expression::Square => Contract::Sqr { a: size },
            Expression::Sum => Contract::Add { size },
            Expression::Difference => Contract::Sub { size },
            _ => Contract::Mul { a: size, b: size },
        }
    }

    /// What is computed.
    pub fn operation(&self) -> Operation {
        match self {
            Contract::Mul { .. } => Operation::Mul,
            Contract::Sqr { .. } => Operation::Sqr,
            Contract::Add { .. } => Operation::Add,
            Contract::Sub { .. } => Operation::Sub,
            Contract::Modular(modular) => modular.operation,
            Contract::AnyModulus(any) => any.operation,
            Contract::Binary(binary) => binary.operation(),
        }
    }

    /// The size of operand `a`, or of the modulus; for one over GF(2) its degree.
    pub fn bits(&self) -> u32 {
        match self {
            Contract::Mul { a, .. } | Contract::Sqr { a } => *a,
            Contract::Add { size } | Contract::Sub { size } => *size,
            Contract::Modular(modular) => modular.modulus.bits(),
            Contract::AnyModulus(any) => any.bits,
            Contract::Binary(binary) => binary.bits(),
        }
    }

    /// Words of the operands.
    pub fn operands(&self, word_bits: u32) -> Vec<u32> {
        match self {
            Contract::Mul { a, b } => vec![a.div_ceil(word_bits), b.div_ceil(word_bits)],
            Contract::AnyModulus(any) => any.operands(word_bits),
            Contract::Modular(Modular { factor: Some(_), modulus, .. }) => vec![modulus.words(word_bits)],
            _ => self.operation().operand_words(self.bits().div_ceil(word_bits)),
        }
    }

    /// Names of the operands, in the order of the arguments behind the result.
    pub fn names(&self) -> &'static [&'static str] {
        match (self, self.expression()) {
            (Contract::AnyModulus(_), Expression::Square | Expression::Value) => &["a", WORKSPACE],
            (Contract::AnyModulus(_), _) => &["a", "b", WORKSPACE],
            (_, expression) => expression.operands(),
        }
    }

    /// What the result is compared with, but for [`Contract::times`].
    pub fn expression(&self) -> Expression {
        match self {
            Contract::Modular(Modular { factor: Some(_), .. }) => Expression::Value,
            _ => self.operation().expression(),
        }
    }

    /// The number that the expression is multiplied by: 1, or a factor that is written into the code.
    pub fn times(&self) -> u32 {
        self.modular().and_then(|modular| modular.factor).unwrap_or(1)
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

    /// Whether it makes sense with words of so many bits: a workspace may be too short for a number of short ones.
    pub fn fits(&self, word_bits: u32) -> bool {
        self.any_modulus().is_none_or(|any| any.fits(word_bits))
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
        self.operation().shift(word_bits * self.bits().div_ceil(word_bits))
    }

    /// Words of the result.
    pub fn result(&self, word_bits: u32) -> u32 {
        match self {
            Contract::Mul { .. } => self.operands(word_bits).iter().sum(),
            _ => self.operation().result_words(self.bits().div_ceil(word_bits) as usize) as u32,
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
        self.operation().returns_carry()
    }

    /// The ways in which result and operands may share memory; each must be proved.
    pub fn patterns(&self) -> &'static [Pattern] {
        match self.expression() {
            Expression::Product | Expression::Square | Expression::Value | Expression::Inverse => APART,
            Expression::Sum | Expression::Difference => IN_PLACE,
        }
    }
}
