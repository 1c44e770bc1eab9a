//! The RISC-V processor of 32 bits: RV32IM, compressed instructions, bit manipulation and carry-less products.
//!
//! `instructions` is the table of all instructions and `compressed` that of their short forms; `decode` and `encode` turn
//! them into halfwords and back, `syntax` into assembler text. What each instruction computes stands in `meaning`, once,
//! over any domain of values; how long it takes in `cores`. A [`Program`] is code decoded for a core, a [`Machine`] runs it,
//! a [`Function`] calls it by a convention. [`lower`] makes routines.

mod clock;
pub mod compressed;
pub mod conventions;
pub mod cores;
pub mod decode;
pub mod encode;
pub mod instructions;
pub mod layout;
pub mod link;
pub mod lower;
mod machine;
mod meaning;
mod program;
mod routine;
pub mod syntax;

pub use clock::Clock;
pub use machine::Machine;
pub use program::{Cause, Program, ProgramError, Riscv};
pub use routine::{Function, WITH_NUMBERS};
