//! What a routine may take.

/// No processor has more registers.
pub(crate) const MOST_REGISTERS: usize = 32;

/// Limits of a request; `None` is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// Registers beside those that hold pointers and take products.
    pub registers: Option<usize>,
    /// Bytes of code.
    pub code: Option<usize>,
    /// Bytes of stack, the return address left out.
    pub stack: Option<usize>,
}

impl Bounds {
    /// Whether there is a limit.
    pub(crate) fn is_set(&self) -> bool {
        *self != Bounds::default()
    }

    /// Whether code and stack of these sizes are within.
    pub(crate) fn allow(&self, code: usize, stack: usize) -> bool {
        self.code.is_none_or(|most| code <= most) && self.stack.is_none_or(|most| stack <= most)
    }
}
