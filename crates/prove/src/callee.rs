//! Called routines, and what shows that they keep their contracts.

use crate::refute::refute;
use crate::unproved::Unproved;
use crate::whole::prove_either;
use rhomb_certificate::{CalledRoutine, Certificate, Contract, check_within};
use rhomb_machine::{Callee, Fault, Routine};

/// Instructions by which it is found out which contract a called routine might keep.
const FIRST_LOOK: u64 = 100_000;

/// A routine that was called, and what shows that it keeps its contract.
pub(crate) struct Proved {
    pub(crate) contract: Contract,
    pub(crate) callee: Callee,
    pub(crate) shown: CalledRoutine,
}

/// What one execution has called.
#[derive(Default)]
pub(crate) struct Called {
    pub(crate) proved: Vec<Proved>,
    /// What keeps no contract that it might, and was executed.
    pub(crate) executed: Vec<u64>,
}

impl Called {
    /// What the routine at an entry does, if it is proved; `prove` is asked once.
    pub(crate) fn callee(&mut self, entry: u64, prove: impl FnOnce() -> Option<Proved>) -> Option<Callee> {
        if !self.executed.contains(&entry) && self.known(entry).is_err() {
            match prove() {
                Some(proved) => self.proved.push(proved),
                None => self.executed.push(entry),
            }
        }
        self.known(entry).ok().map(|proved| proved.callee.clone())
    }

    /// What is proved of the routine at an entry.
    pub(crate) fn known(&self, entry: u64) -> Result<&Proved, Fault> {
        let known = self.proved.iter().find(|proved| proved.shown.entry == entry);
        known.ok_or_else(|| Fault::NotModelled { what: "a call of what is not known".to_owned() })
    }

    /// The certificates of all.
    pub(crate) fn certificates(self) -> Vec<Certificate> {
        self.proved.into_iter().map(|proved| proved.shown.certificate).collect()
    }
}

/// Proves that the routine at an entry of the same code, called by the same convention or its inner one, keeps a contract; `whole`
/// is the effort for a proof that may be a composition.
///
/// # Errors
/// Why that is not shown.
pub(crate) fn proved<R: Routine>(
    routine: &R,
    (entry, inner): (u64, bool),
    contract: &Contract,
    whole: u64,
    effort: u64,
) -> Result<Proved, Unproved> {
    let refused = |what: &str| Unproved::Composition(format!("{contract} at {entry:#x}: {what}"));
    let own = |stack| routine.at(entry, stack, inner).ok_or_else(|| refused("no routine begins there"));
    let bits = routine.word_bits();
    let search = refute(&own(None)?, contract, FIRST_LOOK);
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
    let certificate = prove_either(&routine, contract, whole, effort)?;
    check_within(&routine, &certificate, effort)
        .map_err(|error| refused(&format!("the checker does not accept the proof: {error}")))?;
    // all ways to share memory were proved
    let callee = Callee {
        inner,
        result_on: contract.patterns().iter().map(|pattern| pattern.result_on).collect(),
        ..Callee::of_pointers(contract.result(bits), contract.operands(bits), stack_bytes)
    };
    let shown = CalledRoutine { entry, inner, stack_bytes, certificate };
    Ok(Proved { contract: *contract, callee, shown })
}
