//! Calls of a routine from its bytes, and everything that must hold after them.

use crate::matrix::cases::{cases, integer, words};
use crate::matrix::requests::Request;
use rhomb_kernel::Operation;
use rhomb_machine::{Access, Buffer, Concrete, Domain, Finished, Routine, Secrets, Taint};
use rhomb_mips::conventions::O32;
use rhomb_mips::lower::{Kernel, Ring};
use rhomb_mips::{Function, Program};
use std::sync::Arc;

/// The kernel, by way of its bytes.
pub(crate) fn function(request: &Request, kernel: &Kernel) -> Function {
    let program = Program::assemble(request.model(), 0x100, &kernel.program)
        .unwrap_or_else(|error| panic!("{request}: {error}"));
    Function {
        program: Arc::new(program),
        entry: 0x100,
        convention: &O32,
        stack_limit: kernel.stack_bytes,
        step_limit: 1 << 28,
    }
}

fn buffer(name: &'static str, length: usize, content: Option<&[u32]>) -> Buffer<u32> {
    let access = if content.is_some() { Access::Load } else { Access::Store };
    let content = content.map(<[u32]>::to_vec);
    Buffer { name, length: length as u32, content, access, shares: None }
}

/// A call with the operands apart.
fn buffers(request: &Request, operands: &[Vec<u32>; 2]) -> Vec<Buffer<u32>> {
    let operation = request.method.operation;
    let n = request.words;
    let mut buffers = vec![buffer("r", operation.result_words(n), None)];
    let named = operation.operands().iter().zip(operands);
    buffers.extend(named.map(|(name, words)| buffer(name, n, Some(words))));
    buffers
}

fn call(
    request: &Request,
    function: &Function,
    buffers: &[Buffer<u32>],
    place: u32,
) -> Finished<Concrete<u32>> {
    function
        .call_at(Concrete::new(), &buffers, place)
        .unwrap_or_else(|stopped| panic!("{request}: {stopped}\n{buffers:x?}"))
}

/// The product of two polynomials over GF(2).
pub(crate) fn carryless(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut product = vec![0u32; a.len() + b.len()];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            for bit in (0..32).filter(|bit| y >> bit & 1 == 1) {
                let part = u64::from(*x) << bit;
                product[i + j] ^= part as u32;
                product[i + j + 1] ^= (part >> 32) as u32;
            }
        }
    }
    product
}

/// The result, and the carry or borrow where there is one.
pub(crate) fn expected(request: &Request, operands: &[Vec<u32>; 2]) -> (Vec<u32>, Option<u32>) {
    let (operation, n) = (request.method.operation, request.words);
    if request.ring == Ring::BinaryPolynomials {
        let [a, b] = operands;
        let b = if operation == Operation::Sqr { a } else { b };
        return (carryless(a, b), None);
    }
    let [a, b] = operands.each_ref().map(|words| integer(words));
    let modulus = integer(&[vec![0; n], vec![1]].concat());
    let (result, returned) = match operation {
        Operation::Mul => (a * b, None),
        Operation::Sqr => (&a * &a, None),
        Operation::Add => ((&a + &b) % &modulus, Some(u32::from(&a + &b >= modulus))),
        Operation::Sub => ((&modulus + &a - &b) % &modulus, Some(u32::from(a < b))),
        other => panic!("{other:?} is no operation on whole numbers"),
    };
    (words(&result, operation.result_words(n)), returned)
}

/// What must hold after a call with these operands; the longest time is taken where they are all ones.
fn keeps(request: &Request, kernel: &Kernel, operands: &[Vec<u32>; 2], finished: &Finished<Concrete<u32>>) {
    let (result, returned) = expected(request, operands);
    let result: Vec<_> = result.into_iter().map(Some).collect();
    assert_eq!(finished.buffers[0], result, "{request}\n{operands:x?}");
    if let Some(returned) = returned {
        assert_eq!(finished.returned, Some(returned), "{request}\n{operands:x?}");
    }
    assert_eq!(finished.breaches, [], "{request}");
    assert_eq!(finished.stack_bytes, kernel.stack_bytes, "{request}");
    let cycles = finished.tally.cycles.max;
    let ones = operands.iter().flatten().all(|word| *word == u32::MAX);
    if let Some(most) = kernel.cycles {
        // a multiplier may be faster for small factors, among which a constant may be
        let exact = request.core == "mips32-ise" && ones;
        assert!(if exact { cycles == most } else { cycles <= most }, "{request}: {cycles} of {most}");
    }
}

/// Calls the kernel with edge cases and `random` others, at places of all kinds.
pub(crate) fn check(request: &Request, kernel: &Kernel, random: usize) -> usize {
    check_as("", request, kernel, random)
}

/// The same for a kernel that is not the usual one of its request.
pub(crate) fn check_as(variant: &str, request: &Request, kernel: &Kernel, random: usize) -> usize {
    let function = function(request, kernel);
    let cases = cases(request.words, request.seed(), random);
    let mut most = 0;
    for (index, operands) in cases.iter().enumerate() {
        let finished = call(request, &function, &buffers(request, operands), index as u32);
        keeps(request, kernel, operands, &finished);
        most = most.max(finished.tally.cycles.max);
    }
    let code: Vec<u8> = function.program.words().iter().flat_map(|word| word.to_le_bytes()).collect();
    crate::LEDGER.check(&format!("{request}{variant}"), most, &code);
    cases.len()
}

/// The same with the result in the place of the first operand, the second, and both.
pub(crate) fn check_in_place(request: &Request, kernel: &Kernel, random: usize) {
    let function = function(request, kernel);
    for (index, operands) in cases(request.words, request.seed(), random).iter().enumerate() {
        for sharing in [&[1][..], &[2], &[1, 2]] {
            let mut operands = operands.clone();
            if sharing.len() == 2 {
                operands[1] = operands[0].clone();
            }
            let mut buffers = buffers(request, &operands);
            for shared in sharing {
                buffers[*shared].shares = Some(0);
                buffers[*shared].access = Access::Store;
            }
            let finished = call(request, &function, &buffers, index as u32);
            keeps(request, kernel, &operands, &finished);
        }
    }
}

/// Cycles of the body and of the function for operands of ones.
pub(crate) fn cycles(request: &Request, kernel: &Kernel) -> (u64, u64) {
    let ones = vec![u32::MAX; request.words];
    let buffers = buffers(request, &[ones.clone(), ones]);
    let finished = call(request, &function(request, kernel), &buffers, 0);
    (finished.body_cycles.max, finished.tally.cycles.max)
}

/// Calls the kernel with operands of which nothing is known.
pub(crate) fn call_secretly(request: &Request, kernel: &Kernel) {
    let mut domain = Secrets::<u32>::new();
    let zeros = vec![0; request.words];
    let buffers: Vec<_> = buffers(request, &[zeros.clone(), zeros])
        .into_iter()
        .map(|Buffer { name, length, content, access, shares }| {
            let content = content.map(|words| words.iter().map(|_| domain.arbitrary()).collect());
            Buffer { name, length, content, access, shares }
        })
        .collect();
    let finished = function(request, kernel)
        .call(domain, &buffers)
        .unwrap_or_else(|stopped| panic!("{request}: {stopped}"));
    assert_eq!(finished.breaches, [], "{request}");
    assert!(finished.secret_branches.is_empty(), "{request}");
    assert!(request.core != "mips32-ise" || finished.variable_times.is_empty(), "{request}");
    assert!(finished.buffers[0].iter().all(|word| matches!(word, Some(Taint::Secret(_)))), "{request}");
}
