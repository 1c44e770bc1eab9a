//! Which instruction wrote what last.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// The last writers, as byte addresses.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    registers: HashMap<u8, u64>,
    cells: HashMap<u32, u64>,
    /// The first writer of what has no number.
    named: BTreeMap<&'static str, u64>,
}

impl Trace {
    /// An instruction has written a set of registers (bit n is register n).
    pub fn wrote_registers(&mut self, mut set: u64, address: u64) {
        while set != 0 {
            self.registers.insert(set.trailing_zeros() as u8, address);
            set &= set - 1;
        }
    }

    /// It has written cells of memory.
    pub fn wrote_cells(&mut self, cells: Range<u32>, address: u64) {
        self.cells.extend(cells.map(|cell| (cell, address)));
    }

    /// It has written what has a name, which counts the first time.
    pub fn wrote_named(&mut self, name: &'static str, address: u64) {
        self.named.entry(name).or_insert(address);
    }

    /// The last writer of a register.
    pub fn register(&self, number: u8) -> Option<u64> {
        self.registers.get(&number).copied()
    }

    /// The last writer of a cell.
    pub fn cell(&self, cell: u32) -> Option<u64> {
        self.cells.get(&cell).copied()
    }

    /// The first writer of what has a name.
    pub fn named(&self, name: &str) -> Option<u64> {
        self.named.get(name).copied()
    }
}
