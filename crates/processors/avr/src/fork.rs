//! Branches on secrets: both sides are executed, and joined where they meet again.

use crate::instructions::Op;
use crate::machine::Machine;
use crate::program::Program;
use rhomb_machine::{Control, Domain, Fault, Memory, Processor, SecretBranch};

/// Most instructions of a side.
const LONGEST: usize = 4096;
/// Most instructions of all sides.
const MOST: u64 = 1 << 24;
/// Most branches on secrets inside each other.
const DEEPEST: usize = 8;

/// The state of a machine but for its domain.
struct State<D: Domain> {
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
}

impl<D: Domain> Machine<D> {
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
    }

    /// One step; a branch on a secret counts as one up to the point where its sides meet. Afterwards the
    /// machine has the least cycles of the shorter side and the most of the longer one.
    pub(crate) fn step_joining(&mut self, branches: &mut Vec<SecretBranch>) -> Result<Control, Fault> {
        self.step_nested(branches, 0)
    }

    fn step_nested(&mut self, branches: &mut Vec<SecretBranch>, depth: usize) -> Result<Control, Fault> {
        let refused = match self.step() {
            Err(fault @ Fault::Secret { .. }) if self.condition.is_some() && self.domain.joins() => fault,
            other => return other,
        };
        let Some(condition) = self.condition.take() else { return Err(refused) };
        if depth == DEEPEST {
            return Err(refused);
        }
        let address = self.pc;
        let start = self.save();
        let (before, sp) = (self.cycles().max, self.sp);
        let first = |machine: &mut Self, side| {
            machine.forced = Some(side);
            machine.step()?;
            Ok::<u32, Fault>(machine.pc)
        };
        // where the sides begin decides where they meet
        let taken_start = first(self, true)?;
        let taken = self.save();
        self.restore(start);
        let other_start = first(self, false)?;
        let Some(meeting) = meeting_point(&self.program, taken_start, other_start) else {
            return Err(refused);
        };
        self.run_to(meeting, sp, branches, depth)?;
        let other = self.save();
        self.restore(taken);
        self.run_to(meeting, sp, branches, depth)?;
        let times = SecretBranch {
            address: 2 * u64::from(address),
            taken: self.cycles().max - before,
            other: other.cycles + other.spread - before,
        };
        let least = self.cycles.min(other.cycles);
        self.join(&condition, other).map_err(|()| refused)?;
        self.cycles = least;
        self.spread = before + times.taken.max(times.other) - least;
        branches.push(times);
        Ok(Control::Continue)
    }

    fn run_to(
        &mut self,
        meeting: u32,
        sp: u16,
        branches: &mut Vec<SecretBranch>,
        depth: usize,
    ) -> Result<(), Fault> {
        for _ in 0..LONGEST {
            self.side_steps += 1;
            if self.side_steps > MOST {
                break;
            }
            if self.pc == meeting && self.sp == sp {
                return Ok(());
            }
            if self.step_nested(branches, depth + 1)? == Control::Return {
                break;
            }
        }
        Err(Fault::NotModelled { what: "a branch on a secret whose sides do not meet".to_owned() })
    }

    /// Joins the state of the other side into this one, that of the taken side.
    fn join(&mut self, condition: &D::Bit, other: State<D>) -> Result<(), ()> {
        let whole = |pending: &[Option<D::Word>; 2]| pending.iter().all(Option::is_none);
        let same_control = whole(&self.pending_sp)
            && whole(&other.pending_sp)
            && self.rampz == other.rampz
            && self.eind == other.eind
            && self.undefined_cells == other.undefined_cells
            && self.memory.defined().eq(other.memory.defined());
        let storage = self.storage.iter().zip(&other.storage);
        let same_storage = storage.clone().all(|(own, other)| own.is_some() == other.is_some());
        if !same_control || !same_storage {
            return Err(());
        }
        let mut words: Vec<(D::Word, D::Word)> =
            self.registers.iter().cloned().zip(other.registers.iter().cloned()).collect();
        words.extend(storage.filter_map(|(own, other)| Some((own.clone()?, other.clone()?))));
        let cells: Vec<u32> = self
            .memory
            .defined()
            .filter(|address| match (self.memory.peek(*address), other.memory.peek(*address)) {
                (Some(own), Some(other)) => !self.domain.same(own, other),
                _ => false,
            })
            .collect();
        for address in &cells {
            if let (Some(own), Some(other)) = (self.memory.peek(*address), other.memory.peek(*address)) {
                words.push((own.clone(), other.clone()));
            }
        }
        let bits: Vec<(D::Bit, D::Bit)> =
            self.flags.iter().cloned().zip(other.flags.iter().cloned()).collect();
        let (words, bits) = self.domain.join(condition, &words, &bits).ok_or(())?;
        let mut words = words.into_iter();
        for (register, word) in self.registers.iter_mut().zip(&mut words) {
            *register = word;
        }
        for (storage, word) in self.storage.iter_mut().flatten().zip(&mut words) {
            *storage = word;
        }
        for (address, word) in cells.into_iter().zip(words) {
            self.memory.fill(address, &[word]).map_err(|_| ())?;
        }
        for (flag, bit) in self.flags.iter_mut().zip(bits) {
            *flag = bit;
        }
        // what only one side has defined is undefined
        self.defined &= other.defined;
        Ok(())
    }
}

/// The nearest address to which two straight lines come, following jumps, passing over calls.
fn meeting_point(program: &Program, first: u32, second: u32) -> Option<u32> {
    let (first, second) = (line(program, first), line(program, second));
    let meeting = |(steps, address): (usize, &u32)| {
        second.iter().position(|other| other == address).map(|other_steps| (steps + other_steps, *address))
    };
    first.iter().enumerate().filter_map(meeting).min().map(|(_, address)| address)
}

/// The addresses that come after each other as long as nothing is decided.
fn line(program: &Program, start: u32) -> Vec<u32> {
    let mut addresses = vec![start];
    let mut address = start;
    while addresses.len() < LONGEST {
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
