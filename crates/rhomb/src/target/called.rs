//! What a routine takes in a call, for rankings.

use rhomb_kernel::Task;
use rhomb_machine::{Access, Buffer, Concrete, Limb, Routine, Stopped};

/// Cycles of body and function, and bytes of stack.
pub(super) struct Called {
    pub(super) body_cycles: u64,
    pub(super) function_cycles: u64,
    pub(super) stack_bytes: usize,
}

/// Calls a routine that does `task` with operands of ones: multipliers that stop early take longest for them.
pub(super) fn called<W: Limb>(routine: &impl Routine, task: &Task) -> Result<Called, Stopped> {
    let (operation, words) = (task.operation(), task.words());
    let buffer = |name, words: usize, content, access| Buffer {
        name,
        length: words as u32,
        content,
        access,
        shares: None,
    };
    let mut buffers = vec![buffer("r", operation.result_words(words), None, Access::Store)];
    let ones = || Some(vec![W::truncate(u64::MAX); words]);
    buffers.extend(operation.operands().iter().map(|name| buffer(name, words, ones(), Access::Load)));
    let finished = routine.call(Concrete::<W>::new(), &buffers)?;
    Ok(Called {
        body_cycles: finished.body_cycles.max,
        function_cycles: finished.tally.cycles.max,
        stack_bytes: finished.stack_bytes as usize,
    })
}
