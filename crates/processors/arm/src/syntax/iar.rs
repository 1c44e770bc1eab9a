//! The dialect of IAR's assembler for ARM.
//!
//! Source: "IAR Assembler Reference Guide for Arm Limited's Arm Cores", AARM-11, and its pages for EWARM 9.70,
//! chapter Assembler directives: module control (NAME, END), symbol control (PUBLIC), section control (SECTION
//! with type, flag and alignment as a power of two, 2 for 4 bytes), mode control (ARM); chapter Introduction to
//! the IAR Assembler for Arm (symbols, integer constants). The name of a section that begins with a period is
//! quoted. A number in another form than the assembler's own choice, and a coprocessor's instruction, cannot be
//! said. Nobody has run IAR's assembler on what is written here.

use super::spelling::Spelling;
use super::{Dialect, OTHER_MNEMONICS};
use rhomb_machine::syntax::{Directive, IAR_RESERVED};

/// The dialect.
pub static IAR: Dialect = DIALECT;

/// The same for Thumb state.
pub static THUMB: Dialect =
    Dialect { spelling: DIALECT.spelling.of_thumb(), frame: |name| framed(name, "THUMB"), ..DIALECT };

const DIALECT: Dialect = Dialect {
    name: "iar",
    summary: "IAR assembler for ARM",
    extension: "s",
    comment: ";",
    block_comments: false,
    reserved: &[IAR_RESERVED, OWN_RESERVED, OTHER_MNEMONICS],
    mnemonics_free: false,
    spelling: Spelling {
        thumb: None,
        upper: true,
        upper_registers: true,
        any_form: false,
        distances: false,
        word: None,
        // no label stands there, so that it needs no DATA before (IAR Assembler guide, mode control directives)
        literal: "DC32",
    },
    local: ("", "_L"),
    colons: true,
    frame: |name| framed(name, "ARM"),
    directives: &[
        ("name", Directive::Other),
        ("section", Directive::Other),
        ("arm", Directive::Other),
        ("thumb", Directive::Other),
        ("public", Directive::Public),
        ("end", Directive::End),
    ],
};

/// Directives and operators that IAR's assembler for AVR does not have.
const OWN_RESERVED: &str = "
    extweak section section_type section_group asegn alignram alignrom reptr dcb dcd dcw dcq15 dcq31 df32 df64 dq15 dq31
    setea arm thumb code16 code32 data64 ltorg sfs call_graph_root inclib overlay preserve8 require8";

/// A fragment of the section `.text`, aligned to 2^2 bytes, that the linker drops where nobody calls it.
fn framed(name: &str, state: &str) -> (String, String) {
    let head =
        format!("\tNAME {name}\n\tPUBLIC {name}\n\tSECTION `.text`:CODE:NOROOT(2)\n\t{state}\n{name}:\n");
    (head, "\tEND\n".to_owned())
}
