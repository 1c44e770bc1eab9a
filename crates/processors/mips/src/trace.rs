//! Which instruction wrote what last.

use crate::machine::Machine;
use rhomb_machine::Domain;
use std::collections::HashMap;

/// The last writers, as byte addresses.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trace {
    registers: [Option<u64>; 32],
    cells: HashMap<u32, u64>,
}

impl Trace {
    /// After the instruction at byte address `pc` was executed; [`Machine::stored`] was empty before.
    pub(crate) fn note<D: Domain>(&mut self, machine: &Machine<D>, pc: u32) {
        let Some(one) = machine.program().decoded(pc) else { return };
        let address = u64::from(pc);
        for (number, writer) in self.registers.iter_mut().enumerate() {
            if one.writes >> number & 1 == 1 {
                *writer = Some(address);
            }
        }
        self.cells.extend(machine.stored.map(|cell| (cell, address)));
    }

    /// The last writer of a register.
    pub(crate) fn register(&self, number: u8) -> Option<u64> {
        self.registers[usize::from(number & 31)]
    }

    /// The last writer of a cell of data memory.
    pub(crate) fn cell(&self, cell: u32) -> Option<u64> {
        self.cells.get(&cell).copied()
    }
}
