//! From a task to ARM instructions.
//!
//! R0, R1 and R2 hold the pointers to the result and the operands, as they arrive. All other registers but the
//! stack pointer and the program counter are for data.

#[allow(dead_code)]
pub(crate) mod code;
#[allow(dead_code)]
mod effects;
#[allow(dead_code)]
mod frame;

use crate::instructions::Instruction;
use rhomb_kernel::Schedule;
use rhomb_kernel::accumulator::AccumulateError;
use std::sync::Arc;

/// A routine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// All instructions, from the first save to the return.
    pub program: Vec<Instruction>,
    /// Registers that it saves and restores, ascending; LR among them where it is saved.
    pub saves: Vec<u8>,
    /// Cycles of a call, from the first save to the return, in the worst case, where they were counted: for
    /// straight lines.
    pub cycles: Option<u64>,
    /// The schedule that it follows, if it is the straight line along a walk, column by column.
    pub schedule: Option<Arc<Schedule>>,
    /// Bytes of stack that it uses, those of the saved registers included.
    pub stack_bytes: u32,
}

/// Why a task cannot become a routine for this core.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LowerError {
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
    /// The accumulator cannot follow.
    #[error(transparent)]
    Accumulate(#[from] AccumulateError),
    /// An operand that is too long for the offsets that instructions can add.
    #[error("operands of {words} words are longer than an instruction's offset reaches")]
    Reach {
        /// Words of an operand.
        words: usize,
    },
    /// Loops that cannot be made.
    #[error("the loops are larger than counters or branches reach")]
    Loops,
}
