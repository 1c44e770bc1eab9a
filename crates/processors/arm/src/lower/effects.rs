//! Which registers instructions change.

use crate::instructions::{Action, Indexing, Instruction, LR, PC};

/// Registers that an instruction writes, its base register included where that moves (bit n is Rn).
pub(super) fn written(instruction: &Instruction) -> u16 {
    use crate::instructions::DataOp::{Cmn, Cmp, Teq, Tst};
    match instruction.action {
        Action::Data { op: Tst | Teq | Cmp | Cmn, .. } => 0,
        Action::Data { rd, .. } | Action::Multiply { rd, .. } | Action::Swap { rd, .. } => 1 << rd,
        Action::ReadStatus { rd, .. } => 1 << rd,
        Action::LongMultiply { low, high, .. } => 1 << low | 1 << high,
        Action::Transfer { load, rd, address, .. } => {
            let base = if address.indexing == Indexing::Offset { 0 } else { 1 << address.rn };
            if load { base | 1 << rd } else { base }
        }
        Action::Block { load, rn, write_back, registers, .. } => {
            let base = if write_back { 1 << rn } else { 0 };
            if load { base | registers } else { base }
        }
        Action::Branch { link, .. } => 1 << PC | if link { 1 << LR } else { 0 },
        Action::BranchExchange { .. } | Action::SoftwareInterrupt { .. } => 1 << PC,
        Action::WriteStatus { .. } => 0,
        // which of them is for the coprocessor to know: none is generated
        Action::Coprocessor { .. } => u16::MAX,
    }
}
