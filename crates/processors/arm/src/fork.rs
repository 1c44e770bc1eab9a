//! What is put aside, and joined, where an instruction whose condition is not known is both executed and skipped. For
//! anything but a branch the sides meet at the next instruction.

use crate::cores::Pipeline;
use crate::instructions::{Action, PC};
use crate::machine::Machine;
use crate::program::Program;
use rhomb_machine::{Apart, Domain, Fork, Forks, LONGEST_SIDE, Memory, Stack, nearest};

/// The state of a machine but for its domain.
pub struct State<D: Domain> {
    memory: Memory<D::Word>,
    registers: [D::Word; 16],
    flags: [D::Bit; 4],
    pc: u32,
    cycles: u64,
    spread: u64,
    pipelines: Option<Box<[Pipeline; 2]>>,
    defined: u32,
    undefined_cells: Vec<(u32, u8)>,
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
        place.into()
    }

    fn stack_pointer(&self) -> Option<u32> {
        self.sp()
    }

    /// The nearest address to which two straight lines come, following branches, passing over calls.
    fn meeting_point(&self, first: u32, second: u32) -> Option<u32> {
        nearest(&line(&self.program, first), &line(&self.program, second))
    }

    fn is_at(&self, meeting: u32) -> bool {
        self.pc == meeting
    }

    fn waits_like(&self, other: &State<D>) -> bool {
        self.pipelines == other.pipelines
    }

    fn save(&self) -> State<D> {
        State {
            memory: self.memory.clone(),
            registers: self.registers.clone(),
            flags: self.flags.clone(),
            pc: self.pc,
            cycles: self.cycles,
            spread: self.spread,
            pipelines: self.pipelines.clone(),
            defined: self.defined,
            undefined_cells: self.undefined_cells.clone(),
            stack: self.stack.clone(),
        }
    }

    fn restore(&mut self, state: State<D>) {
        self.memory = state.memory;
        self.registers = state.registers;
        self.flags = state.flags;
        self.pc = state.pc;
        self.cycles = state.cycles;
        self.spread = state.spread;
        self.pipelines = state.pipelines;
        self.defined = state.defined;
        self.undefined_cells = state.undefined_cells;
        self.stack = state.stack;
    }

    /// Joins the state of the other side into this one, that of the taken side.
    fn join(&mut self, condition: &D::Bit, other: State<D>) -> Result<(), Apart> {
        if self.undefined_cells != other.undefined_cells {
            return Err(Apart);
        }
        let mut words: Vec<(D::Word, D::Word)> =
            self.registers.iter().cloned().zip(other.registers.iter().cloned()).collect();
        let cells = self.memory.differing(&other.memory, &mut self.domain).ok_or(Apart)?;
        for cell in &cells {
            if let (Some(own), Some(other)) = (self.memory.peek(*cell), other.memory.peek(*cell)) {
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
        for (cell, word) in cells.into_iter().zip(words) {
            self.memory.fill(cell, &[word]).map_err(|_| Apart)?;
        }
        for (flag, bit) in self.flags.iter_mut().zip(bits) {
            *flag = bit;
        }
        // what only one side has defined is undefined
        self.defined &= other.defined;
        self.stack.join(&other.stack);
        if let (Some(own), Some(other)) = (&mut self.pipelines, &other.pipelines) {
            let [least, most] = [own[0].either(&other[0], u64::min), own[1].either(&other[1], u64::max)];
            **own = [least, most];
        }
        let most = (self.cycles + self.spread).max(other.cycles + other.spread);
        self.cycles = self.cycles.min(other.cycles);
        self.spread = most - self.cycles;
        self.skipped = false;
        Ok(())
    }
}

/// The addresses that come after each other as long as nothing is decided.
fn line(program: &Program, start: u32) -> Vec<u32> {
    let mut addresses = vec![start];
    let mut address = start;
    while addresses.len() < LONGEST_SIDE {
        let Ok(instruction) = program.instruction(address) else { break };
        let always = instruction.condition == crate::instructions::Condition::Al;
        address = match instruction.action {
            Action::Branch { link: false, distance } if always => address.wrapping_add_signed(distance),
            Action::BranchExchange { .. } if always => break,
            Action::Branch { link: true, .. } => address.wrapping_add(4),
            // an inner decision lies on the way: the sides may still meet after it
            _ if always && instruction.registers_written() >> PC & 1 != 0 => break,
            _ => address.wrapping_add(4),
        };
        addresses.push(address);
    }
    addresses
}
