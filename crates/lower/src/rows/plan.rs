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

    /// With registers, by searches of given seeds where there are some.
    fn solve(
        &self,
        count: usize,
        registers: &Registers,
        cache: &mut Cache,
        seeds: &[u64],
    ) -> Option<Vec<(&Job, Solution)>> {
        let order = &registers.order[..count];
        let seeds = seeds.iter().copied().map(Some).chain(std::iter::repeat(None));
        let jobs = self.jobs.iter().zip(seeds);
        jobs.map(|(job, seed)| Some((job, cache.solve(&job.unit, order, seed)?))).collect()
    }
}

/// A plan that was found to be the best: its number, with how many registers, and for each unit the search that found the best
/// choices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    plan: usize,
    registers: usize,
    seeds: Vec<u64>,
}

impl Found {
    /// Of its text.
    fn read(text: &str) -> Option<Found> {
        let mut numbers = text.split_whitespace().map(|number| number.parse::<u64>());
        let mut next = || numbers.next()?.ok();
        let (plan, registers) = (next()? as usize, next()? as usize);
        Some(Found { plan, registers, seeds: numbers.collect::<Result<_, _>>().ok()? })
    }

    /// All that stand in a table for some words, a line `name words: plan registers seed..; ..`.
    pub(super) fn all(table: &str, name: &str, words: usize) -> Vec<Found> {
        let head = format!("{name} {words}:");
        let line = table.lines().find_map(|line| line.strip_prefix(&head));
        line.map_or(Vec::new(), |line| line.split(';').filter_map(Found::read).collect())
    }
}

impl std::fmt::Display for Found {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, " {} {}", self.plan, self.registers)?;
        self.seeds.iter().try_for_each(|seed| write!(f, " {seed}"))
    }
}

/// A plan with registers.
#[derive(Debug)]
pub struct Attempt<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// Its units.
    pub made: Vec<(&'a Job, Solution)>,
    /// How it was found.
    pub found: Found,
}

/// The best of what `finish` makes of the plans in at most so many registers: of those that are `known` to be the best, or
/// of those that a first look finds good.
pub(super) fn fastest<K>(
    plans: &[Plan],
    words: usize,
    most: usize,
    registers: &Registers,
    known: Vec<Found>,
    mut finish: impl FnMut(&Attempt<'_>) -> Option<(u64, K)>,
) -> Option<K> {
    let mut cache = Cache::default();
    let mut looks: Vec<(usize, usize, usize)> = Vec::new();
    let least = if words <= FEW { 4.min(most) } else { most };
    for count in (least..=most).filter(|_| known.is_empty()) {
        for (at, plan) in plans.iter().enumerate() {
            looks.extend(plan.look(count, registers, &mut cache).map(|cycles| (cycles, count, at)));
        }
    }
    looks.sort_unstable();
    let looks = looks.into_iter().map(|(_, registers, plan)| Found { plan, registers, seeds: Vec::new() });
    let closely = if words <= 2 * WHOLE { CLOSELY } else { CLOSELY_IF_LARGE };
    let attempts = known.into_iter().chain(looks).filter_map(|found| {
        let plan = plans.get(found.plan)?;
        let made = plan.solve(found.registers, registers, &mut cache, &found.seeds)?;
        let seeds = made.iter().map(|(_, solution)| solution.seed).collect();
        finish(&Attempt { plan, made, found: Found { seeds, ..found } })
    });
    // the first of those that are equally fast
    attempts.take(closely).min_by_key(|(cycles, _)| *cycles).map(|(_, kernel)| kernel)
}
