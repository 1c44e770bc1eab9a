//! Registers of the floating-point extension, S0 to S31, as places for words: what moves words there and back.
//!
//! Source: ARM DDI 0403E.e, A6.6 (loads and stores), A6.7 and A6.8 (moves), A7.7 (VLDM, VLDR, VMOV, VPOP, VPUSH, VSTM, VSTR).
//! Two of them, from an even one on, are D0 to D15, the lower word in the first. Nothing here computes with floating-point
//! numbers: a word comes back as it went.

use crate::instructions::{Address, BlockMode, Indexing, Offset, Register, SP};

/// Where S0 stands in [`crate::Machine`]'s registers, and in sets of registers.
pub const FIRST: u8 = 16;
/// How many registers there are, those of the extension among them.
pub(crate) const REGISTERS: usize = 48;

/// What moves words between registers of the extension and others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extension {
    /// VMOV of a word, or of two.
    Move {
        /// Whether the extension's registers are read; else they are written.
        read: bool,
        /// The core's register.
        rt: Register,
        /// The core's register of the second word, if there are two.
        second: Option<Register>,
        /// Which registers of the extension.
        singles: Singles,
    },
    /// VLDR, VSTR.
    Transfer {
        /// Whether it is a load.
        load: bool,
        /// Which registers, one word or two.
        singles: Singles,
        /// Where.
        address: Address,
    },
    /// VLDM, VSTM, VPOP, VPUSH.
    Block {
        /// Whether it is a load.
        load: bool,
        /// Base register.
        rn: Register,
        /// Whether the base is moved.
        write_back: bool,
        /// Where: increasing addresses after, or decreasing ones before.
        mode: BlockMode,
        /// Which registers.
        singles: Singles,
    },
}

/// Registers of the extension that follow one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Singles {
    /// The first, 0 to 31.
    pub first: u8,
    /// How many there are.
    pub count: u8,
    /// Whether they are named in pairs, D0 to D15.
    pub double: bool,
}

impl Singles {
    /// As a set of registers: bit 16 is S0.
    pub(crate) const fn set(self) -> u64 {
        ((1 << self.count) - 1) << (FIRST + self.first)
    }

    /// Their numbers among all registers.
    pub(crate) fn numbers(self) -> impl Iterator<Item = u8> {
        let first = FIRST + self.first;
        first..first + self.count
    }
}

impl Extension {
    /// Registers that it reads (bit n is register n).
    pub(crate) const fn registers_read(&self) -> u64 {
        match *self {
            Extension::Move { read: true, singles, .. } => singles.set(),
            Extension::Move { rt, second: Some(second), .. } => 1 << rt | 1 << second,
            Extension::Move { rt, second: None, .. } => 1 << rt,
            Extension::Transfer { load, singles, address } => {
                1 << address.rn | if load { 0 } else { singles.set() }
            }
            Extension::Block { load, rn, singles, .. } => 1 << rn | if load { 0 } else { singles.set() },
        }
    }

    /// Registers that it writes.
    pub(crate) const fn registers_written(&self) -> u64 {
        match *self {
            Extension::Move { read: false, singles, .. } => singles.set(),
            Extension::Move { rt, second: Some(second), .. } => 1 << rt | 1 << second,
            Extension::Move { rt, second: None, .. } => 1 << rt,
            Extension::Transfer { load, singles, .. } => {
                if load {
                    singles.set()
                } else {
                    0
                }
            }
            Extension::Block { load, rn, write_back, singles, .. } => {
                (write_back as u64) << rn | if load { singles.set() } else { 0 }
            }
        }
    }

    /// Whether it is written as VPUSH or VPOP.
    pub(crate) fn is_push_or_pop(&self) -> bool {
        match *self {
            Extension::Block { load, rn: SP, write_back: true, mode, .. } => {
                mode == if load { BlockMode::Ia } else { BlockMode::Db }
            }
            _ => false,
        }
    }

    /// One of each name, its operands still to be filled in.
    pub(crate) fn samples() -> impl Iterator<Item = Extension> {
        let singles = Singles { first: 0, count: 1, double: false };
        let address = Address { rn: 0, up: true, offset: Offset::Immediate(0), indexing: Indexing::Offset };
        let block = move |load, rn, mode| Extension::Block { load, rn, write_back: true, mode, singles };
        let loads = [false, true].into_iter().flat_map(move |load| {
            let stack = if load { BlockMode::Ia } else { BlockMode::Db };
            [
                Extension::Transfer { load, singles, address },
                block(load, 0, BlockMode::Ia),
                block(load, 0, BlockMode::Db),
                block(load, SP, stack),
            ]
        });
        loads.chain([Extension::Move { read: false, rt: 0, second: None, singles }])
    }

    /// The mnemonic, in lower case.
    pub(crate) fn name(&self) -> &'static str {
        let stack = self.is_push_or_pop();
        match *self {
            Extension::Move { .. } => "vmov",
            Extension::Transfer { load: true, .. } => "vldr",
            Extension::Transfer { load: false, .. } => "vstr",
            Extension::Block { load: true, .. } if stack => "vpop",
            Extension::Block { load: false, .. } if stack => "vpush",
            Extension::Block { load: true, mode: BlockMode::Db, .. } => "vldmdb",
            Extension::Block { load: true, .. } => "vldmia",
            Extension::Block { load: false, mode: BlockMode::Db, .. } => "vstmdb",
            Extension::Block { load: false, .. } => "vstmia",
        }
    }
}
