//! The prover: finds what a certificate needs, or a counter-example.
//!
//! Nothing here is trusted: what it finds is checked by [`rhomb_certificate::check`].

mod search;

pub use search::{Obligation, Unproved, prove};
