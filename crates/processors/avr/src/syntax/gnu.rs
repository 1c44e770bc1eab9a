//! The dialect of GNU as (and of clang's assembler).
//!
//! Source: GNU as manual, chapters AVR Dependent Features and Assembler Directives.

use super::Dialect;
use super::operands::Spelling;
use crate::instructions::Instruction;
use rhomb_machine::syntax::{self, Directive};

/// The dialect.
pub static GNU: Dialect = Dialect {
    name: "gnu",
    summary: "GNU as and clang's assembler",
    extension: "S",
    comment: ";",
    block_comments: true,
    reserved: &["lo8 hi8 hh8 hlo8 hhi8 pm pm_lo8 pm_hi8 pm_hh8 gs lo8_gs hi8_gs"],
    mnemonics_free: true,
    spelling: SPELLING,
    local: (".L", "_"),
    colons: true,
    frame,
    directives: &[
        (".section", Directive::Other),
        (".global", Directive::Public),
        (".type", Directive::Other),
        (".size", Directive::Other),
    ],
};

const SPELLING: Spelling = Spelling { upper: false, pairs: false, distances: true };

/// A section of its own, so that a linker can drop the function where nobody calls it.
fn frame(name: &str) -> (String, String) {
    let head = format!(
        "\t.section .text.{name},\"ax\",@progbits\n\t.global {name}\n\t.type {name}, @function\n{name}:\n"
    );
    (head, format!("\t.size {name}, . - {name}\n"))
}

/// One instruction as GNU as reads it, without indentation or newline. Distances are written
/// relative to the location counter (`.+4`), addresses in bytes.
pub fn instruction(instruction: &Instruction) -> String {
    let mut text = String::with_capacity(20);
    write_instruction(&mut text, instruction);
    text
}

/// Appends what [`instruction`] returns.
pub fn write_instruction(text: &mut String, instruction: &Instruction) {
    // this spelling can write all of them
    let _ = syntax::Spelling::write(&SPELLING, text, instruction, None);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instructions::Op;

    #[test]
    fn text() {
        let check = |given: Instruction, expected: &str| assert_eq!(instruction(&given), expected);
        check(Instruction::dr(Op::Mul, 4, 9), "mul r4, r9");
        check(Instruction::dr(Op::Eor, 4, 4), "clr r4");
        check(Instruction::dr(Op::Movw, 30, 24), "movw r30, r24");
        check(Instruction::dk(Op::LddY, 5, 0), "ld r5, Y");
        check(Instruction::dk(Op::LddY, 5, 63), "ldd r5, Y+63");
        check(Instruction::rk(Op::StXInc, 5, 0), "st X+, r5");
        check(Instruction::dk(Op::Adiw, 26, 12), "adiw r26, 12");
        check(Instruction { k: -3, ..Instruction::new(Op::Rjmp) }, "rjmp .-6");
        check(Instruction { b: 1, k: 2, ..Instruction::new(Op::Brbs) }, "breq .+4");
        check(Instruction { b: 0, k: -2, ..Instruction::new(Op::Brbc) }, "brcc .-4");
        check(Instruction { b: 7, ..Instruction::new(Op::Bclr) }, "cli");
        check(Instruction { k: 0x100, ..Instruction::new(Op::Jmp) }, "jmp 0x200");
    }
}
