//! What the checker asks of a routine, so that it is compiled once for all processors.

use rhomb_anf::NormalForms;
use rhomb_equations::Equations;
use rhomb_machine::{Over, Routine};

/// Machine code of any processor over the domains of certificates.
pub trait Checkable: Over<Equations> + Over<NormalForms> {
    /// As [`Routine::at`].
    fn checkable_at(
        &self,
        entry: u64,
        stack_bytes: Option<u32>,
        inner: bool,
    ) -> Option<Box<dyn Checkable + '_>>;
}

impl<R: Routine> Checkable for R {
    fn checkable_at(
        &self,
        entry: u64,
        stack_bytes: Option<u32>,
        inner: bool,
    ) -> Option<Box<dyn Checkable + '_>> {
        Some(Box::new(self.at(entry, stack_bytes, inner)?))
    }
}
