//! Multiples of points on curves over GF(2^m), with keys and points from strings of bytes and what is wrong with them.

use super::ends::{self, Ends};
use super::group::OnCurve;
use super::ladder::Ladder;
use super::scalar::{Doubling, Scalar, Scan};
use super::writer::Called;
use super::{Place, words};
use crate::binary::BinaryField;
use crate::formulas;
use num_bigint::BigUint;

/// Borrows of the status: those of the key, both coordinates, the curve's equation, and what is inverted.
const BORROWS: usize = 5;

/// The program of k P on a curve over GF(2^m), by the ladder; arguments and what is returned are those of [`super::scalarmul`]. The point
/// of the order 2, whose abscissa is 0, is a wrong one. `None` of words that are no bytes.
///
/// The points are those of the curve, whose order is n or 2 n or any other multiple: k P is not at infinity for 0 < k < n unless P is
/// of a smaller order, which is what the abscissa tells where the cofactor is 2. That it is 2 is for the caller to know.
pub(super) fn scalarmul(task: &OnCurve<'_>, field: &BinaryField) -> Option<Called> {
    let OnCurve { curve, strategy, bits } = *task;
    if bits == 0 || !bits.is_power_of_two() || !bits.is_multiple_of(8) {
        return None;
    }
    let (doubling, scan) = (Doubling::Short, Scan::Masks);
    let scalar = Scalar { curve, strategy, doubling, scan, bits };
    let count = curve.base.words(bits);
    let (one, limit) = (BigUint::from(1u8), curve.base.limit());
    let mut own = Ends::new((bits, count), (2, BORROWS));
    own.last = own.writer.slot(2 * count + 1);
    let numbers = own.writer.slot(8 * count);
    let [k, x, y, sum, difference, limit_place, u, v] =
        [0, 1, 2, 3, 4, 5, 6, 7].map(|number| Place::Part(numbers, number * count));
    own.between = [difference, limit_place];
    own.bytes(Place::Operand(0), k);
    own.is_key(k, u, &curve.order);
    for (at, to) in [(0, x), (count, y)] {
        own.bytes(Place::Operand(1).moved(at), to);
    }
    // above 0, too
    own.is_key(x, u, &limit);
    own.below(y, &limit);
    let mut ladder = Ladder::new(&mut own.writer, &scalar, field, [x, y])?;
    // the equation of the curve
    let [a, b] = [&curve.a, &curve.b].map(|number| ladder.constant(&mut own.writer, number));
    let [px, py] = ladder.point;
    let given = [("x", px), ("y", py), ("a", a), ("b", b)];
    ladder.own.formula(&mut own.writer, &formulas::equation_binary(), &given, &[("d", u)])?;
    ladder.canonical(&mut own.writer, u, v);
    own.below(v, &one);
    let ends = ladder.steps(&mut own.writer, k)?;
    ladder.canonical(&mut own.writer, ends.denominator, v);
    let is_zero = own.below(v, &one);
    own.outcome(&[&[true], &[true; 3]]);
    let mask = own.of_status(ends::MASK);
    own.writer.line(words::negative(), mask, &[is_zero]);
    // k P, or -P; both with the same ordinate behind the abscissa
    let choices = own.writer.slot(4 * count);
    let [u_x, minus_x, u_y, minus_y] = [0, 1, 2, 3].map(|index| Place::Part(choices, index * count));
    ladder.coordinates(&mut own.writer, &ends, [u_x, u_y])?;
    ladder.canonical(&mut own.writer, x, minus_x);
    ladder.own.add(&mut own.writer, sum, x, y);
    ladder.canonical(&mut own.writer, sum, minus_y);
    for (from, to) in [(u_x, u), (u_y, v)] {
        own.writer.line(words::pick(0, count), to, &[from, mask]);
    }
    own.kept = Place::Slot(choices);
    own.result(&[u, v]);
    Some(own.finish(2))
}
