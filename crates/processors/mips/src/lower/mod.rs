//! From a task to MIPS32 instructions.
//!
//! $4, $5 and $6 hold the pointers to the result and the operands, as they arrive. A straight line is first a draft
//! ([`rhomb_lower::draft`]), which is written for what the accumulator can do ([`Abilities`]) and then put into an order
//! with registers. Which core it is matters to nothing but the times that decide about the order.

mod abilities;
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
pub use rhomb_lower::draft::{Fault as LowerError, Ring};
pub use schedule::schedule;
pub use words::{Product, comb, roads, words};

use crate::conventions::Convention;
use crate::instructions::{Instruction, Register, SP};
use crate::model::Model;
use finish::finish;
use rhomb_kernel::{Form, Schedule, Task, Walk};
use rhomb_lower::draft::{Draft, Setting, best, chains, products, squares};
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
        Task::Squaring(task) => fastest(squares(task, &context.setting()), &context),
        Task::Chain { subtract, words, form: Form::Unrolled } => {
            fastest(chains(*subtract, *words, &context.setting()), &context)
        }
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
            returned: self.convention.returned,
            stack: SP,
            home: self.convention.home as usize / 4,
        }
    }
}

/// The fastest routine of some drafts.
fn fastest(
    drafts: impl Iterator<Item = Result<Draft, LowerError>>,
    context: &Context<'_>,
) -> Result<Kernel, LowerError> {
    best(drafts.map(|draft| finish(&draft?, context)), |kernel| kernel.cycles, LowerError::Instruction)
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
