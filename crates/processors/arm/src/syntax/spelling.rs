//! What dialects spell in different ways.

use crate::thumb::Level;

/// How a dialect spells what others spell otherwise.
#[derive(Clone, Copy, Debug)]
pub struct Spelling {
    /// Whether it is that of Thumb state, of these instructions.
    pub(crate) thumb: Option<Level>,
    /// Mnemonics and shifts in upper case.
    pub(crate) upper: bool,
    /// Registers in upper case.
    pub(crate) upper_registers: bool,
    /// Numbers in a form that is not the assembler's own choice can be written: `#1, 30` with the rotation,
    /// and `#-0` for a zero that is subtracted.
    pub(crate) any_form: bool,
    /// Targets without a label can be written: `.+4`, from the instruction itself.
    pub(crate) distances: bool,
    /// Directive with an instruction as a number.
    pub(crate) word: Option<&'static str>,
    /// Directive with a word of data.
    pub(crate) literal: &'static str,
}

impl Spelling {
    /// The same for Thumb state, whose codes are the same in all versions that have them.
    pub(crate) const fn of_thumb(self) -> Self {
        Spelling { thumb: Some(Level::V7emFp), word: None, ..self }
    }
}
