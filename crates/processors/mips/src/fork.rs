//! What is put aside, and joined, where both sides of a branch are executed; they may meet after a return of each.

use crate::instructions::{Instruction, Op, RA};
use crate::machine::Machine;
use crate::pipeline::Pipeline;
use crate::program::Program;
use crate::syntax::target;
use rhomb_machine::{Apart, Domain, Fork, Forks, LONGEST_SIDE, Memory, Stack, nearest};

/// The state of a machine but for its domain.
pub struct State<D: Domain> {
    memory: Memory<D::Word>,
    registers: [D::Word; 32],
    accumulator: [D::Word; 3],
    place: Place,
    unread: bool,
    least: Pipeline,
    most: Option<Box<Pipeline>>,
    defined: u64,
    undefined_cells: Vec<(u32, u8)>,
    stack: Stack,
}

/// Where execution stands.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pc: u32,
    after: u32,
    in_slot: bool,
}

impl<D: Domain> Machine<D> {
    /// Where register 31 points.
    fn linked(&self) -> Option<u32> {
        self.domain.address(&[&self.registers[usize::from(RA)]]).map(|(_, address)| address as u32)
    }
}

impl<D: Domain> Forks for Machine<D> {
    type Domain = D;
    type State = State<D>;
    type Place = Place;

    fn domain(&mut self) -> &mut D {
        &mut self.domain
    }

    fn fork(&mut self) -> &mut Fork<D::Bit> {
        &mut self.fork
    }

    fn place(&self) -> Place {
        Place { pc: self.pc, after: self.after, in_slot: self.in_slot }
    }

    fn set_place(&mut self, place: Place) {
        Place { pc: self.pc, after: self.after, in_slot: self.in_slot } = place;
    }

    fn address(&self, place: Place) -> u64 {
        place.pc.into()
    }

    fn stack_pointer(&self) -> Option<u32> {
        self.sp()
    }

    /// The nearest address to which two straight lines come, following jumps, passing over calls; a return goes where
    /// register 31 points before.
    fn meeting_point(&self, first: Place, second: Place) -> Option<u32> {
        let link = self.linked();
        nearest(&line(&self.program, first, link), &line(&self.program, second, link))
    }

    fn is_at(&self, meeting: u32) -> bool {
        self.pc == meeting && !self.in_slot
    }

    fn waits_like(&self, other: &State<D>) -> bool {
        self.least == other.least && self.most == other.most
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
            stack: self.stack.clone(),
        }
    }

    fn restore(&mut self, state: State<D>) {
        self.memory = state.memory;
        self.registers = state.registers;
        self.accumulator = state.accumulator;
        self.set_place(state.place);
        self.unread = state.unread;
        self.least = state.least;
        self.most = state.most;
        self.defined = state.defined;
        self.undefined_cells = state.undefined_cells;
        self.stack = state.stack;
    }

    /// Joins the state of the other side into this one, that of the taken side.
    fn join(&mut self, condition: &D::Bit, other: State<D>) -> Result<(), Apart> {
        if self.undefined_cells != other.undefined_cells {
            return Err(Apart);
        }
        let registers = self.registers.iter().zip(&other.registers);
        let accumulator = self.accumulator.iter().zip(&other.accumulator);
        let mut words: Vec<(D::Word, D::Word)> =
            registers.chain(accumulator).map(|(own, other)| (own.clone(), other.clone())).collect();
        let cells = self.memory.differing(&other.memory, &mut self.domain).ok_or(Apart)?;
        for cell in &cells {
            if let (Some(own), Some(other)) = (self.memory.peek(*cell), other.memory.peek(*cell)) {
                words.push((own.clone(), other.clone()));
            }
        }
        let (words, _) = self.domain.join(condition, &words, &[]).ok_or(Apart)?;
        let mut words = words.into_iter();
        for (part, word) in self.registers.iter_mut().chain(&mut self.accumulator).zip(&mut words) {
            *part = word;
        }
        for (cell, word) in cells.into_iter().zip(words) {
            self.memory.fill(cell, &[word]).map_err(|_| Apart)?;
        }
        // what only one side has defined is undefined
        self.defined &= other.defined;
        self.stack.join(&other.stack);
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
    while addresses.len() < LONGEST_SIDE {
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
