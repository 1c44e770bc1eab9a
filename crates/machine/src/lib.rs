//! What all processors share: the [`Domain`] of values over which an instruction's meaning is
//! written, [`Memory`] that knows who owns each cell, the run loop and the counting of cycles.
//!
//! This crate knows no processor, does no input or output and reads no clock.

mod concrete;
mod core;
mod domain;
mod fault;
mod fork;
mod interrupts;
mod memory;
mod origins;
pub mod pattern;
mod placement;
mod pointer;
mod random;
mod routine;
mod run;
mod schedule;
mod secrets;
mod stack;
pub mod syntax;
pub mod words;

pub use concrete::{Concrete, Limb, Watch};
pub use core::{
    Call, Cause, CauseOf, Class, Code, CodeWord, Convention, Encoded, Flow, Frame, Function, InstructionSet,
    Machine, Own, Parts, Placed, Program, ProgramError, ProgramPoint, Saved, State, Trace, Visits, Way,
    WordStack, arrange, framed, part_mask, register_list,
};
pub use domain::{Base, CODE, Cases, Domain, Hidden, Joined, STACK};
pub use fault::{Access, Fault, STACK_ARGUMENTS};
pub use fork::Fork;
pub use interrupts::{Assuming, Interrupts};
pub use memory::{Memory, Region};
pub use origins::{Origin, Origins, Traced};
pub use placement::{
    Constant, Filled, Jump, Linking, Placement, SECTION_GAP, SectionAddress, Unit, Unplaced,
};
pub use pointer::{Direction, Entering, Pointer, PointerCarry, is_section};
pub use random::Random;
pub use routine::{
    Arguments, Breach, Buffer, Callee, Calls, Finished, Given, MachineCode, Mix, Moment, Outcome, Over,
    Passed, Routine, SecretBranch, See, Stopped, Surroundings, Takes, VariableTime, Writers,
};
pub use run::{Control, Cycles, Processor, Tally, run};
pub use schedule::{Step, Timing, schedule};
pub use secrets::{Secrets, Taint, TaintedBit, Unknown};
pub use stack::{Stack, StackUnits, cells_left};
