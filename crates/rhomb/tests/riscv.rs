//! Routines for RISC-V, as the library makes them: proved, assembled by GNU as, read back from its object file.
#![cfg(feature = "oracles")]

use rhomb::{
    Interrupts, Output, Proof, Question, Request, generate, measure_object, parse_contract, targets,
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
