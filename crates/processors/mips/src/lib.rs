//! The MIPS32 processor, little-endian, and instruction set extensions of it.
//!
//! `instructions` is the table of all instructions; `decode` and `encode` turn it into words and back,
//! `syntax` into assembler text, [`link`] lays out object files. An [`extension`] adds instructions from a text file,
//! and a [`Model`] is a core with those it has. What each instruction computes stands in `meaning`, once, over any
//! domain of values; how long it takes in `cores`, and how that adds up in a [`Pipeline`]. A [`Program`] is code decoded
//! for a model, a [`Machine`] runs it, a [`Function`] calls it by a convention.

pub mod conventions;
pub mod cores;
pub mod decode;
pub mod encode;
pub mod extension;
pub mod field;
pub mod instructions;
pub mod layout;
pub mod link;
pub mod lower;
mod machine;
mod meaning;
mod model;
mod pipeline;
mod program;
mod routine;
pub mod syntax;

pub use machine::Machine;
pub use model::Model;
pub use pipeline::Pipeline;
pub use program::{Cause, Mips, Program, ProgramError};
pub use routine::{Function, WITH_NUMBERS};
