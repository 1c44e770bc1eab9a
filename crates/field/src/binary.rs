//! GF(2^m) over big integers: bit i is the coefficient of t^i.

use crate::Field;
use num_bigint::BigUint;

/// Binary polynomials modulo an irreducible one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BinaryField {
    polynomial: BigUint,
    degree: u64,
}

impl BinaryField {
    /// Polynomials modulo the sum of t^e for these exponents, highest first; that it is irreducible is believed.
    ///
    /// `None` unless the exponents fall, from at least 1 to 0.
    pub fn new(exponents: &[u32]) -> Option<Self> {
        let falls = exponents.windows(2).all(|pair| pair[0] > pair[1]);
        let (first, last) = (*exponents.first()?, *exponents.last()?);
        if !falls || first == 0 || last != 0 {
            return None;
        }
        let polynomial = exponents.iter().fold(BigUint::ZERO, |sum, e| sum ^ (BigUint::from(1u32) << *e));
        Some(BinaryField { polynomial, degree: first.into() })
    }

    /// GF(2^191) with t^191 + t^9 + 1 (ANSI X9.62, J.2.1).
    pub fn t191() -> Self {
        let power = |n: u32| BigUint::from(1u32) << n;
        BinaryField { polynomial: power(191) ^ power(9) ^ power(0), degree: 191 }
    }

    /// The polynomial that is 0.
    pub fn polynomial(&self) -> &BigUint {
        &self.polynomial
    }

    /// As contracts name it, such as `x^191+x^9+x^0`.
    pub fn name(&self) -> String {
        let terms = (0..=self.degree).rev().filter(|at| self.polynomial.bit(*at));
        terms.map(|at| format!("x^{at}")).collect::<Vec<String>>().join("+")
    }

    /// The element whose square is x.
    pub fn root(&self, x: &BigUint) -> BigUint {
        (1..self.degree).fold(self.element(x), |root, _| self.square(&root))
    }

    /// m.
    pub fn degree(&self) -> u64 {
        self.degree
    }
}

/// The product of two binary polynomials.
pub fn product(x: &BigUint, y: &BigUint) -> BigUint {
    (0..y.bits()).filter(|bit| y.bit(*bit)).fold(BigUint::ZERO, |sum, bit| sum ^ (x << bit))
}

impl Field for BinaryField {
    fn element(&self, number: &BigUint) -> BigUint {
        let mut rest = number.clone();
        while rest.bits() > self.degree {
            let above = rest.bits() - 1 - self.degree;
            rest ^= &self.polynomial << above;
        }
        rest
    }
    fn add(&self, x: &BigUint, y: &BigUint) -> BigUint {
        self.element(&(x ^ y))
    }
    fn sub(&self, x: &BigUint, y: &BigUint) -> BigUint {
        self.add(x, y)
    }
    fn mul(&self, x: &BigUint, y: &BigUint) -> BigUint {
        self.element(&product(x, y))
    }
    /// By Euclid's algorithm on polynomials: u = g x, v = h x modulo the field's polynomial, always.
    fn inverse(&self, x: &BigUint) -> Option<BigUint> {
        let one = BigUint::from(1u32);
        let (mut u, mut v) = (self.element(x), self.polynomial.clone());
        let (mut g, mut h) = (one.clone(), BigUint::ZERO);
        while u.bits() > 0 && u != one {
            if u.bits() < v.bits() {
                std::mem::swap(&mut u, &mut v);
                std::mem::swap(&mut g, &mut h);
            }
            let shift = u.bits() - v.bits();
            u ^= &v << shift;
            g ^= &h << shift;
        }
        (u == one).then(|| self.element(&g))
    }
    fn half(&self, _: &BigUint) -> Option<BigUint> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_field() {
        // GF(2^4) with t^4 + t + 1: t has order 15
        let field = BinaryField::new(&[4, 1, 0]).unwrap();
        let t = BigUint::from(2u32);
        let mut power = BigUint::from(1u32);
        for exponent in 1..=15 {
            power = field.mul(&power, &t);
            assert_eq!(power == BigUint::from(1u32), exponent == 15);
            let inverse = field.inverse(&power).unwrap();
            assert_eq!(field.mul(&inverse, &power), BigUint::from(1u32));
        }
        assert_eq!(field.inverse(&BigUint::ZERO), None);
        assert!(BinaryField::new(&[4, 1]).is_none() && BinaryField::new(&[1, 4, 0]).is_none());
    }
}
