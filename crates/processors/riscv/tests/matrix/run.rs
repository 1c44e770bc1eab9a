//! Calls of a routine from its bytes, and everything that must hold after them.

use crate::matrix::OPEN;
use crate::matrix::cases::{cases, integer, words};
use rhomb_kernel::{Form, Method, Operation, Parameter, Parameters, Shape};
use rhomb_lower::draft::routine;
use rhomb_machine::{Access, Buffer, Concrete, Routine};
use rhomb_riscv::conventions::ILP32;
use rhomb_riscv::cores::core;
use rhomb_riscv::lower::{Context, Kernel, LowerError, shortened};
use rhomb_riscv::{Function, Program};
use std::fmt;
use std::sync::Arc;

/// A method with a size and parameters, on a core.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request {
    pub(crate) core: &'static str,
    pub(crate) method: &'static Method,
    pub(crate) form: Form,
    pub(crate) words: usize,
    pub(crate) parameters: Parameters,
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Request { core, method, words, form, .. } = self;
        let form = if *form == Form::Looped { "looped" } else { "open" };
        write!(f, "{core} {} {} of {words} words: {form}", method.operation.name(), method.name)?;
        for parameter in Parameter::ALL {
            if let Some(value) = parameter.of(&self.parameters) {
                write!(f, "-{}{value}", parameter.name())?;
            }
        }
        Ok(())
    }
}

impl Request {
    pub(crate) fn of(
        core: &'static str,
        operation: Operation,
        name: &str,
        words: usize,
        parameters: Parameters,
    ) -> Self {
        let method = rhomb_kernel::method(operation, name).unwrap_or_else(|| panic!("no method {name}"));
        Request { core, method, form: Form::Unrolled, words, parameters }
    }

    pub(crate) fn lower(&self) -> Result<Kernel, LowerError> {
        self.within(usize::MAX)
    }

    pub(crate) fn within(&self, registers: usize) -> Result<Kernel, LowerError> {
        let shape = Shape { form: self.form, words: self.words, parameters: &self.parameters };
        let task = self.method.task(&shape).expect("a form of the method");
        routine(&task, &Context::of(core(self.core).unwrap(), &ILP32).within(registers))
    }
}

pub(crate) fn function(request: &Request, kernel: &Kernel) -> Function {
    let core = core(request.core).unwrap();
    let program = Program::assemble(core, 0x100, &shortened(core, &kernel.program))
        .unwrap_or_else(|error| panic!("{request}: {error}"));
    Function {
        program: Arc::new(program),
        entry: 0x100,
        convention: &ILP32,
        stack_limit: kernel.stack_bytes,
        step_limit: 1 << 28,
    }
}

/// The result, and the carry or borrow where there is one.
pub(crate) fn expected(operation: Operation, n: usize, operands: &[Vec<u32>; 2]) -> (Vec<u32>, Option<u32>) {
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

/// Calls the kernel with edge cases and `random` others, at places of all kinds; the cycles of a call.
pub(crate) fn check_plainly(request: &Request, kernel: &Kernel, random: usize) -> u64 {
    let (function, operation, n) = (function(request, kernel), request.method.operation, request.words);
    let shared: &[Option<usize>] =
        if matches!(operation, Operation::Add | Operation::Sub) { &[None, Some(0)] } else { &[None] };
    let mut cycles = 0;
    for (index, operands) in cases(n, n as u64, random).iter().enumerate() {
        for shares in shared {
            let buffer = |name, length, content: Option<&[u32]>, shares: Option<usize>| Buffer {
                name,
                length: length as u32,
                access: if content.is_some() && shares.is_none() { Access::Load } else { Access::Store },
                content: content.map(<[u32]>::to_vec),
                shares,
            };
            let mut buffers = vec![buffer("r", operation.result_words(n), None, None)];
            let named = operation.operands().iter().zip(operands);
            buffers.extend(named.map(|(name, words)| buffer(name, n, Some(words), None)));
            buffers[1] = buffer("a", n, Some(&operands[0]), *shares);
            let finished = function
                .call_at(Concrete::new(), &buffers, index as u32)
                .unwrap_or_else(|stopped| panic!("{request}: {stopped}\n{buffers:x?}"));
            let (result, returned) = expected(operation, n, operands);
            let result: Vec<_> = result.into_iter().map(Some).collect();
            assert_eq!(finished.buffers[0], result, "{request}\n{operands:x?}");
            if let Some(returned) = returned {
                assert_eq!(finished.returned, Some(returned), "{request}\n{operands:x?}");
            }
            assert_eq!(finished.breaches, [], "{request}");
            assert_eq!(finished.stack_bytes, kernel.stack_bytes, "{request}");
            cycles = finished.tally.cycles.max;
        }
    }
    cycles
}

/// The same, in the ledger.
pub(crate) fn check(request: &Request, kernel: &Kernel, random: usize) -> u64 {
    let cycles = check_plainly(request, kernel, random);
    let function = function(request, kernel);
    let code: Vec<u8> = function.program.words().iter().flat_map(|half| half.to_le_bytes()).collect();
    crate::LEDGER.check(&request.to_string(), cycles, &code);
    cycles
}

/// The fewest cycles of some requests that differ by a parameter.
pub(crate) fn least(
    core: &'static str,
    (operation, name): (Operation, &str),
    words: usize,
    sets: impl Iterator<Item = Parameters>,
) -> u64 {
    let made = sets.filter_map(|parameters| {
        let request = Request::of(core, operation, name, words, parameters);
        Some((request, request.lower().ok()?))
    });
    let (request, kernel) = made.min_by_key(|(_, kernel)| kernel.cycles).expect("one of them");
    assert!(request.parameters != OPEN || operation != Operation::Mul);
    check(&request, &kernel, 2)
}
