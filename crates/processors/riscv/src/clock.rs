//! The clock: when each instruction begins. One after the other, each as soon as what it reads is there.

use crate::cores::Time;

/// The state of a clock, in cycles since some start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    now: u64,
    ready: [u64; 32],
}

/// The registers of a set.
fn members(set: u64) -> impl Iterator<Item = usize> {
    (0..32).filter(move |number| set >> number & 1 == 1)
}

impl Clock {
    /// Cycles that have passed.
    pub fn cycles(&self) -> u64 {
        self.now
    }

    /// An instruction that reads and writes these registers.
    pub fn issue(&mut self, reads: u64, writes: u64, time: Time) {
        let start = members(reads).fold(self.now, |start, number| start.max(self.ready[number]));
        self.now = start + u64::from(time.issue);
        members(writes).for_each(|number| self.ready[number] = start + u64::from(time.latency));
    }

    fn waits(&self) -> [u64; 32] {
        self.ready.map(|ready| ready.saturating_sub(self.now))
    }

    /// Whether both wait equally long for each register.
    pub(crate) fn waits_like(&self, other: &Clock) -> bool {
        self.waits() == other.waits()
    }

    /// As far as `of` says, `min` or `max`, of two, in the time and in each wait.
    pub(crate) fn either(&self, other: &Clock, of: fn(u64, u64) -> u64) -> Clock {
        let (now, own, others) = (of(self.now, other.now), self.waits(), other.waits());
        Clock { now, ready: std::array::from_fn(|number| now + of(own[number], others[number])) }
    }
}
