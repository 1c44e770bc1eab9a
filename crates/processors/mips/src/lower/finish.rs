//! The fastest routine of a line, out of several orders and numbers of registers.

use super::arrange::Order;
use super::line::Line;
use super::{Kernel, LowerError, frame};
use crate::conventions::Convention;
use crate::instructions::{Instruction, RA, Register, SP};
use crate::model::Model;
use crate::pipeline::Pipeline;

/// Registers for values beside those of the arguments: first those that need no saving. $26 and $27 belong to the
/// system, $28 to position-independent callers; the return address stays where it is.
pub fn registers(convention: &Convention) -> Vec<Register> {
    let outside = |register: &Register| ![26, 27, 28, SP, RA].contains(register);
    let mut all: Vec<Register> = (1..31).filter(outside).collect();
    all.retain(|register| !convention.arguments[..3].contains(register));
    all.sort_by_key(|register| convention.saved >> register & 1);
    all
}

/// Lines with more instructions than these are tried with fewer orders.
const LONG: usize = 800;
const LONGEST: usize = 3000;

/// The routine of a line, with the frame that its registers want: of several windows and numbers of registers up to
/// `most`, the one with the fewest cycles.
///
/// # Errors
/// Where registers are too few, an instruction has no place in a straight line, or an offset does not fit.
pub fn finish(
    line: &Line,
    model: &Model,
    convention: &Convention,
    most: usize,
) -> Result<Kernel, LowerError> {
    let stack_bytes = line.stack.map_or(0, |(_, words)| 4 * words as u32);
    finish_around(line, model, convention, most, stack_bytes)
}

/// The same of a line that itself uses so many bytes of stack, from the stack pointer on.
pub(super) fn finish_around(
    line: &Line,
    model: &Model,
    convention: &Convention,
    most: usize,
    stack_bytes: u32,
) -> Result<Kernel, LowerError> {
    let order = Order::new(line, model)?;
    let all = registers(convention);
    let most = most.min(all.len());
    let free = all.iter().filter(|register| convention.saved >> **register & 1 == 0).count();
    let arguments = line.arguments.iter().filter(|(_, register)| !all.contains(register)).count();
    let least = order.needed().saturating_sub(arguments).min(most);
    let (counts, windows): (&[usize], &[usize]) = if line.len() <= LONG {
        (&[0, 1, 2, 4, 6, 9], &[1, 6, 12, 24, 48, 96])
    } else if line.len() <= LONGEST {
        (&[0, 9], &[12, 40])
    } else {
        (&[9], &[24])
    };
    let mut counts: Vec<usize> = counts.iter().map(|more| (free + more).clamp(least, most)).collect();
    counts.sort_unstable();
    counts.dedup();
    let mut best: Option<(u64, Kernel)> = None;
    let mut fault = None;
    for count in counts {
        for window in windows {
            match order.arrange(&all[..count], *window) {
                Ok(body) => {
                    let kernel = frame::enclose(body, stack_bytes == 0, stack_bytes, model, convention);
                    let Some(cycles) = cycles(&kernel.program, model) else { continue };
                    if best.as_ref().is_none_or(|(fewest, _)| cycles < *fewest) {
                        best = Some((cycles, Kernel { cycles: Some(cycles), ..kernel }));
                    }
                }
                Err(error) => fault = Some(error),
            }
        }
    }
    best.map(|(_, kernel)| kernel).ok_or(fault.unwrap_or(LowerError::Instruction))
}

/// Cycles of a straight line in the worst case; nothing where an instruction has no time.
pub(super) fn cycles(program: &[Instruction], model: &Model) -> Option<u64> {
    let mut pipeline = Pipeline::default();
    for one in program {
        let (row, times) = (model.row(one)?, model.times(one)?);
        pipeline.issue(one.reads(row), one.writes(row), times.most);
    }
    Some(pipeline.cycles())
}
