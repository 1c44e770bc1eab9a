//! Calling conventions: where arguments arrive, which registers a routine may use, what must hold on return.
//!
//! Source: "RISC-V ABIs Specification", chapter "Procedure Calling Convention".

use crate::instructions::{GP, SP, TP};

/// A calling convention for `void f(uint32_t *r, const uint32_t *a, const uint32_t *b)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Convention {
    /// Name on the command line.
    pub name: &'static str,
    /// One line for people.
    pub summary: &'static str,
    /// Where the facts stand.
    pub source: &'static str,
    /// Registers of the arguments, in their order.
    pub arguments: &'static [u8],
    /// Register that returns a number of one word.
    pub returned: u8,
    /// Registers that a routine must leave as it found them (bit n is register n).
    pub saved: u32,
    /// Registers that a routine must not write at all.
    pub foreign: u32,
    /// What the stack pointer is a multiple of at every call, in bytes.
    pub stack_alignment: u32,
}

/// What the linker and the threads' library set up.
const FOREIGN: u32 = 1 << GP | 1 << TP;

/// The convention of RV32 without floating point. A routine never writes gp and tp.
pub static ILP32: Convention = Convention {
    name: "ilp32",
    summary: "RISC-V ilp32: r, a, b in a0, a1, a2; s0 to s11 kept; gp and tp never touched",
    source: "RISC-V ABIs Specification, Procedure Calling Convention",
    arguments: &[10, 11, 12, 13, 14, 15, 16, 17],
    returned: 10,
    saved: 0x3ff << 18 | 3 << 8 | 1 << SP | FOREIGN,
    foreign: FOREIGN,
    stack_alignment: 16,
};

/// The convention of RV32E, which has half the registers.
pub static ILP32E: Convention = Convention {
    name: "ilp32e",
    summary: "RISC-V ilp32e: r, a, b in a0, a1, a2; s0 and s1 kept; gp and tp never touched; no register above a5",
    arguments: &[10, 11, 12, 13, 14, 15],
    saved: 3 << 8 | 1 << SP | FOREIGN,
    foreign: FOREIGN | 0xffff_0000,
    stack_alignment: 4,
    ..ILP32
};

/// For routines within another one, which preserve nothing but what an interrupt relies on.
static INNER: [Convention; 2] = [within("ilp32 inner", &ILP32), within("ilp32e inner", &ILP32E)];

const fn within(name: &'static str, own: &Convention) -> Convention {
    Convention { name, saved: 1 << SP | FOREIGN, ..*own }
}

/// All conventions.
pub static CONVENTIONS: &[&Convention] = &[&ILP32, &ILP32E];

impl Convention {
    /// The same for routines within another one.
    pub(crate) fn inner(&self) -> Option<&'static Self> {
        let name = self.name.split(' ').next();
        INNER.iter().find(|own| own.name.split(' ').next() == name)
    }
}

/// The convention of this name, which may be an inner one.
pub fn convention(name: &str) -> Option<&'static Convention> {
    CONVENTIONS.iter().copied().chain(&INNER).find(|convention| convention.name == name)
}
