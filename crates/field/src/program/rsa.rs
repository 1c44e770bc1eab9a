//! RSA by a private key, with the Chinese remainder theorem: m = c^d modulo p q, of the five numbers of a key. RFC 8017, section
//! 5.1.2, step 2b: m1 = c^dp modulo p, m2 = c^dq modulo q, h = (m1 - m2) qinv modulo p, and m = m2 + q h.
//!
//! A message leaves whatever happened: a caller who fears faults raises it to the public exponent, and compares.

use super::Place;
use super::argument::Argument;
use super::exponentiation::{Exponent, Exponentiation, exponentiation};
use super::odd::Odd;
use super::words::{above, copy};
use super::writer::{Called, Routine, Writer};
use rhomb_contract::{Contract, Operation};

/// The numbers of a key, one behind the other, each of half the words of p q.
pub const KEY: [&str; 5] = ["p", "q", "dp", "dq", "qinv"];

/// The program, for p and q of an argument's words: operands are c, which has twice their words, and the key. p and q are odd and
/// have their highest bits set; qinv is 1/q modulo p. `None` as for [`exponentiation`].
pub fn rsa_private(argument: Argument, window: usize) -> Option<Called> {
    let Argument { words, bits, .. } = argument;
    let exponent = Exponent::Argument { window };
    let power = exponentiation(&Exponentiation { argument, is_double: true, exponent })?;
    let [p, q, dp, dq, qinv] = std::array::from_fn(|number| Place::Operand(1).moved(number * words));
    let mut w = Writer::default();
    let odd = Odd::new(&mut w, argument, p);
    let products = &odd.products;
    let power = w.routine(Routine::Called(Box::new(power)));
    let [m1, other] = [(); 2].map(|()| Place::Slot(w.slot(words)));
    // with zeros above
    let m2 = Place::Slot(w.slot(2 * words));
    w.call(power, m1, &[Place::Operand(0), dq, q]);
    w.line(above(copy(0, words), words..2 * words), m2, &[m1]);
    w.call(power, m1, &[Place::Operand(0), dp, p]);
    let inverse = Place::Slot(w.slot(words));
    products.mul(&mut w, inverse, qinv, odd.square);
    // what is below q is below R
    w.line(copy(0, words), odd.now(), &[m2]);
    odd.below(&mut w, other);
    odd.difference(&mut w, m1, m1, other);
    products.mul(&mut w, odd.now(), m1, inverse);
    odd.below(&mut w, m1);
    let wide = Place::Slot(w.slot(2 * words));
    products.whole(&mut w, Operation::Mul, wide, &[m1, q]);
    let sum = w.routine(Routine::Kept(Contract::whole(Operation::Add, 2 * bits * words as u32)));
    w.call(sum, Place::Result, &[wide, m2]);
    Some(w.finish(2))
}
