//! Numbers modulo an odd number whose highest bit is set, which is an argument: what Montgomery's products need of it, and what
//! leads back below it.

use super::Place;
use super::argument::{Argument, Modulo};
use super::blocks::Products;
use super::words::{copy, load, negative as negative_word, pick, store};
use super::writer::{Routine, Writer};
use crate::reduce::Workspace;
use rhomb_contract::{Contract, Operation};
use rhomb_line::{Array, Line};

/// Products modulo n, and what is known of n: a number below R is below 2 n.
pub(super) struct Odd {
    words: usize,
    bits: u32,
    modulus: Place,
    pub(super) products: Modulo,
    /// R modulo n, which stands for 1.
    pub(super) one: Place,
    /// R^2 modulo n.
    pub(super) square: Place,
    /// Two numbers one behind the other, of which a mask picks one.
    pub(super) pair: Place,
    /// What picks one of two.
    pub(super) either: usize,
    /// A word: what a call returned, and then its mask.
    borrow: usize,
}

impl Odd {
    pub(super) fn new(w: &mut Writer, argument: Argument, modulus: Place) -> Self {
        let Argument { words, bits, division, .. } = argument;
        // what a call returned comes first, where every processor reaches it
        let borrow = w.slot(1);
        let own = Workspace::of(words);
        let workspace = w.slot(own.inverse + division.map_or(1, |own| own.inverse_words()));
        let products = Modulo::new(w, argument, Place::Slot(workspace), true);
        w.line(copy(0, words), Place::Slot(workspace), &[modulus]);
        let inverted = division.filter(|own| own.products == Products::Inverted);
        w.line(negative(words), Place::Part(workspace, own.complement), &[modulus]);
        let inversion = match inverted {
            Some(blocks) => Routine::Called(Box::new(blocks.inversion())),
            None => Routine::Lines(vec![inverse(bits)]),
        };
        let inversion = w.routine(inversion);
        w.call(inversion, Place::Part(workspace, own.inverse), &[modulus]);
        let one = Place::Part(workspace, own.complement);
        let two = Place::Slot(w.slot(words));
        let pair = Place::Slot(w.slot(2 * words));
        // n is above R / 2, so that 2 (R - n) is below R
        w.line(double(words), two, &[one]);
        let square = products.power_of_two(w, (two, pair.moved(words)), bits * words as u32);
        let either = w.routine(Routine::Lines(vec![pick(0, words)]));
        Odd { words, bits, modulus, products, one, square, pair, either, borrow }
    }

    /// The number of the pair that is brought below n.
    pub(super) fn now(&self) -> Place {
        self.pair.moved(self.words)
    }

    fn size(&self) -> u32 {
        self.bits * self.words as u32
    }

    /// The first number of the pair is x - y; where that is below 0, `to` becomes the second, and else the first.
    fn unless_borrowed(
        &self,
        w: &mut Writer,
        to: Place,
        x: Place,
        y: Place,
        second: impl FnOnce(&mut Writer),
    ) {
        let difference = w.routine(Routine::Kept(Contract::whole(Operation::Sub, self.size())));
        w.call(difference, self.pair, &[x, y]);
        w.take(self.borrow, 0);
        second(w);
        let borrow = Place::Slot(self.borrow);
        w.line(negative_word(), borrow, &[borrow]);
        w.call(self.either, to, &[self.pair, borrow]);
    }

    /// `to` is the number of the pair that is below R modulo n, below n.
    pub(super) fn below(&self, w: &mut Writer, to: Place) {
        self.unless_borrowed(w, to, self.now(), self.modulus, |_| ());
    }

    /// `to = x - y` modulo n, below n, as x and y are.
    pub(super) fn difference(&self, w: &mut Writer, to: Place, x: Place, y: Place) {
        let sum = w.routine(Routine::Kept(Contract::whole(Operation::Add, self.size())));
        self.unless_borrowed(w, to, x, y, |w| w.call(sum, self.now(), &[self.pair, self.modulus]));
    }
}

impl Modulo {
    /// 2^exponent R modulo n, in `to`, where 2 R is there: squares, and doublings.
    fn power_of_two(&self, w: &mut Writer, (two, to): (Place, Place), exponent: u32) -> Place {
        let mut from = two;
        for place in (0..exponent.ilog2()).rev() {
            self.sqr(w, to, from);
            from = to;
            if exponent >> place & 1 == 1 {
                self.mul(w, to, to, two);
            }
        }
        from
    }
}

/// r = R - a.
fn negative(words: usize) -> Line {
    let mut line = Line::default();
    let zero = line.number(0);
    for index in 0..words {
        let word = load(&mut line, Array::A, index);
        let word = line.subtract(zero, Some(word), index > 0, index + 1 < words);
        store(&mut line, word, index);
    }
    line
}

/// A word: -1/a modulo the base of a word of so many bits.
fn inverse(bits: u32) -> Line {
    let mut line = Line::default();
    // Newton's iteration doubles the right low bits, of which a itself has three
    let own = load(&mut line, Array::A, 0);
    let mut inverse = own;
    let mut right = 3;
    while right < bits {
        let product = line.low(own, inverse);
        let two = line.number(2);
        let rest = line.subtract(two, Some(product), false, false);
        inverse = line.low(inverse, rest);
        right *= 2;
    }
    let inverse = line.negate(inverse);
    store(&mut line, inverse, 0);
    line
}

/// r = 2 a.
fn double(words: usize) -> Line {
    let mut line = Line::default();
    for index in 0..words {
        let word = load(&mut line, Array::A, index);
        let word = line.add(word, Some(word), index > 0, index + 1 < words);
        store(&mut line, word, index);
    }
    line
}
