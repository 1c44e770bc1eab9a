//! What a choice is made for.

use crate::bounds::Bounds;
use crate::error::Error;
use crate::targets::{Target, all};
use crate::work::Work;
use rhomb_kernel::split::Pairs;
use rhomb_kernel::{Form, Method, Operation, Parameters, Row, methods};

/// What is wanted; what is `None` is chosen.
pub(crate) struct Wanted<'a> {
    pub(crate) operation: Operation,
    pub(crate) words: usize,
    pub(crate) form: Option<Form>,
    pub(crate) convention: &'a str,
    pub(crate) method: Option<&'static Method>,
    /// The rows of the method [`GIVEN`](rhomb_kernel::GIVEN).
    pub(crate) rows: Option<&'a [Row]>,
    pub(crate) parameters: &'a Parameters,
    pub(crate) bounds: Bounds,
    /// How products are added up.
    pub(crate) accumulation: Option<&'static str>,
    /// Whether time must be the same for all operands.
    pub(crate) constant_time: bool,
    /// Whether to look further than what has won before.
    pub(crate) thorough: bool,
    /// Whether an open method is to multiply along a single walk.
    pub(crate) walks_only: bool,
    /// The most levels of a split where the method is open.
    pub(crate) unasked_levels: usize,
    /// How the target's splits multiply pairs of parts where that is open.
    pub(crate) pairs: Pairs,
    /// Whether columns wait in registers on the target.
    pub(crate) columns_wait: bool,
    /// The array that the pointer X points to.
    pub(crate) on_x: Option<&'static str>,
    /// The trail of a product whose registers were searched for; others are no candidates then.
    pub(crate) trail: Option<&'a str>,
    /// How the work is done.
    pub(crate) work: &'a Work,
}

/// Refuses methods that multiply, on a core that does not.
pub(crate) fn no_multiplier(target: &dyn Target, operation: Operation) -> Error {
    let without: Vec<&str> =
        methods(operation).filter(|method| !method.multiplier).map(|method| method.name).collect();
    let able: Vec<&str> =
        all().filter(|target| target.description().has_multiplier).map(|target| target.name()).collect();
    let fault =
        format!("{} has no multiplication instruction (MUL); valid: {}", target.name(), able.join(", "));
    let hint = match without.join(", ") {
        names if names.is_empty() => {
            let name = operation.name();
            format!("no method of {name} does without; mul, with both operands the same, has some")
        }
        names => format!("methods that need none: {names}"),
    };
    Error::request(fault, hint)
}
