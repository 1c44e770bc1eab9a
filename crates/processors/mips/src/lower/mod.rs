//! From a task to MIPS32 instructions.
//!
//! $4, $5 and $6 hold the pointers to the result and the operands, as they arrive. A straight line is first a draft
//! ([`rhomb_lower::draft`]), which is written for what the accumulator can do ([`Abilities`]) and then put into an order
//! with registers. Which core it is matters to nothing but the times that decide about the order.

mod abilities;
mod chain;
mod code;
mod draft;
mod finish;
mod frame;
mod program;
mod rolled;
mod schedule;
mod split;
mod words;

pub use abilities::Abilities;
pub use finish::registers;
pub use program::program;
pub use rhomb_lower::draft::Ring;
pub use schedule::schedule;
pub use words::words;

use crate::conventions::Convention;
use crate::instructions::{Instruction, Register, SP};
use crate::model::Model;
use finish::finish;
use rhomb_kernel::{Form, Schedule, Task, Walk};
use rhomb_lower::draft::{Fault, Setting, Sum, best, products, squares};
use std::sync::Arc;

/// A routine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// All instructions, from the first save to the slot of the return.
    pub program: Vec<Instruction>,
    /// Registers that it saves and restores, ascending.
    pub saves: Vec<Register>,
    /// Cycles of a call in the worst case, where it is a straight line.
    pub cycles: Option<u64>,
    /// The schedule that it follows, if it is the straight line along a walk.
    pub schedule: Option<Arc<Schedule>>,
    /// Bytes of stack below the caller's that it uses.
    pub stack_bytes: u32,
}

impl Kernel {
    /// What is better comes first: fewer cycles, then fewer instructions.
    pub fn rank(&self) -> (u64, usize) {
        (self.cycles.unwrap_or(u64::MAX), self.program.len())
    }
}

/// Why a task cannot become a routine for this processor.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LowerError {
    /// Splits over GF(2).
    #[error("splits are made over the integers")]
    Splits,
    /// More registers than there are.
    #[error("{needed} registers are needed, {available} are there")]
    Registers {
        /// Needed.
        needed: usize,
        /// Available.
        available: usize,
    },
    /// A column is longer than the guard bits allow.
    #[error("a column may add up to more than the {bits} bits of the accumulator")]
    Guard {
        /// Width of the accumulator.
        bits: u32,
    },
    /// What a row carries upwards may be longer than a word.
    #[error("a row may carry more than a word")]
    Carry,
    /// A method for other processors.
    #[error("{what} are made for processors without a multiplication instruction")]
    Multiplier {
        /// What the method is made of.
        what: &'static str,
    },
    /// Polynomials over GF(2) without instructions for them.
    #[error("there is no carry-less multiplication")]
    Carryless,
    /// Loops in another order than by columns or by rows of a word.
    #[error("loops are made by columns, one product at a time, or by rows of one word")]
    Loops,
    /// Operands beyond the reach of offsets and branches.
    #[error("the operands are longer than offsets and branches reach")]
    Displacement,
    /// An instruction that a straight line cannot have, or that has no time on the core.
    #[error("an instruction that has no place in a straight line")]
    Instruction,
}

/// Lowers a task over the integers.
///
/// # Errors
/// Where it cannot become a routine for this processor.
pub fn routine(task: &Task, model: &Model, convention: &Convention) -> Result<Kernel, LowerError> {
    routine_within(task, model, convention, Ring::Integers, usize::MAX)
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
    let abilities = Abilities::of(model);
    let context = Context { model, convention, abilities: &abilities, ring, registers };
    match task {
        Task::Multiplication(walk) => multiplication(walk, &context),
        Task::Squaring(task) => {
            let setting = context.setting();
            let kernels = squares(task, &setting).map(|draft| finish(&draft?, &context));
            best(kernels, |kernel| kernel.cycles, LowerError::Instruction)
        }
        Task::Chain { subtract, words, form: Form::Unrolled } => chain::straight(*subtract, *words, &context),
        Task::Chain { subtract, words, form: Form::Looped } => rolled::chain(*subtract, *words, &context),
        Task::LoopedMultiplication(task) => rolled::multiplication(task, &context),
        Task::ScannedSquaring { words } => rolled::squaring(*words, &context),
        Task::LoopedSquaring(_) => Err(LowerError::Loops),
        Task::Split(node) => split::multiplication(node, &context),
        Task::Strips { .. } => Err(LowerError::Multiplier { what: "strips" }),
        Task::SoftwareProducts { .. } => Err(LowerError::Multiplier { what: "products of software" }),
    }
}

/// What all ways of lowering need to know.
struct Context<'a> {
    model: &'a Model,
    convention: &'a Convention,
    abilities: &'a Abilities,
    ring: Ring,
    /// Most registers beside those that hold pointers.
    registers: usize,
}

impl Context<'_> {
    /// What drafts are made for.
    fn setting(&self) -> Setting {
        let [r, a, b, _] = self.convention.arguments;
        Setting {
            abilities: self.abilities.of_drafts(),
            ring: self.ring,
            arguments: [r, a, b],
            stack: SP,
            home: self.convention.home as usize / 4,
        }
    }

    /// An empty sum.
    fn sum(&self) -> Result<Sum, LowerError> {
        Ok(Sum::new(self.abilities.of_drafts(), self.ring)?)
    }
}

/// Of the ways to keep operand words, the one that makes the fastest routine is taken.
fn multiplication(walk: &Walk, context: &Context<'_>) -> Result<Kernel, LowerError> {
    let setting = context.setting();
    let kernels = products(walk, &setting).map(|made| {
        let (schedule, draft) = made?;
        Ok(Kernel { schedule: Some(Arc::new(schedule)), ..finish(&draft, context)? })
    });
    best(kernels, |kernel| kernel.cycles, LowerError::Instruction)
}

impl From<Fault> for LowerError {
    fn from(fault: Fault) -> LowerError {
        match fault {
            Fault::Registers { needed, available } => LowerError::Registers { needed, available },
            Fault::Guard { bits } => LowerError::Guard { bits },
            Fault::Carry => LowerError::Carry,
            Fault::Carryless => LowerError::Carryless,
            Fault::Displacement => LowerError::Displacement,
            Fault::Instruction => LowerError::Instruction,
        }
    }
}
