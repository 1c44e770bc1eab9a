//! Field operations as published, with branches and loops: those that are not proved are called where they could fail, and
//! known bugs are found out.

use num_bigint::BigUint;
use rhomb_certificate::Contract;
use rhomb_field::Field;
use rhomb_field::montgomery::{Montgomery, Ring};
use rhomb_field::prime::PrimeField;
use rhomb_field::words::words;
use rhomb_machine::{Access, Buffer, Concrete, Random, Routine};
use rhomb_mips::conventions::O32;
use rhomb_mips::cores::core;
use rhomb_mips::field::{Correction, prime, rolled};
use rhomb_mips::syntax::parse;
use rhomb_mips::{Function, Model, Program};
use rhomb_prove::{prove, refute};
use std::sync::Arc;

const P192: &str = "2^192-2^64-1";
/// Instructions: some thousand calls.
const BUDGET: u64 = 8_000_000;

fn model() -> Arc<Model> {
    Arc::new(Model::of(core("mips32-ise").unwrap()))
}

fn function(text: &str) -> Function {
    let model = model();
    let parsed = parse(&model, 0x400, text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let program = Arc::new(Program::assemble(model, 0x400, &parsed.instructions).unwrap());
    Function { program, entry: 0x400, convention: &O32, stack_limit: 512, step_limit: 100_000 }
}

/// The operands of a call that breaks the contract.
fn broken(text: &str, contract: &str) -> Option<Vec<BigUint>> {
    let contract: Contract = contract.parse().unwrap();
    refute(&function(text), &contract, BUDGET).found.map(|example| example.numbers())
}

/// A routine `g` with the context of P-192, see `rhomb_mips::field::rolled`, which `f` writes into its stack.
fn with_context(text: &str) -> String {
    let n = words(PrimeField::p192().modulus(), 6);
    let factor = Montgomery::new(Ring::Integers, &n).unwrap().factor();
    let mut head = String::from("f: addiu $sp, $sp, -128\n sw $ra, 124($sp)\n addiu $a3, $sp, 16\n");
    for (place, word) in (18..).zip(n.iter().chain([&factor])) {
        head += &format!(" lui $t0, {}\n ori $t0, $t0, {}\n", word >> 16, word & 0xffff);
        head += &format!(" sw $t0, {}($a3)\n", 4 * place);
    }
    head + " jal g\n nop\n lw $ra, 124($sp)\n nop\n jr $ra\n addiu $sp, $sp, 128\n" + text
}

#[test]
fn published_forms_keep_their_contracts() {
    let keeps = |text: &str, contract: &str| {
        assert_eq!(broken(text, &format!("{contract} {P192}")), None, "{contract}");
    };
    for correction in [Correction::Branch, Correction::Always] {
        keeps(&prime::reduction(&model(), "f", correction).unwrap(), "modreduce");
        keeps(&prime::add(&model(), "f", correction).unwrap(), "modadd");
        keeps(&prime::subtract(&model(), "f", correction).unwrap(), "modsub");
    }
    keeps(&with_context(&rolled::montgomery_multiply("g", Ring::Integers, 6)), "montmul");
    keeps(&with_context(&rolled::montgomery_square("g", Ring::Integers, 6)), "montsqr");
    keeps(&with_context(&rolled::add("g", 6)), "modadd");
    keeps(&with_context(&rolled::subtract("g", 6)), "modsub");
    keeps(&rolled::add_p192("f"), "modadd");
    keeps(&rolled::subtract_p192("f"), "modsub");
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
    let right = prime::reduction(&model(), "f", Correction::Branch).unwrap();
    let branch = right.lines().find(|line| line.starts_with("bne ")).expect("the branch to the correction");
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
    assert!(!is_right(&routine, &z) && is_right(&function(&right), &z));
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
