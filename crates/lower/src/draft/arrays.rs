//! Where the arrays of a line are.

use super::core::Setting;
use super::form::{Draft, Memory, Name};
use rhomb_line::Address;

/// Words of the routine's own from the stack pointer on, by their numbers.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Where a product stands, behind what belongs to the routine that makes it.
    pub product: usize,
    /// Where the pointer to the result waits meanwhile.
    pub pointer: usize,
    /// How many there are.
    pub words: usize,
}

/// Where the arrays are.
pub(super) struct Arrays {
    of: [Memory; 4],
    pub(super) frame: Frame,
}

impl Arrays {
    /// Those of a routine with so many words of scratch; with `product`, the first operand is one of so many words that is
    /// made on the stack.
    pub(super) fn new(draft: &mut Draft, product: Option<usize>, scratch: usize, setting: &Setting) -> Self {
        let [r, a, b] = setting.arguments.map(|register| draft.argument(register));
        let stack = Name::Register(setting.stack);
        let Some(words) = product else {
            let r = draft.memory(r);
            let [a, b] = [a, b].map(|pointer| draft.memory_over(pointer, r));
            let frame = Frame { product: 0, pointer: 0, words: scratch };
            return Arrays { of: [r, a, b, draft.memory(stack)], frame };
        };
        let pointer = setting.home + words;
        let frame = Frame { product: setting.home, pointer, words: pointer + 1 + scratch };
        let stack = draft.memory(stack);
        let r = stack.load(draft, pointer);
        let r = draft.memory(r);
        // both operands are done with
        Arrays { of: [r, stack.plus(setting.home), r, stack.plus(pointer + 1)], frame }
    }

    pub(super) fn load(&self, draft: &mut Draft, Address { array, index }: Address) -> Name {
        self.of[array as usize].load(draft, index).into()
    }

    pub(super) fn store(&self, draft: &mut Draft, Address { array, index }: Address, name: Name) {
        self.of[array as usize].store(draft, index, name);
    }
}
