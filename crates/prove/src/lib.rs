//! The prover: finds what a certificate needs, or a counter-example.
//!
//! Nothing here is trusted: what it finds is checked by [`rhomb_certificate::check`].

mod apart;
mod binary;
mod callee;
mod calls;
mod causes;
mod chosen;
mod combination;
mod compose;
mod exclude;
mod export;
mod inputs;
mod numbers;
mod products;
mod provable;
mod reason;
mod reductions;
mod refute;
mod right;
mod rungs;
mod runs;
mod search;
mod timing;
mod unproved;
mod uses;
mod verdict;
mod whole;
mod witness;

pub use compose::prove_composition;
pub use export::{export_cryptoline, export_smt};
pub use products::{prove_by_products, prove_with_calls};
pub use provable::Provable;
pub use reason::Reason;
pub use refute::{CounterExample, Figures, Search, keeps_once, refute};
pub use right::Failure;
pub use search::{prove, prove_within};
pub use timing::{Bounds, Spread, Time, Timing, duration, residue, time, timing};
pub use unproved::{Obligation, Unproved};
pub use verdict::{Budget, Verdict, decide, decide_after};
pub use witness::{Difference, Witness, WitnessCall};
