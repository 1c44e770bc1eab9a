//! Multiples of points of a curve of a prime order over GF(p), as parts of programs: keys and points from strings of bytes,
//! with what is wrong with them; the multiples; and coordinates as strings again.
//!
//! The table of windows has one Z, and the sums are those of the curve where that is 1.
//!
//! k or n - k, whichever is odd, has digits that are never 0: those of windows ([`super::windows`]) for a point that somebody
//! sent, and columns of a comb ([`super::comb`]) for the generator. So what stands before a sum is an even multiple m. It is no multiple of 4
//! where a part of a column but the lowest is added, which is one; all else that is added is odd; and in the first column of a comb
//! both have other powers of two. So no sum or difference of both is 0. Nor is one a multiple of n: before the last column both are
//! below n together, and in it below 2 n, where sums and differences are even but for the last digit. That goes for windows likewise, whose
//! digits are columns. So a sum is never of equal or opposite points, and formulas for Jacobian
//! coordinates hold. A comb may have places above k, all of them in the highest part of the highest tooth, whose lowest place is that of
//! 2^t, four bits below n at most ([`Comb::columns`]). While c columns are still to come, the sum is k less what they stand for, divided by 2^c,
//! and that is below 2^(c + t) and a small part of it: so the sum is below k / 2^c + 2^t and such a part, twice of it and a column are below
//! n / 2^c + 3 2^t and such a part, and so below n before the last column, and below 2 n in it. At the last digit m may be the digit modulo n, which the complete formulas of homogeneous coordinates take, too.

use super::ends::{Ends, MASK};
use super::formula::Arithmetic;
use super::scalar::{Strategy, inverse};
use super::windows::{self, ENTRIES, NEGATIVE, WINDOW};
use super::writer::Writer;
use super::{Comb, Place, words};
use crate::curve::{Base, Curve};
use crate::formulas::{self, Formula};
use num_bigint::BigUint;
use rhomb_contract::Contract;
use rhomb_line::Line;

/// A curve on words of so many bits.
#[derive(Clone, Copy, Debug)]
pub struct OnCurve<'a> {
    /// The curve.
    pub curve: &'a Curve,
    /// How products are reduced.
    pub strategy: Strategy,
    /// Bits of a word.
    pub bits: u32,
}

/// A mask of all ones where the last scalar is even.
const EVEN: usize = MASK;

/// Numbers on the way of the formulas.
const WAYS: usize = 8;

/// A point: X, Y, Z.
pub(super) type Point = [Place; 3];

/// A program under construction.
pub(super) struct Group<'a> {
    pub(super) task: &'a OnCurve<'a>,
    pub(super) p: &'a BigUint,
    pub(super) ends: Ends,
    /// Operations in the field.
    pub(super) own: Arithmetic,
    double: Formula,
    scalar: Place,
    /// A multiple in Jacobian coordinates.
    pub(super) sum: Point,
    /// What is added: x, y with its sign, and Z.
    x: Place,
    signed: Signed,
    z: Place,
    pub(super) far_z: Place,
    /// Numbers of a table, which are free before there is one and after it was read the last time.
    pub(super) free: Vec<Place>,
    table: usize,
}

/// A number with either sign.
#[derive(Clone, Copy)]
struct Signed {
    /// The number, and its negative behind it.
    y: Place,
    /// The one of them that is wanted.
    chosen: Place,
    zero: Place,
    count: usize,
}

impl Signed {
    /// The negative where a mask is set, among the words of a slot.
    fn choose(self, w: &mut Writer, own: &Arithmetic, masks: Place, mask: usize) {
        let Signed { y, chosen, zero, count } = self;
        own.sub(w, y.moved(count), zero, y);
        w.line(words::pick(mask, count), chosen, &[y, masks]);
    }
}

impl<'a> Group<'a> {
    /// The beginning of a program whose result has so many numbers, with so many borrows; `None` for curves whose field or
    /// order does not fill its words, words that are no bytes, and coefficients for which there is no doubling.
    pub(super) fn new(
        task: &'a OnCurve<'a>,
        (results, borrows): (usize, usize),
        comb: Option<Comb>,
    ) -> Option<Self> {
        let OnCurve { curve, strategy, bits } = *task;
        let Base::Prime(field) = &curve.base else { return None };
        let p = field.modulus();
        if bits == 0 || !bits.is_power_of_two() || !bits.is_multiple_of(8) {
            return None;
        }
        let count = curve.base.words(bits);
        let fills = |number: &BigUint| number.bits() == u64::from(bits) * count as u64;
        let double = formulas::doubling(curve)?;
        if !fills(p) || !fills(&curve.order) || !curve.order.bit(0) {
            return None;
        }
        let mut ends = Ends::new((bits, count), (results, borrows));
        let writer = &mut ends.writer;
        let of_comb = match comb {
            Some(comb) => comb.length(bits, count)?,
            None => 0,
        };
        let scalar = Place::Slot(writer.slot(windows::length(count).max(of_comb)));
        // the numbers of a slot, one behind the other
        let numbers = |slot: usize| move |number: usize| Place::Part(slot, number * count);
        let sum = [0, 1, 2].map(numbers(writer.slot(3 * count)));
        let [x, y, _, z] = [0, 1, 2, 3].map(numbers(writer.slot(4 * count)));
        let [far_z, chosen, zero] = [(); 3].map(|()| Place::Slot(writer.slot(count)));
        ends.last = writer.slot(results * count + 1);
        let ways = numbers(writer.slot(WAYS * count));
        // what is used seldom is farthest: displacements of what is used often are short
        let table = writer.slot(3 * ENTRIES * count);
        let free: Vec<Place> = (0..3 * ENTRIES).map(numbers(table)).collect();
        // there is no table yet, or no longer
        ends.between = [free[3 * ENTRIES - 1], free[3 * ENTRIES - 2]];
        ends.kept = free[0];
        let names = match strategy {
            Strategy::Special => ["modmul", "modsqr"],
            Strategy::Montgomery => ["montmul", "montsqr"],
        };
        let contract = |name: &str| format!("{name} {p:#x}").parse::<Contract>().ok();
        let [mul, sqr] = names.map(contract);
        let [add, less, half] = ["modadd", "modsub", "modhalf"].map(contract);
        let own = Arithmetic::new(writer, count, [mul, sqr, add, less, half])?;
        let own = own.with_room((0..WAYS).map(ways)).fused();
        Some(Group {
            task,
            p,
            ends,
            own,
            double,
            scalar,
            sum,
            x,
            signed: Signed { y, chosen, zero, count },
            z,
            far_z,
            free,
            table,
        })
    }

    fn bits(&self) -> u32 {
        self.task.bits
    }

    /// A power of the base of Montgomery's products.
    pub(super) fn radix(&self, power: usize, modulus: &BigUint) -> BigUint {
        (BigUint::from(1u8) << (self.bits() as usize * self.ends.count * power)) % modulus
    }

    /// A number of the field as the strategy has it.
    fn element(&self, number: &BigUint) -> BigUint {
        match self.task.strategy {
            Strategy::Special => number.clone(),
            Strategy::Montgomery => number * self.radix(1, self.p) % self.p,
        }
    }

    pub(super) fn constant(&mut self, to: Place, number: &BigUint) -> Place {
        let number = self.element(number);
        self.ends.plain(to, &number)
    }

    /// A number as the strategy has it; other places take a constant and, where it moves, the number.
    pub(super) fn moved(&mut self, from: Place, [constant, to]: [Place; 2]) -> Place {
        match self.task.strategy {
            Strategy::Special => from,
            Strategy::Montgomery => {
                let square = self.radix(2, self.p);
                self.ends.plain(constant, &square);
                self.own.mul(&mut self.ends.writer, to, from, constant);
                to
            }
        }
    }

    /// Whether a number is above 0 and below the order: the next borrow. Another place takes the number less 1.
    pub(super) fn is_key(&mut self, number: Place, other: Place) {
        self.ends.is_key(number, other, &self.task.curve.order);
    }

    /// A scalar, behind which there is room for another number, becomes digits, those of a comb where one is given: of n - k where k is
    /// even.
    pub(super) fn digits(&mut self, k: Place, order: Place, comb: Option<Comb>) -> Option<()> {
        let (bits, count) = (self.bits(), self.ends.count);
        let other = k.moved(count);
        let odd = self.far_z;
        self.ends.plain(order, &self.task.curve.order);
        self.ends.difference(other, [order, k]);
        self.ends.writer.line(words::is_even(), self.ends.of_status(EVEN), &[k]);
        self.ends.writer.line(words::pick(0, count), odd, &[k, self.ends.of_status(EVEN)]);
        let line = match comb {
            Some(comb) => comb.of_odd(bits, count)?,
            None => windows::of_odd(bits, count),
        };
        self.ends.writer.line(line, self.scalar, &[odd]);
        Some(())
    }

    /// A point from two strings: its coordinates in the field, and the next three borrows.
    pub(super) fn point(&mut self, from: Place) -> Option<[Place; 2]> {
        let [x, y] = [self.x, self.signed.y];
        for (number, place) in [x, y].into_iter().enumerate() {
            self.ends.bytes(from.moved(number * self.ends.count), place);
            self.ends.below(place, self.p);
        }
        let [px, py] = [(x, self.sum[0]), (y, self.sum[1])].map(|(from, to)| self.moved(from, [self.z, to]));
        let [a, b, difference] = [ENTRIES, ENTRIES + 1, ENTRIES + 2].map(|at| self.free[at]);
        let curve = self.task.curve;
        self.constant(a, &curve.a);
        self.constant(b, &curve.b);
        let given = [("x", px), ("y", py), ("a", a), ("b", b)];
        let mut early = self.early();
        early.formula(&mut self.ends.writer, &formulas::equation(), &given, &[("d", difference)])?;
        self.canonical(difference, self.far_z);
        self.ends.below(self.far_z, &BigUint::from(1u8));
        Some([px, py])
    }

    /// The field's operations before there is a table.
    fn early(&self) -> Arithmetic {
        self.own.clone().with_room(self.free[..ENTRIES].to_vec())
    }

    /// A number below the modulus.
    pub(super) fn canonical(&mut self, from: Place, to: Place) {
        self.ends.writer.line(words::below(self.p, self.bits(), self.ends.count), to, &[from]);
    }

    /// Multiples of a point by the digits but for the last one: the sum, and what the last one adds to it.
    pub(super) fn windows(&mut self, [px, py]: [Place; 2]) -> Option<[Point; 2]> {
        let (bits, count) = (self.bits(), self.ends.count);
        let Group { x, signed, z, far_z, table, .. } = *self;
        let y = signed.y;
        let [cx, cy, cz] = self.sum;
        let table = move |number: usize| Place::Part(table, number * count);
        let coefficient = self.constant(table(ENTRIES), &self.task.curve.a);
        // P and 2 P with the same Z, and 2 P added again and again; h is by what Z changes
        let given = [("x", px), ("y", py), ("a", coefficient)];
        let doubled = [("X", x), ("Y", y), ("U", cx), ("V", cy), ("Z", cz)];
        self.early().formula(&mut self.ends.writer, &formulas::double_common(), &given, &doubled)?;
        // what leaves the table at first
        for place in self.free.clone() {
            self.ends.plain(place, &BigUint::ZERO);
        }
        let part = windows::part(bits, count);
        // the parts of a point's numbers, each with that of the table
        let parts = |numbers: &[Place]| -> Vec<[Place; 2]> {
            let words = (0..count).step_by(part);
            let all = numbers.iter().enumerate().flat_map(|own| words.clone().map(move |word| (own, word)));
            all.map(|((number, place), word)| {
                [place.moved(word), table(number * ENTRIES).moved(ENTRIES * word)]
            })
            .collect()
        };
        let entry = [cx, cy, cz];
        let push = |w: &mut Writer, behind: bool| {
            for [own, table] in parts(&entry) {
                w.line(windows::push(part, behind), table, &[own, table]);
            }
        };
        let both = [("X", x), ("Y", y), ("U", cx), ("V", cy)];
        let common = [&both[..], &[("h", cz)]].concat();
        let Group { ends: Ends { writer, .. }, own, .. } = self;
        push(writer, false);
        writer.repeat(ENTRIES as u32 - 1, |w| {
            own.formula(w, &formulas::add_common(), &both, &common)?;
            push(w, false);
            Some(())
        })?;
        // all with the Z of the first one
        let ratio = self.constant(far_z, &BigUint::from(1u8));
        let given = [("X", cx), ("Y", cy), ("l", ratio), ("h", cz)];
        let Group { ends: Ends { writer, .. }, own, .. } = self;
        writer.repeat(ENTRIES as u32, |w| {
            for [own, table] in parts(&entry) {
                w.line(windows::front(part), own, &[table]);
            }
            own.formula(w, &formulas::scaled(), &given, &given[..3])?;
            push(w, true);
            Some(())
        })?;
        // by its Z the curve becomes one where the table is affine, with another coefficient
        let [common_z, a, term, far_term, coefficient] =
            [0, 1, 2, 3, 4].map(|number| table(2 * ENTRIES + number));
        self.ends.copy(ratio, common_z);
        let has_term = self.task.curve.a != BigUint::ZERO;
        if has_term {
            self.constant(coefficient, &self.task.curve.a);
            let given = [("Z", common_z), ("a", coefficient)];
            self.own.formula(&mut self.ends.writer, &formulas::modified_term(), &given, &[("W", a)])?;
            self.ends.copy(a, term);
        }
        self.constant(cz, &BigUint::from(1u8));
        self.ends.plain(signed.zero, &BigUint::ZERO);
        let Group { ends: Ends { writer, .. }, own, double, scalar, .. } = self;
        let select = |w: &mut Writer, to: [Place; 2]| {
            w.line(windows::next(bits, count), *scalar, &[*scalar]);
            for [own, table] in parts(&to) {
                w.line(windows::selected(bits, part), own, &[table, *scalar]);
            }
        };
        select(writer, [cx, cy]);
        let digits = (bits as usize * count) as u32 / WINDOW;
        let four = |w: &mut Writer, own: &mut Arithmetic| {
            for number in 0..WINDOW as usize {
                // neither Z nor W is made where it stands; an addition brings Z back
                let at = |number: usize| {
                    let (z, w) = ([cz, far_z, z][number % 3], [term, far_term][number % 2]);
                    [("X", cx), ("Y", cy), ("Z", z), ("W", w)]
                };
                let [from, to] = [at(number), at(number + 1)];
                match has_term {
                    true => {
                        // nobody reads the last W
                        let is_read = number + 1 < WINDOW as usize;
                        let wanted = if is_read { &to[..] } else { &to[..3] };
                        own.formula(w, &formulas::double_modified(is_read), &from, wanted)?;
                    }
                    false => own.formula(w, double, &from[..3], &to[..3])?,
                }
            }
            select(w, [x, y]);
            signed.choose(w, own, *scalar, NEGATIVE);
            Some(())
        };
        writer.repeat(digits - 2, |w| {
            four(w, own)?;
            let given = [("X", cx), ("Y", cy), ("Z", far_z), ("x", x), ("y", signed.chosen)];
            own.formula(w, &formulas::add_mixed(), &given, &[("X", cx), ("Y", cy), ("Z", cz)])?;
            if has_term {
                own.formula(w, &formulas::modified_term(), &[("Z", cz), ("a", a)], &[("W", term)])?;
            }
            Some(())
        })?;
        four(writer, own)?;
        own.mul(writer, cz, far_z, common_z);
        self.ends.copy(common_z, z);
        for (x, z) in [(cx, cz), (x, z)] {
            self.homogeneous(x, z)?;
        }
        Some([self.sum, [x, signed.chosen, z]])
    }

    /// Multiples of the generator by the columns of a comb but for the last one, likewise.
    pub(super) fn comb(&mut self, comb: Comb) -> Option<[Point; 2]> {
        let (bits, count) = (self.bits(), self.ends.count);
        let Group { x, signed, z, far_z, scalar, .. } = *self;
        let y = signed.y;
        let [cx, cy, cz] = self.sum;
        let columns = comb.columns(bits as usize * count)? as u32;
        let tables: Vec<[Line; 2]> = comb
            .tables(self.task.curve)?
            .iter()
            .map(|table| {
                let x: Vec<BigUint> = table.iter().map(|point| self.element(&point.x)).collect();
                let y: Vec<BigUint> = table.iter().map(|point| self.element(&point.y)).collect();
                [Comb::selected(&x, bits, count), comb.selected_or_negative(&y, self.p, (bits, count))]
            })
            .collect();
        let double = formulas::doubling_extended(self.task.curve)?;
        // where Z^2 and Z^3 stand; nothing is made where it stands, and they come back where they were: parts are even
        let first = [cz, y.moved(count)];
        let [second, third] = [[far_z, signed.chosen], [z, signed.zero]];
        for place in first {
            self.constant(place, &BigUint::from(1u8));
        }
        let at = |[w, v]: [Place; 2]| [("X", cx), ("Y", cy), ("W", w), ("V", v)];
        let Group { ends: Ends { writer, .. }, own, .. } = self;
        let select = |w: &mut Writer, part: usize, to: [Place; 2]| {
            w.line(comb.column((bits, count), part)?, scalar, &[scalar]);
            for (line, to) in tables[part].iter().zip(to) {
                w.line(line.clone(), to, &[scalar]);
            }
            Some(())
        };
        let highest = comb.parts - 1;
        select(writer, highest, [cx, cy])?;
        let added = [("x", x), ("y", y)];
        let add = |w: &mut Writer, own: &mut Arithmetic, part: usize| {
            select(w, part, [x, y])?;
            let [from, to] = match part % 2 {
                0 => [first, second],
                _ if part == highest => [third, first],
                _ => [second, first],
            };
            own.formula(w, &formulas::add_extended(), &[&at(from)[..], &added].concat(), &at(to))
        };
        let down = |w: &mut Writer, own: &mut Arithmetic, to: usize| {
            (to..highest).rev().try_for_each(|part| add(w, own, part))
        };
        let up = comb.up(bits, count)?;
        writer.repeat(columns - 1, |w| {
            down(w, own, 0)?;
            w.line(up.clone(), scalar, &[scalar]);
            own.formula(w, &double, &at(second), &at(third))?;
            add(w, own, highest)
        })?;
        down(writer, own, 1)?;
        select(writer, 0, [x, y])?;
        let homogeneous = [("X", cx), ("Y", cy), ("Z", cz)];
        let formula = formulas::homogeneous_extended();
        self.late().formula(&mut self.ends.writer, &formula, &at(first), &homogeneous)?;
        self.constant(z, &BigUint::from(1u8));
        self.ends.plain(signed.zero, &BigUint::ZERO);
        Some([self.sum, [x, y, z]])
    }

    /// X and Z of Jacobian coordinates become those of homogeneous ones.
    fn homogeneous(&mut self, x: Place, z: Place) -> Option<()> {
        let numbers = [("X", x), ("Z", z)];
        self.late().formula(&mut self.ends.writer, &formulas::homogeneous(), &numbers, &numbers)
    }

    /// The field's operations after a table was read.
    fn late(&self) -> Arithmetic {
        self.own.clone().with_room(self.free[4..].to_vec())
    }

    /// The sum of any two points in homogeneous coordinates, those of its coordinates that are wanted.
    pub(super) fn complete(&mut self, [u, v]: [Point; 2], wanted: &[(&'static str, Place)]) -> Option<()> {
        let [a, c] = [self.free[0], self.free[1]];
        let curve = self.task.curve;
        let formula = match &curve.a + 3u8 == *self.p {
            true => formulas::add_complete_minus_three(),
            false => {
                self.constant(a, &curve.a);
                formulas::add_complete()
            }
        };
        self.constant(c, &(&curve.b * 3u8 % self.p));
        let own = ["X", "Y", "Z"].into_iter().zip(u).chain(["U", "V", "W"].into_iter().zip(v));
        let given: Vec<_> = own.chain([("a", a), ("c", c)]).collect();
        self.late().formula(&mut self.ends.writer, &formula, &given, wanted)
    }

    /// Coordinates over z, as numbers below the modulus.
    pub(super) fn affine(&mut self, z: Place, coordinates: &[(Place, Place)]) -> Option<()> {
        let free = self.free[4..].to_vec();
        let own = self.late();
        let inverted = inverse(&mut self.ends.writer, &own, (&(self.p - 2u8), self.ends.count), z, &free)?;
        let [product, one, moved] = [self.sum[1], self.x, self.sum[2]];
        for (from, to) in coordinates {
            self.own.mul(&mut self.ends.writer, product, *from, inverted);
            let mut end = product;
            if self.task.strategy == Strategy::Montgomery {
                self.ends.plain(one, &BigUint::from(1u8));
                self.own.mul(&mut self.ends.writer, moved, product, one);
                end = moved;
            }
            self.canonical(end, *to);
        }
        Some(())
    }

    /// The sum of two points that a multiple is made of, and its coordinates over z: those of k P, where k was even, too.
    pub(super) fn multiple(&mut self, points: [Point; 2]) -> Option<Point> {
        let [x, z] = [self.free[2], self.free[3]];
        let signed = self.signed;
        self.complete(points, &[("X", x), ("Y", signed.y), ("Z", z)])?;
        let even = self.ends.of_status(EVEN);
        signed.choose(&mut self.ends.writer, &self.own, even, 0);
        Some([x, signed.chosen, z])
    }
}
