//! What a linker decides is not known to a proof. The object files in `data/linker` are made from the sources beside
//! them.

use rhomb::{Interrupts, Proof, Question, Verification, replay, targets, verify};

/// What is said of a function, in an object file or in a linked one.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Said {
    Proved,
    /// Refuted or unknown.
    Not,
    /// Refused, with these words.
    Refused(&'static str),
}
use Said::{Not, Proved, Refused};

/// Functions of an object file, with what is said of them there and where the file is linked, with the sections in
/// the file's order and the first at an address that is no power of two.
type Cases = &'static [(&'static str, Said, Said)];

struct File {
    object: &'static [u8],
    contract: &'static str,
    target: &'static str,
    cases: Cases,
}

const AVR: File = File {
    object: include_bytes!("data/linker/avr.o"),
    contract: "add 16",
    target: "atmega128",
    cases: &[
        ("own_address", Not, Not),
        ("distance", Not, Not),
        ("own_byte", Not, Not),
        // by chance, as the numbers are there
        ("index_without_carry", Not, Proved),
        ("index", Proved, Proved),
        ("index_by_subtraction", Proved, Proved),
        ("borrow_of_subtraction", Not, Proved),
        ("beyond_table", Not, Proved),
        ("address_from_table", Proved, Proved),
        ("own_code", Not, Proved),
        ("run_off", Not, Not),
        ("skip_off", Not, Not),
        ("jump_beyond", Not, Not),
        ("to_number", Not, Not),
        ("indirect_to_number", Not, Not),
        ("indirect_to_label", Proved, Proved),
        ("indirect_to_bytes", Not, Not),
        ("through_weak", Refused("'weak_rest', which is weak"), Proved),
        ("through_other", Proved, Proved),
        ("weak_sum", Proved, Proved),
        ("second_word", Proved, Proved),
        ("second_word_of_call", Not, Not),
    ],
};

const ARM: File = File {
    object: include_bytes!("data/linker/arm.o"),
    contract: "add 32",
    target: "arm7tdmi",
    cases: &[
        ("own_address", Not, Not),
        ("distance", Not, Not),
        ("from_table", Proved, Proved),
        ("bytes_from_table", Proved, Proved),
        ("word_from_unaligned_table", Not, Proved),
        ("address_from_table", Proved, Proved),
        ("beyond_table", Not, Proved),
        ("run_off", Not, Not),
        ("to_number", Not, Not),
        ("loaded_number", Not, Not),
        ("to_label", Proved, Proved),
        ("through_weak", Refused("'weak_rest', which is weak"), Proved),
        ("through_other", Proved, Proved),
        // where the linker puts nothing in between
        ("keeps_ip", Not, Proved),
        ("past_return", Not, Not),
        ("into_data", Not, Not),
        ("through_group", Refused("(COMDAT)"), Proved),
        ("from_merged", Refused("the linker merges"), Proved),
    ],
};

const MIPS: File = File {
    object: include_bytes!("data/linker/mips.o"),
    contract: "add 32",
    target: "mips32-4km",
    cases: &[
        ("to_number", Not, Not),
        ("direct_to_number", Not, Not),
        ("before_itself", Not, Not),
        ("run_off", Not, Not),
        ("slot_off", Not, Not),
        ("through_weak", Refused("'weak_rest', which is weak"), Proved),
        ("through_other", Proved, Proved),
        ("calls", Proved, Proved),
    ],
};

fn question<'a>(file: &File, bytes: &'a [u8], symbol: &'a str) -> Question<'a> {
    let target = targets::find(file.target).unwrap();
    Question { file: bytes, symbol, target, convention: None, interrupts: Interrupts::Any }
}

fn ask(file: &File, bytes: &[u8], symbol: &str) -> Result<Verification, rhomb::Error> {
    verify(&question(file, bytes, symbol), &file.contract.parse().unwrap())
}

fn check(file: &File, bytes: &[u8], symbol: &str, said: Said) {
    let found = ask(file, bytes, symbol);
    let about = format!("{symbol} on {}", file.target);
    match (found, said) {
        (Ok(found), Proved) => assert_eq!(found.proof, Proof::Proved, "{about}: {:?}", found.reasons),
        (Ok(found), Not) => {
            assert!([Proof::Refuted, Proof::Unknown].contains(&found.proof), "{about}: {found:?}");
        }
        (Err(error), Refused(words)) => assert!(error.to_string().contains(words), "{about}: {error}"),
        (Err(error), _) => panic!("{about}: {error}"),
        (Ok(found), Refused(_)) => panic!("{about}: {found:?}"),
    }
}

#[test]
fn what_a_linker_decides_is_not_known() {
    for file in [AVR, ARM, MIPS] {
        for (symbol, said, _) in file.cases {
            check(&file, file.object, symbol, *said);
        }
    }
    let indirect = include_bytes!("data/linker/indirect.o");
    check(&ARM, indirect, "through_indirect", Refused("(IFUNC)"));
    check(&ARM, indirect, "indirect", Refused("(IFUNC)"));
}

#[test]
fn certificates_say_which_relocations_they_rest_on() {
    let found = ask(&AVR, AVR.object, "index").unwrap();
    let expected = [
        ".text.index+0xe: lo8 of .progmem.data.table",
        ".text.index+0x10: hi8, below 64 KiB, of .progmem.data.table",
    ];
    assert_eq!(found.linker, expected);
    let text = found.written.unwrap().text;
    let question = question(&AVR, AVR.object, "index");
    replay(&question, text.as_bytes()).unwrap();
    for (from, to) in
        [(".text.index+0xe", ".text.index+0x0"), ("\"relocations\":[", "\"relocations\":[\"x\",")]
    {
        let forged = text.replacen(from, to, 1);
        assert_ne!(forged, text);
        let error = replay(&question, forged.as_bytes()).unwrap_err().to_string();
        assert!(error.contains("for relocations"), "{error}");
    }
    // within one section all is as it was
    let found = ask(&AVR, AVR.object, "second_word").unwrap();
    assert_eq!(found.linker, [""; 0]);
    assert!(!found.written.unwrap().text.contains("relocations"));
    let found = ask(&ARM, ARM.object, "through_other").unwrap();
    assert_eq!(found.linker, [".text.through_other+0xc: branch to rest"]);
    let found = ask(&MIPS, MIPS.object, "through_other").unwrap();
    assert_eq!(found.linker[0], ".text.through_other+0x8: jump to rest");
}

#[test]
fn what_else_a_linker_may_do_is_said() {
    let notes = |file: &File, symbol| ask(file, file.object, symbol).unwrap().linker.join("; ");
    assert!(notes(&AVR, "weak_sum").contains("the function is weak"));
    assert!(notes(&AVR, "through_other").contains("--relax"));
    assert!(notes(&MIPS, "calls").contains("aligned to 1, and must stand at a multiple of 4"));
}

#[cfg(feature = "oracles")]
mod linked {
    use super::*;
    use rhomb_object::ObjectFile;
    use std::path::Path;
    use std::process::Command;

    fn run(folder: &Path, tool: &str, arguments: &[&str]) {
        let output = Command::new(tool).args(arguments).current_dir(folder).output();
        let output = output.unwrap_or_else(|error| panic!("{tool}: {error}; run tests/oracles/setup"));
        assert!(output.status.success(), "{tool}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// Sections in the file's order, apart from each other.
    const SCRIPT: &str = "SECTIONS { .text 0x1234 : ALIGN(4) SUBALIGN(4) { *(.text.*) *(.progmem*) } \
        .rodata 0x9138 : { *(.rodata*) } }";

    /// One function in a section of its own.
    const TWO: &str = "SECTIONS { .text 0x1234 : ALIGN(4) SUBALIGN(4) { *(.text.through_other) } \
        .others 0x3458 : ALIGN(4) SUBALIGN(4) { *(.text.*) *(.progmem*) } .rodata 0x9138 : { *(.rodata*) } }";

    /// The file with other contents loaded than its sections say: where a segment stands in the file is changed.
    fn shifted(elf: &[u8]) -> Vec<u8> {
        let number =
            |at: usize, bytes| elf[at..at + bytes].iter().rev().fold(0, |n, b| n << 8 | usize::from(*b));
        // e_phoff, e_phentsize, e_phnum; p_offset
        let (start, size, count) = (number(28, 4), number(42, 2), number(44, 2));
        let mut other = elf.to_vec();
        (0..count).for_each(|index| other[start + index * size + 4] ^= 4);
        other
    }

    fn linked(file: &File, source: &str, assembler: &[&str], linker: &[&str]) {
        let folder = tempfile::tempdir().unwrap();
        let from = format!("{}/tests/data/linker/{source}", env!("CARGO_MANIFEST_DIR"));
        std::fs::copy(from, folder.path().join(source)).unwrap();
        run(folder.path(), assembler[0], &[&assembler[1..], &["-o", "made.o", source]].concat());
        let made = std::fs::read(folder.path().join("made.o")).unwrap();
        let sections = |bytes| ObjectFile::parse(bytes).unwrap().sections().to_vec();
        assert_eq!(sections(&made), sections(file.object), "tests/data/linker/{source} was changed");
        for script in [SCRIPT, TWO] {
            std::fs::write(folder.path().join("script"), script).unwrap();
            let options = ["-T", "script", "-e", "0", "made.o", "-o", "made.elf"];
            run(folder.path(), linker[0], &[&linker[1..], &options].concat());
            let elf = std::fs::read(folder.path().join("made.elf")).unwrap();
            for (symbol, open, said) in file.cases {
                // what holds at one place need not at another
                if script == SCRIPT || matches!(open, Proved) {
                    check(file, &elf, symbol, *said);
                }
            }
            check(file, &shifted(&elf), "through_other", Refused("program headers"));
        }
    }

    #[test]
    fn linked_for_avr() {
        linked(&AVR, "avr.S", &["avr-gcc", "-mmcu=atmega128", "-c"], &["avr-ld", "-mavr51"]);
    }

    #[test]
    fn linked_for_arm() {
        linked(&ARM, "arm.s", &["arm-none-eabi-as", "-march=armv4t"], &["arm-none-eabi-ld"]);
    }

    #[test]
    fn linked_for_mips() {
        let assembler = ["mipsel-linux-gnu-as", "-march=mips32", "-mabi=32", "-mno-shared"];
        linked(&MIPS, "mips.s", &assembler, &["mipsel-linux-gnu-ld"]);
    }

    /// What a loader moves has addresses that are as unknown as an object file's.
    #[test]
    fn shared_objects_are_not_final() {
        let folder = tempfile::tempdir().unwrap();
        let source = "\t.set noreorder\n\t.text\n\t.globl f, g\n\t.type f, @function\n\t.type g, @function
f:\tlw $8, 0($5)\n\tlw $9, 0($6)\n\taddiu $10, $0, 0x220\n\taddu $8, $8, $9\n\tsltu $2, $8, $9
\tjr $31\n\tsw $8, 0($4)\n\t.size f, . - f
g:\tlw $8, 0($5)\n\tlw $9, 0($6)\n\t.word 0x08000000 | 0x407\n\tnop\n\taddu $8, $8, $9
\tsltu $2, $8, $9\n\tjr $31\n\tsw $8, 0($4)\n\t.size g, . - g\n";
        std::fs::write(folder.path().join("f.s"), source).unwrap();
        run(folder.path(), "mipsel-linux-gnu-as", &["-march=mips32", "-mabi=32", "-o", "f.o", "f.s"]);
        for (kind, said) in [("-shared", Not), ("-static", Proved)] {
            let options = ["-Ttext=0xff0", "-e", "f", kind, "f.o", "-o", "f.elf"];
            run(folder.path(), "mipsel-linux-gnu-ld", &options);
            let elf = std::fs::read(folder.path().join("f.elf")).unwrap();
            check(&MIPS, &elf, "f", Proved);
            check(&MIPS, &elf, "g", said);
        }
    }
}
