//! The dialect of Rowley's assembler in CrossWorks for AVR. Experimental.
//!
//! CrossWorks for AVR has an assembler of its own, not GNU as. No manual of it could be read: what stands
//! here is from memory of its sister for the MSP430, and `docs/soundness.md` says so. Whether C names get
//! an underscore is not known, so that both symbols are defined. Instructions are written as the
//! processor's manual has them (DS40002198).

use super::Dialect;
use super::operands::Spelling;
use rhomb_machine::syntax::Directive;

/// The dialect.
pub static CROSSWORKS: Dialect = Dialect {
    name: "crossworks",
    summary: "Rowley CrossWorks for AVR (experimental)",
    extension: "asm",
    comment: ";",
    block_comments: false,
    reserved: &["low high end equ macro endm sizeof and or xor not"],
    mnemonics_free: false,
    spelling: Spelling { upper: false, pairs: false, distances: false },
    local: ("", "_L"),
    colons: true,
    frame,
    directives: &[(".code", Directive::Other), (".public", Directive::Public)],
};

fn frame(name: &str) -> (String, String) {
    let head = format!("\t.code\n\t.public _{name}\n\t.public {name}\n_{name}:\n{name}:\n");
    (head, String::new())
}
