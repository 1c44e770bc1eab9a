//! Odd moduli that are written into the code.

use num_bigint::BigUint;
use std::fmt;
use std::str::FromStr;

const LIMBS: usize = 32;

/// Largest size of a modulus in bits.
pub const MOST_MODULUS_BITS: u32 = 32 * LIMBS as u32;

/// Most signed powers of two that stand for a modulus in print; with more it is hexadecimal.
const MOST_POWERS: usize = 6;

/// Most digits of a term, and most terms.
const MOST_DIGITS: usize = 400;

/// Fewest decimal digits of a modulus that is nothing but these.
const FEWEST_DIGITS: usize = 6;

/// An odd number above 1. As text: signed powers of two and numbers, `2^192-2^64-1` or `2^255-19`, decimal, or
/// hexadecimal, `0xffff...`. In print: few signed powers of two, or hexadecimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Modulus {
    /// Lowest first.
    limbs: [u32; LIMBS],
}

/// A text that is no modulus.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModulusError {
    /// Neither a number nor a sum of numbers and powers of two.
    #[error(
        "'{0}' is no modulus; valid: terms such as 2^192-2^64-1 and 2^255-19, or a number such as 4294967291 or 0xfffb"
    )]
    Text(String),
    /// Even, or 1.
    #[error("the modulus {0} is not odd and above 1")]
    Even(String),
    /// Too large, or below 0.
    #[error("the modulus {0} does not lie between 0 and 2^{MOST_MODULUS_BITS}")]
    Size(String),
}

impl Modulus {
    /// The number.
    pub fn number(&self) -> BigUint {
        BigUint::new(self.limbs.to_vec())
    }

    /// Its size in bits.
    pub fn bits(&self) -> u32 {
        self.number().bits() as u32
    }

    /// Its words of `word_bits` bits, at most 32, the lowest first.
    pub fn digits(&self, word_bits: u32) -> Vec<u64> {
        words(&self.number(), word_bits, self.words(word_bits))
    }

    /// How many words of `word_bits` bits it takes.
    pub fn words(&self, word_bits: u32) -> u32 {
        self.bits().div_ceil(word_bits)
    }
}

/// The lowest words of a number, of at most 32 bits each, the lowest first.
pub fn words(number: &BigUint, word_bits: u32, count: u32) -> Vec<u64> {
    let word = |at: u32| {
        let digits: BigUint = number >> (word_bits * at) as usize;
        digits.iter_u64_digits().next().unwrap_or(0) & ((1 << word_bits) - 1)
    };
    (0..count).map(word).collect()
}

/// A power of two, a decimal or a hexadecimal number, of no more bits than a modulus may have by far.
fn term(text: &str) -> Option<BigUint> {
    if let Some(exponent) = text.strip_prefix("2^") {
        let exponent: u32 = exponent.parse().ok().filter(|exponent: &u32| *exponent <= MOST_MODULUS_BITS)?;
        return Some(BigUint::from(1u8) << exponent);
    }
    let (digits, radix) = match text.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None => (text, 10),
    };
    let valid =
        (1..=MOST_DIGITS).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    if valid { BigUint::parse_bytes(digits.as_bytes(), radix) } else { None }
}

/// A sum of terms, each with whether it is subtracted.
fn terms(text: &str) -> Option<Vec<(BigUint, bool)>> {
    let mut rest = text;
    let mut all = Vec::new();
    while !rest.is_empty() {
        let minus = rest.starts_with('-');
        let own = match rest.strip_prefix(['+', '-']) {
            Some(own) => own,
            None if all.is_empty() => rest,
            None => return None,
        };
        let end = own.find(['+', '-']).unwrap_or(own.len());
        all.push((term(&own[..end])?, minus));
        if all.len() > MOST_DIGITS {
            return None;
        }
        rest = &own[end..];
    }
    Some(all).filter(|all| !all.is_empty())
}

impl FromStr for Modulus {
    type Err = ModulusError;

    fn from_str(text: &str) -> Result<Self, ModulusError> {
        let short: String = text.chars().take(80).collect();
        // a few digits are rather meant as a size in bits
        let is_size = text.len() < FEWEST_DIGITS && text.bytes().all(|digit| digit.is_ascii_digit());
        let terms = terms(text).filter(|_| !is_size).ok_or_else(|| ModulusError::Text(short.clone()))?;
        let sum = |minus: bool| -> BigUint {
            terms.iter().filter(|(_, sign)| *sign == minus).map(|(term, _)| term).sum()
        };
        let (plus, minus) = (sum(false), sum(true));
        if minus > plus {
            return Err(ModulusError::Size(short));
        }
        let number = plus - minus;
        if number.bits() > u64::from(MOST_MODULUS_BITS) {
            return Err(ModulusError::Size(short));
        }
        if !number.bit(0) || number.bits() == 1 {
            return Err(ModulusError::Even(short));
        }
        let mut limbs = [0; LIMBS];
        limbs.iter_mut().zip(number.to_u32_digits()).for_each(|(limb, digit)| *limb = digit);
        Ok(Modulus { limbs })
    }
}

/// The signed powers of the non-adjacent form, the largest first.
fn non_adjacent(number: &BigUint) -> Vec<(u32, bool)> {
    let (mut left, mut place, mut all) = (number.clone(), 0, Vec::new());
    while left != BigUint::ZERO {
        if left.bit(0) {
            let minus = left.bit(1);
            all.push((place, minus));
            if minus {
                left += 1u8
            } else {
                left -= 1u8
            };
        }
        left >>= 1;
        place += 1;
    }
    all.reverse();
    all
}

impl fmt::Display for Modulus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.number();
        let powers = non_adjacent(&number);
        if powers.len() > MOST_POWERS {
            return write!(f, "{number:#x}");
        }
        for (at, (exponent, minus)) in powers.iter().enumerate() {
            let sign = match (minus, at) {
                (true, _) => "-",
                (false, 0) => "",
                (false, _) => "+",
            };
            match exponent {
                0 => write!(f, "{sign}1")?,
                _ => write!(f, "{sign}2^{exponent}")?,
            }
        }
        Ok(())
    }
}
