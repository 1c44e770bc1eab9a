//! Operations with their registers.

use crate::file::Register;
use rhomb_line::{Address, Logic};

/// A second operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// What a register holds.
    Register(Register),
    /// A number.
    Number(u64),
}

/// An operation of a line with its registers, or a copy that these want.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are those of rhomb_line::Op")]
pub enum Placed {
    Load {
        to: Register,
        from: Address,
    },
    Store {
        from: Register,
        to: Address,
    },
    Number {
        to: Register,
        number: u64,
    },
    Multiply {
        low: Register,
        high: Register,
        x: Register,
        y: Register,
    },
    Low {
        to: Register,
        x: Register,
        y: Register,
    },
    Add {
        to: Register,
        x: Register,
        y: Operand,
        carry_in: bool,
        carry_out: bool,
    },
    Subtract {
        to: Register,
        x: Register,
        y: Operand,
        carry_in: bool,
        carry_out: bool,
    },
    Spread {
        to: Register,
        borrow: bool,
    },
    Sign {
        to: Register,
        x: Register,
    },
    Not {
        to: Register,
        x: Register,
    },
    Mask {
        to: Register,
        x: Register,
        bits: u64,
    },
    Negate {
        to: Register,
        x: Register,
    },
    Logic {
        to: Register,
        logic: Logic,
        x: Register,
        y: Register,
    },
    Halve {
        to: Register,
        x: Register,
        carry_in: bool,
        carry_out: bool,
    },
    ShiftUp {
        to: Register,
        x: Register,
        places: u32,
    },
    ShiftDown {
        to: Register,
        x: Register,
        places: u32,
    },
    Copy {
        to: Register,
        from: Register,
    },
    /// Of an even register and the one behind it.
    CopyPair {
        to: Register,
        from: Register,
    },
    /// Two zeros at once, from the zero register and its neighbour.
    ZeroPair {
        to: Register,
    },
}
