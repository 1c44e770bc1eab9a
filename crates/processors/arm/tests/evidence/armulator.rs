//! Against the ARMulator of GDB 13.1: cycles of every form of every instruction, and of routines, but for what its source
//! says to the contrary ([`Armulator`]).
//!
//! Results are compared, too. Not so, because the architecture leaves it open: C after MULS and MLAS, C and V after
//! the long forms that set flags; and the bits of the status register below the flags, which are the caller's.

use crate::evidence::cases::{comparable, defined_flags, executed, machine, outcome, routine};
use crate::evidence::forms::{Form, forms};
use crate::support::times::{Times, step};
use rhomb_machine::Control;
use rhomb_oracles::{ArmJob, Armulator, Random};

/// States of each form.
const STATES: usize = 30;
/// Routines.
const ROUTINES: usize = 300;

#[test]
fn cycles_of_every_form_of_every_instruction() {
    let mut random = Random::new(3);
    let mut armulator = Armulator::start();
    let (mut compared, mut deviating, mut refused) = (0, 0, 0);
    let mut differences = Vec::new();
    for form in forms() {
        for _ in 0..STATES {
            let timed = |job: &ArmJob| {
                let mut machine = machine(job);
                let mut times = Times::default();
                step(&mut machine, &mut times).map(|_| (machine, times))
            };
            let (instruction, job, (machine, times)) = executed(form, &mut random, &mut refused, timed);
            compared += 1;
            deviating += u64::from(times.theirs != times.ours);
            let (mut theirs, cycles) = armulator.run(&job);
            let mut ours = outcome(&machine, &job);
            comparable(&instruction, (&mut ours, &mut theirs), defined_flags(&machine));
            if (cycles, &theirs) != (times.theirs, &ours) {
                differences.push((
                    form,
                    format!(
                        "{instruction:?}\n{job:?}\nours   {times:?} {ours:?}\ntheirs {cycles} {theirs:?}"
                    ),
                ));
            }
        }
    }
    println!("{compared} states, {deviating} whose time there is not the manual's, {refused} others refused");
    let forms: Vec<Form> = differences.iter().map(|(form, _)| *form).collect();
    let shown: Vec<&str> = differences.iter().take(3).map(|(_, text)| text.as_str()).collect();
    assert!(differences.is_empty(), "{} states differ: {forms:?}\n{}", differences.len(), shown.join("\n"));
}

/// Whole calls: branches taken and not, blocks of registers, the return.
#[test]
fn cycles_of_routines() {
    let mut random = Random::new(4);
    let mut armulator = Armulator::start();
    let mut sum = Times::default();
    for number in 0..ROUTINES {
        let job = routine(&mut random);
        let mut machine = machine(&job);
        machine.enter(job.origin).unwrap();
        let mut times = Times::default();
        while step(&mut machine, &mut times).unwrap_or_else(|fault| panic!("{number}: {fault}"))
            != Control::Return
        {}
        let (theirs, cycles) = armulator.run(&job);
        assert_eq!(cycles, times.theirs, "{number}: {job:?}");
        assert_eq!(theirs.memory[0], outcome(&machine, &job).memory[0], "{number}");
        sum.ours += times.ours;
        sum.theirs += times.theirs;
    }
    println!("{sum:?}");
}
