//! A way to do the whole, and the choice among several.

use super::line::{Unit, Value};
use super::unit::{Cache, Solution};
use super::{CLOSELY, CLOSELY_IF_LARGE, FEW, Registers, WHOLE};

/// Where things lie.
#[derive(Clone, Copy, Debug, Default)]
pub struct Frame {
    /// From where the words of A and the columns are counted.
    pub origin: usize,
    /// The word of the result that is the first home.
    pub home: usize,
}

/// A unit and where it stands.
#[derive(Clone, Debug)]
pub struct Job {
    /// What is done.
    pub(super) unit: Unit,
    /// Where things lie.
    pub frame: Frame,
    /// The values that are pointers from unit to unit, numbered.
    pub pointers: Vec<(Value, usize)>,
}

/// Units in order.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The units.
    pub(super) jobs: Vec<Job>,
    /// Words of B that are copied to the stack before.
    pub copied: usize,
}

impl Plan {
    /// Cycles, about, in so many registers.
    fn look(&self, count: usize, registers: &Registers, cache: &mut Cache) -> Option<usize> {
        // a word that is loaded and stored by blocks of eight
        let copies = self.copied * 5 / 2;
        let jobs: Option<usize> = self.jobs.iter().map(|job| cache.look(&job.unit, count)).sum();
        Some(jobs? + copies + (registers.frame)(count))
    }

    fn solve(&self, count: usize, registers: &Registers, cache: &mut Cache) -> Option<Vec<(&Job, Solution)>> {
        let order = &registers.order[..count];
        self.jobs.iter().map(|job| Some((job, cache.solve(&job.unit, order)?))).collect()
    }
}

/// The best of what `finish` makes of the plans in at most so many registers, of those that a first look finds good.
pub fn fastest<K>(
    plans: &[Plan],
    words: usize,
    most: usize,
    registers: &Registers,
    finish: impl Fn(&Plan, &[(&Job, Solution)]) -> Option<(u64, K)>,
) -> Option<K> {
    let mut cache = Cache::default();
    let least = if words <= FEW { 4.min(most) } else { most };
    let mut looks: Vec<(usize, usize, usize)> = Vec::new();
    for count in least..=most {
        for (at, plan) in plans.iter().enumerate() {
            looks.extend(plan.look(count, registers, &mut cache).map(|cycles| (cycles, count, at)));
        }
    }
    looks.sort_unstable();
    let mut best: Option<(u64, K)> = None;
    let mut tried = 0;
    for (_, count, at) in looks {
        let Some(made) = plans[at].solve(count, registers, &mut cache) else { continue };
        let Some((cycles, kernel)) = finish(&plans[at], &made) else { continue };
        if best.as_ref().is_none_or(|(fewest, _)| cycles < *fewest) {
            best = Some((cycles, kernel));
        }
        tried += 1;
        if tried == if words <= 2 * WHOLE { CLOSELY } else { CLOSELY_IF_LARGE } {
            break;
        }
    }
    best.map(|(_, kernel)| kernel)
}
