//! What is put aside, and joined, where both sides of a branch are executed.

use crate::instructions::{Instruction, Line};
use crate::machine::{Block, Machine, Status, SystemWord};
use crate::program::Program;
use rhomb_machine::{Apart, Cycles, Domain, Fork, Forks, LONGEST_SIDE, Memory, Processor, Stack, nearest};
use smallvec::SmallVec;

/// The state of a machine but for its domain.
pub struct State<D: Domain> {
    memory: Memory<D::Word>,
    ac: [[D::Word; 3]; 4],
    registers: [D::Word; 18],
    carry: D::Bit,
    tc: [D::Bit; 2],
    control: Control<D::Word>,
    pc: u32,
    cycles: u64,
    spread: u64,
    ready: [Cycles; 24],
    pending: u32,
    defined: u32,
    stack: Stack,
}

/// What both sides of a branch must agree on.
#[derive(Clone)]
struct Control<W> {
    counters: [u16; 3],
    status: Status,
    reta: u32,
    repeat: Option<u16>,
    system: Vec<SystemWord>,
    paged: u16,
    kept: u16,
    blocks: SmallVec<[Block; 2]>,
    calls: Vec<(u32, W)>,
}

impl<D: Domain> Machine<D> {
    fn control(&self) -> Control<D::Word> {
        Control {
            counters: self.counters,
            status: self.status,
            reta: self.reta,
            repeat: self.repeat,
            system: self.system.clone(),
            paged: self.paged,
            kept: self.kept,
            blocks: self.blocks.clone(),
            calls: self.calls.clone(),
        }
    }

    fn agrees(&self, other: &Control<D::Word>) -> bool {
        let calls = self.calls.iter().zip(&other.calls);
        (self.counters, self.status, self.reta, self.repeat)
            == (other.counters, other.status, other.reta, other.repeat)
            && (self.paged, self.kept, &self.system) == (other.paged, other.kept, &other.system)
            && self.blocks == other.blocks
            && self.calls.len() == other.calls.len()
            && calls.into_iter().all(|(own, other)| own.0 == other.0 && self.domain.same(&own.1, &other.1))
    }
}

/// Cycles from now until each register that was written late is ready.
fn waits(pending: u32, ready: &[Cycles; 24], now: Cycles) -> [Cycles; 24] {
    std::array::from_fn(|number| match pending >> number & 1 {
        0 => Cycles::exact(0),
        _ => ready[number].since(now),
    })
}

impl<D: Domain> State<D> {
    fn waits(&self) -> [Cycles; 24] {
        let now = Cycles { min: self.cycles, max: self.cycles + self.spread };
        waits(self.pending, &self.ready, now)
    }
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
        self.program.address(place).into()
    }

    fn stack_pointer(&self) -> Option<u32> {
        self.sp()
    }

    /// The nearest line to which two straight lines come, following branches, passing over calls.
    fn meeting_point(&self, first: u32, second: u32) -> Option<u32> {
        nearest(&line(&self.program, first), &line(&self.program, second))
    }

    fn is_at(&self, meeting: u32) -> bool {
        self.pc == meeting
    }

    fn waits_like(&self, other: &State<D>) -> bool {
        waits(self.pending, &self.ready, self.cycles()) == other.waits()
    }

    fn save(&self) -> State<D> {
        State {
            memory: self.memory.clone(),
            ac: self.ac.clone(),
            registers: self.registers.clone(),
            carry: self.carry.clone(),
            tc: self.tc.clone(),
            control: self.control(),
            pc: self.pc,
            cycles: self.cycles,
            spread: self.spread,
            ready: self.ready,
            pending: self.pending,
            defined: self.defined,
            stack: self.stack.clone(),
        }
    }

    fn restore(&mut self, state: State<D>) {
        self.memory = state.memory;
        self.ac = state.ac;
        self.registers = state.registers;
        self.carry = state.carry;
        self.tc = state.tc;
        let Control { counters, status, reta, repeat, system, paged, kept, blocks, calls } = state.control;
        (self.counters, self.status, self.reta, self.repeat) = (counters, status, reta, repeat);
        (self.blocks, self.calls, self.system) = (blocks, calls, system);
        (self.paged, self.kept) = (paged, kept);
        self.pc = state.pc;
        self.cycles = state.cycles;
        self.spread = state.spread;
        self.ready = state.ready;
        self.pending = state.pending;
        self.defined = state.defined;
        self.stack = state.stack;
    }

    fn join(&mut self, condition: &D::Bit, other: State<D>) -> Result<(), Apart> {
        if !self.agrees(&other.control) {
            return Err(Apart);
        }
        let accumulators = self.ac.iter().flatten().zip(other.ac.iter().flatten());
        let registers = self.registers.iter().zip(&other.registers);
        let mut words: Vec<(D::Word, D::Word)> =
            accumulators.chain(registers).map(|(own, other)| (own.clone(), other.clone())).collect();
        let cells = self.memory.differing(&other.memory, &mut self.domain).ok_or(Apart)?;
        for cell in &cells {
            if let (Some(own), Some(other)) = (self.memory.peek(*cell), other.memory.peek(*cell)) {
                words.push((own.clone(), other.clone()));
            }
        }
        let bits: Vec<(D::Bit, D::Bit)> = std::iter::once((self.carry.clone(), other.carry.clone()))
            .chain(self.tc.iter().cloned().zip(other.tc.iter().cloned()))
            .collect();
        let (words, bits) = self.domain.join(condition, &words, &bits).ok_or(Apart)?;
        let mut words = words.into_iter();
        for (own, word) in self.ac.iter_mut().flatten().chain(&mut self.registers).zip(&mut words) {
            *own = word;
        }
        for (cell, word) in cells.into_iter().zip(words) {
            self.memory.fill(cell, &[word]).map_err(|_| Apart)?;
        }
        let [carry, first, second]: [D::Bit; 3] = bits.try_into().map_err(|_| Apart)?;
        (self.carry, self.tc) = (carry, [first, second]);
        self.stack.join(&other.stack);
        // what only one side has defined is undefined
        self.defined &= other.defined;
        let (own, others) = (waits(self.pending, &self.ready, self.cycles()), other.waits());
        let now = self.cycles().hull(Cycles { min: other.cycles, max: other.cycles + other.spread });
        (self.cycles, self.spread) = (now.min, now.max - now.min);
        self.pending |= other.pending;
        self.ready = std::array::from_fn(|number| own[number].hull(others[number]).plus(now));
        Ok(())
    }
}

/// The lines that come after each other as long as nothing is decided.
fn line(program: &Program, start: u32) -> Vec<u32> {
    let mut lines = vec![start];
    let mut number = start;
    while lines.len() < LONGEST_SIDE {
        let Some(Line { first, second }) = program.lines().get(number as usize) else { break };
        let goes = |one: &Instruction| matches!(one, Instruction::Branch { .. } | Instruction::Return);
        number = match std::iter::once(first).chain(second).find(|one| goes(one)) {
            Some(Instruction::Branch { to }) => *to,
            Some(_) => break,
            // an inner decision lies on the way: the sides may still meet after it
            None => number + 1,
        };
        lines.push(number);
    }
    lines
}
