//! Against unicorn 2.1.4, whose ARMv4T model is QEMU's TI925T.
//!
//! Not compared, because the architecture leaves it open and the two differ: C after MULS and MLAS, C and V after
//! the long forms that set flags (DDI 0100, A4.1: UNPREDICTABLE on ARMv4; QEMU keeps them); and the bits of the
//! status register below the flags, which are the caller's.

use crate::evidence::cases::{comparable, executed, machine, ours, outcome, routine};
use crate::evidence::forms::forms;
use rhomb_machine::run;
use rhomb_oracles::{ArmJob, Random, Unicorn};

/// States of each form.
const STATES: usize = 40;
/// Routines.
const ROUTINES: usize = 300;

#[test]
fn every_form_of_every_instruction() {
    let mut random = Random::new(1);
    let mut unicorn = Unicorn::start();
    let (mut count, mut refused) = (0, 0);
    let mut differences = Vec::new();
    for forms in forms().chunks(40) {
        let mut cases = Vec::new();
        for form in forms {
            for _ in 0..STATES {
                let (instruction, job, ours) = executed(*form, &mut random, &mut refused, ours);
                cases.push((instruction, job, ours));
            }
        }
        let jobs: Vec<ArmJob> = cases.iter().map(|case| case.1.clone()).collect();
        for ((instruction, job, (mut ours, defined)), mut theirs) in cases.into_iter().zip(unicorn.run(&jobs))
        {
            count += 1;
            comparable(&instruction, (&mut ours, &mut theirs), defined);
            if ours != theirs {
                differences.push(format!("{instruction:?}\n{job:?}\nours   {ours:?}\ntheirs {theirs:?}"));
            }
        }
    }
    println!("{count} states, {refused} others refused");
    let shown = &differences[..differences.len().min(5)];
    assert!(differences.is_empty(), "{} states differ\n{}", differences.len(), shown.join("\n"));
}

/// Whole calls: the stack, the return, conditions and branches forwards.
#[test]
fn routines() {
    let mut random = Random::new(2);
    let mut unicorn = Unicorn::start();
    let jobs: Vec<ArmJob> = (0..ROUTINES).map(|_| routine(&mut random)).collect();
    let mut executed = 0;
    for (number, (job, mut theirs)) in jobs.iter().zip(unicorn.run(&jobs)).enumerate() {
        let mut machine = machine(job);
        machine.enter(job.origin).unwrap();
        let tally = run(&mut machine, job.limit.into()).unwrap_or_else(|fault| panic!("{number}: {fault}"));
        executed += tally.instructions;
        let mut ours = outcome(&machine, job);
        // the two callers stand at different places: the program counter, and the saved address
        for outcome in [&mut ours, &mut theirs] {
            outcome.pc = 0;
            *outcome.memory[1].last_mut().unwrap() = 0;
        }
        assert_eq!(ours, theirs, "{number}");
    }
    println!("{executed} instructions");
}
