//! Contracts: what a routine is to compute, from which operands, and how these lie in memory.
//!
//! The grammar is that of docs/contracts.md. Whoever reads a certificate trusts this crate: it says what
//! was proved.

mod any_modulus;
mod binary;
mod contract;
mod modular;
mod modulus;
mod pattern;
mod polynomial;
mod prime;

pub use any_modulus::AnyModulus;
pub use binary::{Binary, BinaryOperation};
pub use contract::{Contract, ContractError, Expression, MOST_BITS};
pub use modular::{Modular, ModularOperation};
pub use modulus::{MOST_MODULUS_BITS, Modulus, ModulusError};
pub use pattern::Pattern;
pub use polynomial::{BinaryPolynomial, MOST_DEGREE, PolynomialError};
pub use prime::{is_irreducible, is_prime};
