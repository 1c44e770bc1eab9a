//! Exact integer polynomials and ranges: the arithmetic of proofs.
//!
//! Nothing is rounded. Coefficients of polynomials are machine integers with overflow checks, because
//! what a register holds is small; sums over a whole program use [`Dyadic`], which grows.

mod bilinear;
mod bounded;
mod dyadic;
mod polynomial;
mod range;
mod sum;

pub use bilinear::bilinear_range;
pub use bounded::{BoundedNumber, bounded_range};
pub use dyadic::{Dyadic, Total};
pub use polynomial::{Monomial, Polynomial, Variable};
pub use range::{apply_known, sum_range};
pub use sum::Sum;
