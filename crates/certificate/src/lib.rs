//! What a proof rests on, beside the equations of the instructions.
//!
//! A routine is executed over [`rhomb_equations::Equations`]. A statement about its result is an
//! identity between polynomials; substituting the equations leaves the carries that the code dropped.
//! For each of these a [`Claim`] says how to see that it is constant; a [`Lemma`] says what number a run
//! of words is, so that nested products need not be looked into again. This crate executes, substitutes
//! and checks; it searches nothing. Whatever finds claims and lemmas (the prover) is not trusted.
//! Over GF(2) it executes over [`rhomb_anf::NormalForms`], and compares.
//!
//! To be read from top to bottom, each file uses none but those before it: `modulo`, `lemma`, `facts`, `reduce`, `claim`,
//! `exclusion`, `accept`, `reduced`, `calls`, `compared`, `checkable`, `execution`, `binary`, `certificate`.

mod accept;
mod binary;
mod calls;
mod certificate;
mod checkable;
mod claim;
mod compared;
mod exclusion;
mod execution;
mod facts;
mod lemma;
mod modulo;
mod reduce;
mod reduced;

pub use accept::{LemmaError, MOST_CASES};
pub use binary::{BinaryExecution, execute_binary};
pub use calls::Callees;
pub use certificate::{
    CalledRoutine, Certificate, CheckError, FORMAT, PatternProof, Step, check, check_called, check_within,
    kept, same_code, sha256, take,
};
pub use checkable::Checkable;
pub use claim::{Claim, Manner, Rung, settle_within};
pub use exclusion::{Exclusion, MOST_BITS_AT_ONCE, open_assignments, vanishes};
pub use execution::{Execution, Reading, execute, execute_composed};
pub use facts::{Argument, EFFORT, Facts};
pub use lemma::Lemma;
pub use modulo::Modulo;
pub use reduce::{Reduction, View};
pub use reduced::{Difference, NoBorrow, Reduced, Taken};
pub use rhomb_contract::{
    AnyModulus, BigEndian, Binary, Bound, Bounds, Computation, Contract, ContractError, Expression, Factor,
    Family, Limbs, MOST_BITS, Misfit, Modular, Modulus, Operation, Pattern, Prototype, Returned, Second,
    Whole, Word, negative_inverse, words,
};
pub use rhomb_poly::Sum;
