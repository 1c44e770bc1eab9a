//! Constants of a file in the data memory of an AVR, compiled afresh, before and after linking.
#![cfg(feature = "oracles")]

use rhomb::{Error, Interrupts, Proof, Question, Verification, replay, targets, verify};
use std::fs;
use std::process::Command;

/// 2^32 - 5, lowest byte first.
const NUMBER: &str = "{0xfb,0xff,0xff,0xff}";
const CONTRACT: &str = "modadd 0xfffffffb a<p b<p";
/// A constant, and what may be a variable.
const PLACES: [&str; 2] = ["static const", ""];

/// `compiled/constants.c` as it is compiled; the second is linked.
fn files(target: &str, level: &str, number: &str, place: &str, macros: &[&str]) -> [Vec<u8>; 2] {
    let folder = tempfile::tempdir().unwrap();
    let source = format!("{}/tests/compiled/constants.c", env!("CARGO_MANIFEST_DIR"));
    [&["-c"][..], &[]].map(|options| {
        let file = folder.path().join("made");
        let mut command = Command::new("avr-gcc");
        command.args([&format!("-mmcu={target}"), "-std=gnu99", level, "-DBITS=32", "-o"]).arg(&file);
        command.arg(format!("-DNUMBER={number}")).arg(format!("-DPLACE={place}"));
        command.args(macros.iter().map(|name| format!("-D{name}"))).args(options).arg(&source);
        let output = command.output().unwrap_or_else(|error| panic!("avr-gcc: {error}"));
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        fs::read(file).unwrap()
    })
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
            assert_said(&found, "is no constant");
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
