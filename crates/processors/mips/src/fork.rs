//! Branches on secrets: both sides are executed, and joined where they meet again, be it after a return of each.

use crate::instructions::{Instruction, Op, RA};
use crate::machine::Machine;
use crate::pipeline::Pipeline;
use crate::program::Program;
use crate::syntax::target;
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
    accumulator: [D::Word; 3],
    place: Place,
    unread: bool,
    least: Pipeline,
    most: Option<Box<Pipeline>>,
    defined: u64,
    undefined_cells: Vec<(u32, u8)>,
}

/// Where execution stands.
#[derive(Clone, Copy)]
struct Place {
    pc: u32,
    after: u32,
    in_slot: bool,
}

impl<D: Domain> State<D> {
    fn most_cycles(&self) -> u64 {
        self.most.as_ref().map_or(self.least.cycles(), |pipeline| pipeline.cycles())
    }
}

impl<D: Domain> Machine<D> {
    fn place(&self) -> Place {
        Place { pc: self.pc, after: self.after, in_slot: self.in_slot }
    }

    fn save(&self) -> State<D> {
        State {
            memory: self.memory.clone(),
            registers: self.registers.clone(),
            accumulator: self.accumulator.clone(),
            place: self.place(),
            unread: self.unread,
            least: self.least.clone(),
            most: self.most.clone(),
            defined: self.defined,
            undefined_cells: self.undefined_cells.clone(),
        }
    }

    fn restore(&mut self, state: State<D>) {
        self.memory = state.memory;
        self.registers = state.registers;
        self.accumulator = state.accumulator;
        Place { pc: self.pc, after: self.after, in_slot: self.in_slot } = state.place;
        self.unread = state.unread;
        self.least = state.least;
        self.most = state.most;
        self.defined = state.defined;
        self.undefined_cells = state.undefined_cells;
    }

    /// One step; a branch on a secret counts as one up to the point where its sides meet. Afterwards the
    /// machine has the cycles of either side, the least and the most.
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
        let (before, sp) = (self.cycles().max, self.sp());
        let first = |machine: &mut Self, side| {
            machine.forced = Some(side);
            machine.step()?;
            Ok::<Place, Fault>(machine.place())
        };
        // where the sides begin decides where they meet
        let taken_start = first(self, true)?;
        let taken = self.save();
        self.restore(start);
        let other_start = first(self, false)?;
        let Some(meeting) = meeting_point(&self.program, taken_start, other_start, self.linked()) else {
            return Err(refused);
        };
        self.run_to(meeting, sp, branches, depth)?;
        let other = self.save();
        self.restore(taken);
        let control = self.run_to(meeting, sp, branches, depth)?;
        let times = SecretBranch {
            address: address.into(),
            taken: self.cycles().max - before,
            other: other.most_cycles() - before,
        };
        self.join(&condition, other).map_err(|()| refused)?;
        branches.push(times);
        Ok(control)
    }

    /// Where register 31 points.
    fn linked(&self) -> Option<u32> {
        self.domain.address(&[&self.registers[usize::from(RA)]]).map(|(_, address)| address as u32)
    }

    /// Runs a side up to an address, which the caller of the routine may be.
    fn run_to(
        &mut self,
        meeting: u32,
        sp: Option<u32>,
        branches: &mut Vec<SecretBranch>,
        depth: usize,
    ) -> Result<Control, Fault> {
        for _ in 0..LONGEST {
            self.side_steps += 1;
            if self.side_steps > MOST {
                break;
            }
            if self.pc == meeting && !self.in_slot && self.sp() == sp {
                return Ok(Control::Continue);
            }
            if self.step_nested(branches, depth + 1)? == Control::Return {
                match self.pc == meeting {
                    true => return Ok(Control::Return),
                    false => break,
                }
            }
        }
        Err(Fault::NotModelled { what: "a branch on a secret whose sides do not meet".to_owned() })
    }

    /// Joins the state of the other side into this one, that of the taken side.
    fn join(&mut self, condition: &D::Bit, other: State<D>) -> Result<(), ()> {
        let same_cells = self.memory.defined().eq(other.memory.defined());
        if self.undefined_cells != other.undefined_cells || !same_cells {
            return Err(());
        }
        let registers = self.registers.iter().zip(&other.registers);
        let accumulator = self.accumulator.iter().zip(&other.accumulator);
        let mut words: Vec<(D::Word, D::Word)> =
            registers.chain(accumulator).map(|(own, other)| (own.clone(), other.clone())).collect();
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
        let (words, _) = self.domain.join(condition, &words, &[]).ok_or(())?;
        let mut words = words.into_iter();
        for (part, word) in self.registers.iter_mut().chain(&mut self.accumulator).zip(&mut words) {
            *part = word;
        }
        for (cell, word) in cells.into_iter().zip(words) {
            self.memory.fill(cell, &[word]).map_err(|_| ())?;
        }
        // what only one side has defined is undefined
        self.defined &= other.defined;
        self.unread |= other.unread;
        let (own_most, other_most) =
            (self.most.as_deref().unwrap_or(&self.least), other.most.as_deref().unwrap_or(&other.least));
        let most = own_most.later(other_most);
        let least = self.least.sooner(&other.least);
        self.most = (most != least).then(|| Box::new(most));
        self.least = least;
        Ok(())
    }
}

/// The nearest address to which two straight lines come, following jumps, passing over calls; a return goes where
/// register 31 points before.
fn meeting_point(program: &Program, first: Place, second: Place, link: Option<u32>) -> Option<u32> {
    let (first, second) = (line(program, first, link), line(program, second, link));
    let meeting = |(steps, address): (usize, &u32)| {
        second.iter().position(|other| other == address).map(|other_steps| (steps + other_steps, *address))
    };
    first.iter().enumerate().filter_map(meeting).min().map(|(_, address)| address)
}

/// Whether a conditional branch is always taken: `b`, `bal`.
fn always(one: &Instruction) -> bool {
    match one.op {
        Op::Beq | Op::Beql => one.rs == one.rt,
        Op::Bgez | Op::Bgezl | Op::Blez | Op::Blezl => one.rs == 0,
        _ => false,
    }
}

/// The addresses that come after each other as long as nothing is decided, delay slots left out: what follows
/// a delay slot is not known from its address.
fn line(program: &Program, start: Place, mut link: Option<u32>) -> Vec<u32> {
    let mut addresses = Vec::new();
    let Place { mut pc, mut after, mut in_slot } = start;
    while addresses.len() < LONGEST {
        if !in_slot {
            addresses.push(pc);
        }
        let Ok(one) = program.instruction(pc) else { break };
        let goal = target(program.model(), pc, &one);
        (pc, after, in_slot) = match (one.op, goal) {
            (Op::J, Some(goal)) => (after, goal, true),
            (_, Some(goal)) if always(&one) => (after, goal, true),
            // of the caller's return nothing is known
            (Op::Jr, _) if one.rs == RA => match link.take() {
                Some(link) => (after, link, true),
                None => break,
            },
            (Op::Jr, _) => break,
            // a call comes back; at an inner decision the sides may still meet after it
            (_, Some(_)) | (Op::Jalr, _) => (after, after.wrapping_add(4), true),
            _ => (after, after.wrapping_add(4), false),
        };
        if in_slot && addresses.last() == Some(&after) {
            // a loop without end
            break;
        }
    }
    addresses
}
