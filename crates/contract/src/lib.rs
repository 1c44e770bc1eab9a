//! Contracts: what a routine is to compute, from which operands, and how these lie in memory.
//!
//! The grammar is that of docs/contracts.md. Whoever reads a certificate trusts this crate: it says what
//! was proved.

mod any_modulus;
mod big_endian;
mod binary;
mod bound;
mod computation;
mod contract;
mod error;
mod limbs;
mod modular;
mod modulus;
mod operation;
mod pattern;
mod polynomial;
mod prime;
mod prototype;
mod whole;

pub use any_modulus::AnyModulus;
pub use big_endian::BigEndian;
pub use binary::Binary;
pub use bound::{Bound, Bounds};
pub use computation::Computation;
pub use contract::{Contract, Misfit, Word, negative_inverse};
pub use error::{ContractError, MOST_BITS};
pub use limbs::Limbs;
pub use modular::Modular;
pub use modulus::{MOST_MODULUS_BITS, Modulus, ModulusError, words};
pub use operation::{Expression, Factor, Family, Operation, Term};
pub use pattern::Pattern;
pub use polynomial::{BinaryPolynomial, MOST_DEGREE, PolynomialError};
pub use prime::{is_irreducible, is_prime};
pub use prototype::{Argument, Prototype, Returned};
pub use whole::{Second, Whole};
