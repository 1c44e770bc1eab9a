//! Curves that a request names, and what schemes on them have in common.

use super::Text;
use crate::error::Error;
use crate::request::Request;
use crate::targets::Description;
use num_bigint::BigUint;
use rhomb_composition::CurveProgram;
use rhomb_field::curve::{Affine, Base, Curve, Named, of_prime_order};
use rhomb_field::program::{self, Called, Comb, OnCurve, Strategy};
use rhomb_machine::Random;

/// Multiples of any point by windows, with products reduced by the form of the modulus or by Montgomery's method.
pub(super) const WINDOWS: [&str; 2] = ["fixed-window", "fixed-window-montgomery"];
/// Multiples of the generator by a comb, likewise.
pub(super) const COMBS: [&str; 2] = ["comb", "comb-montgomery"];

/// Multiples of any point of a curve over GF(2^m) by the ladder, likewise.
pub(super) const LADDERS: [&str; 2] = ["ladder", "ladder-montgomery"];

/// A curve by its name on the command line.
pub(super) struct OnNamed {
    pub(super) name: &'static str,
    pub(super) curve: Curve,
}

/// The curves of an operation.
fn known(operation: &str) -> Vec<Named> {
    match operation {
        super::ecdh::SCALARMUL => CurveProgram::Scalarmul.curves(),
        _ => of_prime_order().into(),
    }
}

/// The names of the curves.
pub fn curves() -> Vec<&'static str> {
    known(super::ecdh::SCALARMUL).into_iter().map(|(name, _)| name).collect()
}

impl OnNamed {
    /// That of the curve of a request.
    pub(super) fn of(operation: &str, request: &Request) -> Result<Self, Error> {
        let known = known(operation);
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        let hint = "such as --curve p256";
        let Some(given) = &request.curve else {
            let fault = format!("{operation} needs a curve; valid: {}", names.join(", "));
            return Err(Error::request(fault, hint));
        };
        let found = known.iter().find(|(name, _)| name == given);
        let (name, curve) = found.ok_or_else(|| Error::unknown("curve", given, &names, hint))?;
        Ok(OnNamed { name, curve: curve() })
    }

    /// How multiples of any point are computed.
    pub(super) fn methods(&self) -> &'static [&'static str] {
        match self.curve.base {
            Base::Prime(_) => &WINDOWS,
            Base::Binary(_) => &LADDERS,
        }
    }

    /// Bytes of a number.
    pub(super) fn bytes(&self) -> usize {
        self.curve.order.bits().div_ceil(8) as usize
    }

    /// An argument of so many numbers.
    pub(super) fn text(&self, name: &'static str, numbers: usize) -> Text {
        Text { name, bytes: numbers * self.bytes() }
    }

    /// Numbers as their bytes, the highest first.
    pub(super) fn string(&self, numbers: &[&BigUint]) -> Vec<u8> {
        let one = |number: &&BigUint| {
            let own = number.to_bytes_be();
            [vec![0; self.bytes().saturating_sub(own.len())], own].concat()
        };
        numbers.iter().flat_map(one).collect()
    }

    /// The highest number of such bytes.
    pub(super) fn most(&self) -> BigUint {
        (BigUint::from(1u8) << (8 * self.bytes())) - 1u8
    }

    /// Any numbers below the order, the same for the same call.
    pub(super) fn any<const N: usize>(&self, call: u64) -> [BigUint; N] {
        let mut random = Random::new(call);
        [(); N].map(|()| {
            (0..9).fold(BigUint::ZERO, |number, _| (number << 64) + random.bits()) % &self.curve.order
        })
    }

    /// A multiple of the generator.
    pub(super) fn point(&self, k: &BigUint) -> Affine {
        let generator = &self.curve.generator;
        self.curve.multiple(k, generator).unwrap_or_else(|| generator.clone())
    }

    /// The program of a method for a core.
    pub(super) fn program(
        &self,
        method: &str,
        core: &Description,
        of: impl Fn(&OnCurve<'_>) -> Option<Called>,
    ) -> Option<Called> {
        let is_montgomery = method.ends_with("-montgomery");
        let strategy = if is_montgomery { Strategy::Montgomery } else { Strategy::Special };
        of(&OnCurve { curve: &self.curve, strategy, bits: core.word_bits })
    }

    /// Those of a method with a comb of the generator, one for each comb.
    pub(super) fn by_combs(
        &self,
        method: &str,
        core: &Description,
        of: impl Fn(&OnCurve<'_>, Comb) -> Option<Called>,
    ) -> Vec<Called> {
        program::COMBS
            .into_iter()
            .filter_map(|comb| self.program(method, core, |own| of(own, comb)))
            .collect()
    }
}
