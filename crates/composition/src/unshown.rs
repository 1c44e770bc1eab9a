//! What a program was not shown to do.

use rhomb_machine::Stopped;

/// Why a program is not shown to be what it is held against.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unshown {
    /// The execution does not come to its end.
    #[error("{0}")]
    Stopped(#[from] Stopped),
    /// The convention is broken.
    #[error("{0}")]
    Breach(String),
    /// It computes something else, or what cannot be followed.
    #[error("{0}")]
    Other(String),
}

impl Unshown {
    pub(crate) fn other(what: &str) -> Self {
        Unshown::Other(what.to_owned())
    }
}
