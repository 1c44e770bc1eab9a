//! Polynomials over GF(2) that are written into the code as moduli.

use num_bigint::BigUint;
use std::fmt;
use std::str::FromStr;

const LIMBS: usize = 33;

/// Largest degree of a modulus.
pub const MOST_DEGREE: u32 = 1024;

/// Most terms of a polynomial in print; with more it is hexadecimal.
const MOST_TERMS: u64 = 8;

/// A polynomial over GF(2) of degree at least 1 with the term 1. As text: `x^191+x^9+1`, or hexadecimal with bit `i` for
/// `x^i`, `0x11b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BinaryPolynomial {
    /// Lowest first.
    limbs: [u32; LIMBS],
}

/// A text that is no such polynomial.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PolynomialError {
    /// Neither a sum of powers nor hexadecimal.
    #[error(
        "'{0}' is no polynomial over GF(2); valid: powers such as x^191+x^9+1, or hexadecimal such as 0x11b"
    )]
    Text(String),
    /// The degree.
    #[error("the degree of the polynomial {0} does not lie between 1 and {MOST_DEGREE}")]
    Degree(String),
    /// It is a multiple of `x`.
    #[error("the polynomial {0} has no term 1: x divides it")]
    Constant(String),
}

impl BinaryPolynomial {
    /// Its coefficients as the bits of a number.
    pub fn number(&self) -> BigUint {
        BigUint::new(self.limbs.to_vec())
    }

    /// Its degree.
    pub fn degree(&self) -> u32 {
        self.number().bits() as u32 - 1
    }

    /// The exponents of its terms, the largest first.
    pub fn exponents(&self) -> Vec<u32> {
        let number = self.number();
        (0..=self.degree()).rev().filter(|exponent| number.bit((*exponent).into())).collect()
    }

    /// Words of `word_bits` bits that hold what is left by a division by it.
    pub fn words(&self, word_bits: u32) -> u32 {
        self.degree().div_ceil(word_bits)
    }
}

/// A sum of different powers of x.
fn powers(text: &str) -> Option<BigUint> {
    text.split('+').try_fold(BigUint::ZERO, |sum, term| {
        let exponent = match term {
            "1" => 0,
            "x" => 1,
            power => {
                power.strip_prefix("x^")?.parse::<u32>().ok().filter(|power| *power <= 2 * MOST_DEGREE)?
            }
        };
        let power = BigUint::from(1u8) << exponent;
        (!sum.bit(exponent.into())).then(|| sum | power)
    })
}

impl FromStr for BinaryPolynomial {
    type Err = PolynomialError;

    fn from_str(text: &str) -> Result<Self, PolynomialError> {
        let short: String = text.chars().take(80).collect();
        let number = match text.strip_prefix("0x") {
            Some(digits) => {
                let valid = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
                valid.then(|| BigUint::parse_bytes(digits.as_bytes(), 16)).flatten()
            }
            None => powers(text),
        };
        let number = number.ok_or_else(|| PolynomialError::Text(short.clone()))?;
        if !(2..=u64::from(MOST_DEGREE) + 1).contains(&number.bits()) {
            return Err(PolynomialError::Degree(short));
        }
        if !number.bit(0) {
            return Err(PolynomialError::Constant(short));
        }
        let mut limbs = [0; LIMBS];
        limbs.iter_mut().zip(number.to_u32_digits()).for_each(|(limb, digit)| *limb = digit);
        Ok(BinaryPolynomial { limbs })
    }
}

impl fmt::Display for BinaryPolynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.number();
        if number.count_ones() > MOST_TERMS {
            return write!(f, "{number:#x}");
        }
        let term = |exponent: u32| match exponent {
            0 => "1".to_owned(),
            1 => "x".to_owned(),
            _ => format!("x^{exponent}"),
        };
        f.write_str(&self.exponents().into_iter().map(term).collect::<Vec<_>>().join("+"))
    }
}
