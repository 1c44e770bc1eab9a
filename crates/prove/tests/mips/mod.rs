//! MIPS32 functions, with and without the wide accumulator: its parts are words of an equation like any other.

mod kernels;

use rhomb_certificate::{Contract, check};
use rhomb_mips::conventions::O32;
use rhomb_mips::cores::core;
use rhomb_mips::syntax::parse;
use rhomb_mips::{Function, Model, Program};
use rhomb_prove::{Unproved, prove, refute};
use std::sync::Arc;

fn function(core_name: &str, text: &str) -> Function {
    let model = Arc::new(Model::of(core(core_name).unwrap()));
    let parsed = parse(&model, 0x400, text).unwrap_or_else(|error| panic!("{error}"));
    let program = Program::assemble(model, 0x400, &parsed.instructions).unwrap();
    Function {
        program: Arc::new(program),
        entry: 0x400,
        convention: &O32,
        stack_limit: 64,
        step_limit: 100_000,
    }
}

/// What is open in the proof, and whether calls refute.
fn judge(routine: &Function, contract: &str) -> Result<(), String> {
    let contract: Contract = contract.parse().unwrap();
    if let Some(found) = refute(routine, &contract, 20_000).found {
        return Err(format!("refuted: {found:?}"));
    }
    match prove(routine, &contract) {
        Ok(certificate) => {
            assert_eq!(check(routine, &certificate), Ok(contract));
            Ok(())
        }
        Err(Unproved::Open(open)) => Err(format!("{} open, {:?}", open.len(), &open[..open.len().min(4)])),
        Err(error) => Err(error.to_string()),
    }
}

fn proved(core_name: &str, what: &str, text: &str, contract: &str) {
    if let Err(error) = judge(&function(core_name, text), contract) {
        panic!("{what}, {contract}: {error}");
    }
}

/// Columns with the accumulator: `mac` for different words of a product or a square, `same` for a word with itself.
fn columns(n: usize, square: bool) -> String {
    let mut text = String::from("f: multu $0, $0\n");
    for column in 0..2 * n - 1 {
        let last = if square { column / 2 } else { column.min(n - 1) };
        for j in column.saturating_sub(n - 1)..=last {
            let mac = if square && 2 * j != column { "m2addu" } else { "maddu" };
            let other = if square { "$a1" } else { "$a2" };
            text += &format!(
                " lw $t0, {}($a1)\n lw $t1, {}({other})\n {mac} $t0, $t1\n",
                4 * j,
                4 * (column - j)
            );
        }
        text += &format!(" mflo $t8\n sha\n sw $t8, {}($a0)\n", 4 * column);
    }
    text + &format!(" mflo $t8\n jr $ra\n sw $t8, {}($a0)\n", 4 * (2 * n - 1))
}

#[test]
fn products_and_squares_with_the_wide_accumulator() {
    for n in [1, 2, 3, 4, 6, 8, 16] {
        proved("mips32-ise", "columns", &columns(n, false), &format!("mul {}", 32 * n));
        proved("mips32-ise", "squares", &columns(n, true), &format!("sqr {}", 32 * n));
    }
}

/// The same columns lose carries at the top of 64 bits.
#[test]
fn a_narrow_accumulator_is_refuted() {
    let narrow = columns(3, false).replace("sha", "mfhi $t9\n mthi $0\n mtlo $t9");
    let error = judge(&function("mips32-4km", &narrow), "mul 96").unwrap_err();
    assert!(error.starts_with("refuted"), "{error}");
}

#[test]
fn sums_with_the_wide_accumulator() {
    for n in [1, 2, 6, 8] {
        let mut text = String::from("f: multu $0, $0\n");
        for j in 0..n {
            let at = 4 * j;
            text += &format!(
                " lw $t0, {at}($a1)\n lw $t1, {at}($a2)\n addau $t0, $t1\n mflo $t8\n sha\n sw $t8, {at}($a0)\n"
            );
        }
        text += " jr $ra\n mflo $v0\n";
        proved("mips32-ise", "sums", &text, &format!("add {}", 32 * n));
    }
}

/// Figure 3 of the paper, with a loop around it.
#[test]
fn loops_with_the_wide_accumulator() {
    let text = "f: multu $0, $0
        or $t5, $a2, $0
        or $t6, $a1, $0
        addiu $t7, $a2, 20
        or $t4, $a2, $0
    columns:
        or $t1, $t6, $0
        or $t3, $t5, $0
    label:
        lw $t0, 0($t1)
        lw $t2, 0($t3)
        addiu $t1, $t1, 4
        maddu $t0, $t2
        bne $t3, $t4, label
        addiu $t3, $t3, -4
        mflo $t8
        sha
        sw $t8, 0($a0)
        bne $t5, $t7, rising
        addiu $a0, $a0, 4
        addiu $t6, $t6, 4
        bne $t4, $t7, columns
        addiu $t4, $t4, 4
        mflo $t8
        jr $ra
        sw $t8, 0($a0)
    rising:
        b columns
        addiu $t5, $t5, 4";
    proved("mips32-ise", "loops", text, "mul 192");
    // an address that is moved does not overflow
    let moved = ["$t1", "$t3", "$t4", "$t5", "$t6", "$t7", "$a0"]
        .into_iter()
        .fold(text.to_owned(), |text, own| text.replace(&format!("addiu {own}"), &format!("addi {own}")));
    assert!(!moved.contains("addiu"), "{moved}");
    proved("mips32-ise", "loops", &moved, "mul 192");
}

/// Columns on plain MIPS32: carries by comparison, the sum in three registers.
fn plain_columns(n: usize) -> String {
    let mut sum = ["$t6", "$t7", "$t9"];
    let mut text = String::from("f: or $t6, $0, $0\n or $t7, $0, $0\n or $t9, $0, $0\n");
    for column in 0..2 * n - 1 {
        let [low, middle, high] = sum;
        for j in column.saturating_sub(n - 1)..=column.min(n - 1) {
            text += &format!(
                " lw $t0, {}($a1)\n lw $t1, {}($a2)\n multu $t0, $t1\n mflo $t2\n mfhi $t3
                addu {low}, {low}, $t2\n sltu $t4, {low}, $t2\n addu $t3, $t3, $t4
                addu {middle}, {middle}, $t3\n sltu $t4, {middle}, $t3\n addu {high}, {high}, $t4\n",
                4 * j,
                4 * (column - j)
            );
        }
        text += &format!(" sw {low}, {}($a0)\n or {low}, $0, $0\n", 4 * column);
        sum = [middle, high, low];
    }
    text + &format!(" jr $ra\n sw {}, {}($a0)\n", sum[0], 4 * (2 * n - 1))
}

/// The highest bit of a word is whether it is below zero.
#[test]
fn highest_bits_by_comparison() {
    let shift = "f: lw $t0, 0($a1)\n lw $t1, 4($a1)\n slt $t2, $t0, $0\n slt $v0, $t1, $0\n sll $t0, $t0, 1\n sll $t1, $t1, 1\n \
                 addu $t1, $t1, $t2\n sw $t0, 0($a0)\n jr $ra\n sw $t1, 4($a0)\n";
    proved("mips32-4km", "a shift", shift, "shl 64 1 -> carry");
}

#[test]
fn carries_by_comparison() {
    for n in [1, 2, 3, 4, 6] {
        proved("mips32-4km", "plain columns", &plain_columns(n), &format!("mul {}", 32 * n));
    }
}
