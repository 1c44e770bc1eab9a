//! A function in machine code, called by its convention over any domain of values.

use crate::conventions::Convention;
use crate::instructions::flag;
use crate::layout;
use crate::machine::Machine;
use crate::program::Program;
use crate::trace::Trace;
use rhomb_machine::{
    Breach, Buffer, Control, Domain, Fault, Finished, Processor, Routine, SecretBranch, Stopped,
    Surroundings, Tally, Writers, cells_left, step_joining,
};
use std::ops::Range;
use std::sync::Arc;

/// A function of a program.
#[derive(Clone, Debug)]
pub struct Function {
    /// The program that holds it.
    pub program: Arc<Program>,
    /// Its first instruction, as a word address.
    pub entry: u32,
    /// By which it is called.
    pub convention: &'static Convention,
    /// Bytes of stack that it may use below the return address.
    pub stack_limit: u32,
    /// Instructions after which it is given up.
    pub step_limit: u64,
}

/// Memory in which a routine runs: more than the part has where the buffers need it.
struct Placed {
    memory: Range<u32>,
    buffers: Vec<u32>,
    stack_top: u32,
}

/// Unowned bytes between two buffers, and around them.
const GAP: u32 = 5;

impl Function {
    /// Buffers from the start of SRAM upwards, the stack at its end. The number decides about order and
    /// distances.
    fn place<W>(&self, buffers: &[Buffer<W>], number: u32) -> Result<Placed, Fault> {
        let core = self.program.core();
        let mut next = core.sram.start + GAP + 89 * number % 256;
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
        // it moves too, so that an address that counts from it is not one of a constant
        let above = number % 8;
        let stack = next + self.stack_limit + core.return_bytes + above;
        if stack > 0x1_0000 {
            return Err(Fault::NotModelled {
                what: format!("{stack} bytes of data, more than can be addressed"),
            });
        }
        let end = core.sram.end.max(stack);
        Ok(Placed { memory: core.sram.start..end, buffers: addresses, stack_top: end - 1 - above })
    }

    fn stopped(&self, fault: Fault, address: u32) -> Stopped {
        let instruction = match self.program.instruction(address) {
            Ok((instruction, _)) => crate::syntax::gnu::instruction(&instruction),
            Err(_) => String::new(),
        };
        Stopped { fault, address: 2 * u64::from(address), instruction }
    }
}

/// What a run counted.
struct Counted {
    tally: Tally,
    branches: Vec<SecretBranch>,
    /// How often each word of the program was executed as an instruction.
    visits: Vec<u32>,
    /// Word address of the last instruction.
    last: u32,
}

/// Runs until the return, over a domain that joins both sides of branches on secrets; each such branch
/// counts as one instruction.
fn run<D: Domain>(
    machine: &mut Machine<D>,
    limit: u64,
    mut trace: Option<&mut Trace>,
) -> Result<Counted, Fault> {
    let before = machine.cycles();
    let joins = machine.domain.joins();
    let mut branches = Vec::new();
    let mut visits = vec![0u32; machine.program().words().len()];
    for instructions in 1..=limit {
        let last = machine.pc();
        machine.stored = None;
        let control = if joins { step_joining(machine, &mut branches)? } else { machine.step()? };
        if let Some(count) = visits.get_mut(machine.program.index(last)) {
            *count += 1;
        }
        if let Some(trace) = &mut trace {
            trace.note(machine, last);
        }
        let cycles = machine.cycles();
        machine.domain.passed(cycles);
        if control == Control::Return {
            let tally = Tally { instructions, cycles: cycles.since(before) };
            return Ok(Counted { tally, branches, visits, last });
        }
    }
    Err(Fault::StepLimit { limit })
}

impl Routine for Function {
    type Limb = u8;

    fn code(&self) -> Vec<u8> {
        self.program.words().iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    fn instruction(&self, address: u64) -> Option<String> {
        let (instruction, _) = self.program.instruction(u32::try_from(address / 2).ok()?).ok()?;
        Some(crate::syntax::gnu::instruction(&instruction))
    }

    fn identity(&self) -> String {
        format!("{} {} entry {:#06x}", self.program.core().name, self.convention.name, 2 * self.entry)
    }

    fn relocations(&self) -> &[String] {
        &self.program.placement().relocations
    }

    fn further(&self, given: usize) -> Vec<String> {
        self.convention.beyond(given).map(|register| format!("r{register}")).collect()
    }

    fn call_in<D: Domain>(
        &self,
        domain: D,
        buffers: &[Buffer<D::Word>],
        surroundings: Surroundings,
    ) -> Result<Finished<D>, Stopped> {
        let Surroundings { place, filled, further, traced, undisturbed } = surroundings;
        let at_entry = |fault| self.stopped(fault, self.entry);
        if buffers.len() > self.convention.arguments.len() {
            let what = format!("{} arguments by the convention {}", buffers.len(), self.convention.name);
            return Err(at_entry(Fault::NotModelled { what }));
        }
        let placed = self.place(buffers, place).map_err(at_entry)?;
        let core = self.program.core();
        let mut machine = Machine::with_memory(self.program.clone(), domain, placed.memory.clone());
        machine.set_strict(!filled);
        let base_of = |index: usize| buffers[index].shares.unwrap_or(index) as u32;
        for (index, (buffer, address)) in buffers.iter().zip(&placed.buffers).enumerate() {
            machine
                .memory
                .own_based(base_of(index), buffer.name, *address..*address + buffer.length, buffer.access)
                .map_err(at_entry)?;
            if buffer.shares.is_none() {
                machine.domain.lies(base_of(index), 0..=buffer.length.into(), 1);
            }
            if let Some(content) = &buffer.content {
                machine.memory.fill(*address, content).map_err(at_entry)?;
            }
        }
        let lowest = placed.stack_top + 1 - core.return_bytes - self.stack_limit;
        machine.own_stack(lowest..placed.stack_top + 1).map_err(at_entry)?;
        machine.set_undisturbed(undisturbed);
        for (index, (register, address)) in self.convention.arguments.iter().zip(&placed.buffers).enumerate()
        {
            for part in 0..2 {
                let word = machine.domain.pointer(base_of(index), 0, u64::from(*address), part);
                machine.set_register(register + part as u8, word);
            }
        }
        let kept = |register: &u8| self.convention.saved & (1 << register) != 0;
        let mut saved = Vec::new();
        for register in (0..32).filter(kept) {
            let word = (filled || place.is_multiple_of(2)).then(|| machine.domain.arbitrary());
            if let Some(word) = &word {
                machine.set_register(register, word.clone());
            }
            saved.push((register, word));
        }
        if let Some((number, value)) = further
            && let Some(register) = self.convention.beyond(buffers.len()).nth(number)
        {
            let word = machine.domain.word(value);
            machine.set_register(register, word.clone());
            saved
                .iter_mut()
                .filter(|(kept, _)| *kept == register)
                .for_each(|(_, was)| *was = Some(word.clone()));
        }
        if let Some(zero) = self.convention.zero {
            let word = machine.domain.word(0);
            machine.set_register(zero, word);
        }
        // whether interrupts are on is the caller's, and stays so
        let word = machine.domain.arbitrary();
        let interrupts = match machine.domain.bit_of(&word, 0) {
            // one of both: in half of the calls they are on, the first one among these
            bit if machine.domain.known_bit(&bit).is_some() => machine.domain.bit(place % 4 < 2),
            bit => bit,
        };
        machine.set_flag(flag::I, interrupts.clone());
        machine.set_untouched(self.convention.untouched);
        machine.set_sp(placed.stack_top as u16);
        machine.enter(self.entry).map_err(at_entry)?;
        let mut trace = traced.then(Trace::default);
        let counted = run(&mut machine, self.step_limit, trace.as_mut());
        let Counted { tally, branches, mut visits, last } =
            counted.map_err(|fault| self.stopped(fault, machine.pc()))?;
        let (frame_cycles, mix) =
            layout::body(&self.program, &mut visits, self.entry, last, self.convention.zero);
        let mut breaches = machine.breaches().to_vec();
        let now = machine.flag(flag::I).clone();
        if !machine.domain.same_bit(&now, &interrupts) {
            breaches.push(Breach {
                text: "interrupts are not on or off as they were at the call".to_owned(),
                address: trace.as_ref().and_then(|trace| trace.interrupts),
            });
        }
        breaches.extend(machine.written_io().map(|name| Breach {
            text: format!("{name} is written"),
            address: trace.as_ref().and_then(|trace| trace.io(name)),
        }));
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
                let text = format!("r{register} is not what it was at the call");
                breaches.push(Breach { text, address: writer(*register) });
            }
        }
        if let Some(zero) = self.convention.zero
            && (!is_defined(zero) || machine.domain.known_word(machine.register(zero)) != Some(0))
        {
            let text = format!("r{zero} is not zero at the return");
            breaches.push(Breach { text, address: writer(zero) });
        }
        let used = machine.stack.used(&machine.memory);
        let cells = || buffers.iter().zip(&placed.buffers).map(|(buffer, at)| *at..*at + buffer.length);
        let contents =
            cells().map(|cells| cells.map(|at| machine.memory.peek(at).cloned()).collect()).collect();
        let writers = trace.as_ref().map(|trace| Writers {
            buffers: cells().map(|cells| cells.map(|at| trace.cell(at)).collect()).collect(),
            returned: trace.register(self.convention.returned),
        });
        let residue_bytes = cells_left(
            &machine.memory,
            &machine.domain,
            used.clone(),
            |address| !machine.undefined_cells.contains(&address),
            saved.iter().filter_map(|(_, word)| word.as_ref()),
        );
        let returned = self.convention.returned;
        let returned = is_defined(returned).then(|| machine.register(returned).clone());
        Ok(Finished {
            buffers: contents,
            returned,
            tally,
            stack_bytes: machine.stack.bytes(used.len() as u32),
            residue_bytes,
            body_cycles: tally.cycles.without(frame_cycles),
            mix,
            secret_branches: branches,
            // times of instructions are fixed
            variable_times: Vec::new(),
            settled: true,
            breaches,
            writers,
            domain: machine.domain,
        })
    }
}
