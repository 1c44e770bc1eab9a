//! Which instruction wrote what last.

use crate::instructions::{Op, flag};
use crate::machine::Machine;
use rhomb_machine::Domain;
use std::collections::{BTreeMap, HashMap};

/// The last writers, as byte addresses.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trace {
    registers: [Option<u64>; 32],
    /// Of the interrupt flag.
    pub(crate) interrupts: Option<u64>,
    cells: HashMap<u32, u64>,
    /// The first writer of each I/O register.
    io: BTreeMap<&'static str, u64>,
}

impl Trace {
    /// After the instruction at word address `pc` was executed; [`Machine::stored`] was empty before.
    pub(crate) fn note<D: Domain>(&mut self, machine: &Machine<D>, pc: u32) {
        let Ok((instruction, _)) = machine.program().instruction(pc) else { return };
        let address = 2 * u64::from(pc);
        let written = instruction.registers_written();
        for (number, writer) in self.registers.iter_mut().enumerate() {
            if written >> number & 1 == 1 {
                *writer = Some(address);
            }
        }
        match machine.stored {
            Some(register @ 0..32) if machine.program().core().registers_mapped => {
                self.registers[register as usize] = Some(address);
            }
            Some(cell) => drop(self.cells.insert(cell, address)),
            None => {}
        }
        // the status register can be written as a whole
        let moves = instruction.op == Op::Out || instruction.op.row().mnemonic.starts_with("st");
        if instruction.flags_written() >> flag::I & 1 == 1 || moves && machine.stored.is_none() {
            self.interrupts = Some(address);
        }
        for name in machine.written_io() {
            self.io.entry(name).or_insert(address);
        }
    }

    /// The last writer of a register.
    pub(crate) fn register(&self, number: u8) -> Option<u64> {
        self.registers[usize::from(number)]
    }

    /// The last writer of a cell of data memory.
    pub(crate) fn cell(&self, address: u32) -> Option<u64> {
        self.cells.get(&address).copied()
    }

    /// The first writer of an I/O register.
    pub(crate) fn io(&self, name: &str) -> Option<u64> {
        self.io.get(name).copied()
    }
}
