//! From a task to ARM instructions.
//!
//! R0, R1 and R2 hold the pointers to the result and the operands, as they arrive. All other registers but the
//! stack pointer and the program counter are for data. A multiplication is added up by `rows` or by `columns`, or made of
//! smaller ones (`split`).

mod chain;
pub(crate) mod code;
pub mod columns;
mod frame;
pub mod halves;
mod line;
mod literals;
mod place;
mod pointers;
mod program;
mod rolled;
pub mod rows;
mod schedule;
mod split;
mod tied;

use crate::conventions::Convention;
use crate::cores::{Array, Core};
use crate::instructions::Instruction;
pub use line::line;
pub use place::placed;
pub use program::program;
use rhomb_kernel::accumulator::AccumulateError;
use rhomb_kernel::windows::WindowError;
use rhomb_kernel::{Schedule, Task};
use rhomb_line::{Line, Op};
use std::sync::Arc;

/// A routine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// All instructions, from the first save to the return.
    pub program: Vec<Instruction>,
    /// Registers that it saves and restores, ascending; LR among them where it is saved.
    pub saves: Vec<u8>,
    /// Cycles of a call, from the first save to the return, in the worst case, where they were counted.
    pub cycles: Option<u64>,
    /// The schedule that it follows, if it is the straight line along a walk, column by column.
    pub schedule: Option<Arc<Schedule>>,
    /// How its products are added up, if it is the straight line of a multiplication or squaring.
    pub accumulation: Option<Accumulation>,
    /// Bytes of stack that it uses, those of the saved registers included.
    pub stack_bytes: u32,
}

/// How the words of products are added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Accumulation {
    /// In chains of carries along the rows of a window, which run through the multiplications.
    Rows,
    /// Column by column, three additions a product.
    Columns,
    /// By products that take two words with them.
    Tied,
}

impl Accumulation {
    /// All ways of cores without UMAAL.
    pub const ALL: [Accumulation; 2] = [Accumulation::Rows, Accumulation::Columns];

    /// The ways of a core with or without UMAAL.
    pub fn of(umaal: bool) -> impl Iterator<Item = Self> {
        umaal.then_some(Accumulation::Tied).into_iter().chain(Accumulation::ALL)
    }

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Accumulation::Rows => "rows",
            Accumulation::Columns => "columns",
            Accumulation::Tied => "tied",
        }
    }

    /// One line for people.
    pub fn summary(self) -> &'static str {
        match self {
            Accumulation::Rows => {
                "row by row, in carry chains through the multiplications: two additions a product"
            }
            Accumulation::Columns => "column by column: three additions a product, into three words",
            Accumulation::Tied => "by products that add two words (UMAAL), in an order of their own",
        }
    }

    /// The way of that name.
    pub fn named(name: &str) -> Option<Self> {
        let mut all = Accumulation::ALL.into_iter().chain([Accumulation::Tied]);
        all.find(|accumulation| accumulation.name() == name)
    }
}

/// Why a task cannot become a routine for this core.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LowerError {
    /// A frame of a split beyond the reach of offsets.
    #[error("the split wants a stack frame of {bytes} bytes, of which offsets reach {most}")]
    Frame {
        /// Bytes of the frame.
        bytes: usize,
        /// The most.
        most: usize,
    },
    /// More registers than the processor has.
    #[error("{needed} registers are needed beside the pointers, {available} are there")]
    Registers {
        /// Needed.
        needed: usize,
        /// Available.
        available: usize,
    },
    /// A method for other processors.
    #[error("{what} are made for processors without a multiplication instruction")]
    Multiplier {
        /// What the method is made of.
        what: &'static str,
    },
    /// Rows need a carry that survives multiplications.
    #[error("a multiplication of {core} loses the carry, which rows must keep")]
    Carry {
        /// Name of the core.
        core: &'static str,
    },
    /// The accumulator cannot follow.
    #[error(transparent)]
    Accumulate(#[from] AccumulateError),
    /// A walk that is no sequence of windows.
    #[error(transparent)]
    Windows(#[from] WindowError),
    /// A sequence of windows for which no registers were found.
    #[error("no way was found to do it row by row with {registers} registers")]
    Rows {
        /// Registers, those of the pointers among them.
        registers: usize,
    },
    /// An instruction that a state does not have.
    #[error("Thumb state of {core} has no '{text}'")]
    Form {
        /// Name of the core.
        core: &'static str,
        /// The instruction.
        text: String,
    },
    /// A core without UMAAL.
    #[error("{core} has no UMAAL, which adds two words to a product")]
    Umaal {
        /// Name of the core.
        core: &'static str,
    },
    /// What a core with products of one word does not have.
    #[error(
        "products and squares on {core} are straight lines of half words, by multiplications to one word, and {what} are not made"
    )]
    Halves {
        /// Name of the core.
        core: &'static str,
        /// What is not made.
        what: &'static str,
    },
    /// A straight line for which all registers do not suffice.
    #[error("no registers and addresses were found for a straight line of numbers so long")]
    Long,
    /// No order of products that add two words.
    #[error("no way was found to do it by products that add two words with {registers} registers")]
    Tied {
        /// Registers, those of the pointers among them.
        registers: usize,
    },
    /// What is made by rows in a straight line only.
    #[error("products take equally long only in straight lines, added up by rows: {what} are not made so")]
    ConstantTime {
        /// What it would have been made of.
        what: &'static str,
    },
    /// Loops that cannot be made.
    #[error("the loops are larger than counters or branches reach")]
    Loops,
    /// Squarings whose loops go over columns.
    #[error("a squaring by columns is made with loops for processors whose accumulator holds a column")]
    ScannedSquaring,
}

/// How a routine is to be made, beside the task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Making {
    /// Most registers beside those that hold pointers.
    pub registers: usize,
    /// How products are added up; `None` takes the faster way.
    pub accumulation: Option<Accumulation>,
    /// Whether no instruction's time may depend on the operands. On a core where none does, nothing changes.
    pub constant_time: bool,
}

impl Default for Making {
    fn default() -> Self {
        Making { registers: usize::MAX, accumulation: None, constant_time: false }
    }
}

/// Registers that hold no pointer while two operands are multiplied: all but R0 to R2, SP and PC.
pub fn general_registers(convention: &Convention) -> usize {
    14 - convention.arguments[..3].len()
}

/// Lowers a task.
///
/// # Errors
/// Where it cannot become a routine for this core.
pub fn routine(task: &Task, core: &Core, convention: &Convention) -> Result<Kernel, LowerError> {
    routine_by(task, core, convention, &Making::default())
}

/// Lowers a task in a given way.
///
/// # Errors
/// Where it cannot become a routine for this core, or not in this way.
pub fn routine_by(
    task: &Task,
    core: &Core,
    convention: &Convention,
    making: &Making,
) -> Result<Kernel, LowerError> {
    let Making { registers, accumulation, .. } = *making;
    if core.is_small() || core.in_halves && !matches!(task, Task::Chain { .. }) {
        return halves::task(task, core, convention, registers);
    }
    let constant = making.constant_time && core.timing.array == Array::Early;
    let lower = |accumulation| match (accumulation, task) {
        (Accumulation::Columns, Task::Multiplication(_) | Task::Squaring(_) | Task::Split(_)) if constant => {
            Err(LowerError::ConstantTime { what: "columns" })
        }
        (_, Task::LoopedMultiplication(_) | Task::LoopedSquaring(_)) if constant => {
            Err(LowerError::ConstantTime { what: "loops" })
        }
        (Accumulation::Columns, Task::Multiplication(walk)) => {
            columns::multiplication(walk, core, convention, registers)
        }
        (Accumulation::Columns, Task::Squaring(squaring)) => {
            columns::squaring(squaring, core, convention, registers)
        }
        (Accumulation::Tied, Task::Multiplication(_) | Task::Squaring(_) | Task::Split(_)) if !core.umaal => {
            Err(LowerError::Umaal { core: core.name })
        }
        // whatever rows the task has
        (Accumulation::Tied, Task::Multiplication(walk)) => {
            tied::routine(false, walk.words, None, core, convention, registers)
        }
        (Accumulation::Tied, Task::Squaring(squaring)) => {
            tied::routine(true, squaring.words, None, core, convention, registers)
        }
        (Accumulation::Rows, _) if !core.carry_survives_multiplication => {
            Err(LowerError::Carry { core: core.name })
        }
        (Accumulation::Rows, Task::Multiplication(walk)) => {
            rows::multiplication(walk, core, convention, registers, constant)
        }
        (Accumulation::Rows, Task::Squaring(squaring)) => {
            rows::squaring(squaring, core, convention, registers, constant)
        }
        (_, Task::LoopedMultiplication(task)) => rolled::multiplication(task, core, convention, registers),
        (_, Task::LoopedSquaring(task)) => rolled::squaring(task, core, convention, registers),
        (_, Task::ScannedSquaring { .. }) => Err(LowerError::ScannedSquaring),
        (_, Task::Chain { subtract, words, form }) => {
            chain::chain(*subtract, *words, *form, core, convention, registers)
        }
        (accumulation, Task::Split(node)) => {
            let below = split::Below { accumulation, registers, constant_time: constant };
            split::multiplication(node, core, convention, &below)
        }
        (_, Task::Strips { .. }) => Err(LowerError::Multiplier { what: "strips" }),
        (_, Task::SoftwareProducts { .. }) => Err(LowerError::Multiplier { what: "products of software" }),
    };
    if !matches!(task, Task::Multiplication(_) | Task::Squaring(_) | Task::Split(_)) {
        return lower(Accumulation::Columns);
    }
    let named = |accumulation| {
        let kernel = schedule::scheduled(lower(accumulation)?, core);
        Ok(Kernel { accumulation: Some(accumulation), ..kernel })
    };
    match accumulation {
        Some(accumulation) => named(accumulation),
        // every walk has columns
        None if core.umaal
            && let Ok(kernel) = named(Accumulation::Tied) =>
        {
            Ok(kernel)
        }
        None => match (named(Accumulation::Columns), named(Accumulation::Rows)) {
            (Ok(columns), Ok(rows)) => Ok(if rows.cycles <= columns.cycles { rows } else { columns }),
            (Err(_), Ok(rows)) => Ok(rows),
            (columns, Err(_)) => columns,
        },
    }
}

/// Whether a line, or a product whose reduction it is, is made of products of half words.
pub fn is_in_halves(line: &Line, product: bool, core: &Core) -> bool {
    let multiplies = |line: &Line| line.ops.iter().any(|op| matches!(op, Op::Multiply { .. }));
    core.is_small() || core.in_halves && (product || rhomb_lower::variants(line, 32).iter().all(multiplies))
}

/// A product or square and the line that reduces it in one, on a core with UMAAL; nothing where the line is not made so.
pub fn reduced(task: &Task, line: &Line, core: &Core, convention: &Convention) -> Option<Kernel> {
    let (square, words) = match task {
        Task::Multiplication(walk) => (false, walk.words),
        Task::Squaring(squaring) => (true, squaring.words),
        _ => return None,
    };
    if !core.umaal {
        return None;
    }
    let kernel = tied::routine(square, words, Some(line), core, convention, usize::MAX).ok()?;
    let kernel = schedule::scheduled(kernel, core);
    Some(Kernel { cycles: cycles(&kernel.program, core), ..kernel })
}

/// A line that no product stands before, by products that take two words, on a core with UMAAL; nothing where it is not made so.
pub fn line_by_products(line: &Line, core: &Core, convention: &Convention) -> Option<Kernel> {
    let kernel = tied::line_alone(line, core, convention).filter(|_| core.umaal)?;
    let kernel = schedule::scheduled(kernel, core);
    Some(Kernel { cycles: cycles(&line::straight(&kernel.program), core), ..kernel })
}

/// Cycles of a straight line, in the worst case; nothing where the core's model lacks a time.
fn cycles(program: &[Instruction], core: &Core) -> Option<u64> {
    core.straight(program)
}
