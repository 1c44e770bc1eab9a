//! Routines for RISC-V, as the library makes them: proved, assembled by GNU as, read back from its object file.
#![cfg(feature = "oracles")]

use rhomb::{
    Adds, ConstantTime, Extension, Interrupts, Output, Proof, Question, Request, generate, measure,
    measure_object, parse_contract, targets,
};
use rhomb_oracles::RiscvGnu;

fn request(operation: &str, size: &str, target: &str) -> Request {
    let bits = size.parse().ok();
    Request {
        operation: operation.into(),
        bits: bits.unwrap_or(0),
        modulus: bits.is_none().then(|| size.into()),
        target: target.into(),
        output: Output { plain: true, ..Output::default() },
        ..Default::default()
    }
}

#[test]
fn what_is_assembled_is_what_was_proved() {
    for (operation, size, target) in [
        ("mul", "256", "ibex-single"),
        ("mul", "160", "picorv32-fast"),
        ("mul", "512", "rv32im"),
        ("sqr", "192", "vexriscv"),
        ("add", "521", "hazard3"),
        ("sub", "33", "cv32e40p"),
        ("modmul", "p256", "ibex-maxperf"),
        ("modadd", "p25519", "e31"),
    ] {
        let kernel = generate(&request(operation, size, target)).unwrap();
        assert_eq!(kernel.report.proof, Proof::Proved, "{operation} {size} {target}");
        let file = RiscvGnu { march: "rv32im" }.object(&kernel.assembly).unwrap();
        let contract = parse_contract(&format!("{operation} {size}")).unwrap();
        let question = Question {
            file: &file,
            symbol: &kernel.name,
            target: targets::find(target).unwrap(),
            convention: None,
            interrupts: Interrupts::Any,
        };
        let measured = measure_object(&question, &contract).unwrap();
        assert_eq!(measured.report.cycles, kernel.report.cycles, "{operation} {size} {target}");
        assert_eq!(measured.report.code_bytes, kernel.report.code_bytes, "{operation} {size} {target}");
    }
}

/// Times from a file are what is counted, and a range among them tells operands.
#[test]
fn times_from_a_file() {
    let text = "extensions = ['m']\n[cycles]\nplain = 1\nmul = 1\nmulh = 1\nload = 1\nstore = 1\nbranch = 1\n\
                taken = 1\njal = 1\njalr = 1\n";
    let with = |text: String, target: &str| {
        let extension = Some(Extension { adds: Adds::Times, name: "own.toml".into(), text });
        measure(&Request { extension, ..request("mul", "128", target) }).map(|measured| measured.report)
    };
    let counted = measure(&request("mul", "128", "rv32im")).unwrap().report.cycles;
    let own = with(text.into(), "rv32im").unwrap();
    assert_eq!((own.cycles, own.constant_time), (counted, ConstantTime::Constant));
    // 16 products, each of which may take two cycles more; by what rule the file does not say, so that no calls show it
    let ranged = with(format!("{text}[most]\nmulh = 3\n"), "rv32im").unwrap();
    assert_eq!(ranged.constant_time, ConstantTime::Unknown);
    assert_eq!(ranged.cycles.function_min, counted.function);
    assert_eq!(ranged.cycles.function_max, counted.function + 2 * 16);
    let refused = with(text.into(), "ibex-single").unwrap_err().to_string();
    assert!(refused.contains("ibex-single takes no --timing; valid: rv32im"), "{refused}");
}
