//! The dialect of Arm's armasm, as Keil's tools have it.
//!
//! Source: "ARM Compiler armasm User Guide", ARM DUI 0473M (continued as Arm 100069): chapter 3, syntax of
//! source lines (what stands in the first column is a label), 3.3 (AREA), 7.1 (symbols), chapter ARM and Thumb
//! Instructions, 10.4 (a constant is written in the one form that the assembler chooses), chapter Directives
//! (AREA, ARM, DCI, END, EXPORT, PROC and ENDP). Numbers in other forms and coprocessors' instructions are
//! written with DCI. Nobody has run armasm on what is written here.

use super::spelling::Spelling;
use super::{Dialect, OTHER_MNEMONICS};
use rhomb_machine::syntax::Directive;

/// The dialect.
pub static ARMASM: Dialect = DIALECT;

/// The same for Thumb state.
pub static THUMB: Dialect =
    Dialect { spelling: DIALECT.spelling.of_thumb(), frame: |name| framed(name, "THUMB"), ..DIALECT };

const DIALECT: Dialect = Dialect {
    name: "armasm",
    summary: "Arm's armasm (Keil MDK)",
    extension: "s",
    comment: ";",
    block_comments: false,
    reserved: &[DIRECTIVES, OTHER_MNEMONICS],
    mnemonics_free: false,
    spelling: Spelling {
        thumb: None,
        upper: true,
        upper_registers: false,
        any_form: false,
        distances: false,
        word: Some("DCI"),
        literal: "DCD",
    },
    local: ("", "_L"),
    colons: false,
    frame: |name| framed(name, "ARM"),
    directives: &[
        ("area", Directive::Other),
        ("arm", Directive::Other),
        ("thumb", Directive::Other),
        ("export", Directive::Public),
        ("proc", Directive::Other),
        ("dci", Directive::Word),
        ("endp", Directive::Other),
        ("end", Directive::End),
    ],
};

const DIRECTIVES: &str = "
    alias align area arm assert attr cn code16 code32 common cp data dcb dcd dcdo dcdu dcfd dcfdu dcfs dcfsu dci dcq dcqu
    dcw dcwu dn else elif end endfunc endif endp entry equ export exportas extern field fill frame function gbla gbll gbls
    get global if import incbin include info keep lcla lcll lcls ltorg macro map mend mexit nofp opt preserve8 proc qn
    readonly relocs require require8 rlist rn rout seta setl sets sn space subt thumb thumbx ttl wend while";

/// An area of its own, aligned to 2^2 bytes, so that a linker can drop the function where nobody calls it.
fn framed(name: &str, state: &str) -> (String, String) {
    let head =
        format!("\tAREA |.text.{name}|, CODE, READONLY, ALIGN=2\n\t{state}\n\tEXPORT {name}\n{name}\tPROC\n");
    (head, "\tENDP\n\tEND\n".to_owned())
}
