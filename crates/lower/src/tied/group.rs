//! Loads next to loads, where these take less.

use super::{Place, Placed, Setting};
use crate::file::Register;

/// How far a load is moved.
const FAR: usize = 24;

impl Placed {
    /// Registers that it reads and writes, as sets of bits.
    fn touched(&self) -> (u32, u32) {
        let bit = |register: Register| 1u32 << register;
        let all = |registers: [Register; 2]| bit(registers[0]) | bit(registers[1]);
        let base = |place: Place| match place {
            Place::Behind(base, _) => bit(base),
            Place::Frame(_) | Place::Argument(_) | Place::Bank(_) => 0,
        };
        match *self {
            Placed::Product { factors, to } => (all(factors), all(to)),
            Placed::Accumulate { factors, to } => (all(factors) | all(to), all(to)),
            Placed::Sum { to, x, y, .. } => (bit(x) | y.map_or(0, bit), bit(to)),
            Placed::Difference { to, x, y, .. } => (bit(x) | y.map_or(0, bit), bit(to)),
            Placed::Spread { to } => (0, bit(to)),
            Placed::Low { to, factors } => (all(factors), bit(to)),
            Placed::And { to, x, y } => (bit(x) | bit(y), bit(to)),
            Placed::Mask { to, x, .. }
            | Placed::Negate { to, x }
            | Placed::Not { to, x }
            | Placed::Shift { to, x, .. } => (bit(x), bit(to)),
            Placed::Number { to, .. } => (0, bit(to)),
            Placed::Load { to, place } => (base(place), bit(to)),
            Placed::Store { from, place } => (bit(from) | base(place), 0),
        }
    }

    fn is_load(&self) -> bool {
        matches!(self, Placed::Load { place, .. } if !matches!(place, Place::Bank(_)))
    }

    /// Registers that it writes, as a set of bits.
    pub(super) fn writes(&self) -> u32 {
        self.touched().1
    }
}

/// Whether two neighbours may change places. Different words of memory are told apart by base and number, which is right for
/// one array: operands are never stored to, unless the result is `shared` with them.
fn may_pass(one: &Placed, other: &Placed, shared: bool) -> bool {
    let ((one_reads, one_writes), (reads, writes)) = (one.touched(), other.touched());
    let same = match (one, other) {
        (Placed::Load { place, .. }, Placed::Store { place: stored, .. })
        | (Placed::Store { place: stored, .. }, Placed::Load { place, .. }) => {
            let both = matches!((place, stored), (Place::Behind(..), Place::Behind(..)));
            place == stored || shared && both
        }
        _ => false,
    };
    one_writes & (reads | writes) == 0 && one_reads & writes == 0 && !same
}

/// Whether a load right after a load takes less.
fn follows(first: &Placed, second: &Placed) -> bool {
    first.is_load() && second.is_load() && first.touched().1 & second.touched().0 == 0
}

/// Moves lone loads to others.
pub(super) fn group(code: &mut [Placed], shared: bool) {
    for at in 1..code.len() {
        if !code[at].is_load() || follows(&code[at - 1], &code[at]) {
            continue;
        }
        let mut to = at;
        while to > 0
            && at - to < FAR
            && !follows(&code[to - 1], &code[at])
            && may_pass(&code[to - 1], &code[at], shared)
        {
            to -= 1;
        }
        if to > 0 && follows(&code[to - 1], &code[at]) {
            code[to..=at].rotate_right(1);
        }
    }
    for at in (0..code.len().saturating_sub(1)).rev() {
        let before = at > 0 && code[at - 1].is_load();
        if !code[at].is_load() || before || code[at + 1].is_load() {
            continue;
        }
        let mut to = at;
        while to + 1 < code.len()
            && to - at < FAR
            && !follows(&code[at], &code[to + 1])
            && may_pass(&code[at], &code[to + 1], shared)
        {
            to += 1;
        }
        if to + 1 < code.len() && follows(&code[at], &code[to + 1]) {
            code[at..=to].rotate_left(1);
        }
    }
}

/// Cycles of instructions one after the other.
pub(super) fn cycles(code: &[Placed], setting: &Setting) -> u64 {
    let times = &setting.times;
    let one = |at: usize| match &code[at] {
        Placed::Load { place: Place::Bank(_), .. } | Placed::Store { place: Place::Bank(_), .. } => {
            times.moved
        }
        Placed::Load { .. } if at > 0 && follows(&code[at - 1], &code[at]) => times.next_load,
        Placed::Load { .. } => times.load,
        Placed::Store { .. } => times.store,
        Placed::Number { number, .. } => (setting.number)(*number),
        _ => 1,
    };
    (0..code.len()).map(one).sum()
}
