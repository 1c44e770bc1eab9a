//! The prover: finds what a certificate needs, or a counter-example.
//!
//! Nothing here is trusted: what it finds is checked by [`rhomb_certificate::check`].

mod apart;
mod binary;
mod calls;
mod causes;
mod compose;
mod exclude;
mod export;
mod inputs;
mod numbers;
mod refute;
mod right;
mod runs;
mod search;
mod timing;
mod uses;
mod verdict;
mod witness;

pub use compose::prove_inversion;
pub use export::{export_cryptoline, export_smt};
pub use refute::{CounterExample, Failure, Figures, Search, refute};
pub use search::{Obligation, Unproved, prove, prove_within};
pub use timing::{Bounds, Spread, Time, Timing, duration, residue, time, timing};
pub use verdict::{Budget, Reason, Verdict, decide, decide_after};
pub use witness::{Difference, Witness, WitnessCall};
