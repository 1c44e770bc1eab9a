//! The fastest routine of a draft, out of several orders and numbers of registers.

use super::draft::Core;
use super::{Context, Kernel, LowerError, code, frame};
use crate::conventions::Convention;
use crate::instructions::{Instruction, RA, Register, SP};
use crate::model::Model;
use crate::pipeline::Pipeline;
use rhomb_lower::draft::{Draft, Registers, arranged, best};

/// Registers for values beside those of the arguments: first those that need no saving. $26 and $27 belong to the
/// system, $28 to position-independent callers; the return address stays where it is.
pub fn registers(convention: &Convention) -> Vec<Register> {
    let outside = |register: &Register| ![26, 27, 28, SP, RA].contains(register);
    let mut all: Vec<Register> = (1..31).filter(outside).collect();
    all.retain(|register| !convention.arguments[..3].contains(register));
    all.sort_by_key(|register| convention.saved >> register & 1);
    all
}

/// What stands around a draft.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Around<'a> {
    /// Instructions before it, which stay as they are.
    pub(super) first: &'a [Instruction],
    /// Bytes of stack that all of it uses, from the stack pointer on.
    pub(super) stack_bytes: u32,
    /// Whether products by words that are known to be small take as long as these.
    pub(super) knowing: bool,
}

/// The routine of a draft with nothing around it.
pub(super) fn finish(draft: &Draft, context: &Context<'_>) -> Result<Kernel, LowerError> {
    finish_around(draft, context, &Around::default())
}

/// The routine of a draft, with the frame that its registers want: of several orders and numbers of registers, the one with
/// the fewest cycles.
///
/// # Errors
/// Where registers are too few, an instruction has no place in a straight line, or an offset does not fit.
pub(super) fn finish_around(
    draft: &Draft,
    context: &Context<'_>,
    around: &Around<'_>,
) -> Result<Kernel, LowerError> {
    let Around { first, stack_bytes, knowing } = *around;
    let Context { model, convention, abilities, registers: most, .. } = *context;
    let all = registers(convention);
    let free = all.iter().filter(|register| convention.saved >> **register & 1 == 0).count();
    let made = arranged(draft, &Core { model, abilities }, knowing, &Registers { all, free, most })?;
    let kernels = made.into_iter().map(|code| {
        let body = [first, &code?].concat();
        let kernel = frame::enclose(body, true, stack_bytes, model, convention);
        let cycles = cycles(&kernel.program, model, knowing).ok_or(LowerError::Instruction)?;
        Ok(Kernel { cycles: Some(cycles), ..kernel })
    });
    best(kernels, |kernel| kernel.cycles, LowerError::Instruction)
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
