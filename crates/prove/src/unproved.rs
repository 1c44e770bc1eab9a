//! What could not be shown.

use rhomb_composition::Unshown;
use rhomb_machine::Stopped;

/// Why there is no proof.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unproved {
    /// The execution does not come to its end.
    #[error("{0}")]
    Stopped(#[from] Stopped),
    /// The convention is broken, or result words are missing.
    #[error("{0}")]
    Breach(String),
    /// Terms of the result's error that are not shown to vanish.
    #[error("{} terms of the result are not shown to vanish", .0.len())]
    Open(Vec<Obligation>),
    /// The search takes longer than it may.
    #[error("effort exhausted after {0} terms")]
    Effort(u64),
    /// Coefficients of a polynomial over GF(2) that are not shown to be right.
    #[error(
        "{count} coefficients of the result are not shown to be right, the lowest of them that of x^{lowest}"
    )]
    Coefficients {
        /// How many.
        count: usize,
        /// The lowest.
        lowest: u32,
    },
    /// A program that is no composition of routines that are proved.
    #[error("{0}")]
    Composition(String),
    /// What other tools are not told.
    #[error("{0} is not written for other tools")]
    NotWritten(&'static str),
}

impl From<Unshown> for Unproved {
    fn from(unshown: Unshown) -> Self {
        match unshown {
            Unshown::Stopped(stopped) => Unproved::Stopped(stopped),
            Unshown::Breach(breach) => Unproved::Breach(breach),
            Unshown::Other(what) => Unproved::Composition(what),
        }
    }
}

/// A term of the result's error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligation {
    /// Byte addresses of the instructions that made its variables.
    pub addresses: Vec<u32>,
    /// Its weight in the result.
    pub weight: String,
}
