//! Kernels on the RTL of the cores: results, what the convention keeps, memory around the result, and cycles.

use crate::matrix::OPEN;
use crate::matrix::cases::cases;
use crate::matrix::run::{Request, check_plainly, expected, function};
use rhomb_kernel::{Form, METHODS, Parameters};
use rhomb_oracles::{RiscvJob, RiscvRtl, Stop, sample};
use rhomb_riscv::instructions::SP;

/// Where the arrays lie, and the end of the stack: VexRiscv's cache of 4 KiB has room for all of them at once.
const R: u32 = 0x9000;
const A: u32 = 0x9200;
const B: u32 = 0x9400;
const STACK: u32 = 0x9e00;
/// What stands around the result and in every register at first.
const GUARD: u32 = 0x5eed_600d;
const GUARDS: usize = 4;

/// Cycles of the return, which an empty call has, too.
fn of_return(core: &str) -> u64 {
    let core = rhomb_riscv::cores::core(core).unwrap();
    core.timing.jump_register[0].issue.into()
}

fn job(code: &[u16], length: usize, operands: &[Vec<u32>; 2]) -> RiscvJob {
    let mut registers = [GUARD; 32];
    registers[0] = 0;
    registers[1] = RiscvJob::RETURN;
    registers[usize::from(SP)] = STACK;
    registers[10..13].copy_from_slice(&[R, A, B]);
    let around = vec![GUARD; length + 2 * GUARDS];
    let [a, b] = operands.clone();
    RiscvJob {
        origin: RiscvJob::ORIGIN,
        code: code.to_vec(),
        registers,
        limit: 1_000_000,
        memory: vec![(R - 4 * GUARDS as u32, around), (A, a), (B, b)],
    }
}

/// Kernels of all methods on a core are what its RTL says.
fn agrees(core: &'static str, sizes: &[usize]) {
    let (mut jobs, mut wanted) = (Vec::new(), Vec::new());
    for (method, form) in
        METHODS.iter().flat_map(|method| method.forms.iter().map(move |form| (method, *form)))
    {
        for &words in sizes {
            let cache = (form == Form::Looped).then_some(1);
            let request = Request { core, method, form, words, parameters: Parameters { cache, ..OPEN } };
            let Ok(kernel) = request.lower() else { continue };
            // what VexRiscv's cache of 4 KiB has no room for is not warm
            if core == "vexriscv" && 4 * kernel.program.len() > 4096 {
                continue;
            }
            let cycles = check_plainly(&request, &kernel, 0) - of_return(core);
            let function = function(&request, &kernel);
            let all = cases(words, 3, 1);
            for operands in all.iter().step_by(all.len() / 3) {
                let (result, returned) = expected(method.operation, words, operands);
                jobs.push(job(function.program.words(), result.len(), operands));
                wanted.push((request, result, returned, cycles));
            }
        }
    }
    assert!(jobs.len() > sample(30, 40), "{}", jobs.len());
    let outcomes = RiscvRtl::of(core).run(&jobs);
    for ((job, outcome), (request, result, returned, cycles)) in jobs.iter().zip(&outcomes).zip(&wanted) {
        assert_eq!(outcome.stop, Stop::Done, "{request}");
        let guards = [GUARD; GUARDS];
        assert_eq!(outcome.memory[0], [&guards[..], result, &guards[..]].concat(), "{request}");
        assert_eq!(outcome.memory[1..], [job.memory[1].1.clone(), job.memory[2].1.clone()], "{request}");
        for kept in [2, 3, 4, 8, 9].into_iter().chain(18..28) {
            assert_eq!(outcome.registers[kept], job.registers[kept], "{request}: x{kept}");
        }
        if let Some(returned) = returned {
            assert_eq!(outcome.registers[10], *returned, "{request}");
        }
        assert_eq!(outcome.cycles, *cycles as i64, "{request}");
    }
}

#[test]
fn kernels_take_the_cycles_of_the_rtl() {
    agrees("picorv32-fast", if sample(0, 1) == 1 { &[5, 8] } else { &[5] });
    for core in ["vexriscv", "ibex-single", "ibex-maxperf"] {
        agrees(core, if sample(0, 1) == 1 { &[3, 5, 8, 12, 16] } else { &[5] });
    }
    let others = ["picorv32", "ibex-fast", "cv32e40p"];
    others.iter().take(sample(0, others.len())).for_each(|core| agrees(core, &[5, 8, 16]));
}
