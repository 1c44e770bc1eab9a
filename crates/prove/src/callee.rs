//! Called routines, and what shows that they keep their contracts.

use crate::refute::refute;
use crate::whole::{Proof, prove_either};
use rhomb_certificate::{Certificate, Contract, check_within};
use rhomb_machine::{Callee, Fault, Routine};

/// Instructions by which it is found out which contract a called routine might keep.
const FIRST_LOOK: u64 = 30_000;

/// A routine that was called, and what shows that it keeps its contract.
pub(crate) struct Proved {
    entry: u64,
    pub(crate) contract: Contract,
    pub(crate) callee: Callee,
    pub(crate) certificates: Vec<Certificate>,
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
        if !self.executed.contains(&entry) && !self.proved.iter().any(|proved| proved.entry == entry) {
            match prove() {
                Some(proved) => self.proved.push(proved),
                None => self.executed.push(entry),
            }
        }
        self.proved.iter().find(|proved| proved.entry == entry).map(|proved| proved.callee.clone())
    }

    /// What is proved of the routine at an entry.
    pub(crate) fn known(&self, entry: u64) -> Result<&Proved, Fault> {
        let known = self.proved.iter().find(|proved| proved.entry == entry);
        known.ok_or_else(|| Fault::NotModelled { what: "a call of what is not known".to_owned() })
    }

    /// The certificates of all.
    pub(crate) fn certificates(self) -> Vec<Certificate> {
        self.proved.into_iter().flat_map(|proved| proved.certificates).collect()
    }
}

/// Proves that the routine at an entry of the same code, called by the same convention or its inner one, keeps a contract; `whole`
/// is the effort for a proof that may be a composition.
pub(crate) fn proved<R: Routine>(
    routine: &R,
    (entry, inner): (u64, bool),
    contract: &Contract,
    whole: u64,
    effort: u64,
) -> Option<Proved> {
    let bits = routine.word_bits();
    let search = refute(&routine.at(entry, None, inner)?, contract, FIRST_LOOK);
    let figures = search.figures.filter(|_| search.found.is_none() && search.stopped.is_none())?;
    // what it takes of the stack is proved with it
    let routine = routine.at(entry, Some(figures.stack_bytes), inner)?;
    let certificates = match prove_either(&routine, contract, whole, effort).ok()? {
        Proof::Whole(certificate) => {
            check_within(&routine, &certificate, effort).ok()?;
            vec![certificate]
        }
        Proof::Composed(certificates) => certificates,
    };
    let (result, operands) = (contract.result(bits), contract.operands(bits));
    // all ways to share memory were proved
    let in_place = contract.patterns().len() > 1;
    let callee = Callee { result, operands, stack_bytes: figures.stack_bytes, inner, in_place };
    Some(Proved { entry, contract: *contract, callee, certificates })
}
