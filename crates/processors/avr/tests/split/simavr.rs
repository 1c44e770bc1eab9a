//! The same on libsimavr.

use super::{OPERATIONS, make, operands, product, task};
use rhomb_avr::cores::core;
use rhomb_kernel::Operation;
use rhomb_machine::{Access, Buffer, Concrete, Routine};
use rhomb_oracles::{Job, Random, Run, SimAvr, Stop};

#[test]
fn splits_agree_with_libsimavr() {
    let core = core("atmega128").unwrap();
    let mut simavr = SimAvr::start(core.mmcu);
    let caller = core.flash_bytes / 2 - 1;
    let (start, end) = (core.sram.start, core.sram.end);
    let mut random = Random::new(7);
    let sizes = (2..=40).flat_map(|words| (1..=3).map(move |levels| (words, levels)));
    let sizes = sizes.chain([(48, 3), (64, 3), (96, 3), (96, 4), (128, 3), (128, 4)]);
    for (operation, (words, levels)) in sizes.flat_map(|size| OPERATIONS.map(|operation| (operation, size))) {
        let what = format!("{} of {words} words, {levels} levels", operation.name());
        let function = make(&task(operation, words, levels), core).unwrap();
        let square = operation == Operation::Sqr;
        for [a, b] in operands(words, 4).into_iter().rev().take(5) {
            let b = if square { a.clone() } else { b };
            let buffer = |name, length: usize, content, access| Buffer {
                name,
                length: length as u32,
                content,
                access,
                shares: None,
            };
            let mut buffers = vec![
                buffer("r", 2 * words, None, Access::Store),
                buffer("a", words, Some(a.clone()), Access::Load),
                buffer("b", words, Some(b.clone()), Access::Load),
            ];
            buffers.truncate(if square { 2 } else { 3 });
            let ours = function.call(Concrete::<u8>::new(), &buffers).expect("it returns");
            let [a_at, b_at, r_at] = [16, 32 + words as u32, 48 + 2 * words as u32].map(|at| start + at);
            let sp = end - 1;
            let mut registers: [u8; 32] = std::array::from_fn(|_| random.byte());
            registers[1] = 0;
            for (low, at) in function.convention.arguments.into_iter().zip([r_at, a_at, b_at]) {
                registers[usize::from(low)..][..2].copy_from_slice(&(at as u16).to_le_bytes());
            }
            let mut memory: Vec<u8> = core.sram.clone().map(|_| random.byte()).collect();
            for (at, bytes) in [(a_at, &a), (b_at, &b)] {
                memory[(at - start) as usize..][..words].copy_from_slice(bytes);
            }
            let job = Job {
                origin: function.program.origin(),
                words: function.program.words().to_vec(),
                registers,
                sreg: random.byte() & 0x7f,
                sp: sp as u16,
                pc: function.entry,
                run: Run::Call { return_to: caller, limit: 1 << 24 },
                watch: vec![(start as u16, memory.len() as u16)],
                memory: vec![(start as u16, memory)],
            };
            let outcome = simavr.run(&job);
            assert!(outcome.stop == Stop::Done && outcome.pc == caller, "{what}");
            assert_eq!(u32::from(outcome.sp), sp, "{what}");
            let tally = ours.tally;
            assert_eq!(
                (outcome.instructions, outcome.cycles),
                (tally.instructions, tally.cycles.max),
                "{what}"
            );
            let after = &outcome.memory[0];
            let result = r_at..r_at + 2 * words as u32;
            let found = &after[(result.start - start) as usize..(result.end - start) as usize];
            assert_eq!(found, product(&a, &b), "{what}: {a:x?} {b:x?}");
            let stack = end - core.return_bytes - ours.stack_bytes..end;
            let stored = core.sram.clone().find(|at| {
                let index = (at - start) as usize;
                !stack.contains(at) && !result.contains(at) && after[index] != job.memory[0].1[index]
            });
            assert_eq!(stored, None, "{what}");
            let kept = function.convention.saved | 2;
            for number in (0..32).filter(|number| kept & 1 << number != 0) {
                assert_eq!(outcome.registers[number], job.registers[number], "r{number} {what}");
            }
        }
    }
}
