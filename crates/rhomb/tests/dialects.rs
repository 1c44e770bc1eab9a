//! Files for other compilers: what a convention brings with it, and that the text is the routine.

use rhomb::{ConstantTime, Kernel, Proof, Request, generate};
use rhomb_avr::syntax::{dialect, parse};
use std::process::Command;

fn request(convention: &str, bits: usize) -> Request {
    Request {
        operation: "mul".into(),
        bits,
        target: "atmega328p".into(),
        convention: Some(convention.into()),
        ..Default::default()
    }
}

fn make(request: &Request) -> Kernel {
    generate(request).unwrap_or_else(|error| panic!("{request:?}: {error}"))
}

/// Instructions of the file, comments and all.
fn length(kernel: &Kernel, syntax: &str) -> u64 {
    // without what is for the C preprocessor
    let text: Vec<&str> = kernel.assembly.lines().filter(|line| !line.starts_with('#')).collect();
    let parsed = parse(dialect(syntax).unwrap(), 0, &(text.join("\n") + "\n"));
    let parsed = parsed.unwrap_or_else(|error| panic!("{error}"));
    parsed.instructions.iter().map(|one| 2 * one.op.row().words() as u64).sum()
}

#[test]
fn conventions_bring_their_dialect() {
    for (convention, syntax, extension) in
        [("avr-gcc", "gnu", "S"), ("iar", "iar", "s90"), ("crossworks", "crossworks", "asm")]
    {
        for bits in [8, 61, 160] {
            let kernel = make(&request(convention, bits));
            assert_eq!(kernel.report.syntax, Some(syntax));
            assert_eq!(kernel.extension, extension);
            assert_eq!(kernel.report.proof, Proof::Proved);
            assert_eq!(kernel.report.constant_time, ConstantTime::Constant);
            assert_eq!(length(&kernel, syntax), kernel.report.code_bytes as u64);
            assert_eq!(kernel.warnings.len(), usize::from(convention == "crossworks"));
        }
    }
}

#[test]
fn any_convention_goes_with_any_dialect() {
    for convention in ["avr-gcc", "iar", "crossworks"] {
        for syntax in ["gnu", "iar", "crossworks"] {
            let kernel = make(&Request { syntax: Some(syntax.into()), ..request(convention, 24) });
            assert_eq!(length(&kernel, syntax), kernel.report.code_bytes as u64);
        }
    }
}

/// Each file is made again, byte for byte, by the command line that it states.
#[test]
fn files_are_reproduced_by_their_command_line() {
    for convention in ["iar", "crossworks"] {
        let kernel = make(&request(convention, 40));
        let line = kernel.assembly.lines().find_map(|line| line.strip_prefix(";     rhomb ")).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_rhomb"))
            .args(line.split(' '))
            .args(["-o", "-"])
            .output()
            .unwrap();
        assert!(output.status.success());
        assert_eq!(String::from_utf8(output.stdout).unwrap(), kernel.assembly);
    }
}

/// Additions, and multiplications without a multiplier.
#[test]
fn every_operation_by_every_convention() {
    for convention in ["avr-gcc", "iar", "crossworks"] {
        for (operation, target, method) in [
            ("add", "atmega128", "carry-chain"),
            ("sub", "attiny85", "carry-chain"),
            ("mul", "attiny85", "strip"),
            ("mul", "attiny85", "software-products"),
        ] {
            let kernel = make(&Request {
                operation: operation.into(),
                target: target.into(),
                method: Some(method.into()),
                ..request(convention, 72)
            });
            assert_eq!(kernel.report.proof, Proof::Proved);
            assert_ne!(kernel.report.constant_time, ConstantTime::Leaks);
            let syntax = kernel.report.syntax.unwrap();
            assert_eq!(length(&kernel, syntax), kernel.report.code_bytes as u64);
        }
    }
}

/// Candidates are those that the convention has registers for.
#[test]
fn large_sizes_find_parameters() {
    for convention in ["iar", "crossworks"] {
        for bits in [256, 512, 1024] {
            let request = Request { target: "atmega128".into(), ..request(convention, bits) };
            let measured = rhomb::measure(&request).unwrap_or_else(|error| panic!("{error}"));
            let method = measured.report.method.unwrap();
            assert!(method.ends_with("operand-caching"), "{bits} {method}");
        }
    }
}

/// The table of conventions on their page.
#[test]
fn figures_of_the_conventions_are_those_of_the_page() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/conventions.md"));
    let page = page.unwrap();
    for convention in ["avr-gcc", "iar", "crossworks"] {
        let row = page.lines().find(|line| line.starts_with(&format!("| `{convention}` |"))).unwrap();
        let stated: u64 = row.trim_end_matches(" |").rsplit(' ').next().unwrap().parse().unwrap();
        let (target, method) = ("atmega128".into(), Some("best-walk".into()));
        let request = Request { target, method, ..request(convention, 160) };
        assert_eq!(rhomb::measure(&request).unwrap().report.cycles.body, stated, "{convention}");
    }
}
