//! The statement about words of 32 bits, for other people's tools.

use super::kernels::{addition, product_scanning, subtraction};
use super::toy::{Op, Toy, on};
use rhomb_prove::{export_cryptoline, export_smt, prove};
#[cfg(feature = "oracles")]
use std::process::Command;

/// An addition that loses the carry of a word.
fn broken() -> Toy {
    let mut routine = addition(32, 2);
    for op in &mut routine.code {
        if let Op::Add { with: with @ true, sets: true, .. } = op {
            *with = false;
        }
    }
    routine
}

fn routines() -> [(Toy, &'static str, &'static str); 4] {
    [
        (product_scanning(32, 2), "mul 64", "unsat"),
        (addition(32, 2), "add 64", "unsat"),
        (subtraction(32, 2), "sub 64", "unsat"),
        (broken(), "add 64", "sat"),
    ]
}

/// Ranges and weights in the texts have 32 and 64 bits.
#[test]
fn texts() {
    for (routine, contract, _) in routines() {
        let contract = contract.parse().unwrap();
        let smt = on!(&routine, routine => export_smt(routine, &contract)).unwrap();
        assert!(smt.contains(" 4294967295))"), "{smt}");
        let certificate = on!(&routine, routine => prove(routine, &contract)).ok();
        for text in
            on!(&routine, routine => export_cryptoline(routine, &contract, certificate.as_ref())).unwrap()
        {
            assert!(
                text.contains("uint32 v0") && text.contains("limbs 32") && text.contains("@uint128"),
                "{text}"
            );
        }
    }
    let product =
        on!(&product_scanning(32, 2), routine => export_smt(routine, &"mul 64".parse().unwrap())).unwrap();
    assert!(product.contains(" 18446744065119617025))"), "{product}");
}

#[cfg(feature = "oracles")]
#[test]
fn z3_agrees() {
    for (routine, contract, answer) in routines() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("out.smt2");
        std::fs::write(
            &file,
            on!(&routine, routine => export_smt(routine, &contract.parse().unwrap())).unwrap(),
        )
        .unwrap();
        let output = Command::new("z3").arg("-T:300").arg(&file).output();
        let output = output.unwrap_or_else(|error| panic!("z3: {error}; run tests/oracles/setup"));
        let text = String::from_utf8(output.stdout).unwrap();
        let patterns = contract.parse::<rhomb_certificate::Contract>().unwrap().patterns().len();
        assert_eq!(text.lines().collect::<Vec<_>>(), vec![answer; patterns], "{contract}");
    }
}
