//! The AVR processor.
//!
//! `instructions` is the table of all instructions; `decode` and `encode` turn it into bytes and
//! back, `syntax` into assembler text. What each one computes stands in `meaning`, once, over any domain
//! of values; how long it takes in `cores`. A [`Program`] is code decoded for a core, a [`Machine`] runs
//! it.

pub mod assembler;
pub mod conventions;
pub mod cores;
mod data_space;
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

pub use machine::Machine;
pub use program::{Avr, Cause, Program, ProgramError};
pub use routine::{Function, WITH_NUMBERS};
