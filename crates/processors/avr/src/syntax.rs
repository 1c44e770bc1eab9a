//! Assembler text: how a routine is written as a file, and read back.
//!
//! A dialect is a file here: its directives, and how it spells operands. Everything else is shared:
//! `operands` writes one instruction, [`function()`] a whole routine with labels made from the targets of
//! its branches, [`parse()`] reads the text back to the same instructions.

pub mod crossworks;
mod function;
pub mod gnu;
pub mod iar;
mod operands;
mod parse;

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
    /// Concerns linker or debugger only.
    Other,
}

/// All dialects.
pub static DIALECTS: &[&Dialect] = &[&gnu::GNU, &iar::IAR, &crossworks::CROSSWORKS];

/// The dialect of this name.
pub fn dialect(name: &str) -> Option<&'static Dialect> {
    DIALECTS.iter().copied().find(|dialect| dialect.name == name)
}

impl Dialect {
    /// Whether the assembler reads `name` as something else than a symbol.
    pub fn is_reserved(&self, name: &str) -> bool {
        let lower = name.to_ascii_lowercase();
        let register = lower.strip_prefix('r').and_then(|number| number.parse::<u8>().ok());
        register.is_some_and(|number| number < 32)
            || ["x", "y", "z", "xl", "xh", "yl", "yh", "zl", "zh"].contains(&lower.as_str())
            || self.reserved.contains(&lower.as_str())
            || !self.mnemonics_free && operands::is_mnemonic(&lower)
    }
}
