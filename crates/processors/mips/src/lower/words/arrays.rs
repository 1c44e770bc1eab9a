//! Where the arrays of a line are.

use super::super::line::{Array as Memory, Line, Name};
use crate::conventions::Convention;
use rhomb_line::Address;

/// Words of the routine's own from the stack pointer on, by their numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// Where a product stands, behind what belongs to the routine that makes it.
    pub(super) product: usize,
    /// Where the pointer to the result waits meanwhile.
    pub(super) pointer: usize,
    /// How many there are.
    pub(super) words: usize,
}

/// Arrays, each from a word on.
pub(super) struct Arrays {
    of: [(Memory, usize); 4],
    pub(super) frame: Frame,
}

impl Arrays {
    /// Those of a routine with so many words of scratch; with `product`, the first operand is one of so many words that is
    /// made on the stack.
    pub(super) fn new(
        line: &mut Line,
        product: Option<usize>,
        scratch: usize,
        convention: &Convention,
    ) -> Self {
        let [r, a, b, _] = convention.arguments;
        let [r, a, b] = [r, a, b].map(|register| line.argument(register));
        let home = convention.home as usize / 4;
        let Some(words) = product else {
            let r = line.array(r);
            let [a, b] = [a, b].map(|pointer| line.array_over(pointer, r));
            let stack = if scratch > 0 { line.stack(scratch) } else { r };
            let frame = Frame { product: 0, pointer: 0, words: scratch };
            return Arrays { of: [(r, 0), (a, 0), (b, 0), (stack, 0)], frame };
        };
        let pointer = home + words;
        let frame = Frame { product: home, pointer, words: pointer + 1 + scratch };
        let stack = line.stack(frame.words);
        let r: Name = line.load(stack, pointer).into();
        let r = line.array(r);
        // both operands are done with
        Arrays { of: [(r, 0), (stack, home), (r, 0), (stack, pointer + 1)], frame }
    }

    pub(super) fn load(&self, line: &mut Line, Address { array, index }: Address) -> Name {
        let (memory, from) = self.of[array as usize];
        line.load(memory, from + index).into()
    }

    pub(super) fn store(&self, line: &mut Line, Address { array, index }: Address, name: Name) {
        let (memory, from) = self.of[array as usize];
        line.store(memory, from + index, name);
    }
}
