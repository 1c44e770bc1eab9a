//! Numbers that operands or results are to lie below.

use crate::error::{ContractError, MOST_BITS, short};
use crate::modulus::Modulus;
use num_bigint::BigUint;
use std::fmt;

/// A product of a small number, the modulus p, once or twice, a power of two, and the radix R, each of which may be missing: `p`,
/// `2p`, `2^255`, `p*R`, `p*p`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bound {
    /// The small number.
    multiple: u32,
    /// How often p is a factor.
    moduli: u32,
    /// The exponent of the power of two.
    exponent: u32,
    /// Whether R is a factor.
    radix: bool,
}

/// The name of the modulus.
const MODULUS: &str = "p";
/// The name of `2^(wn)`.
const RADIX: &str = "R";
/// What could stand behind `a<`.
pub(crate) const VALID: &str = "p, 2p, 2^255, p*R, p*p, products of these";

impl Bound {
    /// The modulus itself.
    pub const MODULUS: Bound = Bound { multiple: 1, moduli: 1, exponent: 0, radix: false };
    /// 2, of what is a bit.
    pub(crate) const TWO: Bound = Bound { multiple: 2, moduli: 0, exponent: 0, radix: false };

    /// The number, where p is `modulus` and R has so many bits; `None` where there is no modulus but one is named.
    pub fn number(&self, modulus: Option<&Modulus>, radix_bits: u32) -> Option<BigUint> {
        let p = if self.moduli > 0 { modulus?.number().pow(self.moduli) } else { BigUint::from(1u8) };
        let radix = if self.radix { radix_bits } else { 0 };
        Some((p * self.multiple) << (self.exponent + radix) as usize)
    }

    /// Whether the number has the modulus in it, or the radix.
    pub(crate) fn is_modular(&self) -> bool {
        self.moduli > 0 || self.radix
    }

    /// Reads it.
    pub(crate) fn parse(text: &str) -> Result<Bound, ContractError> {
        let fault = || ContractError::Bound(short(text));
        let mut bound = Bound { multiple: 1, moduli: 0, exponent: 0, radix: false };
        for part in text.split('*') {
            let digits = part.strip_suffix(MODULUS).unwrap_or(part);
            let takes_modulus = digits.len() < part.len();
            bound.moduli += u32::from(takes_modulus);
            if bound.moduli > 2 {
                return Err(fault());
            }
            match (digits, digits.strip_prefix("2^")) {
                ("", _) if takes_modulus => {}
                (RADIX, _) if !bound.radix => bound.radix = true,
                (_, Some(exponent)) if !takes_modulus => {
                    let exponent: u32 = exponent.parse().map_err(|_| fault())?;
                    bound.exponent = bound.exponent.saturating_add(exponent);
                }
                _ => {
                    let number: u32 = digits.parse().map_err(|_| fault())?;
                    bound.multiple = bound.multiple.checked_mul(number).ok_or_else(fault)?;
                }
            }
        }
        let is_number = bound.multiple > 0 && bound.exponent <= MOST_BITS;
        if is_number { Ok(bound) } else { Err(fault()) }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Bound { multiple, moduli, exponent, radix } = *self;
        let number = match (multiple, moduli > 0) {
            (1, true) => Some(MODULUS.to_owned()),
            (_, true) => Some(format!("{multiple}{MODULUS}")),
            (1, false) if exponent > 0 || radix => None,
            (_, false) => Some(multiple.to_string()),
        };
        let second = (moduli > 1).then(|| MODULUS.to_owned());
        let power = (exponent > 0).then(|| format!("2^{exponent}"));
        let radix = radix.then(|| RADIX.to_owned());
        let parts: Vec<String> = number.into_iter().chain(second).chain(power).chain(radix).collect();
        f.write_str(&parts.join("*"))
    }
}

/// The bounds of operands, which a caller grants, and of the result, which the routine has to grant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// Those of the operands, in their order.
    pub operands: [Option<Bound>; 3],
    /// That of the result.
    pub result: Option<Bound>,
}

impl Bounds {
    /// The result is to be below the modulus.
    pub const CANONICAL: Bounds = Bounds { operands: [None; 3], result: Some(Bound::MODULUS) };

    /// Takes `a<...` for one of the operands, or `r<...`.
    pub(crate) fn take(
        &mut self,
        names: &[&str],
        (name, bound): (&str, &str),
        has_modulus: bool,
    ) -> Result<(), ContractError> {
        let own = Bound::parse(bound)?;
        if own.is_modular() && !has_modulus {
            return Err(ContractError::Bound(short(bound)));
        }
        // an `r` is the result, not what was there at the call
        let place = match names.iter().position(|known| *known == name && name != "r") {
            Some(index) => &mut self.operands[index],
            None => &mut self.result,
        };
        match place.replace(own) {
            None => Ok(()),
            Some(_) => Err(ContractError::Twice(format!("a bound of {name}"))),
        }
    }

    /// Prints those of operands of these names.
    pub(crate) fn print_operands(&self, names: &[&str], f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bounds = names.iter().zip(self.operands);
        bounds
            .into_iter()
            .try_for_each(|(name, bound)| bound.iter().try_for_each(|bound| write!(f, " {name}<{bound}")))
    }

    /// Prints that of the result.
    pub(crate) fn print_result(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.result.iter().try_for_each(|bound| write!(f, " r<{bound}"))
    }
}
