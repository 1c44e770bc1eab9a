//! A function, called by its convention over any domain of values.

use crate::conventions::Convention;
use crate::instructions::{Instruction, Ta};
use crate::layout;
use crate::machine::Machine;
use crate::program::Program;
use crate::rules::register_names;
use rhomb_machine::{
    Base, Breach, Buffer, Control, Domain, Fault, Finished, Memory, Processor, Routine, SecretBranch,
    Stopped, Surroundings, Tally, Writers, cells_left, step_joining,
};
use smallvec::SmallVec;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// A function of a program.
#[derive(Clone, Debug)]
pub struct Function {
    /// The program that holds it.
    pub program: Arc<Program>,
    /// Number of its first line.
    pub entry: u32,
    /// By which it is called.
    pub convention: &'static Convention,
    /// Words of stack that it may use below the stack pointer of the call.
    pub stack_limit: u32,
    /// Steps after which it is given up; a repeated line is one.
    pub step_limit: u64,
}

/// Memory in which a routine runs.
struct Placed {
    memory: Range<u32>,
    buffers: Vec<u32>,
    stack: u32,
    sp: u32,
}

/// Words from the beginning of a block to a buffer, at least.
const LEAST_GAP: u32 = 6;
/// The same at most, with what is left free behind it.
pub(crate) const LONGEST_GAP: u32 = LEAST_GAP + 2 * 63;

impl Function {
    /// Each buffer, and the stack, begins in a block of its own, so that each can be read in the same cycle as another.
    /// The number decides about order and distances from the block's beginning.
    fn place<W>(&self, buffers: &[Buffer<W>], number: u32) -> Result<Placed, Fault> {
        let core = self.program.core();
        let gap = LEAST_GAP + 2 * (89 * number % 64);
        let after = |end: u32| end.next_multiple_of(core.block) + gap;
        let mut next = core.dual.start.next_multiple_of(core.block / 8) + gap;
        let start = core.dual.start;
        let mut addresses = vec![0; buffers.len()];
        let mut order: Vec<usize> = (0..buffers.len()).collect();
        order.rotate_left(number as usize % buffers.len().max(1));
        if number / 4 % 2 == 1 {
            order.reverse();
        }
        for index in order.into_iter().filter(|index| buffers[*index].shares.is_none()) {
            addresses[index] = next;
            next = after(next.saturating_add(buffers[index].length).saturating_add(2));
        }
        for (index, buffer) in buffers.iter().enumerate() {
            if let Some(place) = buffer.shares.and_then(|shared| addresses.get(shared)) {
                addresses[index] = *place;
            }
        }
        // what a routine takes of the stack lies in one block as far as it can
        // an odd address: see `conventions`
        let sp = next.saturating_add(self.stack_limit).next_multiple_of(core.block) - 1 - 2 * (number % 4);
        if sp >= core.single.end {
            let what = format!("{} words of data, more than data page 0 of {} has", sp - start, core.name);
            return Err(Fault::NotModelled { what });
        }
        Ok(Placed { memory: start..sp + 1, buffers: addresses, stack: sp - self.stack_limit, sp })
    }

    fn stopped(&self, fault: Fault, line: u32) -> Stopped {
        let address = u64::from(self.program.address(line));
        Stopped { fault, address, instruction: self.instruction(address).unwrap_or_default() }
    }
}

/// Last writers, by byte address.
#[derive(Default)]
struct Trace {
    registers: HashMap<u32, u64>,
    cells: HashMap<u32, u64>,
}

impl Trace {
    fn note<D: Domain>(&mut self, machine: &mut Machine<D>, line: u32) {
        let address = u64::from(machine.program.address(line));
        let Some(prepared) = machine.program.prepared.get(line as usize) else { return };
        let mut writes = prepared.uses.writes;
        while writes != 0 {
            self.registers.insert(writes.trailing_zeros(), address);
            writes &= writes - 1;
        }
        for cell in machine.stored.iter_mut().flat_map(|stored| stored.drain(..)) {
            self.cells.insert(cell, address);
        }
    }
}

fn run<D: Domain>(
    machine: &mut Machine<D>,
    limit: u64,
    mut trace: Option<&mut Trace>,
) -> Result<(Tally, Vec<SecretBranch>), Fault> {
    let before = machine.cycles();
    let joins = machine.domain.joins();
    let mut branches = Vec::new();
    for _ in 0..limit {
        let line = machine.pc();
        let control = if joins { step_joining(machine, &mut branches)? } else { machine.step()? };
        if let Some(trace) = &mut trace {
            trace.note(machine, line);
        }
        let cycles = machine.cycles();
        machine.domain.passed(cycles);
        if control == Control::Return {
            let instructions = machine.visits.iter().sum();
            return Ok((Tally { instructions, cycles: cycles.since(before) }, branches));
        }
    }
    Err(Fault::StepLimit { limit })
}

impl Routine for Function {
    type Limb = u16;

    fn code(&self) -> Vec<u8> {
        self.program.code().to_vec()
    }

    fn instruction(&self, address: u64) -> Option<String> {
        let line = self.program.line_at(u32::try_from(address).ok()?)?;
        Some(self.program.text(line))
    }

    fn identity(&self) -> String {
        let entry = self.program.address(self.entry);
        format!("{} {} entry {entry:#06x}", self.program.core().name, self.convention.name)
    }

    fn further(&self, given: usize) -> Vec<String> {
        let name = |register| register_names(1 << crate::machine::index(register));
        self.convention.beyond(given).map(name).collect()
    }

    fn call_in<D: Domain>(
        &self,
        domain: D,
        buffers: &[Buffer<D::Word>],
        surroundings: Surroundings,
    ) -> Result<Finished<D>, Stopped> {
        let Surroundings { place, filled, further, traced, undisturbed } = surroundings;
        let at_entry = |fault| self.stopped(fault, self.entry);
        let placed = self.place(buffers, place).map_err(at_entry)?;
        let mut machine = Machine::new(self.program.clone(), domain);
        machine.set_strict(!filled);
        machine.set_status(self.convention.status);
        let filler = machine.domain.word(0);
        machine.memory = Memory::new(placed.memory.clone(), filler);
        let base_of = |index: usize| buffers[index].shares.unwrap_or(index) as u32;
        for (index, (buffer, cell)) in buffers.iter().zip(&placed.buffers).enumerate() {
            let range = *cell..*cell + buffer.length;
            let owned = machine.memory.own_based(base_of(index), buffer.name, range, buffer.access);
            owned.map_err(at_entry)?;
            if buffer.shares.is_none() {
                machine.domain.lies(base_of(index), 0..=buffer.length.into(), 2);
            }
            if let Some(content) = &buffer.content {
                machine.memory.fill(*cell, content).map_err(at_entry)?;
            }
        }
        machine.set_stack(placed.stack..placed.sp + 1, placed.sp).map_err(at_entry)?;
        machine.set_undisturbed(undisturbed);
        for (index, (register, cell)) in self.convention.arguments.iter().zip(&placed.buffers).enumerate() {
            let word = machine.domain.pointer(base_of(index), 0, u64::from(*cell), 0);
            machine.is_anywhere |= matches!(machine.domain.address(&[&word]), Some((Base::Of(_), _)));
            machine.set_pointer(*register, word);
        }
        if let Some((number, value)) = further
            && let Some(register) = self.convention.beyond(buffers.len()).nth(number)
        {
            let word = machine.domain.word(value);
            match register {
                Ta::Ar(number) => machine.set_pointer(number, word),
                other => machine.set_ta(other, word),
            }
        }
        let kept: Vec<Ta> = (self.convention.saved_ar.map(Ta::Ar).into_iter())
            .chain(self.convention.saved_t.map(Ta::T))
            .collect();
        let mut saved = Vec::new();
        for register in kept {
            let word = machine.domain.arbitrary();
            match register {
                Ta::Ar(number) => machine.set_caller(number, word.clone()),
                Ta::T(_) => machine.set_ta(register, word.clone()),
            }
            saved.push((register, word));
        }
        machine.enter(self.entry).map_err(at_entry)?;
        machine.stored = traced.then(SmallVec::new);
        let mut trace = traced.then(Trace::default);
        let (tally, branches) = run(&mut machine, self.step_limit, trace.as_mut())
            .map_err(|fault| self.stopped(fault, machine.pc()))?;
        let (frame, mix) = layout::frame_and_mix(&self.program, &machine.visits, self.entry);
        let mut breaches = Vec::new();
        let register_number = |ta: Ta| crate::machine::index(ta) as u32;
        for (register, word) in &saved {
            let upper = match register {
                Ta::Ar(number) => machine.has_upper_of_call(*number),
                Ta::T(_) => true,
            };
            if !upper || !machine.domain.same(machine.ta(*register), word) {
                let writer =
                    trace.as_ref().and_then(|trace| trace.registers.get(&register_number(*register)));
                let what = if upper { "" } else { " (upper bits)" };
                let text = format!("{register:?}{what} is not what it was at the call");
                breaches.push(Breach { text, address: writer.copied() });
            }
        }
        if machine.status() != self.convention.status {
            let text = "the status bits are not what they were at the call".to_owned();
            breaches.push(Breach { text, address: None });
        }
        let used = machine.stack.used(&machine.memory);
        let cells = || buffers.iter().zip(&placed.buffers).map(|(buffer, cell)| *cell..*cell + buffer.length);
        let content = |cell: u32| machine.memory.peek(cell).cloned();
        let contents = cells().map(|cells| cells.map(content).collect()).collect();
        let writers = trace.as_ref().map(|trace| Writers {
            buffers: cells()
                .map(|cells| cells.map(|cell| trace.cells.get(&cell).copied()).collect())
                .collect(),
            returned: trace.registers.get(&register_number(Ta::T(0))).copied(),
        });
        let left = cells_left(
            &machine.memory,
            &machine.domain,
            used.clone(),
            |_| true,
            saved.iter().map(|(_, word)| word),
        );
        let returned = (filled || machine.is_defined(Ta::T(0))).then(|| machine.ta(Ta::T(0)).clone());
        Ok(Finished {
            buffers: contents,
            returned,
            tally,
            stack_bytes: machine.stack.bytes(used.len() as u32),
            residue_bytes: machine.stack.bytes(left),
            body_cycles: tally.cycles.without(frame),
            mix,
            secret_branches: branches,
            variable_times: machine.variable_times,
            settled: true,
            breaches,
            writers,
            domain: machine.domain,
        })
    }
}

/// Whether an instruction saves what the caller keeps.
pub(crate) fn saves(one: &Instruction) -> bool {
    matches!(one, Instruction::PushBoth { .. } | Instruction::Push { .. })
}

/// Whether an instruction restores it, or returns.
pub(crate) fn restores(one: &Instruction) -> bool {
    matches!(one, Instruction::PopBoth { .. } | Instruction::Pop { .. } | Instruction::Return)
}
