//! Whole programs as compositions of routines that keep contracts.
//!
//! A program is executed once, but for calls of routines that are shown to keep contracts; such a call is what the contract says. What
//! the program leaves is compared with its specification. Who shows that a called routine keeps its contract is asked through [`Keeps`]:
//! a prover, or the list in a [`Composition`]. All that is here is trusted, as the checker of certificates is, and searches nothing.

mod called;
mod check;
mod choices;
mod exponentiation;
mod inverse;
mod multiplications;
mod over_powers;
mod over_terms;
mod powers;
mod program;
mod routines;
mod schemes;
mod terms;
mod unshown;

pub use called::Keeps;
pub use check::{Composition, CompositionError, FORMAT, check_composition};
pub use program::{CurveProgram, Program, ProgramError, follow};
pub use unshown::Unshown;
