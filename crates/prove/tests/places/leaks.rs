//! What is called a leak is shown by two calls, at the instruction that is named.

use crate::programs::{arm, avr, c55x, mips};
use rhomb_certificate::Contract;
use rhomb_machine::{Fault, Routine};
use rhomb_prove::{Difference, Timing, Witness, timing};

/// The leak, where it is, and the calls that show it.
fn leak<R: Routine>(routine: &R, contract: &str) -> (u64, String, Witness) {
    match timing(routine, &contract.parse::<Contract>().unwrap()) {
        Timing::Leaks { at, shown, .. } => {
            assert_eq!(shown.address, at.address);
            (at.address, at.instruction, *shown)
        }
        other => panic!("{other:?}"),
    }
}

fn uneven(shown: &Witness) -> bool {
    shown.calls[0].cycles != shown.calls[1].cycles && shown.calls[0].operands != shown.calls[1].operands
}

#[test]
fn a_branch_is_named_itself_and_both_ways_are_shown() {
    // a loop of as many rounds as a byte of the operand says: the sides do not meet
    let looped = avr("movw r30, r22\n ld r18, Z\nl1: dec r18\n brne l1\n ret");
    let (at, instruction, shown) = leak(&looped, "add 16");
    assert_eq!((at, instruction.starts_with("brne")), (6, true));
    assert!(uneven(&shown), "{shown:?}");
    // one side returns at once
    let early = avr("movw r30, r22\n ld r18, Z\n or r18, r18\n breq l1\n nop\n nop\n ret\nl1: ret");
    let (at, instruction, shown) = leak(&early, "add 16");
    assert_eq!((at, instruction.starts_with("breq"), shown.differs), (6, true, Difference::Way));
    assert!(uneven(&shown), "{shown:?}");
    assert_eq!(shown.calls.clone().map(|call| call.value).iter().min(), Some(&8));
    let (at, instruction, shown) =
        leak(&arm("arm7tdmi", "ldr r3, [r1]\n cmp r3, #0\n bxeq lr\n mov r3, r3\n bx lr"), "add 32");
    assert_eq!((at, instruction.starts_with("bxeq")), (8, true));
    assert!(uneven(&shown), "{shown:?}");
    let text = "f: lw $8, 0($5)\n beq $8, $0, l1\n nop\n lw $9, 0($5)\nl1: jr $31\n nop";
    let (at, instruction, shown) = leak(&mips(text), "modhalf 0xfffffffb");
    assert_eq!((at, instruction.starts_with("beq")), (4, true));
    assert!(uneven(&shown), "{shown:?}");
    let text = "_f: MOV *AR1, T0\n BCC L1, T0 == #0\n NOP\n NOP\nL1: RET";
    let (at, instruction, shown) = leak(&c55x(text), "add 16");
    assert!(at > 0 && instruction.contains("BCC") && uneven(&shown), "{at} {instruction} {shown:?}");
}

#[test]
fn times_of_multiplications_are_shown() {
    let product = "ldr r3, [r1]\n ldr r2, [r2]\n umull r1, r12, r3, r2\n bx lr";
    let (at, instruction, shown) = leak(&arm("arm7tdmi", product), "mul 32");
    assert_eq!((at, instruction.starts_with("umull"), shown.differs), (8, true, Difference::Time));
    assert!(uneven(&shown));
    // the wait is that of the instruction behind
    let product = "f: lw $8, 0($5)\n lw $9, 0($5)\n mult $8, $9\n mflo $8\n jr $31\n nop";
    let (at, instruction, shown) = leak(&mips(product), "modhalf 0xfffffffb");
    assert_eq!((at, instruction.starts_with("mult")), (8, true));
    assert!(uneven(&shown), "{shown:?}");
}

#[test]
fn an_address_is_shown_by_two_that_differ() {
    let table = "ldr r3, [r1]\n and r3, r3, #4\n ldr r3, [r2, r3]\n bx lr";
    let (at, instruction, shown) = leak(&arm("arm7tdmi", table), "add 64");
    assert_eq!((at, instruction.starts_with("ldr"), shown.differs), (8, true, Difference::Access));
    let [first, second] = shown.calls.map(|call| call.value);
    assert_eq!(first.abs_diff(second), 4);
}

/// Taint that means nothing: no two calls differ, and nobody says that they do.
#[test]
fn what_no_call_shows_is_no_leak() {
    // (x + 1) - x is 1
    let always = "ldr r3, [r1]\n add r12, r3, #1\n subs r12, r12, r3\n ldrmi r3, [r1]\n bx lr";
    let contract: Contract = "add 32".parse().unwrap();
    let Timing::Unshown { at, calls } = timing(&arm("arm7tdmi", always), &contract) else { panic!() };
    assert_eq!((at.address, calls > 20), (12, true));
    // an address
    let always = "ldr r3, [r1]\n add r12, r3, #4\n sub r12, r12, r3\n ldr r3, [r1, r12]\n bx lr";
    let contract: Contract = "add 64".parse().unwrap();
    let Timing::Unshown { at, .. } = timing(&arm("arm7tdmi", always), &contract) else { panic!() };
    assert_eq!((at.address, matches!(at.fault, Fault::Secret { .. })), (12, true));
    // sides that return each, and take equally long
    let apart = avr("movw r30, r22\n ld r18, Z\n or r18, r18\n breq l1\n nop\n ret\nl1: ret");
    assert_eq!(timing(&apart, &"add 16".parse().unwrap()), Timing::Balanced);
}
