//! What the methods make for ARM.

use rhomb_arm::conventions::AAPCS;
use rhomb_arm::cores::core;
use rhomb_arm::lower::{self, Accumulation, LowerError, Making};
use rhomb_arm::{Function, Program};
use rhomb_kernel::split::Pairs;
use rhomb_kernel::{Form, Operation, Parameters, Shape, Task};
use rhomb_machine::MachineCode;
use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

/// Where the code stands.
const ORIGIN: u32 = 0x100;

/// A kernel as a function.
pub(crate) struct Kernel {
    name: String,
    words: usize,
    pub(crate) contract: String,
    pub(crate) function: Function,
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} words: {}", self.name, self.words, self.contract)
    }
}

impl Kernel {
    /// The function with other code.
    pub(crate) fn with(&self, words: &[u32]) -> Function {
        let program = Program::new(core("arm7tdmi").unwrap(), ORIGIN, &rhomb_arm::halves(words));
        Function { program: Arc::new(program), ..self.function.clone() }
    }
}

/// What methods are asked for: their defaults, and in loops small caches too, which the registers have room for.
fn settings(form: Form) -> Vec<Parameters> {
    let cache = |cache| Parameters { cache: Some(cache), ..Parameters::default() };
    match form {
        Form::Unrolled => vec![Parameters::default()],
        Form::Looped => vec![Parameters::default(), cache(1), cache(2)],
    }
}

fn function(
    name: &str,
    task: &Task,
    accumulation: Accumulation,
    constant_time: bool,
) -> Result<Function, LowerError> {
    let core = core(name).unwrap();
    let making = Making { accumulation: Some(accumulation), constant_time, ..Making::default() };
    let kernel = lower::routine_by(task, core, &AAPCS, &making)?;
    let program = Arc::new(Program::assemble(core, ORIGIN, &kernel.program).unwrap());
    let (stack_limit, step_limit) = (kernel.stack_bytes, 1 << 20);
    Ok(Function { program, entry: ORIGIN, convention: &AAPCS, stack_limit, step_limit })
}

/// A split into halves of so many levels, its products added up in this way.
pub(crate) fn split(words: usize, levels: usize, accumulation: Accumulation, constant_time: bool) -> Kernel {
    let parameters = Parameters { levels: Some(levels), cache: Some(3), ..Parameters::default() };
    let name = format!("split of {levels} levels {}", accumulation.name());
    split_by(name, words, &parameters, accumulation, constant_time)
}

/// A split into so many parts, or by a ratio, whose pairs are multiplied so; of so many levels.
pub(crate) fn split_into(parts: usize, pairs: Pairs, words: usize, levels: usize) -> Kernel {
    let (parts, number) = (Some(parts), Some(pairs as usize));
    let parameters =
        Parameters { levels: Some(levels), cache: Some(3), parts, pairs: number, ..Parameters::default() };
    let name = format!("split {parts:?} by {}, {levels} levels", pairs.name());
    split_by(name, words, &parameters, Accumulation::Columns, false)
}

fn split_by(
    name: String,
    words: usize,
    parameters: &Parameters,
    accumulation: Accumulation,
    constant_time: bool,
) -> Kernel {
    let shape = Shape { form: Form::Unrolled, words, parameters };
    let task = rhomb_kernel::method(Operation::Mul, "split").and_then(|split| split.task(&shape)).unwrap();
    let function = function("arm7tdmi", &task, accumulation, constant_time).unwrap();
    Kernel { name, words, contract: format!("mul {}", 32 * words), function }
}

/// The kernels of all methods of an operation but splits in every form, with products added up in these ways, each once.
pub(crate) fn kernels(
    core: &str,
    operation: Operation,
    words: usize,
    ways: &[Accumulation],
    constant_time: bool,
) -> Vec<Kernel> {
    let mut seen = HashSet::new();
    let mut kernels = Vec::new();
    let walks = rhomb_kernel::methods(operation).filter(|method| method.name != "split");
    let forms = walks.flat_map(|method| Form::ALL.map(|form| (method, form)));
    let shapes =
        forms.flat_map(|(method, form)| settings(form).into_iter().map(move |set| (method, form, set)));
    for (method, form, parameters) in shapes {
        let Some(task) = method.task(&Shape { form, words, parameters: &parameters }) else { continue };
        for accumulation in ways {
            let Ok(function) = function(core, &task, *accumulation, constant_time) else { continue };
            let contract = format!("{} {}", operation.name(), 32 * words);
            if seen.insert(function.code()) {
                let name = format!("{} {} {}", form.name(), method.name, accumulation.name());
                kernels.push(Kernel { name, words, contract, function });
            }
        }
    }
    kernels
}
