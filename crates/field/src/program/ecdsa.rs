//! Signatures on curves of a prime order over GF(p) (SEC 1, section 4.1): made with a nonce that the caller has, and verified.
//!
//! Strings are those of numbers, the highest byte first: r and s stand one behind the other, and a hash is one of as many bytes
//! as the order has.

use super::formula::Arithmetic;
use super::group::{Group, OnCurve};
use super::scalar::inverse;
use super::windows::ENTRIES;
use super::writer::Called;
use super::{Comb, Place, words};
use num_bigint::BigUint;
use rhomb_contract::Contract;

/// Numbers modulo the order, by Montgomery's products.
struct Scalars {
    own: Arithmetic,
    /// A place for a constant.
    square: Place,
    free: Vec<Place>,
}

impl Scalars {
    fn new(group: &mut Group<'_>) -> Option<Self> {
        let n = &group.task.curve.order;
        let contract = |name: &str| format!("{name} {n:#x}").parse::<Contract>().ok();
        let contracts = ["montmul", "montsqr", "modadd", "modsub"].map(contract);
        let [mul, sqr, add, sub] = contracts;
        let own = Arithmetic::new(&mut group.ends.writer, group.ends.count, [mul, sqr, add, sub, None])?;
        // what stands in the first places stays, and the last are for differences
        let (square, free) = group.free[ENTRIES..3 * ENTRIES - 2].split_first()?;
        Some(Scalars { own, square: *square, free: free.to_vec() })
    }

    /// x R, where 1/R is what a product has too much.
    fn moved(&self, group: &mut Group<'_>, to: Place, x: Place) {
        let square = group.radix(2, &group.task.curve.order);
        group.ends.plain(self.square, &square);
        self.own.mul(&mut group.ends.writer, to, x, self.square);
    }

    /// R/x modulo n, in the first of the free places; another takes x R.
    fn inverse(&self, group: &mut Group<'_>, x: Place, moved: Place) -> Option<Place> {
        self.moved(group, moved, x);
        let exponent = &group.task.curve.order - 2u8;
        inverse(&mut group.ends.writer, &self.own, (&exponent, group.ends.count), moved, &self.free)
    }

    /// A number below n.
    fn canonical(&self, group: &mut Group<'_>, from: Place, to: Place) {
        let (n, bits, count) = (&group.task.curve.order, group.task.bits, group.ends.count);
        group.ends.writer.line(words::below(n, bits, count), to, &[from]);
    }

    /// x y / R below n.
    fn product(&self, group: &mut Group<'_>, [x, y]: [Place; 2], to: Place) {
        let wide = self.square;
        self.own.mul(&mut group.ends.writer, wide, x, y);
        self.canonical(group, wide, to);
    }
}

/// The program that makes a signature, by a comb; `None` as in [`super::public`].
///
/// Arguments are r and s, the hash, the key d and the nonce k. What is returned is the sum of 1 where d is out of range, 2
/// where k is, and 4 where r or s is 0, so that another nonce is needed; r and s keep their words where it is not 0.
pub fn ecdsa_sign(task: &OnCurve<'_>, comb: Comb) -> Option<Called> {
    let [hash, key, nonce] = [0, 1, 2].map(Place::Operand);
    let mut group = Group::new(task, (2, 4), Some(comb))?;
    let count = group.ends.count;
    let extra = group.ends.writer.slot(5 * count);
    let [e, d, k, other, r] = [0, 1, 2, 3, 4].map(|number| Place::Part(extra, number * count));
    for (from, to) in [(hash, e), (key, d), (nonce, k)] {
        group.ends.bytes(from, to);
    }
    group.is_key(d, other);
    group.is_key(k, other);
    let order = group.free[0];
    group.digits(k, order, Some(comb))?;
    let points = group.comb(comb)?;
    let [x, z] = [group.free[2], group.free[3]];
    group.complete(points, &[("X", x), ("Z", z)])?;
    let affine = group.sum[0];
    group.affine(z, &[(x, affine)])?;
    let scalars = Scalars::new(&mut group)?;
    scalars.canonical(&mut group, affine, r);
    let [x, y, s] = [group.free[0], group.free[1], group.far_z];
    // s = (e + r d) / k
    let inverted = scalars.inverse(&mut group, k, x)?;
    scalars.moved(&mut group, x, d);
    scalars.own.mul(&mut group.ends.writer, y, x, r);
    scalars.own.add(&mut group.ends.writer, x, y, e);
    scalars.product(&mut group, [x, inverted], s);
    let one = BigUint::from(1u8);
    group.ends.below(r, &one);
    group.ends.below(s, &one);
    group.ends.outcome(&[&[true], &[true], &[false; 2]]);
    group.ends.result(&[r, s]);
    Some(group.ends.finish(3))
}

/// Whether X over Z is r modulo n, and Z is not 0: the next two borrows. The abscissa is r, or r + n where that is below p. Behind r
/// there is room for r + n.
fn is_abscissa(
    group: &mut Group<'_>,
    [x, z]: [Place; 2],
    [r, sum]: [Place; 2],
    [constant, other, moved, difference, last]: [Place; 5],
) -> Option<()> {
    let (p, n) = (group.p, &group.task.curve.order);
    if n > p {
        return None;
    }
    let radix = BigUint::from(1u8) << n.bits();
    group.ends.plain(constant, &(radix - n));
    group.ends.difference(sum, [r, constant]);
    let mask = group.ends.mask_below(r, &(p - n));
    group.ends.writer.line(words::pick(0, group.ends.count), other, &[r, mask]);
    for (number, to) in [(r, difference), (other, last)] {
        let number = group.moved(number, [constant, moved]);
        group.own.mul(&mut group.ends.writer, to, number, z);
        group.own.sub(&mut group.ends.writer, to, to, x);
    }
    // one of both is 0
    group.own.mul(&mut group.ends.writer, constant, difference, last);
    for (from, to) in [(constant, moved), (z, other)] {
        group.canonical(from, to);
        group.ends.below(to, &BigUint::from(1u8));
    }
    Some(())
}

/// The program that verifies a signature, likewise; `None` as in [`super::public`].
///
/// Arguments are r and s, the hash and the point of the key; there is no result. What is returned is the sum of 1 where r or s
/// is out of range, 2 where the point is none, and 4 where the signature is not that of the hash.
pub fn ecdsa_verify(task: &OnCurve<'_>, comb: Comb) -> Option<Called> {
    let [signature, hash, key] = [0, 1, 2].map(Place::Operand);
    let mut group = Group::new(task, (0, 7), Some(comb))?;
    let count = group.ends.count;
    let extra = group.ends.writer.slot(8 * count);
    // behind u there is room for n - u
    let [r, s, u, _, v, px, py, pz] =
        [0, 1, 2, 3, 4, 5, 6, 7].map(|number| Place::Part(extra, number * count));
    for (from, to) in [(signature, r), (signature.moved(count), s), (hash, v)] {
        group.ends.bytes(from, to);
    }
    let [x, y] = [group.free[0], group.free[1]];
    group.is_key(r, x);
    group.is_key(s, x);
    // the multiples of both points: the hash and r over s
    let scalars = Scalars::new(&mut group)?;
    let inverted = scalars.inverse(&mut group, s, x)?;
    scalars.product(&mut group, [v, inverted], u);
    scalars.product(&mut group, [r, inverted], v);
    group.digits(u, y, Some(comb))?;
    let points = group.comb(comb)?;
    let own = group.multiple(points)?;
    for (from, to) in own.into_iter().zip([px, py, pz]) {
        group.ends.copy(from, to);
    }
    group.ends.copy(v, u);
    group.digits(u, y, None)?;
    let point = group.point(key)?;
    let points = group.windows(point)?;
    let own = group.multiple(points)?;
    // the places of what follows are other ones
    let moved = [group.sum[0], group.sum[1], group.sum[2]];
    for (from, to) in own.into_iter().zip(moved) {
        group.ends.copy(from, to);
    }
    let [x, z] = [group.free[2], group.free[3]];
    group.complete([[px, py, pz], moved], &[("X", x), ("Z", z)])?;
    is_abscissa(&mut group, [x, z], [r, s], [u, v, px, py, pz])?;
    group.ends.outcome(&[&[true; 2], &[true; 3], &[true, false]]);
    Some(group.ends.finish(3))
}
