//! The exported statement: an SMT solver confirms it for right functions, and refutes it for wrong ones.
#![cfg(feature = "oracles")]

use std::fs;
use std::path::Path;
use std::process::Command;

/// What z3 says about the statement.
fn z3(folder: &Path, symbol: &str, contract: &str) -> Vec<String> {
    let arguments =
        ["verify", "museum.o", "--symbol", symbol, "--contract", contract, "--target", "atmega128"];
    let exports = ["--export-smt", "out.smt2", "--export-cryptoline", "out.cl"];
    Command::new(env!("CARGO_BIN_EXE_rhomb"))
        .args(arguments)
        .args(exports)
        .current_dir(folder)
        .output()
        .unwrap();
    let output = Command::new("z3").args(["-T:300", "out.smt2"]).current_dir(folder).output();
    let output = output.unwrap_or_else(|error| panic!("z3: {error}; run tests/oracles/setup"));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn a_solver_agrees() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("museum.o"), include_bytes!("data/museum.o")).unwrap();
    for symbol in ["mul16", "calls"] {
        assert_eq!(z3(folder.path(), symbol, "mul 16"), ["unsat"], "{symbol}");
    }
    for symbol in ["lost_carry", "forgotten_carry"].into_iter().skip(rhomb_oracles::sample(1, 0)) {
        assert_eq!(z3(folder.path(), symbol, "mul 16"), ["sat"], "{symbol}");
    }
    // the CryptoLine text has the statement and an operation for each equation
    let text = fs::read_to_string(folder.path().join("out.cl")).unwrap();
    assert!(
        text.contains("proc main (uint8 v0, uint8 v1, uint8 v2, uint8 v3) =\n{ true && true }"),
        "{text}"
    );
    assert!(text.trim_end().ends_with(
        "{ limbs 8 [r0, r1, r2, r3] = (limbs 8 [v0, v1]) * (limbs 8 [v2, v3]) (mod [2**32]) && true }"
    ));
    // every variable is set before it is used
    let mut known: Vec<&str> = vec!["v0", "v1", "v2", "v3"];
    for line in text.lines().filter(|line| line.ends_with(';')) {
        let words: Vec<&str> = line.trim_end_matches(';').split(' ').collect();
        let (set, used) = match words[..] {
            ["mov", set, _] => (vec![set], vec![]),
            ["vpc", _, set, used] => (vec![set], vec![used]),
            ["add" | "sub" | "mul", set, x, y] => (vec![set], vec![x, y]),
            ["spl", high, low, used, _] => (vec![high, low], vec![used]),
            ["assert", "true", "&&", "eq", used, ..] | ["assume", "eq", used, ..] => (vec![], vec![used]),
            _ => panic!("{line}"),
        };
        let constant = |word: &str| word.contains('@');
        assert!(used.iter().all(|word| known.contains(word) || constant(word)), "{line}");
        assert!(set.iter().all(|word| !known.contains(word)), "{line}");
        known.extend(set);
    }
}
