//! Inversions as powers, proved as compositions of the routines that they call; and what is no inversion.

use crate::made::{self, model};
use rhomb_certificate::{Certificate, CheckError, Contract, FORMAT, check, sha256};
use rhomb_composition::check_composition;
use rhomb_field::program::{self, Composed, by_montgomery};
use rhomb_machine::MachineCode;
use rhomb_mips::conventions::O32;
use rhomb_mips::instructions::{Instruction, Op};
use rhomb_mips::{Function, Program};
use rhomb_prove::{Budget, Unproved, Verdict, decide, prove, prove_composition, refute};
use std::sync::Arc;

/// Terms that the proof of a called routine may touch.
const EFFORT: u64 = 100_000_000;

fn made(core_name: &str, contract: &Contract) -> Vec<Instruction> {
    made::made(core_name, &contract.to_string())
}

fn function(core_name: &str, code: &[Instruction], step_limit: u64) -> Option<Function> {
    let program = Arc::new(Program::assemble(model(core_name), 0x400, code).ok()?);
    Some(Function { program, entry: 0x400, convention: &O32, stack_limit: 4096, step_limit })
}

/// The contracts of the routines that it calls.
fn proved(core_name: &str, text: &str) -> Vec<String> {
    let contract: Contract = text.parse().unwrap();
    let routine = function(core_name, &made(core_name, &contract), 1_000_000).unwrap();
    match decide(&routine, &contract, Budget::default()) {
        Verdict::Composed(composition) => {
            assert_eq!(check_composition(&routine, &composition), Ok(contract.into()));
            composition.calls.into_iter().map(|called| called.certificate.contract).collect()
        }
        other => panic!("{text} on {core_name}: {other:?}"),
    }
}

#[test]
fn inversions_are_compositions() {
    for (text, names) in [
        ("modinv 2^192-2^64-1", ["modmul", "modsqr"]),
        ("montinv 2^192-2^64-1", ["montmul", "montsqr"]),
        ("gf2modinv x^191+x^9+1", ["gf2modmul", "gf2modsqr"]),
    ] {
        let mut called = proved("mips32-ise", text);
        called.sort();
        let modulus = text.split_once(' ').unwrap().1;
        assert_eq!(called, names.map(|name| format!("{name} {modulus}")));
    }
    // without an instruction for squares over GF(2) they are products
    assert_eq!(proved("mips32-4km", "gf2modinv x^191+x^9+1").len(), 1);
    assert_eq!(proved("mips32-4km", "montinv 0xffffffff00000001").len(), 2);
}

/// A field of 64 bits, so that thousands of proofs take seconds.
const SMALL: &str = "modinv 0xffffffff00000001";

/// What becomes of a routine with one instruction changed: proved, in spite of which no call shows it to be wrong; or not.
fn survives(contract: &Contract, code: &[Instruction]) -> bool {
    let Some(routine) = function("mips32-ise", code, 20_000) else { return false };
    if prove_composition(&routine, contract, EFFORT).is_err() {
        return false;
    }
    let found = refute(&routine, contract, 2_000_000).found;
    assert!(found.is_none(), "proved, and wrong: {found:x?}");
    true
}

#[test]
fn no_changed_routine_is_proved_wrongly() {
    let contract: Contract = SMALL.parse().unwrap();
    let right = made("mips32-ise", &contract);
    assert!(survives(&contract, &right));
    // the routine itself, before those that it calls
    let own = right.iter().position(|one| one.op == Op::Jr).unwrap() + 2;
    let changed = |at: usize, change: &dyn Fn(&mut Instruction)| {
        let mut code = right.clone();
        change(&mut code[at]);
        code != right && survives(&contract, &code)
    };
    let mut tally = [0; 4];
    for at in 0..own {
        let changes: [&dyn Fn(&mut Instruction); 4] = [
            // left out: a call, a pointer, a save
            &|one| *one = Instruction::new(Op::Sll),
            // an exponent, the place of a number, a distance
            &|one| one.immediate += 1,
            &|one| one.immediate -= 8,
            // operands exchanged
            &|one| {
                if one.rt > 0 && one.rs > 0 {
                    std::mem::swap(&mut one.rs, &mut one.rt);
                }
            },
        ];
        for (count, change) in tally.iter_mut().zip(changes) {
            *count += usize::from(changed(at, change));
        }
    }
    // the operand's pointer stands where the first call wants it
    assert_eq!(tally, [1, 0, 0, 0]);
}

/// Squarings one more or one less make another power, which is told; so does a product in a squaring's place.
#[test]
fn another_power_is_refused() {
    let contract: Contract = SMALL.parse().unwrap();
    let right = made("mips32-ise", &contract);
    let count = right.iter().position(|one| one.op == Op::Addiu && one.rt == 16 && one.rs == 0).unwrap();
    for change in [-1, 1] {
        let mut code = right.clone();
        code[count].immediate += change;
        let routine = function("mips32-ise", &code, 20_000).unwrap();
        let error = prove_composition(&routine, contract, EFFORT).unwrap_err();
        assert!(matches!(&error, Unproved::Composition(text) if text.contains("not its inverse")), "{error}");
        assert!(matches!(decide(&routine, &contract, Budget::default()), Verdict::Refuted(..)));
    }
}

/// The result of a product lies apart from its operands: nothing else is proved of the product.
#[test]
fn a_product_in_place_is_refused() {
    let contract: Contract = "modinv 0x3".parse().unwrap();
    let product = made("mips32-ise", &"modmul 0x3".parse().unwrap());
    // a is its own inverse, and a^3, too
    let call = |to: i32| {
        let text = format!(
            "f: addiu $sp, $sp, -32\n sw $ra, 24($sp)\n sw $a0, 20($sp)\n sw $a1, 28($sp)\n or $a2, $a1, $0
 bgezal $0, f_mul\n addiu $a0, $sp, 16\n lw $a0, 20($sp)\n addiu $a1, $sp, {to}\n lw $a2, 28($sp)
 bgezal $0, f_mul\n nop\n lw $ra, 24($sp)\n nop\n jr $ra\n addiu $sp, $sp, 32\nf_mul: nop"
        );
        let mut code = rhomb_mips::syntax::parse(&model("mips32-ise"), 0, &text).unwrap().instructions;
        code.extend(product.clone());
        code
    };
    let right = function("mips32-ise", &call(16), 1000).unwrap();
    assert!(prove_composition(&right, contract, EFFORT).is_ok());
    let mut code = call(16);
    // the second result in the place of the first: it is wanted elsewhere, and lies on an operand
    let load = code.iter().position(|one| one.op == Op::Lw && one.rt == 4).unwrap();
    code[load] = Instruction { op: Op::Addiu, rs: 29, immediate: 16, ..code[load] };
    let error = prove_composition(&function("mips32-ise", &code, 1000).unwrap(), contract, EFFORT);
    assert!(matches!(error, Err(Unproved::Stopped(_))), "{error:?}");
}

/// What is congruent to the inverse need not be below the modulus.
#[test]
fn the_range_of_an_inverse_is_not_proved() {
    let routine = function("mips32-ise", &made("mips32-ise", &SMALL.parse().unwrap()), 100_000).unwrap();
    let composed = |text: &str| prove_composition(&routine, text.parse::<Contract>().unwrap(), EFFORT);
    assert!(composed(&format!("{SMALL} a<p")).is_ok());
    assert!(composed(&format!("{SMALL} r<p")).is_err());
    assert!(composed("modmul 0xffffffff00000001").is_err());
}

/// An inversion has no certificate but that of a composition: no other that says so passes the checker.
#[test]
fn there_is_no_other_certificate_of_an_inversion() {
    for text in [SMALL, "gf2modinv x^191+x^9+1"] {
        let contract: Contract = text.parse().unwrap();
        let routine = function("mips32-ise", &made("mips32-ise", &contract), 100_000).unwrap();
        assert!(matches!(prove(&routine, &contract), Err(Unproved::Composition(_))));
        let forged = Certificate {
            format: FORMAT.to_owned(),
            routine: routine.identity(),
            contract: text.to_owned(),
            code_sha256: sha256(&routine.code()),
            relocations: Vec::new(),
            calls: Vec::new(),
            patterns: Vec::new(),
        };
        assert_eq!(check(&routine, &forged), Err(CheckError::Remainder));
    }
}

/// Two Montgomery multiplications are a product where the second is one by R^2 modulo p, and by no other number.
#[test]
fn products_times_another_number_are_refused() {
    let contract: Contract = "modmul 0xb504f333f9de6497".parse().unwrap();
    let own = by_montgomery(contract.modular().unwrap(), 32).unwrap();
    let proved = |own: &Composed| {
        let code = made::composed("mips32-ise", own);
        prove_composition(&function("mips32-ise", &code, 20_000).unwrap(), contract, EFFORT)
    };
    assert_eq!(proved(&own).unwrap().calls.len(), 1);
    // R^2 modulo a neighbour
    let other: Contract = "modmul 0xb504f333f9de6495".parse().unwrap();
    let other = by_montgomery(other.modular().unwrap(), 32).unwrap();
    let is_line = |routine: &program::Routine| matches!(routine, program::Routine::Lines(_));
    let line = own.routines.iter().position(is_line).unwrap();
    let mut wrong = own.clone();
    wrong.routines[line] = other.routines[line].clone();
    let error = proved(&wrong).unwrap_err();
    assert!(error.to_string().contains("times another number"), "{error}");
}
