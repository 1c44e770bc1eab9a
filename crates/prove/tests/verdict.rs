//! Verdicts on kernels that are right, and on kernels that are broken on purpose.

use num_bigint::BigUint;
use rhomb_avr::instructions::{Instruction, Op, Operand};
use rhomb_avr::{Function, Program, conventions::AVR_GCC, cores::core, lower::multiplication};
use rhomb_certificate::{Contract, EFFORT, check};
use rhomb_kernel::{Operation, Parameters, method, walks};
use rhomb_machine::Fault;
use rhomb_prove::{
    Budget, Failure, Reason, Spread, Timing, Unproved, Verdict, decide, prove_within, refute, timing,
};
use rhomb_samples::{add_sub, branched, shift_add};
use std::sync::Arc;

const BUDGET: Budget = Budget { first: 200_000, second: 3_000_000, effort: EFFORT, whole: EFFORT };

fn function(code: &[Instruction]) -> Function {
    let program = Arc::new(Program::assemble(core("atmega128").unwrap(), 0, code).unwrap());
    Function { program, entry: 0, convention: &AVR_GCC, stack_limit: 200, step_limit: 1 << 20 }
}

fn kernel(name: &str, words: usize) -> Vec<Instruction> {
    let walk = method(Operation::Mul, name).unwrap().walk(words, &Parameters::default()).unwrap();
    multiplication(&walk, core("atmega128").unwrap(), &AVR_GCC).unwrap().program
}

fn verdict(contract: &str, code: &[Instruction]) -> Verdict {
    decide(&function(code), &contract.parse().unwrap(), BUDGET)
}

/// The failure and the reasons; panics where the routine is not refuted.
fn failure(contract: &str, code: &[Instruction]) -> (Failure, Vec<Reason>) {
    match verdict(contract, code) {
        Verdict::Refuted(example, reasons) => (example.failure, reasons),
        other => panic!("{other:?}"),
    }
}

#[test]
fn kernels_are_proved_and_take_constant_time() {
    for method in walks() {
        let code = kernel(method.name, 12);
        let contract: Contract = "mul 96".parse().unwrap();
        let function = function(&code);
        let Verdict::Proved(certificate) = decide(&function, &contract, BUDGET) else {
            panic!("{}", method.name)
        };
        assert_eq!(check(&function, &certificate), Ok(contract));
        assert_eq!(timing(&function, &contract), Timing::Constant);
    }
}

/// Without any of its additions a kernel is refuted, or proved because it only adds a carry that cannot
/// occur.
#[test]
fn lost_carries_are_found() {
    let code = kernel("product-scanning", 10);
    let mut proved = 0;
    for at in 0..code.len() {
        if code[at].op != Op::Adc {
            continue;
        }
        let mut broken = code.clone();
        broken[at] = Instruction::new(Op::Nop);
        match verdict("mul 80", &broken) {
            Verdict::Proved(_) | Verdict::Composed(_) => proved += 1,
            Verdict::Refuted(example, _) => assert!(matches!(example.failure, Failure::Wrong { .. })),
            Verdict::Unknown(reasons) => panic!("{at}: {reasons:?}"),
        }
    }
    assert!(proved <= 2, "{proved}");
}

#[test]
fn the_instruction_that_drops_a_carry_is_named() {
    let code = kernel("product-scanning", 6);
    // the third word of an accumulator never gets its carries
    let at = code.iter().rposition(|one| one.op == Op::Adc && one.r != 0 && one.r != 1).unwrap();
    let mut broken = code.clone();
    broken[at] = Instruction::new(Op::Nop);
    let (failure, reasons) = failure("mul 48", &broken);
    assert!(matches!(failure, Failure::Wrong { .. }));
    let address = 2 * at as u64;
    let near = |reason: &Reason| reason.addresses.iter().any(|one| (address - 4..address).contains(one));
    assert!(reasons.iter().any(near), "{address} {reasons:?}");
}

#[test]
fn violations_are_evidence() {
    let code = kernel("product-scanning", 2);
    let ret = Instruction::new(Op::Ret);
    let body = code.strip_suffix(&[ret]).unwrap();
    let with = |more: &[Instruction]| [body, more, &[ret]].concat();
    // beyond the end of r; the operand; a register to preserve; the zero register; the stack
    let stopped = |code: &[Instruction]| match failure("mul 16", code) {
        (Failure::Stopped(stopped), reasons) => {
            // outside of the program there is no instruction to name
            let inside = stopped.address < 2 * code.len() as u64;
            assert_eq!(reasons[0].addresses, vec![stopped.address; usize::from(inside)]);
            stopped.fault
        }
        other => panic!("{other:?}"),
    };
    let before = |more: &[Instruction]| [more, &code[..]].concat();
    let store = Instruction::rk(Op::StX, 1, 0);
    let operand = [Instruction::dr(Op::Movw, 26, 22), store];
    assert!(matches!(stopped(&before(&operand)), Fault::ReadOnly { .. }));
    let end = [Instruction::dr(Op::Movw, 26, 24), Instruction::dk(Op::Adiw, 26, 4), store];
    assert!(matches!(stopped(&before(&end)), Fault::NotOwned { .. }));
    // the pointer to a then depends on it
    let unset = [Instruction::dr(Op::Add, 22, 27)];
    assert_eq!(stopped(&before(&unset)), Fault::Undefined { what: "r27".into() });
    let push = [Instruction::rk(Op::Push, 1, 0)];
    assert!(matches!(stopped(&with(&push)), Fault::BadReturn { .. }));
    let breach = |code: &[Instruction]| match failure("mul 16", code).0 {
        Failure::Breach(breach) => breach,
        other => panic!("{other:?}"),
    };
    assert_eq!(breach(&with(&[Instruction::dr(Op::Mov, 5, 0)])), "r5 is not what it was at the call");
    assert_eq!(breach(&with(&[Instruction::dk(Op::Inc, 1, 0)])), "r1 is not zero at the return");
    let store = code
        .iter()
        .rposition(|one| {
            one.op.row().operands.contains(&Operand::ZDisp)
                || matches!(one.op, Op::StX | Op::StXInc | Op::StdZ | Op::StZInc)
        })
        .unwrap();
    let mut short = code.clone();
    short[store] = Instruction::new(Op::Nop);
    assert_eq!(failure("mul 16", &short).0, Failure::Missing { word: 3 });
}

#[test]
fn counter_examples_show_what_they_say() {
    let code = add_sub::add(6, add_sub::Form::Unrolled);
    assert!(matches!(verdict("add 48", &code), Verdict::Proved(_)));
    let at = code.iter().rposition(|one| one.op == Op::Adc && one.d != 24).unwrap();
    let mut broken = code.clone();
    broken[at].op = Op::Add;
    let contract: Contract = "add 48".parse().unwrap();
    let search = refute(&function(&broken), &contract, 1_000_000);
    let example = search.found.unwrap();
    let numbers = example.numbers();
    let Failure::Wrong { word, expected, got } = example.failure else { panic!() };
    let sum: BigUint = &numbers[0] + &numbers[1];
    assert_eq!(BigUint::from(expected), (sum >> (8 * word)) % 256u32);
    assert_ne!(expected, got);
    assert_eq!(refute(&function(&code), &contract, 1_000_000).found, None);
    // as a subtraction it is wrong too
    assert!(matches!(verdict("sub 48", &code), Verdict::Refuted(..)));
}

/// The multiplicand of a shift-and-add that changes under a condition, again and again: the terms of such
/// a sum double with each bit of the multiplier.
#[test]
fn hostile_code_exhausts_the_effort() {
    let mut code = shift_add::strip(3, 2, shift_add::Test::Skip);
    code[24] = Instruction::dr(Op::Adc, 2, 2);
    let program = Arc::new(Program::assemble(core("attiny85").unwrap(), 0, &code).unwrap());
    let function = Function { program, entry: 0, convention: &AVR_GCC, stack_limit: 64, step_limit: 20_000 };
    let outcome = prove_within(&function, &"mul 24".parse().unwrap(), 500_000);
    assert_eq!(outcome, Err(Unproved::Effort(500_000)));
    assert_eq!(outcome.unwrap_err().to_string(), "effort exhausted after 500000 terms");
}

#[test]
fn little_effort_leaves_right_code_unknown() {
    let code = kernel("operand-caching", 12);
    let budget = Budget { effort: 1000, ..BUDGET };
    let verdict = decide(&function(&code), &"mul 96".parse().unwrap(), budget);
    let Verdict::Unknown(reasons) = verdict else { panic!("{verdict:?}") };
    assert_eq!(reasons.len(), 1);
    assert_eq!(reasons[0].text, "effort exhausted after 1000 terms");
}

#[test]
fn what_is_not_modelled_is_unknown() {
    let code = [&[Instruction::new(Op::Sleep)], &kernel("product-scanning", 2)[..]].concat();
    let Verdict::Unknown(reasons) = verdict("mul 16", &code) else { panic!() };
    assert_eq!(reasons[0].addresses, [0]);
    assert!(reasons[0].text.contains("not modelled"), "{reasons:?}");
    let endless = [Instruction { k: -1, ..Instruction::new(Op::Rjmp) }];
    let Verdict::Unknown(reasons) = verdict("mul 16", &endless) else { panic!() };
    assert!(reasons[0].text.contains("no return"), "{reasons:?}");
}

#[test]
fn timing_of_branches() {
    use rhomb_samples::karatsuba::Extension;
    let code = branched::branched(8, 1, branched::Sides::Memory, Extension::Sbc);
    let contract = "mul 64".parse().unwrap();
    assert_eq!(timing(&function(&code), &contract), Timing::Balanced);
    // one cycle more on one side
    let at = code.iter().rposition(|one| one.op == Op::Nop).unwrap();
    let mut uneven = code.clone();
    uneven[at] = Instruction { k: 0, ..Instruction::new(Op::Rjmp) };
    let Timing::Leaks { at, cycles: Some(Spread::Branch(branch)), .. } =
        timing(&function(&uneven), &contract)
    else {
        panic!()
    };
    assert_eq!(at.address, branch.address);
    assert_eq!(branch.taken.abs_diff(branch.other), 1);
    // a table look-up
    let look = [
        Instruction::dr(Op::Movw, 30, 22),
        Instruction::dk(Op::LddZ, 30, 0),
        Instruction::dk(Op::LddZ, 0, 0),
    ];
    let Timing::Leaks { at, cycles: None, .. } = timing(&function(&look), &contract) else { panic!() };
    assert_eq!((at.address, at.instruction.as_str()), (4, "ld r0, Z"));
}
