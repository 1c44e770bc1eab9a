//! X25519 (RFC 7748, section 5) as a program: r, the scalar and u are strings of 32 bytes, which are words the lowest first.
//!
//! The ladder goes over the 255 bits of the scalar, which leave it in groups of as many as a word has room for: 5, 15 or 17. RFC 7748 exchanges both points under a mask; here a mask picks the one that is
//! doubled, as it does not matter to the sum which of them comes first. What is picked depends on whether a bit differs from the one before;
//! the last bit is 0, so that nothing is exchanged in the end.

use super::digits::{DIFFERS, Digits};
use super::formula::Arithmetic;
use super::scalar::inverse;
use super::words::{self, Up, load, store};
use super::writer::{Called, Routine, Writer};
use super::{Place, digits};
use crate::formulas;
use crate::reduce::canonical;
use crate::specification::p25519;
use num_bigint::BigUint;
use rhomb_contract::{Contract, Operation};
use rhomb_line::{Array, Line};

const SCALAR: Place = Place::Operand(0);
const U: Place = Place::Operand(1);

/// Bits of the numbers.
const SIZE: usize = 256;
/// Bits of the scalar that the ladder goes over.
const TURNS: u32 = 255;
/// (486662 - 2) / 4.
const A24: u32 = 121_665;

/// The program, for words of so many bits, on processors with a carry flag or without; `None` of those that are no bytes or do not
/// fill the numbers. With `paired`, one routine makes the sum and the difference of two numbers.
pub fn x25519(bits: u32, has_carry: bool, paired: bool) -> Option<Called> {
    let count = (bits > 0 && bits.is_multiple_of(8)).then(|| SIZE / bits as usize)?;
    let p = p25519();
    let contract = |name: &str| format!("{name} 2^255-19").parse::<Contract>().ok();
    let mut w = Writer::default();
    let contracts = ["modmul", "modsqr", "modadd", "modsub"].map(contract);
    let [mul, sqr, add, sub] = contracts;
    let own = Arithmetic::new(&mut w, count, [mul, sqr, add, sub, None])?;
    let own = own.fused();
    let mut own = if paired { own.paired() } else { own };
    let digits = Digits::bits(count);
    let state = Place::Slot(w.slot(digits.length()));
    w.line(decoded_scalar(digits, bits, has_carry), state, &[SCALAR]);
    let x = Place::Slot(w.slot(count));
    w.line(decoded(bits, count), x, &[U]);
    let [now, sums] = [(); 2].map(|()| w.slot(4 * count));
    let doubled = w.slot(2 * count);
    // X2, Z2, X3 and Z3
    let part = |slot: usize, index: usize| Place::Part(slot, index * count);
    for (index, number) in [(0, 1u8), (1, 0), (3, 1)] {
        w.line(words::constant(&BigUint::from(number), bits, count), part(now, index), &[]);
    }
    w.line(words::copy(0, count), part(now, 2), &[x]);
    let step = formulas::ladder_montgomery(A24);
    let group = Digits::group(TURNS, bits);
    let mut turn = |w: &mut Writer| {
        w.line(digits.next_of_group(has_carry), state, &[state]);
        let [x2, z2, x3, z3] = [0, 1, 2, 3].map(|index| part(now, index));
        let [a, b, c, d] = [0, 1, 2, 3].map(|index| part(sums, index));
        let [p, q] = [0, 1].map(|index| part(doubled, index));
        let points = [("X2", x2), ("Z2", z2), ("X3", x3), ("Z3", z3)];
        let both = [("A", a), ("B", b), ("C", c), ("D", d)];
        own.formula(w, &formulas::ladder_sums(), &points, &both)?;
        w.line(words::pick(0, 2 * count), p, &[a, state.moved(DIFFERS)]);
        let given = [&both[..], &[("P", p), ("Q", q), ("x", x)]].concat();
        own.formula(w, &step, &given, &points)
    };
    w.repeat(TURNS / group, |w| {
        w.line(digits.next_group(group), state, &[state]);
        w.repeat(group, &mut turn)
    })?;
    let inverted = inverse(&mut w, &own, (&(&p - 2u8), count), part(now, 1), &[])?;
    let whole = w.slot(2 * count);
    if has_carry {
        own.mul(&mut w, Place::Slot(whole), part(now, 0), inverted);
        w.line(words::constant(&BigUint::ZERO, bits, count), Place::Part(whole, count), &[]);
        let canonical = w.routine(Routine::Lines(vec![canonical(&p, bits)?]));
        w.call(canonical, Place::Result, &[Place::Slot(whole)]);
        return Some(w.finish(2));
    }
    // twice less p, unless that is below 0: both numbers stand together, and the borrow chooses
    let [less, number] = [0, 1].map(|index| part(whole, index));
    own.mul(&mut w, number, part(now, 0), inverted);
    let [prime, once] = [(); 2].map(|()| Place::Slot(w.slot(count)));
    let borrow = w.slot(1);
    let mask = Place::Slot(borrow);
    let sub = w.routine(Routine::Kept(Contract::whole(Operation::Sub, SIZE as u32)));
    w.line(words::constant(&p, bits, count), prime, &[]);
    for to in [once, Place::Result] {
        w.call(sub, less, &[number, prime]);
        w.take(borrow, 0);
        w.line(words::negative(), mask, &[mask]);
        w.line(words::pick(0, count), to, &[Place::Slot(whole), mask]);
        if to == once {
            w.line(words::copy(0, count), number, &[once]);
        }
    }
    Some(w.finish(2))
}

/// The slot of digits before the first one: of the scalar bits 0, 1, 2 and 255 are cleared, bit 254 is set, and then it is
/// moved up by one.
fn decoded_scalar(digits: digits::Digits, bits: u32, has_carry: bool) -> Line {
    let mut line = Line::default();
    let zero = line.number(0);
    digits.masks().for_each(|at| store(&mut line, zero, at));
    let count = SIZE / bits as usize;
    let mut up = Up::new(has_carry);
    let ones = u64::MAX >> (64 - bits);
    for word in 0..count {
        let mut own = load(&mut line, Array::A, word);
        if word == 0 {
            own = line.mask(own, ones - 7);
        }
        if word + 1 == count {
            // the highest bit leaves, so that only the one below it is to be set
            own = line.mask(own, ones >> 2);
            let set = line.number(1 << (bits - 2));
            own = line.logic(rhomb_line::Logic::Or, own, set);
        }
        let moved = up.word(&mut line, own, word + 1 == count);
        store(&mut line, moved, digits.at(0, word));
    }
    line
}

/// u without its highest bit.
fn decoded(bits: u32, count: usize) -> Line {
    let mut line = Line::default();
    for word in 0..count {
        let mut own = load(&mut line, Array::A, word);
        if word + 1 == count {
            own = line.mask(own, u64::MAX >> (64 - bits) >> 1);
        }
        store(&mut line, own, word);
    }
    line
}
