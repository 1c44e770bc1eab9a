//! The kernels that the methods make.

use rhomb_avr::conventions::{AVR_GCC, Convention};
use rhomb_avr::{Function, Program, cores::core, lower::multiplication};
use rhomb_certificate::{Contract, Operation, check};
use rhomb_kernel::{Method, Parameter, Parameters, walks};
use rhomb_prove::prove;
use std::collections::HashSet;
use std::sync::{Arc, Mutex};

/// Largest values that the register file may have room for.
const MOST_CACHE: usize = 10;
const MOST_CARRY_ONCE: usize = 11;
const MOST_ROWS: usize = 8;

/// A setting of a method for a size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting {
    pub(crate) method: &'static Method,
    pub(crate) words: usize,
    pub(crate) parameters: Parameters,
    pub(crate) convention: &'static Convention,
}

/// All values of a parameter that make a difference; initial blocks up to `block` words.
fn values(parameter: Parameter, words: usize, block: usize) -> std::ops::RangeInclusive<usize> {
    let most = match parameter {
        Parameter::Cache => MOST_CACHE.min(words),
        Parameter::CarryOnce => MOST_CARRY_ONCE,
        Parameter::Rows => MOST_ROWS.min(words),
        Parameter::InitialBlock => block.min(words),
        // squaring has a test of its own
        Parameter::Batch => 1,
        // splits have a test of their own
        Parameter::Levels | Parameter::Pairs => 0,
        Parameter::Parts => 2,
        // behind half of the strips, or behind all: the sizes of the others bring the rest
        Parameter::NarrowStrip => words.min(4),
    };
    parameter.least()..=most
}

/// All combinations of a method's parameters, those left open among them; initial blocks up to `block`
/// words.
pub(crate) fn combinations(method: &'static Method, words: usize, block: usize) -> Vec<Setting> {
    let mut all = vec![Parameters::default()];
    for parameter in method.parameters {
        let with = |setting: &Parameters| {
            let mut with = vec![*setting];
            with.extend(values(*parameter, words, block).map(|value| {
                let mut set = *setting;
                parameter.set(&mut set, Some(value));
                set
            }));
            with
        };
        all = all.iter().flat_map(with).collect();
    }
    all.into_iter().map(|parameters| Setting { method, words, parameters, convention: &AVR_GCC }).collect()
}

/// All methods at their defaults.
#[allow(dead_code)] // the test uses it, the example does not
pub(crate) fn defaults(words: usize) -> impl Iterator<Item = Setting> {
    walks().map(move |method| Setting {
        method,
        words,
        parameters: Parameters::default(),
        convention: &AVR_GCC,
    })
}

/// Kernels, each once however many settings make it.
pub(crate) struct Kernels {
    seen: Mutex<HashSet<(usize, Vec<u8>)>>,
}

impl Kernels {
    pub(crate) fn new() -> Self {
        Kernels { seen: Mutex::new(HashSet::new()) }
    }

    /// The kernel of a setting; `None` where the register file does not hold it, or it was there before.
    pub(crate) fn kernel(&self, setting: &Setting) -> Option<Function> {
        let core = core("atmega128").expect("a core");
        let walk = setting.method.walk(setting.words, &setting.parameters)?;
        let convention = setting.convention;
        let kernel = multiplication(&walk, core, convention).ok()?;
        let program = Arc::new(Program::assemble(core, 0, &kernel.program).expect("code"));
        let function = Function { program, entry: 0, convention, stack_limit: 18, step_limit: 1 << 20 };
        let bytes = rhomb_certificate::sha256(&rhomb_machine::MachineCode::code(&function));
        let mut seen = self.seen.lock().expect("no thread fails");
        seen.insert((setting.words, bytes.into_bytes())).then_some(function)
    }
}

/// Proves and checks a kernel; what is wrong otherwise.
pub(crate) fn proved(function: &Function, setting: &Setting) -> Result<(), String> {
    let bits = 8 * setting.words as u32;
    let contract = Contract::whole(Operation::Mul, bits);
    let name = || {
        let Setting { method, words, parameters, convention } = setting;
        format!("{} {words} words {parameters:?} by {}", method.name, convention.name)
    };
    let certificate = prove(function, &contract).map_err(|error| format!("{}: {error}", name()))?;
    match check(function, &certificate) {
        Ok(checked) if checked == contract => Ok(()),
        Ok(other) => Err(format!("{}: the certificate is for {other}", name())),
        Err(error) => Err(format!("{}: not checked: {error}", name())),
    }
}
