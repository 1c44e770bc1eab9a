//! Constants of a file in the data memory of an AVR, compiled afresh, before and after linking.
#![cfg(feature = "oracles")]

use rhomb::{Error, Interrupts, Proof, Question, Verification, replay, targets, verify};
use std::fs;
use std::path::Path;
use std::process::Command;

/// 2^32 - 5, lowest byte first.
const NUMBER: &str = "{0xfb,0xff,0xff,0xff}";
const CONTRACT: &str = "modadd 0xfffffffb a<p b<p";
/// A constant, and what may be a variable.
const PLACES: [&str; 2] = ["static const", ""];

/// A sum of 16 bits to which a number is added that is to be 0, with constants of all kinds behind.
const ASSEMBLED: &str = "\t.text\n\t.global f\n\t.type f, @function\nf:\tmovw r26, r22\n\tmovw r30, r20\n\tld r18, X+
\tld r19, X\n\tld r20, Z\n\tldd r21, Z+1\n\tadd r18, r20\n\tadc r19, r21\n\tldi r20, 0\n\tadc r20, r20\n\tmovw r26, r24
LOAD\n\tdec r22\n\tadd r18, r22\n\tadc r19, r1\n\tst X+, r18\n\tst X, r19\n\tmov r24, r20\n\tret\n\t.size f, .-f
\t.section .progmem.data, \"a\"\nflash:\t.byte 1, 1, 1, 1\n\t.section .rodata, \"a\"\n\t.type one, @object\none:\t.byte 1
\t.size one, 1\n\t.type table, @object\ntable:\t.byte 0, 1, 2, 3\n\t.size table, 4\npointers:\t.word one, table + 1
\t.section .rodata.other, \"a\"\nother:\t.byte 1, 1\n\t.section .rodata.cst, \"aM\", @progbits, 1\nmerged:\t.byte 1
\t.section .constants, \"a\"\nelsewhere:\t.byte 1\n\t.weak weak\n\t.section .rodata.weak, \"a\"\nweak:\t.byte 1\n";

/// What of an object file is proved, or in which words it is refused.
#[test]
fn addresses_of_constants_are_no_numbers() {
    for (load, said) in [
        ("lds r22, one", Ok(true)),
        ("lds r22, table+1", Ok(true)),
        ("lds r22, table+2", Ok(false)),
        ("lds r22, other+1", Ok(true)),
        ("ldi r30, lo8(one)\nldi r31, hi8(one)\nld r22, Z", Ok(true)),
        ("ldi r30, 1\nldi r31, 0\nsubi r30, lo8(-(table))\nsbci r31, hi8(-(table))\nld r22, Z", Ok(true)),
        ("lds r30, pointers\nlds r31, pointers+1\nld r22, Z", Ok(true)),
        ("lds r30, pointers+2\nlds r31, pointers+3\nld r22, Z", Ok(true)),
        ("lds r31, pointers\nlds r30, pointers+1\nld r22, Z", Ok(false)),
        // where no page ends in between
        ("ldi r30, lo8(table)\nldi r31, hi8(table)\nsubi r30, -1\nld r22, Z", Ok(false)),
        ("ldi r30, lo8(one)\nldi r31, hi8(other)\nld r22, Z", Ok(false)),
        ("ldi r30, lo8(pointers)\nldi r31, hi8(pointers)\nldd r22, Z+4", Ok(false)),
        ("ldi r30, lo8(one)\nldi r31, hi8(one)\nld r22, -Z", Ok(false)),
        // what our layout has there
        ("ldi r22, lo8(one)\nsubi r22, 0x0f", Ok(false)),
        ("lds r22, 0x4010", Ok(false)),
        // the wrong memory, or the wrong unit
        ("ldi r30, lo8(one)\nldi r31, hi8(one)\nlpm r22, Z", Ok(false)),
        ("ldi r30, lo8(flash)\nldi r31, hi8(flash)\nlpm r22, Z", Ok(true)),
        ("ldi r30, lo8(flash)\nldi r31, hi8(flash)\nld r22, Z", Ok(false)),
        ("lds r22, flash", Ok(false)),
        ("ldi r30, pm_lo8(one)\nldi r31, pm_hi8(one)\nld r22, Z", Ok(false)),
        ("lds r22, one\nsts one, r22", Ok(false)),
        ("ldi r30, lo8(one)\nldi r31, hi8(one)\nijmp", Ok(false)),
        ("lds r22, merged", Err("the linker merges")),
        ("lds r22, elsewhere", Err("data 'elsewhere'")),
        ("lds r22, weak", Err("which is weak")),
    ] {
        let file = assembled(&ASSEMBLED.replace("LOAD", load), &["-c"]);
        let found = verify(&question("atmega128", &file), &"add 16".parse().unwrap());
        match (found, said) {
            (Ok(found), Ok(proved)) => assert_eq!(found.proof == Proof::Proved, proved, "{load}: {found:?}"),
            (Err(error), Err(words)) => assert!(error.to_string().contains(words), "{load}: {error}"),
            (found, _) => panic!("{load}: {found:?}"),
        }
    }
}

/// The file that the compiler makes of assembly text.
fn assembled(text: &str, options: &[&str]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let [source, file] = ["f.s", "made"].map(|name| folder.path().join(name));
    fs::write(&source, text).unwrap();
    let mut command = Command::new("avr-gcc");
    command.arg("-mmcu=atmega128").args(options).arg("-o").args([&file, &source]);
    assert!(command.status().unwrap().success(), "{text}");
    fs::read(file).unwrap()
}

/// What a file writes is no argument: nothing is refuted by a load of it, wherever in it the operands lead.
#[test]
fn variables_at_places_that_depend_on_operands_refute_nothing() {
    let load =
        "mov r30, r18\nandi r30, 3\nldi r31, 0\nsubi r30, lo8(-(table))\nsbci r31, hi8(-(table))\nld r22, Z";
    let text = ASSEMBLED.replace("LOAD", load) + "\t.text\ng:\tsts table, r24\n\tret\n";
    let file = assembled(&text, &["-nostartfiles", "-Wl,--entry=f"]);
    let found = verify(&question("atmega128", &file), &"add 16".parse().unwrap()).unwrap();
    assert_eq!(found.proof, Proof::Unknown, "{found:?}");
    assert!(format!("{found:?}").contains("memory that no argument points to"), "{found:?}");
}

/// Other constants of the section, such as pointers to functions that the file lacks, do not matter.
#[test]
fn what_is_missing_beside_a_constant_is_not_needed() {
    let folder = tempfile::tempdir().unwrap();
    for level in ["-Os", "-O2"] {
        let file =
            object(folder.path(), "atmega128", level, (NUMBER, PLACES[0]), &["WITH_FUNCTION"], &["-c"]);
        let found = ask("atmega128", &file).unwrap();
        assert_eq!(found.proof, Proof::Proved, "{level}: {found:?}");
    }
}

/// `compiled/constants.c` as it is compiled; the second is linked.
fn files(target: &str, level: &str, number: &str, place: &str, macros: &[&str]) -> [Vec<u8>; 2] {
    let folder = tempfile::tempdir().unwrap();
    [&["-c"][..], &[]].map(|options| object(folder.path(), target, level, (number, place), macros, options))
}

/// One of them.
fn object(
    folder: &Path,
    target: &str,
    level: &str,
    (number, place): (&str, &str),
    macros: &[&str],
    options: &[&str],
) -> Vec<u8> {
    let source = format!("{}/tests/compiled/constants.c", env!("CARGO_MANIFEST_DIR"));
    let file = folder.join("made");
    let mut command = Command::new("avr-gcc");
    command.args([&format!("-mmcu={target}"), "-std=gnu99", level, "-DBITS=32", "-o"]).arg(&file);
    command.arg(format!("-DNUMBER={number}")).arg(format!("-DPLACE={place}"));
    command.args(macros.iter().map(|name| format!("-D{name}"))).args(options).arg(&source);
    let output = command.output().unwrap_or_else(|error| panic!("avr-gcc: {error}"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    fs::read(file).unwrap()
}

fn question<'a>(target: &str, file: &'a [u8]) -> Question<'a> {
    let target = targets::find(target).unwrap();
    Question { file, symbol: "f", target, convention: None, interrupts: Interrupts::Any }
}

fn ask(target: &str, file: &[u8]) -> Result<Verification, Error> {
    verify(&question(target, file), &CONTRACT.parse().unwrap())
}

fn assert_said(found: &Verification, words: &str) {
    assert!(found.linker.iter().any(|line| line.contains(words)), "{words}: {:?}", found.linker);
}

#[test]
fn constants_are_read() {
    for target in ["atmega128", "atmega2560", "atmega328p", "attiny85"] {
        for level in ["-Os", "-O2"] {
            for macros in [&[][..], &["PROGMEM_ARRAY"]] {
                let [object, linked] = files(target, level, NUMBER, PLACES[0], macros);
                let [object, linked] = [object, linked].map(|file| {
                    let found = ask(target, &file).unwrap();
                    assert_eq!(found.proof, Proof::Proved, "{target} {level} {macros:?}: {found:?}");
                    found
                });
                if macros.is_empty() {
                    assert_said(&object, "4 bytes of constants in .rodata: p");
                    assert_said(&linked, "constant p, 4 bytes at data address");
                }
            }
        }
    }
}

#[test]
fn other_numbers_are_seen() {
    for macros in [&[][..], &["PROGMEM_ARRAY"]] {
        for number in ["{0xfa,0xff,0xff,0xff}", "{0xfb,0xff,0xff,0x7f}", "{0xfb,0xfe,0xff,0xff}"] {
            for file in files("atmega128", "-Os", number, PLACES[0], macros) {
                let found = ask("atmega128", &file).unwrap();
                assert_eq!(found.proof, Proof::Refuted, "{number}: {found:?}");
            }
        }
    }
}

/// A certificate is one for the numbers, too.
#[test]
fn certificates_hold_for_the_constants_that_they_were_made_with() {
    let made = |number| files("atmega128", "-Os", number, PLACES[0], &[]);
    for (file, other) in made(NUMBER).iter().zip(&made("{0xfa,0xff,0xff,0xff}")) {
        let text = ask("atmega128", file).unwrap().written.unwrap().text;
        assert!(replay(&question("atmega128", file), text.as_bytes()).is_ok());
        let error = replay(&question("atmega128", other), text.as_bytes()).unwrap_err();
        assert!(error.to_string().contains("the certificate is for code"), "{error}");
    }
}

/// What the function or any other one writes is no constant.
#[test]
fn what_is_written_is_no_constant() {
    for level in ["-Os", "-O2"] {
        for user in [
            "COPIES",
            "COPIES_ALL",
            "COUNTS_DOWN",
            "ONE_BYTE",
            "INDEXED",
            "INDEXED_FROM_1",
            "RETURNED",
            "FROM_MEMORY",
            "BY_POINTER",
        ] {
            let [object, linked] = files("atmega128", level, NUMBER, PLACES[1], &[user]);
            let error = ask("atmega128", &object).unwrap_err().to_string();
            assert!(error.contains("data 'p'"), "{error}");
            let found = ask("atmega128", &linked).unwrap();
            assert_eq!(found.proof, Proof::Unknown, "{user} {level}: {found:?}");
            assert_said(&found, "is no constant here");
        }
        let [object, linked] = files("atmega128", level, NUMBER, PLACES[0], &["WRITES"]);
        let found = ask("atmega128", &object).unwrap();
        assert_eq!(found.proof, Proof::Refuted, "{found:?}");
        let example = format!("{found:?}");
        assert!(example.contains("constant p"), "{example}");
        assert_ne!(ask("atmega128", &linked).unwrap().proof, Proof::Proved);
    }
}

/// An object that nobody writes is taken for a constant where the linker has put it among the variables.
#[test]
fn variables_that_nobody_writes_are_told_as_an_assumption() {
    let [object, linked] = files("atmega128", "-Os", NUMBER, PLACES[1], &[]);
    assert!(ask("atmega128", &object).is_err());
    let found = ask("atmega128", &linked).unwrap();
    assert_eq!(found.proof, Proof::Proved);
    assert_said(&found, "assumed that nobody writes it");
    // nothing is known of what has no first value
    for file in files("atmega128", "-Os", "{0}", PLACES[1], &[]) {
        assert_ne!(ask("atmega128", &file).map(|found| found.proof).ok(), Some(Proof::Proved));
    }
}
