//! The dialect of IAR's assembler for AVR.
//!
//! Sources: "AVR IAR Assembler Reference Guide", AAVR-2 (2003): chapter Introduction, sections Source
//! format, Labels, Integer constants; chapter Assembler operators (LOW, HIGH); chapter Assembler
//! directives, module control (NAME, END), symbol control (PUBLIC), segment control (RSEG with type,
//! flags and alignment as a power of two). Pairs of registers are written high register first, as in the
//! files that Atmel publishes for this assembler (`movw R31:R30, R17:R16`).

use super::Dialect;
use super::operands::Spelling;
use rhomb_machine::syntax::{Directive, IAR_RESERVED};

/// The dialect.
pub static IAR: Dialect = Dialect {
    name: "iar",
    summary: "IAR assembler for AVR",
    extension: "s90",
    comment: ";",
    block_comments: false,
    reserved: &[IAR_RESERVED, "stack common sfrb sfrw sfrtype db dw dd case limit"],
    mnemonics_free: false,
    spelling: Spelling { upper: true, pairs: true, distances: false },
    local: ("", "_L"),
    colons: true,
    frame,
    directives: &[
        ("name", Directive::Other),
        ("public", Directive::Public),
        ("rseg", Directive::Other),
        ("end", Directive::End),
    ],
};

/// A part of the segment CODE, aligned to 2^1 bytes, that the linker drops where nobody calls it.
fn frame(name: &str) -> (String, String) {
    let head = format!("\tNAME {name}\n\tPUBLIC {name}\n\tRSEG CODE:CODE:NOROOT(1)\n{name}:\n");
    (head, "\tEND\n".to_owned())
}
