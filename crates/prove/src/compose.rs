//! Whole programs as compositions, whose called routines are proved when they are called first.

use crate::callee::proved;
use crate::provable::Provable;
use crate::unproved::Unproved;
use crate::whole::WHOLE;
use rhomb_certificate::{CalledRoutine, Contract, sha256};
use rhomb_composition::{Composition, FORMAT, Keeps, Program, follow};

/// The routines that were proved.
struct Proving<'r> {
    routine: &'r dyn Provable,
    effort: u64,
    calls: Vec<CalledRoutine>,
}

impl Keeps for Proving<'_> {
    fn keeps(&mut self, at: (u64, bool), contract: &Contract) -> Option<u32> {
        let shown = proved(self.routine, at, contract, WHOLE, self.effort).ok()?;
        let stack_bytes = shown.stack_bytes;
        self.calls.push(shown);
        Some(stack_bytes)
    }
}

/// Proves that a routine computes what a program is to compute; gives its certificate, whose parts have passed the checker. `effort` is for
/// each routine that is called, too.
///
/// # Errors
/// Where it calls others than proved routines for what depends on the operands, or computes something else.
pub fn prove_composition(
    routine: &dyn Provable,
    program: impl Into<Program>,
    effort: u64,
) -> Result<Composition, Unproved> {
    let program = program.into();
    let mut proving = Proving { routine, effort, calls: Vec::new() };
    follow(routine, &program, &mut proving, effort)?;
    Ok(Composition {
        format: FORMAT.into(),
        routine: routine.identity(),
        program: program.to_string(),
        code_sha256: sha256(&routine.code()),
        relocations: routine.relocations().to_vec(),
        calls: proving.calls,
    })
}
