//! Formulas as calls: where each number on the way stands.
//!
//! A result lies apart from the operands, but for sums, whose results may lie on one. So what a formula changes in place is
//! made in another slot, unless its old number is no longer read.

use super::writer::{Routine, Writer};
use super::{Place, words};
use crate::formulas::{Formula, Op};
use rhomb_contract::Contract;
use std::collections::BTreeMap;

/// What the operations of a field are made by, and where numbers on the way may stand.
#[derive(Clone)]
pub(super) struct Arithmetic {
    words: usize,
    mul: usize,
    sqr: usize,
    add: usize,
    sub: usize,
    half: Option<usize>,
    /// What multiplies by a small number, and that number.
    times: Option<(u32, usize)>,
    /// Where numbers on the way may stand.
    temporary: Vec<Place>,
}

/// A number on the way: where it stands, after which step nobody reads it, and where it is wanted in the end.
struct Number {
    place: Option<Place>,
    last: usize,
    wanted: Option<Place>,
}

/// Where named numbers stand.
pub(super) type Places<'a> = &'a [(&'static str, Place)];

impl Arithmetic {
    /// Routines that keep the contracts of products, squares, sums, differences and halves; over GF(2) sums are differences,
    /// and there are no halves.
    pub(super) fn new(writer: &mut Writer, words: usize, contracts: [Option<Contract>; 5]) -> Option<Self> {
        let [mul, sqr, add, sub, half] =
            contracts.map(|own| own.map(|own| writer.routine(Routine::Kept(own))));
        let (mul, sqr, add) = (mul?, sqr?, add?);
        let (sub, temporary) = (sub.unwrap_or(add), Vec::new());
        Some(Arithmetic { words, mul, sqr, add, sub, half, times: None, temporary })
    }

    /// The same with a routine that multiplies by a small number, as its contract says.
    pub(super) fn with_times(mut self, writer: &mut Writer, contract: Contract) -> Self {
        self.times = Some((contract.times(), writer.routine(Routine::Kept(contract))));
        self
    }

    /// The same where numbers on the way may stand at more places.
    pub(super) fn with_room(mut self, places: impl IntoIterator<Item = Place>) -> Self {
        self.temporary.extend(places);
        self
    }

    pub(super) fn mul(&self, writer: &mut Writer, to: Place, x: Place, y: Place) {
        writer.call(self.mul, to, &[x, y]);
    }

    pub(super) fn add(&self, writer: &mut Writer, to: Place, x: Place, y: Place) {
        writer.call(self.add, to, &[x, y]);
    }

    pub(super) fn sub(&self, writer: &mut Writer, to: Place, x: Place, y: Place) {
        writer.call(self.sub, to, &[x, y]);
    }

    /// The routines that multiply and square.
    pub(super) fn products(&self) -> [usize; 2] {
        [self.mul, self.sqr]
    }

    /// Writes a formula of numbers that are given, whose results go where they are wanted. What is given and not wanted
    /// stays as it is.
    pub(super) fn formula(
        &mut self,
        writer: &mut Writer,
        formula: &Formula,
        given: Places<'_>,
        wanted: Places<'_>,
    ) -> Option<()> {
        let count = formula.steps.len();
        let mut numbers: Vec<Number> = Vec::new();
        let mut named: BTreeMap<&str, usize> = BTreeMap::new();
        for (name, place) in given {
            named.insert(name, numbers.len());
            numbers.push(Number { place: Some(*place), last: 0, wanted: None });
        }
        // each step makes a number of its own
        let first = numbers.len();
        let mut calls = Vec::new();
        for (at, step) in formula.steps.iter().enumerate() {
            let operands: Option<Vec<usize>> =
                step.op.operands().into_iter().map(|name| named.get(name).copied()).collect();
            let operands = operands?;
            operands.iter().for_each(|operand| numbers[*operand].last = at + 1);
            named.insert(step.to, numbers.len());
            numbers.push(Number { place: None, last: 0, wanted: None });
            calls.push((step.op, operands));
        }
        for (name, place) in wanted {
            let own = &mut numbers[*named.get(name)?];
            (own.last, own.wanted) = (count + 1, Some(*place));
        }
        for (at, (op, operands)) in calls.into_iter().enumerate() {
            let (routine, in_place) = match op {
                Op::Mul(..) => (self.mul, false),
                Op::Sqr(_) => (self.sqr, false),
                Op::Add(..) => (self.add, true),
                Op::Sub(..) => (self.sub, true),
                Op::Half(_) => (self.half?, false),
                Op::Times(number, _) => (self.times.filter(|own| own.0 == number)?.1, false),
                Op::Copy(_) => return None,
            };
            // what a number must be read after for its place to be taken
            let until = if in_place { at + 1 } else { at };
            let is_free = |place: Place, numbers: &[Number]| {
                numbers.iter().all(|own| own.place != Some(place) || own.last <= until)
            };
            let own = first + at;
            let place = match numbers[own].wanted.filter(|place| is_free(*place, &numbers)) {
                Some(place) => place,
                None => {
                    let known = self.temporary.iter().copied();
                    known.into_iter().find(|place| is_free(*place, &numbers)).unwrap_or_else(|| {
                        let place = Place::Slot(writer.slot(self.words));
                        self.temporary.push(place);
                        place
                    })
                }
            };
            let operands: Option<Vec<Place>> =
                operands.iter().map(|operand| numbers[*operand].place).collect();
            writer.call(routine, place, &operands?);
            numbers[own].place = Some(place);
        }
        for Number { place, wanted, .. } in &numbers {
            if let (Some(from), Some(to)) = (*place, *wanted)
                && from != to
            {
                writer.line(words::copy(0, self.words), to, &[from]);
            }
        }
        Some(())
    }
}
