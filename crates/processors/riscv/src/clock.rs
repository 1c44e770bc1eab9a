//! The clock: when each instruction begins. One after the other, each as soon as what it reads is there.

use crate::cores::{Rules, Time};
use crate::instructions::Kind;
use crate::program::Decoded;

/// Bytes of a word that were stored, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stored {
    bytes: Bytes,
    ago: u64,
}

/// The number of a word of memory, and the bytes of it that are accessed.
pub(crate) type Bytes = (u32, u8);

/// The state of a clock, in cycles since some start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    now: u64,
    ready: [u64; 32],
    /// What was stored a moment ago, where that matters.
    stored: Vec<Stored>,
    /// Whether the high word of a product was the last.
    after_high: bool,
    /// The branch that is expected to be taken.
    expected: Option<u32>,
}

/// The registers of a set.
fn members(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let number = set.trailing_zeros() as usize & 31;
        let found = (set != 0).then_some(number);
        set &= set.wrapping_sub(1);
        found
    })
}

impl Clock {
    /// Cycles that have passed.
    pub fn cycles(&self) -> u64 {
        self.now
    }

    /// An instruction that takes that time, and accesses these bytes. The answer is when it begins, and whether it loads what
    /// was stored a moment ago.
    pub(crate) fn issue(
        &mut self,
        one: &Decoded,
        mut time: Time,
        rules: &Rules,
        bytes: Bytes,
    ) -> (u64, bool) {
        let kind = one.kind;
        let mut waited = one.reads;
        if rules.late_store && kind == Kind::Store {
            waited = (1 << one.instruction.rs1) & !1;
        }
        if rules.early_jumps && !matches!(kind, Kind::Load | Kind::Part | Kind::Jump | Kind::JumpRegister) {
            waited |= one.writes;
        }
        let mut start = self.start(waited, self.now);
        if rules.early_jumps {
            if kind == Kind::JumpRegister && self.now > 0 {
                start = members(waited).fold(start, |start, number| start.max(self.ready[number] + 1));
            }
            let jumps = matches!(kind, Kind::Jump | Kind::JumpRegister);
            time.issue -= u8::from(jumps && self.after_high);
            self.after_high = kind == Kind::High;
        }
        let mut collides = false;
        if rules.collision > 0 {
            let passed = start - self.now;
            let meets = |stored: &Stored| stored.bytes.0 == bytes.0 && stored.bytes.1 & bytes.1 != 0;
            self.stored.retain(|stored| stored.ago + passed <= 2);
            collides = matches!(kind, Kind::Load | Kind::Part) && self.stored.iter().any(meets);
            self.stored.iter_mut().for_each(|stored| stored.ago += passed + u64::from(time.issue));
            if kind == Kind::Store {
                self.stored.push(Stored { bytes, ago: time.issue.into() });
            }
        }
        self.now = start + u64::from(time.issue);
        // what was to come later still does: registers are written in order
        let latest = start + u64::from(time.latency);
        members(one.writes).for_each(|number| self.ready[number] = self.ready[number].max(latest));
        (start, collides)
    }

    /// Whether one of these instructions, of which the first could begin at `slot`, would wait for a register while it is the
    /// next to begin at `at`.
    pub(crate) fn is_stalled<'a>(
        &self,
        mut slot: u64,
        at: u64,
        code: impl Iterator<Item = &'a Decoded>,
    ) -> bool {
        let mut ready = self.ready;
        for one in code {
            let start = members(one.reads).fold(slot, |start, number| start.max(ready[number]));
            if start > at {
                return start > at + 1;
            }
            let (Some([time, _]), false) = (one.times, matches!(one.kind, Kind::Jump | Kind::JumpRegister))
            else {
                return false;
            };
            members(one.writes).for_each(|number| ready[number] = start + u64::from(time.latency));
            slot = start + 1;
        }
        false
    }

    /// What comes next, and what is written, come later.
    pub(crate) fn delay(&mut self, cycles: u64, writes: u64) {
        self.now += cycles;
        members(writes).for_each(|number| self.ready[number] += cycles);
        self.stored.iter_mut().for_each(|stored| stored.ago += cycles);
    }

    /// When registers are there, or later.
    fn start(&self, reads: u64, least: u64) -> u64 {
        members(reads).fold(least, |start, number| start.max(self.ready[number]))
    }

    /// Whether a branch at an address is expected to be taken, and from now on whether it was.
    pub(crate) fn expect(&mut self, address: u32, back: bool, taken: bool) -> bool {
        let expected = self.expected == Some(address);
        if back && taken {
            self.expected = Some(address);
        } else if expected {
            self.expected = None;
        }
        expected
    }

    /// What is still waited for, from now on.
    fn pending(&self) -> Clock {
        let ready = self.ready.map(|ready| ready.saturating_sub(self.now));
        Clock { now: 0, ready, ..self.clone() }
    }

    /// Whether what comes next waits equally long in both.
    pub(crate) fn waits_like(&self, other: &Clock) -> bool {
        self.pending() == other.pending()
    }

    /// As far as the less or the more advanced of two, in the time and in each wait.
    pub(crate) fn either(&self, other: &Clock, of: fn(u64, u64) -> u64) -> Clock {
        let (now, own, others) = (of(self.now, other.now), self.pending(), other.pending());
        let most = of(0, 1) == 1;
        let ready = std::array::from_fn(|number| now + of(own.ready[number], others.ready[number]));
        let mut stored = own.stored.clone();
        if most {
            stored.extend(others.stored.iter().filter(|one| !own.stored.contains(one)));
        } else {
            stored.retain(|one| others.stored.contains(one));
        }
        let after_high =
            if most { own.after_high && others.after_high } else { own.after_high || others.after_high };
        Clock { now, ready, stored, after_high, expected: if most { others.expected } else { own.expected } }
    }
}
