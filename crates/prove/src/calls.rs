//! Calls of a routine as its contract wants them.

use rhomb_certificate::{Contract, Pattern};

/// The contract's aliasing pattern of that name.
pub(crate) fn pattern_named(contract: &Contract, name: &str) -> Option<&'static Pattern> {
    contract.patterns().iter().find(|pattern| pattern.name == name)
}
