//! Functions of an object file: right ones are proved, wrong ones are shown to be wrong.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const MUSEUM: &[u8] = include_bytes!("data/museum.o");

fn rhomb(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rhomb"))
        .args(arguments)
        .current_dir(folder)
        .env("RHOMB_PROGRESS", "off")
        .output()
        .unwrap()
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("museum.o"), MUSEUM).unwrap();
    folder
}

/// The report about a function that is to multiply 16 bits, and the exit status.
fn verify(folder: &Path, symbol: &str, more: &[&str]) -> (Value, Option<i32>) {
    let mut arguments = vec!["verify", "museum.o", "--symbol", symbol, "--contract", "mul 16"];
    arguments.extend(["--target", "atmega128", "--format", "json"]);
    arguments.extend(more);
    let output = rhomb(folder, &arguments);
    let report = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    (report, output.status.code())
}

#[test]
fn right_functions_are_proved() {
    let folder = folder();
    for (symbol, cycles, stack) in [("mul16", 41, 0), ("calls", 65, 2), ("table", 46, 0)] {
        let (report, status) = verify(folder.path(), symbol, &[]);
        assert_eq!((report["proof"].as_str(), status), (Some("proved"), Some(0)), "{report}");
        assert_eq!(report["constant_time"], "constant");
        assert_eq!(report["cycles"]["function_min"], cycles);
        assert_eq!(report["cycles"]["function_max"], cycles);
        assert_eq!(report["stack_bytes"], stack, "{symbol}");
        assert_eq!(report["residue_bytes"], 0, "{symbol}");
        assert_eq!(report["counterexample"], Value::Null);
        assert_eq!(report["certificate"].as_str().unwrap().len(), 64);
    }
}

#[test]
fn the_keys_of_the_json_are_stable() {
    let folder = folder();
    let (report, _) = verify(folder.path(), "lost_carry", &[]);
    let keys = |value: &Value| -> Vec<String> { value.as_object().unwrap().keys().cloned().collect() };
    let mut found = keys(&report);
    found.sort_unstable();
    let expected = [
        "certificate",
        "code_bytes",
        "constant_time",
        "contract",
        "convention",
        "counterexample",
        "cycles",
        "format",
        "interrupts",
        "leak",
        "linker",
        "memory",
        "proof",
        "reasons",
        "residue_bytes",
        "stack_bytes",
        "symbol",
        "target",
        "time_ms",
        "timing_reason",
    ];
    assert_eq!(found, expected);
    let mut found = keys(&report["counterexample"]);
    found.sort_unstable();
    assert_eq!(found, ["expected", "got", "hint", "operands", "pattern", "place", "text", "weight", "word"]);
    assert_eq!(report["memory"], serde_json::json!({"result": 4, "operands": [2, 2]}));
}

#[test]
fn lost_carries_are_refuted_with_operands_and_place() {
    let folder = folder();
    for (symbol, word, weight, instruction) in
        [("lost_carry", 3, "2^24", "adc r24, r1"), ("forgotten_carry", 2, "2^16", "add r21, r0")]
    {
        let (report, status) = verify(folder.path(), symbol, &[]);
        assert_eq!((report["proof"].as_str(), status), (Some("refuted"), Some(1)), "{report}");
        let counter = &report["counterexample"];
        assert_eq!((&counter["word"], &counter["weight"]), (&word.into(), &weight.into()));
        // what the report says is so: the result of these operands has another word there
        let operand = |index: usize| {
            let text = counter["operands"][index].as_str().unwrap();
            u64::from_str_radix(text.strip_prefix("0x").unwrap(), 16).unwrap()
        };
        let right = format!("{:#04x}", ((operand(0) * operand(1)) >> (8 * word)) & 0xff);
        assert_eq!(counter["expected"], right.as_str());
        assert_ne!(counter["got"], counter["expected"]);
        assert_eq!(report["reasons"][0]["instructions"], serde_json::json!([instruction]), "{report}");
        assert_eq!(report["reasons"][0]["weight"], format!("-{weight}"));
    }
}

#[test]
fn violations_are_named() {
    let folder = folder();
    let text = |symbol: &str| {
        let (report, status) = verify(folder.path(), symbol, &[]);
        assert_eq!((report["proof"].as_str(), status), (Some("refuted"), Some(1)), "{report}");
        report["counterexample"]["text"].as_str().unwrap().to_owned()
    };
    assert!(text("past_the_end").contains("does not own (at 0x00c2: std Z+4, r26)"));
    assert_eq!(text("lost_register"), "r16 is not what it was at the call");
    assert_eq!(text("zero_register"), "r1 is not zero at the return");
}

/// What `verify` says of a function of a file with lines of its source.
fn with_lines(file: &[u8], symbol: &str, format: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("lines"), file).unwrap();
    let arguments = ["verify", "lines", "--symbol", symbol, "--contract", "add 8"];
    let more = ["--target", "atmega128", "--format", format];
    String::from_utf8(rhomb(folder.path(), &[&arguments[..], &more[..]].concat()).stdout).unwrap()
}

#[test]
fn failures_name_the_line_of_the_source() {
    let object: &[u8] = include_bytes!("../../object/tests/data/lines.o");
    let executable: &[u8] = include_bytes!("../../object/tests/data/lines.elf");
    for (symbol, start, instruction) in
        [("lost_register", "mov r16", "mov r16, r24"), ("wrong_word", "st Z, r18 ; stored", "st Z, r18")]
    {
        let source = include_str!("../../object/tests/data/lines.S");
        let number = source.lines().position(|line| line.trim_start().starts_with(start)).unwrap() + 1;
        let line = format!("lines.S:{number}");
        for file in [object, executable] {
            let report: Value = serde_json::from_str(&with_lines(file, symbol, "json")).unwrap();
            let place = &report["counterexample"]["place"];
            assert_eq!(
                (place["line"].as_str(), place["instruction"].as_str()),
                (Some(&*line), Some(instruction))
            );
            let text = with_lines(file, symbol, "text");
            let address = place["address"].as_u64().unwrap();
            let wanted = format!("last written at {address:#06x} {instruction} ({line})");
            assert!(text.contains(&wanted), "{text}");
        }
    }
    // a place that is a reason
    let text = with_lines(object, "past_the_end", "text");
    assert!(text.contains(" std Z+1, r18 (lines.S:"), "{text}");
    let report: Value = serde_json::from_str(&with_lines(object, "past_the_end", "json")).unwrap();
    let line = &report["reasons"][0]["lines"][0];
    assert!(line.as_str().is_some_and(|line| line.starts_with("lines.S:")), "{report}");
}

/// Without lines in the file there is the instruction.
#[test]
fn broken_conventions_have_an_address() {
    let folder = folder();
    for (symbol, register) in [("lost_register", "r16"), ("zero_register", "r1")] {
        let (report, _) = verify(folder.path(), symbol, &[]);
        let place = &report["counterexample"]["place"];
        assert!(place["address"].as_u64().is_some_and(|address| address > 0), "{report}");
        assert_eq!(place["line"], Value::Null);
        let instruction = place["instruction"].as_str().unwrap();
        // the multiplication leaves its product in r1:r0
        let names = instruction.contains(register) || instruction.starts_with("mul");
        assert!(names, "{instruction}");
    }
}

#[test]
fn what_cannot_be_followed_is_unknown() {
    let folder = folder();
    let (report, status) = verify(folder.path(), "endless", &[]);
    assert_eq!((report["proof"].as_str(), status), (Some("unknown"), Some(3)), "{report}");
    assert!(report["reasons"][0]["text"].as_str().unwrap().contains("no return within"));
    assert_eq!((&report["cycles"], &report["constant_time"]), (&Value::Null, &"unchecked".into()));
}

#[test]
fn a_branch_on_an_operand_leaks() {
    let folder = folder();
    let (report, _) = verify(folder.path(), "secret_branch", &[]);
    assert_eq!(report["constant_time"], "leaks");
    assert_eq!(report["leak"]["addresses"], serde_json::json!([0x15a]));
    assert!(report["leak"]["text"].as_str().unwrap().ends_with("2 cycles if it is taken, 6 if not"));
    assert_ne!(report["cycles"]["function_min"], report["cycles"]["function_max"]);
}

/// A certificate holds for the function that it was made for, and for nothing else.
#[test]
fn certificates_are_replayed() {
    let folder = folder();
    let (report, _) = verify(folder.path(), "mul16", &["--certificate", "mul16.json"]);
    let path = folder.path().join("mul16.json");
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(report["certificate"], rhomb_certificate::sha256(text.as_bytes()));
    let replay = |symbol: &str, target: &str| {
        let arguments = ["certificate", "museum.o", "mul16.json", "--symbol", symbol, "--target", target];
        let output = rhomb(folder.path(), &arguments);
        let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
        (output.status.code(), text)
    };
    let (status, said) = replay("mul16", "atmega128");
    assert_eq!(
        (status, said.as_str()),
        (Some(0), "mul16 keeps mul 16 on atmega128: the certificate holds\n")
    );
    for (symbol, target, fault) in [
        ("calls", "atmega128", "the certificate is for routine atmega128 avr-gcc entry 0x0000"),
        ("mul16", "atmega328p", "the certificate is for routine"),
    ] {
        let (status, said) = replay(symbol, target);
        assert!(status == Some(1) && said.contains(fault), "{said}");
    }
    for (from, to, wanted) in
        [("mul 16", "mul 24", 1), ("mul 16", "div 16", 1), ("\"steps\":[", "\"steps\":[7,", 2), ("{", "[", 2)]
    {
        fs::write(&path, text.replace(from, to)).unwrap();
        let (status, said) = replay("mul16", "atmega128");
        assert_eq!(status, Some(wanted), "{said}");
        assert_eq!(said.lines().count(), 2, "{said}");
    }
}

#[test]
fn bad_requests_have_status_2_and_a_hint() {
    let folder = folder();
    let check = |symbol: &str, contract: &str, target: &str, fault: &str| {
        let arguments =
            ["verify", "museum.o", "--symbol", symbol, "--contract", contract, "--target", target];
        let output = rhomb(folder.path(), &arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.starts_with("error: ") && error.contains(fault), "{error}");
        assert!(error.lines().count() == 2 && error.contains("\nhint: "), "{error}");
        assert!(output.stdout.is_empty());
    };
    check("mul17", "mul 16", "atmega128", "no function 'mul17'");
    check("mul16", "mul", "atmega128", "mul takes one or two, not 0 sizes");
    check("mul16", "mul 16", "z80", "unknown target 'z80'");
    check("mul16", "mul 9999", "atmega128", "4096 bytes of data memory");
    check("mul16", "mul 16", "attiny85", "attiny85 has no instruction mul");
    check(
        "needs_more",
        "mul 16",
        "atmega128",
        "'needs_more' needs 'somewhere_else', which is not in the file",
    );
    check("needs_data", "mul 16", "atmega128", "'needs_data' refers to data 'variable'");
}
