//! The list of all kernels.

use rhomb_arm::conventions::AAPCS;
use rhomb_arm::cores::{Core, core};
use rhomb_arm::lower::{Kernel, LowerError, columns, routine};
use rhomb_kernel::{Form, Method, Operation, Parameter, Parameters, Shape, Task};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

pub(crate) const OPEN: Parameters = Parameters::OPEN;

/// A routine that is made once.
type Made = OnceLock<Result<Kernel, LowerError>>;

/// A method with a size and parameters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request {
    pub(crate) method: &'static Method,
    pub(crate) words: usize,
    pub(crate) parameters: Parameters,
    pub(crate) form: Form,
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Request { method, words, form, .. } = self;
        write!(f, "{} {} {} of {words} words", form.name(), method.operation.name(), method.name)?;
        for parameter in Parameter::ALL {
            if let Some(value) = parameter.of(&self.parameters) {
                write!(f, ", {} {value}", parameter.name())?;
            }
        }
        Ok(())
    }
}

/// The core whose instructions take the time that the manual gives.
pub(crate) fn arm7tdmi() -> &'static Core {
    core("arm7tdmi").unwrap()
}

/// The core of the papers.
pub(crate) fn paper() -> &'static Core {
    core("arm7tdmi-paper").unwrap()
}

impl Request {
    pub(crate) fn of(operation: Operation, name: &str, words: usize, parameters: Parameters) -> Self {
        let method = rhomb_kernel::method(operation, name).unwrap_or_else(|| panic!("no method {name}"));
        Request { method, words, parameters, form: Form::Unrolled }
    }

    pub(crate) fn task(&self) -> Task {
        let shape = Shape { form: self.form, words: self.words, parameters: &self.parameters };
        let task = self.method.task(&shape).expect("a form of the method");
        let valid = match &task {
            Task::Multiplication(walk) => walk.validate(),
            Task::Squaring(squaring) => squaring.validate(),
            _ => Ok(()),
        };
        assert_eq!(valid, Ok(()), "{self}");
        task
    }

    /// Once for all tests.
    pub(crate) fn lower(&self, core: &'static Core) -> Result<Kernel, LowerError> {
        static MADE: LazyLock<Mutex<HashMap<String, Arc<Made>>>> = LazyLock::new(Mutex::default);
        // variants of a core have its name
        let key = format!("{core:p} {self}");
        let made = Arc::clone(MADE.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default());
        made.get_or_init(|| routine(&self.task(), core, &AAPCS)).clone()
    }

    /// Column by column, whatever else would be faster.
    pub(crate) fn by_columns(&self, core: &'static Core) -> Result<Kernel, LowerError> {
        match self.task() {
            Task::Multiplication(walk) => columns::multiplication(&walk, core, &AAPCS, usize::MAX),
            Task::Squaring(squaring) => columns::squaring(&squaring, core, &AAPCS, usize::MAX),
            other => panic!("{other:?}"),
        }
    }

    /// A number that depends on all fields, the same in every run.
    pub(crate) fn seed(&self) -> u64 {
        let name = self.method.name.bytes().map(u64::from);
        let parameters =
            Parameter::ALL.iter().map(|it| it.of(&self.parameters).map_or(0, |at| at as u64 + 1));
        name.chain([self.words as u64])
            .chain(parameters)
            .fold(0xcbf2_9ce4_8422_2325, |hash, value| (hash ^ value).wrapping_mul(0x0100_0000_01b3))
    }
}

/// Every request for a method whose caches, rows, batches and intermediates at once are at most `most`, and
/// the one that leaves all open.
pub(crate) fn list(method: &'static Method, words: usize, most: usize) -> Vec<Request> {
    let mut all = vec![OPEN];
    for parameter in method.parameters {
        let values: Vec<usize> = match parameter {
            Parameter::CarryOnce => (1..=most.min(4)).collect(),
            // the split that is made
            Parameter::Parts => vec![2],
            Parameter::Pairs => vec![0],
            _ => (parameter.least()..=most.min(words.max(1))).collect(),
        };
        all = all
            .iter()
            .flat_map(|one| {
                values.iter().map(|value| {
                    let mut one = *one;
                    parameter.set(&mut one, Some(*value));
                    one
                })
            })
            .collect();
    }
    all.push(OPEN);
    let form = method.forms[0];
    all.into_iter().map(|parameters| Request { method, words, parameters, form }).collect()
}
