//! The dialect of GNU as (and of clang's assembler): whole files, out and in.
//!
//! Source: GNU as manual, chapters Assembler Directives and RISC-V Dependent Features (`.option`, `.insn`). The linker is
//! kept from making other instructions of these (`norelax`), the assembler from short forms (`norvc`) where one would be
//! possible that is not wanted. What an assembler may not know is written as a number.

use super::{NAMES, instruction};
use crate::compressed::FORMS;
use crate::decode::{decode, decode_word};
use crate::encode::encode;
use crate::instructions::{Class, Extension, Instruction, Kind, Op, ROWS};
use crate::lower::short;
use rhomb_machine::syntax::{self, Directive, Goal, Unsayable, Where, is_symbol, number, shown};
use std::fmt::Write;

/// An assembler's dialect.
pub type Dialect = syntax::Dialect<Spelling>;

/// How instructions are spelled.
#[derive(Clone, Copy, Debug)]
pub struct Spelling;

/// The dialect.
pub static GNU: Dialect = Dialect {
    name: "gnu",
    summary: "GNU as and clang's assembler",
    extension: "S",
    comment: "#",
    block_comments: true,
    reserved: &[],
    mnemonics_free: true,
    spelling: Spelling,
    local: (".L", "_"),
    colons: true,
    frame,
    directives: &[
        (".option", Directive::Other),
        (".section", Directive::Other),
        (".text", Directive::Other),
        (".balign", Directive::Other),
        (".align", Directive::Other),
        (".p2align", Directive::Other),
        (".file", Directive::Other),
        (".ident", Directive::Other),
        (".attribute", Directive::Other),
        (".globl", Directive::Public),
        (".global", Directive::Public),
        (".type", Directive::Other),
        (".size", Directive::Other),
        (".insn", Directive::Word),
    ],
};

/// As it stands at the beginning: the assembler takes no short forms.
const LONG: &str = ".option norvc";
/// It takes short forms wherever there are some.
const SHORT: &str = ".option rvc";

/// A section of its own, so that a linker can drop the function where nobody calls it.
fn frame(name: &str) -> (String, String) {
    let section = format!("\t.section .text.{name},\"ax\",@progbits\n\t.option push\n\t.option norelax\n");
    let symbol = format!("\t{LONG}\n\t.balign 4\n\t.globl {name}\n\t.type {name}, @function\n{name}:\n");
    (section + &symbol, format!("\t.size {name}, . - {name}\n\t.option pop\n"))
}

/// Aliases: mnemonic, operands, the instruction, registers rd, rs1, rs2 and the number where they are not named.
const ALIASES: &[(&str, &str, Op, [u8; 3], i32)] = &[
    ("nop", "", Op::Addi, [0, 0, 0], 0),
    ("mv", "d,s", Op::Addi, [0, 0, 0], 0),
    ("li", "d,i", Op::Addi, [0, 0, 0], 0),
    ("not", "d,s", Op::Xori, [0, 0, 0], -1),
    ("neg", "d,t", Op::Sub, [0, 0, 0], 0),
    ("seqz", "d,s", Op::Sltiu, [0, 0, 0], 1),
    ("snez", "d,t", Op::Sltu, [0, 0, 0], 0),
    ("sltz", "d,s", Op::Slt, [0, 0, 0], 0),
    ("sgtz", "d,t", Op::Slt, [0, 0, 0], 0),
    ("zext.b", "d,s", Op::Andi, [0, 0, 0], 255),
    ("beqz", "s,p", Op::Beq, [0, 0, 0], 0),
    ("bnez", "s,p", Op::Bne, [0, 0, 0], 0),
    ("bltz", "s,p", Op::Blt, [0, 0, 0], 0),
    ("bgez", "s,p", Op::Bge, [0, 0, 0], 0),
    ("bgtz", "t,p", Op::Blt, [0, 0, 0], 0),
    ("blez", "t,p", Op::Bge, [0, 0, 0], 0),
    ("bgt", "t,s,p", Op::Blt, [0, 0, 0], 0),
    ("ble", "t,s,p", Op::Bge, [0, 0, 0], 0),
    ("bgtu", "t,s,p", Op::Bltu, [0, 0, 0], 0),
    ("bleu", "t,s,p", Op::Bgeu, [0, 0, 0], 0),
    ("j", "p", Op::Jal, [0, 0, 0], 0),
    ("jal", "p", Op::Jal, [1, 0, 0], 0),
    ("jr", "s", Op::Jalr, [0, 0, 0], 0),
    ("jalr", "s", Op::Jalr, [1, 0, 0], 0),
    ("ret", "", Op::Jalr, [0, 1, 0], 0),
];

/// `a0`, `x10`, `fp`.
fn register(text: &str) -> Option<u8> {
    let by_name = NAMES.iter().position(|name| *name == text).map(|number| number as u8);
    let numbered = || (0..32).find(|number| text.strip_prefix('x') == Some(number.to_string().as_str()));
    by_name.or_else(numbered).or((text == "fp").then_some(8))
}

/// A number with a sign.
fn whole(text: &str) -> Option<i32> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let value = i64::from(number(digits)?);
    i32::try_from(if negative { -value } else { value }).ok()
}

/// Fills in operands as a form has them; `None` where the text does not have it.
fn fill(mut one: Instruction, form: &str, text: &str) -> Option<(Instruction, Option<Goal>)> {
    let parts = |text: &str| -> Vec<String> {
        let split = text.split([',', '(', ')']).map(|part| part.split_whitespace().collect::<String>());
        split.filter(|part| !part.is_empty()).collect()
    };
    let (places, given) = (parts(form), parts(text));
    let marks = |text: &str| -> String { text.chars().filter(|letter| ",()".contains(*letter)).collect() };
    if places.len() != given.len() || marks(form) != marks(text) {
        return None;
    }
    let mut goal = None;
    for (place, given) in places.iter().zip(&given) {
        match place.as_str() {
            "d" => one.rd = register(given)?,
            "s" => one.rs1 = register(given)?,
            "t" => one.rs2 = register(given)?,
            "i" => one.immediate = whole(given)?,
            _ => {
                let distance = given.strip_prefix('.').and_then(|rest| whole(rest.trim_start_matches('+')));
                let label = || is_symbol(given).then(|| Goal::Label(given.clone()));
                goal = Some(distance.map(Goal::Number).or_else(label)?);
            }
        }
    }
    Some((one, goal))
}

/// Whether it is written as a number: what assemblers may not know, short forms that do nothing, and those that go so far that
/// an assembler might take a long one, because it begins with up to four times the length of all branches between.
fn is_number(one: &Instruction) -> bool {
    let row = one.op.row();
    let far =
        || one.target(0).is_some() && encode(&Instruction { immediate: 4 * one.immediate, ..*one }).is_err();
    let nothing = row.format.has('d') && one.rd == 0 && !matches!(row.kind, Kind::Jump | Kind::JumpRegister);
    let by_zero = row.format.has('i') && one.immediate == 0 && one.rd == one.rs1 && row.class != Class::Load;
    row.extension == Extension::Zicond || one.short.is_some() && (nothing || by_zero || far())
}

impl syntax::Spelling for Spelling {
    type Instruction = Instruction;

    const UNIT: u32 = 1;
    const MODES: &'static [&'static str] = &[LONG, SHORT];

    fn mode(one: &Instruction) -> Option<&'static str> {
        match one.short {
            _ if is_number(one) => None,
            Some(_) => Some(SHORT),
            // wherever it goes to
            None => short(&Instruction {
                immediate: if one.target(0).is_some() { 0 } else { one.immediate },
                ..*one
            })
            .map(|_| LONG),
        }
    }

    fn length(&self, one: &Instruction) -> u32 {
        one.bytes()
    }

    fn target(&self, address: u32, one: &Instruction) -> Option<u32> {
        one.target(address)
    }

    fn write(&self, text: &mut String, one: &Instruction, label: Option<&str>) -> Result<(), Unsayable> {
        let halves = encode(one).map_err(|error| Unsayable::Encode(error.to_string()))?;
        if is_number(one) {
            let value = halves.iter().rev().fold(0, |value, half| value << 16 | u32::from(*half));
            // writing to a String cannot fail
            let _ =
                write!(text, ".insn {value:#0width$x}\t# {}", instruction(one), width = 2 + 4 * halves.len());
            return Ok(());
        }
        let written = instruction(one);
        match (label, written.rfind(". ")) {
            (Some(label), Some(place)) => text.extend([&written[..place], label]),
            _ => text.push_str(&written),
        }
        Ok(())
    }

    fn read(&self, mnemonic: &str, operands: &str) -> Result<(Instruction, Option<Goal>), String> {
        let rows = ROWS.iter().filter(|row| row.mnemonic == mnemonic);
        let plain = rows.map(|row| (Instruction::new(row.op), row.format.operands()));
        let aliases = ALIASES.iter().filter(|alias| alias.0 == mnemonic).map(
            |(_, form, op, [rd, rs1, rs2], immediate)| {
                let one = Instruction {
                    op: *op,
                    rd: *rd,
                    rs1: *rs1,
                    rs2: *rs2,
                    immediate: *immediate,
                    short: None,
                };
                (one, *form)
            },
        );
        let short = FORMS.iter().filter(|form| form.mnemonic == mnemonic);
        let short = short.map(|form| (form.instruction(), form.operands));
        let mut forms = plain.chain(aliases).chain(short).peekable();
        if forms.peek().is_none() {
            return Err(format!("{} is no instruction that is read", shown(mnemonic)));
        }
        let found = forms.find_map(|(one, form)| fill(one, form, operands));
        let (mut one, goal) =
            found.ok_or_else(|| format!("{} does not take {}", shown(mnemonic), shown(operands)))?;
        if one.short.is_some_and(|short| short.form().is_in_place()) {
            one.rs1 = one.rd;
        }
        if goal.is_none() {
            encode(&one).map_err(|error| error.to_string())?;
        }
        Ok((one, goal))
    }

    fn of_number(&self, text: &str) -> Result<Instruction, String> {
        let value = number(text).ok_or_else(|| format!("{} is no instruction as a number", shown(text)))?;
        let found = match u16::try_from(value) {
            Ok(half) if half & 3 != 3 => decode(&[half]),
            _ => decode_word(value),
        };
        found.map_err(|error| error.to_string())
    }

    fn placed(&self, one: &Instruction, address: u32, to: Where) -> Result<Instruction, String> {
        let immediate = match to {
            Where::Number(given) => given,
            Where::Address(place) => place.wrapping_sub(address) as i32,
        };
        let whole = Instruction { immediate, ..*one };
        encode(&whole).map(|_| whole).map_err(|error| error.to_string())
    }

    fn directive(name: &str, operands: &str, first: bool) -> Result<(), String> {
        match (name, operands) {
            (".balign" | ".align" | ".p2align", _) if !first => {
                Err("what is put in among instructions to align them is not read".to_owned())
            }
            (".section" | ".text", _) if !first => Err("instructions in more than one section".to_owned()),
            (".option", "relax") => Err("a linker may change the code; valid: .option norelax".to_owned()),
            _ => Ok(()),
        }
    }

    fn is_register(name: &str) -> bool {
        register(name).is_some()
    }

    fn is_mnemonic(name: &str) -> bool {
        ROWS.iter().any(|row| row.mnemonic == name)
            || FORMS.iter().any(|form| form.mnemonic == name)
            || ALIASES.iter().any(|alias| alias.0 == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compressed::compress;
    use rhomb_machine::syntax::{function, parse};

    #[test]
    fn files_are_read_back() {
        let branch = Instruction { rs1: 10, rs2: 0, immediate: -8, ..Instruction::new(Op::Bne) };
        let short = compress(&Instruction::rd_rs_rs(Op::Add, 10, 10, 11));
        let code = [
            Instruction::rd_rs_immediate(Op::Lw, 10, 2, -4),
            Instruction::rd_rs_rs(Op::CzeroEqz, 10, 11, 12),
            short.unwrap(),
            short.unwrap(),
            branch,
            Instruction { rd: 10, immediate: 0xfffff, ..Instruction::new(Op::Lui) },
            Instruction { rs1: 1, ..Instruction::new(Op::Jalr) },
        ];
        let text = function(&GNU, "f", 0, &code).unwrap();
        let parsed = parse(&GNU, 0, &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!((parsed.instructions.as_slice(), parsed.public), (code.as_slice(), vec!["f".to_owned()]));
        assert!(
            text.contains("\tbne a0, zero, .Lf_1\n")
                && text.contains(".insn 0x0ec5d533")
                && text.contains("c.add a0, a1"),
            "{text}"
        );
    }

    #[test]
    fn aliases_are_read() {
        let read = |text: &str| instruction(&parse(&GNU, 0, text).unwrap().instructions[0]);
        assert_eq!(read("mv a0, a1"), "addi a0, a1, 0");
        assert_eq!(read("ret"), "jalr zero, 0(ra)");
        assert_eq!(read("x: bgtz x10, x"), "blt zero, a0, . + 0");
        assert_eq!(read("j .-8"), "jal zero, . - 8");
        assert_eq!(read("lw s0, 0x10(fp)"), "lw s0, 16(s0)");
        for wrong in [
            "lw a0, 2048(a1)",
            "lw a0, a1",
            "add a0, a1",
            "fence",
            "beq a0, a1, 8",
            "j . + 1",
            ".option rvc\nnop",
            "nop\n.balign 4",
        ] {
            assert!(parse(&GNU, 0, wrong).is_err(), "{wrong}");
        }
    }
}
