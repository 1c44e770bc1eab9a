//! Fields and elliptic curves, free of any processor.
//!
//! - [`prime`], [`binary`]: what the operations of GF(p) and GF(2^m) are, over big integers. Everything else is
//!   checked against these.
//! - [`reduction`], [`montgomery`]: the word-level algorithms that programs carry out: words in, words out.
//! - [`reduce`], [`polynomial`]: the same as straight lines, for words of any width.
//! - [`inversion`]: binary extended Euclid, and addition chains for a power that inverts; [`chain`]: chains for any power.
//! - [`curve`]: points in affine coordinates, and the curves with their constants.
//! - [`formulas`]: point operations as lists of field operations, which are counted, carried out over big integers,
//!   or turned into calls of routines.
//! - [`program`]: routines called in a fixed order, on numbers in a frame; inversions as such programs.
//! - [`scalar`]: how the digits of a scalar are scanned.
//! - [`specification`]: what whole programs compute, over any algebra.

pub mod binary;
pub mod chain;
pub mod curve;
pub mod formulas;
pub mod inversion;
pub mod montgomery;
pub mod polynomial;
pub mod prime;
pub mod program;
pub mod reduce;
pub mod reduction;
pub mod scalar;
pub mod signature;
pub mod specification;
pub mod words;

use num_bigint::BigUint;
use rhomb_contract::{Contract, Modular};

/// Straight lines that keep a contract modulo a number or over GF(2), on words of so many bits; see [`reduce`] and [`polynomial`].
pub fn ways(contract: &Contract, bits: u32) -> Vec<reduce::Way> {
    match (contract.modular(), contract.binary()) {
        (Some(Modular { factor: Some(factor), modulus, .. }), _) => {
            reduce::by_factor(*factor, &modulus.number(), bits)
        }
        (Some(modular), _) if !modular.is_plain() => {
            reduce::weighted(modular.operation, modular.weights, &modular.modulus.number(), bits)
        }
        (Some(modular), _) => reduce::ways(modular.operation, &modular.modulus.number(), bits),
        (None, Some(binary)) => polynomial::ways(binary, bits),
        (None, None) => Vec::new(),
    }
}

/// The operations of a field over its elements as numbers; for a binary field bit i is the coefficient of t^i.
pub trait Field {
    /// Any number of this field's size as the element it stands for, canonical.
    fn element(&self, number: &BigUint) -> BigUint;
    /// x + y.
    fn add(&self, x: &BigUint, y: &BigUint) -> BigUint;
    /// x - y.
    fn sub(&self, x: &BigUint, y: &BigUint) -> BigUint;
    /// x y.
    fn mul(&self, x: &BigUint, y: &BigUint) -> BigUint;
    /// 1/x; `None` for 0.
    fn inverse(&self, x: &BigUint) -> Option<BigUint>;
    /// x / 2; `None` in characteristic 2.
    fn half(&self, x: &BigUint) -> Option<BigUint>;
    /// x^2.
    fn square(&self, x: &BigUint) -> BigUint {
        self.mul(x, x)
    }
    /// x^exponent.
    fn power(&self, x: &BigUint, exponent: &BigUint) -> BigUint {
        (0..exponent.bits()).rev().fold(BigUint::from(1u8), |power, bit| {
            let power = self.square(&power);
            if exponent.bit(bit) { self.mul(&power, x) } else { power }
        })
    }
}
