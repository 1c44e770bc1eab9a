//! Which register holds what, and until when.
//!
//! Operand words and the words of the accumulator share one set of registers. A word's register is free
//! as soon as the word is no longer needed, and a pointer's registers join when its array is done with.
//! What is free beyond need makes clears cheaper: the neighbour of the zero register becomes a second
//! zero, and MOVW clears two words at once.

use super::PASSING;
use super::translate::{HIGH, LOW, Registers};
use crate::conventions::Convention;
use crate::instructions::{Instruction, Op};
use rhomb_kernel::{AccumulatorWord, Action, Carry, Operand, Source, accumulator};
use rhomb_line::Array;
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

/// What the registers of a straight line depend on.
pub(super) struct Liveness<'a> {
    pub(super) actions: &'a [Action],
    /// For each load, the action that uses the word last.
    pub(super) uses: &'a [Option<usize>],
    /// Size of the operand pool; the slots after it are R0 and R1.
    pub(super) slots: usize,
}

impl Liveness<'_> {
    /// The action that accesses an operand last.
    fn last_access(&self, array: Array) -> Option<usize> {
        self.actions.iter().rposition(|action| match action {
            Action::Load { operand: Operand::A(_), .. } => array == Array::A,
            Action::Load { operand: Operand::B(_), .. } => array == Array::B,
            _ => false,
        })
    }
}

/// An operand word in a register, and the action that uses it last.
#[derive(Clone, Copy)]
struct Held {
    operand: Operand,
    register: u8,
    end: usize,
}

/// Whether a word becomes zero.
fn clears(action: &Action) -> bool {
    matches!(action, Action::Clear { .. } | Action::Place { source: Source::Zero, .. })
}

/// The registers while the program runs.
pub(super) struct Allocation<'a> {
    layout: &'a Layout,
    line: &'a Liveness<'a>,
    free: u32,
    /// Shares an aligned pair with the zero register.
    partner: u8,
    /// Free registers that hold zero.
    cleared: u32,
    /// How often a word is still to be cleared.
    clears: usize,
    /// For registers that hold an operand word, the action that uses it last.
    ends: [usize; 32],
    /// The operand word that a free register still holds.
    left: [Option<Operand>; 32],
    /// The pool's words, by slot.
    operands: Vec<Option<Held>>,
    /// Registers of word, catcher and square, by column.
    places: Vec<[u8; 3]>,
    /// Registers that join the others after an action: those of pointers to arrays that are done with.
    later: Vec<(usize, u32)>,
}

impl<'a> Allocation<'a> {
    /// `pointers` are the registers that only an array's accesses need, by array.
    pub(super) fn new(line: &'a Liveness<'a>, layout: &'a Layout, pointers: [u32; 3]) -> Self {
        let later = [Array::A, Array::B].into_iter();
        let later = later.filter_map(|array| Some((line.last_access(array)?, pointers[array as usize])));
        Allocation {
            layout,
            line,
            free: layout.registers,
            partner: layout.zero ^ 1,
            cleared: 0,
            clears: line.actions.iter().filter(|action| clears(action)).count(),
            ends: [usize::MAX; 32],
            left: [None; 32],
            operands: vec![None; line.slots + PASSING],
            places: Vec::new(),
            later: later.collect(),
        }
    }

    /// Row and column of a word in `places`.
    fn entry(place: AccumulatorWord) -> (usize, usize) {
        let kind = match place {
            AccumulatorWord::Column(_) => 0,
            AccumulatorWord::Catcher(_) => 1,
            AccumulatorWord::Square(_) => 2,
        };
        (place.column(), kind)
    }

    fn put(&mut self, place: AccumulatorWord, register: u8) {
        let (column, kind) = Self::entry(place);
        if self.places.len() <= column {
            self.places.resize(column + 1, [0; 3]);
        }
        self.places[column][kind] = register;
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
    fn is_cleared(&mut self, register: u8) {
        self.cleared |= 1 << register;
        self.left[usize::from(register)] = None;
    }

    /// A register for an operand word that is needed until action `end`: one whose neighbour is taken for
    /// about as long, so that pairs stay whole and become free together.
    fn take_operand(&mut self, end: usize) -> u8 {
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
    fn take_again(&mut self, operand: Operand, end: usize) -> Option<u8> {
        let register = self.registers().find(|at| self.left[usize::from(*at)] == Some(operand))?;
        self.occupy(register, end);
        Some(register)
    }

    /// The low register of a pair that can be cleared at once, if that `saves` something.
    fn zero_pair(&self, saves: bool) -> Option<u8> {
        if saves && self.is_free(self.partner) { self.pairs().next() } else { None }
    }
}

impl Registers for Allocation<'_> {
    fn load(&mut self, at: usize, slot: usize, operand: Operand) -> Option<u8> {
        let end = self.line.uses[at].unwrap_or(at);
        let again = self.take_again(operand, end);
        let register = again.or_else(|| (slot < self.line.slots).then(|| self.take_operand(end)));
        self.operands[slot] = register.map(|register| Held { operand, register, end });
        again.is_none().then(|| self.operand(slot))
    }

    fn operand(&self, slot: usize) -> u8 {
        match self.operands[slot] {
            Some(held) => held.register,
            None if slot == self.line.slots => LOW,
            None => HIGH,
        }
    }

    /// Frees the register of a word that no later action uses.
    fn used(&mut self, at: usize, slot: usize) {
        if let Some(held) = self.operands[slot].filter(|held| held.end == at) {
            self.free |= 1 << held.register;
            self.left[usize::from(held.register)] = Some(held.operand);
        }
    }

    /// One whose neighbour is taken, and one that is not cleared already.
    fn take(&mut self, place: AccumulatorWord) -> u8 {
        let rank = |register: u8| {
            (register == self.partner, self.cleared & 1 << register != 0, self.is_free(register ^ 1))
        };
        let register = self.registers().min_by_key(|register| rank(*register)).unwrap_or(self.partner);
        self.occupy(register, usize::MAX);
        self.put(place, register);
        register
    }

    fn take_product(&mut self, low: AccumulatorWord, high: AccumulatorWord) -> [u8; 2] {
        let fresh = |even: &u8| self.cleared >> even & 3 == 0;
        let Some(even) = self.pairs().find(fresh).or_else(|| self.pairs().next()) else {
            return [low, high].map(|place| self.take(place));
        };
        for (place, register) in [(low, even), (high, even + 1)] {
            self.occupy(register, usize::MAX);
            self.put(place, register);
        }
        [even, even + 1]
    }

    /// A pair is cleared from the zero register and its partner where that may save something: two words for one MOVW, and
    /// one EOR before the first.
    fn clear(&mut self, place: AccumulatorWord) -> [Option<Instruction>; 2] {
        self.clears -= 1;
        let zero = |register: u8| Instruction::dr(Op::Eor, register, register);
        let unready = self.cleared & 1 << self.partner == 0;
        let ready = self.cleared & !(1 << self.partner);
        if ready != 0 {
            self.occupy(ready.trailing_zeros() as u8, usize::MAX);
            self.put(place, ready.trailing_zeros() as u8);
            [None, None]
        } else if let Some(low) = self.zero_pair(self.clears > usize::from(unready)) {
            self.is_cleared(self.partner);
            self.occupy(low, usize::MAX);
            self.is_cleared(low + 1);
            self.put(place, low);
            let pair = Instruction::dr(Op::Movw, low, self.layout.zero & !1);
            [unready.then(|| zero(self.partner)), Some(pair)]
        } else {
            let cleared = self.cleared;
            let register = self.take(place);
            [(cleared & 1 << register == 0).then(|| zero(register)), None]
        }
    }

    fn of(&self, place: AccumulatorWord) -> u8 {
        let (column, kind) = Self::entry(place);
        self.places[column][kind]
    }

    fn release(&mut self, place: AccumulatorWord) -> u8 {
        let register = self.of(place);
        self.free |= 1 << register;
        register
    }

    fn rename(&mut self, from: AccumulatorWord, to: AccumulatorWord) {
        self.put(to, self.of(from));
    }

    fn mask(&self, carry: Carry) -> u8 {
        self.layout.masks[carry as usize]
    }

    fn zero(&self) -> u8 {
        self.layout.zero
    }

    fn done(&mut self, at: usize) {
        let joins = self.later.iter().filter(|(last, _)| *last == at);
        self.free |= joins.fold(0, |set, (_, registers)| set | registers);
    }
}
