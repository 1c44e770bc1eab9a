//! A way to do the whole, and the choice among several.

use super::emit::{Frame, Pointers, items};
use super::line::{Unit, Value};
use super::pointers::{self, Item};
use super::unit::Cache;
use crate::instructions::Instruction;

/// A unit and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Job {
    /// What is done.
    pub(super) unit: Unit,
    /// Where things lie.
    pub(super) frame: Frame,
    /// The values that are pointers from unit to unit, numbered.
    pub(super) pointers: Vec<(Value, usize)>,
}

/// Units in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// What comes before the first unit.
    pub(super) before: Vec<Instruction>,
    /// The units.
    pub(super) jobs: Vec<Job>,
    /// What comes behind the last one.
    pub(super) after: Vec<Instruction>,
    /// Bytes of stack for copies of operand words.
    pub(super) stack_bytes: u32,
}

impl Plan {
    /// Cycles, about.
    pub(super) fn look(&self, registers: usize, cache: &mut Cache) -> Option<usize> {
        // a word that is loaded and stored by blocks of eight
        let copies = self.stack_bytes as usize / 4 * 5 / 2;
        let jobs: Option<usize> = self.jobs.iter().map(|job| cache.look(&job.unit, registers)).sum();
        Some(jobs? + copies + frame_cycles(registers))
    }

    /// The instructions, without saves.
    pub(super) fn make(&self, registers: usize, cache: &mut Cache) -> Option<Vec<Instruction>> {
        let mut pointers = Pointers::default();
        let mut all: Vec<Item> = self.before.iter().copied().map(Item::Plain).collect();
        for job in &self.jobs {
            let made = cache.make(&job.unit, registers)?;
            pointers.enter(job.pointers.iter().copied());
            all.extend(items(&made.events, &made.assignment, &mut pointers, &job.frame));
        }
        all.extend(self.after.iter().copied().map(Item::Plain));
        pointers::place(&all, pointers.count)
    }
}

/// Cycles of saves, restores and return on the ARM7TDMI, where so many registers are taken.
fn frame_cycles(registers: usize) -> usize {
    match registers.saturating_sub(5) {
        0 => 3,
        saved => 2 * saved.max(2) + 5,
    }
}
