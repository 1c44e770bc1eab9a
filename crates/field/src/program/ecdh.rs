//! Multiples of points on curves of a prime order over GF(p): Diffie-Hellman (SEC 1, section 3.3.1), which is the abscissa of k P for a
//! point that somebody sent; k P itself; and the public point of a key (section 3.2.1).

use super::group::{Group, OnCurve, Point};
use super::windows::ENTRIES;
use super::writer::Called;
use super::{Comb, Place, binary};
use crate::curve::Base;

/// The secret number: bytes, the highest first.
const K: Place = Place::Operand(0);
/// The point: the bytes of x, the highest first, and those of y.
const POINT: Place = Place::Operand(1);

impl Group<'_> {
    /// The key becomes digits, and there is a borrow that is right.
    fn key(&mut self, comb: Option<Comb>) -> Option<()> {
        // k and n - k stand together
        let [k, other, order] = [0, 1, 2].map(|number| self.free[2 * ENTRIES + number]);
        self.ends.bytes(K, k);
        self.is_key(k, other);
        self.digits(k, order, comb)
    }

    /// The point of which two points are parts becomes the result.
    fn affine_multiple(&mut self, points: [Point; 2]) -> Option<()> {
        let [x, y, z] = self.multiple(points)?;
        let ends = [self.sum[0], self.far_z];
        self.affine(z, &[(x, ends[0]), (y, ends[1])])?;
        self.ends.result(&ends);
        Some(())
    }
}

/// The program of the shared secret; `None` as [`Group::new`] says.
///
/// Arguments are the result, k and the point, all strings of bytes with the highest first, in words whose lowest byte comes
/// first; the result is the string of x, and keeps its words where 0 is not returned: 1 is that of a wrong k, 2 that of a
/// wrong point.
pub fn ecdh(task: &OnCurve<'_>) -> Option<Called> {
    let mut group = Group::new(task, (1, 4), None)?;
    group.key(None)?;
    let point = group.point(POINT)?;
    group.ends.outcome(&[&[true], &[true; 3]]);
    let points = group.windows(point)?;
    let [x, z] = [group.free[2], group.free[3]];
    group.complete(points, &[("X", x), ("Z", z)])?;
    let end = group.sum[0];
    group.affine(z, &[(x, end)])?;
    group.ends.result(&[end]);
    Some(group.ends.finish(2))
}

/// The program of k P; `None` as [`Group::new`] says. The result is a point, and all else as in [`ecdh`]. On curves over GF(2^m) it is
/// the ladder, and the point of the abscissa 0 is a wrong one.
pub fn scalarmul(task: &OnCurve<'_>) -> Option<Called> {
    if let Base::Binary(field) = &task.curve.base {
        return binary::scalarmul(task, field);
    }
    let mut group = Group::new(task, (2, 4), None)?;
    group.key(None)?;
    let point = group.point(POINT)?;
    group.ends.outcome(&[&[true], &[true; 3]]);
    let points = group.windows(point)?;
    group.affine_multiple(points)?;
    Some(group.ends.finish(2))
}

/// The program of the public point, by a comb; `None` as [`Group::new`] says, and where the comb does not fit the order.
///
/// Arguments are the result, a point, and k, as in [`ecdh`]; 1 is returned where k is wrong.
pub fn public(task: &OnCurve<'_>, comb: Comb) -> Option<Called> {
    let mut group = Group::new(task, (2, 1), Some(comb))?;
    group.key(Some(comb))?;
    group.ends.outcome(&[&[true]]);
    let points = group.comb(comb)?;
    group.affine_multiple(points)?;
    Some(group.ends.finish(1))
}
