//! Texts that our reader takes: GNU as makes the same words of them, as they are (`.s`) and behind the C preprocessor
//! (`.S`).

use super::*;
use rhomb_mips::instructions::ROWS;
use rhomb_mips::link::link;
use rhomb_mips::syntax::{self, Parsed, parse_file};
use rhomb_object::ObjectFile;
use rhomb_oracles::MipsGnu;

const GNU: MipsGnu = MipsGnu { march: "mips32" };

/// What is put into texts.
const PIECES: &[&str] = &[
    "\n",
    "\n",
    "\t",
    " ",
    ",",
    ";",
    "#",
    "# ",
    "/*",
    "*/",
    "//",
    "/* x */",
    "\"",
    "'",
    "\\\n",
    "\\",
    "\r\n",
    "\r",
    "(",
    ")",
    "$",
    "%",
    "=",
    "@",
    ":",
    "é",
    "\u{c}",
    "?",
    "??/\n",
    "+",
    "-",
    ".",
    "1:",
    "1b",
    "1f",
    "2:",
    "2f",
    "01:",
    "f",
    "f:",
    "g:",
    ".L1",
    "$L1",
    "$L1:",
    "linux:",
    "linux",
    "mips",
    "nop",
    "nop\n",
    "\n nop\n",
    " nop;",
    "NOP",
    "Nop\n",
    "# 12 \"a\" ; nop\n",
    "# 12 \"a\" 1\n",
    "# 1 bit\n",
    "\n# if 0\n",
    "\n#endif\n",
    "#define nop\n",
    "\n#if 1\n",
    "#NO_APP\n",
    "#APP\n",
    "# include \"x\"\n",
    "# /*\n",
    "# don't /*\n",
    "\n# \" /* \"\n",
    "%:define nop\n",
    ".set reorder\n",
    ".set noreorder\n",
    ".set push\n",
    ".set pop\n",
    ".set noat\n",
    ".set at\n",
    ".set macro\n",
    ".set nomacro\n",
    ".set at=$4\n",
    ".set mips16\n",
    ".set micromips\n",
    ".set nomips16\n",
    ".set smartmips\n",
    ".set mips32r2\n",
    ".set mips1\n",
    ".set mips0\n",
    ".set arch=r4000\n",
    ".set f,4\n",
    ".set noreorder,1\n",
    ".set reorder x\n",
    ".SET reorder\n",
    ".set Reorder\n",
    ".set\n",
    " .set\treorder ;",
    "reorder",
    "noreorder",
    ".section .text.other,\"ax\",@progbits\n",
    ".section .rodata\n",
    ".section .text\n",
    ".text\n",
    ".text 1\n",
    ".previous\n",
    ".subsection 1\n",
    ".pushsection .text\n",
    ".popsection\n",
    ".data\n",
    ".section .text,1\n",
    ".section .text.f\n",
    ".section \".text\"\n",
    ".align 2\n",
    ".align 4\n",
    ".p2align 3\n",
    ".balign 4\n",
    ".balign 16\n",
    ".align 2,1\n",
    ".align 0\n",
    ".org 64\n",
    ".space 4\n",
    ".skip 4\n",
    ".byte 1\n",
    ".word 0\n",
    ".word 010\n",
    ".word 0x24420001\n",
    ".word 1,2\n",
    ".word f\n",
    ".insn\n",
    ".macro m\n",
    ".endm\n",
    ".rept 2\n",
    ".endr\n",
    ".if 0\n",
    ".else\n",
    ".endif\n",
    ".include \"x\"\n",
    ".equ x,1\n",
    "x = 1\n",
    "x=1\n",
    ".irp x,1\n",
    ".abicalls\n",
    ".option pic0\n",
    ".option pic2\n",
    ".cpload $25\n",
    ".weak f\n",
    ".globl f\n",
    ".globl f, g\n",
    ".ent f\n",
    ".end f\n",
    ".end\n",
    ".frame $29,0,$31\n",
    ".mask 0,0\n",
    ".size f,.-f\n",
    ".size f, . - f\n",
    ".type f,@function\n",
    ".ident \"a # b\"\n",
    ".file \"a\"\n",
    ".file 1 \"a\"\n",
    ".nan legacy\n",
    ".module fp=xx\n",
    ".gnu_attribute 4, 1\n",
    ".local f\n",
    ".comm f,4\n",
    "li $2,5\n",
    "li $2,0x12345\n",
    "la $2,f\n",
    "move $2,$3\n",
    "blt $2,$3,1b\n",
    "mul $2,$3,5\n",
    "div $2,$3,$4\n",
    "div $2,$3\n",
    "div $0,$2,$3\n",
    "addu $2,$3\n",
    "addu $2,$3,5\n",
    "addiu $2,5\n",
    "subu $2,$3,1\n",
    "sub $sp,$sp,8\n",
    "addiu $2,$3,0x8000\n",
    "ori $2,$3,-1\n",
    "lui $2,%hi(f)\n",
    "lw $2,%lo(f)($3)\n",
    "lw $2,f\n",
    "lw $2,0x8000($3)\n",
    "lw $2,($3)\n",
    "lw $2, 4 ( $3 )\n",
    "sll $2,$3,$4\n",
    "sll $2,$3,33\n",
    "neg $2,$3\n",
    "not $2,$3\n",
    "ror $2,$3,4\n",
    "b 1b\n",
    "b . + 8\n",
    "b .+8\n",
    "b .-010\n",
    "b f+4\n",
    "b f\n",
    "j f\n",
    "jal f\n",
    "j 8\n",
    "jr $31\n",
    "jalr $25\n",
    "j $31\n",
    "beqz $2,1f\n",
    "bnez $2,f\n",
    "beq $2,5,f\n",
    "bal f\n",
    "beql $2,$3,f\n",
    "bgezal $2,f\n",
    "sync\n",
    "ssnop\n",
    "ehb\n",
    "mflo $2\n",
    "mult $2,$3\n",
    "break 1,2\n",
    "syscall\n",
    "teq $2,$0\n",
    "$zero",
    "$a0",
    "$t0",
    "$s8",
    "$fp",
    "$kt0",
    "$at",
    "$1",
    "$02",
    "$32",
    "$f0",
    "a0",
    "sp",
    "$sp",
    "0x",
    "0X1f",
    "0b11",
    "010",
    "08",
    "1_0",
    "1e1",
    "'a",
    "4*2",
    "4+4",
    "-4",
    "+4",
    "- 4",
    "~1",
    "!1",
    "32767",
    "32768",
    "-32768",
    "-32769",
    "65535",
    "65536",
    "0xffffffff",
    "0xffff8000",
    "4294967295",
    "4294967296",
    "99999999999999999999",
];

/// A file with instructions of all kinds, labels, comments and directives, most of which our reader takes.
fn file(random: &mut Random) -> String {
    let plain = model("mips32-4km");
    let pick = |random: &mut Random, of: &[&str]| (*random.pick(of)).to_owned();
    let mut text =
        pick(random, &["", "# a file\n", "/* a\n # file */\n", "\t.file\t1 \"a.c\"\n", "# 1 \"a.S\"\n"]);
    text += &pick(random, &["", "\t.text\n", "\t.section .text.f,\"ax\",@progbits\n", ".section .text.f\n"]);
    text += &pick(random, &["", "\t.align 2\n", ".p2align 4\n", "\t.balign 8 # x\n"]);
    text += &pick(random, &["\t.globl f\n", ".global f # x\n", "\t.globl\tf\n"]);
    text += &pick(random, &["", "\t.set nomips16\n\t.set nomicromips\n", "\t.set push ; .set noat\n"]);
    let is_function = random.index(2) == 0;
    text += if is_function { "\t.ent f\n" } else { "\t.type f, @function\n" };
    text += &pick(
        random,
        &["\t.set noreorder\n", ".set\tnoreorder # x\n", " .set  noreorder;\n", ".set noreorder/**/\n"],
    );
    text += &pick(random, &["f:\n1:2:", "1: 2: f:", "f: 1: /* here */ 2: "]);
    if is_function {
        text += &pick(random, &["\t.frame $sp,0,$31 # vars\n\t.mask 0x0,0\n", ".fmask 0,-8;"]);
    }
    let count = 2 + random.index(8);
    for _ in 0..count {
        if random.index(4) == 0 {
            text += &pick(random, &["1:\n", "1: ", "1: 2:", "# comment\n", "/* c */ ", "\n"]);
        }
        let row = ROWS[random.index(ROWS.len())].clone();
        let one = instruction(&row, 0, random);
        let names = ["1b", "1f", "f", "g", ". + 8", ".-4", "2b", "$L1", ".L1"];
        let goal = row.operands.iter().any(|operand| matches!(operand, Operand::Branch | Operand::Jump));
        let mut line = syntax::instruction(&plain, &one);
        if goal {
            let start = line.rfind([',', ' ']).filter(|_| !line.contains(". ")).unwrap_or(0);
            let start = line.find(". ").unwrap_or(start + 1);
            line.truncate(start);
            line += *random.pick(&names);
        }
        if random.index(3) == 0 {
            line = line.replace(", ", [",", " , ", ",\t"][random.index(3)]);
        }
        text += &format!(
            "\t{line}{}",
            random.pick(&["\n", "\n", "\n", " # x\n", ";\n", " /* x */\n", "; nop\n"])
        );
    }
    text += &pick(random, &["1: 2: .L1:\n$L1: g: nop\n", "$L1: .L1: g: 1: 2: jr $31\n\tnop\n"]);
    text += &pick(random, &["", "\t.set macro\n\t.set reorder\n", ".set reorder\n"]);
    text += if is_function { "\t.end\tf\n" } else { "" };
    text += &pick(random, &["", "\t.size f, . - f\n", ".size\tf, .-f\n"]);
    text + &pick(random, &["", "\t.ident \"GCC: (a) 1\"\n\t.section .note.GNU-stack,\"\",@progbits\n"])
}

/// Puts pieces in, takes some text out, or moves lines.
fn change(text: &str, random: &mut Random) -> String {
    let mut text = text.to_owned();
    for _ in 0..1 + random.index(2) {
        let place = |random: &mut Random, text: &str| {
            // most changes stand at the start of a line
            let starts: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
            let anywhere = random.index(text.len() + 1);
            let anywhere = (0..=anywhere).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
            if starts.is_empty() || random.index(2) == 0 { anywhere } else { *random.pick(&starts) }
        };
        match random.index(8) {
            0 => {
                let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
                let (from, to) = (random.index(lines.len()), random.index(lines.len()));
                lines.swap(from, to);
                text = lines.concat();
            }
            1 => {
                let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
                lines.remove(random.index(lines.len()));
                text = lines.concat();
            }
            2 => {
                let (from, to) = (place(random, &text), place(random, &text));
                let to = to.clamp(from, text.len().min(from + 6));
                let to = (from..=to).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(from);
                text.replace_range(from..to, "");
            }
            _ => {
                let at = place(random, &text);
                text.insert_str(at, PIECES[random.index(PIECES.len())]);
            }
        }
        if text.is_empty() {
            break;
        }
    }
    text
}

/// The words of the one section that has code, its jumps filled in; nothing where they cannot be, as no function of
/// that name is left.
fn assembled(object: &[u8]) -> Result<Option<Vec<u32>>, String> {
    let file = ObjectFile::parse(object).map_err(|error| error.to_string())?;
    if let Ok(code) = file.function("f") {
        let linked = link(&file, &code).map_err(|error| error.to_string())?;
        // its own section comes first
        let mut words = linked.words();
        words.truncate(linked.sections[0].0.end / 4);
        return Ok(Some(words));
    }
    let mut code = file.sections().iter().filter(|section| section.name.starts_with(".text"));
    let Some(section) = code.find(|section| !section.bytes.is_empty()) else { return Ok(Some(Vec::new())) };
    let word = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    let words = section.bytes.chunks_exact(4).map(word).collect();
    Ok(section.relocations.is_empty().then_some(words))
}

/// What is different, where our reader takes the text; otherwise, nothing.
fn difference(model: &Model, text: &str, parsed: &Parsed) -> Option<String> {
    let ours: Vec<u32> = parsed.instructions.iter().map(|one| model.encode(one).unwrap()).collect();
    let compare = |text: &str| {
        let object = match GNU.object_in_spite_of_warnings(text) {
            Ok(object) => object,
            Err(fault) => return Some(format!("as does not take it: {fault}")),
        };
        let theirs = match assembled(&object) {
            Ok(Some(theirs)) => theirs,
            Ok(None) => return None,
            Err(fault) => return Some(fault),
        };
        let filled = theirs.len() < ours.len() + 4 && theirs.iter().skip(ours.len()).all(|word| *word == 0);
        (!filled || !theirs.starts_with(&ours)).then(|| format!("ours {ours:08x?}, as {theirs:08x?}"))
    };
    let behind_cpp = || match GNU.preprocess(text) {
        Ok(text) => compare(&text).map(|fault| format!("behind cpp: {fault}")),
        Err(fault) => Some(format!("cpp does not take it: {fault}")),
    };
    // all that the preprocessor looks at
    let is_same = !text.contains(['#', '/', '\'', '"', '\\']);
    compare(text).or_else(|| if is_same { None } else { behind_cpp() })
}

/// What is different in random texts from a seed, most of them changed; and how many are read.
fn differences(seed: u64, count: usize) -> (Vec<String>, usize) {
    let model = model("mips32-4km");
    let mut random = Random::new(seed);
    let (mut all, mut taken) = (Vec::new(), 0);
    for number in 0..count {
        let text = file(&mut random);
        let text = if number % 8 == 0 { text } else { change(&text, &mut random) };
        let Ok(parsed) = parse_file(&model, 0, &text) else { continue };
        taken += 1;
        all.extend(difference(&model, &text, &parsed).map(|fault| format!("{fault}\n{text}")));
    }
    (all, taken)
}

#[test]
fn what_is_read_is_what_the_assembler_makes() {
    let count = rhomb_oracles::sample(1200, 2400);
    let (differences, taken) = differences(1, count);
    assert!(differences.is_empty(), "{} of {taken}:\n{}", differences.len(), differences.join("\n----\n"));
    assert!(taken > count / 4, "{taken}");
}

#[test]
fn more_texts_are_what_the_assembler_makes() {
    for seed in 2..rhomb_oracles::sample(3, 42) as u64 {
        let (differences, _) = differences(seed, rhomb_oracles::sample(600, 1200));
        assert!(differences.is_empty(), "seed {seed}:\n{}", differences.join("\n----\n"));
    }
}
