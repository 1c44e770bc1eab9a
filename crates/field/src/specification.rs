//! What whole programs compute, as short programs themselves, each over any [`Algebra`]: over numbers they are what results are
//! compared with, over terms what a proof compares the machine code with.

use num_bigint::BigUint;

/// A field and bits that choose among its elements.
pub trait Algebra {
    /// An element.
    type Element: Clone;
    /// A bit.
    type Bit: Clone;

    /// A number as an element.
    fn number(&mut self, number: u32) -> Self::Element;
    /// x + y.
    fn add(&mut self, x: &Self::Element, y: &Self::Element) -> Self::Element;
    /// x - y.
    fn sub(&mut self, x: &Self::Element, y: &Self::Element) -> Self::Element;
    /// x y.
    fn mul(&mut self, x: &Self::Element, y: &Self::Element) -> Self::Element;
    /// x^exponent.
    fn power(&mut self, x: &Self::Element, exponent: &BigUint) -> Self::Element;
    /// y where the bit is one, x elsewhere.
    fn chosen(&mut self, bit: &Self::Bit, x: &Self::Element, y: &Self::Element) -> Self::Element;
    /// A bit that is known.
    fn bit(&mut self, value: bool) -> Self::Bit;
    /// Whether exactly one is set.
    fn differ(&mut self, x: &Self::Bit, y: &Self::Bit) -> Self::Bit;
}

/// The prime of X25519.
pub fn p25519() -> BigUint {
    (BigUint::from(1u8) << 255) - 19u8
}

/// X25519 (RFC 7748, section 5) for the 256 bits of a scalar, the lowest first, and u, whose bit 255 is masked already: the
/// element whose canonical number is the result.
pub fn x25519<A: Algebra>(a: &mut A, scalar: &[A::Bit; 256], u: &A::Element) -> A::Element {
    let mut k = scalar.clone();
    let [zero, one] = [false, true].map(|value| a.bit(value));
    k[..3].fill(zero.clone());
    k[255] = zero.clone();
    k[254] = one;
    let a24 = a.number(121_665);
    let x_1 = u.clone();
    let (mut x_2, mut z_2) = (a.number(1), a.number(0));
    let (mut x_3, mut z_3) = (u.clone(), a.number(1));
    let mut swap = zero;
    for t in (0..255).rev() {
        swap = a.differ(&swap, &k[t]);
        (x_2, x_3) = exchanged(a, &swap, (&x_2, &x_3));
        (z_2, z_3) = exchanged(a, &swap, (&z_2, &z_3));
        swap = k[t].clone();
        let aa = a.add(&x_2, &z_2);
        let b = a.sub(&x_2, &z_2);
        let c = a.add(&x_3, &z_3);
        let d = a.sub(&x_3, &z_3);
        let (da, cb) = (a.mul(&d, &aa), a.mul(&c, &b));
        let (aa, bb) = (a.mul(&aa, &aa), a.mul(&b, &b));
        let e = a.sub(&aa, &bb);
        let (sum, difference) = (a.add(&da, &cb), a.sub(&da, &cb));
        x_3 = a.mul(&sum, &sum);
        let square = a.mul(&difference, &difference);
        z_3 = a.mul(&x_1, &square);
        x_2 = a.mul(&aa, &bb);
        let multiple = a.mul(&a24, &e);
        let sum = a.add(&aa, &multiple);
        z_2 = a.mul(&e, &sum);
    }
    let (x_2, _) = exchanged(a, &swap, (&x_2, &x_3));
    let (z_2, _) = exchanged(a, &swap, (&z_2, &z_3));
    let inverse = a.power(&z_2, &(p25519() - 2u8));
    a.mul(&x_2, &inverse)
}

/// Both elements, exchanged where the bit is one.
fn exchanged<A: Algebra>(
    a: &mut A,
    bit: &A::Bit,
    (x, y): (&A::Element, &A::Element),
) -> (A::Element, A::Element) {
    (a.chosen(bit, x, y), a.chosen(bit, y, x))
}

/// Numbers modulo a prime.
#[derive(Clone, Debug)]
pub struct Residues {
    /// The prime.
    pub modulus: BigUint,
}

impl Algebra for Residues {
    type Element = BigUint;
    type Bit = bool;

    fn number(&mut self, number: u32) -> BigUint {
        BigUint::from(number) % &self.modulus
    }
    fn add(&mut self, x: &BigUint, y: &BigUint) -> BigUint {
        (x + y) % &self.modulus
    }
    fn sub(&mut self, x: &BigUint, y: &BigUint) -> BigUint {
        (x + &self.modulus - y % &self.modulus) % &self.modulus
    }
    fn mul(&mut self, x: &BigUint, y: &BigUint) -> BigUint {
        x * y % &self.modulus
    }
    fn power(&mut self, x: &BigUint, exponent: &BigUint) -> BigUint {
        x.modpow(exponent, &self.modulus)
    }
    fn chosen(&mut self, bit: &bool, x: &BigUint, y: &BigUint) -> BigUint {
        if *bit { y.clone() } else { x.clone() }
    }
    fn bit(&mut self, value: bool) -> bool {
        value
    }
    fn differ(&mut self, x: &bool, y: &bool) -> bool {
        x != y
    }
}

/// X25519 of strings of 32 bytes.
pub fn x25519_of_bytes(scalar: &[u8; 32], u: &[u8; 32]) -> [u8; 32] {
    let bits: [bool; 256] = std::array::from_fn(|place| scalar[place / 8] >> (place % 8) & 1 == 1);
    let mut u = *u;
    u[31] &= 0x7f;
    let mut residues = Residues { modulus: p25519() };
    let element = residues.add(&BigUint::from_bytes_le(&u), &BigUint::ZERO);
    let mut bytes = x25519(&mut residues, &bits, &element).to_bytes_le();
    bytes.resize(32, 0);
    bytes.try_into().unwrap_or([0; 32])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(hex: &str) -> [u8; 32] {
        let number = BigUint::parse_bytes(hex.as_bytes(), 16).unwrap();
        let own = number.to_bytes_be();
        [vec![0; 32 - own.len()], own].concat().try_into().unwrap()
    }

    /// RFC 7748, section 5.2.
    #[test]
    fn the_vectors_of_the_standard() {
        for [scalar, u, wanted] in [
            [
                "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
                "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
                "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552",
            ],
            [
                "4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
                "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
                "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957",
            ],
        ] {
            assert_eq!(x25519_of_bytes(&bytes(scalar), &bytes(u)), bytes(wanted));
        }
    }

    /// RFC 7748, section 5.2: after one and after 1,000 rounds.
    #[test]
    fn a_thousand_rounds() {
        let nine = bytes("0900000000000000000000000000000000000000000000000000000000000000");
        let (mut k, mut u) = (nine, nine);
        for round in 1..=1000 {
            (k, u) = (x25519_of_bytes(&k, &u), k);
            if round == 1 {
                assert_eq!(k, bytes("422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079"));
            }
        }
        assert_eq!(k, bytes("684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51"));
    }
}
