//! The cycles of kernels on the ARMulator of GDB 13.1, with what its source says of multiplications; those row by row
//! are compared in `unicorn.rs`, where they are made.

use crate::matrix::cases::cases;
use crate::matrix::requests::{Request, arm7tdmi, list};
use crate::matrix::unicorn::job;
use crate::support::times::{Times, step};
use rhomb_arm::conventions::AAPCS;
use rhomb_arm::cores::Core;
use rhomb_arm::instructions::SP;
use rhomb_arm::lower::{Accumulation, Kernel, LowerError, Making, routine_by};
use rhomb_arm::{Machine, Program};
use rhomb_kernel::{Operation, methods};
use rhomb_machine::{Access, Concrete, Control};
use rhomb_oracles::{ArmJob, Armulator, Stop, sample};
use std::sync::Arc;

/// What the call takes by our core, and what it must take on the other simulator.
pub(crate) fn times(core: &'static Core, job: &ArmJob) -> Times {
    let program = Program::new(core, job.origin, &rhomb_arm::halves(&job.code));
    let mut machine = Machine::new(Arc::new(program), Concrete::new());
    for (number, value) in job.registers.into_iter().enumerate() {
        machine.set_register(number as u8, value);
    }
    let own = [(job.registers[usize::from(SP)] - 0x800, vec![0; 0x200])];
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

/// Kernels of a kind, and the sum of what they took.
#[derive(Default, Debug)]
pub(crate) struct Count {
    pub(crate) kernels: usize,
    pub(crate) times: Times,
}

/// Calls with all ones, where multiplications take longest, zeros, and some others.
pub(crate) fn check(armulator: &mut Armulator, request: &Request, kernel: &Kernel, count: &mut Count) {
    count.kernels += 1;
    for (index, operands) in cases(request.words, request.seed(), 2).iter().enumerate() {
        let job = job(kernel, request, operands);
        let times = times(arm7tdmi(), &job);
        let (outcome, cycles) = armulator.run(&job);
        assert_eq!(outcome.stop, Stop::Done, "{request}");
        assert_eq!(cycles, times.theirs, "{request}, {times:?}: {operands:x?}");
        if let (0, Some(most)) = (index, kernel.cycles) {
            // the halves of ones have no difference
            let reached = times.ours == most || request.method.name == "split" && times.ours < most;
            assert!(reached, "{request}: {} of {most}", times.ours);
        }
        count.times.ours += times.ours;
        count.times.theirs += times.theirs;
    }
}

/// Column by column; `None` where the registers do not last.
fn kernel(request: &Request) -> Option<Kernel> {
    let making = Making { accumulation: Some(Accumulation::Columns), ..Making::default() };
    match routine_by(&request.task(), arm7tdmi(), &AAPCS, &making) {
        Ok(kernel) => Some(kernel),
        Err(LowerError::Registers { .. } | LowerError::ScannedSquaring) => None,
        Err(error) => panic!("{request}: {error}"),
    }
}

/// Every method in both forms, with parameters of up to three, or a sample of them.
#[test]
fn cycles_of_columns_loops_and_chains() {
    let mut armulator = Armulator::start();
    let (mut count, mut number, every) = (Count::default(), 0, sample(19, 1));
    for &operation in Operation::ALL {
        let made = |name: &str| !["strip", "software-products"].contains(&name);
        for method in methods(operation).filter(|method| made(method.name)) {
            for form in method.forms {
                for words in (1..=16).chain([32]) {
                    let most = if words > 16 { sample(1, 3) } else { 3 };
                    for request in list(method, words, most) {
                        number += 1;
                        if number % every != 0 {
                            continue;
                        }
                        let request = Request { form: *form, ..request };
                        if let Some(kernel) = kernel(&request) {
                            check(&mut armulator, &request, &kernel, &mut count);
                        }
                    }
                }
            }
        }
    }
    println!("{count:?}");
    assert!(count.kernels > sample(100, 2000), "{count:?}");
}
