//! The dialect of GNU as (and of clang's assembler).
//!
//! Source: GNU as manual, chapters ARM Dependent Features and Assembler Directives.

use super::spelling::Spelling;
use super::{Dialect, operands};
use crate::encode::{EncodeError, encode};
use crate::instructions::Instruction;
use rhomb_machine::syntax::{self, Directive};

/// The dialect.
pub static GNU: Dialect = DIALECT;

/// The same for Thumb state.
pub static THUMB: Dialect = THUMB_DIALECT;

const THUMB_DIALECT: Dialect = Dialect { spelling: SPELLING.of_thumb(), frame: thumb_frame, ..DIALECT };

/// The same with the floating-point extension of ARMv7E-M, which the assembler is told of.
pub static EXTENDED: Dialect = Dialect { frame: extended_frame, ..THUMB_DIALECT };

const DIALECT: Dialect = Dialect {
    name: "gnu",
    summary: "GNU as and clang's assembler",
    extension: "S",
    comment: "@",
    block_comments: true,
    reserved: &[],
    mnemonics_free: true,
    spelling: SPELLING,
    local: (".L", "_"),
    colons: true,
    frame,
    directives: &[
        (".syntax", Directive::Other),
        (".arm", Directive::Other),
        (".thumb", Directive::Other),
        (".thumb_func", Directive::Other),
        (".fpu", Directive::Other),
        (".section", Directive::Other),
        (".p2align", Directive::Other),
        (".global", Directive::Public),
        (".type", Directive::Other),
        (".size", Directive::Other),
        (".inst", Directive::Word),
    ],
};

const SPELLING: Spelling = Spelling {
    thumb: None,
    upper: false,
    upper_registers: false,
    any_form: true,
    distances: true,
    word: Some(".inst"),
    literal: ".word",
};

/// A section of its own, so that a linker can drop the function where nobody calls it.
fn frame(name: &str) -> (String, String) {
    framed(name, ".arm", "")
}

fn thumb_frame(name: &str) -> (String, String) {
    framed(name, ".thumb", "\t.thumb_func\n")
}

fn extended_frame(name: &str) -> (String, String) {
    framed(name, ".fpu fpv4-sp-d16\n\t.thumb", "\t.thumb_func\n")
}

fn framed(name: &str, state: &str, marked: &str) -> (String, String) {
    let section = format!("\t.section .text.{name},\"ax\",%progbits\n\t{state}\n\t.p2align 2\n");
    let symbol = format!("\t.global {name}\n{marked}\t.type {name}, %function\n{name}:\n");
    let head = format!("\t.syntax unified\n{section}{symbol}");
    (head, format!("\t.size {name}, . - {name}\n"))
}

/// One instruction in unified syntax for Thumb state, without indentation or newline, a distance as in [`instruction`]. What
/// stands in an IT block is written as such, and IT as any other one.
pub fn thumb(instruction: &Instruction) -> String {
    let mut text = String::with_capacity(32);
    // only what Thumb state does not have cannot be written
    let _ = operands::write(&mut text, &SPELLING.of_thumb(), instruction, None);
    text.truncate(text.trim_end().len());
    text
}

/// One instruction as GNU as reads it in unified syntax, without indentation or newline. Distances are
/// written relative to the location counter (`.+4`), what has no name as a number (`.inst`).
///
/// # Errors
/// It cannot be encoded.
pub fn instruction(instruction: &Instruction) -> Result<String, EncodeError> {
    encode(instruction)?;
    let mut text = String::with_capacity(32);
    // this spelling can write all that has an encoding
    let _ = syntax::Spelling::write(&SPELLING, &mut text, instruction, None);
    Ok(text)
}
