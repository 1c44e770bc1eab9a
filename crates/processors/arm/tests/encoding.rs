//! Decoder and encoder: each is the other's inverse, and both refuse what ARMv4T does not define.

use proptest::prelude::*;
use rhomb_arm::decode::{DecodeError, decode, decode_for};
use rhomb_arm::encode::{EncodeError, encode};
use rhomb_arm::instructions::{Action, Condition, DataOp, Instruction, Shifter};
use rhomb_arm::unpredictable::Unpredictable;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn instructions_survive_the_round_trip(instruction in crate::support::instruction()) {
        match encode(&instruction) {
            Ok(word) => prop_assert_eq!(decode(word), Ok(instruction)),
            Err(EncodeError::Unpredictable(_)) => {}
            Err(error) => prop_assert!(false, "{instruction:?}: {error}"),
        }
    }
}

/// All patterns of the upper twelve bits and bits 4 to 7, which tell the instructions apart, over samples of
/// the rest.
#[test]
fn words_survive_the_round_trip() {
    let samples = [0x0000_0000u32, 0x000f_ff0f, 0x000d_1203, 0x0001_0f02, 0x000f_f001, 0x000f_0000];
    let mut known = 0u32;
    let mut seed = 1u64;
    for upper in 0..1u32 << 12 {
        for middle in 0..16 {
            for sample in 0..16 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let rest = samples.get(sample).copied().unwrap_or((seed >> 32) as u32 & 0x000f_ff0f);
                let word = upper << 20 | middle << 4 | rest;
                if let Ok(instruction) = decode(word) {
                    assert_eq!(encode(&instruction), Ok(word), "{word:#010x}");
                    assert_eq!(u32::from(instruction.condition.bits()), word >> 28);
                    known += 1;
                } else {
                    assert!(decode(word).unwrap_err().to_string().contains(&format!("{word:#010x}")));
                }
            }
        }
    }
    println!("{known} words are instructions");
    assert!(known > 500_000);
}

#[test]
fn words_of_known_instructions() {
    let data = |op, set, rd, rn, operand| Instruction::from(Action::Data { op, set, rd, rn, operand });
    let cases = [
        // mov r0, r0
        (0xe1a0_0000, data(DataOp::Mov, false, 0, 0, Shifter::plain(0))),
        // adds r3, r4, #0xff0
        (0xe294_3eff, data(DataOp::Add, true, 3, 4, Shifter::Immediate { value: 0xff, rotation: 14 })),
        // umlalne r5, r6, r7, r8
        (
            0x10a6_5897,
            Instruction {
                condition: Condition::Ne,
                action: Action::LongMultiply {
                    signed: false,
                    accumulate: true,
                    set: false,
                    low: 5,
                    high: 6,
                    rm: 7,
                    rs: 8,
                },
            },
        ),
        (0xe12f_ff1e, Action::BranchExchange { rm: 14 }.into()),
        // to itself
        (0xeaff_fffe, Action::Branch { link: false, distance: 0 }.into()),
    ];
    for (word, instruction) in cases {
        assert_eq!((decode(word), encode(&instruction)), (Ok(instruction), Ok(word)));
    }
}

#[test]
fn what_version_4t_lacks_is_refused() {
    let undefined = [
        // clz r0, r1; blx r0; bkpt #0; qadd r0, r1, r2; smlabb r0, r1, r2, r3
        0xe16f_0f11,
        0xe12f_ff30,
        0xe120_0070,
        0xe102_0051,
        0xe100_3281,
        // ldrd r0, [r2]; strex r0, r1, [r2]; umaal r0, r1, r2, r3; mls r0, r1, r2, r3
        0xe1c2_00d0,
        0xe182_0f91,
        0xe041_0392,
        0xe060_3291,
        // movw r0, #0; movt r0, #0; nop (a hint); udf #0; rev r0, r1; mcrr p0, 0, r0, r1, c0
        0xe300_0000,
        0xe340_0000,
        0xe7f0_00f0,
        0xe6bf_0f31,
        0xec41_0000,
    ];
    for word in undefined {
        assert_eq!(decode(word), Err(DecodeError::Undefined(word)), "{word:#010x}");
    }
    assert_eq!(decode(0xfa00_0000), Err(DecodeError::Never(0xfa00_0000)));
    // nop as a hint: MSR in no field
    let rule = Unpredictable::NoFields;
    assert_eq!(decode(0xe320_f000), Err(DecodeError::Unpredictable { word: 0xe320_f000, rule }));
    // mul r1, r2, r3 with a field that should be zero
    assert_eq!(decode(0xe001_5392), Err(DecodeError::ShouldBe { word: 0xe001_5392, bits: 0x5000 }));
    assert_eq!(decode(0xe12f_ef1e), Err(DecodeError::ShouldBe { word: 0xe12f_ef1e, bits: 0x1000 }));
}

/// The words that binutils 2.40 makes of these with `-march=armv6`.
#[test]
fn umaal_is_there_where_the_core_has_it() {
    let action = |low, high, rm, rs| Action::DoubleAccumulate { low, high, rm, rs };
    // umaal r0, r1, r2, r3; umaalne r5, r6, r7, r8; umaal lr, r12, r12, lr
    let cases = [
        (0xe041_0392, action(0, 1, 2, 3).into()),
        (0x1046_5897, Instruction { condition: Condition::Ne, action: action(5, 6, 7, 8) }),
        (0xe04c_ee9c, action(14, 12, 12, 14).into()),
    ];
    for (word, instruction) in cases {
        assert_eq!((decode_for(word, true), encode(&instruction)), (Ok(instruction), Ok(word)));
        assert_eq!(decode(word), Err(DecodeError::Undefined(word)));
    }
    // with the bit that would set flags
    assert_eq!(decode_for(0xe051_0392, true), Err(DecodeError::Undefined(0xe051_0392)));
    for (action, rule) in [
        (action(1, 1, 2, 3), Unpredictable::LongSame),
        (action(1, 15, 2, 3), Unpredictable::MultiplyPc),
        (action(1, 2, 3, 15), Unpredictable::MultiplyPc),
    ] {
        assert_eq!(encode(&action.into()), Err(EncodeError::Unpredictable(rule)));
    }
}

/// One word for each rule, and its neighbour that keeps it.
#[test]
fn unpredictable_words_name_their_rule() {
    use Unpredictable::*;
    let cases = [
        // mov r0, r1, lsl pc
        (0xe1a0_0f11, ShiftWithPc, 0xe1a0_0e11),
        // mul pc, r1, r2
        (0xe00f_0291, MultiplyPc, 0xe00e_0291),
        // mul r1, r1, r2
        (0xe001_0291, MultiplyOverlap, 0xe001_0192),
        // umull r3, r3, r1, r2; umull r3, r4, r3, r2
        (0xe083_3291, LongSame, 0xe084_3291),
        (0xe084_3293, LongOverlap, 0xe084_3392),
        // ldrb pc, [r1]; ldrh pc, [r1]; ldrt pc, [r1]
        (0xe5d1_f000, NarrowPc, 0xe591_f000),
        (0xe1d1_f0b0, NarrowPc, 0xe1d1_e0b0),
        (0xe4b1_f000, UserPc, 0xe491_f000),
        // ldr pc, [pc, #2]
        (0xe59f_f002, UnalignedPc, 0xe59f_f004),
        (0xe51f_f003, UnalignedPc, 0xe50f_f003),
        // ldr r0, [pc, #4]!; ldr r1, [r1], #4; str r1, [r1, #4]!
        (0xe5bf_0004, PcWriteBack, 0xe59f_0004),
        (0xe491_1004, BaseTransferred, 0xe591_1004),
        (0xe5a1_1004, BaseTransferred, 0xe581_1004),
        // ldr r0, [r1, pc]; ldr r0, [r1, r1]!; strh r0, [r1], r1
        (0xe791_000f, PcOffset, 0xe791_0000),
        (0xe7b1_0001, OffsetIsBase, 0xe791_0001),
        (0xe081_00b1, OffsetIsBase, 0xe181_00b1),
        // P clear and W set
        (0xe0f1_00b4, NarrowAsUser, 0xe0d1_00b4),
        // ldmia r0!, {}; ldmia pc, {r0}; ldmia r0!, {r0, r1}; stmia r1!, {r0, r1}
        (0xe8b0_0000, NoRegisters, 0xe8b0_0002),
        (0xe89f_0001, BlockPcBase, 0xe89e_0001),
        (0xe8b0_0003, BaseInList, 0xe890_0003),
        (0xe8a1_0003, BaseInList, 0xe8a0_0003),
        // ldmia r0!, {r1}^, ldmia r0!, {r1, pc}^
        (0xe8f0_0002, UserWriteBack, 0xe8f0_8002),
        // swp pc, r1, [r2]; swp r2, r1, [r2]
        (0xe102_f091, SwapPc, 0xe102_0091),
        (0xe102_2091, SwapBase, 0xe102_1091),
        // mrs pc, cpsr; msr cpsr_f, pc; msr cpsr_, r0
        (0xe10f_f000, StatusPc, 0xe10f_0000),
        (0xe128_f00f, StatusPc, 0xe128_f000),
        (0xe120_f000, NoFields, 0xe121_f000),
        // ldc p0, c0, [pc], #4
        (0xecbf_0001, CoprocessorPc, 0xed9f_0001),
    ];
    for (word, rule, neighbour) in cases {
        assert_eq!(decode(word), Err(DecodeError::Unpredictable { word, rule }), "{word:#010x}");
        assert!(decode(neighbour).is_ok(), "{neighbour:#010x}: {:?}", decode(neighbour));
    }
}

#[test]
fn fields_out_of_range_are_refused() {
    let mov =
        |operand| Instruction::from(Action::Data { op: DataOp::Mov, set: false, rd: 0, rn: 0, operand });
    let message = |instruction: Instruction| encode(&instruction).unwrap_err().to_string();
    assert_eq!(message(mov(Shifter::plain(16))), "register 16 is out of range; valid: 0 to 15");
    let rotated = mov(Shifter::Immediate { value: 1, rotation: 16 });
    assert_eq!(message(rotated), "rotation 16 is out of range; valid: 0 to 15");
    for (distance, expected) in [
        (6, "there is no instruction for a branch by a distance that is no multiple of 4"),
        (0x200_0008, "branch distance 33554440 is out of range; valid: -33554424 to 33554436"),
        (-0x200_0000, "branch distance -33554432 is out of range; valid: -33554424 to 33554436"),
    ] {
        assert_eq!(message(Action::Branch { link: false, distance }.into()), expected);
    }
    for distance in [0x200_0004, -0x1ff_fff8] {
        let branch = Instruction::from(Action::Branch { link: true, distance });
        assert_eq!(decode(encode(&branch).unwrap()), Ok(branch));
    }
    let move_of = Action::Data { op: DataOp::Mov, set: false, rd: 0, rn: 1, operand: Shifter::plain(0) };
    assert_eq!(message(move_of.into()), "there is no instruction for a move with a first operand");
    let foreign = Instruction { condition: Condition::Ne, action: Action::Coprocessor { word: 0xee00_0000 } };
    assert!(message(foreign).contains("another condition"));
    assert!(message(Action::Coprocessor { word: 0xe1a0_0000 }.into()).contains("outside"));
}

#[test]
fn numbers_take_the_least_rotation() {
    let form = |number| match Shifter::number(number) {
        Some(Shifter::Immediate { value, rotation }) => Some((value, rotation)),
        _ => None,
    };
    assert_eq!(form(0), Some((0, 0)));
    assert_eq!(form(255), Some((255, 0)));
    assert_eq!(form(0x104), Some((0x41, 15)));
    assert_eq!(form(0xf000_000f), Some((0xff, 2)));
    assert_eq!(form(0x3_fc00), Some((0xff, 11)));
    assert_eq!(form(0x8000_0000), Some((2, 1)));
    assert_eq!((form(0x101), form(0x1fe00), form(0xffff_ffff)), (None, None, None));
}
