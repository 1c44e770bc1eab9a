//! Times where they are easily miscounted: skips over long instructions, loops that end by an operand, returns under a
//! condition, results that are waited for across a branch. The bounds are reached, and other simulators agree.
#![cfg(feature = "oracles")]

use crate::programs::{arm, avr, mips};
use rhomb_certificate::Contract;
use rhomb_machine::{Concrete, Cycles, Limb, Routine, Surroundings};
use rhomb_oracles::{ArmJob, Armulator, Job, Run, SimAvr, Stop};
use rhomb_prove::{Timing, time};

/// Cycles of a call with these lowest words of the operands; others are 0.
fn cycles<W: Limb, R: Routine>(routine: &R, contract: &Contract, lowest: [W; 2]) -> Cycles {
    let bits = routine.word_bits();
    let pattern = &contract.patterns()[0];
    let mut operands: Vec<Vec<W>> =
        contract.operands(bits).iter().map(|count| vec![W::default(); *count as usize]).collect();
    for (operand, word) in operands.iter_mut().zip(lowest) {
        operand[0] = word;
    }
    let buffers = contract.buffers(bits, pattern, &pattern.fitting(&operands));
    let surroundings = Surroundings { filled: true, ..Surroundings::default() };
    let finished = routine.call_in(Concrete::<W>::new(), &buffers, surroundings);
    finished.unwrap_or_else(|stopped| panic!("{stopped}")).tally.cycles
}

/// The bounds of all calls are the least and the most of these, and differ by this, or there are none; `oracle` takes as
/// long for each.
fn check<W: Limb, R: Routine>(
    routine: &R,
    contract: &str,
    values: &[W],
    (code, spread): (&str, Option<u64>),
    oracle: &mut dyn FnMut([W; 2]) -> Option<u64>,
) {
    let contract: Contract = contract.parse().unwrap();
    let mut seen = Vec::new();
    for a in values {
        for b in values {
            let ours = cycles(routine, &contract, [*a, *b]);
            if let Some(theirs) = oracle([*a, *b]) {
                assert_eq!(ours, Cycles::exact(theirs), "{code}: {a:?} {b:?}");
            }
            seen.push(ours);
        }
    }
    let seen = seen.into_iter().reduce(Cycles::hull).unwrap();
    let found = time(routine, &contract);
    let constant = matches!(found.timing, Timing::Constant | Timing::Balanced);
    assert_eq!(found.bounds.map(|bounds| bounds.function), spread.map(|_| seen), "{code}");
    assert!(spread.is_none_or(|spread| seen.max - seen.min == spread), "{code}: {seen:?}");
    assert_eq!(constant, spread == Some(0), "{code}: {:?}", found.timing);
}

/// Lowest bytes of operands.
const BYTES: [u8; 8] = [0, 1, 2, 3, 4, 0x55, 0x80, 0xff];
/// r18 and r20 are the lowest bytes of the operands.
const AVR: &str = "movw r30, r22\n ld r18, Z\n movw r30, r20\n ld r20, Z\n";
/// The code, and by how many cycles calls differ.
const ON_AVR: [(&str, Option<u64>); 11] = [
    // a skipped instruction of two words takes a cycle more, and may be the last of a side
    ("sbrc r1, 0\n lds r19, 0x0100\n ret", Some(0)),
    ("sbrs r18, 0\n jmp l1\n nop\nl1: ret", Some(0)),
    ("sbrs r18, 0\n jmp l1\nl1: ret", Some(1)),
    ("cpse r1, r1\n sts 0x0100, r1\n ret", Some(0)),
    ("sbrs r18, 0\n ret\n ret", Some(1)),
    ("cpse r18, r20\n call l1\nl1: ret", Some(6)),
    // the branch back is taken once less than the loop runs
    ("andi r18, 3\nl1: subi r18, 1\n brcc l1\n clr r1\n ret", None),
    ("andi r18, 1\nl1: sbrc r18, 0\n rjmp l2\n ret\nl2: dec r18\n rjmp l1", None),
    // to the next instruction, and a join inside of a loop that runs three times
    ("and r18, r18\n breq l1\nl1: ret", Some(1)),
    ("ldi r19, 3\nl1: and r18, r18\n brne l2\n nop\n nop\nl2: dec r19\n brne l1\n ret", Some(3)),
    ("and r18, r18\n breq l1\n ret\nl1: rjmp l2\nl2: ret", Some(3)),
];

/// Lowest words of operands: all lengths of a factor, and both signs.
const WORDS: [u32; 8] = [0, 1, 2, 0xff, 0x100, 0xffff_ff00, 0x8000_0000, u32::MAX];
/// r3 and r12 are the lowest words of the operands.
const ARM: &str = "ldr r3, [r1]\n ldr r12, [r2]\n cmp r3, #1\n";
/// The code, and by how many cycles calls differ on ARM7TDMI, and on ARM9EJ-S.
const ON_ARM: [(&str, Option<u64>, Option<u64>); 9] = [
    ("bxeq lr\n bx lr", Some(1), Some(1)),
    ("beq l1\nl1: bx lr", Some(2), Some(2)),
    ("and r3, r3, #3\nl1: subs r3, r3, #1\n bpl l1\n bx lr", None, None),
    ("push {r4, lr}\n popeq {r4, pc}\n pop {r4, lr}\n bx lr", Some(2), Some(1)),
    ("mov r12, lr\n bleq l1\n mov lr, r12\n bx lr\nl1: bx lr", Some(5), Some(5)),
    ("moveq pc, lr\n mov pc, lr", Some(1), Some(1)),
    // a load on one side is waited for behind the join, on a core that waits; on the other it takes its time at once
    ("ldreq r12, [r2]\n add r12, r12, r3\n bx lr", Some(2), Some(1)),
    ("bne l1\n ldr r12, [r2]\n mov r0, r0\nl1: add r12, r12, r3\n bx lr", Some(2), Some(0)),
    (
        "mov r0, #2\nl1: cmp r3, #1\n ldreq r12, [r2]\n add r12, r12, r12\n subs r0, r0, #1\n bne l1\n bx lr",
        Some(4),
        Some(2),
    ),
];

/// $8 and $9 are the lowest words of the operands.
const MIPS: &str = "lw $8, 0($5)\n lw $9, 0($6)\n multu $0, $0\n mflo $10\n";
/// The code, and by how many cycles calls differ.
const ON_MIPS: [(&str, Option<u64>); 6] = [
    // a load on one side is waited for behind the join
    ("beq $8, $0, l1\n nop\n lw $9, 0($6)\nl1: addu $9, $9, $8\n jr $31\n nop", Some(2)),
    ("beq $8, $0, l1\n nop\n lw $9, 0($6)\n nop\nl1: addu $9, $9, $8\n jr $31\n nop", Some(2)),
    // in the delay slot it is there on both
    ("beq $8, $0, l1\n lw $9, 0($6)\nl1: addu $9, $9, $8\n jr $31\n nop", Some(0)),
    // a product behind the join, and one of the round before
    ("beq $8, $0, l1\n nop\n multu $8, $9\nl1: mflo $10\n jr $31\n nop", Some(2)),
    (
        "addiu $10, $0, 2\nl1: beq $8, $0, l2\n mflo $11\n multu $8, $9\nl2: addiu $10, $10, -1\n bne $10, $0, l1\n nop\n \
         jr $31\n nop",
        Some(2),
    ),
    ("andi $8, $8, 3\nl1: addiu $8, $8, -1\n bgez $8, l1\n nop\n jr $31\n nop", None),
];

#[test]
fn skips_loops_and_returns_on_avr() {
    let mut simavr = SimAvr::start("atmega128");
    for (code, spread) in ON_AVR {
        let routine = avr(&format!("{AVR}{code}"));
        let mut theirs = |[a, b]: [u8; 2]| {
            let mut registers = [0; 32];
            for (register, address) in [(24, 0x200u16), (22, 0x300), (20, 0x400)] {
                registers[register..register + 2].copy_from_slice(&address.to_le_bytes());
            }
            let outcome = simavr.run(&Job {
                origin: 0,
                words: routine.program.words().to_vec(),
                registers,
                sreg: 0,
                sp: 0x10ff,
                pc: 0,
                run: Run::Call { return_to: 0xff00, limit: 1000 },
                memory: vec![(0x300, vec![a, 0]), (0x400, vec![b, 0])],
                watch: Vec::new(),
            });
            assert_eq!(outcome.stop, Stop::Done, "{code}");
            Some(outcome.cycles)
        };
        check(&routine, "add 16", &BYTES, (code, spread), &mut theirs);
    }
}

#[test]
fn conditions_loops_and_waits_on_arm() {
    let mut armulator = Armulator::start();
    for (code, spread, later) in ON_ARM {
        let text = format!("{ARM}{code}");
        let routine = arm("arm7tdmi", &text);
        let mut theirs = |[a, b]: [u32; 2]| {
            let mut registers = [0; 15];
            (registers[0], registers[1], registers[2]) = (0x4000_0000, 0x4000_0100, 0x4000_0200);
            (registers[13], registers[14]) = (0x4000_1000, 0x1_f000);
            let (outcome, cycles) = armulator.run(&ArmJob {
                extension: Vec::new(),
                origin: 0x8000,
                code: rhomb_arm::words(routine.program.words()),
                registers,
                flags: 0,
                limit: 1000,
                return_to: 0x1_f000,
                memory: vec![
                    (0x4000_0100, vec![a, 0]),
                    (0x4000_0200, vec![b, 0]),
                    (0x4000_0f00, vec![0; 64]),
                ],
            });
            assert_eq!(outcome.stop, Stop::Done, "{code}");
            Some(cycles)
        };
        check(&routine, "add 64", &WORDS, (code, spread), &mut theirs);
        check(&arm("arm9ej-s", &text), "add 64", &WORDS, (code, later), &mut |_| None);
    }
}

/// No other simulator counts the cycles of these: the differences are by the manual.
#[test]
fn results_that_are_waited_for_on_mips() {
    for (code, spread) in ON_MIPS {
        let routine = mips(&format!("{MIPS}{code}"));
        check::<u32, _>(&routine, "add 32", &WORDS, (code, spread), &mut |_| None);
    }
}
