//! One machine under all processors: state, calls, both sides of a condition, and calls that a proof takes over. An
//! instruction set says what it is in a few traits, and writes what its instructions compute.
//!
//! Its files name each other, because its traits do: a machine belongs to an instruction set, whose routines are called by a
//! convention, which calls a function on a machine. Read `set`, `convention`, `state` and `function` first; then `run`, `sides`,
//! `merge`, `line` and `join` for conditions, and `composed`.

mod bytes;
mod cells;
mod composed;
mod constants;
mod convention;
mod function;
mod join;
mod layout;
mod line;
mod merge;
mod order;
mod paths;
mod program;
mod run;
mod set;
mod sides;
mod state;
mod trace;

pub use bytes::part_mask;
pub use convention::{Call, Convention, Placed, WordStack, arrange};
pub use function::Function;
pub use join::Saved;
pub use layout::{Class, framed, register_list};
pub use line::{Flow, Way};
pub(crate) use order::Order;
pub use program::{Cause, CauseOf, CodeWord, Encoded, Program, ProgramError};
pub use run::Visits;
pub use set::{Code, InstructionSet, Machine, Own, Parts};
pub use state::{Frame, ProgramPoint, State};
pub use trace::Trace;
