//! The ends of programs on curves: keys and coordinates from strings of bytes, with what is wrong with them, and strings again.
//!
//! Whatever is wrong, all steps are made: time tells nothing, and a result keeps its words at the end.

use super::writer::{Called, Routine, Writer};
use super::{Place, words};
use num_bigint::BigUint;
use rhomb_contract::{Contract, Operation};
use rhomb_line::{Array, Line, Logic};

/// What is returned: 0 where all is well, or the sum of the faults.
pub(super) const STATUS: usize = 0;
/// A mask of all ones where the status is not 0.
pub(super) const FAULT: usize = 1;
/// A mask of the program's own.
pub(super) const MASK: usize = 2;
/// Borrows, by which a fault is found.
const BORROWS: usize = 3;

/// A program under construction, with what its ends take.
pub(super) struct Ends {
    pub(super) writer: Writer,
    /// Bits of a word.
    pub(super) bits: u32,
    /// Words of a number.
    pub(super) count: usize,
    /// The difference of numbers, which returns a borrow.
    sub: usize,
    /// The slot of the status, and borrows that it has so far.
    status: usize,
    borrows: usize,
    /// Numbers of the result, where they are before it is written, and where those are kept that it had.
    pub(super) results: usize,
    pub(super) last: usize,
    pub(super) kept: Place,
    /// Where a difference and a limit stand for a while.
    pub(super) between: [Place; 2],
}

impl Ends {
    /// On numbers of so many words; places are set by whoever has slots for them.
    pub(super) fn new((bits, count): (u32, usize), (results, borrows): (usize, usize)) -> Self {
        let mut writer = Writer::default();
        let difference = Contract::whole(Operation::Sub, bits * count as u32);
        let sub = writer.routine(Routine::Kept(difference));
        let status = writer.slot(BORROWS + borrows);
        let nowhere = Place::Slot(status);
        let (kept, between) = (nowhere, [nowhere; 2]);
        Ends { writer, bits, count, sub, status, borrows: 0, results, last: status, kept, between }
    }

    /// A mask or a borrow of the status.
    pub(super) fn of_status(&self, word: usize) -> Place {
        Place::Part(self.status, word)
    }

    /// A number as it is.
    pub(super) fn plain(&mut self, to: Place, number: &BigUint) -> Place {
        self.writer.line(words::constant(number, self.bits, self.count), to, &[]);
        to
    }

    pub(super) fn copy(&mut self, from: Place, to: Place) {
        self.writer.line(words::copy(0, self.count), to, &[from]);
    }

    /// The number of a string whose highest byte is first, or the other way round.
    pub(super) fn bytes(&mut self, from: Place, to: Place) {
        self.writer.line(words::bytes(self.bits, self.count), to, &[from]);
    }

    /// The difference of two numbers.
    fn less(&mut self, to: Place, from: Place, number: &BigUint) {
        let limit = self.between[1];
        self.plain(limit, number);
        self.writer.call(self.sub, to, &[from, limit]);
    }

    /// The difference of two numbers that stand somewhere.
    pub(super) fn difference(&mut self, to: Place, numbers: [Place; 2]) {
        self.writer.call(self.sub, to, &numbers);
    }

    /// Whether a number is below a limit: the next borrow, of which this is the place.
    pub(super) fn below(&mut self, number: Place, limit: &BigUint) -> Place {
        self.less(self.between[0], number, limit);
        let word = BORROWS + self.borrows;
        self.writer.take(self.status, word);
        self.borrows += 1;
        self.of_status(word)
    }

    /// The program's own mask, set where a number is below a limit.
    pub(super) fn mask_below(&mut self, number: Place, limit: &BigUint) -> Place {
        self.less(self.between[0], number, limit);
        self.writer.take(self.status, MASK);
        let mask = self.of_status(MASK);
        self.writer.line(words::negative(), mask, &[mask]);
        mask
    }

    /// Whether a number is above 0 and below a limit: the next borrow. Another place takes the number less 1.
    pub(super) fn is_key(&mut self, number: Place, other: Place, limit: &BigUint) {
        // 0 becomes the highest number
        self.less(other, number, &BigUint::from(1u8));
        self.below(other, &(limit - 1u8));
    }

    /// The status, from the borrows that are right; those of the first fault come first.
    pub(super) fn outcome(&mut self, faults: &[&[bool]]) {
        let status = Place::Slot(self.status);
        self.writer.line(outcome(faults), status, &[status]);
    }

    /// The strings of numbers become the result, unless there is a fault.
    pub(super) fn result(&mut self, numbers: &[Place]) {
        let length = self.count * numbers.len();
        for (at, number) in numbers.iter().enumerate() {
            self.bytes(*number, Place::Part(self.last, at * self.count));
        }
        let mask = self.of_status(FAULT);
        self.writer.line(words::copy(0, 1), Place::Part(self.last, length), &[mask]);
        self.writer.line(words::copy(0, length), self.kept, &[Place::Result]);
        let last = Place::Slot(self.last);
        self.writer.line(words::either(length), Place::Result, &[last, self.kept]);
    }

    /// The program.
    pub(super) fn finish(mut self, operands: usize) -> Called {
        self.writer.returns(self.status, STATUS);
        let mut called = self.writer.finish(operands);
        called.program.has_result = self.results > 0;
        called
    }
}

/// The status and the mask of faults, from the borrows; those of the first fault come first.
fn outcome(faults: &[&[bool]]) -> Line {
    let mut line = Line::default();
    let one = line.number(1);
    let mut at = BORROWS;
    let (mut any, mut status) = (None, None);
    for (fault, rights) in faults.iter().enumerate() {
        let mut wrong = None;
        for right in *rights {
            let mut own = words::load(&mut line, Array::A, at);
            if *right {
                own = line.logic(Logic::Xor, own, one);
            }
            wrong = Some(wrong.map_or(own, |wrong| line.logic(Logic::Or, wrong, own)));
            at += 1;
        }
        let Some(wrong) = wrong else { continue };
        any = Some(any.map_or(wrong, |any| line.logic(Logic::Or, any, wrong)));
        let wrong = line.negate(wrong);
        let wrong = line.mask(wrong, 1 << fault);
        status = Some(status.map_or(wrong, |status| line.logic(Logic::Or, status, wrong)));
    }
    if let (Some(any), Some(status)) = (any, status) {
        let any = line.negate(any);
        words::store(&mut line, any, FAULT);
        words::store(&mut line, status, STATUS);
    }
    line
}
