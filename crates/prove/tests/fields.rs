//! Field operations as published, with branches and loops: they are proved, and known bugs are found out.

use crate::made;
use num_bigint::BigUint;
use rhomb_certificate::{Contract, check};
use rhomb_field::Field;
use rhomb_field::prime::PrimeField;
use rhomb_field::words::words;
use rhomb_machine::{Access, Buffer, Concrete, Random, Routine};
use rhomb_mips::conventions::O32;
use rhomb_mips::cores::core;
use rhomb_mips::field::looped;
use rhomb_mips::syntax::parse;
use rhomb_mips::{Function, Model, Program};
use rhomb_prove::{prove, prove_within, refute};
use std::sync::Arc;

const P192: &str = "2^192-2^64-1";
/// Instructions: some thousand calls.
const BUDGET: u64 = 8_000_000;

fn model() -> Arc<Model> {
    Arc::new(Model::of(core("mips32-ise").unwrap()))
}

fn function(text: &str) -> Function {
    try_function(text).unwrap_or_else(|| panic!("no routine: {text}"))
}

fn try_function(text: &str) -> Option<Function> {
    let model = model();
    let parsed = parse(&model, 0x400, text).ok()?;
    let program = Arc::new(Program::assemble(model, 0x400, &parsed.instructions).ok()?);
    Some(Function { program, entry: 0x400, convention: &O32, stack_limit: 512, step_limit: 100_000 })
}

fn proved(text: &str, contract: &str) {
    let routine = function(text);
    let contract: Contract = contract.parse().unwrap();
    let certificate = prove(&routine, &contract).unwrap_or_else(|error| panic!("{contract}: {error}"));
    assert_eq!(check(&routine, &certificate), Ok(contract));
}

/// The operands of a call that breaks the contract.
fn broken(text: &str, contract: &str) -> Option<Vec<BigUint>> {
    let contract: Contract = contract.parse().unwrap();
    refute(&function(text), &contract, BUDGET).found.map(|example| example.numbers())
}

/// Sums with loops: a routine `g` behind an `f` that writes the modulus into its stack.
fn sum(n: &[u32]) -> String {
    let bytes = 4 * n.len();
    let size = (20 + bytes).next_multiple_of(8);
    let mut head = format!("f: addiu $sp, $sp, -{size}\n sw $ra, 16($sp)\n addiu $a3, $sp, 20\n");
    for (place, word) in n.iter().enumerate() {
        head += &format!(" lui $t0, {}\n ori $t0, $t0, {}\n", word >> 16, word & 0xffff);
        head += &format!(" sw $t0, {}($a3)\n", 4 * place);
    }
    head += &format!(" jal g\n nop\n lw $ra, 16($sp)\n nop\n jr $ra\n addiu $sp, $sp, {size}\n");
    let sum = include_str!("published/sum.s").replace("BYTES", &bytes.to_string());
    head + &sum.replace("MODULUS", "0").replace("END", &bytes.to_string())
}

/// Montgomery's product or square with loops, as text.
fn montgomery(contract: &str) -> String {
    made::text("mips32-ise", &looped(&contract.parse().unwrap(), &model()).unwrap().unwrap())
}

const REDUCTION: &str = include_str!("published/reduction.s");
const DIFFERENCE: &str = include_str!("published/difference.s");

#[test]
fn published_forms_are_proved() {
    let moduli = [
        "2^192-2^64-1",
        "2^224-2^96+1",
        "2^256-2^224+2^192+2^96-1",
        "0xd1a3b5c70000001f",
        "0x80000000000000000000000d",
    ];
    for modulus in moduli {
        let contract: Contract = format!("montmul {modulus}").parse().unwrap();
        let number = contract.modular().unwrap().modulus.number();
        let n = words(&number, number.bits().div_ceil(32) as usize);
        for name in ["montmul", "montsqr"] {
            let contract = format!("{name} {modulus}");
            proved(&montgomery(&contract), &contract);
        }
        // of numbers that are corrected by the modulus twice at most
        if number.bits().is_multiple_of(32) {
            proved(&sum(&n), &format!("modadd {modulus}"));
        }
    }
}

/// A modulus of fewer bits is one for which two corrections are too few.
#[test]
fn sums_of_shorter_moduli_are_refuted() {
    let (n, p) = ([0x1f, 0x5000_0000], "0x500000000000001f");
    let sum = sum(&n);
    assert!(prove(&function(&sum), &format!("modadd {p}").parse().unwrap()).is_err());
    let found = broken(&sum, &format!("modadd {p}")).expect("a counter-example");
    assert!(found[0].bits() > 63 && found[1].bits() > 63, "{found:x?}");
}

/// Of routines that lack an instruction, those that are proved are right; and so many are proved.
fn survivors(text: &str, contract: &str) -> usize {
    let contract: Contract = contract.parse().unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let mut proved = 0;
    for missing in (0..lines.len()).step_by(rhomb_oracles::sample(17, 1)) {
        let is_instruction =
            |line: &str| !line.trim().is_empty() && !line.trim_end().ends_with(':') && !line.starts_with('#');
        // a label stays where it is
        let kept = lines[missing].split_once(':').map(|(label, _)| format!("{label}:"));
        if !is_instruction(lines[missing]) {
            continue;
        }
        let mut mutant: Vec<&str> = lines.clone();
        mutant[missing] = kept.as_deref().unwrap_or("");
        let Some(routine) = try_function(&mutant.join("\n")) else { continue };
        let routine = Function { step_limit: 1_000, ..routine };
        // a wrong loop leaves much to look at
        if let Ok(certificate) = prove_within(&routine, &contract, 3_000_000) {
            assert_eq!(check(&routine, &certificate), Ok(contract));
            println!("{contract} is right without {}", lines[missing].trim());
            let found = refute(&routine, &contract, 3_000_000).found;
            assert!(found.is_none(), "{contract} without '{}': {found:x?}", lines[missing]);
            proved += 1;
        }
    }
    proved
}

#[test]
fn no_routine_that_lacks_an_instruction_is_proved_wrongly() {
    // so many words that each loop is gone round
    let (product, square) =
        ("montmul 0xd1a3b5c79e3779b9f39cc061", "montsqr 0xd1a3b5c79e3779b97f4a7c15f39cc061");
    let tally = [
        survivors(&sum(&[0xf39c_c061, 0xd1a3_b5c7]), "modadd 0xd1a3b5c7f39cc061"),
        survivors(&montgomery(product), product),
        survivors(&montgomery(square), square),
        survivors(DIFFERENCE, &format!("modsub {P192}")),
    ];
    // what fills a slot may be missing, and the factor of sums; of the square also what ends a loop that is gone round once
    if rhomb_oracles::sample(0, 1) == 1 {
        assert_eq!(tally, [7, 2, 22, 0]);
    }
}

/// Whether a reduction is right for these words.
fn is_right(routine: &Function, z: &[u32]) -> bool {
    let result = Buffer { name: "r", length: 6, content: None, access: Access::Store, shares: None };
    let operand =
        Buffer { name: "a", length: 12, content: Some(z.to_vec()), access: Access::Load, shares: None };
    let finished = routine.call(Concrete::<u32>::new(), &[result, operand]).unwrap();
    let got: Vec<u32> = finished.buffers[0].iter().map(|word| word.unwrap()).collect();
    let field = PrimeField::p192();
    field.element(&BigUint::new(got)) == field.element(&BigUint::new(z.to_vec()))
}

/// Algorithm 2 without line 9: about one random input of 2^32 shows it.
#[test]
fn a_reduction_that_fails_once_in_four_billion_is_refuted() {
    let right = REDUCTION;
    let branch =
        right.lines().find(|line| line.trim().starts_with("bne ")).expect("the branch to the correction");
    let wrong = right.replacen(branch, "nop", 1);
    let routine = function(&wrong);
    let mut random = Random::new(31);
    for _ in 0..20_000 {
        let z: Vec<u32> = (0..12).map(|_| random.bits() as u32).collect();
        assert!(is_right(&routine, &z), "random operands do not show it");
    }
    let contract = format!("modreduce {P192}");
    assert!(prove(&routine, &contract.parse().unwrap()).is_err());
    let found = broken(&wrong, &contract).expect("a counter-example");
    let z = words(&found[0], 12);
    let top = z[5].wrapping_add(z[9]).wrapping_add(z[11]);
    assert!(top >= 3u32.wrapping_neg(), "{found:x?}");
    assert!(!is_right(&routine, &z) && is_right(&function(right), &z));
}

/// A sum that is corrected once after it was made takes two numbers of which one is below p, and no others: what it gives
/// is no operand for it.
const CORRECTED_ONCE: &str = "f:
    multu $0, $0
    addiu $t9, $0, 6
first:
    lw $t0, 0($a1)
    lw $t1, 0($a2)
    addiu $a1, $a1, 4
    addiu $a2, $a2, 4
    addau $t0, $t1
    mflo $t8
    sha
    addiu $t9, $t9, -1
    addiu $a0, $a0, 4
    bne $t9, $0, first
    sw $t8, -4($a0)
    mflo $t8
    beq $t8, $0, end
    addiu $t9, $0, 6
    addiu $a0, $a0, -24
    sll $t7, $t8, 2
    # 1 at words 0 and 2
    addiu $t6, $0, 5
    multu $0, $0
second:
    lw $t0, 0($a0)
    andi $t5, $t6, 1
    srl $t6, $t6, 1
    addau $t0, $t5
    mflo $t0
    sha
    addiu $t9, $t9, -1
    addiu $a0, $a0, 4
    bne $t9, $0, second
    sw $t0, -4($a0)
end:
    jr $ra
    nop
";

#[test]
fn a_sum_that_is_corrected_once_is_not_closed() {
    let found = broken(CORRECTED_ONCE, &format!("modadd {P192}")).expect("a counter-example");
    let p = PrimeField::p192();
    assert!(found.iter().all(|number| number >= p.modulus()), "{found:x?}");
    assert_eq!(broken(CORRECTED_ONCE, &format!("modadd {P192} a<p")), None);
}
