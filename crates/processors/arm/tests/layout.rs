//! What is frame and what is body.

use rhomb_arm::decode::decode;
use rhomb_arm::instructions::Instruction;
use rhomb_arm::layout::{Layout, register_list};

fn layout(words: &[u32]) -> Layout {
    let code: Vec<Instruction> = words.iter().map(|word| decode(*word).unwrap()).collect();
    Layout::of(&code, 0x0ff0)
}

// stmfd sp!, {r4-r11, lr}; stmfd sp!, {r1}; mov r0, r0; ldmfd sp!, {r1}; ldmfd sp!, {r4-r11, pc}
const SAVE: u32 = 0xe92d_4ff0;
const PARK: u32 = 0xe92d_0002;
const BODY: u32 = 0xe1a0_0000;
const TAKE: u32 = 0xe8bd_0002;
const LEAVE: u32 = 0xe8bd_8ff0;
// ldmfd sp!, {r4-r11, lr}; bx lr; bxeq lr; str lr, [sp, #-4]!; ldr pc, [sp], #4
const RESTORE: u32 = 0xe8bd_4ff0;
const BX: u32 = 0xe12f_ff1e;
const BXEQ: u32 = 0x012f_ff1e;
const SAVE_LR: u32 = 0xe52d_e004;
const LEAVE_LR: u32 = 0xe49d_f004;

#[test]
fn parts() {
    let whole = layout(&[SAVE, BODY, BODY, LEAVE]);
    assert_eq!(whole, Layout { body: 1..3, saved: 0x4ff0, straight: true });
    assert_eq!(layout(&[SAVE, BODY, RESTORE, BX]).body, 1..2);
    // what waits on the stack is the body's
    assert_eq!(layout(&[SAVE, PARK, BODY, TAKE, LEAVE]).body, 1..4);
    assert_eq!(layout(&[SAVE_LR, BODY, LEAVE_LR]), Layout { body: 1..2, saved: 0x4000, straight: true });
    assert_eq!(layout(&[BODY, BX]), Layout { body: 0..1, saved: 0, straight: true });
    assert!(!layout(&[BODY, BXEQ, BODY, BX]).straight);
}

#[test]
fn register_lists() {
    assert_eq!(register_list(0x4ff0), "r4-r11 lr");
    assert_eq!(register_list(0x1003), "r0 r1 r12");
    assert_eq!(register_list(0), "none");
    assert_eq!(register_list(0xffff), "r0-r12 sp lr pc");
}
