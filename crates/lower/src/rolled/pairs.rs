//! Registers of the accumulator inside a block, with those at its borders in mind.
//!
//! A word stays where it comes into being. Which free register it takes decides whether products can be
//! placed by one copy of a pair, how many clears are needed (such a copy clears two words from a pair of zeros), and how many
//! moves bring the words back to where the code after the block expects them. A beam search over the
//! choices finds a cheapest way; with the few words of column-wise methods it is exhaustive.

use super::tree::Words;
use crate::file::Register;
use crate::moves::moves;
use rhomb_kernel::{AccumulatorWord, Action, Source};
use std::collections::HashMap;
use std::rc::Rc;

/// States that are followed at a time.
const BEAM: usize = 192;

/// Registers of which two neighbours are copied at once.
#[derive(Clone, Copy, Debug)]
pub struct Paired<'a> {
    /// Registers for the accumulator.
    pub registers: &'a [Register],
    /// Whether a pair of zeros is there to clear by.
    pub zero_pair: bool,
    /// Holds a word for a moment; it is none of them.
    pub spare: Register,
    /// Whether one of several free pairs that do not differ is enough: with many registers the ways are too
    /// many otherwise.
    pub alike: bool,
}

/// How a word becomes zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zero {
    /// Its register holds zero already.
    There,
    /// It is cleared.
    Clear,
    /// Its aligned pair is cleared, from a pair of zeros.
    ClearPair,
}

/// Where a new word goes.
#[derive(Clone, Copy, Debug)]
enum Choice {
    One(Register),
    Product([Register; 2]),
    Zero(Zero, Register),
}

/// Choices so far, the last one first.
struct Trail {
    choice: Choice,
    before: Option<Rc<Trail>>,
}

#[derive(Clone)]
struct State {
    /// Words that are there, by place.
    live: Vec<(AccumulatorWord, Register)>,
    /// Free registers that hold zero (bit n is Rn).
    cleared: u32,
    cost: u32,
    trail: Option<Rc<Trail>>,
}

impl State {
    fn position(&self, place: AccumulatorWord) -> usize {
        self.live.partition_point(|(other, _)| *other < place)
    }

    fn of(&self, place: AccumulatorWord) -> Register {
        self.live.get(self.position(place)).map_or(0, |(_, register)| *register)
    }

    fn put(&mut self, place: AccumulatorWord, register: Register) {
        self.live.insert(self.position(place), (place, register));
        self.cleared &= !(1 << register);
    }

    fn remove(&mut self, place: AccumulatorWord) {
        let at = self.position(place);
        if self.live.get(at).is_some_and(|(other, _)| *other == place) {
            self.live.remove(at);
        }
    }

    fn after(&self, choice: Choice, cost: u32) -> State {
        let trail = Some(Rc::new(Trail { choice, before: self.trail.clone() }));
        State { live: self.live.clone(), cleared: self.cleared, cost: self.cost + cost, trail }
    }

    fn free<'a>(&'a self, paired: &'a Paired) -> impl Iterator<Item = Register> + Clone + 'a {
        let taken = self.live.iter().fold(0u32, |set, (_, register)| set | 1 << register);
        paired.registers.iter().copied().filter(move |register| taken & 1 << register == 0)
    }

    /// The free registers that are worth a try: of pairs that are free, not cleared and not `wanted` at the
    /// end (bit n is Rn) the first one only.
    fn choices<'a>(&'a self, paired: &'a Paired, wanted: u32) -> impl Iterator<Item = Register> + Clone + 'a {
        let free = self.free(paired).fold(0u32, |set, register| set | 1 << register);
        let plain = move |register: &Register| {
            let pair = 3 << (register & !1);
            paired.alike && free & pair == pair && (self.cleared | wanted) & pair == 0
        };
        let first = self.free(paired).find(plain).map(|register| register & !1);
        self.free(paired).filter(move |register| !plain(register) || Some(register & !1) == first)
    }
}

/// The registers of a block's accumulator, taken in the order of the actions.
#[derive(Debug)]
pub struct Allocation {
    choices: Vec<Choice>,
    next: usize,
    live: HashMap<AccumulatorWord, Register>,
    /// Where the words of the block's end are.
    pub end: Vec<Register>,
}

/// Finds registers for a block, between its entry and its exit; where none are wanted there, any will do.
pub fn allocate(actions: &[Action], entry: Words, exit: Words, paired: &Paired) -> Allocation {
    let start = entry.registers.unwrap_or_default();
    let live: Vec<(AccumulatorWord, Register)> =
        entry.places.iter().copied().zip(start.iter().copied()).collect();
    let end = exit.registers;
    let mut first = State { live: Vec::new(), cleared: 0, cost: 0, trail: None };
    live.iter().for_each(|(place, register)| first.put(*place, *register));
    let mut states = vec![first];
    let wanted = end.unwrap_or_default().iter().fold(0, |set, register| set | 1 << register);
    for action in actions {
        states = follow(states, action, paired, wanted);
    }
    let at_end =
        |state: &State| -> Vec<Register> { exit.places.iter().map(|place| state.of(*place)).collect() };
    let cost = |state: &State| {
        let moved = end.map_or(0, |end| {
            moves(&at_end(state), end, Some(paired.spare), true).map_or(0, |moves| moves.len()) as u32
        });
        state.cost + moved
    };
    let best = states.iter().min_by_key(|state| cost(state));
    let mut choices = Vec::new();
    let mut trail = best.and_then(|state| state.trail.as_ref());
    while let Some(one) = trail {
        choices.push(one.choice);
        trail = one.before.as_ref();
    }
    choices.reverse();
    let end = best.map(at_end).unwrap_or_default();
    Allocation { choices, next: 0, live: live.into_iter().collect(), end }
}

fn follow(states: Vec<State>, action: &Action, paired: &Paired, wanted: u32) -> Vec<State> {
    let mut next = Vec::with_capacity(states.len());
    match *action {
        Action::PlaceProduct { low, high } => {
            for state in &states {
                let place = |pair: [Register; 2], cost| {
                    let mut state = state.after(Choice::Product(pair), cost);
                    state.put(low, pair[0]);
                    state.put(high, pair[1]);
                    state
                };
                let free = state.choices(paired, wanted);
                let before = next.len();
                let even = free.clone().filter(|even| even % 2 == 0);
                next.extend(
                    even.filter(|even| free.clone().any(|it| it == even + 1))
                        .map(|even| place([even, even + 1], 1)),
                );
                if next.len() == before {
                    for one in free.clone() {
                        next.extend(free.clone().filter(|two| *two != one).map(|two| place([one, two], 2)));
                    }
                }
            }
        }
        Action::Place { to, source: Source::Accumulator(from) } => {
            next.extend(states.into_iter().map(|mut state| {
                let register = state.of(from);
                state.remove(from);
                state.put(to, register);
                state
            }));
            return next;
        }
        Action::Place { to, .. } => {
            for state in &states {
                next.extend(state.choices(paired, wanted).map(|register| {
                    let mut state = state.after(Choice::One(register), 1);
                    state.put(to, register);
                    state
                }));
            }
        }
        Action::Clear { to, .. } => {
            for state in &states {
                clears(state, to, paired, wanted, &mut next);
            }
        }
        Action::Add { source: Source::Accumulator(place), .. } | Action::Drop { place } => {
            next.extend(states.into_iter().map(|mut state| {
                state.remove(place);
                state
            }));
            return next;
        }
        Action::Store { column, .. } => {
            next.extend(states.into_iter().map(|mut state| {
                state.remove(AccumulatorWord::Column(column));
                state
            }));
        }
        Action::Add { .. }
        | Action::Load { .. }
        | Action::Multiply { .. }
        | Action::StoreZero { .. }
        | Action::Double { .. }
        | Action::Park { .. }
        | Action::Restore { .. } => return states,
    }
    thinned(next)
}

/// All ways to make a word that is zero.
fn clears(state: &State, to: AccumulatorWord, paired: &Paired, wanted: u32, next: &mut Vec<State>) {
    let mut push = |zero: Zero, register: Register, cost: u32, cleared: Option<Register>| {
        let mut state = state.after(Choice::Zero(zero, register), cost);
        state.put(to, register);
        state.cleared |= cleared.map_or(0, |cleared| 1 << cleared);
        next.push(state);
    };
    for register in state.choices(paired, wanted) {
        if state.cleared & 1 << register != 0 {
            push(Zero::There, register, 0, None);
            continue;
        }
        push(Zero::Clear, register, 1, None);
        let other = register ^ 1;
        if paired.zero_pair && state.free(paired).any(|free| free == other) {
            push(Zero::ClearPair, register, 1, Some(other));
        }
    }
}

/// The cheapest of equal states, and of those the cheapest.
fn thinned(mut states: Vec<State>) -> Vec<State> {
    states.sort_by_key(|state| state.cost);
    let mut seen = std::collections::HashSet::new();
    states.retain(|state| seen.insert((state.live.clone(), state.cleared)));
    states.truncate(BEAM);
    states
}

impl Allocation {
    fn choice(&mut self) -> Option<Choice> {
        self.next += 1;
        self.choices.get(self.next - 1).copied()
    }

    /// A register for a new word.
    pub fn take(&mut self, place: AccumulatorWord) -> Register {
        let register = match self.choice() {
            Some(Choice::One(register)) => register,
            _ => 0,
        };
        self.live.insert(place, register);
        register
    }

    /// Registers for two new words, the words of a product.
    pub fn take_product(&mut self, low: AccumulatorWord, high: AccumulatorWord) -> [Register; 2] {
        let pair = match self.choice() {
            Some(Choice::Product(pair)) => pair,
            _ => [0, 0],
        };
        self.live.insert(low, pair[0]);
        self.live.insert(high, pair[1]);
        pair
    }

    /// A register for a new word that must be zero.
    pub fn take_zero(&mut self, place: AccumulatorWord) -> (Zero, Register) {
        let (zero, register) = match self.choice() {
            Some(Choice::Zero(zero, register)) => (zero, register),
            _ => (Zero::Clear, 0),
        };
        self.live.insert(place, register);
        (zero, register)
    }

    /// Gives the register of one word to another.
    pub fn rename(&mut self, from: AccumulatorWord, to: AccumulatorWord) {
        if let Some(register) = self.live.remove(&from) {
            self.live.insert(to, register);
        }
    }

    /// The register of a word that is there.
    pub fn of(&self, place: AccumulatorWord) -> Register {
        self.live.get(&place).copied().unwrap_or(0)
    }

    /// The register of a word that is no longer needed.
    pub fn release(&mut self, place: AccumulatorWord) -> Register {
        self.live.remove(&place).unwrap_or(0)
    }
}
