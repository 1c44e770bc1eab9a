//! Conditions that are secret: the instruction is executed and skipped, and both sides are joined where they meet
//! again. For anything but a branch that is the next instruction.

use crate::cores::Pipeline;
use crate::instructions::{Action, PC};
use crate::machine::Machine;
use crate::program::Program;
use rhomb_machine::{Control, Domain, Fault, Memory, Processor, SecretBranch};

/// Most instructions of a side.
const LONGEST: usize = 4096;
/// Most instructions of all sides.
const MOST: u64 = 1 << 24;
/// Most conditions inside each other.
const DEEPEST: usize = 8;

/// The state of a machine but for its domain.
struct State<D: Domain> {
    memory: Memory<D::Word>,
    registers: [D::Word; 16],
    flags: [D::Bit; 4],
    pc: u32,
    cycles: u64,
    spread: u64,
    pipelines: Option<Box<[Pipeline; 2]>>,
    defined: u32,
    undefined_cells: Vec<(u32, u8)>,
}

impl<D: Domain> Machine<D> {
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
    }

    /// One step; an instruction whose condition is secret counts as one up to the point where its sides meet.
    /// Afterwards the machine has the least cycles of the shorter side and the most of the longer one.
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
        let (most, sp) = (self.cycles + self.spread, self.sp());
        let first = |machine: &mut Self, side| {
            machine.forced = Some(side);
            match machine.step()? {
                Control::Continue => Ok(machine.pc),
                // one side has left the routine
                Control::Return => Err(refused.clone()),
            }
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
        let taken = (self.cycles, self.cycles + self.spread);
        let instead = (other.cycles, other.cycles + other.spread);
        let times = SecretBranch { address: address.into(), taken: taken.1 - most, other: instead.1 - most };
        self.join(&condition, other).map_err(|()| refused)?;
        self.cycles = taken.0.min(instead.0);
        self.spread = taken.1.max(instead.1) - self.cycles;
        self.skipped = false;
        branches.push(times);
        Ok(Control::Continue)
    }

    fn run_to(
        &mut self,
        meeting: u32,
        sp: Option<u32>,
        branches: &mut Vec<SecretBranch>,
        depth: usize,
    ) -> Result<(), Fault> {
        for _ in 0..LONGEST {
            self.side_steps += 1;
            if self.side_steps > MOST {
                break;
            }
            if self.pc == meeting && self.sp() == sp {
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
        if self.undefined_cells != other.undefined_cells || !self.memory.defined().eq(other.memory.defined())
        {
            return Err(());
        }
        let mut words: Vec<(D::Word, D::Word)> =
            self.registers.iter().cloned().zip(other.registers.iter().cloned()).collect();
        let cells: Vec<u32> = self
            .memory
            .defined()
            .filter(|cell| match (self.memory.peek(*cell), other.memory.peek(*cell)) {
                (Some(own), Some(other)) => !self.domain.same(own, other),
                _ => false,
            })
            .collect();
        for cell in &cells {
            if let (Some(own), Some(other)) = (self.memory.peek(*cell), other.memory.peek(*cell)) {
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
        for (cell, word) in cells.into_iter().zip(words) {
            self.memory.fill(cell, &[word]).map_err(|_| ())?;
        }
        for (flag, bit) in self.flags.iter_mut().zip(bits) {
            *flag = bit;
        }
        // what only one side has defined is undefined
        self.defined &= other.defined;
        if let (Some(own), Some(other)) = (&mut self.pipelines, &other.pipelines) {
            let [least, most] = [own[0].either(&other[0], u64::min), own[1].either(&other[1], u64::max)];
            **own = [least, most];
        }
        Ok(())
    }
}

/// The nearest address to which two straight lines come, following branches, passing over calls.
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
