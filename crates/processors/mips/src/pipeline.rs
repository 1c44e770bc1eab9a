//! The pipeline: when each instruction is issued.
//!
//! One instruction after the other, each as soon as what it reads is there and its unit is free; whatever is
//! not there yet is waited for by hardware.

use crate::cores::{Time, Unit};
use crate::instructions::{GUARD, HI, LO};

/// The accumulator's place among what can be waited for: its parts come together.
const ACCUMULATOR: usize = 32;

/// The state of a pipeline, in cycles since some start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pipeline {
    /// When the next instruction can be issued at the earliest.
    now: u64,
    /// From when on registers and the accumulator can be read.
    ready: [u64; 33],
    /// From when on units take an instruction.
    free: [u64; 2],
}

impl Default for Pipeline {
    fn default() -> Self {
        Pipeline { now: 0, ready: [0; 33], free: [0; 2] }
    }
}

fn index(unit: Unit) -> usize {
    match unit {
        Unit::Integer => 0,
        Unit::MultiplyDivide => 1,
    }
}

/// The places of a set of registers (see [`LO`]) in [`Pipeline::ready`].
fn places(set: u64) -> impl Iterator<Item = usize> {
    let accumulator = set & (LO | HI | GUARD) != 0;
    let mut rest = set as u32;
    let registers = std::iter::from_fn(move || {
        (rest != 0).then(|| {
            let place = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            place
        })
    });
    registers.chain(accumulator.then_some(ACCUMULATOR))
}

impl Pipeline {
    /// Cycles that have passed: when the next instruction could be issued.
    pub fn cycles(&self) -> u64 {
        self.now
    }

    /// The cycle in which an instruction would be issued next that reads these registers.
    pub fn earliest(&self, reads: u64, unit: Unit) -> u64 {
        let start = self.now.max(self.free[index(unit)]);
        places(reads).fold(start, |start, place| start.max(self.ready[place]))
    }

    /// Issues an instruction that reads and writes these registers.
    pub fn issue(&mut self, reads: u64, writes: u64, time: Time) {
        let start = self.earliest(reads, time.unit);
        self.now = start + u64::from(time.issue);
        self.free[index(time.unit)] = start + u64::from(time.occupies);
        for place in places(writes) {
            self.ready[place] = start + u64::from(time.latency);
        }
    }

    /// Lets a cycle pass in which nothing is issued.
    pub(crate) fn bubble(&mut self) {
        self.now += 1;
    }

    /// Whether both wait equally long for each register and unit.
    pub(crate) fn waits_like(&self, other: &Pipeline) -> bool {
        let waits = |own: &Pipeline| {
            let wait = |time: u64| time.saturating_sub(own.now);
            (own.ready.map(wait), own.free.map(wait))
        };
        waits(self) == waits(other)
    }

    /// A pipeline that has come as far as either of two, and waits for all that one of them waits for.
    pub(crate) fn later(&self, other: &Pipeline) -> Pipeline {
        let now = self.now.max(other.now);
        let wait =
            |own: u64, others: u64| now + own.saturating_sub(self.now).max(others.saturating_sub(other.now));
        Pipeline {
            now,
            ready: std::array::from_fn(|place| wait(self.ready[place], other.ready[place])),
            free: std::array::from_fn(|unit| wait(self.free[unit], other.free[unit])),
        }
    }

    /// A pipeline that has come as far as the less advanced of two, and waits for what both wait for.
    pub(crate) fn sooner(&self, other: &Pipeline) -> Pipeline {
        let now = self.now.min(other.now);
        let wait =
            |own: u64, others: u64| now + own.saturating_sub(self.now).min(others.saturating_sub(other.now));
        Pipeline {
            now,
            ready: std::array::from_fn(|place| wait(self.ready[place], other.ready[place])),
            free: std::array::from_fn(|unit| wait(self.free[unit], other.free[unit])),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cores::core;
    use crate::instructions::Kind;

    #[test]
    fn waits() {
        let timing = core("mips32-4km").unwrap().timing;
        let most = |kind| timing.times(kind).unwrap().most;
        let mut pipeline = Pipeline::default();
        // lw $2; addu ., $2: a cycle between them
        pipeline.issue(0, 1 << 2, most(Kind::Load));
        assert_eq!(pipeline.earliest(1 << 3, Unit::Integer), 1);
        pipeline.issue(1 << 2, 1 << 4, most(Kind::Plain));
        assert_eq!(pipeline.cycles(), 3);
        // two products: every other cycle; the integer unit goes on
        pipeline.issue(1 << 4, LO | HI, most(Kind::Product));
        assert_eq!(pipeline.earliest(LO | HI, Unit::MultiplyDivide), 5);
        pipeline.issue(0, 1 << 5, most(Kind::Plain));
        pipeline.issue(LO | HI, LO | HI, most(Kind::Product));
        assert_eq!(pipeline.cycles(), 6);
        // mflo waits for the product, and its result takes two cycles
        pipeline.issue(LO, 1 << 6, most(Kind::FromAccumulator));
        assert_eq!(pipeline.cycles(), 8);
        pipeline.issue(1 << 6, 0, most(Kind::Store));
        assert_eq!(pipeline.cycles(), 10);
    }
}
