//! What is told without a proof: times over all operands, and what stays on the stack.

use crate::programs::mips;
use rhomb_arm::conventions::AAPCS;
use rhomb_avr::conventions::AVR_GCC;
use rhomb_certificate::Contract;
use rhomb_machine::Cycles;
use rhomb_prove::{Timing, duration, residue, timing};
use std::sync::Arc;

fn arm(core: &str, words: &[u32]) -> rhomb_arm::Function {
    let core = rhomb_arm::cores::core(core).unwrap();
    let program = Arc::new(rhomb_arm::Program::new(core, 0, &rhomb_arm::halves(words)));
    rhomb_arm::Function { program, entry: 0, convention: &AAPCS, stack_limit: 64, step_limit: 1000 }
}

fn avr(words: &[u16]) -> rhomb_avr::Function {
    let core = rhomb_avr::cores::core("atmega128").unwrap();
    let program = Arc::new(rhomb_avr::Program::new(core, 0, words));
    rhomb_avr::Function { program, entry: 0, convention: &AVR_GCC, stack_limit: 64, step_limit: 1000 }
}

pub(crate) fn contract(text: &str) -> Contract {
    text.parse().unwrap()
}

/// `push {r4, lr}` and `pop {r4, pc}`.
const SAVE: u32 = 0xe92d_4010;
const RETURN: u32 = 0xe8bd_8010;
/// `ldr r4, [r1]`, `str r4, [sp, #-4]!`, `ldr r4, [sp], #4`.
const LOAD: u32 = 0xe591_4000;
const PUSH: u32 = 0xe52d_4004;
const POP: u32 = 0xe49d_4004;

#[test]
fn what_stays_on_the_stack_is_counted_and_saved_registers_are_not() {
    let add = contract("add 32");
    let left = |code: &[u32]| residue(&arm("arm7tdmi", code), &add);
    assert_eq!(left(&[SAVE, LOAD, RETURN]), Some(0));
    assert_eq!(left(&[SAVE, LOAD, PUSH, POP, RETURN]), Some(4));
    assert_eq!(left(&[SAVE, LOAD, PUSH, PUSH, POP, POP, RETURN]), Some(8));
    // mov r4, #0; str r4, [sp]; add sp, sp, #4
    assert_eq!(left(&[SAVE, LOAD, PUSH, 0xe3a0_4000, 0xe58d_4000, 0xe28d_d004, RETURN]), Some(0));
    // an address is no secret: str r1, [sp, #-4]!; add sp, sp, #4
    assert_eq!(left(&[SAVE, 0xe52d_1004, 0xe28d_d004, RETURN]), Some(0));
    // a byte of a word: sub sp, sp, #4; strb r4, [sp]; add sp, sp, #4
    assert_eq!(left(&[SAVE, LOAD, 0xe24d_d004, 0xe5cd_4000, 0xe28d_d004, RETURN]), Some(4));
    // on one side of a branch: subs r4, r4, #0; beq over the push and its pop
    assert_eq!(left(&[SAVE, LOAD, 0xe254_4000, 0x0a00_0001, PUSH, POP, RETURN]), Some(4));
    // a word that is no instruction
    assert_eq!(left(&[0xe7f0_00f0]), None);
}

/// addiu $sp, $sp, -8; lw $t0, 0($a1); sb $t0, 0($sp); addiu $sp, $sp, 8; jr $ra
#[test]
fn a_byte_on_the_stack_of_a_mips_counts() {
    let text = "f: addiu $sp, $sp, -8\n lw $t0, 0($a1)\n sb $t0, 0($sp)\n addiu $sp, $sp, 8\n jr $ra\n sw $t0, 0($a0)\n";
    let model = Arc::new(rhomb_mips::Model::of(rhomb_mips::cores::core("mips32-4km").unwrap()));
    let parsed = rhomb_mips::syntax::parse(&model, 0x400, text).unwrap();
    let program = Arc::new(rhomb_mips::Program::assemble(model, 0x400, &parsed.instructions).unwrap());
    let convention = &rhomb_mips::conventions::O32;
    let function =
        rhomb_mips::Function { program, entry: 0x400, convention, stack_limit: 64, step_limit: 100 };
    assert_eq!(residue(&function, &contract("modhalf 0xfffffffb")), Some(4));
}

#[test]
fn the_stack_of_an_avr_is_looked_at_byte_by_byte() {
    let add = contract("add 16");
    // movw r30, r22; ld r18, Z; push r18; pop r18; ret
    assert_eq!(residue(&avr(&[0x01fb, 0x8120, 0x932f, 0x912f, 0x9508]), &add), Some(1));
    // push r16; ld r16, Z; pop r16: the caller's
    assert_eq!(residue(&avr(&[0x01fb, 0x930f, 0x8100, 0x910f, 0x9508]), &add), Some(0));
}

fn of(code: &[u32], text: &str) -> Option<Cycles> {
    duration(&arm("arm7tdmi", code), &contract(text))
}

/// A multiplication takes up to three cycles more for a long factor, and one whose length is known takes its time.
#[test]
fn durations_are_the_ends_of_the_range() {
    // ldr r3, [r1]; ldr r2, [r2]; umull r1, r12, r3, r2; bx lr
    let load = [0xe591_3000, 0xe592_2000];
    let back = 0xe12f_ff1e;
    let times = |code: &[u32]| of(code, "add 32").map(|cycles| (cycles.min, cycles.max));
    assert_eq!(times(&[load[0], load[1], back]), Some((9, 9)));
    assert_eq!(times(&[load[0], load[1], 0xe08c_1293, back]), Some((12, 15)));
    // mov r2, #256; umull r1, r12, r3, r2
    assert_eq!(times(&[load[0], 0xe3a0_2c01, 0xe08c_1293, back]), Some((11, 11)));
    // orr r2, r2, #0x80000000; umull r1, r12, r3, r2
    assert_eq!(times(&[load[0], load[1], 0xe382_2102, 0xe08c_1293, back]), Some((16, 16)));
    // a signed one may be all ones at its top: smull r1, r12, r3, r2
    assert_eq!(times(&[load[0], load[1], 0xe382_2102, 0xe0cc_1293, back]), Some((13, 16)));
    // a condition that is secret: cmp r2, r3; addne r3, r3, r2 takes as long as one that is passed over
    assert_eq!(times(&[load[0], load[1], 0xe152_0003, 0x1083_3002, back]), Some((11, 11)));
    // a branch on a secret over two instructions: 3 taken, 1 + 2 not; over three, 1 + 3
    let branch = |distance: u32, over: usize| {
        let mut code = vec![load[0], load[1], 0xe152_0003, 0x0a00_0000 | distance];
        code.extend(vec![0xe1a0_3003; over]);
        code.push(back);
        code
    };
    assert_eq!(times(&branch(1, 2)), Some((13, 13)));
    assert_eq!(times(&branch(2, 3)), Some((13, 14)));
    assert_eq!(timing(&arm("arm7tdmi", &branch(1, 2)), &contract("add 32")), Timing::Balanced);
    assert!(matches!(timing(&arm("arm7tdmi", &branch(2, 3)), &contract("add 32")), Timing::Leaks { .. }));
    // by an address that is secret the way cannot be followed: bx r3
    assert_eq!(times(&[load[0], 0xe12f_ff13]), None);
}

/// On a core whose multiplications take one time, the range is a point.
#[test]
fn durations_of_fixed_multiplications() {
    let code = [0xe591_3000, 0xe592_2000, 0xe08c_1293, 0xe12f_ff1e];
    let cycles = duration(&arm("arm7tdmi-paper", &code), &contract("add 32")).unwrap();
    assert_eq!((cycles.min, cycles.max), (13, 13));
}

/// Sides of the same length, of which one leaves a load behind: the store after them waits for it, or not.
#[test]
fn what_is_waited_for_after_a_branch_counts() {
    let contract = contract("add 32");
    // ldr r1, [r1]; ldr r3, [r2]; cmp r1, #5; ldrhi r3, [r2]; (mov r12, r12); str r3, [r0]; mov r0, #0; bx lr
    let head = [0xe591_1000, 0xe592_3000, 0xe351_0005, 0x8592_3000];
    let tail = [0xe580_3000, 0xe3a0_0000, 0xe12f_ff1e];
    let at_once = arm("arm9ej-s", &[&head[..], &tail].concat());
    assert!(matches!(timing(&at_once, &contract), Timing::Leaks { cycles: None, .. }));
    let wait = Cycles { min: 1 + 1 + 1 + 1 + 1 + 1 + 3, max: 1 + 1 + 1 + 1 + 2 + 1 + 3 };
    assert_eq!(duration(&at_once, &contract), Some(wait));
    let later = arm("arm9ej-s", &[&head[..], &[0xe3a0_c000], &tail].concat());
    assert_eq!(timing(&later, &contract), Timing::Balanced);
    assert_eq!(duration(&later, &contract), Some(Cycles::exact(10)));
}

/// A product whose time depends on a factor, and that nobody waits for; one that the caller may have to wait for.
#[test]
fn what_nobody_waits_for_does_not_count() {
    let loads = " lw $8, 0($5)\n lw $9, 0($6)\n nop\n multu $8, $9\n";
    let waits = |wait: &str| timing(&mips(&format!("{loads}{wait}")), &contract("add 32"));
    assert_eq!(waits(" nop\n nop\n nop\n nop\n mflo $2\n nop\n jr $31\n nop\n"), Timing::Balanced);
    assert!(matches!(waits(" mflo $2\n nop\n jr $31\n nop\n"), Timing::Leaks { .. }));
    assert!(matches!(waits(" jr $31\n nop\n"), Timing::Balanced));
    let left = loads.replace(" multu $8, $9\n", " jr $31\n multu $8, $9\n");
    assert!(matches!(timing(&mips(&left), &contract("add 32")), Timing::Unshown { .. }));
}
