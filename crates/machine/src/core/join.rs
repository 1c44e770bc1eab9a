//! What is put aside, and joined, where both sides of a condition are executed.

use super::{InstructionSet, Machine, Own, ProgramPoint, State};
use crate::{Cycles, Domain, Memory, Stack};
use std::slice;

/// Two states that cannot be joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Apart;

/// What tells two sides apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// The condition of an instruction.
    Condition,
    /// Which of two addresses one is.
    Address,
}

/// The state of a machine but for its domain.
pub struct Saved<I: InstructionSet, D: Domain> {
    memory: Memory<D::Word>,
    registers: I::Registers<D::Word>,
    flags: I::Flags<D::Bit>,
    place: ProgramPoint,
    /// Least cycles.
    pub cycles: u64,
    /// What data might add to them.
    pub spread: u64,
    defined: u64,
    undefined_cells: Vec<(u32, u8)>,
    stack: Stack,
    /// What this instruction set alone has.
    pub own: I::Own<D>,
}

impl<I: InstructionSet, D: Domain> Saved<I, D> {
    /// Where execution stands.
    pub(super) fn place(&self) -> ProgramPoint {
        self.place
    }

    /// Cycles since the start, the least and the most.
    pub fn counted(&self) -> Cycles {
        Cycles { min: self.cycles, max: self.cycles + self.spread }
    }
}

impl<I: InstructionSet, D: Domain> State<I, D> {
    /// Cycles since the start, the least and the most.
    #[inline(always)]
    pub fn counted(&self) -> Cycles {
        Cycles { min: self.cycles, max: self.cycles + self.spread }
    }

    /// A copy of the state.
    pub(super) fn save(&self) -> Saved<I, D> {
        Saved {
            memory: self.memory.clone(),
            registers: self.registers.clone(),
            flags: self.flags.clone(),
            place: self.place(),
            cycles: self.cycles,
            spread: self.spread,
            defined: self.defined,
            undefined_cells: self.undefined_cells.clone(),
            stack: self.stack.clone(),
            own: self.own.clone(),
        }
    }

    /// Goes back to a state.
    pub(super) fn restore(&mut self, state: Saved<I, D>) {
        self.memory = state.memory;
        self.registers = state.registers;
        self.flags = state.flags;
        ProgramPoint { pc: self.pc, slot: self.slot } = state.place;
        (self.cycles, self.spread) = (state.cycles, state.spread);
        self.defined = state.defined;
        self.undefined_cells = state.undefined_cells;
        self.stack = state.stack;
        self.own = state.own;
    }

    /// Both sides of each word that is joined, this one's and the other's: registers, and the words of what the
    /// instruction set alone has.
    fn words(&mut self, other: &mut Saved<I, D>) -> Vec<(D::Word, D::Word)> {
        let registers = self.registers.as_ref().iter().zip(other.registers.as_ref());
        let registers = registers.map(|(own, other)| (own.clone(), other.clone()));
        let own = self.own.words().into_iter().zip(other.own.words());
        let own = own.map(|(own, other)| (own.clone(), other.clone()));
        if I::Own::<D>::FIRST { own.chain(registers).collect() } else { registers.chain(own).collect() }
    }

    /// Joins another state into this one, that of the side whose condition holds.
    fn join(&mut self, (condition, by): (&D::Bit, By), other: &mut Saved<I, D>) -> Result<(), Apart> {
        if self.undefined_cells != other.undefined_cells || !self.own.agrees(&other.own, &self.domain) {
            return Err(Apart);
        }
        let mut words = self.words(other);
        let cells = self.memory.differing(&other.memory, &mut self.domain).ok_or(Apart)?;
        for cell in &cells {
            if let (Some(own), Some(other)) = (self.memory.peek(*cell), other.memory.peek(*cell)) {
                words.push((own.clone(), other.clone()));
            }
        }
        let bits = self.flags.as_ref().iter().cloned().zip(other.flags.as_ref().iter().cloned());
        let bits: Vec<(D::Bit, D::Bit)> = bits.collect();
        let (words, bits) = match by {
            By::Condition => self.domain.join(condition, &words, &bits),
            By::Address => {
                let chosen = words.iter().map(|(own, other)| match self.domain.same(own, other) {
                    true => Some(own.clone()),
                    false => self.domain.chosen(slice::from_ref(condition), &[other.clone(), own.clone()]),
                });
                let chosen = chosen.collect::<Option<_>>().ok_or(Apart)?;
                self.domain.join(condition, &[], &bits).map(|(_, bits)| (chosen, bits))
            }
        }
        .ok_or(Apart)?;
        let mut words = words.into_iter();
        let registers = self.registers.as_mut().iter_mut();
        let own = self.own.words().into_iter();
        let places: Vec<&mut D::Word> =
            if I::Own::<D>::FIRST { own.chain(registers).collect() } else { registers.chain(own).collect() };
        for (place, word) in places.into_iter().zip(&mut words) {
            *place = word;
        }
        for (cell, word) in cells.into_iter().zip(words) {
            self.memory.fill(cell, &[word]).map_err(|_| Apart)?;
        }
        for (flag, bit) in self.flags.as_mut().iter_mut().zip(bits) {
            *flag = bit;
        }
        // what only one side has defined is undefined
        self.defined &= other.defined;
        self.stack.join(&other.stack);
        Ok(())
    }
}

/// Joins another state into a machine's, that of the side whose condition holds: its cycles, too, so that there are the least
/// and the most of both.
///
/// # Errors
/// They cannot be joined.
pub(super) fn join<M: Machine>(
    machine: &mut M,
    condition: (&<M::Domain as Domain>::Bit, By),
    other: &mut Saved<M::Set, M::Domain>,
) -> Result<(), Apart> {
    machine.join(condition, other)?;
    machine.join_own(other);
    let both = machine.counted().hull(other.counted());
    (machine.cycles, machine.spread) = (both.min, both.max - both.min);
    machine.skipped = false;
    Ok(())
}
