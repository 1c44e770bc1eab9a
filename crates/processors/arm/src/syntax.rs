//! Assembler text: how a routine is written as a file, and read back.
//!
//! A dialect is a file here: its directives, and how it spells instructions. `mnemonics` names instructions, `operands` writes
//! one, `read` reads one; whole files are shared ([`rhomb_machine::syntax`]).
//!
//! All dialects write the unified language: condition last (`ldrbeq`, `addseq`), `ldmia` and `stmdb` or
//! `push` and `pop` (ARM DUI 0473M, chapter ARM and Thumb Instructions).

pub mod armasm;
pub mod gnu;
pub mod iar;
mod language;
mod mnemonics;
mod operands;
mod read;
mod spelling;

use crate::thumb::Level;
pub use rhomb_machine::syntax::{ParseError, SyntaxError, function, parse};
use spelling::Spelling;

/// An assembler's dialect.
pub type Dialect = rhomb_machine::syntax::Dialect<Spelling>;

/// All dialects.
pub static DIALECTS: &[&Dialect] = &[&gnu::GNU, &armasm::ARMASM, &iar::IAR];

/// The same for Thumb state.
pub static THUMB_DIALECTS: &[&Dialect] = &[&gnu::THUMB, &armasm::THUMB, &iar::THUMB];

/// The same where registers of the floating-point extension are named.
pub static EXTENDED_DIALECTS: &[&Dialect] = &[&gnu::EXTENDED, &armasm::THUMB, &iar::THUMB];

/// The dialect of this name.
pub fn dialect(name: &str) -> Option<&'static Dialect> {
    DIALECTS.iter().copied().find(|dialect| dialect.name == name)
}

/// Those for a core with these instructions of Thumb state, or in ARM state.
pub fn dialects(level: Option<Level>) -> &'static [&'static Dialect] {
    match level {
        None => DIALECTS,
        Some(Level::V7emFp) => EXTENDED_DIALECTS,
        Some(_) => THUMB_DIALECTS,
    }
}

/// Names that assemblers reserve though ARMv4T has no such instructions: synonyms, coprocessors, later versions.
const OTHER_MNEMONICS: &str =
    "adr adrl asr lsl lsr ror rrx nop ldm stm swi cdp ldc stc mcr mrc clz blx bkpt neg cpy mls umaal";
