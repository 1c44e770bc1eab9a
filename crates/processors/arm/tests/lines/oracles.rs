//! The same on unicorn and the ARMulator.

use super::armulator_times::{Times, step};
use super::programs::{arguments, inversions, products};
use super::{Made, all};
use rhomb_arm::Machine;
use rhomb_arm::cores::core;
use rhomb_machine::{Access, Concrete, Control};
use rhomb_oracles::modular::{is_right, operands, words};
use rhomb_oracles::{ArmJob, Armulator, Stop, Unicorn};
use std::sync::Arc;

const RETURN: u32 = 0x1_e000;
/// Addresses of the result and the operands.
const PLACES: [u32; 4] = [0x4000_1000, 0x4000_4000, 0x4000_6000, 0x4000_8000];
const STACK: u32 = 0x4001_0000;
const GUARD: u32 = 0x5a5a_a5a5;

/// A call, with a guard word on either side of the result.
fn job(made: &Made, content: &[Vec<u32>]) -> ArmJob {
    let mut registers: [u32; 15] = std::array::from_fn(|number| 0x0101_0101 * number as u32);
    registers[..4].copy_from_slice(&PLACES);
    (registers[13], registers[14]) = (STACK, RETURN);
    let result = vec![GUARD; made.contract.result(32) as usize + 2];
    let operands = PLACES[1..].iter().copied().zip(content.iter().cloned());
    ArmJob {
        origin: made.function.entry,
        code: rhomb_arm::words(made.function.program.words()),
        registers,
        flags: 0,
        limit: 1 << 24,
        return_to: RETURN,
        memory: [(PLACES[0] - 4, result)].into_iter().chain(operands).collect(),
    }
}

/// What the call takes by our core, and what it must take on the ARMulator.
fn times(made: &Made, job: &ArmJob) -> Times {
    let mut machine = Machine::new(Arc::clone(&made.function.program), Concrete::new());
    for (number, value) in job.registers.into_iter().enumerate() {
        machine.set_register(number as u8, value);
    }
    let own = [(STACK - 0x1000, vec![0; 0x400])];
    for (address, words) in job.memory.iter().chain(&own) {
        let cell = address / 4;
        machine.memory.own("place", cell..cell + words.len() as u32, Access::Store).unwrap();
        machine.memory.fill(cell, words).unwrap();
    }
    machine.set_flags(job.flags);
    machine.enter(job.origin).unwrap();
    let mut times = Times::default();
    while step(&mut machine, &mut times).unwrap() != Control::Return {}
    times
}

#[test]
fn results_and_cycles_agree() {
    let core = core("arm7tdmi").unwrap();
    compare(all(core), 9);
    compare(inversions(core), 5);
    compare(products(core), 5);
    compare(arguments(core), 9);
}

/// So many calls of each.
fn compare(routines: Vec<Made>, calls: usize) {
    let (mut unicorn, mut armulator) = (Unicorn::start(), Armulator::start());
    for made in routines {
        let (name, contract) = (&made.name, &made.contract);
        let lists: Vec<_> = operands(contract, 32, 2).into_iter().take(calls).collect();
        let content = |operands: &Vec<num_bigint::BigUint>| -> Vec<Vec<u32>> {
            let counts = contract.operands(32);
            operands.iter().zip(counts).map(|(number, count)| words(number, count)).collect()
        };
        let jobs: Vec<ArmJob> = lists.iter().map(|operands| job(&made, &content(operands))).collect();
        for ((operands, job), outcome) in lists.iter().zip(&jobs).zip(unicorn.run(&jobs)) {
            assert_eq!(outcome.stop, Stop::Done, "{name}");
            let result = &outcome.memory[0];
            let last = result.len() - 1;
            assert_eq!([result[0], result[last]], [GUARD; 2], "{name}");
            assert!(is_right(contract, operands, &result[1..last]), "{name}: {operands:x?}");
            assert_eq!(outcome.memory[1..], content(operands), "{name}");
            assert_eq!(outcome.registers[4..12], job.registers[4..12], "{name}");
            assert_eq!(outcome.registers[13], STACK, "{name}");
            let (outcome, cycles) = armulator.run(job);
            assert_eq!(outcome.stop, Stop::Done, "{name}");
            assert_eq!(cycles, times(&made, job).theirs, "{name}: {operands:x?}");
        }
    }
}
