//! Certificates of compositions, and their checker.

use crate::called::Keeps;
use crate::program::{Program, ProgramError, follow};
use crate::unshown::Unshown;
use rhomb_certificate::{CalledRoutine, CheckError, Checkable, Contract, EFFORT, check_called, same_code};
use serde::{Deserialize, Serialize};

/// The name of the format.
pub const FORMAT: &str = "rhomb composition 1";

/// All that is needed to see again that a routine is a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Composition {
    /// [`FORMAT`].
    pub format: String,
    /// Core and convention.
    pub routine: String,
    /// What it computes, as the text of a [`Program`].
    pub program: String,
    /// SHA-256 of the code bytes, in hexadecimal.
    pub code_sha256: String,
    /// What the proof rests on of what a linker is still to fill in, one entry each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub relocations: Vec<String>,
    /// The routines that it calls, each with what shows that it keeps a contract.
    pub calls: Vec<CalledRoutine>,
}

/// Why a certificate of a composition does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompositionError {
    /// Another format.
    #[error("format '{0}' is not '{FORMAT}'")]
    Format(String),
    /// For other code; or the certificate of a called routine does not hold.
    #[error(transparent)]
    Check(#[from] CheckError),
    /// It names no program.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// More than one contract of a routine, or one of a routine that is not called.
    #[error("the routine at {0:#x} is named twice, or is not called")]
    Call(u64),
    /// The program is not what the certificate says.
    #[error(transparent)]
    Unshown(#[from] Unshown),
}

/// The routines that a certificate names, and whether they were asked for.
struct Named<'c> {
    routines: Vec<(&'c CalledRoutine, Contract)>,
    asked: Vec<bool>,
}

impl Keeps for Named<'_> {
    fn keeps(&mut self, at: (u64, bool), contract: &Contract) -> Option<u32> {
        let is_own =
            |(own, kept): &(&CalledRoutine, Contract)| (own.entry, own.inner) == at && kept == contract;
        let index = self.routines.iter().position(is_own)?;
        self.asked[index] = true;
        Some(self.routines[index].0.stack_bytes)
    }
}

/// Replays the certificate of a composition: checks those of the called routines, follows the program with them, and compares what it
/// leaves with its specification. Gives what the routine computes. What the check costs is bounded, whatever the certificate says.
///
/// # Errors
/// Why it does not hold.
pub fn check_composition(
    routine: &dyn Checkable,
    composition: &Composition,
) -> Result<Program, CompositionError> {
    let Composition { format, routine: identity, program, code_sha256, relocations, calls } = composition;
    if format != FORMAT {
        return Err(CompositionError::Format(format.clone()));
    }
    same_code(routine, (identity, code_sha256, relocations))?;
    let program: Program = program.parse()?;
    let mut left = EFFORT;
    let mut named = Named { routines: Vec::new(), asked: vec![false; calls.len()] };
    for own in calls {
        if named.routines.iter().any(|(other, _)| other.entry == own.entry) {
            return Err(CompositionError::Call(own.entry));
        }
        named.routines.push((own, check_called(routine, own, &mut left)?));
    }
    follow(routine, &program, &mut named, EFFORT)?;
    match named.asked.iter().position(|asked| !asked) {
        Some(index) => Err(CompositionError::Call(calls[index].entry)),
        None => Ok(program),
    }
}
