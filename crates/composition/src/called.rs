//! Called routines that keep contracts.

use rhomb_certificate::Contract;
use rhomb_machine::{Callee, Fault};

/// Who says which routines keep contracts. What it says is believed.
pub trait Keeps {
    /// Whether the routine at an entry keeps a contract, called by the convention or its inner one: the bytes of stack that it takes
    /// at most. It is asked until it says so for one contract, and then not again for that entry.
    fn keeps(&mut self, at: (u64, bool), contract: &Contract) -> Option<u32>;
}

/// A routine that keeps a contract.
pub(crate) struct Known {
    entry: u64,
    pub(crate) contract: Contract,
    pub(crate) callee: Callee,
}

impl Known {
    /// The routine at an entry with that contract, for words of so many bits, where it is said to keep it.
    pub(crate) fn of(
        keeps: &mut dyn Keeps,
        (entry, inner): (u64, bool),
        contract: &Contract,
        bits: u32,
    ) -> Option<Known> {
        let stack_bytes = keeps.keeps((entry, inner), contract)?;
        // all ways to share memory were proved
        let callee = Callee {
            inner,
            result_on: contract.patterns().iter().map(|pattern| pattern.result_on).collect(),
            ..Callee::of_pointers(contract.result(bits), contract.operands(bits), stack_bytes)
        };
        Some(Known { entry, contract: *contract, callee })
    }
}

/// What one execution has called.
#[derive(Default)]
pub(crate) struct Called {
    known: Vec<Known>,
    /// What keeps no contract that it might, and was executed.
    pub(crate) executed: Vec<u64>,
}

impl Called {
    /// What the routine at an entry does, if it keeps a contract; `find` is asked once.
    pub(crate) fn callee(&mut self, entry: u64, find: impl FnOnce() -> Option<Known>) -> Option<Callee> {
        if !self.executed.contains(&entry) && self.known(entry).is_err() {
            match find() {
                Some(known) => self.known.push(known),
                None => self.executed.push(entry),
            }
        }
        self.known(entry).ok().map(|known| known.callee.clone())
    }

    /// What is known of the routine at an entry.
    pub(crate) fn known(&self, entry: u64) -> Result<&Known, Fault> {
        let known = self.known.iter().find(|known| known.entry == entry);
        known.ok_or_else(|| Fault::NotModelled { what: "a call of what is not known".to_owned() })
    }

    /// Whether no routine keeps a contract.
    pub(crate) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }
}
