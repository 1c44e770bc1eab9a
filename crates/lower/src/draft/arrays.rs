//! Where the arrays of a line are.

use super::core::{Fault, Setting};
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

/// What makes the product of operands, of which a line is the reduction.
#[derive(Clone, Copy)]
pub(super) enum Product<'a> {
    /// Nothing: the line has its operands.
    None,
    /// A routine that is called before.
    Called,
    /// Instructions before those of the line: into the first of these memories, of the others.
    Inside(&'a Writes<'a>),
}

pub(super) type Writes<'a> = dyn Fn(&mut Draft, [Memory; 3]) -> Result<(), Fault> + 'a;

/// Where the arrays are.
pub(super) struct Arrays {
    of: [Memory; 4],
    /// The words that the routine has in its stack.
    pub(super) stack: Memory,
    pub(super) frame: Frame,
}

impl Arrays {
    /// Those of a routine with so many words of scratch. A product of so many words that comes first is made on the stack.
    pub(super) fn new(
        draft: &mut Draft,
        (product, words): (Product<'_>, usize),
        scratch: usize,
        setting: &Setting,
    ) -> Result<Self, Fault> {
        let [r, a, b] = setting.arguments.map(|register| draft.argument(register));
        let stack = Name::Register(setting.stack);
        if let Product::Called = product {
            let pointer = setting.home + words;
            let frame = Frame { product: setting.home, pointer, words: pointer + 1 + scratch };
            let stack = draft.memory(stack);
            let r = stack.load(draft, pointer);
            let r = draft.memory(r);
            // both operands are done with
            let of = [r, stack.plus(setting.home), r, stack.plus(pointer + 1)];
            return Ok(Arrays { of, stack, frame });
        }
        let r = draft.memory(r);
        let [a, b] = [a, b].map(|pointer| draft.memory_over(pointer, r));
        let stack = draft.memory(stack);
        let Product::Inside(write) = product else {
            let frame = Frame { product: 0, pointer: 0, words: scratch };
            return Ok(Arrays { of: [r, a, b, stack], stack, frame });
        };
        write(draft, [stack, a, b])?;
        let frame = Frame { product: 0, pointer: 0, words: words + scratch };
        Ok(Arrays { of: [r, stack, b, stack.plus(words)], stack, frame })
    }

    pub(super) fn load(&self, draft: &mut Draft, Address { array, index }: Address) -> Name {
        self.of[array as usize].load(draft, index).into()
    }

    pub(super) fn store(&self, draft: &mut Draft, Address { array, index }: Address, name: Name) {
        self.of[array as usize].store(draft, index, name);
    }
}
