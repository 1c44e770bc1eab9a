//! The list of all kernels.

use rhomb_kernel::{Form, Method, Operation, Parameter, Parameters, Shape, Task};
use rhomb_mips::Model;
use rhomb_mips::conventions::O32;
use rhomb_mips::cores::core;
use rhomb_mips::lower::{Kernel, LowerError, Ring, routine_within};
use std::fmt;
use std::sync::Arc;

pub(crate) const OPEN: Parameters = Parameters::OPEN;

pub(crate) const CORES: [&str; 3] = ["mips32-4km", "mips32-ise", "smartmips"];

/// A method with a size and parameters, on a core.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request {
    pub(crate) core: &'static str,
    pub(crate) method: &'static Method,
    pub(crate) words: usize,
    pub(crate) parameters: Parameters,
    pub(crate) form: Form,
    pub(crate) ring: Ring,
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Request { core, method, words, form, ring, .. } = self;
        let (form, operation) = (form.name(), method.operation.name());
        write!(f, "{core}: {form} {operation} {} of {words} words, {ring:?}", method.name)?;
        for parameter in Parameter::ALL {
            if let Some(value) = parameter.of(&self.parameters) {
                write!(f, ", {} {value}", parameter.name())?;
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
        Request { core, method, words, parameters, form: Form::Unrolled, ring: Ring::Integers }
    }

    pub(crate) fn model(&self) -> Arc<Model> {
        Arc::new(Model::of(core(self.core).unwrap()))
    }

    pub(crate) fn task(&self) -> Task {
        let shape = Shape { form: self.form, words: self.words, parameters: &self.parameters };
        self.method.task(&shape).expect("a form of the method")
    }

    pub(crate) fn lower(&self) -> Result<Kernel, LowerError> {
        self.within(usize::MAX)
    }

    pub(crate) fn within(&self, registers: usize) -> Result<Kernel, LowerError> {
        routine_within(&self.task(), &self.model(), &O32, self.ring, registers)
    }

    /// A number that depends on all fields but the core, the same in every run.
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
pub(crate) fn list(
    core: &'static str,
    method: &'static Method,
    words: usize,
    values_of: impl Fn(Parameter) -> Vec<usize>,
) -> Vec<Request> {
    let mut all = vec![OPEN];
    for parameter in method.parameters {
        let values = values_of(*parameter);
        let extend = |one: &Parameters| {
            let one = *one;
            values.clone().into_iter().map(move |value| {
                let mut one = one;
                parameter.set(&mut one, Some(value));
                one
            })
        };
        all = all.iter().flat_map(extend).collect();
    }
    all.push(OPEN);
    let form = method.forms[0];
    let request = |parameters| Request { core, method, words, parameters, form, ring: Ring::Integers };
    all.into_iter().map(request).collect()
}
