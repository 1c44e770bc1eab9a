//! Whole kernels on unicorn: result, preserved registers, stack pointer and the words around the result; and their
//! cycles on the ARMulator.

use crate::matrix::armulator::{self, Count};
use crate::matrix::cases::{cases, integer, words};
use crate::matrix::requests::{OPEN, Request, arm7tdmi};
use crate::matrix::{run, splits};
use crate::support::times::Times;
use rhomb_arm::Program;
use rhomb_arm::cores::{Core, core};
use rhomb_arm::lower::{Accumulation, Kernel, placed};
use rhomb_kernel::{Form, Operation, Parameters};
use rhomb_oracles::{ArmJob, ArmOutcome, Armulator, Rp2040js, Stop, Unicorn, sample, stand_in};
use std::fmt::Write;

/// Of code, data, and what is returned to in ARM state; and in Thumb state, where all lies in the RAM.
const ARM: [u32; 3] = [0x8000, 0x4000_0000, 0x1_e000];
const THUMB: [u32; 3] = [Rp2040js::CODE, 0x2000_0000, 0x2003_f000];
const R: u32 = 0x1000;
const A: u32 = 0x4000;
const B: u32 = 0x6000;
const TOP: u32 = 0x1_0000;
const GUARD: u32 = 0x5a5a_a5a5;
/// Guard words on either side of the result.
const GUARDS: usize = 2;

/// A call of the kernel.
pub(crate) fn job(kernel: &Kernel, request: &Request, operands: &[Vec<u32>; 2]) -> ArmJob {
    job_on(arm7tdmi(), kernel, request, operands)
}

/// The same on a core, whose data lie where its RAM begins.
fn job_on(core: &'static Core, kernel: &Kernel, request: &Request, operands: &[Vec<u32>; 2]) -> ArmJob {
    let thumb = core.thumb.is_some();
    let [origin, data, return_to] = if thumb { THUMB } else { ARM };
    let program = Program::assemble(core, origin, &placed(core, &kernel.program).unwrap()).unwrap();
    let mut registers: [u32; 15] = std::array::from_fn(|number| 0x0101_0101 * number as u32);
    [registers[0], registers[1], registers[2]] = [R, A, B].map(|place| data + place);
    (registers[13], registers[14]) = (data + TOP, return_to | u32::from(thumb));
    let length = request.method.operation.result_words(request.words);
    let memory = vec![
        (data + R - 4 * GUARDS as u32, vec![GUARD; length + 2 * GUARDS]),
        (data + A, operands[0].clone()),
        (data + B, operands[1].clone()),
    ];
    let mut halves = program.words().to_vec();
    halves.resize(halves.len().next_multiple_of(2), 0);
    let code = rhomb_arm::words(&halves);
    ArmJob {
        origin,
        code,
        registers,
        extension: if core.has_extension() {
            (0..32).map(|number| 0x1010_1010 + number).collect()
        } else {
            Vec::new()
        },
        flags: 0,
        limit: 1 << 20,
        return_to,
        memory,
    }
}

/// Runs a kernel on edge cases and some random operands.
fn check(unicorn: &mut Unicorn, core: &'static Core, request: &Request, kernel: &Kernel) -> usize {
    check_by(|jobs| unicorn.run(jobs), core, request, kernel).len()
}

/// The same on any simulator; the calls.
fn check_by(
    run: impl FnOnce(&[ArmJob]) -> Vec<ArmOutcome>,
    core: &'static Core,
    request: &Request,
    kernel: &Kernel,
) -> Vec<ArmJob> {
    let cases = cases(request.words, request.seed(), 6);
    let jobs: Vec<ArmJob> = cases.iter().map(|operands| job_on(core, kernel, request, operands)).collect();
    for ((operands, job), outcome) in cases.iter().zip(&jobs).zip(run(&jobs)) {
        let operation = request.method.operation;
        let n = request.words;
        let [a, b] = operands.each_ref().map(|words| integer(words));
        let modulus = integer(&[vec![0; n], vec![1]].concat());
        let (result, returned) = match operation {
            Operation::Mul => (&a * &b, None),
            Operation::Sqr => (&a * &a, None),
            Operation::Add => ((&a + &b) % &modulus, Some(u32::from(&a + &b >= modulus))),
            Operation::Sub => ((&modulus + &a - &b) % &modulus, Some(u32::from(a < b))),
            other => panic!("{other:?} is no operation on whole numbers"),
        };
        let guard = vec![GUARD; GUARDS];
        let expected = [guard.clone(), words(&result, operation.result_words(n)), guard].concat();
        assert_eq!(outcome.stop, Stop::Done, "{request}");
        assert_eq!(outcome.memory, [expected, operands[0].clone(), operands[1].clone()], "{request}");
        assert_eq!(outcome.registers[4..12], job.registers[4..12], "{request}");
        assert_eq!(outcome.registers[13], job.registers[13], "{request}");
        let kept = |extension: &[u32]| extension.get(16..).map(<[u32]>::to_vec);
        assert_eq!(kept(&outcome.extension), kept(&job.extension), "{request}");
        assert!(returned.is_none_or(|carry| outcome.registers[0] == carry), "{request}");
    }
    jobs
}

#[test]
fn kernels_agree_with_unicorn_and_the_armulator() {
    let (mut unicorn, mut armulator) = (Unicorn::start(), Armulator::start());
    let (mut runs, mut count) = (0, Count::default());
    let mut agrees = |request: &Request, kernel: &Kernel| {
        runs += check(&mut unicorn, arm7tdmi(), request, kernel);
        armulator::check(&mut armulator, request, kernel, &mut count);
    };
    for words in (1..=16).rev().step_by(sample(5, 1)) {
        let caching = Parameters { cache: Some(3.min(words)), ..OPEN };
        let blocks = Parameters { rows: Some(5), ..OPEN };
        for (operation, method, parameters) in [
            (Operation::Mul, "operand-caching", caching),
            (Operation::Mul, "product-scanning", Parameters { cache: Some(1), ..OPEN }),
            (Operation::Sqr, "product-scanning", OPEN),
        ] {
            let request = Request::of(operation, method, words, parameters);
            agrees(&request, &request.by_columns(arm7tdmi()).unwrap());
        }
        for (operation, method, parameters) in
            [(Operation::Mul, "hybrid", blocks), (Operation::Sqr, "product-scanning", OPEN)]
        {
            let request = Request::of(operation, method, words, parameters);
            agrees(&request, &request.lower(arm7tdmi()).unwrap());
        }
        for levels in 1..=2 {
            let request = splits::request(words, levels);
            agrees(&request, &splits::by(Accumulation::Columns, &request));
        }
        for form in [Form::Unrolled, Form::Looped] {
            for operation in [Operation::Add, Operation::Sub] {
                let request = Request { form, ..Request::of(operation, "carry-chain", words, OPEN) };
                agrees(&request, &request.lower(arm7tdmi()).unwrap());
            }
            if form == Form::Looped {
                let caching = Parameters { cache: Some(2.min(words)), ..OPEN };
                let one = Parameters { cache: Some(1), ..OPEN };
                let squaring = if words % 2 == 0 { caching } else { one };
                for (operation, parameters) in [(Operation::Mul, caching), (Operation::Sqr, squaring)] {
                    let request =
                        Request { form, ..Request::of(operation, "operand-caching", words, parameters) };
                    agrees(&request, &request.lower(arm7tdmi()).unwrap());
                }
            }
        }
    }
    for (words, levels) in [(8, 1), (13, 2), (16, 2)] {
        let request = splits::request(words, levels);
        agrees(&request, &splits::by(Accumulation::Rows, &request));
    }
    for split in splits::OTHERS {
        let request = splits::other(split);
        agrees(&request, &splits::by(Accumulation::Columns, &request));
    }
    println!("{runs} runs, {count:?}");
    assert!(runs > sample(450, 1900), "{runs}");
}

/// Kernels of a core in Thumb state, which our simulator takes for right as well.
fn thumb_kernels_agree(name: &str, model: &str) {
    let mut runs = 0;
    let (core, mut unicorn) = (core(name).unwrap(), Unicorn::of_model(model));
    let sizes = [16, 12, 7, 5, 3, 1, 2, 4, 6, 8, 9, 10, 11, 13, 14, 15];
    for words in sizes.into_iter().skip(1).take(sample(2, 15)).chain([16].into_iter().take(sample(0, 1))) {
        let one = Parameters { cache: Some(1), ..OPEN };
        let blocks = Parameters { rows: Some(5), ..OPEN };
        let caching = Parameters { cache: Some(2.min(words)), ..OPEN };
        let squaring = if words % 2 == 0 { caching } else { one };
        let mut requests = Vec::new();
        for form in [Form::Unrolled, Form::Looped] {
            let of = |operation, method, parameters| Request {
                form,
                ..Request::of(operation, method, words, parameters)
            };
            requests.extend([Operation::Add, Operation::Sub].map(|own| of(own, "carry-chain", OPEN)));
            requests.extend(match form {
                Form::Unrolled => {
                    vec![of(Operation::Mul, "hybrid", blocks), of(Operation::Sqr, "product-scanning", OPEN)]
                }
                Form::Looped => vec![
                    of(Operation::Mul, "operand-caching", caching),
                    of(Operation::Sqr, "operand-caching", squaring),
                ],
            });
        }
        for request in requests {
            let kernel = request.lower(core).unwrap();
            run::check(core, &request, &kernel, 4);
            runs += check(&mut unicorn, core, &request, &kernel);
        }
        let request = Request::of(Operation::Mul, "product-scanning", words, one);
        let kernel = request.by_columns(core).unwrap();
        runs += check(&mut unicorn, core, &request, &kernel);
        if name == "cortex-m3" && words >= 4 {
            let request = splits::request(words, 1);
            runs += check(&mut unicorn, core, &request, &request.lower(core).unwrap());
        }
    }
    assert!(runs > sample(250, 2000), "{runs}");
}

#[test]
fn kernels_of_cortex_m3_agree() {
    thumb_kernels_agree("cortex-m3", "M3");
}

#[test]
fn kernels_of_cortex_m4_agree() {
    thumb_kernels_agree("cortex-m4", "M4");
}

#[test]
fn kernels_of_cortex_m4f_agree() {
    thumb_kernels_agree("cortex-m4f", "M4");
}

#[test]
fn kernels_of_cortex_m33_agree() {
    thumb_kernels_agree("cortex-m33", "M33");
}

#[test]
fn kernels_of_cortex_m33_without_dsp_agree() {
    thumb_kernels_agree("cortex-m33-nodsp", "M33");
}

#[test]
fn kernels_of_cortex_m7_agree() {
    thumb_kernels_agree("cortex-m7", "M7");
}

/// Kernels of the Cortex-M0+ on unicorn, and on rp2040js with the cycles that they must take there.
#[test]
fn kernels_agree_with_unicorn_and_rp2040js() {
    let core = core("cortex-m0plus").unwrap();
    let (mut unicorn, mut rp2040js) = (Unicorn::of_model("M0"), Rp2040js::start());
    let (mut runs, mut sum) = (0, Times::default());
    for words in (1..=8).step_by(sample(2, 1)).chain([12, 16].into_iter().take(sample(1, 2))) {
        for (operation, method) in [
            (Operation::Mul, "hybrid"),
            (Operation::Sqr, "product-scanning"),
            (Operation::Add, "carry-chain"),
            (Operation::Sub, "carry-chain"),
        ] {
            let rows = (operation == Operation::Mul).then_some(5);
            let request = Request::of(operation, method, words, Parameters { rows, ..OPEN });
            let kernel = request.lower(core).unwrap();
            if words <= 8 {
                run::check(core, &request, &kernel, 4);
            }
            runs += check(&mut unicorn, core, &request, &kernel);
            let mut taken = Vec::new();
            let timed = |jobs: &[ArmJob]| {
                let (outcomes, cycles) = rp2040js.run(jobs);
                taken = cycles;
                outcomes
            };
            let jobs = check_by(timed, core, &request, &kernel);
            for (job, cycles) in jobs.iter().zip(&taken) {
                let times = armulator::times(core, job);
                assert_eq!(*cycles, times.theirs, "{request}: {times:?}");
                assert_eq!(Some(times.ours), kernel.cycles, "{request}");
                sum.ours += times.ours;
                sum.theirs += times.theirs;
            }
        }
    }
    println!("{runs} runs, {sum:?}");
    assert!(runs > sample(300, 600), "{runs}");
}

/// Those of Cortex-M3 that take the same time for all operands.
#[test]
fn kernels_in_constant_time_agree_with_unicorn() {
    let (core, mut unicorn) = (core("cortex-m3").unwrap().constant.unwrap(), Unicorn::of_model("M3"));
    for words in (1..=8).step_by(sample(3, 1)) {
        for (operation, method) in [(Operation::Mul, "hybrid"), (Operation::Sqr, "product-scanning")] {
            let rows = (operation == Operation::Mul).then_some(5);
            let request = Request::of(operation, method, words, Parameters { rows, ..OPEN });
            let kernel = request.lower(core).unwrap();
            run::check_as("constant", core, &request, &kernel, 4);
            check(&mut unicorn, core, &request, &kernel);
            let ones = [vec![u32::MAX; words], vec![u32::MAX; words]];
            let cycles = run::cycles(core, &request, &kernel, &ones);
            assert_eq!((cycles.min, Some(cycles.max)), (cycles.max, kernel.cycles), "{request}");
        }
    }
}

/// Function cycles of what is made for them: the least and the most, and the same with pairs of loads where there are two counts.
#[test]
fn thumb_kernels_take_what_was_counted() {
    let mut table = String::from("function cycles by bits: least and most; paired\n");
    let mut number = 0;
    for name in ["cortex-m3", "cortex-m4", "cortex-m4f", "cortex-m33", "cortex-m33-nodsp", "cortex-m7"] {
        let core = core(name).unwrap();
        for (operation, method) in [
            (Operation::Mul, "hybrid"),
            (Operation::Sqr, "product-scanning"),
            (Operation::Add, "carry-chain"),
        ] {
            for words in [1, 2, 3, 4, 5, 6, 7, 8, 12, 16] {
                number += 1;
                if number % sample(7, 1) > 0 {
                    continue;
                }
                let rows = (operation == Operation::Mul).then_some(5);
                let request = Request::of(operation, method, words, Parameters { rows, ..OPEN });
                let kernel = request.lower(core).unwrap();
                let ones = [vec![u32::MAX; words], vec![u32::MAX; words]];
                let counts = [Some(core), core.paired].into_iter().flatten().map(|core| {
                    let cycles = run::cycles(core, &request, &kernel, &ones);
                    format!("{} to {}", cycles.min, cycles.max)
                });
                let counts = counts.collect::<Vec<_>>().join("; ");
                writeln!(table, "{name} {} {}: {counts}", operation.name(), 32 * words).unwrap();
            }
        }
    }
    if sample(0, 1) == 1 {
        insta::assert_snapshot!(table);
    } else {
        stand_in(
            &table,
            include_str!("snapshots/all__matrix__unicorn__thumb_kernels_take_what_was_counted.snap"),
        );
    }
}
