//! The dialect of GNU as.
//!
//! Source: GNU as manual, chapter MIPS Dependent Features (`.set`, `.insn`), and chapter Assembler Directives.

use super::operands;
use crate::instructions::{Instruction, Op};
use crate::model::Model;

/// Name on the command line.
pub const NAME: &str = "gnu";
/// Extension of its files, without the dot.
pub const EXTENSION: &str = "S";
/// What begins a comment that ends with the line.
pub const COMMENT: &str = "#";

/// Whether the assembler needs `.set smartmips` for an instruction.
fn is_smartmips(model: &Model, instruction: &Instruction) -> bool {
    gnu_mnemonic(model, instruction).is_some()
}

fn gnu_mnemonic<'a>(model: &'a Model, instruction: &Instruction) -> Option<&'a str> {
    match instruction.op {
        Op::Custom => model.custom().get(usize::from(instruction.custom))?.gnu.as_deref(),
        _ => None,
    }
}

/// The lines before and after the instructions of a function: a section of its own, so that a linker can drop
/// it where nobody calls it; instructions stay where they are, none is made of several.
pub(super) fn frame(name: &str, model: &Model, code: &[Instruction]) -> (String, String) {
    let smartmips = code.iter().any(|one| is_smartmips(model, one));
    let smartmips = if smartmips { "\t.set smartmips\n" } else { "" };
    let head = format!(
        "\t.section .text.{name},\"ax\",@progbits\n\t.align 2\n\t.globl {name}\n\t.type {name}, @function\n\
         \t.set push\n\t.set noreorder\n\t.set nomacro\n\t.set noat\n{smartmips}\t.ent {name}\n{name}:\n"
    );
    (head, format!("\t.end {name}\n\t.set pop\n\t.size {name}, . - {name}\n"))
}

/// Appends the lines of an instruction, with indentation and newline. What the assembler does not know is
/// written as a word, which `.insn` makes an instruction, with its text as a comment.
pub(super) fn write_line(text: &mut String, model: &Model, one: &Instruction, target: Option<&str>) {
    text.push('\t');
    match (one.op, gnu_mnemonic(model, one), model.encode(one)) {
        (Op::Custom, None, Ok(word)) => {
            text.push_str(&format!(".insn\n\t.word {word:#010x}\t{COMMENT} "));
            operands::write(text, model, one, target);
        }
        (Op::Custom, Some(mnemonic), _) => {
            let mut own = String::new();
            operands::write(&mut own, model, one, target);
            let rest = own.find(' ').map_or("", |blank| &own[blank..]);
            text.push_str(mnemonic);
            text.push_str(rest);
        }
        _ => operands::write(text, model, one, target),
    }
    text.push('\n');
}
