//! The same on unicorn, and on the ARMulator or rp2040js.

use super::programs::{arguments, inversions, inversions_of_halves, power, products};
use super::{Made, OF_HALVES, all, by_products, in_one};
use crate::support::times::{Times, step};
use num_bigint::BigUint;
use rhomb_arm::Machine;
use rhomb_arm::cores::core;
use rhomb_arm::instructions::SP;
use rhomb_machine::{Access, Concrete, Control, Random};
use rhomb_oracles::modular::{is_right, operands, words};
use rhomb_oracles::{ArmJob, ArmOutcome, Armulator, Rp2040js, Stop, Unicorn, sample};
use std::sync::Arc;

const RETURN: u32 = 0x1_e000;
/// Addresses of the result and the operands, of which the data begin there.
const PLACES: [u32; 4] = [0x1000, 0x4000, 0x6000, 0x8000];
const DATA: u32 = 0x4000_0000;
const TOP: u32 = 0x1_0000;
const GUARD: u32 = 0x5a5a_a5a5;

/// A call, with a guard word on either side of the result.
fn job(made: &Made, content: &[Vec<u32>]) -> ArmJob {
    let core = made.function.program.core();
    let (data, link) = if core.thumb.is_some() { (core.ram.start, RETURN | 1) } else { (DATA, RETURN) };
    let mut registers: [u32; 15] = std::array::from_fn(|number| 0x0101_0101 * number as u32);
    let places = PLACES.map(|place| data + place);
    registers[..4].copy_from_slice(&places);
    (registers[13], registers[14]) = (data + TOP, link);
    let result = vec![GUARD; made.contract.result(32) as usize + 2];
    let operands = places[1..].iter().copied().zip(content.iter().cloned());
    let mut halves = made.function.program.words().to_vec();
    halves.resize(halves.len().next_multiple_of(2), 0);
    ArmJob {
        extension: if core.has_extension() { (0..32).collect() } else { Vec::new() },
        origin: made.function.entry,
        code: rhomb_arm::words(&halves),
        registers,
        flags: 0,
        limit: 1 << 24,
        return_to: RETURN,
        memory: [(places[0] - 4, result)].into_iter().chain(operands).collect(),
    }
}

/// What the call takes by our core, and what it must take on the other simulator.
fn times(made: &Made, job: &ArmJob) -> Times {
    let mut machine = Machine::new(Arc::clone(&made.function.program), Concrete::new());
    for (number, value) in job.registers.into_iter().enumerate() {
        machine.set_register(number as u8, value);
    }
    let own = [(job.registers[usize::from(SP)] - 0x1000, vec![0; 0x400])];
    for (address, words) in job.memory.iter().chain(&own) {
        let cell = address / 4;
        machine.memory.own("place", cell..cell + words.len() as u32, Access::Store).unwrap();
        machine.memory.fill(cell, words).unwrap();
    }
    machine.set_flags(job.flags);
    rhomb_machine::Machine::call(&mut machine, job.origin).unwrap();
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

#[test]
fn results_of_halves_agree() {
    for (model, _, all) in OF_HALVES.iter() {
        let mut unicorn = Unicorn::of_model(model);
        for made in all {
            results(|jobs| unicorn.run(jobs), made, 9);
        }
    }
}

#[test]
fn results_and_cycles_of_cortex_m0plus_agree() {
    let (mut unicorn, mut rp2040js) = (Unicorn::of_model("M0"), Rp2040js::start());
    let called = inversions_of_halves();
    for made in &called {
        results(|jobs| unicorn.run(jobs), made, sample(1, 3));
    }
    let (.., lines) = &OF_HALVES[0];
    let all =
        lines.iter().map(|made| (made, sample(2, 9))).chain(called.iter().map(|made| (made, sample(1, 3))));
    for (made, calls) in all {
        let mut taken = Vec::new();
        let timed = |jobs: &[ArmJob]| {
            let (outcomes, cycles) = rp2040js.run(jobs);
            taken = cycles;
            outcomes
        };
        for ((operands, job), cycles) in results(timed, made, calls).iter().zip(taken) {
            assert_eq!(cycles, times(made, job).theirs, "{}: {operands:x?}", made.name);
        }
    }
}

/// Exponentiations keep more pointers and counters than short codes count in, and go back further than a condition reaches.
#[test]
fn exponentiations_of_halves_agree() {
    let three = core("cortex-m3").unwrap().constant.unwrap();
    for (turn, (model, core)) in [("M0", core("cortex-m0").unwrap()), ("M3", three)].into_iter().enumerate() {
        let mut unicorn = Unicorn::of_model(model);
        for (count, block) in
            [(2, None), (4, Some(2))].into_iter().skip(turn % sample(2, 1)).take(sample(1, 2))
        {
            let made = power(count, block, core);
            let mut random = Random::new(count as u64);
            let content = |random: &mut Random| {
                let mut all = [(); 3].map(|()| random.extreme_words(count));
                (all[2][0], all[2][count - 1]) = (all[2][0] | 1, all[2][count - 1] | 1 << 31);
                all.to_vec()
            };
            let contents: Vec<Vec<Vec<u32>>> = (0..5).map(|_| content(&mut random)).collect();
            let jobs: Vec<ArmJob> = contents.iter().map(|own| job(&made, own)).collect();
            for ((content, job), outcome) in contents.iter().zip(&jobs).zip(unicorn.run(&jobs)) {
                assert_eq!(outcome.stop, Stop::Done, "{}", made.name);
                let [base, exponent, modulus] = [0, 1, 2].map(|at| BigUint::new(content[at].clone()));
                let mut right = words::<u32>(&base.modpow(&exponent, &modulus), count as u32);
                right.insert(0, GUARD);
                right.push(GUARD);
                assert_eq!(outcome.memory[0], right, "{}: {content:x?}", made.name);
                assert_eq!(outcome.registers[4..12], job.registers[4..12], "{}", made.name);
                assert_eq!(outcome.registers[13], job.registers[13], "{}", made.name);
            }
        }
    }
}

#[test]
fn results_in_one_agree() {
    let mut unicorn = Unicorn::of_model("M4");
    for name in ["cortex-m4", "cortex-m4f"] {
        let core = core(name).unwrap();
        for made in in_one(core).into_iter().chain(by_products(core)) {
            results(|jobs| unicorn.run(jobs), &made, 40);
        }
    }
}

/// Results, kept registers and the words around the result of so many calls, which are given back with their operands.
fn results(
    run: impl FnOnce(&[ArmJob]) -> Vec<ArmOutcome>,
    made: &Made,
    calls: usize,
) -> Vec<(Vec<BigUint>, ArmJob)> {
    let (name, contract) = (&made.name, &made.contract);
    let lists: Vec<_> = operands(contract, 32, 2).into_iter().take(calls).collect();
    let content = |operands: &Vec<BigUint>| -> Vec<Vec<u32>> {
        let counts = contract.operands(32);
        operands.iter().zip(counts).map(|(number, count)| words(number, count)).collect()
    };
    let jobs: Vec<ArmJob> = lists.iter().map(|operands| job(made, &content(operands))).collect();
    for ((operands, job), outcome) in lists.iter().zip(&jobs).zip(run(&jobs)) {
        assert_eq!(outcome.stop, Stop::Done, "{name}");
        let result = &outcome.memory[0];
        let last = result.len() - 1;
        assert_eq!([result[0], result[last]], [GUARD; 2], "{name}");
        assert!(is_right(contract, operands, &result[1..last]), "{name}: {operands:x?}");
        assert_eq!(outcome.memory[1..], content(operands), "{name}");
        assert_eq!(outcome.registers[4..12], job.registers[4..12], "{name}");
        assert_eq!(outcome.registers[13], job.registers[13], "{name}");
        let kept = |extension: &[u32]| extension.get(16..).map(<[u32]>::to_vec);
        assert_eq!(kept(&outcome.extension), kept(&job.extension), "{name}");
    }
    lists.into_iter().zip(jobs).collect()
}

/// So many calls of each.
fn compare(routines: Vec<Made>, calls: usize) {
    let (mut unicorn, mut armulator) = (Unicorn::start(), Armulator::start());
    for made in routines {
        let name = &made.name;
        for (operands, job) in &results(|jobs| unicorn.run(jobs), &made, calls) {
            let (outcome, cycles) = armulator.run(job);
            assert_eq!(outcome.stop, Stop::Done, "{name}");
            assert_eq!(cycles, times(&made, job).theirs, "{name}: {operands:x?}");
        }
    }
}
