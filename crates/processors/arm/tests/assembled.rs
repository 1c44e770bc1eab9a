//! Encoder, decoder and text against GNU as and objdump. Needs the tools that `tests/oracles/setup` installs.
#![cfg(feature = "oracles")]

use rhomb_arm::decode::{DecodeError, decode};
use rhomb_arm::encode::encode;
use rhomb_arm::instructions::{Action, DataOp, Instruction, PC, Shifter};
use rhomb_arm::link::link;
use rhomb_arm::syntax::{dialect, function, gnu};
use rhomb_object::ObjectFile;
use rhomb_oracles::{ArmGnu, Random};

/// `add r0, pc, #0x80000000`: binutils 2.40 on a 64-bit host extends the sign of the number and refuses it.
fn lost_by_gnu_as(action: &Action) -> bool {
    match action {
        Action::Data { op: DataOp::Add, set: false, rn: PC, operand, .. } => {
            operand.value().is_some_and(|number| number >> 31 != 0)
        }
        _ => false,
    }
}

/// Instructions, written as text and assembled, are what they encode to.
fn check(mut instructions: Vec<Instruction>) {
    instructions.retain(|instruction| !lost_by_gnu_as(&instruction.action));
    println!("{} instructions", instructions.len());
    let mut text = String::new();
    for instruction in &instructions {
        text.push_str(&gnu::instruction(instruction).unwrap());
        text.push('\n');
    }
    let assembled = ArmGnu.assemble(&text).unwrap();
    assert_eq!(assembled.len(), instructions.len());
    for ((instruction, theirs), line) in instructions.iter().zip(assembled).zip(text.lines()) {
        let ours = encode(instruction).unwrap();
        assert_eq!(ours, theirs, "{ours:#010x} {theirs:#010x} {line}");
    }
}

/// All patterns of the bits that tell instructions apart, with random registers and numbers.
#[test]
fn every_form_is_what_gnu_as_makes_of_its_text() {
    let mut random = Random::new(1);
    let mut all = Vec::new();
    for upper in 0..0xf00u32 {
        // most of them always executed
        let samples = if upper >> 8 == 14 { 40 } else { 3 };
        for middle in 0..16 {
            for sample in 0..samples {
                // many fields are 0 or 15
                let edge = [0, 0x000f_0000, 0x0000_f000, 0x000f_ff00];
                let fixed = edge.get(sample % 8).copied().unwrap_or(0);
                let rest =
                    (random.bits() as u32 & 0x000f_ff0f | fixed) & !(if sample % 3 == 0 { 0xf00 } else { 0 });
                all.extend(decode(upper << 20 | middle << 4 | rest));
            }
        }
    }
    // each number of data processing, each mask of registers in a way
    for bits in 0..4096u32 {
        let operand = Shifter::Immediate { value: bits as u8, rotation: (bits >> 8) as u8 };
        all.push(Action::Data { op: DataOp::Tst, set: true, rd: 0, rn: 3, operand }.into());
    }
    all.extend((1..0x1_0000u32).step_by(7).filter_map(|list| decode(0xe89d_0000 | list).ok()));
    assert!(all.len() > 150_000);
    check(all);
}

#[test]
fn random_words_that_decode_are_what_gnu_as_makes_of_their_text() {
    let mut random = Random::new(2);
    let all: Vec<Instruction> = (0..300_000).filter_map(|_| decode(random.bits() as u32).ok()).collect();
    check(all);
}

/// A whole file, with labels and directives.
#[test]
fn a_file_is_what_gnu_as_makes_of_it() {
    let words = [0xe92d_4ff0, 0xe352_0000, 0x0a00_0001, 0xe252_2001, 0x1aff_fffd, 0xebff_fff9, 0xe8bd_8ff0];
    let program: Vec<Instruction> = words.iter().map(|word| decode(*word).unwrap()).collect();
    let text = function(dialect("gnu").unwrap(), "routine", 0x8000, &program).unwrap();
    let object = ArmGnu.object(&text).unwrap();
    let linked = ArmGnu.link(&object, "SECTIONS { .text 0x8000 : { *(.text.routine) } }").unwrap();
    let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    assert!(linked.windows(code.len()).any(|window| window == code), "{text}");
}

/// Names that are mnemonics, and others that look like something else.
#[test]
fn names_that_are_not_reserved_are_symbols_to_gnu_as() {
    let names =
        ["mul", "add", "b", "bl", "and", "lsl", "rrx", "eq", "nop", "lower16", "r16", "mul160", "end"];
    let gnu = dialect("gnu").unwrap();
    // a branch to itself, and to the instruction after it
    let program = [0xeaff_fffe, 0xeaff_ffff, 0xe12f_ff1e].map(|word| decode(word).unwrap());
    for name in names {
        assert!(!gnu.is_reserved(name));
        let object = ArmGnu.object(&function(gnu, name, 0, &program).unwrap()).unwrap();
        let file = ObjectFile::parse(&object).unwrap();
        let image = link(&file, &file.function(name).unwrap(), false).unwrap();
        assert_eq!(image.words()[..3], [0xeaff_fffe, 0xeaff_ffff, 0xe12f_ff1e], "{name}");
    }
}

/// Why objdump prints an instruction for a word that we call undefined.
fn known_difference(word: u32) -> Option<&'static str> {
    // a comparison without S: only MRS, MSR and BX are defined there
    if word >> 26 & 3 == 0 && word >> 23 & 3 == 2 && word >> 20 & 1 == 0 {
        return Some("DDI 0100, A3.16: control instruction extension space");
    }
    // P, U and W clear
    if word >> 25 & 7 == 6 && word >> 21 & 0b1101 == 0 {
        return Some("DDI 0100, A5.5: LDC and STC without index, subtracted");
    }
    // STL, STLEX and their like, which objdump prints for every architecture
    if word & 0x0f90_0cf0 == 0x0180_0c90 {
        return Some("DDI 0487: version 8");
    }
    None
}

/// Words that decode are instructions to objdump, and words that are undefined are none.
#[test]
fn objdump_knows_what_we_know() {
    let mut random = Random::new(3);
    let words: Vec<u32> = (0..300_000).map(|_| random.bits() as u32).collect();
    let mut differences = Vec::new();
    let (mut known, mut undefined, mut excused) = (0, 0, 0);
    for (line, word) in ArmGnu.disassemble(&words).iter().zip(&words) {
        assert_eq!(line.words, [*word]);
        let doubts = ["UNDEFINED", "illegal shifter operand", "udf"];
        let theirs = !doubts.iter().any(|doubt| line.text.contains(doubt));
        let ours = match decode(*word) {
            // what coprocessors there are is not our matter
            Ok(Instruction { action: Action::Coprocessor { .. }, .. }) => continue,
            Ok(_) => true,
            Err(DecodeError::Undefined(_)) => false,
            Err(_) => continue,
        };
        known += u32::from(ours && theirs);
        undefined += u32::from(!ours && !theirs);
        match (ours, theirs) {
            (false, true) if known_difference(*word).is_some() => excused += 1,
            _ if ours != theirs => differences.push(format!("{word:08x} {}", line.text)),
            _ => {}
        }
    }
    println!("{known} known, {undefined} undefined, {excused} known to differ");
    let some = &differences[..differences.len().min(20)];
    assert!(differences.is_empty(), "{} differ\n{}", differences.len(), some.join("\n"));
    assert!(known > 100_000 && undefined > 10_000);
}
