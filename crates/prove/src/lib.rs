//! The prover: finds what a certificate needs, or a counter-example.
//!
//! Nothing here is trusted: what it finds is checked by [`rhomb_certificate::check`].

mod runs;
mod search;
mod uses;

pub use search::{Obligation, Unproved, prove};
