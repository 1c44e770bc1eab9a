//! Numbers that know which word of an operand they are, so that a run tells which partial product an instruction makes.

use crate::{Concrete, Domain, Limb};
use std::cell::RefCell;

/// A word of a buffer, as the caller gave it; a part of it; or a sum or difference of words, as splits multiply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    /// The buffer's number.
    pub buffer: u32,
    /// The word's; of several words the lowest.
    pub word: u32,
    /// The highest of several words.
    pub last: u32,
}

impl Origin {
    /// What is made of both, if it is still one of words of one buffer.
    fn with(self, other: Origin) -> Option<Origin> {
        let Origin { buffer, word, last } = self;
        let both = Origin { buffer, word: word.min(other.word), last: last.max(other.last) };
        (buffer == other.buffer).then_some(both)
    }
}

/// A number, and the word that it is a copy of, or made of, if it is one.
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
    others: usize,
    accesses: RefCell<Vec<u64>>,
}

impl<W: Limb> Origins<W> {
    /// A domain that has collected nothing.
    pub fn new() -> Self {
        Origins { concrete: Concrete::new(), products: Vec::new(), others: 0, accesses: RefCell::default() }
    }

    /// A word of a buffer.
    pub fn given(&self, value: W, buffer: u32, word: u32) -> Traced<W> {
        Traced { value, origin: Some(Origin { buffer, word, last: word }) }
    }

    /// The products of two words of operands that were made since this was asked last.
    pub fn products(&mut self) -> Vec<(Origin, Origin)> {
        std::mem::take(&mut self.products)
    }

    /// The same, with the number of all other products.
    pub fn all_products(&mut self) -> (Vec<(Origin, Origin)>, usize) {
        (std::mem::take(&mut self.products), std::mem::take(&mut self.others))
    }

    /// The addresses that were accessed since this was asked last.
    pub fn accessed(&mut self) -> Vec<u64> {
        std::mem::take(self.accesses.get_mut())
    }

    fn made(&mut self, x: &Traced<W>, y: &Traced<W>) {
        if let (Some(x), Some(y)) = (x.origin, y.origin) {
            self.products.push((x.min(y), x.max(y)));
        } else {
            self.others += 1;
        }
    }
}

fn new<W>(value: W) -> Traced<W> {
    Traced { value, origin: None }
}

fn both<W>((low, high): (W, W)) -> (Traced<W>, Traced<W>) {
    (new(low), new(high))
}

/// The origin of what is made of two numbers: of words and constants, signs and masks. What no word went into has none.
fn origin<W>(x: &Traced<W>, y: &Traced<W>) -> Option<Origin> {
    match (x.origin, y.origin) {
        (Some(x), Some(y)) => x.with(y),
        (x, y) => x.or(y),
    }
}

/// The same of a difference or an exclusive or: of a number with itself, which makes zeros or a mask of a borrow, it is none.
fn apart<W: Limb>(x: &Traced<W>, y: &Traced<W>) -> Option<Origin> {
    if x == y { None } else { origin(x, y) }
}

/// A number has the origin of what it is made of, as long as that is words of one operand: what only moves a number keeps it, and so
/// do sums and differences of an operand's words, their signs, and parts of words. Products have none.
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
        let (sum, carry) = self.concrete.add(&x.value, &y.value, carry);
        (Traced { value: sum, origin: origin(x, y) }, carry)
    }
    fn sub(&mut self, x: &Traced<W>, y: &Traced<W>, borrow: &bool) -> (Traced<W>, bool) {
        let (difference, borrow) = self.concrete.sub(&x.value, &y.value, borrow);
        (Traced { value: difference, origin: apart(x, y) }, borrow)
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
        Traced { value: self.concrete.and(&x.value, &y.value), origin: origin(x, y) }
    }
    fn or(&mut self, x: &Traced<W>, y: &Traced<W>) -> Traced<W> {
        Traced { value: self.concrete.or(&x.value, &y.value), origin: origin(x, y) }
    }
    fn xor(&mut self, x: &Traced<W>, y: &Traced<W>) -> Traced<W> {
        Traced { value: self.concrete.xor(&x.value, &y.value), origin: apart(x, y) }
    }
    fn shift_right(&mut self, x: &Traced<W>, top: &bool) -> (Traced<W>, bool) {
        let (value, out) = self.concrete.shift_right(&x.value, top);
        (Traced { value, ..*x }, out)
    }
    fn rotate_left(&mut self, x: &Traced<W>, places: u32) -> Traced<W> {
        match places % W::BITS {
            0 => *x,
            places => Traced { value: self.concrete.rotate_left(&x.value, places), ..*x },
        }
    }
    fn split(&mut self, x: &Traced<W>, places: u32) -> (Traced<W>, Traced<W>) {
        let (low, high) = self.concrete.split(&x.value, places);
        (Traced { value: low, ..*x }, Traced { value: high, ..*x })
    }
    fn shift_left(&mut self, x: &Traced<W>, places: u32) -> (Traced<W>, Traced<W>) {
        let (low, high) = self.concrete.shift_left(&x.value, places);
        (Traced { value: low, ..*x }, Traced { value: high, ..*x })
    }
    fn bit_of(&mut self, x: &Traced<W>, place: u32) -> bool {
        self.concrete.bit_of(&x.value, place)
    }
    fn with_bit(&mut self, x: &Traced<W>, place: u32, bit: &bool) -> Traced<W> {
        Traced { value: self.concrete.with_bit(&x.value, place, bit), ..*x }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn made(of: impl FnOnce(&mut Origins<u8>, [Traced<u8>; 3]) -> Traced<u8>) -> Option<(u32, u32, u32)> {
        let mut domain = Origins::<u8>::new();
        let words =
            [(1, 3), (1, 9), (2, 4)].map(|(buffer, word)| domain.given(200 + word as u8, buffer, word));
        of(&mut domain, words).origin.map(|own| (own.buffer, own.word, own.last))
    }

    #[test]
    fn differences_and_their_signs_are_words_of_an_operand() {
        assert_eq!(made(|d, [low, high, _]| d.sub(&high, &low, &true).0), Some((1, 3, 9)));
        assert_eq!(made(|d, [low, high, _]| d.add(&high, &low, &true).0), Some((1, 3, 9)));
        let signed = |d: &mut Origins<u8>, [low, high, other]: [Traced<u8>; 3]| {
            let difference = d.sub(&low, &high, &false).0;
            // a mask of a borrow, made of whatever the register held
            let mask = d.sub(&other, &other, &true).0;
            d.xor(&difference, &mask)
        };
        assert_eq!(made(signed), Some((1, 3, 9)));
        assert_eq!(made(|d, [low, ..]| d.split(&low, 4).1), Some((1, 3, 3)));
        assert_eq!(made(|d, [low, ..]| d.xor(&low, &low)), None);
        assert_eq!(made(|d, [low, _, other]| d.add(&low, &other, &false).0), None);
        assert_eq!(made(|d, [low, _, other]| d.mul(&low, &other).0), None);
    }
}
