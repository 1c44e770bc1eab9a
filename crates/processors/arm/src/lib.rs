//! The ARM processor, ARM state of architecture version 4T.
//!
//! `thumb` reads and writes Thumb state of the M profile: instructions of the same type, and some more (`later`, `extension`).
//!
//! `instructions` names all instructions; `decode` and `encode` turn them into words and back, `uses` tells
//! which registers and flags each one reads and writes, `syntax` turns them into assembler text and back,
//! `lower` makes routines of them. What each one computes stands in `meaning`, once, over any domain of values;
//! how long it takes in `cores`. A [`Program`] is code decoded for a core, a [`Machine`] runs it, a
//! [`Function`] calls it by its convention.

mod clock;
pub mod conventions;
pub mod cores;
mod data_space;
pub mod decode;
pub mod encode;
pub mod extension;
pub mod instructions;
pub mod later;
pub mod layout;
pub mod link;
pub mod lower;
mod machine;
mod meaning;
mod program;
mod routine;
pub mod syntax;
pub mod thumb;
pub mod unpredictable;
pub mod uses;

pub use machine::Machine;
pub use program::{Arm, Cause, Program, ProgramError, Untimed, halves, words};
pub use routine::{Function, WITH_NUMBERS};
