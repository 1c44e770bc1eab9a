//! Text of routines: straight lines are put in order, registers come from a queue.

use crate::instructions::{Register, SP};
use crate::lower::{LowerError, schedule};
use crate::model::Model;
use crate::program::ProgramError;
use crate::syntax::{self, ParseError};
use std::collections::VecDeque;

/// Why a routine cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FieldError {
    /// The core lacks an instruction, or the text is wrong.
    #[error("assembler text, {0}")]
    Text(#[from] ParseError),
    /// An instruction cannot be encoded.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// More values are alive than there are registers.
    #[error("no register is left")]
    Registers,
    /// What must be a straight line is none.
    #[error("a branch within a straight line")]
    NotStraight,
    /// A routine that is called does not exist.
    #[error("there is no routine {0}")]
    NoRoutine(String),
    /// A routine stopped, or gave a wrong result.
    #[error("{0}")]
    Evidence(String),
    /// A line or program cannot be written.
    #[error(transparent)]
    Lower(#[from] LowerError),
}

/// Registers that o32 lets a routine use freely, pointers of arguments left out: $at, $v0, $v1, $a3, $t0 to $t9.
const FREE: [Register; 14] = [8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 2, 3, 7, 1];

/// The text of a routine.
pub(crate) struct Writer<'m> {
    model: &'m Model,
    done: String,
    /// A straight line that is not yet in order.
    open: String,
    /// The register that is free for longest comes first, so that little waits for it.
    free: VecDeque<Register>,
}

impl<'m> Writer<'m> {
    /// A routine that begins with a label.
    pub(crate) fn new(model: &'m Model, name: &str) -> Self {
        Writer { model, done: format!("{name}:\n"), open: String::new(), free: FREE.into() }
    }

    /// An instruction of a straight line.
    pub(crate) fn line(&mut self, text: impl AsRef<str>) {
        self.open.push_str(text.as_ref());
        self.open.push('\n');
    }

    /// What must stand where it stands: labels, branches with their slots.
    pub(crate) fn fixed(&mut self, text: impl AsRef<str>) -> Result<(), FieldError> {
        self.close()?;
        self.done.push_str(text.as_ref());
        self.done.push('\n');
        Ok(())
    }

    /// Puts the straight line in order.
    fn close(&mut self) -> Result<(), FieldError> {
        let line = syntax::parse(self.model, 0, &std::mem::take(&mut self.open))?.instructions;
        // what lies on the stack is no operand
        let order =
            schedule(self.model, &line, |x, y| (x == SP) != (y == SP)).ok_or(FieldError::NotStraight)?;
        for one in &order {
            self.done.push_str(&syntax::instruction(self.model, one));
            self.done.push('\n');
        }
        Ok(())
    }

    /// A free register.
    pub(crate) fn take(&mut self) -> Result<Register, FieldError> {
        self.free.pop_front().ok_or(FieldError::Registers)
    }

    /// A register that nobody needs any more.
    pub(crate) fn give(&mut self, register: Register) {
        self.free.push_back(register);
    }

    /// A free register, with a word loaded from `offset` bytes behind another.
    pub(crate) fn load(&mut self, offset: usize, base: Register) -> Result<Register, FieldError> {
        let register = self.take()?;
        self.line(format!("lw ${register}, {offset}(${base})"));
        Ok(register)
    }

    /// A word stored.
    pub(crate) fn store(&mut self, register: Register, offset: usize, base: Register) {
        self.line(format!("sw ${register}, {offset}(${base})"));
    }

    /// A free register with the accumulator's low word; the accumulator moves down by a word.
    pub(crate) fn low_word(&mut self) -> Result<Register, FieldError> {
        let register = self.take()?;
        self.line(format!("mflo ${register}"));
        self.line("sha");
        Ok(register)
    }

    /// Adds registers to the accumulator, two by two.
    pub(crate) fn add(&mut self, registers: &[Register]) {
        for pair in registers.chunks(2) {
            let other = pair.get(1).copied().unwrap_or(0);
            self.line(format!("addau ${}, ${other}", pair[0]));
        }
    }

    /// The text.
    pub(crate) fn finish(mut self) -> Result<String, FieldError> {
        self.close()?;
        Ok(self.done)
    }
}
