//! Formulas as calls: where each number on the way stands.
//!
//! A result lies apart from the operands, but for sums, whose results may lie on one. So what a formula changes in place is
//! made in another slot, unless its old number is no longer read.

use super::fused::{Act, Call, fuse, pair};
use super::writer::{Routine, Writer};
use super::{Place, words};
use crate::formulas::Formula;
use rhomb_contract::{Contract, Modular, Operation};
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
    /// Modulo what small multiples are computed, and whether they are added at once.
    modular: Option<Modular>,
    is_fused: bool,
    /// Whether a sum and a difference of the same numbers are made at once.
    is_paired: bool,
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
        let modular = contracts[2].as_ref().and_then(Contract::modular).copied();
        let [mul, sqr, add, sub, half] =
            contracts.map(|own| own.map(|own| writer.routine(Routine::Kept(own))));
        let (mul, sqr, add) = (mul?, sqr?, add?);
        let (sub, temporary) = (sub.unwrap_or(add), Vec::new());
        Some(Arithmetic {
            words,
            mul,
            sqr,
            add,
            sub,
            half,
            modular,
            is_fused: false,
            is_paired: false,
            temporary,
        })
    }

    /// The same with routines that add small multiples at once, modulo a number.
    pub(super) fn fused(self) -> Self {
        Arithmetic { is_fused: self.modular.is_some(), ..self }
    }

    /// The same with routines that make sum and difference at once, modulo a number.
    pub(super) fn paired(self) -> Self {
        Arithmetic { is_paired: self.modular.is_some(), ..self }
    }

    /// The routine of a step; `None` where there is none in this field.
    fn routine(&self, writer: &mut Writer, act: Act) -> Option<usize> {
        let modular = self.modular;
        let with = |operation, factor, weights: [u32; 2]| {
            let modular = Modular { operation, factor, weights, ..modular? };
            Some(Routine::Kept(Contract::from(modular)))
        };
        Some(match act {
            Act::Mul => self.mul,
            Act::Sqr => self.sqr,
            Act::Half => self.half?,
            Act::Add(1) => self.add,
            Act::Sub(1) => self.sub,
            Act::Add(times) => writer.routine(with(Operation::ModAdd, None, [1, times])?),
            Act::Sub(times) => writer.routine(with(Operation::ModSub, None, [1, times])?),
            Act::Both(_) => writer.routine(with(Operation::ModAddSub, None, [1; 2])?),
            Act::Times(times) => writer.routine(with(Operation::ModMul, Some(times), [1; 2])?),
        })
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
        let end = formula.steps.len() + 1;
        let mut numbers: Vec<Number> = Vec::new();
        let mut named: BTreeMap<&str, usize> = BTreeMap::new();
        for (name, place) in given {
            named.insert(name, numbers.len());
            numbers.push(Number { place: Some(*place), last: 0, wanted: None });
        }
        // each step makes a number of its own
        let first = numbers.len();
        let mut calls = Vec::new();
        for step in &formula.steps {
            let operands: Option<Vec<usize>> =
                step.op.operands().into_iter().map(|name| named.get(name).copied()).collect();
            let operands = operands?;
            named.insert(step.to, numbers.len());
            numbers.push(Number { place: None, last: 0, wanted: None });
            calls.push(Call::new(step.op, operands)?);
        }
        let wanted: Option<Vec<(usize, Place)>> =
            wanted.iter().map(|(name, place)| Some((*named.get(name)?, *place))).collect();
        let wanted = wanted?;
        if self.is_fused {
            let kept: Vec<usize> = wanted.iter().map(|(number, _)| *number).collect();
            fuse(&mut calls, first, &kept);
        }
        if self.is_paired {
            pair(&mut calls);
        }
        for (at, call) in calls.iter().enumerate().filter(|(_, call)| !call.is_dropped) {
            call.operands.iter().for_each(|operand| numbers[*operand].last = at + 1);
        }
        for (number, place) in wanted {
            (numbers[number].last, numbers[number].wanted) = (end, Some(place));
        }
        for (at, Call { act, operands, is_dropped }) in calls.into_iter().enumerate() {
            if is_dropped {
                continue;
            }
            let routine = self.routine(writer, act)?;
            let in_place = matches!(act, Act::Add(1) | Act::Sub(1));
            // what a number must be read after for its place to be taken
            let until = if in_place { at + 1 } else { at };
            let is_free = |place: Place, numbers: &[Number]| {
                numbers.iter().all(|own| own.place != Some(place) || own.last <= until)
            };
            // the numbers that it makes, one behind the other
            let own: Vec<usize> = match act {
                Act::Both(steps) => steps.map(|step| first + step).to_vec(),
                _ => vec![first + at],
            };
            let (count, words) = (own.len(), self.words);
            let places = |place: Place| (0..count).map(move |index| place.moved(index * words));
            let are_wanted = |place: &Place| {
                let wanted = own.iter().map(|number| numbers[*number].wanted);
                places(*place).map(Some).eq(wanted)
            };
            let are_free = |place: &Place| places(*place).all(|place| is_free(place, &numbers));
            let are_known = |place: &Place| places(*place).all(|place| self.temporary.contains(&place));
            let wanted = numbers[own[0]].wanted.filter(|place| are_wanted(place) && are_free(place));
            let known = self.temporary.iter().copied().find(|place| are_known(place) && are_free(place));
            let place = wanted.or(known).unwrap_or_else(|| {
                let place = Place::Slot(writer.slot(count * words));
                self.temporary.extend(places(place));
                place
            });
            let operands: Option<Vec<Place>> =
                operands.iter().map(|operand| numbers[*operand].place).collect();
            writer.call(routine, place, &operands?);
            for (number, place) in own.iter().zip(places(place)) {
                numbers[*number].place = Some(place);
            }
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
