//! Called routines, and what shows that they keep their contracts.

use crate::provable::Provable;
use crate::refute::refute;
use crate::unproved::Unproved;
use crate::whole::prove_either;
use rhomb_certificate::{CalledRoutine, Contract, check_within};

/// Instructions by which it is found out which contract a called routine might keep.
const FIRST_LOOK: u64 = 100_000;

/// Proves that the routine at an entry of the same code, called by the same convention or its inner one, keeps a contract; `whole`
/// is the effort for a proof that may be a composition.
///
/// # Errors
/// Why that is not shown.
pub(crate) fn proved(
    routine: &dyn Provable,
    (entry, inner): (u64, bool),
    contract: &Contract,
    whole: u64,
    effort: u64,
) -> Result<CalledRoutine, Unproved> {
    let refused = |what: &str| Unproved::Composition(format!("{contract} at {entry:#x}: {what}"));
    let own =
        |stack| routine.provable_at(entry, stack, inner).ok_or_else(|| refused("no routine begins there"));
    let search = refute(&*own(None)?, contract, FIRST_LOOK);
    if search.found.is_some() {
        return Err(refused("refuted"));
    }
    if let Some(stopped) = search.stopped {
        return Err(stopped.into());
    }
    let figures = search.figures.ok_or_else(|| refused("no call of it came to its end"))?;
    // what it takes of the stack is proved with it
    let stack_bytes = figures.stack_bytes;
    let routine = own(Some(stack_bytes))?;
    let certificate = prove_either(&*routine, contract, whole, effort)?;
    check_within(&*routine, &certificate, effort)
        .map_err(|error| refused(&format!("the checker does not accept the proof: {error}")))?;
    Ok(CalledRoutine { entry, inner, stack_bytes, certificate })
}
