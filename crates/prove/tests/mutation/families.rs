//! The kernels that are broken: small ones of each kind.

use rhomb_avr::instructions::Instruction;
use rhomb_avr::{Function, Program, conventions::AVR_GCC, cores::core, lower};
use rhomb_certificate::Contract;
use rhomb_kernel::{METHODS, Method, Operation, Parameters, Task, methods, walks};
use rhomb_samples::add_sub::{self, Form};
use rhomb_samples::branched::{Sides, branched};
use rhomb_samples::karatsuba::{Extension, Shape, Sign, karatsuba, shape};
use rhomb_samples::shift_add::{Scanning, Test, called, strip};
use rhomb_samples::{frames, looped, squaring};
use std::sync::Arc;

/// A kernel.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    /// Kernels that are counted together.
    pub(crate) family: String,
    pub(crate) words: usize,
    pub(crate) contract: Contract,
    pub(crate) core: &'static str,
    pub(crate) code: Vec<Instruction>,
    /// Instructions that it executes at most.
    pub(crate) step_limit: u64,
}

/// What the family of a kernel with loops is called beside its method.
const LOOPED: &str = ", looped";

impl Kernel {
    /// Whether the lowering has made it with loops.
    #[allow(dead_code)] // the test asks, the example does not
    pub(crate) fn has_made_loops(&self) -> bool {
        self.family.ends_with(LOOPED)
    }

    /// Other code in the place of the kernel's; `None` where the core has no such instruction.
    pub(crate) fn with(&self, code: &[Instruction]) -> Option<Function> {
        let program = Arc::new(Program::assemble(core(self.core)?, 0, code).ok()?);
        Some(Function {
            program,
            entry: 0,
            convention: &AVR_GCC,
            stack_limit: 64,
            step_limit: self.step_limit,
        })
    }
}

const MEGA: &str = "atmega128";
const TINY: &str = "attiny85";

/// All kernels.
pub(crate) fn kernels() -> Vec<Kernel> {
    let mut all = Vec::new();
    let mut put = |family: &str, operation: &str, words: usize, core, code: Vec<Instruction>| {
        let contract = format!("{operation} {}", 8 * words).parse().expect("a contract");
        all.push(Kernel { family: family.into(), words, contract, core, code, step_limit: 20_000 });
    };
    for method in walks() {
        for words in [2, 3, 5, 8] {
            let walk = method.walk(words, &Parameters::default()).unwrap();
            let core = core(MEGA).expect("a core");
            let kernel = lower::multiplication(&walk, core, &AVR_GCC).expect("a kernel");
            put(method.name, "mul", words, MEGA, kernel.program);
        }
    }
    let tasks = [
        ("carry chain", 3, Task::Chain { subtract: false, words: 3, form: rhomb_kernel::Form::Unrolled }),
        ("carry chain", 9, Task::Chain { subtract: true, words: 9, form: rhomb_kernel::Form::Looped }),
        ("strips", 3, Task::Strips { words: 3, width: 2 }),
        ("software products", 2, Task::SoftwareProducts { words: 2 }),
    ];
    for (family, words, task) in tasks {
        let kernel = lower::routine(&task, core(TINY).expect("a core"), &AVR_GCC).expect("a kernel");
        put(family, task.operation().name(), words, TINY, kernel.program);
    }
    for method in methods(Operation::Sqr) {
        for (words, batch) in [(2, 1), (3, 1), (5, 1), (8, 2)] {
            let parameters = Parameters { batch: Some(batch), cache: Some(2), ..Parameters::default() };
            let shape = rhomb_kernel::Shape { form: method.forms[0], words, parameters: &parameters };
            let core = core(MEGA).expect("a core");
            let task = method.task(&shape).expect("a task");
            let kernel = lower::routine(&task, core, &AVR_GCC).expect("a kernel");
            put(&format!("sqr {}", method.name), "sqr", words, MEGA, kernel.program);
        }
    }
    let scans = |method: &Method| (method.operation, method.name) == (Operation::Sqr, "product-scanning");
    let looping = METHODS.iter().filter(|method| method.multiplier && !scans(method));
    for method in looping.filter(|method| method.forms.contains(&rhomb_kernel::Form::Looped)) {
        let squares = method.operation == Operation::Sqr;
        let (prefix, name) = if squares { ("sqr ", "sqr") } else { ("", "mul") };
        let parameters = Parameters { cache: Some(2), rows: Some(2), ..Default::default() };
        for words in [3, 7] {
            let task = method.task(&rhomb_kernel::Shape {
                form: rhomb_kernel::Form::Looped,
                words,
                parameters: &parameters,
            });
            let core = core(MEGA).expect("a core");
            let kernel = lower::routine(&task.expect("a form"), core, &AVR_GCC).expect("a kernel");
            put(&format!("{prefix}{}{LOOPED}", method.name), name, words, MEGA, kernel.program);
        }
    }
    for form in [Form::Unrolled, Form::Looped, Form::Parked] {
        put(&format!("add {form:?}"), "add", 3, MEGA, add_sub::add(3, form));
        put(&format!("sub {form:?}"), "sub", 3, MEGA, add_sub::sub(3, form));
    }
    put("squaring", "sqr", 2, MEGA, squaring::sqr(2, 2));
    put("squaring", "sqr", 4, MEGA, squaring::sqr(4, 2));
    put("squaring", "sqr", 6, MEGA, squaring::sqr(6, 4));
    for words in [2, 4] {
        put("looped product scanning", "mul", words, MEGA, looped::product_scanning(words));
        put("looped operand scanning", "mul", words, MEGA, looped::operand_scanning(words));
        put("looped operand caching", "mul", words, MEGA, looped::operand_caching(words, 2));
    }
    put("strip", "mul", 2, TINY, strip(2, 2, Test::Skip));
    put("strip", "mul", 3, TINY, strip(3, 2, Test::Skip));
    put("called", "mul", 2, TINY, called(2, Scanning::Product, Test::Skip));
    put("stack frame", "mul", 2, MEGA, frames::stack_frame(2));
    put("stack frame", "mul", 4, MEGA, frames::stack_frame(4));
    put("T flag", "mul", 3, MEGA, frames::t_flag(3));
    for words in [4, 6, 8] {
        put("karatsuba", "mul", words, MEGA, karatsuba(words, shape(1)));
    }
    let corrected = Shape { sign: Sign::Corrected, ..shape(1) };
    put("karatsuba corrected", "mul", 4, MEGA, karatsuba(4, corrected));
    put("karatsuba branched", "mul", 4, MEGA, branched(4, 1, Sides::Memory, Extension::Asr));
    put("karatsuba branched", "mul", 4, MEGA, branched(4, 1, Sides::Registers, Extension::Sbc));
    all
}
