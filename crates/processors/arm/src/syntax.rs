//! Assembler text: how a routine is written as a file, and read back.
//!
//! A dialect is a file here: its directives, and how it spells instructions. Everything else is shared:
//! `mnemonics` names instructions, `operands` writes one, [`function()`] a whole routine with labels made
//! from the targets of its branches, `read` and [`parse()`] read the text back to the same instructions.
//!
//! All dialects write the unified language: condition last (`ldrbeq`, `addseq`), `ldmia` and `stmdb` or
//! `push` and `pop` (ARM DUI 0473M, chapter ARM and Thumb Instructions).

pub mod armasm;
mod function;
pub mod gnu;
pub mod iar;
mod mnemonics;
mod operands;
mod parse;
mod read;

use operands::Spelling;

pub use function::{SyntaxError, function};
pub use parse::{ParseError, Parsed, parse};

/// An assembler's dialect.
#[derive(Debug)]
pub struct Dialect {
    /// Name on the command line.
    pub name: &'static str,
    /// One line for people.
    pub summary: &'static str,
    /// Extension of its files, without the dot.
    pub extension: &'static str,
    /// What begins a comment that ends with the line.
    pub comment: &'static str,
    /// Whether a file may hold comments as C has them.
    pub block_comments: bool,
    /// Names that cannot be symbols, in lower case, beside registers.
    pub(crate) reserved: &'static [&'static str],
    /// Whether mnemonics can be symbols.
    pub(crate) mnemonics_free: bool,
    pub(crate) spelling: Spelling,
    /// What stands before and after the name and number of a label inside a routine.
    pub(crate) local: (&'static str, &'static str),
    /// Whether a label ends with a colon; else whatever stands in the first column is one.
    pub(crate) colons: bool,
    /// The lines before and after the instructions.
    pub(crate) frame: fn(&str) -> (String, String),
    /// Directives that a routine's file has, in lower case.
    pub(crate) directives: &'static [(&'static str, Directive)],
}

/// What a directive does to the text around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Directive {
    /// Names a symbol that others see.
    Public,
    /// The text ends here, and must.
    End,
    /// An instruction as a number.
    Word,
    /// Concerns linker or debugger only.
    Other,
}

/// All dialects.
pub static DIALECTS: &[&Dialect] = &[&gnu::GNU, &armasm::ARMASM, &iar::IAR];

/// The dialect of this name.
pub fn dialect(name: &str) -> Option<&'static Dialect> {
    DIALECTS.iter().copied().find(|dialect| dialect.name == name)
}

/// Names of registers beside r0 to r15, in lower case (ARM DUI 0473M, sections Predeclared core register
/// names and Predeclared extension register names).
const REGISTERS: [&str; 26] = [
    "a1", "a2", "a3", "a4", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "wr", "sb", "sl", "fp", "ip",
    "sp", "lr", "pc", "cpsr", "spsr", "apsr", "fpscr", "fpsid", "fpexc",
];

/// Names of numbered registers, of coprocessors and floating point too (the same, and Predeclared coprocessor
/// names).
const NUMBERED: [(char, u8); 7] =
    [('r', 16), ('p', 16), ('c', 16), ('f', 8), ('s', 32), ('d', 32), ('q', 16)];

impl Dialect {
    /// Whether the assembler reads `name` as something else than a symbol.
    pub fn is_reserved(&self, name: &str) -> bool {
        let lower = name.to_ascii_lowercase();
        let numbered = NUMBERED.iter().any(|(letter, count)| {
            lower.strip_prefix(*letter).and_then(operands::plain_number).is_some_and(|number| number < *count)
        });
        numbered
            || REGISTERS.contains(&lower.as_str())
            || self.reserved.contains(&lower.as_str())
            || !self.mnemonics_free && mnemonics::find(&lower).is_some()
    }
}
