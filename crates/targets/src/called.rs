//! What a routine takes in a call, for rankings.

use rhomb_kernel::Task;
use rhomb_machine::{Access, Buffer, Domain, Limb, Routine, Secrets, Stopped};

/// Cycles of body and function in the worst case, and bytes of stack.
pub(super) struct Called {
    pub(super) body_cycles: u64,
    pub(super) function_cycles: u64,
    pub(super) stack_bytes: usize,
}

/// Calls a routine that does `task` with operands of which nothing is known, so that the time is the longest that any
/// operands may take, whatever they must be for that.
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
    let mut domain = Secrets::<W>::joining();
    for name in operation.operands() {
        let content = (0..words).map(|_| domain.arbitrary()).collect();
        buffers.push(buffer(name, words, Some(content), Access::Load));
    }
    let finished = routine.call(domain, &buffers)?;
    Ok(Called {
        body_cycles: finished.body_cycles.max,
        function_cycles: finished.tally.cycles.max,
        stack_bytes: finished.stack_bytes as usize,
    })
}
