//! Scalar multiplications on curves over GF(2^m): the ladder of Lopez and Dahab. The coefficient a does not enter.
//!
//! It begins with the point at infinity (1, 0) and P, for which the formulas hold, so that no scalar needs another length.
//! For k = n - 1 the second point is at infinity in the end, and the result is -P = (x, x + y).

use super::digits::{DIFFERS, Digits, EXCHANGED, ONE, ZERO};
use super::formula::{Arithmetic, Places};
use super::scalar::{Doubling, K, POINT, Scalar, Scan, Strategy, constant, inverse};
use super::writer::{Called, Writer};
use super::{Place, words};
use crate::binary::BinaryField;
use crate::formulas::{self, Formula};
use num_bigint::BigUint;
use rhomb_contract::Contract;

pub(super) fn ladder(task: &Scalar<'_>, field: &BinaryField) -> Option<Called> {
    let Scalar { curve, strategy, doubling, scan, bits } = *task;
    let f = field.polynomial();
    // elements are all numbers of their words
    let count = task.words(&(f >> 1));
    let montgomery = strategy == Strategy::Montgomery;
    let names = if montgomery { ["gf2montmul", "gf2montsqr"] } else { ["gf2modmul", "gf2modsqr"] };
    let terms: Vec<String> =
        (0..f.bits()).rev().filter(|at| f.bit(*at)).map(|at| format!("x^{at}")).collect();
    let contract = |name: &str| format!("{name} {}", terms.join("+")).parse::<Contract>().ok();
    let sum = format!("gf2add {}", bits as usize * count).parse().ok();
    let mut w = Writer::default();
    let contracts = [contract(names[0]), contract(names[1]), sum, None, None];
    let mut own = Arithmetic::new(&mut w, count, contracts)?;
    let mut x = POINT;
    let mut y = Place::Slot(w.slot(count));
    w.line(words::copy(count, count), y, &[POINT]);
    let [given_x, given_y] = [x, y];
    if montgomery {
        let square = constant(&mut w, task, (count, false), &task.radix(count, 2));
        for own_place in [&mut x, &mut y] {
            let to = Place::Slot(w.slot(count));
            own.mul(&mut w, to, *own_place, square);
            *own_place = to;
        }
    }
    let (double, name, number) = match doubling {
        Doubling::General => (formulas::ladder_double(), "b", curve.b.clone()),
        Doubling::Short => {
            let root = (1..field.degree()).fold(curve.b.clone(), |root, _| curve.field().square(&root));
            (formulas::ladder_double_root(), "c", root)
        }
    };
    let coefficient = constant(&mut w, task, (count, montgomery), &number);
    let one = if montgomery { task.radix(count, 1) } else { BigUint::from(1u8) };
    let [now, next] = [(); 2].map(|()| w.slot(4 * count));
    let part = |slot: usize, index: usize| Place::Part(slot, index * count);
    for index in [0, 3] {
        w.line(words::constant(&one, bits, count), part(now, index), &[]);
    }
    w.line(words::constant(&BigUint::ZERO, bits, count), part(now, 1), &[]);
    w.line(words::copy(0, count), part(now, 2), &[x]);
    let digits = if scan == Scan::Masks { Digits::bits(count) } else { Digits::branches(count) };
    let slot = w.slot(digits.length());
    let state = Place::Slot(slot);
    w.line(digits.of_bits(), state, &[K]);
    let sum = formulas::ladder_add();
    let mut step = Step { own: &mut own, double: &double, sum: &sum, x, coefficient: (name, coefficient) };
    w.repeat(count as u32, |w| {
        w.line(digits.next(), state, &[state]);
        w.repeat(bits, |w| match scan {
            Scan::Masks => {
                w.line(digits.next_exchange(), state, &[state]);
                let [from, to] = [now, next].map(Place::Slot);
                w.line(words::exchange(DIFFERS, 2 * count), to, &[from, state]);
                let [before, after] = [next, now].map(|slot| [0, 1, 2, 3].map(|index| part(slot, index)));
                step.write(w, before, after)
            }
            Scan::Branches => {
                w.line(digits.next_branch(), state, &[state]);
                for (mask, order) in [(ONE, [0, 1, 2, 3]), (ZERO, [2, 3, 0, 1])] {
                    let places = order.map(|index| part(now, index));
                    w.when(slot, mask, |w| step.write(w, places, places))?;
                }
                Some(())
            }
        })
    })?;
    let mut ends = now;
    if scan == Scan::Masks {
        let [from, to] = [now, next].map(Place::Slot);
        w.line(words::exchange(EXCHANGED, 2 * count), to, &[from, state]);
        ends = next;
    }
    let [x1, z1, x2, z2] = [0, 1, 2, 3].map(|index| part(ends, index));
    let (least, is_zero) = (Place::Slot(w.slot(count)), Place::Slot(w.slot(1)));
    w.line(words::remainder(f, bits, count), least, &[z2]);
    w.line(words::is_zero(count), is_zero, &[least]);
    let [numerator, denominator] = [(); 2].map(|()| Place::Slot(w.slot(count)));
    let before = [("X1", x1), ("Z1", z1), ("X2", x2), ("Z2", z2), ("x", x), ("y", y)];
    let results = [("F", numerator), ("G", denominator), ("X2", x2)];
    own.formula(&mut w, &formulas::ladder_before_inversion(), &before, &results)?;
    let exponent = (BigUint::from(1u8) << field.degree() as usize) - 2u8;
    let inverted = inverse(&mut w, &own, (&exponent, count), denominator, &[])?;
    let [u, v] = [(); 2].map(|()| Place::Slot(w.slot(count)));
    let after = [("F", numerator), ("X2", x2), ("w", inverted), ("x", x), ("y", y)];
    own.formula(&mut w, &formulas::ladder_after_inversion(), &after, &[("u", u), ("v", v)])?;
    let choice = w.slot(4 * count);
    for (end, index) in [(u, 0), (v, 1)] {
        let mut from = end;
        if montgomery {
            let unit = constant(&mut w, task, (count, false), &BigUint::from(1u8));
            from = Place::Slot(w.slot(count));
            own.mul(&mut w, from, end, unit);
        }
        w.line(words::remainder(f, bits, count), part(choice, index), &[from]);
    }
    w.line(words::copy(0, count), part(choice, 2), &[given_x]);
    own.add(&mut w, part(choice, 3), given_x, given_y);
    w.line(words::pick(0, 2 * count), Place::Result, &[Place::Slot(choice), is_zero]);
    Some(w.finish(2))
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
    /// The sum of both points replaces the first, and the second is doubled.
    fn write(&mut self, w: &mut Writer, before: [Place; 4], after: [Place; 4]) -> Option<()> {
        let [x1, z1, x2, z2] = before;
        let given = [("X1", x1), ("Z1", z1), ("X2", x2), ("Z2", z2), ("x", self.x), self.coefficient];
        let [x1, z1, x2, z2] = after;
        let wanted: [Places<'_>; 2] = [&[("X1", x1), ("Z1", z1)], &[("X2", x2), ("Z2", z2)]];
        self.own.formula(w, self.sum, &given, wanted[0])?;
        self.own.formula(w, self.double, &given, wanted[1])
    }
}
