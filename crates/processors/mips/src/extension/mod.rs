//! Instruction set extensions: instructions that a text file describes, so that an idea can be tried
//! without a line of Rust.
//!
//! A file names its instructions with their operands, encoding, meaning and time. Decoder, encoder,
//! assembler text, simulator, prover and scheduler all work from that. `docs/instruction-set-extensions.md`
//! has the language; the files in `extensions/` are written in it.

mod check;
mod evaluate;
mod expression;
mod lex;
mod parse;
mod width;

use crate::cores::Time;
use crate::instructions::Row;
use expression::{Expression, Target};

pub(crate) use evaluate::Operands;

/// What is wrong with a file, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct ExtensionError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// One line, without a final full stop.
    pub message: String,
}

/// The instructions of a file.
#[derive(Clone, Debug)]
pub struct Extension {
    /// Width in bits of the accumulator of which HI and LO are the low 64: 64 to 96.
    pub accumulator: u32,
    /// The instructions, in the order of the file.
    pub instructions: Vec<CustomInstruction>,
}

/// An instruction that a file describes.
#[derive(Clone, Debug)]
pub struct CustomInstruction {
    /// Mnemonic, encoding, operands and what is read and written, as in the table.
    pub row: Row,
    /// How long it takes.
    pub time: Time,
    /// The mnemonic by which GNU as knows it after `.set smartmips`.
    pub gnu: Option<String>,
    /// Each target with what it gets.
    pub(crate) meaning: Vec<(Target, Expression)>,
}

impl Extension {
    /// Reads a file. `accumulator` is the width in bits where the file does not say; `others` are the
    /// instructions that are there already.
    ///
    /// # Errors
    /// The first thing that is not as it must be, with its place.
    pub fn parse(
        text: &str,
        accumulator: u32,
        others: &[CustomInstruction],
    ) -> Result<Extension, ExtensionError> {
        parse::parse(text, accumulator, others)
    }
}
