//! Diffie-Hellman on curves of a prime order over GF(p) (SEC 1, section 3.3.1): the abscissa of k P, from k and a point that
//! somebody sent.
//!
//! k or n - k, whichever is odd, has the same abscissa, and digits of windows that are never 0 ([`super::windows`]). Before
//! the digit 16^i is added there are m P, with an even m between 16 and n but for the last digit, and the digit is odd and
//! between -15 and 15: so a sum is never of equal or opposite points, and formulas for Jacobian coordinates hold. For the last
//! digit m may be the digit modulo n, which the complete formulas of homogeneous coordinates take, too.
//!
//! Whatever is wrong with k or the point, all steps are made: time tells nothing, and the result keeps its words at the end.

use super::formula::Arithmetic;
use super::scalar::{Strategy, inverse};
use super::windows::{self, ENTRIES, NEGATIVE, WINDOW};
use super::writer::{Called, Routine, Writer};
use super::{Place, words};
use crate::curve::{Base, Curve};
use crate::formulas;
use num_bigint::BigUint;
use rhomb_contract::{Contract, Operation};
use rhomb_line::{Array, Line, Logic};

/// The secret number: bytes, the highest first.
const K: Place = Place::Operand(0);
/// The point: the bytes of x, the highest first, and those of y.
const POINT: Place = Place::Operand(1);

/// What is returned: 0 where all is well, or the sum of what follows.
const STATUS: usize = 0;
/// The status of a k that is out of range, and of a point that is none.
const WRONG_K: u64 = 1;
const WRONG_POINT: u64 = 2;
/// A mask of all ones where the status is not 0.
const FAULT: usize = 1;
/// A mask of all ones where k is even.
const EVEN: usize = 2;
/// Borrows: whether k - 1 is below n - 1, x and y below p, and what is 0 on the curve below 1.
const BORROWS: usize = 3;
const LENGTH: usize = BORROWS + 4;

/// Numbers on the way of the formulas.
const WAYS: usize = 8;

/// A key agreement on words of so many bits.
#[derive(Clone, Copy, Debug)]
pub struct Agreement<'a> {
    /// The curve.
    pub curve: &'a Curve,
    /// How products are reduced.
    pub strategy: Strategy,
    /// Bits of a word.
    pub bits: u32,
}

/// A program under construction.
struct Steps<'a> {
    task: &'a Agreement<'a>,
    p: &'a BigUint,
    /// Words of a number.
    count: usize,
    writer: Writer,
    /// The difference of numbers, which returns a borrow.
    sub: usize,
    /// Two numbers before there is a table.
    room: [Place; 2],
}

impl Steps<'_> {
    /// A number of the field, as the strategy has it.
    fn constant(&mut self, to: Place, number: &BigUint) -> Place {
        let number = match self.task.strategy {
            Strategy::Special => number.clone(),
            Strategy::Montgomery => number * self.radix(1) % self.p,
        };
        self.plain(to, &number)
    }

    fn plain(&mut self, to: Place, number: &BigUint) -> Place {
        self.writer.line(words::constant(number, self.task.bits, self.count), to, &[]);
        to
    }

    /// A power of the base of Montgomery's products.
    fn radix(&self, power: usize) -> BigUint {
        (BigUint::from(1u8) << (self.task.bits as usize * self.count * power)) % self.p
    }

    /// The difference of two numbers.
    fn less(&mut self, to: Place, from: Place, number: &BigUint) {
        let limit = self.plain(self.room[0], number);
        self.writer.call(self.sub, to, &[from, limit]);
    }

    /// Whether a number is below a limit: a borrow.
    fn below(&mut self, number: Place, limit: &BigUint, (slot, word): (usize, usize)) {
        self.less(self.room[1], number, limit);
        self.writer.take(slot, word);
    }

    fn copy(&mut self, from: Place, to: Place) {
        self.writer.line(words::copy(0, self.count), to, &[from]);
    }
}

/// The program; `None` for curves whose field or order does not fill its words, words that are no bytes, and coefficients
/// for which there is no doubling.
///
/// Arguments are the result, k and the point, all strings of bytes with the highest first, in words whose lowest byte comes
/// first; the result is the string of x, and keeps its words where 0 is not returned.
pub fn ecdh(task: &Agreement<'_>) -> Option<Called> {
    let Agreement { curve, strategy, bits } = *task;
    let Base::Prime(field) = &curve.base else { return None };
    let p = field.modulus();
    if bits == 0 || !bits.is_power_of_two() || !bits.is_multiple_of(8) {
        return None;
    }
    let count = p.bits().div_ceil(bits.into()) as usize;
    let fills = |number: &BigUint| number.bits() == u64::from(bits) * count as u64;
    let double = formulas::doubling(curve)?;
    if !fills(p) || !fills(&curve.order) || !curve.order.bit(0) {
        return None;
    }
    let mut writer = Writer::default();
    let difference = Contract::whole(Operation::Sub, bits * count as u32);
    let sub = writer.routine(Routine::Kept(difference));
    let status = writer.slot(LENGTH);
    let scalar = Place::Slot(writer.slot(windows::length(count)));
    // the numbers of a slot, one behind the other
    let numbers = |slot: usize| move |number: usize| Place::Part(slot, number * count);
    let sum = numbers(writer.slot(3 * count));
    // y and -y of what is added stand together
    let other = numbers(writer.slot(4 * count));
    let [x, y, minus_y, z] = [0, 1, 2, 3].map(other);
    let [far_z, signed_y, zero] = [(); 3].map(|()| Place::Slot(writer.slot(count)));
    let last = writer.slot(count + 1);
    let ways = numbers(writer.slot(WAYS * count));
    // what is used seldom is farthest: displacements of what is used often are short
    let table = numbers(writer.slot(3 * ENTRIES * count));
    let room = [3 * ENTRIES - 2, 3 * ENTRIES - 1].map(table);
    let mut s = Steps { task, p, count, writer, sub, room };
    let [cx, cy, cz] = [0, 1, 2].map(sum);

    let names = match strategy {
        Strategy::Special => ["modmul", "modsqr"],
        Strategy::Montgomery => ["montmul", "montsqr"],
    };
    let contract = |name: &str| format!("{name} {p:#x}").parse::<Contract>().ok();
    let [mul, sqr] = names.map(contract);
    let [add, sub, half] = ["modadd", "modsub", "modhalf"].map(contract);
    let own = Arithmetic::new(&mut s.writer, count, [mul, sqr, add, sub, half])?;
    let own = own.with_room((0..WAYS).map(ways));
    // before there is a table, and when it was read the last time, there is room
    let free: Vec<Place> = (0..3 * ENTRIES).map(table).collect();
    let mut early = own.clone().with_room(free[..ENTRIES].to_vec());

    // k and n - k stand together, and whichever is odd gets digits
    let [k, other_k, order] = [0, 1, 2].map(|number| free[2 * ENTRIES + number]);
    s.writer.line(words::bytes(bits, count), k, &[K]);
    // 0 becomes the highest number
    s.less(other_k, k, &BigUint::from(1u8));
    s.below(other_k, &(&curve.order - 1u8), (status, BORROWS));
    s.plain(order, &curve.order);
    s.writer.call(s.sub, other_k, &[order, k]);
    s.writer.line(words::is_even(), Place::Part(status, EVEN), &[k]);
    s.writer.line(words::pick(0, count), far_z, &[k, Place::Part(status, EVEN)]);
    s.writer.line(windows::of_odd(bits, count), scalar, &[far_z]);
    for (number, place) in [x, y].into_iter().enumerate() {
        s.writer.line(words::bytes(bits, count), place, &[POINT.moved(number * count)]);
        s.below(place, p, (status, BORROWS + 1 + number));
    }
    let [px, py] = match strategy {
        Strategy::Special => [x, y],
        Strategy::Montgomery => {
            let square = s.radix(2);
            let square = s.plain(z, &square);
            for (from, to) in [(x, cx), (y, cy)] {
                own.mul(&mut s.writer, to, from, square);
            }
            [cx, cy]
        }
    };
    let [a, b, difference] = [free[ENTRIES], free[ENTRIES + 1], free[ENTRIES + 2]];
    s.constant(a, &curve.a);
    s.constant(b, &curve.b);
    let given = [("x", px), ("y", py), ("a", a), ("b", b)];
    early.formula(&mut s.writer, &formulas::equation(), &given, &[("d", difference)])?;
    s.writer.line(words::below(p, bits, count), far_z, &[difference]);
    s.below(far_z, &BigUint::from(1u8), (status, BORROWS + 3));
    s.writer.line(outcome(), Place::Slot(status), &[Place::Slot(status)]);

    // the table: P, and 2 P added again and again
    let one = s.constant(cz, &BigUint::from(1u8));
    let jacobian = [("X", px), ("Y", py), ("Z", one)];
    if strategy == Strategy::Special {
        s.copy(px, cx);
        s.copy(py, cy);
    }
    let doubled = [("X", minus_y), ("Y", z), ("Z", far_z)];
    early.formula(&mut s.writer, &double, &jacobian, &doubled)?;
    for (from, to) in [(minus_y, x), (z, y), (far_z, z)] {
        s.copy(from, to);
    }
    // what leaves the table at first
    for place in (0..3 * ENTRIES).map(table) {
        s.plain(place, &BigUint::ZERO);
    }
    let mut own = own;
    let part = windows::part(bits, count);
    // the parts of a point's numbers, each with that of the table
    let parts = |point: [Place; 3]| {
        let numbers = point.into_iter().enumerate();
        numbers.flat_map(move |(number, place)| {
            let own = (0..count).step_by(part);
            own.map(move |word| (place.moved(word), table(number * ENTRIES).moved(ENTRIES * word)))
        })
    };
    let push = |w: &mut Writer| {
        for (own, table) in parts([cx, cy, cz]) {
            w.line(windows::push(part), table, &[own, table]);
        }
    };
    let all = [("X", cx), ("Y", cy), ("Z", cz)];
    let step = [("X", cx), ("Y", cy), ("Z", cz), ("U", x), ("V", y), ("W", z)];
    push(&mut s.writer);
    s.writer.repeat(ENTRIES as u32 - 1, |w| {
        own.formula(w, &formulas::add_jacobian(), &step, &all)?;
        push(w);
        Some(())
    })?;

    s.plain(zero, &BigUint::ZERO);
    let select = |w: &mut Writer, to: [Place; 3]| {
        w.line(windows::next(bits, count), scalar, &[scalar]);
        for (own, table) in parts(to) {
            w.line(windows::selected(part), own, &[table, scalar]);
        }
    };
    select(&mut s.writer, [cx, cy, cz]);
    let digits = (bits as usize * count) as u32 / WINDOW;
    let signed = [&step[..4], &[("V", signed_y), ("W", z)]].concat();
    let back = [("X", cx), ("Y", cy), ("Z", far_z)];
    let four = |w: &mut Writer, own: &mut Arithmetic| {
        // Z goes there and back
        w.repeat(WINDOW / 2, |w| {
            own.formula(w, &double, &all, &back)?;
            own.formula(w, &double, &back, &all)
        })?;
        select(w, [x, y, z]);
        own.sub(w, minus_y, zero, y);
        w.line(words::pick(NEGATIVE, count), signed_y, &[y, scalar]);
        Some(())
    };
    s.writer.repeat(digits - 2, |w| {
        four(w, &mut own)?;
        own.formula(w, &formulas::add_jacobian(), &signed, &all)
    })?;
    four(&mut s.writer, &mut own)?;

    let (ends, free) = free.split_at(4);
    let mut own = own.with_room(free.to_vec());
    let [a, c, rx, rz] = [ends[0], ends[1], ends[2], ends[3]];
    for (x, z) in [(cx, cz), (x, z)] {
        own.formula(&mut s.writer, &formulas::homogeneous(), &[("X", x), ("Z", z)], &[("X", x), ("Z", z)])?;
    }
    s.constant(a, &curve.a);
    s.constant(c, &(&curve.b * 3u8 % p));
    let given = [&signed[..], &[("a", a), ("c", c)]].concat();
    own.formula(&mut s.writer, &formulas::add_complete(), &given, &[("X", rx), ("Z", rz)])?;
    let inverted = inverse(&mut s.writer, &own, (&(p - 2u8), count), rz, free)?;
    own.mul(&mut s.writer, cx, rx, inverted);
    let mut end = cx;
    if strategy == Strategy::Montgomery {
        s.plain(x, &BigUint::from(1u8));
        own.mul(&mut s.writer, cy, cx, x);
        end = cy;
    }
    s.writer.line(words::below(p, bits, count), cz, &[end]);
    // its bytes, and the mask of faults behind them
    s.writer.line(words::bytes(bits, count), Place::Slot(last), &[cz]);
    s.writer.line(words::copy(FAULT, 1), Place::Part(last, count), &[Place::Slot(status)]);
    s.copy(Place::Result, cx);
    s.writer.line(words::either(count), Place::Result, &[Place::Slot(last), cx]);
    s.writer.returns(status, STATUS);
    Some(s.writer.finish(2))
}

/// The status and the mask of faults, from the borrows.
fn outcome() -> Line {
    let mut line = Line::default();
    let one = line.number(1);
    let [key, x, y, point] = [0, 1, 2, 3].map(|at| words::load(&mut line, Array::A, BORROWS + at));
    let wrong_k = line.logic(Logic::Xor, key, one);
    let both = line.logic(Logic::And, x, y);
    let right = line.logic(Logic::And, both, point);
    let wrong = line.logic(Logic::Xor, right, one);
    let any = line.logic(Logic::Or, wrong, wrong_k);
    let any = line.negate(any);
    words::store(&mut line, any, FAULT);
    let wrong = line.negate(wrong);
    let wrong = line.mask(wrong, WRONG_POINT);
    let wrong_k = line.mask(wrong_k, WRONG_K);
    let status = line.logic(Logic::Or, wrong, wrong_k);
    words::store(&mut line, status, STATUS);
    line
}
