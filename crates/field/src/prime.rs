//! GF(p) over big integers.

use crate::Field;
use num_bigint::BigUint;

/// The integers modulo an odd prime.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrimeField {
    modulus: BigUint,
}

impl PrimeField {
    /// The integers modulo `modulus`, which must be odd; that it is prime is believed.
    ///
    /// `None` for an even modulus and for 1.
    pub fn new(modulus: BigUint) -> Option<Self> {
        (modulus.bit(0) && modulus != BigUint::from(1u32)).then_some(PrimeField { modulus })
    }

    /// 2^192 - 2^64 - 1 (FIPS 186-4, D.1.2.1).
    pub fn p192() -> Self {
        let power = |n: u32| BigUint::from(1u32) << n;
        PrimeField { modulus: power(192) - power(64) - 1u32 }
    }

    /// 2^255 - 19 (RFC 7748, section 4.1).
    pub fn p25519() -> Self {
        PrimeField { modulus: (BigUint::from(1u8) << 255) - 19u8 }
    }

    /// p.
    pub fn modulus(&self) -> &BigUint {
        &self.modulus
    }
}

impl Field for PrimeField {
    fn element(&self, number: &BigUint) -> BigUint {
        number % &self.modulus
    }
    fn add(&self, x: &BigUint, y: &BigUint) -> BigUint {
        (x + y) % &self.modulus
    }
    fn sub(&self, x: &BigUint, y: &BigUint) -> BigUint {
        (x % &self.modulus + &self.modulus - y % &self.modulus) % &self.modulus
    }
    fn mul(&self, x: &BigUint, y: &BigUint) -> BigUint {
        x * y % &self.modulus
    }
    fn inverse(&self, x: &BigUint) -> Option<BigUint> {
        x.modinv(&self.modulus)
    }
    fn power(&self, x: &BigUint, exponent: &BigUint) -> BigUint {
        x.modpow(exponent, &self.modulus)
    }
    fn half(&self, x: &BigUint) -> Option<BigUint> {
        let x = x % &self.modulus;
        Some(if x.bit(0) { (x + &self.modulus) >> 1 } else { x >> 1 })
    }
}
