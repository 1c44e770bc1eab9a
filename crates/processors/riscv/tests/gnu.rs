//! Encodings and validity against GNU as and objdump.
#![cfg(feature = "oracles")]

use rhomb_oracles::{Random, RiscvGnu};
use rhomb_riscv::decode::{decode, decode_word};
use rhomb_riscv::encode::encode_word;
use rhomb_riscv::instructions::{Extension, Instruction};

const GNU: RiscvGnu = RiscvGnu { march: "rv32imc_zba_zbb_zbc_zbs_zbkb" };

/// Words as halfwords.
fn halves(words: &[u32]) -> Vec<u16> {
    words.iter().flat_map(|word| [*word as u16, (word >> 16) as u16]).collect()
}

fn mnemonic(text: &str) -> &str {
    text.split(' ').next().unwrap_or_default()
}

/// Words at random: what one of both knows is the same instruction to the other, but for what is not of the extensions.
#[test]
fn random_words_are_instructions_to_both_or_to_neither() {
    const OPCODES: [u32; 9] = [0x03, 0x13, 0x17, 0x23, 0x33, 0x37, 0x63, 0x67, 0x6f];
    let mut random = Random::new(3);
    let words: Vec<u32> = (0..40_000u32)
        .map(|number| random.bits() as u32 & !0x7f | OPCODES[number as usize % OPCODES.len()])
        // of what has functions by bits, more
        .map(|word| if word & 0x57 == 0x13 && word & 0x80 == 0 { word & 0x0fff_ffff } else { word })
        .collect();
    let lines = GNU.disassemble(&halves(&words));
    assert_eq!(lines.len(), words.len());
    for (line, word) in lines.iter().zip(&words) {
        let other = [".4byte", "unimp", "prefetch.i", "prefetch.r", "prefetch.w"];
        match decode_word(*word) {
            Ok(one) if one.op.row().extension == Extension::Zicond => {
                assert_eq!(mnemonic(&line.text), ".4byte")
            }
            Ok(one) => {
                let known = [one.op.row().mnemonic, "prefetch.i", "prefetch.r", "prefetch.w"];
                assert!(known.contains(&mnemonic(&line.text)), "{line:?} {one:?}");
            }
            // other extensions and 64 bits
            // shifts by 32 places and more, of 64 bits
            Err(_) if word & 0x0200_007f == 0x0200_0013 => {}
            Err(_) => assert!(other.contains(&mnemonic(&line.text)) || is_foreign(&line.text), "{line:?}"),
        }
    }
}

/// What objdump knows of other extensions.
fn is_foreign(text: &str) -> bool {
    let names = [
        "ld", "lwu", "sd", "brev8", "zip", "unzip", "pack", "packh", "xperm4", "xperm8", "sha256", "sha512",
        "sm3", "sm4", "aes32", "aes64", "packw",
    ];
    names.iter().any(|name| mnemonic(text).starts_with(name))
}

/// All halfwords of short forms.
#[test]
fn short_forms_are_instructions_to_both_or_to_neither() {
    let all: Vec<u16> = (0..=u16::MAX).filter(|half| half & 3 != 3).collect();
    let lines = GNU.disassemble(&all);
    assert_eq!(lines.len(), all.len());
    for (line, half) in lines.iter().zip(&all) {
        let theirs = mnemonic(&line.text);
        match decode(&[*half]) {
            // shifts by nothing
            Ok(one) if theirs.ends_with("64") => assert_eq!(one.immediate, 0, "{line:?}"),
            Ok(one) => assert_eq!(one.short.map(|short| short.form().mnemonic), Some(theirs), "{line:?}"),
            Err(_) => {
                // floating point, the debugger, and reserved ones that objdump shows all the same
                let other = [".2byte", "c.unimp", "c.ebreak"].contains(&theirs) || theirs.starts_with("c.f");
                let by_32 = matches!(theirs, "c.slli" | "c.srli" | "c.srai") && half & 0x1000 != 0;
                let zero = matches!(theirs, "c.addi16sp" | "c.addi4spn" | "c.lui");
                assert!(other || by_32 || zero, "{line:?}");
            }
        }
    }
}

/// GNU as makes the same halfwords of what objdump writes of our words.
#[test]
fn gnu_as_makes_the_same_words() {
    let mut random = Random::new(5);
    let rows = rhomb_riscv::instructions::ROWS.iter().filter(|row| row.extension != Extension::Zicond);
    let mut words = Vec::new();
    for row in rows.filter(|row| !row.format.operands().contains('p')) {
        for _ in 0..40 {
            let mut one = Instruction::new(row.op);
            let has = |letter| row.format.operands().contains(letter);
            let mut register = || random.below(32) as u8;
            one.rd = if has('d') { register() } else { 0 };
            one.rs1 = if has('s') { register() } else { 0 };
            one.rs2 = if has('t') { register() } else { 0 };
            one.immediate = if has('i') { register().into() } else { 0 };
            words.push(encode_word(&one).unwrap());
        }
    }
    let lines = GNU.disassemble(&halves(&words));
    assert!(lines.iter().all(|line| !line.text.starts_with('.')));
    let text: String = lines.iter().map(|line| format!("\t{}\n", line.text)).collect();
    assert_eq!(GNU.assemble(&format!("\t.option norvc\n{text}")).unwrap(), halves(&words));
}

/// Files as they are written here.
#[test]
fn gnu_as_takes_our_files() {
    use rhomb_machine::syntax::{function, parse};
    use rhomb_riscv::syntax::gnu::GNU as DIALECT;
    let mut random = Random::new(7);
    let mut code = Vec::new();
    while code.len() < 2000 {
        let word = random.bits() as u32;
        let word = if word & 1 == 0 { word | 0x13 } else { word };
        let found = decode(&[word as u16, (word >> 16) as u16]);
        code.extend(found.ok().map(|one| match one.target(0) {
            Some(_) if one.short.is_none() => Instruction { immediate: one.immediate & 0xffc & !3, ..one },
            _ => one,
        }));
    }
    let text = function(&DIALECT, "routine", 0, &code).unwrap();
    let ours: Vec<u16> = code.iter().flat_map(|one| rhomb_riscv::encode::encode(one).unwrap()).collect();
    let theirs = GNU.assemble(&text).unwrap_or_else(|error| panic!("{error}"));
    let differs = ours.iter().zip(&theirs).position(|(own, other)| own != other);
    let from = differs.map(|at| GNU.disassemble(&theirs[at..at + 2]));
    assert_eq!(
        (from, theirs.len() >= ours.len()),
        (None, true),
        "{:x?}",
        differs.map(|at| (ours[at], theirs[at]))
    );
    assert_eq!(parse(&DIALECT, 0, &text).unwrap().instructions, code);
}
