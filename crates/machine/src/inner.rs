//! Routines that preserve no registers, for callers that expect none to be.

use crate::{Buffer, Calls, Domain, Finished, Routine, Stopped, Surroundings};

/// A routine, and what its caller expects.
#[derive(Clone, Debug)]
pub struct Inner<R> {
    /// The routine.
    pub routine: R,
    /// Whether registers are as the convention says; else none is as it was but the stack pointer.
    pub preserves: bool,
}

impl<R> Inner<R> {
    fn surroundings(&self, surroundings: Surroundings) -> Surroundings {
        Surroundings { inner: surroundings.inner || !self.preserves, ..surroundings }
    }
}

impl<R: Routine> Routine for Inner<R> {
    type Limb = R::Limb;

    fn code(&self) -> Vec<u8> {
        self.routine.code()
    }

    /// That nothing is preserved is part of it: a proof of this is none of what a convention says.
    fn identity(&self) -> String {
        match self.preserves {
            true => self.routine.identity(),
            false => format!("{} without preserved registers", self.routine.identity()),
        }
    }

    fn relocations(&self) -> &[String] {
        self.routine.relocations()
    }

    fn instruction(&self, address: u64) -> Option<String> {
        self.routine.instruction(address)
    }

    fn further(&self, given: usize) -> Vec<String> {
        self.routine.further(given)
    }

    fn call_in<D: Domain>(
        &self,
        domain: D,
        buffers: &[Buffer<D::Word>],
        surroundings: Surroundings,
    ) -> Result<Finished<D>, Stopped> {
        self.routine.call_in(domain, buffers, self.surroundings(surroundings))
    }

    fn call_composed<D: Domain, C: Calls<D>>(
        &self,
        domain: D,
        buffers: &[Buffer<D::Word>],
        surroundings: Surroundings,
        calls: &mut C,
    ) -> Result<Finished<D>, Stopped> {
        self.routine.call_composed(domain, buffers, self.surroundings(surroundings), calls)
    }

    fn at(&self, entry: u64, stack_bytes: Option<u32>) -> Option<Self> {
        let routine = self.routine.at(entry, stack_bytes)?;
        Some(Inner { routine, preserves: self.preserves })
    }
}
