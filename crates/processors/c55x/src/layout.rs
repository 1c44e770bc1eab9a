//! What of a routine is its frame: saves at the entry, restores and the return at the end, each executed once.

use crate::instructions::{Bundle, Instruction, RegOp, ShiftOp};
use crate::program::Program;
use rhomb_machine::{Class, Mix};

/// Cycles of the frame, and the instructions outside of it that were executed.
pub(crate) fn frame_and_mix(program: &Program, visits: &[u64], entry: u32) -> (u64, Mix) {
    let lines = program.lines();
    let all = |line: &Bundle, is: fn(&Instruction) -> bool| line.instructions().all(is);
    let entry = entry as usize;
    let first = (entry..lines.len()).find(|number| !all(&lines[*number], saves)).unwrap_or(entry);
    let mut framed: Vec<usize> = (entry..first).collect();
    let end = (entry..lines.len())
        .find(|number| lines[*number].instructions().any(|one| *one == Instruction::Return));
    if let Some(end) = end {
        let start =
            (first..=end).rev().find(|number| !all(&lines[*number], restores)).map_or(end, |at| at + 1);
        framed.extend(start.min(end)..=end);
    }
    framed.retain(|number| visits.get(*number) == Some(&1));
    let timing = &program.core().timing;
    let cycles = framed.iter().map(|number| u64::from(timing.cycles(&lines[*number]))).sum();
    let mut mix = Mix::default();
    for (number, (line, visits)) in lines.iter().zip(visits).enumerate() {
        if !framed.contains(&number) {
            line.instructions().for_each(|one| mix.count(class(one), *visits));
        }
    }
    (cycles, mix)
}

/// Where an instruction is counted. Operands in memory are part of the instruction that works with them.
fn class(one: &Instruction) -> Class {
    use Instruction as I;
    match one {
        I::Dual(_) | I::Product { .. } | I::ProductT { .. } => Class::Multiply,
        I::AddMemory { .. }
        | I::AddDouble { .. }
        | I::AddK4 { .. }
        | I::AddK16 { .. }
        | I::Shifted { op: ShiftOp::Add | ShiftOp::Sub, .. }
        | I::Registers { op: RegOp::Add | RegOp::Sub | RegOp::Neg, .. } => Class::Add,
        I::LoadAc { .. } | I::LoadTa { .. } | I::LoadDouble { .. } | I::Pop { .. } | I::PopDouble { .. } => {
            Class::Load
        }
        I::Store { .. }
        | I::StoreHigh { .. }
        | I::StoreDouble { .. }
        | I::StorePair { .. }
        | I::StoreConstant { .. }
        | I::Copy { .. }
        | I::CopyDouble { .. }
        | I::Push { .. }
        | I::PushDouble { .. } => Class::Store,
        _ => Class::Other,
    }
}

/// Whether an instruction saves what the caller keeps.
fn saves(one: &Instruction) -> bool {
    matches!(one, Instruction::PushBoth { .. } | Instruction::Push { .. })
}

/// Whether an instruction restores it, or returns.
fn restores(one: &Instruction) -> bool {
    matches!(one, Instruction::PopBoth { .. } | Instruction::Pop { .. } | Instruction::Return)
}
