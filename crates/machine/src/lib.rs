//! What all processors share: the [`Domain`] of values over which an instruction's meaning is
//! written, [`Memory`] that knows who owns each cell, the run loop and the counting of cycles.
//!
//! This crate knows no processor, does no input or output and reads no clock.

mod concrete;
mod domain;
mod fault;
mod memory;
mod pointer;
mod random;
mod routine;
mod run;
mod schedule;
mod secrets;
pub mod words;

pub use concrete::{Concrete, Limb};
pub use domain::{Base, CODE, Cases, Domain, Joined, STACK};
pub use fault::Fault;
pub use memory::{Access, Memory, Region};
pub use pointer::{Direction, Entering, Pointer, PointerCarry};
pub use random::Random;
pub use routine::{
    Breach, Buffer, Callee, Calls, Finished, Mix, Routine, SecretBranch, Stopped, Surroundings, VariableTime,
    Writers, cells_left,
};
pub use run::{Control, Cycles, Processor, Tally, run};
pub use schedule::{Step, Timing, schedule};
pub use secrets::{Secret, Secrets, Taint, TaintedBit};
