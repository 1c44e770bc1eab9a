//! A museum of bugs in multi-precision code, rebuilt from their descriptions by editing kernels that are
//! right: none is proved, and each is shown by operands and the wrong word, or by the violation and its
//! address.

mod dropped;

use num_bigint::BigUint;
use rhomb_avr::instructions::{Instruction, Op, flag};
use rhomb_avr::{Function, Program, conventions::AVR_GCC, cores::core, lower::multiplication};
use rhomb_certificate::Contract;
use rhomb_kernel::{Operation, Parameters, method};
use rhomb_machine::{Access, Fault, Stopped};
use rhomb_prove::{Budget, CounterExample, Failure, Spread, Timing, Verdict, decide, prove, refute, timing};
use rhomb_samples::karatsuba::{Extension, Shape, karatsuba, shape};
use rhomb_samples::{add_sub, squaring};
use std::sync::Arc;

const X: u8 = 26;
const Z: u8 = 30;

fn dr(op: Op, d: u8, r: u8) -> Instruction {
    Instruction::dr(op, d, r)
}

fn dk(op: Op, d: u8, k: i32) -> Instruction {
    Instruction::dk(op, d, k)
}

fn rk(op: Op, r: u8, k: i32) -> Instruction {
    Instruction::rk(op, r, k)
}

fn function(code: &[Instruction]) -> Function {
    let program = Arc::new(Program::assemble(core("atmega128").unwrap(), 0, code).unwrap());
    Function { program, entry: 0, convention: &AVR_GCC, stack_limit: 200, step_limit: 1 << 20 }
}

fn kernel(name: &str, words: usize) -> Vec<Instruction> {
    let walk = method(Operation::Mul, name).unwrap().walk(words, &Parameters::default()).unwrap();
    multiplication(&walk, core("atmega128").unwrap(), &AVR_GCC).unwrap().program
}

/// The exhibit: proved before it is broken, not afterwards, and refuted.
fn broken(contract: &str, right: &[Instruction], wrong: &[Instruction]) -> CounterExample {
    let contract: Contract = contract.parse().unwrap();
    assert_ne!(right, wrong);
    prove(&function(right), &contract).unwrap();
    assert!(prove(&function(wrong), &contract).is_err());
    let search = refute(&function(wrong), &contract, 50_000_000);
    search.found.unwrap_or_else(|| panic!("not refuted in {} calls", search.calls))
}

fn without(code: &[Instruction], at: usize) -> Vec<Instruction> {
    let mut wrong = code.to_vec();
    wrong[at] = Instruction::new(Op::Nop);
    wrong
}

/// Places of an instruction.
fn places(code: &[Instruction], which: impl Fn(&Instruction) -> bool) -> Vec<usize> {
    (0..code.len()).filter(|at| which(&code[*at])).collect()
}

/// That the word is wrong indeed, by the numbers of the example.
fn wrong_word(example: &CounterExample, right: impl Fn(&[BigUint]) -> BigUint) -> usize {
    let Failure::Wrong { word, expected, got } = example.failure else { panic!("{example:?}") };
    let shown = (right(&example.numbers()) >> (8 * word)) % 256u32;
    assert_eq!(shown, BigUint::from(expected));
    assert_ne!(got, expected);
    word
}

/// The products of different words are doubled as one long number; between two batches of columns the
/// carry of the doubling waits, and is forgotten.
#[test]
fn a_dropped_carry_in_the_doubling_of_a_squaring() {
    let right = squaring::sqr(8, 4);
    // the carry comes back from a mask: ADD of the mask to itself
    let doubled = places(&right, |one| *one == dr(Op::Add, 23, 23));
    assert_eq!(doubled.len(), 4);
    // before the first batch there is none, and after the last batch but one it can come
    for (batch, at) in doubled.into_iter().enumerate().skip(1) {
        let example = broken("sqr 64", &right, &with(&right, at, clear_carry()));
        let word = wrong_word(&example, |numbers| &numbers[0] * &numbers[0]);
        assert!(word >= 4 * batch, "{word} in batch {batch}");
    }
}

fn with(code: &[Instruction], at: usize, other: Instruction) -> Vec<Instruction> {
    let mut wrong = code.to_vec();
    wrong[at] = other;
    wrong
}

fn clear_carry() -> Instruction {
    Instruction { b: flag::C as u8, ..Instruction::new(Op::Bclr) }
}

/// A long sum is made in two parts, and the second starts without the carry of the first.
#[test]
fn a_forgotten_carry_in() {
    let right = add_sub::add(8, add_sub::Form::Unrolled);
    let at = places(&right, |one| one.op == Op::Adc)[4];
    let wrong = with(&right, at, Instruction { op: Op::Add, ..right[at] });
    let example = broken("add 64", &right, &wrong);
    assert_eq!(wrong_word(&example, |numbers| &numbers[0] + &numbers[1]), 4);
    // the instruction that stored the wrong word
    let stores = places(&wrong, |one| one.op.row().mnemonic.starts_with("st"));
    assert_eq!(stores.len(), 8);
    assert_eq!(example.address, Some(2 * stores[4] as u64));
}

/// The third word of an accumulator misses the carry that one in many thousand products makes.
#[test]
fn a_carry_of_a_product_that_is_not_passed_on() {
    let right = kernel("product-scanning", 8);
    let adc = places(&right, |one| one.op == Op::Adc && one.r > 1);
    let wrong = without(&right, adc[adc.len() / 2]);
    let example = broken("mul 64", &right, &wrong);
    assert!(wrong_word(&example, |numbers| &numbers[0] * &numbers[1]) >= 2);
}

/// Karatsuba's middle is signed; its sign is extended over the words above it, but not to the last.
#[test]
fn a_sign_extension_that_is_one_word_short() {
    for extension in [Extension::Asr, Extension::Sbc] {
        let right = karatsuba(8, Shape { extension, ..shape(1) });
        // the last addition of the extension word
        let at = *places(&right, |one| one.op == Op::Adc).last().unwrap();
        let example = broken("mul 64", &right, &without(&right, at));
        assert_eq!(wrong_word(&example, |numbers| &numbers[0] * &numbers[1]), 15);
    }
}

/// The extension word is the lowest bit of the sign and not its copy.
#[test]
fn a_sign_extension_by_one_bit_only() {
    let right = karatsuba(8, Shape { extension: Extension::Asr, ..shape(1) });
    let at = *places(&right, |one| one.op == Op::Asr).last().unwrap();
    let wrong = with(&right, at, Instruction { op: Op::Lsr, ..right[at] });
    let example = broken("mul 64", &right, &wrong);
    assert!(wrong_word(&example, |numbers| &numbers[0] * &numbers[1]) > 12);
}

/// `r := a`, then `r := r + b`: right, unless the result lies in the place of `b`.
#[test]
fn an_operand_in_the_place_of_the_result_of_several_rows() {
    let mut code = vec![dr(Op::Movw, X, 22), dr(Op::Movw, Z, 24)];
    for _ in 0..4 {
        code.extend([dk(Op::LdXInc, 18, 0), rk(Op::StZInc, 18, 0)]);
    }
    code.extend([dr(Op::Movw, X, 20), dr(Op::Movw, Z, 24), clear_carry()]);
    for word in 0..4 {
        code.extend([dk(Op::LddZ, 18, word), dk(Op::LdXInc, 19, 0), dr(Op::Adc, 18, 19)]);
        code.push(rk(Op::StdZ, 18, word));
    }
    code.extend([dr(Op::Sbc, 24, 24), dk(Op::Neg, 24, 0), Instruction::new(Op::Ret)]);
    let right = add_sub::add(4, add_sub::Form::Unrolled);
    let example = broken("add 32", &right, &code);
    assert_eq!(example.pattern, "r = b");
    wrong_word(&example, |numbers| &numbers[0] + &numbers[1]);
}

/// The violation that the example shows, with the byte address of the instruction.
fn violation(example: CounterExample) -> (Fault, u64) {
    match example.failure {
        Failure::Stopped(Stopped { fault, address, .. }) => (fault, address),
        other => panic!("{other:?}"),
    }
}

/// A loop that runs once too often over the result.
#[test]
fn a_write_past_the_end() {
    let right = add_sub::add(5, add_sub::Form::Looped);
    let at = places(&right, |one| one.op == Op::Ldi)[0];
    let store = places(&right, |one| one.op == Op::StZInc)[0];
    let load = places(&right, |one| one.op == Op::LdXInc)[0];
    // the operands end there too: the first load beyond is found first
    let example = broken("add 40", &right, &with(&right, at, Instruction { k: 6, ..right[at] }));
    let (fault, address) = violation(example);
    assert!(matches!(fault, Fault::NotOwned { access: Access::Load, .. }), "{fault}");
    assert_eq!(address, 2 * load as u64);
    // one more byte behind the last
    let mut wrong = right.clone();
    wrong.insert(store + 1, rk(Op::StdZ, right[store].r, 0));
    // the loop is one instruction longer
    let back = store + 1 + places(&wrong[store + 1..], |one| one.op == Op::Brbc)[0];
    wrong[back].k -= 1;
    let (fault, address) = violation(broken("add 40", &right, &wrong));
    assert!(matches!(fault, Fault::NotOwned { access: Access::Store, .. }), "{fault}");
    assert_eq!(address, 2 * (store + 1) as u64);
}

#[test]
fn a_register_of_the_caller_that_is_lost() {
    let right = kernel("product-scanning", 4);
    let pops = places(&right, |one| one.op == Op::Pop);
    let pushes = places(&right, |one| one.op == Op::Push);
    // neither saved nor restored
    let mut wrong = without(&right, pops[0]);
    wrong[*pushes.last().unwrap()] = Instruction::new(Op::Nop);
    let lost = format!("r{} is not what it was at the call", right[pops[0]].d);
    let example = broken("mul 32", &right, &wrong);
    assert_eq!(example.failure, Failure::Breach(lost));
    assert_eq!(example.address, last_write(&wrong, right[pops[0]].d));
    // restored in the wrong order
    let mut wrong = right.clone();
    wrong.swap(pops[0], pops[1]);
    let example = broken("mul 32", &right, &wrong);
    assert!(matches!(example.failure, Failure::Breach(_)));
    assert!(pops[..2].iter().any(|pop| example.address == Some(2 * *pop as u64)), "{example:?}");
    // saved and not restored: the return goes elsewhere
    let (fault, address) = violation(broken("mul 32", &right, &without(&right, pops[0])));
    assert!(matches!(fault, Fault::BadReturn { .. } | Fault::NoInstruction { .. }), "{fault}");
    assert!(address >= 2 * pops[0] as u64);
}

#[test]
fn a_zero_register_that_is_not_cleared() {
    let right = kernel("operand-scanning", 4);
    let at = *places(&right, |one| *one == dr(Op::Eor, 1, 1)).last().unwrap();
    let wrong = without(&right, at);
    let example = broken("mul 32", &right, &wrong);
    assert_eq!(example.failure, Failure::Breach("r1 is not zero at the return".into()));
    assert_eq!(example.address, last_write(&wrong, 1));
}

/// Byte address of the last instruction of a straight line that writes the register.
fn last_write(code: &[Instruction], register: u8) -> Option<u64> {
    let at = code.iter().rposition(|one| one.registers_written() >> register & 1 == 1)?;
    Some(2 * at as u64)
}

/// A register that the caller may have left undefined is read: wrong where the result depends on it.
#[test]
fn a_register_that_nobody_set() {
    let contract: Contract = "add 32".parse().unwrap();
    let right = add_sub::add(4, add_sub::Form::Unrolled);
    let with_first = |one| function(&[&[one], &right[..]].concat());
    // a copy that is never used
    assert_eq!(refute(&with_first(dr(Op::Mov, 18, 17)), &contract, 1_000_000).found, None);
    // part of an address
    let search = refute(&with_first(dr(Op::Add, 20, 27)), &contract, 1_000_000);
    let (fault, address) = violation(search.found.unwrap());
    assert_eq!((fault, address), (Fault::Undefined { what: "r27".into() }, 0));
}

/// A carry that is counted only where there is one: the sum is right, and its time tells the carry.
#[test]
fn a_branch_on_a_secret_that_is_not_balanced() {
    let mut code = vec![dr(Op::Movw, X, 22), dk(Op::LdX, 18, 0), dr(Op::Movw, X, 20), dk(Op::LdX, 19, 0)];
    code.extend([dr(Op::Movw, Z, 24), dr(Op::Add, 18, 19), rk(Op::StdZ, 18, 0), dk(Op::Ldi, 24, 0)]);
    let branch = code.len();
    code.push(Instruction { b: flag::C as u8, k: 2, ..Instruction::new(Op::Brbc) });
    code.extend([dr(Op::Movw, 18, 18), dk(Op::Inc, 24, 0), Instruction::new(Op::Ret)]);
    let contract: Contract = "add 8".parse().unwrap();
    let verdict = decide(&function(&code), &contract, Budget::default());
    assert!(matches!(verdict, Verdict::Proved(_)), "{verdict:?}");
    let Timing::Leaks { at, cycles: Some(Spread::Branch(sides)), .. } = timing(&function(&code), &contract)
    else {
        panic!()
    };
    assert_eq!((at.address, sides.address), (2 * branch as u64, 2 * branch as u64));
    // with carry, and without
    assert_eq!((sides.taken, sides.other), (3, 2));
    // one instruction less, and both sides take two cycles
    code.remove(branch + 1);
    code[branch].k = 1;
    assert_eq!(timing(&function(&code), &contract), Timing::Balanced);
}
