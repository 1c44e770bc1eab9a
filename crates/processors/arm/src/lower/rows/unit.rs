//! A unit of code on its way to items: choices, registers, addresses still open.

use super::allocate::{Assignment, allocate};
use super::anneal::search;
use super::arrange::{Arrangement, Event};
use super::line::Unit;
use crate::instructions::Register;

/// A unit with registers.
#[derive(Clone, Debug)]
pub(super) struct Made {
    /// What happens.
    pub(super) events: Vec<Event>,
    /// Registers.
    pub(super) assignment: Assignment,
}

/// The order in which registers are taken: those that need no saving, then LR, which is saved with any other.
const ORDER: [Register; 14] = [0, 1, 2, 3, 12, 14, 4, 5, 6, 7, 8, 9, 10, 11];

/// The set of the first so many registers.
pub(super) fn first(registers: usize) -> u16 {
    ORDER[..registers].iter().fold(0, |set, register| set | 1 << register)
}

/// Searches for choices.
const SEARCHES: u64 = 3;

/// Rounds of a search at most, and work of a search, in operations looked at.
const ROUNDS: usize = 20_000;
const WORK: usize = 2_500_000;

/// Attempts to find registers for what a search gave.
const ATTEMPTS: usize = 300;

/// Finds choices and registers; nothing where that is not found.
pub(super) fn make(unit: &Unit, registers: usize) -> Option<Made> {
    let rounds = ROUNDS.min(WORK / (unit.ops.len() + 100));
    let start = Arrangement::new(unit, registers);
    let mut found: Vec<(usize, Arrangement)> =
        (0..SEARCHES).filter_map(|seed| search(&start, rounds, seed)).collect();
    found.sort_by_key(|(cost, _)| *cost);
    found.into_iter().find_map(|(_, mut arrangement)| {
        let events = arrangement.events();
        let allowed = first(registers);
        let assignment = allocate(&events, unit.values, &unit.entry, &unit.exit, allowed, ATTEMPTS, 1)?;
        Some(Made { events, assignment })
    })
}

/// Units that were made before: strips of one width in the middle are all the same.
#[derive(Debug, Default)]
pub(super) struct Cache(Vec<(Unit, usize, Option<Made>)>);

impl Cache {
    /// Makes a unit, or remembers it.
    pub(super) fn make(&mut self, unit: Unit, registers: usize) -> Option<Made> {
        if let Some((_, _, made)) = self.0.iter().find(|(old, most, _)| *most == registers && *old == unit) {
            return made.clone();
        }
        let made = make(&unit, registers);
        self.0.push((unit, registers, made.clone()));
        made
    }
}
