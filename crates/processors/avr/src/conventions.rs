//! Calling conventions: where arguments arrive, which registers a routine may use, what must hold on
//! return.

/// A calling convention for `void f(uint8_t *r, const uint8_t *a, const uint8_t *b)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Convention {
    /// Name on the command line.
    pub name: &'static str,
    /// One line for people.
    pub summary: &'static str,
    /// Where the facts stand.
    pub source: &'static str,
    /// Low registers of the pairs that hold the pointers `r`, `a` and `b`.
    pub arguments: [u8; 3],
    /// Register that returns a number of one byte.
    pub returned: u8,
    /// Registers that a routine must leave as it found them (bit n is Rn).
    pub saved: u32,
    /// Register that is zero at every call and return.
    pub zero: Option<u8>,
}

/// The convention of avr-gcc and clang.
pub static AVR_GCC: Convention = Convention {
    name: "avr-gcc",
    summary: "avr-gcc and clang: r in R25:R24, a in R23:R22, b in R21:R20; R1 zero",
    source: "GCC wiki, \"avr-gcc\", sections Register Layout and Calling Convention",
    arguments: [24, 22, 20],
    returned: 24,
    // R2 to R17, R28, R29
    saved: 0x3003_fffc,
    zero: Some(1),
};

/// All conventions.
pub static CONVENTIONS: &[&Convention] = &[&AVR_GCC];

/// The convention of this name.
pub fn convention(name: &str) -> Option<&'static Convention> {
    CONVENTIONS.iter().copied().find(|convention| convention.name == name)
}
