//! TI's mnemonic syntax: text out and in (SPRU280, assembler; SPRU374, chapter 5).
//!
//! Labels are `L` and the number of the line. A block repeat names the line after its
//! block, less one byte, as TI's own sources do.

mod parse;
mod print;

pub use parse::{Parsed, parse, parse_file};
pub use print::{function, instruction, line};
pub use rhomb_machine::syntax::ParseError;

use crate::instructions::StatusBit;

/// Status bits by name.
pub(crate) const STATUS: [(StatusBit, &str); 4] = [
    (StatusBit::Carry, "CARRY"),
    (StatusBit::M40, "M40"),
    (StatusBit::Sxmd, "SXMD"),
    (StatusBit::Arms, "ARMS"),
];

/// Names that the assembler reads as registers or status bits, in capitals.
pub fn is_reserved(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let plain = name.strip_prefix('X').unwrap_or(&name);
    let numbered = |prefix: &str, count: usize| {
        plain.strip_prefix(prefix).and_then(|rest| rest.parse::<usize>().ok()).is_some_and(|n| n < count)
    };
    numbered("AC", 4)
        || numbered("AR", 8)
        || numbered("T", 4)
        || ["CDP", "SP", "SSP", "CSR", "BRC0", "BRC1", "RPTC", "TC1", "TC2", "DP", "PDP", "RETA", "CFCT"]
            .contains(&plain)
        || STATUS.iter().any(|(_, status)| *status == name)
}
