//! What the methods make for ARM.

use rhomb_arm::conventions::AAPCS;
use rhomb_arm::cores::core;
use rhomb_arm::{Function, Program, lower};
use rhomb_kernel::{Form, Operation, Parameters, Shape};
use rhomb_machine::Routine;
use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

/// Where the code stands.
const ORIGIN: u32 = 0x100;

/// A kernel as a function.
pub(crate) struct Kernel {
    method: &'static str,
    words: usize,
    pub(crate) contract: String,
    pub(crate) function: Function,
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} words: {}", self.method, self.words, self.contract)
    }
}

impl Kernel {
    /// The function with other code.
    pub(crate) fn with(&self, words: &[u32]) -> Function {
        let program = Program::new(core("arm7tdmi").unwrap(), ORIGIN, words);
        Function { program: Arc::new(program), ..self.function.clone() }
    }
}

/// The kernels of all methods of an operation at their defaults, each once.
pub(crate) fn kernels(operation: Operation, words: usize) -> Vec<Kernel> {
    let core = core("arm7tdmi").unwrap();
    let parameters = Parameters::default();
    let mut seen = HashSet::new();
    rhomb_kernel::methods(operation)
        .filter_map(|method| {
            let shape = Shape { form: Form::Unrolled, words, parameters: &parameters };
            let kernel = lower::routine(&method.task(&shape)?, core, &AAPCS).ok()?;
            let program = Arc::new(Program::assemble(core, ORIGIN, &kernel.program).unwrap());
            let function = Function {
                program,
                entry: ORIGIN,
                convention: &AAPCS,
                stack_limit: kernel.stack_bytes,
                step_limit: 1 << 20,
            };
            let contract = format!("{} {}", operation.name(), 32 * words);
            seen.insert(function.code()).then_some(Kernel { method: method.name, words, contract, function })
        })
        .collect()
}
