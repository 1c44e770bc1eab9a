//! A unit of code on its way to events with registers: choices are searched for, then registers.

use super::allocate::{Assignment, allocate};
use super::anneal::search;
use super::arrange::{Arrangement, Choice, Event};
use super::line::{Op, Unit};
use crate::file::Register;

/// A unit with registers.
#[derive(Clone, Debug)]
pub struct Solution {
    /// What happens.
    pub events: Vec<Event>,
    /// Registers.
    pub assignment: Assignment,
    /// The search that found it.
    pub(super) seed: u64,
}

/// A first look: rounds for each choice.
const LOOK: usize = 80;

/// A thorough search: searches, and rounds for each choice of each of them.
const SEARCHES: u64 = 6;
const ROUNDS: usize = 300;

/// Rounds of all searches for one unit, about.
const WORK: u64 = 150_000;

/// Attempts to find registers for what a search gave.
const ATTEMPTS: usize = 200;

/// Seeds from this one on, of four in turn, begin with all kept that can be.
const KEPT: u64 = 2;

/// Searches for choices, with all multiplications UMULL at first, or UMLAL, and nothing kept, or everything.
fn searched<'a>(
    unit: &'a Unit,
    registers: usize,
    rounds: usize,
    seed: u64,
) -> Option<(usize, Arrangement<'a>)> {
    let mut start = Arrangement::new(unit, registers);
    if start.score().over > 0 || seed % 2 == 1 {
        (0..unit.tight.len()).for_each(|at| start.flip(Choice::Tight(at)));
    }
    if seed % 4 >= KEPT {
        start.keep_all();
    }
    search(&start, rounds * start.choices.len(), seed)
}

/// Cycles of a unit, about; nothing where the registers seem too few.
fn look(unit: &Unit, registers: usize) -> Option<usize> {
    let ops = unit.ops.iter().map(|op| match op {
        Op::Multiply { .. } => 4,
        Op::Accumulate { .. } => 5,
        Op::Data { .. } => 1,
    });
    let (cost, _) = searched(unit, registers, LOOK, KEPT)?;
    Some(cost + ops.sum::<usize>())
}

/// Finds choices and registers, by the search of a seed alone where that is given; nothing where that is not found.
fn solve(unit: &Unit, order: &[Register], seed: Option<u64>) -> Option<Solution> {
    let registers = order.len();
    let allowed = order.iter().fold(0, |set, register| set | 1 << register);
    let choices = Arrangement::new(unit, registers).choices.len();
    let searches = (WORK / (ROUNDS * choices.max(1)) as u64).clamp(2, SEARCHES);
    let seeds = seed.map_or(0..searches, |seed| seed..seed + 1);
    let mut found: Vec<(usize, Arrangement, u64)> = seeds
        .filter_map(|seed| {
            let (cost, arrangement) = searched(unit, registers, ROUNDS, seed)?;
            Some((cost, arrangement, seed))
        })
        .collect();
    found.sort_by_key(|(cost, ..)| *cost);
    found.into_iter().find_map(|(_, arrangement, seed)| {
        let events = arrangement.events();
        let assignment = allocate(&events, unit, allowed, ATTEMPTS, 1)?;
        Some(Solution { events, assignment, seed })
    })
}

/// Units by what they are and how many registers they have.
type Known<T> = Vec<(Unit, usize, Option<T>)>;

/// Units that were made before: strips of one width in the middle are all the same.
#[derive(Debug, Default)]
pub(super) struct Cache {
    looks: Known<usize>,
    solved: Known<Solution>,
}

impl Cache {
    /// Cycles of a unit, about.
    pub(super) fn look(&mut self, unit: &Unit, registers: usize) -> Option<usize> {
        remember(&mut self.looks, unit, registers, look)
    }

    /// A unit with registers.
    pub(super) fn solve(&mut self, unit: &Unit, order: &[Register], seed: Option<u64>) -> Option<Solution> {
        remember(&mut self.solved, unit, order.len(), |unit, _| solve(unit, order, seed))
    }
}

fn remember<T: Clone>(
    known: &mut Known<T>,
    unit: &Unit,
    registers: usize,
    find: impl Fn(&Unit, usize) -> Option<T>,
) -> Option<T> {
    if let Some((.., found)) = known.iter().find(|(old, most, _)| *most == registers && old == unit) {
        return found.clone();
    }
    let found = find(unit, registers);
    known.push((unit.clone(), registers, found.clone()));
    found
}
