//! The dialect of IAR's assembler for AVR.
//!
//! Sources: "AVR IAR Assembler Reference Guide", AAVR-2 (2003): chapter Introduction, sections Source
//! format, Labels, Integer constants; chapter Assembler operators (LOW, HIGH); chapter Assembler
//! directives, module control (NAME, END), symbol control (PUBLIC), segment control (RSEG with type,
//! flags and alignment as a power of two). Pairs of registers are written high register first, as in the
//! files that Atmel publishes for this assembler (`movw R31:R30, R17:R16`).

use super::operands::Spelling;
use super::{Dialect, Directive};

/// The dialect.
pub static IAR: Dialect = Dialect {
    name: "iar",
    summary: "IAR assembler for AVR",
    extension: "s90",
    comment: ";",
    block_comments: false,
    // directives and the operators that are spelled in letters
    reserved: &[
        "name", "module", "program", "library", "end", "endmod", "public", "pubweak", "extern", "extrn",
        "import", "export", "rseg", "aseg", "aseg", "stack", "common", "org", "align", "even", "odd", "equ",
        "set", "var", "assign", "alias", "define", "sfrb", "sfrw", "sfrtype", "macro", "endm", "endmac",
        "exitm", "local", "rept", "reptc", "repti", "endr", "if", "else", "elseif", "endif", "db", "dw",
        "dd", "ds", "dc8", "dc16", "dc24", "dc32", "ds8", "ds16", "ds24", "ds32", "low", "high", "byte1",
        "byte2", "byte3", "byte4", "lwrd", "hwrd", "and", "or", "xor", "not", "mod", "shl", "shr", "eq",
        "ne", "lt", "le", "gt", "ge", "ugt", "ult", "sfb", "sfe", "sizeof", "date", "radix", "caseon",
        "caseoff", "case", "rtmodel", "required", "require", "cfi", "code", "data", "col", "page", "pagsiz",
        "limit", "binand", "binor", "binxor", "binnot",
    ],
    mnemonics_free: false,
    spelling: Spelling { upper: true, pairs: true, distances: false },
    local: ("", "_L"),
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
