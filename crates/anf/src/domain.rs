//! The domain of normal forms.

use crate::form::{Form, MOST_BITS};
use crate::value::{Bit, Word, whole};
use rhomb_machine::{Base, Cases, Direction, Domain, Joined, Pointer};
use std::rc::Rc;

/// Most products in a form, and most that are made on the way to one.
const MOST_PRODUCTS: usize = 1 << 20;

/// Most products that are made to find out whether a word is zero.
const MOST_OF_FLAG: usize = 1 << 12;

/// The bit that all bits of a word are.
fn mask_bit(word: &Word) -> Option<&Bit> {
    let Word::Bits(bits) = word else { return None };
    let (first, others) = bits.split_first()?;
    others.iter().all(|other| other == first).then_some(first)
}

/// Words as normal forms of the bits of inputs.
#[derive(Clone, Debug)]
pub struct NormalForms {
    pub(crate) bits: u32,
    /// Input bits so far.
    inputs: u32,
    unknowns: u64,
    effort: u64,
}

impl NormalForms {
    /// For words of `bits` bits, at most 32; `effort` is how many products of bits may be touched before nothing
    /// more is known.
    ///
    /// # Panics
    /// Where words are longer than addresses.
    pub fn new(bits: u32, effort: u64) -> Self {
        assert!(bits <= 32, "addresses have at most 32 bits");
        NormalForms { bits, inputs: 0, unknowns: 0, effort }
    }

    /// A word of new input bits; after 65535 bits, one of which nothing is known.
    pub fn input(&mut self) -> Word {
        let bits = (0..self.bits).map(|_| {
            self.inputs += 1;
            match u16::try_from(self.inputs) {
                Ok(number) if self.inputs <= MOST_BITS => Bit::Form(Form::bit(number)),
                _ => self.unknown(),
            }
        });
        Word::from(bits.collect::<Vec<Bit>>())
    }

    /// Products of bits that may still be touched.
    pub fn effort(&self) -> u64 {
        self.effort
    }

    /// The bits of a word, the lowest first; of an address nothing is known.
    pub fn bits_of(&mut self, word: &Word) -> Vec<Bit> {
        match word {
            Word::Known(value) => (0..self.bits).map(|place| Bit::Known(value >> place & 1 == 1)).collect(),
            Word::Bits(bits) => bits.to_vec(),
            Word::Pointer(_) | Word::Indexed(..) | Word::NotZero(_) => {
                (0..self.bits).map(|_| self.unknown()).collect()
            }
        }
    }

    /// The sum of the products of pairs.
    pub fn sum_of_products(&mut self, pairs: &[(Bit, Bit)]) -> Bit {
        let one = Form::one();
        let mut forms: Vec<(&Form, &Form)> = Vec::new();
        let mut count = 0;
        for (x, y) in pairs {
            let pair = match (x, y) {
                (Bit::Known(false), _) | (_, Bit::Known(false)) => continue,
                (Bit::Known(true), Bit::Known(true)) => (&one, &one),
                (Bit::Known(true), Bit::Form(form)) | (Bit::Form(form), Bit::Known(true)) => (form, &one),
                (Bit::Form(x), Bit::Form(y)) => (x, y),
                _ => return self.unknown(),
            };
            count += pair.0.len() * pair.1.len();
            forms.push(pair);
        }
        if !self.spend(count) {
            return self.unknown();
        }
        Form::products(&forms).map_or_else(|| self.unknown(), Bit::from)
    }

    pub(crate) fn unknown(&mut self) -> Bit {
        self.unknowns += 1;
        Bit::Unknown(self.unknowns)
    }

    /// Whether so many products may be touched.
    pub(crate) fn spend(&mut self, products: usize) -> bool {
        self.effort = self.effort.saturating_sub(products as u64);
        self.effort > 0 && products <= MOST_PRODUCTS
    }

    /// What a function of pairs of bits, place by place, makes of two words.
    fn by_bits(&mut self, x: &Word, y: &Word, operation: fn(&mut Self, &Bit, &Bit) -> Bit) -> Word {
        let (x, y) = (self.bits_of(x), self.bits_of(y));
        Word::from(x.iter().zip(&y).map(|(x, y)| operation(self, x, y)).collect::<Vec<Bit>>())
    }
}

impl Domain for NormalForms {
    type Word = Word;
    type Bit = Bit;
    const JOINS: bool = true;

    fn word(&mut self, value: u64) -> Word {
        Word::Known(value & u64::MAX >> (64 - self.bits))
    }

    fn bit(&mut self, value: bool) -> Bit {
        Bit::Known(value)
    }

    fn known_word(&self, word: &Word) -> Option<u64> {
        match word {
            Word::Known(value) => Some(*value),
            Word::Bits(_) | Word::Pointer(_) | Word::Indexed(..) | Word::NotZero(_) => None,
        }
    }

    fn known_bit(&self, bit: &Bit) -> Option<bool> {
        match bit {
            Bit::Known(value) => Some(*value),
            Bit::Form(_) | Bit::Unknown(_) | Bit::Carry(_) => None,
        }
    }

    fn add(&mut self, x: &Word, y: &Word, carry: &Bit) -> (Word, Bit) {
        for (pointer, other) in [(x, y), (y, x)] {
            match (pointer, other) {
                (Word::Pointer(pointer), Word::Known(by)) => {
                    let moved = self.move_pointer(*pointer, *by, carry, Direction::Up);
                    return moved.unwrap_or_else(|| self.nothing());
                }
                (Word::Pointer(pointer), Word::Bits(index)) if *carry == Bit::Known(false) => {
                    let none = vec![Bit::Known(false); self.bits as usize];
                    let word = self.indexed(*pointer, &none, &Word::Bits(Rc::clone(index)));
                    return (word.unwrap_or_else(|| self.arbitrary()), self.unknown());
                }
                (Word::Indexed(pointer, index), more) if *carry == Bit::Known(false) => {
                    let word = self.indexed(*pointer, &Rc::clone(index), more);
                    return (word.unwrap_or_else(|| self.arbitrary()), self.unknown());
                }
                _ => {}
            }
        }
        let (x, y) = (self.bits_of(x), self.bits_of(y));
        let (sum, carry) = self.sum(&x, &y, carry);
        (Word::from(sum), carry)
    }

    fn sub(&mut self, x: &Word, y: &Word, borrow: &Bit) -> (Word, Bit) {
        match (x, y) {
            (Word::Pointer(pointer), Word::Known(by)) => {
                let moved = self.move_pointer(*pointer, *by, borrow, Direction::Down);
                return moved.unwrap_or_else(|| self.nothing());
            }
            (Word::Known(by), Word::Pointer(pointer)) => {
                let moved = self.move_pointer(*pointer, *by, borrow, Direction::Negated);
                return moved.unwrap_or_else(|| self.nothing());
            }
            (Word::Pointer(to), Word::Pointer(from)) if *borrow == Bit::Known(false) => {
                if let Some(distance) = to.distance(from, self.bits) {
                    // equal words never borrow
                    let borrow = if distance == 0 { Bit::Known(false) } else { self.unknown() };
                    return (Word::Known(distance), borrow);
                }
            }
            // what is borrowed, in each place
            _ if x == y && !matches!(borrow, Bit::Carry(_)) => {
                return (Word::from(vec![borrow.clone(); self.bits as usize]), borrow.clone());
            }
            _ => {}
        }
        let (x, y) = (self.bits_of(x), self.bits_of(y));
        let y: Vec<Bit> = y.iter().map(|bit| self.bit_not(bit)).collect();
        let carry = self.bit_not(borrow);
        let (difference, carry) = self.sum(&x, &y, &carry);
        (Word::from(difference), self.bit_not(&carry))
    }

    fn mul(&mut self, x: &Word, y: &Word) -> (Word, Word) {
        if let (Word::Known(x), Word::Known(y)) = (x, y) {
            let product = u128::from(*x) * u128::from(*y);
            return (self.word(product as u64), self.word((product >> self.bits) as u64));
        }
        for (mask, number) in [(x, y), (y, x)] {
            if let (Some(bit), Word::Known(number)) = (mask_bit(mask), number) {
                let ones = u64::MAX >> (64 - self.bits);
                let product = u128::from(*number) * u128::from(ones);
                let under = |value: u64| {
                    let one = |place| if value >> place & 1 == 1 { bit.clone() } else { Bit::Known(false) };
                    Word::from((0..self.bits).map(one).collect::<Vec<Bit>>())
                };
                return (under(product as u64 & ones), under((product >> self.bits) as u64));
            }
        }
        self.product(x, y)
    }

    fn carryless_mul(&mut self, x: &Word, y: &Word) -> (Word, Word) {
        self.carryless_product(x, y)
    }

    fn and(&mut self, x: &Word, y: &Word) -> Word {
        if x == y { x.clone() } else { self.by_bits(x, y, |domain, x, y| domain.bit_and(x, y)) }
    }

    fn or(&mut self, x: &Word, y: &Word) -> Word {
        match (x, y) {
            // a copy
            (word, Word::Known(0)) | (Word::Known(0), word) => word.clone(),
            _ if x == y => x.clone(),
            _ => self.by_bits(x, y, |domain, x, y| domain.bit_or(x, y)),
        }
    }

    fn xor(&mut self, x: &Word, y: &Word) -> Word {
        if let (Word::Pointer(one), Word::Pointer(other)) = (x, y)
            && one.base == other.base
            && (one.part, other.part) == (0, 0)
            && !one.agrees(other, self.bits)
        {
            // different words of one buffer's addresses
            self.unknowns += 1;
            return Word::NotZero(self.unknowns);
        }
        match (x, y) {
            (word, Word::Known(0)) | (Word::Known(0), word) => word.clone(),
            _ if x == y => Word::Known(0),
            _ => self.by_bits(x, y, |domain, x, y| domain.bit_xor(x, y)),
        }
    }

    fn shift_right(&mut self, x: &Word, top: &Bit) -> (Word, Bit) {
        let mut bits = self.bits_of(x);
        bits.push(top.clone());
        let out = bits.remove(0);
        (Word::from(bits), out)
    }

    fn rotate_left(&mut self, x: &Word, places: u32) -> Word {
        let mut bits = self.bits_of(x);
        bits.rotate_right((places % self.bits) as usize);
        Word::from(bits)
    }

    fn split(&mut self, x: &Word, places: u32) -> (Word, Word) {
        if places == 0 {
            return (Word::Known(0), x.clone());
        }
        if places >= self.bits {
            return (x.clone(), Word::Known(0));
        }
        let mut low = self.bits_of(x);
        let mut high = low.split_off(places as usize);
        low.resize(self.bits as usize, Bit::Known(false));
        high.resize(self.bits as usize, Bit::Known(false));
        (Word::from(low), Word::from(high))
    }

    fn shift_left(&mut self, x: &Word, places: u32) -> (Word, Word) {
        if places == 0 {
            return (x.clone(), Word::Known(0));
        }
        if places >= self.bits {
            return (Word::Known(0), x.clone());
        }
        let mut low = vec![Bit::Known(false); places as usize];
        low.extend(self.bits_of(x));
        let mut high = low.split_off(self.bits as usize);
        high.resize(self.bits as usize, Bit::Known(false));
        (Word::from(low), Word::from(high))
    }

    fn bit_of(&mut self, x: &Word, place: u32) -> Bit {
        let mut bits = self.bits_of(x);
        if (place as usize) < bits.len() { bits.swap_remove(place as usize) } else { Bit::Known(false) }
    }

    fn with_bit(&mut self, x: &Word, place: u32, bit: &Bit) -> Word {
        let mut bits = self.bits_of(x);
        if let Some(own) = bits.get_mut(place as usize) {
            *own = bit.clone();
        }
        Word::from(bits)
    }

    fn is_zero(&mut self, x: &Word) -> Bit {
        match x {
            Word::Known(value) => Bit::Known(*value == 0),
            Word::NotZero(_) => Bit::Known(false),
            Word::Pointer(_) | Word::Indexed(..) => self.unknown(),
            Word::Bits(bits) => {
                let bits = Rc::clone(bits);
                if bits.contains(&Bit::Known(true)) {
                    return Bit::Known(false);
                }
                // a flag that hardly anybody reads
                let length = |bit: &Bit| if let Bit::Form(form) = bit { form.len() } else { 1 };
                let mut all: Vec<&Bit> = Vec::new();
                for bit in bits.iter().filter(|bit| **bit != Bit::Known(false)) {
                    if !all.contains(&bit) {
                        all.push(bit);
                    }
                }
                if all.iter().fold(1, |all: usize, bit| all.saturating_mul(length(bit))) > MOST_OF_FLAG {
                    return self.unknown();
                }
                all.into_iter().fold(Bit::Known(true), |all, bit| {
                    let clear = self.bit_not(bit);
                    self.bit_and(&all, &clear)
                })
            }
        }
    }

    fn carry_into(&mut self, place: u32, x: &Word, y: &Word, result: &Word) -> Bit {
        let [x, y, result] = [x, y, result].map(|word| self.bit_of(word, place));
        let sum = self.bit_xor(&x, &y);
        self.bit_xor(&sum, &result)
    }

    fn select(&mut self, bit: &Bit, x: &Word, y: &Word) -> Word {
        match bit {
            Bit::Known(true) => return x.clone(),
            Bit::Known(false) => return y.clone(),
            _ if x == y => return x.clone(),
            Bit::Form(_) | Bit::Unknown(_) | Bit::Carry(_) => {}
        }
        let (x, y) = (self.bits_of(x), self.bits_of(y));
        let chosen = x.iter().zip(&y).map(|(x, y)| {
            let difference = self.bit_xor(x, y);
            let change = self.bit_and(bit, &difference);
            self.bit_xor(y, &change)
        });
        Word::from(chosen.collect::<Vec<Bit>>())
    }

    fn bit_and(&mut self, x: &Bit, y: &Bit) -> Bit {
        match (x, y) {
            (Bit::Known(false), _) | (_, Bit::Known(false)) => Bit::Known(false),
            (Bit::Known(true), other) | (other, Bit::Known(true)) => other.clone(),
            _ if x == y => x.clone(),
            _ => self.sum_of_products(&[(x.clone(), y.clone())]),
        }
    }

    fn bit_or(&mut self, x: &Bit, y: &Bit) -> Bit {
        match (x, y) {
            (Bit::Known(true), _) | (_, Bit::Known(true)) => return Bit::Known(true),
            (Bit::Known(false), other) | (other, Bit::Known(false)) => return other.clone(),
            _ if x == y => return x.clone(),
            _ => {}
        }
        let (x, y) = (self.bit_not(x), self.bit_not(y));
        let neither = self.bit_and(&x, &y);
        self.bit_not(&neither)
    }

    fn bit_xor(&mut self, x: &Bit, y: &Bit) -> Bit {
        match (x, y) {
            (Bit::Known(false), other) | (other, Bit::Known(false)) => other.clone(),
            (Bit::Known(true), other) | (other, Bit::Known(true)) => self.bit_not(other),
            _ if x == y => Bit::Known(false),
            (Bit::Form(x), Bit::Form(y)) if self.spend(x.len() + y.len()) => Bit::from(x.plus(y)),
            _ => self.unknown(),
        }
    }

    fn bit_not(&mut self, x: &Bit) -> Bit {
        match x {
            Bit::Known(x) => Bit::Known(!x),
            Bit::Form(x) if self.spend(x.len()) => Bit::from(x.not()),
            Bit::Form(_) | Bit::Unknown(_) | Bit::Carry(_) => self.unknown(),
        }
    }

    fn arbitrary(&mut self) -> Word {
        Word::from((0..self.bits).map(|_| self.unknown()).collect::<Vec<Bit>>())
    }

    fn same(&self, x: &Word, y: &Word) -> bool {
        x == y
    }

    fn same_bit(&mut self, x: &Bit, y: &Bit) -> bool {
        x == y
    }

    fn pointer(&mut self, base: u32, offset: i64, address: u64, part: u32) -> Word {
        Word::Pointer(Pointer { base, offset, address, part })
    }

    fn placed(&mut self, _: u64) -> Word {
        self.arbitrary()
    }

    fn address(&self, words: &[&Word]) -> Option<(Base, u64)> {
        if let Some(whole) = whole(words, self.bits) {
            return Some((Base::Of(whole.base), whole.address));
        }
        let number =
            words.iter().rev().try_fold(0, |sum, word| Some(sum << self.bits | self.known_word(word)?));
        number.map(|number| (Base::Constant, number))
    }

    fn moved<const N: usize>(&mut self, words: [&Word; N], by: i64) -> Option<[Word; N]> {
        if let Some(whole) = whole(&words, self.bits) {
            let target = whole.moved(by, self.bits);
            return Some(std::array::from_fn(|part| Word::Pointer(Pointer { part: part as u32, ..target })));
        }
        if let [Word::Indexed(pointer, index)] = words.as_slice() {
            let moved = pointer.moved(by, self.bits);
            return Some(std::array::from_fn(|_| Word::Indexed(moved, Rc::clone(index))));
        }
        let (_, address) = self.address(&words)?;
        let address = address.wrapping_add_signed(by);
        Some(std::array::from_fn(|part| self.word(address >> (self.bits * part as u32))))
    }

    fn cases(&mut self, word: &Word) -> Option<Cases<Word, Bit>> {
        self.addresses(word)
    }

    fn chosen(&mut self, bits: &[Bit], values: &[Word]) -> Option<Word> {
        self.looked_up(bits, values)
    }

    fn join(&mut self, bit: &Bit, words: &[(Word, Word)], bits: &[(Bit, Bit)]) -> Option<Joined<Word, Bit>> {
        let words = words.iter().map(|(x, y)| self.select(bit, x, y)).collect();
        let bits = bits.iter().map(|(x, y)| {
            let difference = self.bit_xor(x, y);
            let change = self.bit_and(bit, &difference);
            self.bit_xor(y, &change)
        });
        let bits = bits.collect();
        Some((words, bits))
    }

    fn bits(&self) -> u32 {
        self.bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As bit by bit.
    #[test]
    fn products_with_masks_are_numbers_under_them() {
        for number in [0, 1, 0x80, 0xff, 0x5a] {
            let mut domain = NormalForms::new(8, 1 << 20);
            let word = domain.input();
            let bit = domain.bits_of(&word)[3].clone();
            let mask = Word::from(vec![bit; 8]);
            let known = domain.word(number);
            let wanted = domain.product(&mask, &known);
            assert_eq!(domain.mul(&mask, &known), wanted);
            assert_eq!(domain.mul(&known, &mask), wanted);
            // -1 or 0
            let zero = domain.word(0);
            let none = Bit::Known(false);
            let (difference, _) = domain.sub(&zero, &wanted.0, &none);
            assert_eq!(difference, domain.and(&mask, &known));
        }
    }
}
