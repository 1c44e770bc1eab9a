//! Kernels on libsimavr: up to 40 words every value of every parameter, then up to 512 bits.

use super::call::{Failure, job, judge};
use crate::matrix::case::{Case, cases};
use crate::matrix::conventions::{OTHERS, fits};
use crate::matrix::figures::floors;
use crate::matrix::kernels::{self, Request};
use crate::matrix::looped::{list as looped, looping};
use crate::matrix::mutants::{
    Mutant, Through, access, adds_high_half, after_set_up, originals, slow_if_carry, store_past_the_end,
};
use crate::matrix::routine::{Routine, static_cycles};
use crate::matrix::run::tally;
use crate::matrix::simulate::report;
use rhomb_avr::conventions::{AVR_GCC, Convention};
use rhomb_avr::cores::{Core, core};
use rhomb_avr::instructions::{Instruction, Op};
use rhomb_avr::lower::Kernel;
use rhomb_kernel::Form;
use rhomb_kernel::Operation;
use rhomb_oracles::SimAvr;
use rhomb_oracles::parallel;

/// Random inputs beside the fixed ones.
const RANDOM: usize = 4;

fn check(simavr: &mut SimAvr, core: &'static Core, request: &Request, kernel: &Kernel) -> (usize, usize) {
    check_by(&AVR_GCC, simavr, core, request, kernel)
}

fn check_by(
    convention: &'static Convention,
    simavr: &mut SimAvr,
    core: &'static Core,
    request: &Request,
    kernel: &Kernel,
) -> (usize, usize) {
    let mut routine = request.routine_by(convention, core, kernel);
    let cases = cases(&routine, request.seed() ^ 1, RANDOM);
    for case in &cases {
        let ours = tally(&routine, case).unwrap_or_else(|failure| panic!("{request}: {failure:?}"));
        if request.form == Form::Looped {
            routine.length = ours.instructions;
        }
        let job = job(&routine, case);
        let outcome = simavr.run(&job);
        if let Err(failure) = judge(&routine, case, &job, &outcome, ours.cycles.max) {
            panic!("{} in simavr: {request}: {failure:?}\n{case:?}\n{outcome:?}", core.name);
        }
    }
    (1, cases.len())
}

fn sum(counts: impl Iterator<Item = (usize, usize)>) -> (usize, usize) {
    counts.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
}

fn check_all(operation: Operation) {
    let core = core("atmega128").unwrap();
    let start = || SimAvr::start(core.mmcu);
    let counts = parallel::each_with(&kernels::sizes_of(operation), start, |simavr, (method, words)| {
        sum(kernels::cover(method, *words, core)
            .map(|(request, kernel)| check(simavr, core, &request, &kernel)))
    });
    report(&format!("libsimavr, {}, 1 to 40 words", operation.name()), &counts);
}

#[test]
fn every_parameter_value_of_every_size_up_to_40_words_agrees_with_libsimavr() {
    check_all(Operation::Mul);
}

#[test]
fn squarings_of_every_size_up_to_40_words_agree_with_libsimavr() {
    check_all(Operation::Sqr);
}

#[test]
fn looped_kernels_agree_with_libsimavr() {
    let core = core("atmega128").unwrap();
    let mut tasks: Vec<_> = looping()
        .flat_map(|method| (1..=40).step_by(rhomb_oracles::sample(3, 1)).map(move |words| (method, words)))
        .collect();
    tasks.extend(looping().flat_map(|method| [64, 128, 256].map(|words| (method, words))));
    tasks.reverse();
    let start = || SimAvr::start(core.mmcu);
    let counts = parallel::each_with(&tasks, start, |simavr, (method, words)| {
        let some = looped(method, *words).into_iter().filter(|it| *words < 6 || it.part(16) == 0);
        sum(some
            .filter_map(|request| Some((request, request.fits(core)?)))
            .map(|(request, kernel)| check(simavr, core, &request, &kernel)))
    });
    report("libsimavr, looped", &counts);
}

#[test]
fn kernels_of_384_and_512_bits_and_those_with_stated_figures_agree_with_libsimavr() {
    let core = core("atmega128").unwrap();
    let large = [64, 48].into_iter().flat_map(kernels::large);
    // larger ones outgrow the flash
    let floors = floors().into_iter().map(|(request, _)| request).filter(|request| request.words <= 64);
    let requests: Vec<Request> = large.chain(floors).collect();
    let start = || SimAvr::start(core.mmcu);
    let counts = parallel::each_with(&requests, start, |simavr, request| {
        check(simavr, core, request, &request.lower(core).unwrap())
    });
    report("libsimavr, 384 and 512 bits and stated figures", &counts);
}

#[test]
fn other_cores_agree_with_libsimavr() {
    for name in ["atmega328p", "atmega2560"] {
        let core = core(name).unwrap();
        let start = || SimAvr::start(core.mmcu);
        let counts = parallel::each_with(&kernels::sizes(), start, |simavr, (method, words)| {
            let requests = kernels::list(method, *words).into_iter().filter(|request| request.part(64) == 0);
            let kernels = requests.filter_map(|request| Some((request, request.fits(core)?)));
            // what the flash holds
            let small =
                kernels.filter(|(_, kernel)| 2 * kernel.program.len() + 1024 < core.flash_bytes as usize);
            sum(small.map(|(request, kernel)| check(simavr, core, &request, &kernel)))
        });
        report(&format!("libsimavr, {name}"), &counts);
    }
}

#[test]
fn other_conventions_agree_with_libsimavr() {
    let core = core("atmega128").unwrap();
    let start = || SimAvr::start(core.mmcu);
    let tasks: Vec<_> = kernels::sizes()
        .into_iter()
        .flat_map(|(method, words)| OTHERS.map(|convention| (convention, method, words)))
        .collect();
    let counts = parallel::each_with(&tasks, start, |simavr, (convention, method, words)| {
        let requests = kernels::list(method, *words).into_iter().filter(|request| request.part(32) == 0);
        let kernels = requests.filter_map(|request| Some((request, fits(&request, convention)?)));
        sum(kernels.map(|(request, kernel)| check_by(convention, simavr, core, &request, &kernel)))
    });
    report("libsimavr, other conventions", &counts);
}

/// Breaks all kernels in one way and expects that failure on libsimavr.
fn broken(
    simavr: &mut SimAvr,
    what: &str,
    change: impl Fn(&Mutant, &mut Vec<Instruction>),
    expected: impl Fn(&Failure) -> bool,
) {
    let core = core("atmega128").unwrap();
    for original in originals() {
        let mutant = original.with(what, |code| change(&original, code));
        let routine = Routine::raw(core, mutant.words, &mutant.instructions, mutant.stack_bytes).unwrap();
        let cycles = static_cycles(core, &mutant.instructions);
        let mut check = |case: &Case| {
            let job = job(&routine, case);
            judge(&routine, case, &job, &simavr.run(&job), cycles).err()
        };
        match cases(&routine, 1, 20).iter().find_map(&mut check) {
            Some(failure) => assert!(expected(&failure), "{}: {failure:?}", mutant.what),
            None => panic!("{} is not noticed", mutant.what),
        }
    }
}

#[test]
fn broken_kernels_are_noticed_on_libsimavr() {
    let simavr = &mut SimAvr::start("atmega128");
    let pop = |it: &Instruction| it.op == Op::Pop;
    broken(
        simavr,
        "carry lost",
        |kernel, code| code[kernel.last(adds_high_half)].op = Op::Add,
        |failure| *failure == Failure::Product,
    );
    broken(
        simavr,
        "not restored",
        |kernel, code| {
            code.remove(kernel.last(pop));
        },
        |failure| *failure == Failure::Return,
    );
    broken(
        simavr,
        "neither saved nor restored",
        |kernel, code| {
            code.remove(kernel.last(pop));
            code.remove(0);
        },
        |failure| matches!(failure, Failure::Saved(_)),
    );
    broken(
        simavr,
        "zero register not restored",
        |kernel, code| {
            code.remove(kernel.last(|it| *it == Instruction::dr(Op::Eor, 1, 1)));
        },
        |failure| *failure == Failure::Zero,
    );
    let stored = |failure: &Failure| matches!(failure, Failure::Stored { .. });
    broken(simavr, "a byte stored past the end", store_past_the_end, stored);
    for argument in [20, 22] {
        broken(
            simavr,
            "store to an operand",
            |kernel, code| code.insert(after_set_up(kernel), access(kernel, argument, Through::Store)),
            // which spoils the product too
            |failure| matches!(failure, Failure::Stored { .. } | Failure::Product),
        );
    }
    broken(
        simavr,
        "one more register saved than stated",
        |kernel, code| {
            code.insert(kernel.first(pop), Instruction::dk(Op::Pop, 18, 0));
            code.insert(0, Instruction::rk(Op::Push, 18, 0));
        },
        stored,
    );
    broken(
        simavr,
        "branch on a carry",
        |kernel, code| code.insert(kernel.last(adds_high_half), slow_if_carry()),
        |failure| matches!(failure, Failure::Cycles { .. }),
    );
}
