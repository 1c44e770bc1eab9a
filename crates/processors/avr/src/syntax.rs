//! Assembler text: how a routine is written as a file, and read back.
//!
//! A dialect is a file here: its directives, and how it spells operands. `operands` writes one instruction, `read` reads one;
//! whole files are shared ([`rhomb_machine::syntax`]).

pub mod crossworks;
pub mod gnu;
pub mod iar;
mod language;
mod operands;
mod read;

use operands::Spelling;
pub use rhomb_machine::syntax::{ParseError, SyntaxError, function, parse};

/// An assembler's dialect.
pub type Dialect = rhomb_machine::syntax::Dialect<Spelling>;

/// All dialects.
pub static DIALECTS: &[&Dialect] = &[&gnu::GNU, &iar::IAR, &crossworks::CROSSWORKS];

/// The dialect of this name.
pub fn dialect(name: &str) -> Option<&'static Dialect> {
    DIALECTS.iter().copied().find(|dialect| dialect.name == name)
}
