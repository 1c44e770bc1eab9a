//! The same on libsimavr.

use super::programs::{arguments, inversions, products};
use super::{Made, all};
use rhomb_avr::cores::{Core, core};
use rhomb_machine::{Concrete, Routine};
use rhomb_oracles::modular::{is_right, operands, words};
use rhomb_oracles::{Job, Random, Run, SimAvr, Stop, sample};

#[test]
fn results_and_cycles_agree_with_libsimavr() {
    let core = core("atmega128").unwrap();
    compare(core, all(core), sample(5, 12));
    compare(core, inversions(core), 5);
    compare(core, products(core), 5);
    compare(core, arguments(core), 12);
}

#[test]
fn results_and_cycles_without_a_multiplier_agree_with_libsimavr() {
    let core = core("attiny85").unwrap();
    compare(core, all(core), 5);
}

/// So many calls of each.
fn compare(core: &'static Core, routines: Vec<Made>, calls: usize) {
    let mut simavr = SimAvr::start(core.mmcu);
    let caller = core.flash_bytes / 2 - 1;
    let (start, end) = (core.sram.start, core.sram.end);
    let mut random = Random::new(11);
    for made in routines {
        let (name, contract, function) = (&made.name, &made.contract, &made.function);
        let result = contract.result(8);
        for operands in operands(contract, 8, 2).into_iter().take(calls) {
            let content: Vec<Vec<u8>> = operands
                .iter()
                .zip(contract.operands(8))
                .map(|(number, count)| words(number, count))
                .collect();
            let buffers = contract.buffers(8, &contract.patterns()[0], &content);
            let ours = function.call(Concrete::<u8>::new(), &buffers).expect("it returns");
            let mut registers: [u8; 32] = std::array::from_fn(|_| random.byte());
            registers[1] = 0;
            let mut memory: Vec<u8> = core.sram.clone().map(|_| random.byte()).collect();
            // with bytes between that must stay
            let mut at = start + 16;
            let mut places = Vec::new();
            for operand in [None].into_iter().chain(content.iter().map(Some)) {
                places.push(at);
                let length = operand.map_or(result, |operand| operand.len() as u32);
                if let Some(operand) = operand {
                    memory[(at - start) as usize..][..operand.len()].copy_from_slice(operand);
                }
                at += length + 16;
            }
            for (low, place) in function.convention.pointers().zip(&places) {
                registers[usize::from(low)..][..2].copy_from_slice(&(*place as u16).to_le_bytes());
            }
            let job = Job {
                origin: function.program.origin(),
                words: function.program.words().to_vec(),
                registers,
                sreg: random.byte() & 0x7f,
                sp: (end - 1) as u16,
                pc: function.entry,
                run: Run::Call { return_to: caller, limit: 1 << 24 },
                watch: vec![(start as u16, memory.len() as u16)],
                memory: vec![(start as u16, memory)],
            };
            let outcome = simavr.run(&job);
            assert!(outcome.stop == Stop::Done && outcome.pc == caller, "{name}");
            assert_eq!(u32::from(outcome.sp), end - 1, "{name}");
            let tally = ours.tally;
            let found = (outcome.instructions, outcome.cycles);
            assert_eq!(found, (tally.instructions, tally.cycles.max), "{name}");
            let after = &outcome.memory[0];
            let place = places[0]..places[0] + result;
            let found = &after[(place.start - start) as usize..(place.end - start) as usize];
            assert!(is_right(contract, &operands, found), "{name}: {operands:x?}");
            let stack = end - core.return_bytes - ours.stack_bytes..end;
            let stored = core.sram.clone().find(|at| {
                let index = (at - start) as usize;
                !stack.contains(at) && !place.contains(at) && after[index] != job.memory[0].1[index]
            });
            assert_eq!(stored, None, "{name}");
            let kept = function.convention.saved | 2;
            for number in (0..32).filter(|number| kept & 1 << number != 0) {
                assert_eq!(outcome.registers[number], job.registers[number], "r{number} {name}");
            }
        }
    }
}
