//! Assembler text: how a routine is written as a file, and read back.
//!
//! `gnu` is the dialect of GNU as. Everything else is shared: `operands` writes one instruction,
//! [`function()`] a whole routine with labels made from the targets of its branches, [`parse()`] reads such text
//! back to the same instructions.

mod directives;
mod function;
pub mod gnu;
mod operands;
mod parse;
mod statements;
mod words;

pub use function::function;
pub(crate) use function::target;
pub use operands::instruction;
pub(crate) use parse::SHORT;
pub use parse::{Parsed, parse, parse_file};
pub use rhomb_machine::syntax::ParseError;
pub use statements::is_macro;
