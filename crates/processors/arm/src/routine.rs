//! A function in machine code, called by its convention over any domain of values.

use crate::conventions::Convention;
use crate::instructions::SP;
use crate::layout;
use crate::machine::{Machine, register_name};
use crate::meaning::text;
use crate::program::Program;
use crate::trace::Trace;
use rhomb_machine::{
    Breach, Buffer, Control, Domain, Fault, Finished, Processor, Routine, STACK, SecretBranch, Stopped,
    Surroundings, Tally, Writers, cells_left, step_joining,
};
use std::ops::Range;
use std::sync::Arc;

/// A function of a program.
#[derive(Clone, Debug)]
pub struct Function {
    /// The program that holds it.
    pub program: Arc<Program>,
    /// Its first instruction, as a byte address.
    pub entry: u32,
    /// By which it is called.
    pub convention: &'static Convention,
    /// Bytes of stack that it may use.
    pub stack_limit: u32,
    /// Instructions after which it is given up.
    pub step_limit: u64,
}

/// Memory in which a routine runs, in cells.
struct Placed {
    memory: Range<u32>,
    buffers: Vec<u32>,
    /// The stack's lowest cell; it ends where memory ends.
    stack: u32,
}

/// Unowned cells between two buffers, and around them.
const GAP: u32 = 5;

impl Function {
    /// Buffers from the start of RAM upwards, the stack above them. The number decides about order and
    /// distances.
    fn place<W>(&self, buffers: &[Buffer<W>], number: u32) -> Result<Placed, Fault> {
        let ram = &self.program.core().ram;
        let start = ram.start / 4;
        let mut next = start + GAP + 89 * number % 256;
        let mut addresses = vec![0; buffers.len()];
        let mut order: Vec<usize> = (0..buffers.len()).collect();
        order.rotate_left(number as usize % buffers.len().max(1));
        if number / 4 % 2 == 1 {
            order.reverse();
        }
        for index in order.into_iter().filter(|index| buffers[*index].shares.is_none()) {
            addresses[index] = next;
            next += buffers[index].length + GAP + number % 64;
        }
        for (index, buffer) in buffers.iter().enumerate() {
            if let Some(place) = buffer.shares.and_then(|shared| addresses.get(shared)) {
                addresses[index] = *place;
            }
        }
        let alignment = self.convention.stack_alignment / 4;
        let end = (next + self.stack_limit.div_ceil(4)).next_multiple_of(alignment);
        if end > ram.end / 4 {
            let what =
                format!("{} bytes of data, more than {} has", 4 * (end - start), self.program.core().name);
            return Err(Fault::NotModelled { what });
        }
        Ok(Placed { memory: start..end, buffers: addresses, stack: end - self.stack_limit.div_ceil(4) })
    }

    fn stopped(&self, fault: Fault, address: u32) -> Stopped {
        let instruction = self.program.instruction(address).map_or(String::new(), |one| text(&one));
        Stopped { fault, address: address.into(), instruction }
    }
}

/// What a run counted.
struct Counted {
    tally: Tally,
    branches: Vec<SecretBranch>,
    /// How often each word of the program was executed as an instruction.
    visits: Vec<u64>,
    /// How often an instruction's condition failed.
    skipped: u64,
    /// Byte address of the last instruction.
    last: u32,
}

/// Runs until the return, over a domain that joins both sides of secret conditions; each such one counts as
/// one instruction.
fn run<D: Domain>(
    machine: &mut Machine<D>,
    limit: u64,
    mut trace: Option<&mut Trace>,
) -> Result<Counted, Fault> {
    let before = machine.cycles();
    let joins = machine.domain.joins();
    let mut branches = Vec::new();
    let mut visits = vec![0u64; machine.program().words().len()];
    let mut skipped = 0;
    for instructions in 1..=limit {
        let last = machine.pc();
        machine.stored = 0..0;
        machine.skipped = false;
        let control = if joins { step_joining(machine, &mut branches)? } else { machine.step()? };
        if machine.skipped {
            skipped += 1;
        } else if let Some(count) = visits.get_mut(machine.program.index(last)) {
            *count += 1;
        }
        if let Some(trace) = &mut trace {
            trace.note(machine, last);
        }
        let cycles = machine.cycles();
        machine.domain.passed(cycles);
        if control == Control::Return {
            let tally = Tally { instructions, cycles: cycles.since(before) };
            return Ok(Counted { tally, branches, visits, skipped, last });
        }
    }
    Err(Fault::StepLimit { limit })
}

impl Routine for Function {
    type Limb = u32;

    fn code(&self) -> Vec<u8> {
        self.program.words().iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    fn instruction(&self, address: u64) -> Option<String> {
        Some(text(&self.program.instruction(u32::try_from(address).ok()?).ok()?))
    }

    fn identity(&self) -> String {
        format!("{} {} entry {:#06x}", self.program.core().name, self.convention.name, self.entry)
    }

    fn relocations(&self) -> &[String] {
        &self.program.placement().relocations
    }

    fn further(&self, given: usize) -> Vec<String> {
        self.convention.arguments.iter().skip(given).map(|own| register_name(*own).to_owned()).collect()
    }

    fn call_in<D: Domain>(
        &self,
        domain: D,
        buffers: &[Buffer<D::Word>],
        surroundings: Surroundings,
    ) -> Result<Finished<D>, Stopped> {
        let Surroundings { place, filled, further, traced, undisturbed } = surroundings;
        let at_entry = |fault| self.stopped(fault, self.entry);
        let in_cells = |fault: Fault, cell: u32| self.stopped(fault.at(4 * cell), self.entry);
        let placed = self.place(buffers, place).map_err(at_entry)?;
        let mut machine = Machine::with_memory(self.program.clone(), domain, placed.memory.clone());
        machine.set_strict(!filled);
        let base_of = |index: usize| buffers[index].shares.unwrap_or(index) as u32;
        for (index, (buffer, cell)) in buffers.iter().zip(&placed.buffers).enumerate() {
            let range = *cell..*cell + buffer.length;
            machine
                .memory
                .own_based(base_of(index), buffer.name, range, buffer.access)
                .map_err(|fault| in_cells(fault, *cell))?;
            if buffer.shares.is_none() {
                machine.domain.lies(base_of(index), 0..=4 * i64::from(buffer.length), 4);
            }
            if let Some(content) = &buffer.content {
                machine.memory.fill(*cell, content).map_err(|fault| in_cells(fault, *cell))?;
            }
        }
        let stack = placed.stack..placed.memory.end;
        machine.own_stack(stack.clone()).map_err(at_entry)?;
        machine.set_undisturbed(undisturbed);
        for (index, (register, cell)) in self.convention.arguments.iter().zip(&placed.buffers).enumerate() {
            let word = machine.domain.pointer(base_of(index), 0, 4 * u64::from(*cell), 0);
            machine.set_register(*register, word);
        }
        if let Some((number, value)) = further
            && let Some(register) = self.convention.arguments.get(buffers.len() + number)
        {
            let word = machine.domain.word(value);
            machine.set_register(*register, word);
        }
        let kept = |register: &u8| self.convention.saved & (1 << register) != 0;
        let mut saved = Vec::new();
        for register in (0..SP).filter(kept) {
            let word = (filled || place.is_multiple_of(2)).then(|| machine.domain.arbitrary());
            if let Some(word) = &word {
                machine.set_register(register, word.clone());
            }
            saved.push((register, word));
        }
        machine.set_sp(4 * stack.end);
        let alignment = self.convention.stack_alignment;
        machine.domain.lies(STACK, -i64::from(self.stack_limit)..=0, alignment.into());
        machine.enter(self.entry).map_err(at_entry)?;
        let mut trace = traced.then(Trace::default);
        let counted = run(&mut machine, self.step_limit, trace.as_mut());
        let Counted { tally, branches, mut visits, skipped, last } =
            counted.map_err(|fault| self.stopped(fault, machine.pc()))?;
        let (frame_cycles, mut mix) =
            layout::body(&self.program, &mut visits, self.entry, last, self.convention.saved);
        mix.other += skipped;
        let mut breaches = machine.breaches().to_vec();
        let is_defined = |number: u8| filled || machine.is_defined(number);
        let writer = |number: u8| trace.as_ref().and_then(|trace| trace.register(number));
        for (register, word) in &saved {
            let found = is_defined(*register).then(|| machine.register(*register));
            let kept = match (found, word) {
                (Some(found), Some(word)) => machine.domain.same(found, word),
                (None, None) => true,
                _ => false,
            };
            if !kept {
                let text = format!("{} is not what it was at the call", register_name(*register));
                breaches.push(Breach { text, address: writer(*register) });
            }
        }
        let used = machine.stack.used(&machine.memory);
        let cells = || buffers.iter().zip(&placed.buffers).map(|(buffer, cell)| *cell..*cell + buffer.length);
        let content = |cell: u32| {
            machine.memory.peek(cell).filter(|_| filled || machine.is_cell_defined(cell)).cloned()
        };
        let contents = cells().map(|cells| cells.map(content).collect()).collect();
        let writers = trace.as_ref().map(|trace| Writers {
            buffers: cells().map(|cells| cells.map(|cell| trace.cell(cell)).collect()).collect(),
            returned: trace.register(self.convention.returned),
        });
        let kept = saved.iter().filter_map(|(_, word)| word.as_ref());
        let left = cells_left(
            &machine.memory,
            &machine.domain,
            used.clone(),
            |cell| machine.is_partly_defined(cell),
            kept,
        );
        let returned = self.convention.returned;
        let returned = is_defined(returned).then(|| machine.register(returned).clone());
        Ok(Finished {
            buffers: contents,
            returned,
            tally,
            stack_bytes: machine.stack.bytes(used.len() as u32),
            residue_bytes: machine.stack.bytes(left),
            body_cycles: tally.cycles.without(frame_cycles),
            mix,
            secret_branches: branches,
            variable_times: machine.variable_times,
            settled: machine.pipelines.is_none_or(|pipelines| pipelines[0].waits_like(&pipelines[1])),
            breaches,
            writers,
            domain: machine.domain,
        })
    }
}
