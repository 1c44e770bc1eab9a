//! Calls of a routine from its bytes, and everything that must hold after them.

use crate::cases::{cases, integer, words};
use crate::requests::Request;
use rhomb_arm::conventions::AAPCS;
use rhomb_arm::cores::Core;
use rhomb_arm::lower::Kernel;
use rhomb_arm::{Function, Program};
use rhomb_kernel::Operation;
use rhomb_machine::{Access, Buffer, Concrete, Finished, Routine};
use std::sync::Arc;

/// The kernel, by way of its bytes.
pub(crate) fn function(core: &'static Core, kernel: &Kernel) -> Function {
    let program = Program::assemble(core, 0x100, &kernel.program).unwrap_or_else(|error| panic!("{error}"));
    Function {
        program: Arc::new(program),
        entry: 0x100,
        convention: &AAPCS,
        stack_limit: kernel.stack_bytes,
        step_limit: 1 << 28,
    }
}

fn buffer(name: &'static str, length: usize, content: Option<&[u32]>) -> Buffer<u32> {
    let access = if content.is_some() { Access::Load } else { Access::Store };
    let content = content.map(<[u32]>::to_vec);
    Buffer { name, length: length as u32, content, access, shares: None }
}

fn call(
    request: &Request,
    function: &Function,
    operands: &[Vec<u32>; 2],
    place: u32,
) -> Finished<Concrete<u32>> {
    let operation = request.method.operation;
    let n = request.words;
    let mut buffers = vec![buffer("r", operation.result_words(n), None)];
    let named = operation.operands().iter().zip(operands);
    buffers.extend(named.map(|(name, words)| buffer(name, n, Some(words))));
    function
        .call_at(Concrete::new(), &buffers, place)
        .unwrap_or_else(|stopped| panic!("{request}: {stopped}\n{operands:x?}"))
}

/// Calls the kernel with edge cases and `random` others, at places of all kinds.
pub(crate) fn check(core: &'static Core, request: &Request, kernel: &Kernel, random: usize) -> usize {
    let function = function(core, kernel);
    let operation = request.method.operation;
    let n = request.words;
    let cases = cases(n, request.seed(), random);
    for (index, operands) in cases.iter().enumerate() {
        let finished = call(request, &function, operands, index as u32);
        let [a, b] = operands.each_ref().map(|words| integer(words));
        let modulus = integer(&[vec![0; n], vec![1]].concat());
        let (result, returned) = match operation {
            Operation::Mul => (a * b, None),
            Operation::Sqr => (&a * &a, None),
            Operation::Add => ((&a + &b) % &modulus, Some(u32::from(&a + &b >= modulus))),
            Operation::Sub => ((&modulus + &a - &b) % &modulus, Some(u32::from(a < b))),
        };
        let expected: Vec<_> = words(&result, operation.result_words(n)).into_iter().map(Some).collect();
        assert_eq!(finished.buffers[0], expected, "{request}\n{operands:x?}");
        assert_eq!(finished.breaches, [], "{request}");
        assert_eq!(finished.stack_bytes, kernel.stack_bytes, "{request}");
        if returned.is_some() {
            assert_eq!(finished.returned, returned, "{request}\n{operands:x?}");
        }
        if let Some(cycles) = kernel.cycles {
            let now = finished.tally.cycles;
            // with ones everywhere each multiplication takes its longest time
            assert!(if index == 0 { now == cycles } else { now <= cycles }, "{request}: {now} of {cycles}");
        }
    }
    cases.len()
}

/// Cycles of the body in the worst case.
pub(crate) fn body_cycles(core: &'static Core, request: &Request, kernel: &Kernel) -> u64 {
    let ones = vec![u32::MAX; request.words];
    call(request, &function(core, kernel), &[ones.clone(), ones], 0).body_cycles
}
