//! What is put aside, and joined, where both sides of a condition are executed.

use super::line::line;
use super::{InstructionSet, Machine, Own, Place, State};
use crate::{Apart, Domain, Fork, Forks, Memory, Stack, nearest};

/// The state of a machine but for its domain.
pub struct Saved<I: InstructionSet, D: Domain> {
    memory: Memory<D::Word>,
    registers: I::Registers<D::Word>,
    flags: I::Flags<D::Bit>,
    place: Place,
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

impl<I: InstructionSet, D: Domain> State<I, D> {
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
    fn join(&mut self, condition: &D::Bit, other: &mut Saved<I, D>) -> Result<(), Apart> {
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
        let (words, bits) = self.domain.join(condition, &words, &bits).ok_or(Apart)?;
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

impl<M: Machine> Forks for M {
    type Domain = M::Domain;
    type State = Saved<M::Set, M::Domain>;
    type Place = Place;

    fn domain(&mut self) -> &mut M::Domain {
        &mut (**self).domain
    }

    fn fork(&mut self) -> &mut Fork<<M::Domain as Domain>::Bit> {
        &mut (**self).fork
    }

    fn place(&self) -> Place {
        (**self).place()
    }

    fn set_place(&mut self, place: Place) {
        Place { pc: self.pc, slot: self.slot } = place;
    }

    fn address(&self, place: Place) -> u64 {
        use super::Code;
        self.program.address(place.pc)
    }

    fn stack_pointer(&self) -> Option<u32> {
        self.pointer()
    }

    /// The nearest place to which two straight lines come, following jumps, passing over calls; a return goes where the
    /// link register points before, if there is one.
    fn meeting_point(&self, first: Place, second: Place) -> Option<u32> {
        let line = |start| line(&*self.program, start, self.link());
        nearest(&line(first), &line(second))
    }

    fn is_at(&self, meeting: u32) -> bool {
        self.pc == meeting && self.slot.is_none()
    }

    fn waits_like(&self, other: &Self::State) -> bool {
        Machine::waits_like(self, other)
    }

    fn save(&self) -> Self::State {
        Saved {
            memory: self.memory.clone(),
            registers: self.registers.clone(),
            flags: self.flags.clone(),
            place: (**self).place(),
            cycles: self.cycles,
            spread: self.spread,
            defined: self.defined,
            undefined_cells: self.undefined_cells.clone(),
            stack: self.stack.clone(),
            own: self.own.clone(),
        }
    }

    fn restore(&mut self, state: Self::State) {
        self.memory = state.memory;
        self.registers = state.registers;
        self.flags = state.flags;
        self.set_place(state.place);
        (self.cycles, self.spread) = (state.cycles, state.spread);
        self.defined = state.defined;
        self.undefined_cells = state.undefined_cells;
        self.stack = state.stack;
        self.own = state.own;
    }

    fn join(&mut self, condition: &<M::Domain as Domain>::Bit, mut other: Self::State) -> Result<(), Apart> {
        State::join(self, condition, &mut other)?;
        self.join_own(&mut other);
        let most = (self.cycles + self.spread).max(other.cycles + other.spread);
        self.cycles = self.cycles.min(other.cycles);
        self.spread = most - self.cycles;
        self.skipped = false;
        Ok(())
    }
}

/// What a machine that counts by [`State::cycles`] has counted.
impl<I: InstructionSet, D: Domain> State<I, D> {
    /// Cycles since the start, the least and the most.
    #[inline(always)]
    pub fn counted(&self) -> crate::Cycles {
        crate::Cycles { min: self.cycles, max: self.cycles + self.spread }
    }
}
