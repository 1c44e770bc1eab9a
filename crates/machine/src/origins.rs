//! Numbers that know which word of an operand they are, so that a run tells which partial product an instruction makes.

use crate::{Concrete, Domain, Limb};
use std::cell::RefCell;

/// A word of a buffer, as the caller gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    /// The buffer's number.
    pub buffer: u32,
    /// The word's.
    pub word: u32,
}

/// A number, and the word that it is a copy of, if it is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traced<W> {
    /// The number.
    pub value: W,
    /// The word.
    pub origin: Option<Origin>,
}

/// The simulator's domain with origins. It collects what one instruction does until somebody takes it.
#[derive(Debug, Default)]
pub struct Origins<W> {
    concrete: Concrete<W>,
    products: Vec<(Origin, Origin)>,
    accesses: RefCell<Vec<u64>>,
}

impl<W: Limb> Origins<W> {
    /// A domain that has collected nothing.
    pub fn new() -> Self {
        Origins { concrete: Concrete::new(), products: Vec::new(), accesses: RefCell::default() }
    }

    /// A word of a buffer.
    pub fn given(&self, value: W, buffer: u32, word: u32) -> Traced<W> {
        Traced { value, origin: Some(Origin { buffer, word }) }
    }

    /// The products of two words of operands that were made since this was asked last.
    pub fn products(&mut self) -> Vec<(Origin, Origin)> {
        std::mem::take(&mut self.products)
    }

    /// The addresses that were accessed since this was asked last.
    pub fn accessed(&mut self) -> Vec<u64> {
        std::mem::take(self.accesses.get_mut())
    }

    fn made(&mut self, x: &Traced<W>, y: &Traced<W>) {
        if let (Some(x), Some(y)) = (x.origin, y.origin) {
            self.products.push((x.min(y), x.max(y)));
        }
    }
}

fn new<W>(value: W) -> Traced<W> {
    Traced { value, origin: None }
}

fn two<W, B>((word, other): (W, B)) -> (Traced<W>, B) {
    (new(word), other)
}

fn both<W>((low, high): (W, W)) -> (Traced<W>, Traced<W>) {
    (new(low), new(high))
}

/// What computes makes a number without origin; what only moves a number keeps it.
impl<W: Limb> Domain for Origins<W> {
    type Word = Traced<W>;
    type Bit = bool;

    fn word(&mut self, value: u64) -> Traced<W> {
        new(W::truncate(value))
    }
    fn bit(&mut self, value: bool) -> bool {
        value
    }
    fn known_word(&self, word: &Traced<W>) -> Option<u64> {
        Some(word.value.to_u64())
    }
    fn known_bit(&self, bit: &bool) -> Option<bool> {
        Some(*bit)
    }
    fn add(&mut self, x: &Traced<W>, y: &Traced<W>, carry: &bool) -> (Traced<W>, bool) {
        two(self.concrete.add(&x.value, &y.value, carry))
    }
    fn sub(&mut self, x: &Traced<W>, y: &Traced<W>, borrow: &bool) -> (Traced<W>, bool) {
        two(self.concrete.sub(&x.value, &y.value, borrow))
    }
    fn mul(&mut self, x: &Traced<W>, y: &Traced<W>) -> (Traced<W>, Traced<W>) {
        self.made(x, y);
        both(self.concrete.mul(&x.value, &y.value))
    }
    fn carryless_mul(&mut self, x: &Traced<W>, y: &Traced<W>) -> (Traced<W>, Traced<W>) {
        self.made(x, y);
        both(self.concrete.carryless_mul(&x.value, &y.value))
    }
    fn and(&mut self, x: &Traced<W>, y: &Traced<W>) -> Traced<W> {
        new(self.concrete.and(&x.value, &y.value))
    }
    fn or(&mut self, x: &Traced<W>, y: &Traced<W>) -> Traced<W> {
        new(self.concrete.or(&x.value, &y.value))
    }
    fn xor(&mut self, x: &Traced<W>, y: &Traced<W>) -> Traced<W> {
        new(self.concrete.xor(&x.value, &y.value))
    }
    fn shift_right(&mut self, x: &Traced<W>, top: &bool) -> (Traced<W>, bool) {
        two(self.concrete.shift_right(&x.value, top))
    }
    fn rotate_left(&mut self, x: &Traced<W>, places: u32) -> Traced<W> {
        match places % W::BITS {
            0 => *x,
            places => new(self.concrete.rotate_left(&x.value, places)),
        }
    }
    fn split(&mut self, x: &Traced<W>, places: u32) -> (Traced<W>, Traced<W>) {
        let (low, high) = both(self.concrete.split(&x.value, places));
        (if places == W::BITS { *x } else { low }, if places == 0 { *x } else { high })
    }
    fn shift_left(&mut self, x: &Traced<W>, places: u32) -> (Traced<W>, Traced<W>) {
        let (low, high) = both(self.concrete.shift_left(&x.value, places));
        (if places == 0 { *x } else { low }, if places == W::BITS { *x } else { high })
    }
    fn bit_of(&mut self, x: &Traced<W>, place: u32) -> bool {
        self.concrete.bit_of(&x.value, place)
    }
    fn with_bit(&mut self, x: &Traced<W>, place: u32, bit: &bool) -> Traced<W> {
        new(self.concrete.with_bit(&x.value, place, bit))
    }
    fn is_zero(&mut self, x: &Traced<W>) -> bool {
        self.concrete.is_zero(&x.value)
    }
    fn carry_into(&mut self, place: u32, x: &Traced<W>, y: &Traced<W>, result: &Traced<W>) -> bool {
        self.concrete.carry_into(place, &x.value, &y.value, &result.value)
    }
    fn select(&mut self, bit: &bool, x: &Traced<W>, y: &Traced<W>) -> Traced<W> {
        if *bit { *x } else { *y }
    }
    fn bit_and(&mut self, x: &bool, y: &bool) -> bool {
        x & y
    }
    fn bit_or(&mut self, x: &bool, y: &bool) -> bool {
        x | y
    }
    fn bit_xor(&mut self, x: &bool, y: &bool) -> bool {
        x ^ y
    }
    fn bit_not(&mut self, x: &bool) -> bool {
        !x
    }
    fn arbitrary(&mut self) -> Traced<W> {
        new(self.concrete.arbitrary())
    }
    fn same(&self, x: &Traced<W>, y: &Traced<W>) -> bool {
        x.value == y.value
    }
    fn bits(&self) -> u32 {
        W::BITS
    }
    fn accesses(&self, address: u64) {
        self.accesses.borrow_mut().push(address);
    }
}
