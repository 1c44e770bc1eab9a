//! Which register holds what, and until when.
//!
//! Operand words and the words of the accumulator share one set of registers. A word's register is free
//! as soon as the word is no longer needed, and a pointer's registers join when its array is done with.
//! What is free beyond need makes clears cheaper: the neighbour of the zero register becomes a second
//! zero, and MOVW clears two words at once.

use crate::conventions::Convention;
use rhomb_kernel::{AccumulatorWord, Action, Operand, accumulator};
use std::collections::HashMap;

/// The registers beside the pointers and the product.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// Holds zero.
    pub(super) zero: u8,
    /// All others (bit n is Rn).
    pub(super) registers: u32,
    /// For carries that wait, where the routine has any.
    pub(super) masks: [u8; 2],
}

impl Layout {
    /// `count` registers. Those that need no saving come first, and all come by aligned pairs. `homes` are
    /// low registers of pairs that are taken already.
    pub(super) fn new(count: usize, convention: &Convention, homes: &[Option<u8>]) -> Layout {
        let taken = |pair: &u8| homes.iter().flatten().any(|home| home == pair);
        Layout::of(count, 0, convention, (2..26).step_by(2).filter(|pair| !taken(pair)).collect())
    }

    /// For two arrays, whose `pointers` leave the registers of a third one: `count` registers besides as
    /// many masks.
    pub(super) fn of_two(count: usize, masks: usize, pointers: [u8; 2], convention: &Convention) -> Layout {
        let taken = |pair: &u8| pointers.contains(pair) || convention.untouched & 3 << pair != 0;
        Layout::of(count, masks, convention, (2..32).step_by(2).filter(|pair| !taken(pair)).collect())
    }

    fn of(count: usize, masks: usize, convention: &Convention, mut pairs: Vec<u8>) -> Layout {
        pairs.sort_by_key(|pair| (convention.saved & 3 << pair != 0, std::cmp::Reverse(*pair)));
        let mut left: Vec<u8> = pairs.iter().flat_map(|even| [*even, even + 1]).take(count + masks).collect();
        let zero = if left.is_empty() { 2 } else { left.remove(0) };
        let mut parked = [zero; 2];
        for mask in parked.iter_mut().take(masks) {
            *mask = left.pop().unwrap_or(zero);
        }
        Layout { zero, registers: left.iter().fold(0, |set, register| set | 1 << register), masks: parked }
    }
}

/// For each load of an operand, the action that uses the word last; for all other actions, nothing.
pub(super) fn last_uses(actions: &[Action]) -> Vec<Option<usize>> {
    let mut last: HashMap<usize, usize> = HashMap::new();
    let mut uses = vec![None; actions.len()];
    for (at, action) in actions.iter().enumerate().rev() {
        match *action {
            Action::Multiply { a, b, .. } => {
                last.entry(a).or_insert(at);
                last.entry(b).or_insert(at);
            }
            Action::Load { slot, .. } => uses[at] = Some(last.remove(&slot).unwrap_or(at)),
            _ => {}
        }
    }
    uses
}

/// The most registers that are needed at a time, the zero included; slots from `slots` on take none.
pub(super) fn needed(actions: &[Action], uses: &[Option<usize>], slots: usize) -> usize {
    let mut change = vec![0i32; actions.len() + 1];
    for (at, (action, end)) in actions.iter().zip(uses).enumerate() {
        match (action, end) {
            (Action::Load { slot, .. }, Some(end)) if *slot < slots => {
                change[at] += 1;
                change[end + 1] -= 1;
            }
            _ => change[at] += accumulator::change(action),
        }
    }
    let held = change.iter().scan(1, |held, change| {
        *held += change;
        Some(*held)
    });
    held.max().unwrap_or(1) as usize
}

/// The registers while the program runs.
pub(super) struct Allocation {
    free: u32,
    /// Shares an aligned pair with the zero register.
    partner: u8,
    /// Free registers that hold zero.
    cleared: u32,
    /// For registers that hold an operand word, the action that uses it last.
    ends: [usize; 32],
    /// The operand word that a free register still holds.
    left: [Option<Operand>; 32],
    /// Registers of word, catcher and square, by column.
    places: Vec<[u8; 3]>,
}

/// How a word is cleared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clearing {
    /// Its register holds zero already.
    None,
    /// This register is to be cleared.
    One(u8),
    /// This aligned pair is to be cleared, from the zero register and its partner; with `first`, the
    /// partner has to be cleared before.
    Pair { low: u8, first: Option<u8> },
}

impl Allocation {
    pub(super) fn new(layout: &Layout) -> Self {
        let partner = layout.zero ^ 1;
        Allocation {
            free: layout.registers,
            partner,
            cleared: 0,
            ends: [usize::MAX; 32],
            left: [None; 32],
            places: Vec::new(),
        }
    }

    fn entry(&mut self, place: AccumulatorWord) -> &mut u8 {
        let column = place.column();
        if self.places.len() <= column {
            self.places.resize(column + 1, [0; 3]);
        }
        match place {
            AccumulatorWord::Column(_) => &mut self.places[column][0],
            AccumulatorWord::Catcher(_) => &mut self.places[column][1],
            AccumulatorWord::Square(_) => &mut self.places[column][2],
        }
    }

    fn is_free(&self, register: u8) -> bool {
        self.free & 1 << register != 0
    }

    fn registers(&self) -> impl Iterator<Item = u8> + use<> {
        let free = self.free;
        (0..32).filter(move |register| free & 1 << register != 0)
    }

    /// The low registers of free aligned pairs; the zero register's is none.
    fn pairs(&self) -> impl Iterator<Item = u8> + use<> {
        let free = self.free;
        (0..32).step_by(2).filter(move |even| free >> even & 3 == 3)
    }

    fn occupy(&mut self, register: u8, end: usize) {
        self.free &= !(1 << register);
        self.cleared &= !(1 << register);
        self.ends[usize::from(register)] = end;
        self.left[usize::from(register)] = None;
    }

    /// Notes that a free register is cleared.
    fn clear(&mut self, register: u8) {
        self.cleared |= 1 << register;
        self.left[usize::from(register)] = None;
    }

    /// Adds registers to the set.
    pub(super) fn join(&mut self, registers: u32) {
        self.free |= registers;
    }

    /// A register for an operand word that is needed until action `end`: one whose neighbour is taken for
    /// about as long, so that pairs stay whole and become free together.
    pub(super) fn take_operand(&mut self, end: usize) -> u8 {
        let rank = |register: u8| {
            let neighbour = register ^ 1;
            let apart = match self.is_free(neighbour) {
                true => 0,
                false => self.ends[usize::from(neighbour)].abs_diff(end),
            };
            let zero = self.cleared & 1 << register != 0;
            (register == self.partner, zero, self.is_free(neighbour), apart)
        };
        let register = self.registers().min_by_key(|register| rank(*register)).unwrap_or(self.partner);
        self.occupy(register, end);
        register
    }

    /// The register that an operand word was left in, if it still holds it; needed until action `end`.
    pub(super) fn take_again(&mut self, operand: Operand, end: usize) -> Option<u8> {
        let register = self.registers().find(|at| self.left[usize::from(*at)] == Some(operand))?;
        self.occupy(register, end);
        Some(register)
    }

    /// Frees the register of an operand word.
    pub(super) fn release_operand(&mut self, register: u8, operand: Operand) {
        self.free |= 1 << register;
        self.left[usize::from(register)] = Some(operand);
    }

    /// A register for a new word: one whose neighbour is taken, and one that is not cleared already.
    pub(super) fn take(&mut self, place: AccumulatorWord) -> u8 {
        let rank = |register: u8| {
            (register == self.partner, self.cleared & 1 << register != 0, self.is_free(register ^ 1))
        };
        let register = self.registers().min_by_key(|register| rank(*register)).unwrap_or(self.partner);
        self.occupy(register, usize::MAX);
        *self.entry(place) = register;
        register
    }

    /// A register for a new word that must be zero; `more` is the number of those that follow. A pair is
    /// cleared where that may save something: two words for one MOVW, and one EOR before the first.
    pub(super) fn take_zero(&mut self, place: AccumulatorWord, more: usize) -> Clearing {
        let unready = self.cleared & 1 << self.partner == 0;
        let ready = self.cleared & !(1 << self.partner);
        if ready != 0 {
            self.occupy(ready.trailing_zeros() as u8, usize::MAX);
            *self.entry(place) = ready.trailing_zeros() as u8;
            Clearing::None
        } else if let Some(low) = self.zero_pair(more > usize::from(unready)) {
            let first = unready.then_some(self.partner);
            self.clear(self.partner);
            self.occupy(low, usize::MAX);
            self.clear(low + 1);
            *self.entry(place) = low;
            Clearing::Pair { low, first }
        } else {
            let cleared = self.cleared;
            let register = self.take(place);
            if cleared & 1 << register == 0 { Clearing::One(register) } else { Clearing::None }
        }
    }

    /// The low register of a pair that can be cleared at once, if that `saves` something.
    fn zero_pair(&self, saves: bool) -> Option<u8> {
        if saves && self.is_free(self.partner) { self.pairs().next() } else { None }
    }

    /// An aligned pair for two new words, if there is one.
    pub(super) fn take_pair(&mut self, low: AccumulatorWord, high: AccumulatorWord) -> Option<u8> {
        let fresh = |even: &u8| self.cleared >> even & 3 == 0;
        let even = self.pairs().find(fresh).or_else(|| self.pairs().next())?;
        self.occupy(even, usize::MAX);
        self.occupy(even + 1, usize::MAX);
        *self.entry(low) = even;
        *self.entry(high) = even + 1;
        Some(even)
    }

    /// Gives the register of one word to another.
    pub(super) fn rename(&mut self, from: AccumulatorWord, to: AccumulatorWord) {
        *self.entry(to) = self.of(from);
    }

    /// The register of a word that is there.
    pub(super) fn of(&self, place: AccumulatorWord) -> u8 {
        let [word, catcher, square] = self.places[place.column()];
        match place {
            AccumulatorWord::Column(_) => word,
            AccumulatorWord::Catcher(_) => catcher,
            AccumulatorWord::Square(_) => square,
        }
    }

    /// The register of a word that is no longer needed; it is free afterwards.
    pub(super) fn release(&mut self, place: AccumulatorWord) -> u8 {
        let register = self.of(place);
        self.free |= 1 << register;
        register
    }
}
