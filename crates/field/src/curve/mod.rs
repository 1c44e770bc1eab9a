//! Elliptic curves in affine coordinates, over big integers, and the curves that are used here.
//!
//! Nothing here is shared with the formulas in projective coordinates, so that it can check them.

mod constants;

pub use constants::{
    Named, c2pnb191v1, of_prime_order, over_binary_fields, p192, p224, p256, p384, secp256k1,
};

use crate::Field;
use crate::binary::BinaryField;
use crate::prime::PrimeField;
use num_bigint::BigUint;

/// A point that is not at infinity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Affine {
    /// Abscissa.
    pub x: BigUint,
    /// Ordinate.
    pub y: BigUint,
}

/// The field of a curve, which decides its equation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Base {
    /// y^2 = x^3 + a x + b.
    Prime(PrimeField),
    /// y^2 + x y = x^3 + a x^2 + b.
    Binary(BinaryField),
}

/// A curve with a point of known order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Curve {
    /// As standards call it.
    pub name: &'static str,
    /// Its field.
    pub base: Base,
    /// Coefficient a.
    pub a: BigUint,
    /// Coefficient b.
    pub b: BigUint,
    /// A point.
    pub generator: Affine,
    /// The order of that point, a prime.
    pub order: BigUint,
}

impl Base {
    /// The field's operations.
    pub fn field(&self) -> &dyn Field {
        match self {
            Base::Prime(field) => field,
            Base::Binary(field) => field,
        }
    }

    /// What canonical elements are below, as numbers: the prime, or 2^m.
    pub fn limit(&self) -> BigUint {
        match self {
            Base::Prime(field) => field.modulus().clone(),
            Base::Binary(field) => BigUint::from(1u8) << field.degree() as usize,
        }
    }

    /// Words of an element, of so many bits each.
    pub fn words(&self, bits: u32) -> usize {
        (self.limit() - 1u8).bits().div_ceil(bits.into()) as usize
    }
}

impl Curve {
    /// The field's operations.
    pub fn field(&self) -> &dyn Field {
        self.base.field()
    }

    /// Whether a point is on the curve.
    pub fn contains(&self, point: &Affine) -> bool {
        let field = self.field();
        let Affine { x, y } = point;
        let (x2, y2) = (field.square(x), field.square(y));
        let cube = field.mul(&x2, x);
        let (left, term) = match self.base {
            Base::Prime(_) => (y2, field.mul(&self.a, x)),
            Base::Binary(_) => (field.add(&y2, &field.mul(x, y)), field.mul(&self.a, &x2)),
        };
        left == field.add(&field.add(&cube, &term), &self.b)
    }

    /// An ordinate of the points over GF(p) with an abscissa, where there is one and p - 3 is a multiple of 4.
    pub fn above(&self, x: &BigUint) -> Option<BigUint> {
        let Base::Prime(field) = &self.base else { return None };
        let p = field.modulus();
        let square = field.add(&field.mul(&field.add(&field.square(x), &self.a), x), &self.b);
        let y = square.modpow(&((p + 1u8) >> 2), p);
        self.contains(&Affine { x: x.clone(), y: y.clone() }).then_some(y)
    }

    /// -P.
    pub fn negative(&self, point: &Affine) -> Affine {
        let field = self.field();
        let y = match self.base {
            Base::Prime(_) => field.sub(&BigUint::ZERO, &point.y),
            Base::Binary(_) => field.add(&point.x, &point.y),
        };
        Affine { x: point.x.clone(), y }
    }

    /// P + Q, `None` being the point at infinity: the group law by chord and tangent.
    pub fn add(&self, p: Option<&Affine>, q: Option<&Affine>) -> Option<Affine> {
        let (Some(p), Some(q)) = (p, q) else { return p.or(q).cloned() };
        let field = self.field();
        let slope = if p == q {
            match self.base {
                Base::Prime(_) => {
                    let square = field.square(&p.x);
                    let triple = field.add(&field.add(&square, &square), &square);
                    let inverse = field.inverse(&field.add(&p.y, &p.y))?;
                    field.mul(&field.add(&triple, &self.a), &inverse)
                }
                Base::Binary(_) => field.add(&p.x, &field.mul(&p.y, &field.inverse(&p.x)?)),
            }
        } else {
            // none if the points are opposite
            let inverse = field.inverse(&field.sub(&q.x, &p.x))?;
            field.mul(&field.sub(&q.y, &p.y), &inverse)
        };
        let square = field.square(&slope);
        match self.base {
            Base::Prime(_) => {
                let x = field.sub(&field.sub(&square, &p.x), &q.x);
                let y = field.sub(&field.mul(&slope, &field.sub(&p.x, &x)), &p.y);
                Some(Affine { x, y })
            }
            Base::Binary(_) => {
                let sum = field.add(&field.add(&square, &slope), &self.a);
                let x = field.add(&field.add(&sum, &p.x), &q.x);
                let moved = field.add(&field.mul(&slope, &field.add(&p.x, &x)), &x);
                Some(Affine { y: field.add(&moved, &p.y), x })
            }
        }
    }

    /// k P by doubling and adding.
    pub fn multiple(&self, k: &BigUint, point: &Affine) -> Option<Affine> {
        let mut sum = None;
        for bit in (0..k.bits()).rev() {
            sum = self.add(sum.as_ref(), sum.as_ref());
            if k.bit(bit) {
                sum = self.add(sum.as_ref(), Some(point));
            }
        }
        sum
    }
}
