//! Signatures over big integers, by the group law (SEC 1, section 4.1): what programs are compared with.

use crate::curve::{Affine, Base, Curve};
use num_bigint::BigUint;

/// Whether a number is above 0 and below the order.
pub fn is_key(curve: &Curve, number: &BigUint) -> bool {
    *number != BigUint::ZERO && *number < curve.order
}

/// Whether coordinates are canonical, and those of a point of the curve; the point of the order 2 of a curve over GF(2^m) is none.
pub fn is_point(curve: &Curve, point: &Affine) -> bool {
    let is_half = matches!(curve.base, Base::Binary(_)) && point.x == BigUint::ZERO;
    let limit = curve.base.limit();
    point.x < limit && point.y < limit && !is_half && curve.contains(point)
}

/// r and s for the number of a hash, a key and a nonce, both above 0 and below the order. `None` where one of r and s is 0.
pub fn sign(curve: &Curve, hash: &BigUint, key: &BigUint, nonce: &BigUint) -> Option<[BigUint; 2]> {
    let n = &curve.order;
    let r = curve.multiple(nonce, &curve.generator)?.x % n;
    let s = nonce.modinv(n)? * (hash + &r * key) % n;
    (r != BigUint::ZERO && s != BigUint::ZERO).then_some([r, s])
}

/// Whether r and s, both above 0 and below the order, are a signature of the number of a hash by the key of a point.
pub fn verifies(curve: &Curve, [r, s]: [&BigUint; 2], hash: &BigUint, point: &Affine) -> bool {
    let n = &curve.order;
    let Some(inverse) = s.modinv(n) else { return false };
    let [u, v] = [hash, r].map(|number| number * &inverse % n);
    let [u, v] = [curve.multiple(&u, &curve.generator), curve.multiple(&v, point)];
    curve.add(u.as_ref(), v.as_ref()).is_some_and(|sum| sum.x % n == *r)
}
