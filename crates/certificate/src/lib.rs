//! What a proof rests on.
//!
//! A routine is executed over [`Equations`], a domain in which every instruction gives an exact
//! equation between new variables. A statement about its result is an identity between polynomials;
//! substituting the equations leaves the carries that the code dropped, and for each of these a
//! [`Claim`] says how to see that it is constant. This crate executes, substitutes and checks claims; it
//! searches nothing. Whatever finds the claims (the prover) is not trusted.

mod certificate;
mod claim;
mod contract;
mod equations;
mod execution;
mod graph;
mod reduce;
mod tabulate;
mod value;

pub use certificate::{Certificate, CheckError, FORMAT, PatternProof, check, sha256};
pub use claim::{Claim, Manner, Rung, accept, settle};
pub use contract::{Contract, ContractError, MOST_BITS, Pattern};
pub use equations::Equations;
pub use execution::{Execution, execute};
pub use graph::{Equation, Graph};
pub use reduce::{Reduction, Sum, View};
pub use value::{Deferred, Flag, Pointer, Value};
