//! From a task to RISC-V instructions.
//!
//! a0, a1 and a2 hold the pointers to the result and the operands, as they arrive. All is written as drafts
//! ([`rhomb_lower::draft`]) whose products stand in registers; here is what instructions they become, and what stands around
//! them.

mod code;
mod draft;
mod program;
mod short;

pub use program::program;
pub use rhomb_lower::draft::{Fault as LowerError, Ring};
pub(crate) use short::short;
pub use short::shortened;

use crate::conventions::Convention;
use crate::cores::Core;
use crate::instructions::{Instruction, RA, Register, SP};

/// A routine.
pub type Kernel = rhomb_lower::draft::Kernel<Instruction>;

/// Registers for values beside those of the arguments: first those that need no saving, of these first those that short forms
/// have, the return address last.
pub fn registers(convention: &Convention) -> Vec<Register> {
    let arguments = &convention.arguments[..3];
    let foreign = convention.foreign | 1 << SP;
    let outside = |register: &Register| foreign >> register & 1 == 0 && !arguments.contains(register);
    let mut all: Vec<Register> = (1..32).filter(outside).collect();
    all.sort_by_key(|register| {
        (convention.saved >> register & 1, *register == RA, !(8..16).contains(register), *register)
    });
    let at = all.iter().position(|register| *register == RA);
    let address = at.map(|at| all.remove(at));
    all.extend(address);
    all
}

/// A core with a convention.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    core: &'static Core,
    convention: &'static Convention,
    ring: Ring,
    /// Most registers beside those that hold pointers.
    registers: usize,
}

impl Context {
    /// A core with a convention, over the integers.
    pub fn of(core: &'static Core, convention: &'static Convention) -> Self {
        Context { core, convention, ring: Ring::Integers, registers: usize::MAX }
    }

    /// The same with no more than so many registers beside those that hold pointers.
    pub fn within(self, registers: usize) -> Self {
        Context { registers, ..self }
    }
}
