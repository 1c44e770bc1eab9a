//! What is put aside, and joined, where both sides of a branch are executed.

use crate::instructions::Op;
use crate::machine::Machine;
use crate::program::Program;
use rhomb_machine::{Apart, Domain, Fork, Forks, LONGEST_SIDE, Memory, Stack, nearest};

/// The state of a machine but for its domain.
pub struct State<D: Domain> {
    memory: Memory<D::Word>,
    registers: [D::Word; 32],
    flags: [D::Bit; 8],
    pc: u32,
    sp: u16,
    rampz: Option<u8>,
    eind: Option<u8>,
    storage: Vec<Option<D::Word>>,
    cycles: u64,
    spread: u64,
    defined: u64,
    undefined_cells: Vec<u32>,
    pending_sp: [Option<D::Word>; 2],
    written_sp: u8,
    sheltered: Option<u64>,
    stack: Stack,
}

impl<D: Domain> Forks for Machine<D> {
    type Domain = D;
    type State = State<D>;
    type Place = u32;

    fn domain(&mut self) -> &mut D {
        &mut self.domain
    }

    fn fork(&mut self) -> &mut Fork<D::Bit> {
        &mut self.fork
    }

    fn place(&self) -> u32 {
        self.pc
    }

    fn set_place(&mut self, place: u32) {
        self.pc = place;
    }

    fn address(&self, place: u32) -> u64 {
        2 * u64::from(place)
    }

    fn stack_pointer(&self) -> Option<u32> {
        Some(self.sp.into())
    }

    /// The nearest address to which two straight lines come, following jumps, passing over calls.
    fn meeting_point(&self, first: u32, second: u32) -> Option<u32> {
        nearest(&line(&self.program, first), &line(&self.program, second))
    }

    fn is_at(&self, meeting: u32) -> bool {
        self.pc == meeting
    }

    /// Nothing is ever waited for.
    fn waits_like(&self, _: &State<D>) -> bool {
        true
    }

    fn save(&self) -> State<D> {
        State {
            memory: self.memory.clone(),
            registers: self.registers.clone(),
            flags: self.flags.clone(),
            pc: self.pc,
            sp: self.sp,
            rampz: self.rampz,
            eind: self.eind,
            storage: self.storage.clone(),
            cycles: self.cycles,
            spread: self.spread,
            defined: self.defined,
            undefined_cells: self.undefined_cells.clone(),
            pending_sp: self.pending_sp.clone(),
            written_sp: self.written_sp,
            sheltered: self.sheltered,
            stack: self.stack.clone(),
        }
    }

    fn restore(&mut self, state: State<D>) {
        self.memory = state.memory;
        self.registers = state.registers;
        self.flags = state.flags;
        self.pc = state.pc;
        self.sp = state.sp;
        self.rampz = state.rampz;
        self.eind = state.eind;
        self.storage = state.storage;
        self.cycles = state.cycles;
        self.spread = state.spread;
        self.defined = state.defined;
        self.undefined_cells = state.undefined_cells;
        self.pending_sp = state.pending_sp;
        self.written_sp = state.written_sp;
        self.sheltered = state.sheltered;
        self.stack = state.stack;
    }

    /// Joins the state of the other side into this one, that of the taken side.
    fn join(&mut self, condition: &D::Bit, other: State<D>) -> Result<(), Apart> {
        let whole =
            |pending: &[Option<D::Word>; 2], written: u8| pending.iter().all(Option::is_none) && written == 0;
        let same_control = whole(&self.pending_sp, self.written_sp)
            && whole(&other.pending_sp, other.written_sp)
            && self.rampz == other.rampz
            && self.eind == other.eind
            && self.undefined_cells == other.undefined_cells;
        let storage = self.storage.iter().zip(&other.storage);
        let same_storage = storage.clone().all(|(own, other)| own.is_some() == other.is_some());
        if !same_control || !same_storage {
            return Err(Apart);
        }
        let mut words: Vec<(D::Word, D::Word)> =
            self.registers.iter().cloned().zip(other.registers.iter().cloned()).collect();
        words.extend(storage.filter_map(|(own, other)| Some((own.clone()?, other.clone()?))));
        let cells = self.memory.differing(&other.memory, &mut self.domain).ok_or(Apart)?;
        for address in &cells {
            if let (Some(own), Some(other)) = (self.memory.peek(*address), other.memory.peek(*address)) {
                words.push((own.clone(), other.clone()));
            }
        }
        let bits: Vec<(D::Bit, D::Bit)> =
            self.flags.iter().cloned().zip(other.flags.iter().cloned()).collect();
        let (words, bits) = self.domain.join(condition, &words, &bits).ok_or(Apart)?;
        let mut words = words.into_iter();
        for (register, word) in self.registers.iter_mut().zip(&mut words) {
            *register = word;
        }
        for (storage, word) in self.storage.iter_mut().flatten().zip(&mut words) {
            *storage = word;
        }
        for (address, word) in cells.into_iter().zip(words) {
            self.memory.fill(address, &[word]).map_err(|_| Apart)?;
        }
        for (flag, bit) in self.flags.iter_mut().zip(bits) {
            *flag = bit;
        }
        // what only one side has defined is undefined
        self.defined &= other.defined;
        self.stack.join(&other.stack);
        self.sheltered = None;
        self.interrupts_changed();
        let most = (self.cycles + self.spread).max(other.cycles + other.spread);
        self.cycles = self.cycles.min(other.cycles);
        self.spread = most - self.cycles;
        Ok(())
    }
}

/// The addresses that come after each other as long as nothing is decided.
fn line(program: &Program, start: u32) -> Vec<u32> {
    let mut addresses = vec![start];
    let mut address = start;
    while addresses.len() < LONGEST_SIDE {
        let Ok((instruction, length)) = program.instruction(address) else { break };
        address = match instruction.op {
            Op::Rjmp => address.wrapping_add(1).wrapping_add_signed(instruction.k),
            Op::Jmp => instruction.k as u32,
            Op::Ret | Op::Reti | Op::Ijmp | Op::Eijmp => break,
            // an inner decision lies on the way: the sides may still meet after it
            _ => address + length as u32,
        };
        addresses.push(address);
    }
    addresses
}
