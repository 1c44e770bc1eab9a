//! Whole kernels of plain MIPS32 on unicorn: result, preserved registers, stack pointer and the words around the
//! result.

use crate::matrix::cases::cases;
use crate::matrix::requests::{OPEN, Request};
use crate::matrix::run::expected;
use crate::matrix::splits;
use rhomb_kernel::{Form, Operation, Parameters};
use rhomb_mips::Program;
use rhomb_mips::lower::Kernel;
use rhomb_oracles::{MipsJob, MipsUnicorn, Stop};

const ORIGIN: u32 = 0x1_0000;
const RETURN: u32 = 0x1_f000;
const R: u32 = 0x4000_1000;
const A: u32 = 0x4000_4000;
const B: u32 = 0x4000_6000;
const STACK: u32 = 0x4000_8000;
const GUARD: u32 = 0x5a5a_a5a5;
/// Guard words on either side of the result.
const GUARDS: usize = 2;

fn job(kernel: &Kernel, request: &Request, operands: &[Vec<u32>; 2]) -> MipsJob {
    let program = Program::assemble(request.model(), ORIGIN, &kernel.program).unwrap();
    let mut registers: [u32; 32] = std::array::from_fn(|number| 0x0101_0101 * number as u32);
    [registers[4], registers[5], registers[6]] = [R, A, B];
    (registers[29], registers[31]) = (STACK, RETURN);
    let length = request.method.operation.result_words(request.words);
    let memory = vec![
        (R - 4 * GUARDS as u32, vec![GUARD; length + 2 * GUARDS]),
        (A, operands[0].clone()),
        (B, operands[1].clone()),
    ];
    MipsJob {
        origin: ORIGIN,
        code: program.words().to_vec(),
        registers,
        accumulator: [0x1234_5678, 0x9abc_def0],
        until: RETURN,
        limit: 1 << 20,
        memory,
    }
}

/// Runs a kernel on edge cases and some random operands.
fn check(unicorn: &mut MipsUnicorn, request: &Request) -> usize {
    let kernel = request.lower().unwrap_or_else(|error| panic!("{request}: {error}"));
    let cases = cases(request.words, request.seed(), 6);
    let jobs: Vec<MipsJob> = cases.iter().map(|operands| job(&kernel, request, operands)).collect();
    for ((operands, job), outcome) in cases.iter().zip(&jobs).zip(unicorn.run(&jobs)) {
        let (result, returned) = expected(request, operands);
        let guard = vec![GUARD; GUARDS];
        let expected = [guard.clone(), result, guard].concat();
        assert_eq!(outcome.stop, Stop::Done, "{request}");
        assert_eq!(outcome.memory, [expected, operands[0].clone(), operands[1].clone()], "{request}");
        assert_eq!(outcome.registers[16..24], job.registers[16..24], "{request}");
        assert_eq!(outcome.registers[28..32], job.registers[28..32], "{request}");
        assert!(returned.is_none_or(|carry| outcome.registers[2] == carry), "{request}");
    }
    jobs.len()
}

#[test]
fn plain_kernels_agree_with_unicorn() {
    let mut unicorn = MipsUnicorn::start();
    let mut runs = 0;
    let caching = Parameters { cache: Some(3), ..OPEN };
    let one = Parameters { cache: Some(1), ..OPEN };
    for words in (1..=16).step_by(rhomb_oracles::sample(3, 1)) {
        for (operation, name, form, parameters) in [
            (Operation::Mul, "operand-caching", Form::Unrolled, caching),
            (Operation::Mul, "product-scanning", Form::Unrolled, caching),
            (Operation::Mul, "operand-scanning", Form::Unrolled, one),
            (Operation::Mul, "product-scanning", Form::Looped, one),
            (Operation::Mul, "operand-scanning", Form::Looped, one),
            (Operation::Sqr, "product-scanning", Form::Unrolled, OPEN),
            (Operation::Sqr, "product-scanning", Form::Looped, OPEN),
            (Operation::Add, "carry-chain", Form::Unrolled, OPEN),
            (Operation::Add, "carry-chain", Form::Looped, OPEN),
            (Operation::Sub, "carry-chain", Form::Unrolled, OPEN),
            (Operation::Sub, "carry-chain", Form::Looped, OPEN),
        ] {
            let request = Request::of("mips32-4km", operation, name, words, parameters);
            runs += check(&mut unicorn, &Request { form, ..request });
        }
        for levels in 1..=2 {
            runs += check(&mut unicorn, &splits::request("mips32-4km", words, levels));
        }
    }
    for split in splits::OTHERS {
        runs += check(&mut unicorn, &splits::other("mips32-4km", split));
    }
    assert!(runs > rhomb_oracles::sample(600, 2000), "{runs}");
}
