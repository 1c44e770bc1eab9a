//! A function in machine code, called by its convention over any domain of values.

use crate::conventions::Convention;
use crate::machine::Machine;
use crate::program::Program;
use rhomb_machine::{Access, Buffer, Domain, Fault, Finished, Memory, Routine, Stopped, run};
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
    /// Buffers from the start of SRAM upwards, the stack at its end.
    fn place<W>(&self, buffers: &[Buffer<W>]) -> Result<Placed, Fault> {
        let core = self.program.core();
        let mut next = core.sram.start + GAP;
        let mut addresses: Vec<u32> = Vec::with_capacity(buffers.len());
        for buffer in buffers {
            match buffer.shares.and_then(|index| addresses.get(index)) {
                Some(address) => addresses.push(*address),
                None => {
                    addresses.push(next);
                    next += buffer.length + GAP;
                }
            }
        }
        let stack = next + self.stack_limit + core.return_bytes;
        if stack > 0x1_0000 {
            return Err(Fault::NotModelled {
                what: format!("{stack} bytes of data, more than can be addressed"),
            });
        }
        let end = core.sram.end.max(stack);
        Ok(Placed { memory: core.sram.start..end, buffers: addresses, stack_top: end - 1 })
    }

    fn stopped(&self, fault: Fault, address: u32) -> Stopped {
        let instruction = match self.program.instruction(address) {
            Ok((instruction, _)) => crate::syntax::gnu::instruction(&instruction),
            Err(_) => String::new(),
        };
        Stopped { fault, address: 2 * u64::from(address), instruction }
    }
}

impl Routine for Function {
    fn word_bits(&self) -> u32 {
        8
    }

    fn code(&self) -> Vec<u8> {
        self.program.words().iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    fn identity(&self) -> String {
        format!("{} {}", self.program.core().name, self.convention.name)
    }

    fn call<D: Domain>(&self, domain: D, buffers: &[Buffer<D::Word>]) -> Result<Finished<D>, Stopped> {
        let at_entry = |fault| self.stopped(fault, self.entry);
        let placed = self.place(buffers).map_err(at_entry)?;
        let core = self.program.core();
        let mut machine = Machine::new(self.program.clone(), domain);
        let filler = machine.domain.word(0);
        machine.memory = Memory::new(placed.memory.clone(), filler);
        for (buffer, address) in buffers.iter().zip(&placed.buffers) {
            machine
                .memory
                .own(buffer.name, *address..*address + buffer.length, buffer.access)
                .map_err(at_entry)?;
            if let Some(content) = &buffer.content {
                machine.memory.fill(*address, content).map_err(at_entry)?;
            }
        }
        let lowest = placed.stack_top + 1 - core.return_bytes - self.stack_limit;
        machine.memory.own("stack", lowest..placed.stack_top + 1, Access::Store).map_err(at_entry)?;
        for (base, (register, address)) in self.convention.arguments.iter().zip(&placed.buffers).enumerate() {
            for part in 0..2 {
                let word = machine.domain.pointer(base as u32, 0, u64::from(*address), part);
                machine.set_register(register + part as u8, word);
            }
        }
        let kept = |register: &u8| self.convention.saved & (1 << register) != 0;
        let mut saved = Vec::new();
        for register in (0..32).filter(kept) {
            let word = machine.domain.arbitrary();
            machine.set_register(register, word.clone());
            saved.push((register, word));
        }
        if let Some(zero) = self.convention.zero {
            let word = machine.domain.word(0);
            machine.set_register(zero, word);
        }
        machine.set_sp(placed.stack_top as u16);
        machine.enter(self.entry).map_err(at_entry)?;
        let tally = match run(&mut machine, self.step_limit) {
            Ok(tally) => tally,
            Err(fault) => return Err(self.stopped(fault, machine.pc())),
        };
        let mut breaches = Vec::new();
        for (register, word) in &saved {
            if !machine.is_defined(*register) || !machine.domain.same(machine.register(*register), word) {
                breaches.push(format!("r{register} is not what it was at the call"));
            }
        }
        if let Some(zero) = self.convention.zero
            && (!machine.is_defined(zero) || machine.domain.known_word(machine.register(zero)) != Some(0))
        {
            breaches.push(format!("r{zero} is not zero at the return"));
        }
        // stack cells count as used once they were written
        let unused = (lowest..placed.stack_top + 1 - core.return_bytes)
            .take_while(|address| machine.memory.peek(*address).is_none())
            .count() as u32;
        let contents = buffers
            .iter()
            .zip(&placed.buffers)
            .map(|(buffer, address)| {
                (*address..*address + buffer.length).map(|at| machine.memory.peek(at).cloned()).collect()
            })
            .collect();
        let returned = self.convention.returned;
        let returned = machine.is_defined(returned).then(|| machine.register(returned).clone());
        Ok(Finished {
            buffers: contents,
            returned,
            tally,
            stack_bytes: self.stack_limit - unused,
            breaches,
            domain: machine.domain,
        })
    }
}
