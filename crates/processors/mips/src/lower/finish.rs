//! The fastest routine of a line, out of several orders and numbers of registers.

use super::arrange::Order;
use super::line::Line;
use super::{Kernel, LowerError, code, frame};
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
    finish_around(line, model, convention, most, &Around { stack_bytes, ..Around::default() })
}

/// What stands around a line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Around<'a> {
    /// Instructions before it, which stay as they are.
    pub(super) first: &'a [Instruction],
    /// Bytes of stack that all of it uses, from the stack pointer on.
    pub(super) stack_bytes: u32,
    /// Whether products by words that are known to be small take as long as these.
    pub(super) knowing: bool,
}

/// The same of a line with something around it.
pub(super) fn finish_around(
    line: &Line,
    model: &Model,
    convention: &Convention,
    most: usize,
    around: &Around<'_>,
) -> Result<Kernel, LowerError> {
    let Around { first, stack_bytes, knowing } = *around;
    let order = Order::new(line, model, knowing)?;
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
    let mut best: Option<Kernel> = None;
    let mut fault = None;
    for count in counts {
        for window in windows {
            match order.arrange(&all[..count], *window) {
                Ok(line) => {
                    let body = [first, &line].concat();
                    let kernel = frame::enclose(body, stack_bytes == 0, stack_bytes, model, convention);
                    let cycles = cycles(&kernel.program, model, knowing);
                    if cycles.is_some() && best.as_ref().is_none_or(|best| cycles < best.cycles) {
                        best = Some(Kernel { cycles, ..kernel });
                    }
                }
                Err(error) => fault = Some(error),
            }
        }
    }
    best.ok_or(fault.unwrap_or(LowerError::Instruction))
}

/// Cycles of a straight line in the worst case; nothing where an instruction has no time.
/// With `knowing`, products by words that are known to be small take as long as these.
pub(super) fn cycles(program: &[Instruction], model: &Model, knowing: bool) -> Option<u64> {
    let mut pipeline = Pipeline::default();
    // registers that are known to be small, as zero is
    let mut small = 1u64;
    for one in program {
        let row = model.row(one)?;
        let time = code::time(model, one, knowing && small >> one.rt & 1 == 1)?;
        let writes = one.writes(row);
        pipeline.issue(one.reads(row), writes, time);
        small = if code::is_small(one) { small | writes } else { small & !writes } | 1;
    }
    Some(pipeline.cycles())
}
