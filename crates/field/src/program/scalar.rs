//! Scalar multiplications as programs: r = k P, all in affine coordinates, x first, for 1 <= k < n and P of the order n.
//!
//! On curves over GF(p) in Jacobian coordinates, with a mixed addition for each digit; over GF(2^m) see [`super::ladder`].
//! The inversion at the end is a power. Digits are scanned by routines of masks ([`super::digits`]), so that programs have
//! nothing but calls and public loops; branches on digits are there for the forms that papers publish.

use super::digits::{ADDED, DOUBLED, Digits, KEPT, MINUS, NEGATIVE};
use super::formula::Arithmetic;
use super::writer::{Called, Writer};
use super::{Place, Step, power, words};
use crate::chain;
use crate::curve::Curve;
use crate::formulas;
use crate::prime::PrimeField;
use num_bigint::BigUint;
use rhomb_contract::Contract;

/// How the field's products are reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// By the form of the modulus: "optimized" in the papers.
    Special,
    /// By Montgomery's method: "generic".
    Montgomery,
}

/// The formulas of doubling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Doubling {
    /// For any coefficients.
    General,
    /// For a = -3, or with the root of b.
    Short,
}

/// How the scalar is scanned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scan {
    /// By masks: neither branches nor addresses depend on the scalar.
    Masks,
    /// By branches, from the highest digit that is not 0.
    Branches,
}

/// A scalar multiplication on a curve, on words of so many bits.
#[derive(Clone, Copy, Debug)]
pub struct Scalar<'a> {
    /// The curve.
    pub curve: &'a Curve,
    /// How products are reduced.
    pub strategy: Strategy,
    /// How points are doubled.
    pub doubling: Doubling,
    /// How the scalar is scanned.
    pub scan: Scan,
    /// Bits of a word.
    pub bits: u32,
}

/// The scalar: so many words, those of the order.
pub(super) const K: Place = Place::Operand(0);
/// The point: x, and y behind it.
pub(super) const POINT: Place = Place::Operand(1);

impl Scalar<'_> {
    /// 2^(power times the bits of an element) in the field.
    pub(super) fn radix(&self, count: usize, power: usize) -> BigUint {
        self.curve.field().element(&(BigUint::from(1u8) << (self.bits as usize * count * power)))
    }
}

/// A number of the field in a slot of its own.
pub(super) fn constant(
    writer: &mut Writer,
    task: &Scalar<'_>,
    (count, montgomery): (usize, bool),
    number: &BigUint,
) -> Place {
    let place = Place::Slot(writer.slot(count));
    let own = if montgomery { task.curve.field().mul(number, &task.radix(count, 1)) } else { number.clone() };
    writer.line(words::constant(&own, task.bits, count), place, &[]);
    place
}

/// The power of a number, which stands in the first of places that are free, or in a slot of its own.
pub(super) fn inverse(
    writer: &mut Writer,
    arithmetic: &Arithmetic,
    (exponent, count): (&BigUint, usize),
    from: Place,
    free: &[Place],
) -> Option<Place> {
    let mut free = free.iter().copied();
    let mut any = |writer: &mut Writer, words| free.next().unwrap_or_else(|| Place::Slot(writer.slot(words)));
    let to = any(writer, count);
    let program = power(&chain::power(exponent)?, count, true);
    let slots: Vec<Place> = program.slots.iter().map(|words| any(writer, *words)).collect();
    let place = |own: Place| match own {
        Place::Result => Some(to),
        Place::Operand(_) => Some(from),
        Place::Slot(slot) => slots.get(slot).copied(),
        Place::Part(..) | Place::Inside(..) | Place::Behind(_) => None,
    };
    let steps = moved(&program.steps, &place, arithmetic.products())?;
    writer.steps(steps);
    Some(to)
}

/// The same steps with other numbers and routines.
fn moved(steps: &[Step], place: &impl Fn(Place) -> Option<Place>, routines: [usize; 2]) -> Option<Vec<Step>> {
    let one = |step: &Step| match step {
        Step::Call { routine, to, operands } => Some(Step::Call {
            routine: *routines.get(*routine)?,
            to: place(*to)?,
            operands: operands.iter().map(|own| place(*own)).collect::<Option<_>>()?,
        }),
        Step::Repeat { times, steps } => {
            Some(Step::Repeat { times: *times, steps: moved(steps, place, routines)? })
        }
        Step::When { .. } | Step::Take { .. } => None,
    };
    steps.iter().map(one).collect()
}

/// On a curve over GF(p).
///
/// With digits 1 and -1 for k or n - k, whichever is odd, no sum on the way is of a point and itself or its opposite where
/// n = 1 modulo 4: that would be n - 2, whose last digit is 1 then. With the non-adjacent form the last addition for
/// k = n - 2 is that of -P to itself, and gives Z = 0. Then -P is doubled.
pub(super) fn prime(task: &Scalar<'_>, field: &PrimeField) -> Option<Called> {
    let Scalar { curve, strategy, doubling, scan, bits } = *task;
    let p = field.modulus();
    let count = curve.base.words(bits);
    let fills = |number: &BigUint| number.bits() == u64::from(bits) * count as u64;
    let is_short = &curve.a + 3u8 == *p;
    if !fills(p) || !fills(&curve.order) || (doubling == Doubling::Short && !is_short) {
        return None;
    }
    let by_masks = scan == Scan::Masks;
    if by_masks && &curve.order % 4u8 != BigUint::from(1u8) {
        return None;
    }
    let montgomery = strategy == Strategy::Montgomery;
    let names = if montgomery { ["montmul", "montsqr"] } else { ["modmul", "modsqr"] };
    let contract = |name: &str| format!("{name} {p:#x}").parse::<Contract>().ok();
    let half = contract("modhalf").filter(|_| doubling == Doubling::Short);
    let contracts = [contract(names[0]), contract(names[1]), contract("modadd"), contract("modsub"), half];
    let mut w = Writer::default();
    let mut own = Arithmetic::new(&mut w, count, contracts)?;
    // the point with both signs
    let signs = w.slot(2 * count);
    let [y, minus_y] = [0, count].map(|word| Place::Part(signs, word));
    w.line(words::copy(count, count), y, &[POINT]);
    let mut x = POINT;
    if montgomery {
        let square = constant(&mut w, task, (count, false), &task.radix(count, 2));
        let [moved, given] = [(); 2].map(|()| Place::Slot(w.slot(count)));
        own.mul(&mut w, moved, x, square);
        w.line(words::copy(0, count), given, &[y]);
        own.mul(&mut w, y, given, square);
        x = moved;
    }
    let zero = constant(&mut w, task, (count, false), &BigUint::ZERO);
    own.sub(&mut w, minus_y, zero, y);
    let a = match doubling {
        Doubling::General => Some(constant(&mut w, task, (count, montgomery), &curve.a)),
        Doubling::Short => None,
    };
    let [cx, cy, doubled_z, added_y] = [(); 4].map(|()| Place::Slot(w.slot(count)));
    let z = constant(&mut w, task, (count, montgomery), &BigUint::from(1u8));
    let double = match doubling {
        Doubling::General => formulas::double_general(),
        Doubling::Short => formulas::double_minus_three(),
    };
    let add = formulas::add_mixed();
    let mut given = vec![("X", cx), ("Y", cy), ("Z", z)];
    given.extend(a.map(|a| ("a", a)));
    // a doubling leaves Z where the addition takes it from
    let between = [("X", cx), ("Y", cy), ("Z", doubled_z)];
    let added = [("X", cx), ("Y", cy), ("Z", doubled_z), ("x", x), ("y", added_y)];
    let all = [("X", cx), ("Y", cy), ("Z", z)];
    w.line(words::copy(0, count), cx, &[x]);
    let digits = if by_masks { Digits::signed(count) } else { Digits::non_adjacent(count) };
    let slot = w.slot(digits.length());
    let state = Place::Slot(slot);
    let sign = Place::Slot(signs);
    if by_masks {
        w.line(digits.of_signs(&curve.order, bits), state, &[K]);
        w.line(words::pick(MINUS, count), cy, &[sign, state]);
        w.repeat(count as u32, |w| {
            w.line(digits.next(), state, &[state]);
            w.repeat(bits, |w| {
                own.formula(w, &double, &given, &between)?;
                w.line(digits.next_sign(), state, &[state]);
                w.line(words::pick(MINUS, count), added_y, &[sign, state]);
                own.formula(w, &add, &added, &all)
            })
        })?;
    } else {
        w.line(digits.of_digits(), state, &[K]);
        w.line(words::copy(0, count), cy, &[y]);
        w.line(digits.next_digit(), state, &[state]);
        w.repeat(count as u32, |w| {
            w.line(digits.next(), state, &[state]);
            w.repeat(bits, |w| {
                w.line(digits.next_digit(), state, &[state]);
                w.when(slot, DOUBLED, |w| own.formula(w, &double, &given, &between))?;
                w.when(slot, ADDED, |w| {
                    w.line(words::pick(NEGATIVE, count), added_y, &[sign, state]);
                    own.formula(w, &add, &added, &all)
                })?;
                w.when(slot, KEPT, |w| {
                    w.line(words::copy(0, count), z, &[doubled_z]);
                    Some(())
                })
            })
        })?;
        let (least, is_zero) = (Place::Slot(w.slot(count)), w.slot(1));
        w.line(words::below(p, bits, count), least, &[z]);
        w.line(words::is_zero(count), Place::Slot(is_zero), &[least]);
        w.when(is_zero, 0, |w| {
            w.line(words::copy(0, count), cx, &[x]);
            w.line(words::copy(0, count), cy, &[minus_y]);
            let one = if montgomery { task.radix(count, 1) } else { BigUint::from(1u8) };
            w.line(words::constant(&one, bits, count), z, &[]);
            own.formula(w, &double, &given, &between)?;
            w.line(words::copy(0, count), z, &[doubled_z]);
            Some(())
        })?;
    }
    let inverted = inverse(&mut w, &own, (&(p - 2u8), count), z, &[])?;
    let [end_x, end_y] = [(); 2].map(|()| Place::Slot(w.slot(count)));
    let ends = [("X", cx), ("Y", cy), ("w", inverted)];
    own.formula(&mut w, &formulas::affine(), &ends, &[("x", end_x), ("y", end_y)])?;
    let pair = w.slot(2 * count);
    for (end, word) in [(end_x, 0), (end_y, count)] {
        let mut from = end;
        if montgomery {
            let unit = constant(&mut w, task, (count, false), &BigUint::from(1u8));
            from = Place::Slot(w.slot(count));
            own.mul(&mut w, from, end, unit);
        }
        w.line(words::below(p, bits, count), Place::Part(pair, word), &[from]);
    }
    w.line(words::copy(0, 2 * count), Place::Result, &[Place::Slot(pair)]);
    Some(w.finish(2))
}
