//! Calling conventions: where arguments arrive, which registers a routine may use, what must hold on
//! return.
//!
//! Source: ARM IHI 0042, "Procedure Call Standard for the ARM Architecture", 5.1.1 (core registers), 5.1.2.1 (registers of
//! the floating-point extension), 5.2.1 (the stack), 5.3 (subroutine calls), 5.4 and 5.5 (result and parameters).

/// A calling convention for `void f(uint32_t *r, const uint32_t *a, const uint32_t *b)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Convention {
    /// Name on the command line.
    pub name: &'static str,
    /// One line for people.
    pub summary: &'static str,
    /// The same for a core of the M profile.
    pub thumb_summary: &'static str,
    /// Where the facts stand.
    pub source: &'static str,
    /// The dialect that is written where none is asked for.
    pub syntax: &'static str,
    /// Registers that hold the arguments: the pointers `r`, `a` and `b`, and one more.
    pub arguments: [u8; 4],
    /// Register that returns a number of one word.
    pub returned: u8,
    /// Registers that a routine must leave as it found them, the stack pointer left out (bit n is Rn).
    pub saved: u16,
    /// The same of the floating-point extension's, where a core has it (bit n is Sn).
    pub saved_extension: u32,
    /// What the stack pointer is a multiple of at a call, in bytes.
    pub stack_alignment: u32,
    /// Whether the facts could not be checked in a manual.
    pub experimental: bool,
}

/// The convention of ARM's compilers, gcc and clang, for callers in the same state: ARM state, or Thumb state on the M
/// profile. R9 is taken for the preserved register V6, not for a platform's own. The return is BX LR or, from a routine that
/// saved LR, a load of PC, which on ARMv4T stays in ARM state (ARM DDI 0100, A4.1.20).
pub static AAPCS: Convention = Convention {
    name: "aapcs",
    summary: "AAPCS: r in R0, a in R1, b in R2; R4 to R11 preserved; callers in ARM state",
    thumb_summary: "AAPCS: r in R0, a in R1, b in R2; R4 to R11 preserved",
    source: "ARM IHI 0042, 5.1.1, 5.1.2.1, 5.2.1, 5.3 to 5.5",
    syntax: "gnu",
    arguments: [0, 1, 2, 3],
    returned: 0,
    saved: 0x0ff0,
    saved_extension: 0xffff_0000,
    stack_alignment: 8,
    experimental: false,
};

/// For routines within another one, which preserve no register of the core; those of an extension that are preserved nobody here uses.
pub(crate) static INNER: Convention = Convention { name: "aapcs inner", saved: 0, ..AAPCS };

/// All conventions.
pub static CONVENTIONS: &[&Convention] = &[&AAPCS];

/// The convention of this name, which may be an inner one.
pub fn convention(name: &str) -> Option<&'static Convention> {
    CONVENTIONS.iter().copied().chain([&INNER]).find(|convention| convention.name == name)
}
