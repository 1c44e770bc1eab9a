//! Encodings and text against GNU as and objdump.

use super::*;
use rhomb_mips::encode::encode;
use rhomb_mips::instructions::ROWS;
use rhomb_mips::syntax::{self, function, parse};
use rhomb_oracles::MipsGnu;

const GNU: MipsGnu = MipsGnu { march: "mips32" };

const PLAIN: &str = "\t.set noreorder\n\t.set noat\n\t.set nomacro\n";

/// Instructions of the table that can be written alone: a jump needs a linker.
fn rows() -> impl Iterator<Item = &'static Row> {
    ROWS.iter().filter(|row| !row.operands.contains(&Operand::Jump))
}

#[test]
fn gnu_as_makes_the_same_words() {
    let plain = model("mips32-4km");
    let mut random = Random::new(1);
    let mut text = PLAIN.to_owned();
    let mut expected = Vec::new();
    for row in rows() {
        for _ in 0..40 {
            let one = instruction(row, 0, &mut random);
            text += &format!("\t{}\n", syntax::instruction(&plain, &one));
            expected.push((one, encode(&one).unwrap()));
        }
    }
    let words = GNU.assemble(&text).unwrap();
    assert!(words.len() >= expected.len() && expected.len() > 3000);
    for (word, (one, ours)) in words.iter().zip(&expected) {
        assert_eq!(word, ours, "{}: {word:#010x}", syntax::instruction(&plain, one));
    }
    // our own reader makes the same
    let parsed = parse(&plain, 0, &text).unwrap();
    assert!(parsed.instructions.iter().eq(expected.iter().map(|(one, _)| one)));
}

/// Mnemonic and operands, numbers as numbers.
fn parts(text: &str) -> Vec<String> {
    let number = |word: &str| match word.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).map_or(word.to_owned(), |number| number.to_string()),
        None => word.to_owned(),
    };
    text.split([' ', ',', '(', ')']).filter(|word| !word.is_empty()).map(number).collect()
}

#[test]
fn objdump_reads_the_same_text() {
    let plain = model("mips32-4km");
    let mut random = Random::new(2);
    let instructions: Vec<Instruction> = rows()
        // a target is an address there
        .filter(|row| !row.operands.contains(&Operand::Branch))
        .flat_map(|row| (0..20).map(|_| instruction(row, 0, &mut random)).collect::<Vec<_>>())
        // short forms all the same: neg, negu, jalr
        .filter(|one| !matches!(one.op, Op::Sub | Op::Subu) || one.rs != 0)
        .filter(|one| one.op != Op::Jalr || one.rd != 31)
        .collect();
    let words: Vec<u32> = instructions.iter().map(|one| encode(one).unwrap()).collect();
    let lines = GNU.disassemble(&words);
    assert_eq!(lines.len(), words.len());
    for (line, one) in lines.iter().zip(&instructions) {
        let mut ours = parts(&syntax::instruction(&plain, one));
        let mut theirs = parts(&line.text);
        if one.op == Op::Lui || matches!(one.op, Op::Break | Op::Syscall | Op::Sdbbp) {
            // written in hexadecimal by both or by one of them, and with zeros by them
            ours.retain(|part| part != "0");
            theirs.retain(|part| part != "0");
        }
        if matches!(one.op, Op::Tge | Op::Tgeu | Op::Tlt | Op::Tltu | Op::Teq | Op::Tne) {
            theirs.retain(|part| part != "0");
            ours.retain(|part| part != "0");
        }
        assert_eq!(ours, theirs, "{line:?}");
    }
}

/// Words that objdump knows are those that we know, but for what is not of MIPS32 release 1, user mode, integers.
#[test]
fn random_words_are_instructions_to_both_or_to_neither() {
    let mut random = Random::new(3);
    let words: Vec<u32> = (0..20_000).map(|_| random.bits() as u32).collect();
    let lines = GNU.disassemble(&words);
    assert_eq!(lines.len(), words.len());
    let mut compared = 0;
    for (line, word) in lines.iter().zip(&words) {
        let ours = rhomb_mips::decode::decode(*word);
        let mnemonic = line.text.split(' ').next().unwrap_or_default();
        match ours {
            Ok(one) => {
                assert_eq!(mnemonic, one.op.row().unwrap().mnemonic, "{line:?}");
                compared += 1;
            }
            Err(_) => {
                let opcode = word >> 26;
                // coprocessors 0 to 3 with their loads and stores, and the floating-point moves
                let coprocessor = matches!(opcode, 0x10..=0x13 | 0x31..=0x33 | 0x35..=0x37 | 0x39..=0x3f);
                let other = ["movf", "movt", "sync", ".word", "jalx", "ssnop", "ehb", "pref"];
                assert!(coprocessor || other.contains(&mnemonic), "{line:?}");
            }
        }
    }
    assert!(compared > 5_000, "{compared}");
}

/// Files of functions with instructions that the assembler does not know, or only by another name.
#[test]
fn gnu_as_takes_our_files() {
    for name in ["mips32-4km", "mips32-ise", "smartmips"] {
        let model = model(name);
        let mut random = Random::new(4);
        let mut code: Vec<Instruction> = Vec::new();
        for (number, custom) in (0..).zip(model.custom()) {
            code.extend((0..10).map(|_| instruction(&custom.row, number, &mut random)));
        }
        // forwards, backwards, to the start, out of the routine
        for (op, immediate) in [(Op::Beq, 3), (Op::Bnel, -4), (Op::Bgtz, 0), (Op::Bltz, 700)] {
            code.push(Instruction { rs: 4, immediate, ..Instruction::new(op) });
            code.push(Instruction::NOP);
        }
        let start = -(code.len() as i32) - 1;
        code.push(Instruction { rs: 4, rt: 5, immediate: start, ..Instruction::new(Op::Bne) });
        code.push(Instruction::rd_rs_rt(Op::Mul, 1, 2, 3));
        code.push(Instruction { immediate: 2, ..Instruction::new(Op::J) });
        code.push(Instruction::NOP);
        let text = function(&model, "routine", 0, &code);
        let words = GNU.assemble(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let ours: Vec<u32> = code.iter().map(|one| model.encode(one).unwrap()).collect();
        assert_eq!(words[..ours.len()], ours, "{text}");
        let parsed = parse(&model, 0, &text).unwrap();
        assert_eq!(parsed.public, ["routine"]);
        assert_eq!(parsed.instructions, code);
        assert_eq!(text.contains(".insn"), name == "mips32-ise");
        assert_eq!(text.contains(".set smartmips"), name != "mips32-4km");
    }
}
