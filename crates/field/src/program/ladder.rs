//! Scalar multiplications on curves over GF(2^m): the ladder of Lopez and Dahab. The coefficient a does not enter.
//!
//! It begins with the point at infinity (1, 0) and P, for which the formulas hold, so that no scalar needs another length.
//! For k = n - 1 the second point is at infinity in the end, and the result is -P = (x, x + y). Where the abscissa of P is not
//! 0, that is so just where the number that is inverted is 0.

use super::digits::{DIFFERS, Digits, EXCHANGED, ONE, ZERO};
use super::formula::{Arithmetic, Places};
use super::scalar::{Doubling, K, POINT, Scalar, Scan, Strategy, constant, inverse};
use super::writer::{Called, Writer};
use super::{Place, words};
use crate::binary::BinaryField;
use crate::formulas::{self, Formula};
use num_bigint::BigUint;
use rhomb_contract::Contract;

/// A ladder, and what it calls.
pub(super) struct Ladder<'a> {
    task: &'a Scalar<'a>,
    field: &'a BinaryField,
    /// Words of an element: elements are all numbers of their words.
    pub(super) count: usize,
    pub(super) own: Arithmetic,
    /// The coordinates of the point, as products have them.
    pub(super) point: [Place; 2],
}

/// Where a ladder's end is, as its formulas name it.
pub(super) struct Reached {
    numerator: Place,
    x2: Place,
    /// What is to be inverted.
    pub(super) denominator: Place,
}

impl<'a> Ladder<'a> {
    pub(super) fn new(
        w: &mut Writer,
        task: &'a Scalar<'a>,
        field: &'a BinaryField,
        mut point: [Place; 2],
    ) -> Option<Self> {
        let count = task.curve.base.words(task.bits);
        let names = match task.strategy {
            Strategy::Montgomery => ["gf2montmul", "gf2montsqr"],
            Strategy::Special => ["gf2modmul", "gf2modsqr"],
        };
        let contract = |name: &str| format!("{name} {}", field.name()).parse::<Contract>().ok();
        let sum = format!("gf2add {}", task.bits as usize * count).parse().ok();
        let contracts = [contract(names[0]), contract(names[1]), sum, None, None];
        let own = Arithmetic::new(w, count, contracts)?;
        if task.strategy == Strategy::Montgomery {
            let square = constant(w, task, (count, false), &task.radix(count, 2));
            for place in &mut point {
                let to = Place::Slot(w.slot(count));
                own.mul(w, to, *place, square);
                *place = to;
            }
        }
        Some(Ladder { task, field, count, own, point })
    }

    fn is_montgomery(&self) -> bool {
        self.task.strategy == Strategy::Montgomery
    }

    /// A number of the field in a slot of its own.
    pub(super) fn constant(&self, w: &mut Writer, number: &BigUint) -> Place {
        constant(w, self.task, (self.count, self.is_montgomery()), number)
    }

    /// All steps for a scalar, up to the inversion.
    pub(super) fn steps(&mut self, w: &mut Writer, k: Place) -> Option<Reached> {
        let Scalar { curve, doubling, scan, bits, .. } = *self.task;
        let ([x, y], count) = (self.point, self.count);
        let (double, name, number) = match doubling {
            Doubling::General => (formulas::ladder_double(), "b", curve.b.clone()),
            Doubling::Short => (formulas::ladder_double_root(), "c", self.field.root(&curve.b)),
        };
        let coefficient = self.constant(w, &number);
        let one = if self.is_montgomery() { self.task.radix(count, 1) } else { BigUint::from(1u8) };
        let [now, next] = [(); 2].map(|()| w.slot(4 * count));
        let part = |slot: usize, index: usize| Place::Part(slot, index * count);
        // the second point stands before the first one, for a mask to pick
        let [x1, z1, x2, z2] = [2, 3, 0, 1].map(|index| part(now, index));
        let infinity_and_point = [(x1, &one), (z1, &BigUint::ZERO), (z2, &one)];
        for (place, number) in infinity_and_point {
            w.line(words::constant(number, bits, count), place, &[]);
        }
        w.line(words::copy(0, count), x2, &[x]);
        let digits = if scan == Scan::Masks { Digits::bits(count) } else { Digits::branches(count) };
        let slot = w.slot(digits.length());
        let state = Place::Slot(slot);
        w.line(digits.of_bits(), state, &[k]);
        let sum = formulas::ladder_add();
        let mut step =
            Step { own: &mut self.own, double: &double, sum: &sum, x, coefficient: (name, coefficient) };
        let doubled = [0, 1].map(|index| part(next, index));
        w.repeat(count as u32, |w| {
            w.line(digits.next(), state, &[state]);
            w.repeat(bits, |w| match scan {
                Scan::Masks => {
                    w.line(digits.next_exchange(), state, &[state]);
                    w.line(words::pick(0, 2 * count), doubled[0], &[x2, state.moved(DIFFERS)]);
                    step.write(w, [x1, z1, x2, z2], doubled)
                }
                Scan::Branches => {
                    w.line(digits.next_branch(), state, &[state]);
                    for (mask, places) in [(ONE, [x1, z1, x2, z2]), (ZERO, [x2, z2, x1, z1])] {
                        w.when(slot, mask, |w| step.write(w, places, [places[2], places[3]]))?;
                    }
                    Some(())
                }
            })
        })?;
        let mut ends = now;
        if scan == Scan::Masks {
            let [from, to] = [now, next].map(Place::Slot);
            w.line(words::exchange(0, 2 * count), to, &[from, state.moved(EXCHANGED)]);
            ends = next;
        }
        let [x1, z1, x2, z2] = [2, 3, 0, 1].map(|index| part(ends, index));
        let [numerator, denominator] = [(); 2].map(|()| Place::Slot(w.slot(count)));
        let before = [("X1", x1), ("Z1", z1), ("X2", x2), ("Z2", z2), ("x", x), ("y", y)];
        let results = [("F", numerator), ("G", denominator), ("X2", x2)];
        self.own.formula(w, &formulas::ladder_before_inversion(), &before, &results)?;
        Some(Reached { numerator, x2, denominator })
    }

    /// The canonical coordinates of the multiple, where what is inverted is not 0.
    pub(super) fn coordinates(&mut self, w: &mut Writer, ends: &Reached, to: [Place; 2]) -> Option<()> {
        let count = self.count;
        let exponent = (BigUint::from(1u8) << self.field.degree() as usize) - 2u8;
        let inverted = inverse(w, &self.own, (&exponent, count), ends.denominator, &[])?;
        let [u, v] = [(); 2].map(|()| Place::Slot(w.slot(count)));
        let [x, y] = self.point;
        let after = [("F", ends.numerator), ("X2", ends.x2), ("w", inverted), ("x", x), ("y", y)];
        self.own.formula(w, &formulas::ladder_after_inversion(), &after, &[("u", u), ("v", v)])?;
        for (end, to) in [u, v].into_iter().zip(to) {
            let mut from = end;
            if self.is_montgomery() {
                let unit = constant(w, self.task, (count, false), &BigUint::from(1u8));
                from = Place::Slot(w.slot(count));
                self.own.mul(w, from, end, unit);
            }
            self.canonical(w, from, to);
        }
        Some(())
    }

    /// An element below 2^m.
    pub(super) fn canonical(&self, w: &mut Writer, from: Place, to: Place) {
        let line = words::remainder(self.field.polynomial(), self.task.bits, self.count);
        w.line(line, to, &[from]);
    }
}

/// A step of the ladder.
struct Step<'a> {
    own: &'a mut Arithmetic,
    double: &'a Formula,
    sum: &'a Formula,
    x: Place,
    /// Its name in the formula, and where it stands.
    coefficient: (&'static str, Place),
}

impl Step<'_> {
    /// The sum of both points replaces the first, and the double of one of them, whose coordinates are given, the second.
    fn write(&mut self, w: &mut Writer, both: [Place; 4], [x, z]: [Place; 2]) -> Option<()> {
        let [x1, z1, x2, z2] = both;
        let given = [("X1", x1), ("Z1", z1), ("X2", x2), ("Z2", z2), ("x", self.x)];
        let wanted: [Places<'_>; 2] = [&[("X1", x1), ("Z1", z1)], &[("X2", x2), ("Z2", z2)]];
        self.own.formula(w, self.sum, &given, wanted[0])?;
        self.own.formula(w, self.double, &[("X2", x), ("Z2", z), self.coefficient], wanted[1])
    }
}

/// The ladder alone, for 1 <= k < n and a point of the order n.
pub(super) fn ladder(task: &Scalar<'_>, field: &BinaryField) -> Option<Called> {
    let mut w = Writer::default();
    let count = task.curve.base.words(task.bits);
    let y = Place::Slot(w.slot(count));
    w.line(words::copy(count, count), y, &[POINT]);
    let mut ladder = Ladder::new(&mut w, task, field, [POINT, y])?;
    let ends = ladder.steps(&mut w, K)?;
    let (least, is_zero) = (Place::Slot(w.slot(count)), Place::Slot(w.slot(1)));
    ladder.canonical(&mut w, ends.denominator, least);
    w.line(words::is_zero(count), is_zero, &[least]);
    let choice = w.slot(4 * count);
    let [u, v, x, sum] = [0, 1, 2, 3].map(|index| Place::Part(choice, index * count));
    ladder.coordinates(&mut w, &ends, [u, v])?;
    w.line(words::copy(0, count), x, &[POINT]);
    ladder.own.add(&mut w, sum, POINT, y);
    w.line(words::pick(0, 2 * count), Place::Result, &[Place::Slot(choice), is_zero]);
    Some(w.finish(2))
}
