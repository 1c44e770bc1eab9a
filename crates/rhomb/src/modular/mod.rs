//! Arithmetic modulo an odd number as whole programs: Montgomery multiplication and exponentiation.
//!
//! What a processor has of its own is behind [`crate::targets::Target::modular`]; all others are made of straight lines and
//! calls (`shared.rs`), by the fastest of the ways that there are (`ways.rs`). The modulus is an argument: products are proved for every odd one,
//! exponentiations, and RSA by a private key, for every one that has its highest bit set, too. For routines with a modulus in the code see [`crate::field`].

mod evidence;
mod plan;
mod private;
mod shared;
#[cfg(test)]
mod tests;
mod text;
mod ways;

pub(crate) use plan::{draw, generate, measure, typical};
pub(crate) use ways::within_memory;

use crate::request::Request;
use crate::targets::{LowerFault, Target};
pub use rhomb_targets::modular::{ModularMethod, ModularOperation, ModularProgram, ModularTask, Workspace};

/// The operation of a request for a program; what has its modulus in the code is an operation of fields.
pub(crate) fn of(request: &Request) -> Option<ModularOperation> {
    let operation = ModularOperation::named(&request.operation)?;
    let is_program = request.modulus.is_none() && request.polynomial.is_none() && request.bits != 0;
    (operation.is_power() || is_program).then_some(operation)
}

/// The program for a task: the processor's own, or that of straight lines and calls.
fn made(
    target: &'static dyn Target,
    task: &ModularTask,
    convention: &str,
) -> Result<ModularProgram, LowerFault> {
    match target.modular(task, convention) {
        Err(LowerFault::Unmade(_)) => shared::program(target, task, convention),
        own => own,
    }
}
