//! The TI C55x digital signal processor.
//!
//! `instructions` are the instructions as types; [`rules`] says which can stand in parallel, [`encode`] how long they
//! are, `syntax` prints them and reads them back. What each computes stands in `meaning`, once, over any domain of
//! values; how long it takes in [`cores`]. A [`Program`] is lines checked once, a [`Machine`] runs it, a [`Function`]
//! calls it by a convention. `lower` makes kernels.

mod calls;
mod clock;
pub mod conventions;
pub mod cores;
pub mod encode;
pub mod instructions;
mod layout;
pub mod lower;
mod machine;
mod meaning;
mod program;
mod routine;
pub mod rules;
pub mod syntax;
mod units;

pub use instructions::Status;
pub use machine::Machine;
pub use program::{C55x, Cause, Program, ProgramError};
pub use routine::{Function, WITH_NUMBERS};
