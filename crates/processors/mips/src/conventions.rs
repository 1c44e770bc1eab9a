//! Calling conventions: where arguments arrive, which registers a routine may use, what must hold on return.
//!
//! Source: "System V Application Binary Interface, MIPS RISC Processor Supplement", third edition, chapter 3,
//! Function Calling Sequence: registers figure 3-18, stack frame figures 3-20 and 3-21.

use crate::instructions::{FP, GP, SP};

/// A calling convention for `void f(uint32_t *r, const uint32_t *a, const uint32_t *b)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Convention {
    /// Name on the command line.
    pub name: &'static str,
    /// One line for people.
    pub summary: &'static str,
    /// Where the facts stand.
    pub source: &'static str,
    /// Registers of the pointers, in the order of the arguments.
    pub arguments: [u8; 4],
    /// Register that returns a number of one word.
    pub returned: u8,
    /// Registers that a routine must leave as it found them (bit n is register n); HI and LO need not be kept.
    pub saved: u32,
    /// Bytes of the caller's stack from the stack pointer upwards that a routine may use: the home of the
    /// register arguments.
    pub home: u32,
    /// What the stack pointer is a multiple of at every call, in bytes.
    pub stack_alignment: u32,
}

/// The convention of 32-bit MIPS systems.
pub static O32: Convention = Convention {
    name: "o32",
    summary: "MIPS o32: r, a, b in $4, $5, $6; $16 to $23, $28 to $30 kept; HI and LO free",
    source: "System V ABI, MIPS RISC Processor Supplement, 3rd edition, chapter 3",
    arguments: [4, 5, 6, 7],
    returned: 2,
    saved: 0xff << 16 | 1 << GP | 1 << SP | 1 << FP,
    home: 16,
    stack_alignment: 8,
};

/// For routines within another one, which preserve nothing but what an interrupt relies on.
pub(crate) static INNER: Convention = Convention { name: "o32 inner", saved: 1 << GP | 1 << SP, ..O32 };

/// All conventions.
pub static CONVENTIONS: &[&Convention] = &[&O32];

/// The convention of this name, which may be an inner one.
pub fn convention(name: &str) -> Option<&'static Convention> {
    CONVENTIONS.iter().copied().chain([&INNER]).find(|convention| convention.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn register_sets() {
        assert_eq!(convention("o32").map(|convention| convention.saved), Some(0x70ff_0000));
        assert!(O32.arguments.iter().all(|register| O32.saved >> register & 1 == 0));
    }
}
