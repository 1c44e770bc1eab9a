//! Calling conventions. Arrays begin at even addresses: double-word accesses go there. The stack pointer is even before a
//! CALL, which puts one word there: a function finds it odd. TI's compiler so makes its frames odd or even by what it saved
//! (listings of cl55, "return address/alignment").

use crate::instructions::{Status, Ta};

/// Words from the beginning of a block to a buffer, at least.
pub(crate) const LEAST_GAP: u32 = 6;
/// The same at most, with what is left free behind it.
pub(crate) const LONGEST_GAP: u32 = LEAST_GAP + 2 * 63;

/// A calling convention for `void f(uint16_t *r, const uint16_t *a, const uint16_t *b)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Convention {
    /// Name on the command line.
    pub name: &'static str,
    /// One line for people.
    pub summary: &'static str,
    /// Where the facts stand.
    pub source: &'static str,
    /// Whether nobody could check it in a manual.
    pub experimental: bool,
    /// Address registers of the pointers, in the order of the arguments.
    pub arguments: [u8; 5],
    /// Address registers that a routine must leave as it found them.
    pub saved_ar: [u8; 3],
    /// Temporary registers likewise.
    pub saved_t: [u8; 2],
    /// Status bits at the call and at the return.
    pub status: Status,
}

impl Convention {
    /// Registers in which further arguments arrive, behind so many pointers: pointers, and numbers of 16 bits.
    pub fn beyond(&self, pointers: usize) -> impl Iterator<Item = Ta> {
        let pointers = self.arguments.into_iter().skip(pointers).map(Ta::Ar);
        pointers.chain([Ta::T(0), Ta::T(1)])
    }
}

/// Registers as TI's compiler has them, status bits as multi-precision code wants them: no change of them costs
/// anything.
pub static TI: Convention = Convention {
    name: "ti",
    summary: "TI, EXPERIMENTAL: r in XAR0, a in XAR1, b in XAR2, even addresses; SP even before CALL; T2, T3, XAR5 to XAR7 preserved; M40 and CPL 1, SXMD, \
              ARMS, FRCT, SMUL, SATD 0",
    source: "SPRU281, run-time environment, register conventions",
    experimental: true,
    arguments: [0, 1, 2, 3, 4],
    saved_ar: [5, 6, 7],
    saved_t: [2, 3],
    status: Status { m40: true, sxmd: false, arms: false },
};

/// The same with the status bits of compiled code.
pub static TI_C: Convention = Convention {
    name: "ti-c",
    summary: "TI's compiler, EXPERIMENTAL: the same registers; M40, FRCT, SMUL, SATD 0, SXMD, ARMS, CPL 1",
    source: "SPRU281, run-time environment, register conventions and status bits",
    experimental: true,
    arguments: [0, 1, 2, 3, 4],
    saved_ar: [5, 6, 7],
    saved_t: [2, 3],
    status: Status { m40: false, sxmd: true, arms: true },
};

/// All conventions, the default first.
pub static CONVENTIONS: &[&Convention] = &[&TI, &TI_C];

/// The convention of that name.
pub fn convention(name: &str) -> Option<&'static Convention> {
    CONVENTIONS.iter().copied().find(|convention| convention.name == name)
}
