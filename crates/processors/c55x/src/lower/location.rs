//! Where numbers lie, and address registers on them.

use super::code::{Code, point};
use crate::instructions::{Instruction, Smem};

/// An address: a base and a distance in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Location {
    pub(super) base: Base,
    pub(super) offset: i32,
}

/// What a place is counted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Base {
    /// An address register that stays as it is.
    Ar(u8),
    /// The stack pointer, while nothing is pushed.
    Stack,
}

impl Location {
    pub(super) fn of(ar: u8) -> Location {
        Location { base: Base::Ar(ar), offset: 0 }
    }

    /// `words` words further up.
    pub(super) fn plus(self, words: usize) -> Location {
        Location { offset: self.offset + words as i32, ..self }
    }

    /// Sets an address register, 8 for CDP, to this place. AR2 is lost where CDP goes far into the stack.
    pub(super) fn point(self, code: &mut Code, to: u8) {
        match (self.base, u8::try_from(self.offset)) {
            (Base::Ar(ar), _) => code.push(point(to, ar, self.offset)),
            (Base::Stack, Ok(offset @ ..128)) => {
                code.push(Instruction::AmarTo { smem: Smem::Sp(offset), dst: to });
            }
            (Base::Stack, _) => {
                let by = if to == 8 { 2 } else { to };
                code.push(Instruction::AmarTo { smem: Smem::Sp(0), dst: by });
                code.push(point(to, by, self.offset));
            }
        }
    }
}
