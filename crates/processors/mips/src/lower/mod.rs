//! From a task to MIPS32 instructions.
//!
//! $4, $5 and $6 hold the pointers to the result and the operands, as they arrive. A straight line is first a draft
//! ([`rhomb_lower::draft`]), which is written for what the accumulator can do ([`Abilities`]) and then put into an order
//! with registers. Which core it is matters to nothing but the times that decide about the order.

mod abilities;
mod code;
mod draft;
mod frame;
mod program;
mod rolled;
mod schedule;

pub use abilities::Abilities;
pub use program::program;
pub use rhomb_lower::draft::{Fault as LowerError, Ring};
pub use schedule::schedule;

use crate::conventions::Convention;
use crate::instructions::{Instruction, RA, Register, SP};
use crate::model::Model;
use rhomb_kernel::Task;
use rhomb_line::Line;
use rhomb_lower::draft as shared;

/// A routine.
pub type Kernel = shared::Kernel<Instruction>;
/// What comes before a reduction.
pub type Product<'a> = shared::Product<'a, Instruction>;

/// Registers for values beside those of the arguments: first those that need no saving. $26 and $27 belong to the
/// system, $28 to position-independent callers; the return address stays where it is.
pub fn registers(convention: &Convention) -> Vec<Register> {
    let outside = |register: &Register| ![26, 27, 28, SP, RA].contains(register);
    let mut all: Vec<Register> = (1..31).filter(outside).collect();
    all.retain(|register| !convention.arguments[..3].contains(register));
    all.sort_by_key(|register| convention.saved >> register & 1);
    all
}

/// What all ways of lowering need to know.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    model: &'a Model,
    convention: &'a Convention,
    abilities: Abilities,
    ring: Ring,
    /// Most registers beside those that hold pointers.
    registers: usize,
}

impl<'a> Context<'a> {
    /// A processor with a convention, over the integers.
    pub fn of(model: &'a Model, convention: &'a Convention) -> Self {
        let (abilities, ring) = (Abilities::of(model), Ring::Integers);
        Context { model, convention, abilities, ring, registers: usize::MAX }
    }
}

/// Lowers a task over the integers.
///
/// # Errors
/// Where it cannot become a routine for this processor.
pub fn routine(task: &Task, model: &Model, convention: &Convention) -> Result<Kernel, LowerError> {
    shared::routine(task, &Context::of(model, convention))
}

/// Lowers a task over a ring to code that uses no more than so many registers beside those that hold pointers.
///
/// # Errors
/// Where it cannot become a routine for this processor.
pub fn routine_within(
    task: &Task,
    model: &Model,
    convention: &Convention,
    ring: Ring,
    registers: usize,
) -> Result<Kernel, LowerError> {
    shared::routine(task, &Context { ring, registers, ..Context::of(model, convention) })
}

/// The routine of a line, or of a product whose reduction the line is.
///
/// # Errors
/// Where registers are too few, or an instruction is missing.
pub fn words(
    line: &Line,
    product: Option<Product<'_>>,
    model: &Model,
    convention: &Convention,
) -> Result<Kernel, LowerError> {
    shared::words(line, product, &Context::of(model, convention))
}

/// A product over GF(2) on cores without an instruction for it, by a table whose addresses depend on the first operand.
///
/// # Errors
/// Where registers are too few.
pub fn comb(words: usize, model: &Model, convention: &Convention) -> Result<Kernel, LowerError> {
    shared::comb(words, &Context::of(model, convention))
}
