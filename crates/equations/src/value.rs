//! What registers, memory and flags hold while equations are collected.

use rhomb_machine::{Pointer, PointerCarry};
use rhomb_poly::{Polynomial, Variable};
use std::rc::Rc;

/// A word. Its value always lies in the word's range, whatever form it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A constant.
    Known(u64),
    /// One variable.
    Variable(Variable),
    /// A small polynomial.
    Polynomial(Rc<Polynomial>),
    /// Part of an address that the caller chose.
    Pointer(Pointer),
    /// One of two whole addresses.
    Either(Rc<Either>),
}

/// One of two whole addresses that the caller chose: the first one where a bit is 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Either {
    /// The bit.
    pub bit: Polynomial,
    /// Both addresses.
    pub addresses: [Pointer; 2],
}

/// A bit.
#[derive(Clone, Debug)]
pub enum Flag {
    /// A constant.
    Known(bool),
    /// A polynomial that is 0 or 1.
    Polynomial(Rc<Polynomial>),
    /// The carry (upwards) or borrow out of the lower words of an address on its way from one offset to
    /// another.
    PointerCarry(PointerCarry),
    /// The borrow when the low word of the second address is taken from that of the first.
    Distance(Pointer, Pointer),
    /// Defined by what it was computed from, and not computed until somebody reads it; with the number
    /// of definitions on top of each other.
    Deferred(Rc<Deferred>, u32),
}

/// How a deferred bit is defined.
#[derive(Clone, Debug)]
pub enum Deferred {
    /// A bit of a word.
    Bit(Value, u32),
    /// Whether a word is zero.
    Zero(Value),
    /// A bit of the exclusive or of three words.
    CarryInto(u32, [Value; 3]),
    /// And of two bits.
    And(Flag, Flag),
    /// Or of two bits.
    Or(Flag, Flag),
    /// Exclusive or of two bits.
    Xor(Flag, Flag),
    /// Negation.
    Not(Flag),
    /// The second where the first is 1, and else the third.
    Either(Flag, Flag, Flag),
}

/// What is done with the bits of two words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Bitwise {
    And,
    Or,
    Xor,
}
