//! Functions that are called by their convention.

use rhomb_arm::conventions::AAPCS;
use rhomb_arm::cores::core;
use rhomb_arm::decode::decode;
use rhomb_arm::instructions::Instruction;
use rhomb_arm::{Function, Program};
use rhomb_machine::{Access, Buffer, Concrete, Fault, Finished, Mix, Routine, Stopped};
use std::sync::Arc;

fn function(core_name: &str, words: &[u32]) -> Function {
    let code: Vec<Instruction> = words.iter().map(|word| decode(*word).unwrap()).collect();
    let program = Program::assemble(core(core_name).unwrap(), 0, &code).unwrap();
    assert_eq!(rhomb_arm::words(program.words()), words);
    Function {
        program: Arc::new(program),
        entry: 0,
        convention: &AAPCS,
        stack_limit: 256,
        step_limit: 10_000,
    }
}

fn buffers(a: &[u32], b: &[u32]) -> Vec<Buffer<u32>> {
    let operand = |name, words: &[u32]| Buffer {
        name,
        length: words.len() as u32,
        content: Some(words.to_vec()),
        access: Access::Load,
        shares: None,
    };
    let length = (a.len() + b.len()) as u32;
    let r = Buffer { name: "r", length, content: None, access: Access::Store, shares: None };
    vec![r, operand("a", a), operand("b", b)]
}

fn call(words: &[u32], place: u32) -> Result<Finished<Concrete<u32>>, Stopped> {
    function("arm7tdmi", words).call_at(
        Concrete::new(),
        &buffers(&[0xffff_ffff, 2], &[7, 0x8000_0000]),
        place,
    )
}

/// Two words by two.
const MUL64: [u32; 18] = [
    0xe92d_4ff0, // stmfd sp!, {r4-r11, lr}
    0xe891_0018, // ldmia r1, {r3, r4}
    0xe892_0060, // ldmia r2, {r5, r6}
    0xe088_7593, // umull r7, r8, r3, r5
    0xe3a0_a000, // mov r10, #0
    0xe08b_9594, // umull r9, r11, r4, r5
    0xe098_8009, // adds r8, r8, r9
    0xe0ab_900a, // adc r9, r11, r10
    0xe08c_e693, // umull lr, r12, r3, r6
    0xe098_800e, // adds r8, r8, lr
    0xe0b9_900c, // adcs r9, r9, r12
    0xe0aa_a00a, // adc r10, r10, r10
    0xe0aa_9694, // umlal r9, r10, r4, r6
    0xe580_7000, // str r7, [r0]
    0xe5a0_8004, // str r8, [r0, #4]!
    0xe1a0_0000, // mov r0, r0
    0xe980_0600, // stmib r0, {r9, r10}
    0xe8bd_8ff0, // ldmfd sp!, {r4-r11, pc}
];

#[test]
fn a_product_of_two_words_by_two() {
    for place in 0..8 {
        let finished = call(&MUL64, place).unwrap();
        assert_eq!(finished.breaches, []);
        let product = 0x2_ffff_ffffu128 * 0x8000_0000_0000_0007;
        let words: Vec<Option<u32>> = (0..4).map(|word| Some((product >> (32 * word)) as u32)).collect();
        assert_eq!(finished.buffers[0], words);
        assert_eq!((finished.tally.instructions, finished.stack_bytes), (18, 36));
        // the frame is 10 and 13
        assert_eq!(finished.tally.cycles.without(23), finished.body_cycles);
        assert_eq!(finished.mix, Mix { load: 2, store: 3, multiply: 4, add: 5, other: 2 });
    }
}

#[test]
fn what_breaks_the_convention_is_told() {
    // mov r4, #0; bx lr
    let finished = call(&[0xe3a0_4000, 0xe12f_ff1e], 0).unwrap();
    assert_eq!(finished.breaches[0].text, "r4 is not what it was at the call");
    // stmfd sp!, {lr}; ldmfd sp!, {r3}; mov pc, r3
    assert!(call(&[0xe92d_4000, 0xe8bd_0008, 0xe1a0_f003], 0).is_ok());
    // stmfd sp!, {lr}; bx lr
    let stopped = call(&[0xe92d_4000, 0xe12f_ff1e], 0).unwrap_err();
    assert!(matches!(stopped.fault, Fault::BadReturn { .. }));
    // str lr, [sp, #-4]
    let stopped = call(&[0xe50d_e004], 0).unwrap_err();
    assert!(matches!(stopped.fault, Fault::BelowStack { .. }));
}
