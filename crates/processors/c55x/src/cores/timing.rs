//! Cycles of the pipeline: one a line, more where the flow changes or a line waits.
//!
//! | rule | source | read there |
//! |---|---|---|
//! | one cycle an instruction or pair; RPT and RPTB without overhead | SPRU374, table 4-1, column "Cyc"; SPRU422, cycle counts of fir2 and others | in part |
//! | B L16 6, BCC L16 6 taken and 5 not, CALL L16 6, RET 5 | SPRU374, table 4-1 | from memory |
//! | an address register written when an instruction is executed (phase X) and used for an address (phase AD) by the next one: 4 cycles of waiting, fewer with others between | SPRU376A, 4.4 | from memory |
//! | AMOV, AADD, ASUB, AMAR and changes by addressing modes: no waiting | SPRU376A, 4.4 | from memory |
//! | dual-access memory: two accesses a cycle and block, the third waits a cycle; single-access memory: one | SPRU371, SPRS076 | from memory |
//! | writes wait in a buffer until their block is free, and what is read back at once is passed on: no waiting | SPRU376A, 4.4.3 | from memory |
//! | code comes from the instruction buffer without waiting | SPRU376A, 4.4.4 | assumed |

use crate::instructions::{Bundle, Instruction};

/// Cycles of a core's instructions.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// `B L16`.
    pub branch: u8,
    /// `BCC L16`, taken.
    pub branch_taken: u8,
    /// `BCC L16`, not taken.
    pub branch_not_taken: u8,
    /// `CALL L16`.
    pub call: u8,
    /// `RET`.
    pub ret: u8,
    /// Cycles that the next line waits for an address register that a line writes when it is executed.
    pub late: u8,
}

impl Timing {
    /// Cycles of a line without waiting; of a conditional branch that is not taken.
    pub fn cycles(&self, line: &Bundle) -> u8 {
        let of = |one: &Instruction| match one {
            Instruction::Branch { .. } => self.branch,
            Instruction::BranchIf { .. } => self.branch_not_taken,
            Instruction::Call { .. } => self.call,
            Instruction::Return => self.ret,
            _ => 1,
        };
        line.instructions().map(of).max().unwrap_or(1)
    }
}
