//! A function in machine code, called by its convention over any domain of values.

use super::run::{Counted, run};
use super::{Call, Code, Convention, InstructionSet, Machine, Trace};
use crate::{
    Access, Breach, Calls, Domain, Fault, Finished, Given, Limb, MachineCode, Passed, Routine, See, Stopped,
    Surroundings, Writers, cells_left,
};
use std::sync::Arc;

/// A function of a program.
#[derive(Debug)]
pub struct Function<I: InstructionSet> {
    /// The program that holds it.
    pub program: Arc<I::Program>,
    /// Its first instruction, in the program's own unit.
    pub entry: u32,
    /// By which it is called.
    pub convention: &'static I::Convention,
    /// What of the stack it may use below what the caller left there, as the processor counts addresses.
    pub stack_limit: u32,
    /// Instructions after which it is given up.
    pub step_limit: u64,
}

impl<I: InstructionSet> Clone for Function<I> {
    fn clone(&self) -> Self {
        Function { program: Arc::clone(&self.program), ..*self }
    }
}

impl<I: InstructionSet> Function<I> {
    fn stopped(&self, fault: Fault, place: u32) -> Stopped {
        let instruction = self.program.text(place).unwrap_or_default();
        Stopped { fault, address: self.program.address(place), instruction }
    }
}

impl<I: InstructionSet> MachineCode for Function<I> {
    fn word_bits(&self) -> u32 {
        I::Limb::BITS
    }

    fn code(&self) -> Vec<u8> {
        self.program.bytes()
    }

    fn instruction(&self, address: u64) -> Option<String> {
        self.program.text(self.program.place(address)?)
    }

    fn identity(&self) -> String {
        let entry = self.program.address(self.entry);
        format!("{} {} entry {entry:#06x}", self.program.identity(), self.convention.name())
    }

    fn relocations(&self) -> &[String] {
        self.program.relocations()
    }

    fn further(&self, given: &dyn Given<u32>) -> Vec<String> {
        let places = self.places(given).unwrap_or_default();
        let registers = self.beyond(&places).into_iter();
        registers.map(|register| self.convention.further_name(register)).collect()
    }

    fn has_data(&self, address: u32) -> bool {
        self.program.has_data(address)
    }

    fn register_name(&self, number: u8) -> String {
        I::register_name(number)
    }
}

impl<I: InstructionSet> Routine for Function<I> {
    type Limb = I::Limb;

    fn call_in<D: Domain>(
        &self,
        domain: D,
        given: &dyn Given<D::Word>,
        surroundings: Surroundings,
    ) -> Result<Finished<D>, Stopped> {
        self.call_with(domain, given, surroundings, None, None)
    }

    fn call_seen<D: Domain>(
        &self,
        domain: D,
        given: &dyn Given<D::Word>,
        see: See<'_, D>,
    ) -> Result<Finished<D>, Stopped> {
        let surroundings = Surroundings { traced: true, ..Surroundings::default() };
        self.call_with(domain, given, surroundings, Some(see), None)
    }

    fn call_composed<D: Domain>(
        &self,
        domain: D,
        given: &dyn Given<D::Word>,
        calls: &mut dyn Calls<D>,
    ) -> Result<Finished<D>, Stopped> {
        self.call_with(domain, given, Surroundings::default(), None, Some(calls))
    }

    fn at(&self, entry: u64, stack_bytes: Option<u32>, inner: bool) -> Option<Self> {
        let entry = self.program.place(entry).filter(|place| self.program.address(*place) == entry)?;
        let stack_limit = stack_bytes.map_or(self.stack_limit, |bytes| bytes.div_ceil(I::UNITS.bytes));
        let convention = if inner { self.convention.inner()? } else { self.convention };
        Some(Function { entry, stack_limit, convention, ..self.clone() })
    }
}

impl<I: InstructionSet> Function<I> {
    /// What the caller puts where an argument may be, place by place: a wide number takes several.
    fn places<W: Clone>(&self, given: &dyn Given<W>) -> Result<Vec<Passed<W>>, Fault> {
        let each = self.convention.argument(0).len().max(1);
        let mut places = Vec::new();
        for index in 0..given.count() {
            match given.passed(index) {
                Passed::Words(words) if words.len() > each => {
                    if !self.convention.is_wide() {
                        let what = format!(
                            "an argument of {} words by the convention {}",
                            words.len(),
                            self.convention.name()
                        );
                        return Err(Fault::NotModelled { what });
                    }
                    places.extend(words.chunks(each).rev().map(|part| Passed::Words(part.to_vec())));
                }
                passed => places.push(passed),
            }
        }
        Ok(places)
    }

    /// Registers in which more could arrive: the rest of the place of a number by value, and further arguments.
    fn beyond<W>(&self, places: &[Passed<W>]) -> Vec<u8> {
        let rest = places.iter().enumerate().filter_map(|(place, passed)| match passed {
            Passed::Words(words) => Some(self.convention.argument(place).skip(words.len())),
            _ => None,
        });
        rest.flatten().chain(self.convention.further(places.len())).collect()
    }

    /// A machine in which the routine is about to begin, where everything lies, and what registers to preserve hold.
    #[expect(clippy::type_complexity, reason = "a machine and what is known of it")]
    fn begin<D: Domain>(
        &self,
        domain: D,
        given: &dyn Given<D::Word>,
        surroundings: Surroundings,
    ) -> Result<(I::Machine<D>, Call, Vec<(u8, Option<D::Word>)>), Fault> {
        let Surroundings { place: number, filled, further, undisturbed, .. } = surroundings;
        let (buffers, passed) = (given.buffers(), self.places(given)?);
        let count = passed.len();
        let in_registers =
            (0..count).take_while(|index| !self.convention.argument(*index).is_empty()).count();
        let on_stack = (count - in_registers) as u32;
        let placed = self.convention.place(self, buffers, (number, on_stack))?;
        if self.convention.returned(given.returned()).is_empty() {
            let what =
                format!("{} words returned by the convention {}", given.returned(), self.convention.name());
            return Err(Fault::NotModelled { what });
        }
        let unit = I::UNITS.cell;
        let mut machine = I::Machine::<D>::with_memory(self.program.clone(), domain, placed.memory.clone());
        machine.set_strict(!filled);
        self.convention.start(&mut machine);
        let base_of = |index: usize| buffers[index].shares.unwrap_or(index) as u32;
        for (index, (buffer, cell)) in buffers.iter().zip(&placed.buffers).enumerate() {
            let range = *cell..*cell + buffer.length;
            let own = machine.memory.own_based(base_of(index), buffer.name, range, buffer.access);
            own.map_err(|fault| fault.at(unit * cell))?;
            if buffer.shares.is_none() {
                let length = i64::from(unit) * i64::from(buffer.length);
                let is_apart = buffer.access != Access::Load;
                machine.domain.lies(base_of(index), 0..=length, I::Convention::ARRAYS.into(), is_apart);
            }
            if let Some(content) = &buffer.content {
                machine.memory.fill(*cell, content).map_err(|fault| fault.at(unit * cell))?;
            }
        }
        let stack = placed.stack.clone();
        machine.own_stack(stack.clone()).map_err(|fault| fault.at(unit * stack.start))?;
        machine.set_undisturbed(undisturbed);
        let mut saved = Vec::new();
        for register in self.convention.kept(&self.program) {
            let defined = I::Convention::KEPT_DEFINED || filled || number.is_multiple_of(2);
            let word = defined.then(|| machine.domain.arbitrary());
            if let Some(word) = &word {
                self.convention.set_kept(&mut machine, register, word.clone());
            }
            saved.push((register, word));
        }
        // an argument may come in a register to preserve
        let give =
            |machine: &mut I::Machine<D>, saved: &mut Vec<(u8, Option<D::Word>)>, register, word: D::Word| {
                let kept = saved.iter_mut().filter(|(kept, _)| *kept == register);
                kept.for_each(|(_, was)| *was = Some(word.clone()));
                self.convention.set_pointer(machine, register, word);
            };
        // the first of those on the stack lies above what the convention has there
        let mut cell = (placed.sp + self.convention.home()) / unit;
        for (argument, passed) in passed.iter().enumerate() {
            let registers = self.convention.argument(argument);
            let words = registers.len().max(1) as u32;
            for part in 0..words {
                let word = match passed {
                    Passed::Pointer(index) => {
                        let address = u64::from(unit) * u64::from(placed.buffers[*index]);
                        machine.domain.pointer(base_of(*index), 0, address, part)
                    }
                    _ if !I::Convention::TAKES_NUMBERS => {
                        let what =
                            format!("an argument by value by the convention {}", self.convention.name());
                        return Err(Fault::NotModelled { what });
                    }
                    Passed::Words(words) => match words.get(part as usize) {
                        Some(word) => word.clone(),
                        None => continue,
                    },
                    Passed::Number(value) => {
                        let bits = words * I::Limb::BITS;
                        if bits < 32 && value >> bits > 0 {
                            let what = format!("the argument {value}, which has more than {bits} bits");
                            return Err(Fault::NotModelled { what });
                        }
                        let shifted = u64::from(*value) >> (part * I::Limb::BITS);
                        machine.domain.word(shifted & u64::from(u32::MAX >> (32 - I::Limb::BITS)))
                    }
                    Passed::Nothing => continue,
                };
                match registers.clone().nth(part as usize) {
                    Some(register) => give(&mut machine, &mut saved, register, word),
                    None => {
                        machine.memory.fill(cell + part, &[word]).map_err(|fault| fault.at(unit * cell))?
                    }
                }
            }
            cell += if registers.is_empty() { words } else { 0 };
        }
        if let Some((number, value)) = further
            && let Some(register) = self.beyond(&passed).get(number).copied()
        {
            let word = machine.domain.word(value);
            give(&mut machine, &mut saved, register, word);
        }
        let call = Call { placed, number, stack_bytes: self.stack_limit * I::UNITS.bytes };
        self.convention.prepare(&mut machine, &call);
        machine.call(self.entry)?;
        Ok((machine, call, saved))
    }

    /// One for each domain and processor in a program, wherever it is called.
    #[inline(never)]
    fn call_with<D: Domain>(
        &self,
        domain: D,
        given: &dyn Given<D::Word>,
        surroundings: Surroundings,
        see: Option<See<'_, D>>,
        calls: Option<&mut dyn Calls<D>>,
    ) -> Result<Finished<D>, Stopped> {
        let filled = surroundings.filled;
        let (mut machine, call, saved) =
            self.begin(domain, given, surroundings).map_err(|fault| self.stopped(fault, self.entry))?;
        machine.traced = surroundings.traced;
        let mut trace = surroundings.traced.then(Trace::default);
        let counted = run(&mut machine, self.convention, self.step_limit, trace.as_mut(), see, calls);
        let Counted { mut tally, branches, visits } =
            counted.map_err(|fault| self.stopped(fault, machine.pc()))?;
        let trace = trace.as_ref();
        let (body_cycles, mix) = self.convention.body(self, &machine, visits, &mut tally);
        let mut breaches = self.convention.breaches(&mut machine, trace);
        let is_defined = |number: u8| filled || machine.is_defined(number);
        for (register, word) in &saved {
            let found = is_defined(*register).then(|| machine.register(*register));
            let kept = match (found, word) {
                (Some(found), Some(word)) => machine.domain.same(found, word),
                (None, None) => true,
                _ => false,
            };
            let damage = self.convention.is_damaged(&machine, *register);
            if !kept || damage.is_some() {
                let name = I::register_name(*register);
                let text = format!("{name}{} is not what it was at the call", damage.unwrap_or_default());
                let address = trace.and_then(|trace| trace.register(*register));
                breaches.push(Breach { text, address });
            }
        }
        breaches.extend(self.convention.last_breaches(&machine, trace, filled));
        let used = machine.stack.used(&machine.memory);
        let (buffers, places) = (given.buffers(), &call.placed.buffers);
        let cells = || buffers.iter().zip(places).map(|(buffer, cell)| *cell..*cell + buffer.length);
        let content = |cell: u32| {
            machine.memory.peek(cell).filter(|_| filled || machine.is_cell_defined(cell)).cloned()
        };
        let contents = cells().map(|cells| cells.map(content).collect()).collect();
        let returning = self.convention.returned(given.returned());
        let returned = returning.start;
        let writers = trace.map(|trace| Writers {
            buffers: cells().map(|cells| cells.map(|cell| trace.cell(cell)).collect()).collect(),
            returned: trace.register(returned),
        });
        let left = cells_left(
            &machine.memory,
            &machine.domain,
            used.clone(),
            |cell| machine.is_partly_defined(cell),
            saved.iter().filter_map(|(_, word)| word.as_ref()),
        );
        let mut words = returning.map(|number| is_defined(number).then(|| machine.register(number).clone()));
        let returned = words.next().flatten();
        let returned_above = words.collect();
        let settled = machine.is_settled();
        let state = machine.into_state();
        Ok(Finished {
            buffers: contents,
            returned,
            returned_above,
            tally,
            stack_bytes: state.stack.bytes(used.len() as u32),
            residue_bytes: state.stack.bytes(left),
            body_cycles,
            mix,
            secret_branches: branches,
            variable_times: state.variable_times,
            settled,
            breaches,
            writers,
            domain: state.domain,
        })
    }
}
