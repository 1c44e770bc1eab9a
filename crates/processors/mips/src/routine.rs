//! A function in machine code, called by its convention over any domain of values.

use crate::composed::Executed;
use crate::conventions::Convention;
use crate::instructions::SP;
use crate::layout::{self, Visits};
use crate::machine::Machine;
use crate::program::Program;
use crate::syntax;
use crate::trace::Trace;
use rhomb_machine::{
    Breach, Buffer, Calls, Control, Domain, Fault, Finished, Processor, Routine, STACK, SecretBranch,
    Stopped, Surroundings, Tally, Writers, cells_left, step_joining,
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
    /// Bytes of stack that it may use below the stack pointer of the call.
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
    /// Where the stack pointer stands at the call.
    sp: u32,
}

/// Unowned cells between two buffers, and around them.
const GAP: u32 = 5;

impl Function {
    /// Buffers from the start of RAM upwards, the stack above them. The number decides about order and
    /// distances.
    fn place<W>(&self, buffers: &[Buffer<W>], number: u32) -> Result<Placed, Fault> {
        let core = self.program.model().core();
        let start = core.ram.start / 4;
        let mut next = start + GAP + 89 * number % 256;
        let mut addresses = vec![0; buffers.len()];
        let mut order: Vec<usize> = (0..buffers.len()).collect();
        order.rotate_left(number as usize % buffers.len().max(1));
        if number / 4 % 2 == 1 {
            order.reverse();
        }
        for index in order.into_iter().filter(|index| buffers[*index].shares.is_none()) {
            addresses[index] = next;
            next = next.saturating_add(buffers[index].length).saturating_add(GAP + number % 64);
        }
        for (index, buffer) in buffers.iter().enumerate() {
            if let Some(place) = buffer.shares.and_then(|shared| addresses.get(shared)) {
                addresses[index] = *place;
            }
        }
        let limit = self.stack_limit.div_ceil(4);
        let alignment = self.convention.stack_alignment / 4;
        let sp = next.saturating_add(limit).saturating_add(alignment) / alignment * alignment;
        let end = sp.saturating_add(self.convention.home / 4);
        if end > core.ram.end / 4 {
            let bytes = 4 * u64::from(end - start);
            let what = format!("{bytes} bytes of data, more than {} has", core.name);
            return Err(Fault::NotModelled { what });
        }
        Ok(Placed { memory: start..end, buffers: addresses, stack: sp - limit, sp })
    }

    fn stopped(&self, fault: Fault, address: u32) -> Stopped {
        Stopped {
            fault,
            address: address.into(),
            instruction: self.instruction(address.into()).unwrap_or_default(),
        }
    }
}

/// What a run counted.
struct Counted {
    tally: Tally,
    branches: Vec<SecretBranch>,
    visits: Visits,
    /// Byte address of the last instruction.
    last: u32,
}

/// Runs until the return, over a domain that joins both sides of branches on secrets; each such branch
/// counts as one instruction.
fn run<D: Domain, C: Calls<D>>(
    machine: &mut Machine<D>,
    convention: &Convention,
    limit: u64,
    mut trace: Option<&mut Trace>,
    mut calls: Option<&mut C>,
) -> Result<Counted, Fault> {
    let before = machine.cycles();
    let joins = machine.domain.joins();
    let program = machine.program().clone();
    let mut branches = Vec::new();
    let mut visits = Visits::new(&program);
    for instructions in 1..=limit {
        let last = machine.pc();
        let was_in_slot = machine.in_slot;
        machine.stored = None;
        visits.note(&program, last, machine.cycles());
        let control = if joins { step_joining(machine, &mut branches)? } else { machine.step()? };
        if let Some(trace) = &mut trace {
            trace.note(machine, last);
        }
        let cycles = machine.cycles();
        machine.domain.passed(cycles);
        if control == Control::Return {
            let tally = Tally { instructions, cycles: cycles.since(before) };
            return Ok(Counted { tally, branches, visits, last });
        }
        if let Some(calls) = &mut calls
            && was_in_slot
            && machine.is_called_from(last)
        {
            machine.take_over(convention, *calls)?;
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
        let instruction = self.program.instruction(u32::try_from(address).ok()?).ok()?;
        Some(syntax::instruction(self.program.model(), &instruction))
    }

    fn identity(&self) -> String {
        format!("{} {} entry {:#06x}", self.program.model().identity(), self.convention.name, self.entry)
    }

    fn relocations(&self) -> &[String] {
        &self.program.placement().relocations
    }

    fn further(&self, given: usize) -> Vec<String> {
        self.convention.arguments.iter().skip(given).map(|register| format!("${register}")).collect()
    }

    fn call_in<D: Domain>(
        &self,
        domain: D,
        buffers: &[Buffer<D::Word>],
        surroundings: Surroundings,
    ) -> Result<Finished<D>, Stopped> {
        self.call_with(domain, buffers, surroundings, None::<&mut Executed>)
    }

    fn call_composed<D: Domain, C: Calls<D>>(
        &self,
        domain: D,
        buffers: &[Buffer<D::Word>],
        calls: &mut C,
    ) -> Result<Finished<D>, Stopped> {
        self.call_with(domain, buffers, Surroundings::default(), Some(calls))
    }

    fn at(&self, entry: u64, stack_bytes: Option<u32>) -> Option<Self> {
        let entry = u32::try_from(entry).ok()?;
        Some(Function { entry, stack_limit: stack_bytes.unwrap_or(self.stack_limit), ..self.clone() })
    }
}

impl Function {
    fn call_with<D: Domain, C: Calls<D>>(
        &self,
        domain: D,
        buffers: &[Buffer<D::Word>],
        surroundings: Surroundings,
        calls: Option<&mut C>,
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
        machine.own_stack(stack.clone()).map_err(|fault| in_cells(fault, stack.start))?;
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
        let kept = |register: &u8| self.convention.saved & !(1 << SP) & (1 << register) != 0;
        let mut saved = Vec::new();
        for register in (0..32).filter(kept) {
            let word = (filled || place.is_multiple_of(2)).then(|| machine.domain.arbitrary());
            if let Some(word) = &word {
                machine.set_register(register, word.clone());
            }
            saved.push((register, word));
        }
        let Convention { home, stack_alignment, .. } = self.convention;
        machine.set_sp(4 * placed.sp, *home);
        machine.domain.lies(STACK, -i64::from(self.stack_limit + home)..=0, (*stack_alignment).into());
        machine.enter(self.entry).map_err(at_entry)?;
        let mut trace = traced.then(Trace::default);
        let counted = run(&mut machine, self.convention, self.step_limit, trace.as_mut(), calls);
        let Counted { tally, branches, visits, last } =
            counted.map_err(|fault| self.stopped(fault, machine.pc()))?;
        let end = machine.cycles();
        let (body_cycles, mix) =
            layout::body(&self.program, visits, self.entry, last, self.convention.saved, end);
        let mut breaches = Vec::new();
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
                let text = format!("${register} is not what it was at the call");
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
        let left = cells_left(
            &machine.memory,
            &machine.domain,
            used.clone(),
            |cell| machine.is_partly_defined(cell),
            saved.iter().filter_map(|(_, word)| word.as_ref()),
        );
        let returned = self.convention.returned;
        let returned = is_defined(returned).then(|| machine.register(returned).clone());
        Ok(Finished {
            buffers: contents,
            returned,
            tally,
            stack_bytes: machine.stack.bytes(used.len() as u32),
            residue_bytes: machine.stack.bytes(left),
            body_cycles,
            mix,
            secret_branches: branches,
            variable_times: machine.variable_times,
            settled: machine.most.is_none_or(|most| machine.least.waits_like(&most)),
            breaches,
            writers,
            domain: machine.domain,
        })
    }
}
