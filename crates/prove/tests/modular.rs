//! Operations modulo a fixed number: reduction by the shape of the modulus, Montgomery's, sums and differences.

use crate::made;
use rhomb_certificate::{Contract, check};
use rhomb_machine::{MachineCode, Routine};
use rhomb_mips::conventions::O32;
use rhomb_mips::cores::core;
use rhomb_mips::syntax::parse;
use rhomb_mips::{Function, Model, Program};
use rhomb_prove::{Unproved, prove, prove_within, refute};
use std::fmt::Write;
use std::sync::Arc;

/// The fastest routine that keeps a contract, as text.
fn made(contract: &str) -> String {
    made::text("mips32-ise", &made::made("mips32-ise", contract))
}

fn function(core_name: &str, text: &str) -> Function {
    try_function(core_name, text).unwrap_or_else(|| panic!("no routine: {text}"))
}

fn try_function(core_name: &str, text: &str) -> Option<Function> {
    let model = Arc::new(Model::of(core(core_name)?));
    let parsed = parse(&model, 0x400, text).ok()?;
    let program = Arc::new(Program::assemble(model, 0x400, &parsed.instructions).ok()?);
    Some(Function { program, entry: 0x400, convention: &O32, stack_limit: 256, step_limit: 100_000 })
}

fn proved(core_name: &str, contract: &str, text: &str) {
    holds(&function(core_name, text), contract);
}

fn holds<R: Routine>(routine: &R, contract: &str) {
    let contract: Contract = contract.parse().unwrap();
    if let Some(found) = refute(routine, &contract, 200_000).found {
        panic!("{contract} refuted: {found:x?}");
    }
    match prove(routine, &contract) {
        Ok(certificate) => assert_eq!(check(routine, &certificate), Ok(contract)),
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

/// What the accumulator holds above 2^192 comes back as 2^64 + 1.
fn fold() -> String {
    let mut text = String::from(" mflo $t9\n multu $0, $0\n");
    for column in 0..6 {
        let carry = if column == 0 || column == 2 { "$t9" } else { "$0" };
        let at = 4 * column;
        let _ =
            writeln!(text, " lw $t0, {at}($a0)\n addau $t0, {carry}\n mflo $t8\n sha\n sw $t8, {at}($a0)");
    }
    text
}

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
    text += &fold().repeat(folds);
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

/// Routines of lines, and published forms in which what is rare stands behind a branch.
#[test]
fn field_operations() {
    for operation in ["modmul", "modsqr", "modreduce", "modadd", "modsub", "modaddsub", "modhalf"] {
        let contract = format!("{operation} {P192}");
        proved("mips32-ise", &contract, &made(&contract));
    }
    proved("mips32-ise", &format!("modreduce {P192}"), include_str!("published/reduction.s"));
    proved("mips32-ise", &format!("modsub {P192}"), include_str!("published/difference.s"));
}

/// Montgomery multiplication modulo 2^192 - 2^64 - 1, product by product in columns (FIPS); the lowest word of the
/// modulus is -1, so that the word to be cleared is the quotient's own. The overflow comes back as 2^64 + 1.
fn fips() -> String {
    let modulus = [-1, -1, -2, -1, -1, -1];
    let mut text = String::from("f: addiu $sp, $sp, -24\n multu $0, $0\n");
    for column in 0..12usize {
        for j in column.saturating_sub(5)..=column.min(5) {
            let _ = writeln!(
                text,
                " lw $t0, {}($a1)\n lw $t1, {}($a2)\n maddu $t0, $t1",
                4 * j,
                4 * (column - j)
            );
            if j < column || column > 5 {
                let _ = writeln!(
                    text,
                    " lw $t0, {}($sp)\n addiu $t1, $0, {}\n maddu $t0, $t1",
                    4 * j,
                    modulus[column - j]
                );
            }
        }
        if column < 6 {
            let _ = writeln!(
                text,
                " mflo $t0\n sw $t0, {}($sp)\n addiu $t1, $0, -1\n maddu $t0, $t1\n sha",
                4 * column
            );
        } else {
            let _ = writeln!(text, " mflo $t0\n sw $t0, {}($a0)\n sha", 4 * column - 24);
        }
    }
    // that the overflow is at most 1 is not seen: it is folded twice
    text += &fold().repeat(2);
    text + " jr $ra\n addiu $sp, $sp, 24\n"
}

#[test]
fn montgomery_by_columns() {
    proved("mips32-ise", &format!("montmul {P192}"), &fips());
}

fn arm(text: &str) -> Option<rhomb_arm::Function> {
    let parsed = rhomb_arm::syntax::parse(rhomb_arm::syntax::dialect("gnu")?, 0x100, text).ok()?;
    let program =
        rhomb_arm::Program::assemble(rhomb_arm::cores::core("arm7tdmi")?, 0x100, &parsed.instructions);
    Some(rhomb_arm::Function {
        program: Arc::new(program.ok()?),
        entry: 0x100,
        convention: &rhomb_arm::conventions::AAPCS,
        stack_limit: 256,
        step_limit: 100_000,
    })
}

/// Montgomery multiplication for any modulus, operand by operand (CIOS): the sum of n + 2 words stands in the stack
/// frame and moves down by a word after each step. The modulus is subtracted, under a mask, where the sum has a word
/// more.
fn cios(modulus: &[u32]) -> String {
    let n = modulus.len();
    // Newton: each step doubles the bits that are right
    let inverse = (0..5).fold(1u32, |x, _| x.wrapping_mul(2u32.wrapping_sub(modulus[0].wrapping_mul(x))));
    let constant = |register: &str, value: u32| {
        let parts = [0xff, 0xff00, 0xff_0000, 0xff00_0000].map(|part| value & part);
        let more = parts[1..].iter().map(|part| format!(" orr {register}, {register}, #{part}\n"));
        format!(" mov {register}, #{}\n{}", parts[0], more.collect::<String>())
    };
    let mut text = format!("f: push {{r4-r11, lr}}\n sub sp, sp, #{}\n mov r3, #0\n", 4 * (n + 2));
    for word in 0..n + 2 {
        let _ = writeln!(text, " str r3, [sp, #{}]", 4 * word);
    }
    let step = |text: &mut String, word: &dyn Fn(usize) -> String| {
        *text += " mov r12, #0\n";
        for j in 0..n {
            *text += &word(j);
            let _ = writeln!(
                text,
                " ldr r3, [sp, #{0}]\n umull r5, r6, r7, r4\n adds r5, r5, r3\n adc r6, r6, #0\n adds r5, r5, r12
 adc r12, r6, #0\n str r5, [sp, #{0}]",
                4 * j
            );
        }
        let _ = writeln!(
            text,
            " ldr r3, [sp, #{0}]\n adds r3, r3, r12\n str r3, [sp, #{0}]\n ldr r3, [sp, #{1}]\n adc r3, r3, #0\n str r3, [sp, #{1}]",
            4 * n,
            4 * n + 4
        );
    };
    for i in 0..n {
        let _ = writeln!(text, " ldr r7, [r1, #{}]", 4 * i);
        step(&mut text, &|j| format!(" ldr r4, [r2, #{}]\n", 4 * j));
        text += &constant("r4", inverse.wrapping_neg());
        text += " ldr r3, [sp]\n mul r7, r3, r4\n";
        step(&mut text, &|j| constant("r4", modulus[j]));
        for word in 0..n + 1 {
            let _ = writeln!(text, " ldr r3, [sp, #{}]\n str r3, [sp, #{}]", 4 * word + 4, 4 * word);
        }
        let _ = writeln!(text, " mov r3, #0\n str r3, [sp, #{}]", 4 * n + 4);
    }
    let _ = writeln!(text, " ldr r9, [sp, #{}]\n rsb r9, r9, #0\n subs r3, r3, r3", 4 * n);
    for (word, value) in modulus.iter().enumerate() {
        text += &constant("r4", *value);
        let _ = writeln!(
            text,
            " and r4, r4, r9\n ldr r3, [sp, #{0}]\n sbcs r3, r3, r4\n str r3, [r0, #{0}]",
            4 * word
        );
    }
    text + &format!(" add sp, sp, #{}\n pop {{r4-r11, lr}}\n bx lr\n", 4 * (n + 2))
}

#[test]
fn montgomery_by_operands() {
    let moduli: [&[u32]; 4] =
        [&[0xffff_fffb], &[0x1f, 0xd1a3_b5c7], &[13, 0, 0x8000_0000], &[!0, !0, !1, !0, !0, !0]];
    for modulus in moduli {
        let text =
            modulus.iter().rev().fold(String::from("montmul 0x"), |text, word| format!("{text}{word:08x}"));
        holds(&arm(&cios(modulus)).unwrap(), &text);
    }
}

/// Of routines that lack an instruction, those that are proved are right; and so many are proved.
fn survivors<R: Routine>(text: &str, contract: &str, routine: impl Fn(&str) -> Option<R>) -> usize {
    let contract: Contract = contract.parse().unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let mut proved = 0;
    for missing in (0..lines.len()).step_by(rhomb_oracles::sample(9, 1)) {
        // a label stays where it is
        let kept = lines[missing].split_once(':').map(|(label, _)| format!("{label}:"));
        let mut mutant: Vec<&str> = lines.clone();
        mutant[missing] = kept.as_deref().unwrap_or("");
        let Some(routine) = routine(&mutant.join("\n")) else { continue };
        if prove(&routine, &contract).is_ok() {
            let found = refute(&routine, &contract, 3_000_000).found;
            assert!(found.is_none(), "{contract} without '{}': {found:x?}", lines[missing]);
            proved += 1;
        }
    }
    proved
}

#[test]
fn no_routine_that_lacks_an_instruction_is_proved_wrongly() {
    let mips = |text: &str| try_function("mips32-ise", text);
    let [sum, half, both] = ["modadd", "modhalf", "modaddsub"].map(|operation| format!("{operation} {P192}"));
    let tally = [
        survivors(&reduction(2), &format!("modreduce {P192}"), mips),
        survivors(&made(&sum), &sum, mips),
        survivors(&made(&half), &half, mips),
        survivors(&made(&both), &both, mips),
        survivors(&cios(&[0x1f, 0xd1a3_b5c7]), "montmul 0xd1a3b5c70000001f", arm),
    ];
    // what adds a zero or stores what stands there already may be missing, and the last shift of the accumulator
    if rhomb_oracles::sample(0, 1) == 1 {
        assert_eq!(tally, [4, 1, 1, 2, 26]);
    }
}

/// Sums and differences of 64 bits modulo p, back below p: two words in registers, on ARM.
fn canonical(first: &str, second: &str, select: &str) -> String {
    format!(
        "f: push {{r4-r9, lr}}
 ldr r4, [r1]\n ldr r5, [r1, #4]\n ldr r6, [r2]\n ldr r7, [r2, #4]
{first}{second}{select} str r4, [r0]\n str r5, [r0, #4]\n pop {{r4-r9, lr}}\n bx lr\n"
    )
}

const P64: &str = "0xffffffffffffffc5";

/// The result is below the modulus when the operands are.
#[test]
fn results_below_the_modulus() {
    // s = a + b in r5:r4, the carry in r12; s + 59 in r9:r8 passes 2^64, or there was a carry, where s >= p
    let first = " adds r4, r4, r6\n adcs r5, r5, r7\n mov r7, #0\n adc r12, r7, r7\n";
    let second = " adds r8, r4, #59\n adcs r9, r5, #0\n adc r6, r7, r7\n orr r12, r12, r6\n";
    let masked = " rsb r12, r12, #0\n and r8, r8, r12\n and r9, r9, r12\n mvn r12, r12
 and r4, r4, r12\n and r5, r5, r12\n orr r4, r4, r8\n orr r5, r5, r9\n";
    let sum = canonical(first, second, masked);
    // a - b, and p under the mask of the borrow
    let first = " subs r4, r4, r6\n sbcs r5, r5, r7\n sbc r12, r12, r12\n";
    let second = " and r8, r12, #58\n add r8, r8, r12, lsr #31\n";
    let difference = canonical(first, second, " subs r4, r4, r8\n sbc r5, r5, #0\n");
    let kept = |operation: &str| format!("{operation} {P64} a<p b<p r<p");
    holds(&arm(&sum).unwrap(), &kept("modadd"));
    holds(&arm(&difference).unwrap(), &kept("modsub"));
    let not_kept = |text: &str, contract: &str| {
        let contract: Contract = contract.parse().unwrap();
        assert!(prove(&arm(text).unwrap(), &contract).is_err(), "{contract}");
        let search = refute(&arm(text).unwrap(), &contract, 1_000_000);
        assert!(search.found.is_some(), "{contract}: {search:?}");
    };
    // without the conditions it is not below
    not_kept(&sum, &format!("modadd {P64} r<p"));
    not_kept(&sum, &format!("modadd {P64} a<p r<p"));
    not_kept(&difference, &format!("modsub {P64} a<p r<p"));
    // p itself stays where 58 is added; it is congruent all the same
    let stays = sum.replace("#59", "#58");
    not_kept(&stays, &kept("modadd"));
    let tally = [survivors(&sum, &kept("modadd"), arm), survivors(&difference, &kept("modsub"), arm)];
    assert_eq!(tally, [0, 0]);
}

/// The sum and the difference of 64 bits, back below 2^64: with what is done to them before they are stored.
fn both(change: &str) -> String {
    let [up, down] = ["add", "sub"].map(|own| {
        let mask = if own == "add" { " mvn r12, r12\n" } else { "" };
        let carry = if own == "add" { "adc" } else { "sbc" };
        move |low: u8, high: u8, first: &str| {
            let back = format!(" sbc r12, r0, r0\n{mask} and r12, r12, #59\n");
            format!(
                "{first}{back} {own}s r{low}, r{low}, r12\n {carry}s r{high}, r{high}, #0\n{back} {own} r{low}, r{low}, r12\n"
            )
        }
    });
    let sum = up(8, 9, " adds r8, r4, r6\n adcs r9, r5, r7\n");
    let difference = down(4, 5, " subs r4, r4, r6\n sbcs r5, r5, r7\n");
    let change = match change {
        // 59 more below and 1 less above: as one number of 128 bits the result is the same modulo 2^64 - 59
        "both" => {
            up(8, 9, " adds r8, r8, #59\n adcs r9, r9, #0\n")
                + &down(4, 5, " subs r4, r4, #1\n sbcs r5, r5, #0\n")
        }
        "above" => down(4, 5, " subs r4, r4, #1\n sbcs r5, r5, #0\n"),
        "below" => up(8, 9, " adds r8, r8, #1\n adcs r9, r9, #0\n"),
        "exchanged" => {
            " mov r6, r4\n mov r7, r5\n mov r4, r8\n mov r5, r9\n mov r8, r6\n mov r9, r7\n".to_owned()
        }
        "twice" => " mov r4, r8\n mov r5, r9\n".to_owned(),
        other => other.to_owned(),
    };
    format!(
        "f: push {{r4-r9, lr}}
 ldr r4, [r1]\n ldr r5, [r1, #4]\n ldr r6, [r2]\n ldr r7, [r2, #4]
{sum}{difference}{change} str r8, [r0]\n str r9, [r0, #4]\n str r4, [r0, #8]\n str r5, [r0, #12]
 pop {{r4-r9, lr}}\n bx lr\n"
    )
}

/// Effort that is more than enough for what is right.
const LITTLE: u64 = 1_000_000;

/// Each of two numbers is congruent by itself.
#[test]
fn sums_and_differences_at_once() {
    let contract: Contract = format!("modaddsub {P64}").parse().unwrap();
    let right = arm(&both("")).unwrap();
    holds(&right, &contract.to_string());
    for change in ["both", "above", "below", "exchanged", "twice", " mov r5, #0\n"] {
        let wrong = arm(&both(change)).unwrap();
        assert!(prove_within(&wrong, &contract, LITTLE).is_err(), "{change}");
        assert!(refute(&wrong, &contract, 1_000_000).found.is_some(), "{change}");
    }
    // what shows it for one contract shows it for no other
    let certificate = prove_within(&right, &contract, LITTLE).unwrap();
    for other in ["modadd", "modsub", "modmul"] {
        let mut forged = certificate.clone();
        forged.contract = format!("{other} {P64}");
        assert!(check(&right, &forged).is_err(), "{other}");
    }
    // nor for a change of the code
    for change in ["both", "above", "below", "exchanged", "twice"] {
        let wrong = arm(&both(change)).unwrap();
        let mut forged = certificate.clone();
        forged.code_sha256 = rhomb_certificate::sha256(&wrong.code());
        assert!(check(&wrong, &forged).is_err(), "{change}");
    }
}
