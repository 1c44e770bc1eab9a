//! Additions, subtractions and multiplications without MUL on libsimavr.

use crate::matrix::tasks::{Call, Made, list};
use rhomb_avr::cores::core;
use rhomb_oracles::parallel;
use rhomb_oracles::{Job, Random, Run, SimAvr, Stop};

/// The same call; all memory that is no operand is random.
fn job(made: &Made, call: &Call, caller: u32) -> Job {
    let sram = made.program.core().sram.clone();
    let mut random = Random::new(u64::from(call.at[0]));
    let mut bytes: Vec<u8> = sram.clone().map(|_| random.byte()).collect();
    for (at, operand) in call.at[1..].iter().zip(&call.operands) {
        bytes[(at - sram.start) as usize..][..operand.len()].copy_from_slice(operand);
    }
    Job {
        origin: made.program.origin(),
        words: made.program.words().to_vec(),
        registers: call.registers,
        // no interrupts
        sreg: random.byte() & 0x7f,
        sp: call.sp,
        pc: made.program.origin(),
        run: Run::Call { return_to: caller, limit: 1 << 24 },
        watch: vec![(sram.start as u16, bytes.len() as u16)],
        memory: vec![(sram.start as u16, bytes)],
    }
}

#[test]
fn additions_subtractions_and_strips_up_to_40_words_agree_with_libsimavr() {
    let core = core("attiny85").unwrap();
    let caller = core.flash_bytes / 2 - 1;
    let start = || SimAvr::start(core.mmcu);
    parallel::each_with(&list(), start, |simavr, wanted| {
        let made = wanted.make(core);
        for call in &wanted.calls(core, 2) {
            let tally = made.call(call);
            let job = job(&made, call, caller);
            let outcome = simavr.run(&job);
            assert!(
                outcome.stop == Stop::Done && outcome.sp == call.sp && outcome.pc == caller,
                "{wanted:?}"
            );
            assert_eq!(
                (outcome.instructions, outcome.cycles),
                (tally.instructions, tally.cycles.max),
                "{wanted:?}"
            );
            let (expected, carry) = wanted.expected(&call.operands);
            let at = |address: u32| (address - core.sram.start) as usize;
            let after = &outcome.memory[0];
            assert_eq!(after[at(call.at[0])..][..expected.len()], expected, "{wanted:?}");
            if let Some(carry) = carry {
                assert_eq!(outcome.registers[usize::from(wanted.convention.returned)], carry, "{wanted:?}");
            }
            let kept = wanted.convention.saved | wanted.convention.zero.map_or(0, |zero| 1 << zero);
            for number in (0..32).filter(|number| kept & 1 << number != 0) {
                assert_eq!(outcome.registers[number], call.registers[number], "r{number} {wanted:?}");
            }
            let stack = u32::from(call.sp) + 1 - core.return_bytes - made.stack..u32::from(call.sp) + 1;
            let result = call.at[0]..call.at[0] + expected.len() as u32;
            let stored = core.sram.clone().find(|address| {
                let other = !stack.contains(address) && !result.contains(address);
                other && after[at(*address)] != job.memory[0].1[at(*address)]
            });
            assert_eq!(stored, None, "{wanted:?}");
        }
    });
}
