//! Operations modulo a fixed number: reduction by the shape of the modulus, Montgomery's, sums and differences.

use rhomb_certificate::{Contract, check};
use rhomb_mips::conventions::O32;
use rhomb_mips::cores::core;
use rhomb_mips::field::{Correction, FieldError, prime};
use rhomb_mips::syntax::parse;
use rhomb_mips::{Function, Model, Program};
use rhomb_prove::{Unproved, prove, refute};
use std::fmt::Write;
use std::sync::Arc;

fn function(core_name: &str, text: &str) -> Function {
    let model = Arc::new(Model::of(core(core_name).unwrap()));
    let parsed = parse(&model, 0x400, text).unwrap_or_else(|error| panic!("{error}"));
    let program = Program::assemble(model, 0x400, &parsed.instructions).unwrap();
    Function {
        program: Arc::new(program),
        entry: 0x400,
        convention: &O32,
        stack_limit: 256,
        step_limit: 100_000,
    }
}

fn proved(core_name: &str, contract: &str, text: &str) {
    let routine = function(core_name, text);
    let contract: Contract = contract.parse().unwrap();
    if let Some(found) = refute(&routine, &contract, 200_000).found {
        panic!("{contract} refuted: {found:x?}");
    }
    match prove(&routine, &contract) {
        Ok(certificate) => assert_eq!(check(&routine, &certificate), Ok(contract)),
        Err(Unproved::Open(open)) => {
            panic!("{contract}: {} open, {:?}", open.len(), &open[..open.len().min(9)])
        }
        Err(error) => panic!("{contract}: {error}"),
    }
}

/// That no proof is found, and that calls show why.
fn refuted(core_name: &str, contract: &str, text: &str) {
    let routine = function(core_name, text);
    let contract: Contract = contract.parse().unwrap();
    assert!(prove(&routine, &contract).is_err(), "{contract}");
    assert!(refute(&routine, &contract, 20_000_000).found.is_some(), "{contract}");
}

/// What is added up in each column when words 6 to 11 are folded by 2^192 = 2^64 + 1.
const FOLDED: [&[usize]; 6] =
    [&[0, 6, 10], &[1, 7, 11], &[2, 6, 8, 10], &[3, 7, 9, 11], &[4, 8, 10], &[5, 9, 11]];

/// Reduction modulo 2^192 - 2^64 - 1 in the wide accumulator, without branches; the carry word is folded so many
/// times.
fn reduction(folds: usize) -> String {
    let mut text = String::from("f: multu $0, $0\n");
    for (column, words) in FOLDED.iter().enumerate() {
        for word in *words {
            let _ = writeln!(text, " lw $t0, {}($a1)\n addau $t0, $0", 4 * word);
        }
        let _ = writeln!(text, " mflo $t8\n sha\n sw $t8, {}($a0)", 4 * column);
    }
    for _ in 0..folds {
        text += " mflo $t9\n multu $0, $0\n";
        for column in 0..6 {
            let carry = if column == 0 || column == 2 { "$t9" } else { "$0" };
            let _ = writeln!(
                text,
                " lw $t0, {0}($a0)\n addau $t0, {carry}\n mflo $t8\n sha\n sw $t8, {0}($a0)",
                4 * column
            );
        }
    }
    text + " jr $ra\n nop\n"
}

#[test]
fn reduction_by_the_shape_of_the_modulus() {
    proved("mips32-ise", "modreduce 2^192-2^64-1", &reduction(2));
}

/// The second fold matters for one input in 2^32.
#[test]
fn a_rare_carry_that_is_lost_is_found() {
    refuted("mips32-ise", "modreduce 2^192-2^64-1", &reduction(1));
}

const P192: &str = "2^192-2^64-1";

/// The routines of the MIPS32 crate.
#[test]
fn field_operations() {
    let model = Model::of(core("mips32-ise").unwrap());
    let with = |operation: &str, text: Result<String, FieldError>| {
        proved("mips32-ise", &format!("{operation} {P192}"), &text.unwrap());
    };
    for correction in [Correction::Branch, Correction::Always] {
        with("modmul", prime::multiply(&model, "f", correction));
        with("modsqr", prime::square(&model, "f", correction));
        with("modreduce", prime::reduction(&model, "f", correction));
        with("modadd", prime::add(&model, "f", correction));
        with("modsub", prime::subtract(&model, "f", correction));
    }
    with("modhalf", prime::half(&model, "f"));
}
