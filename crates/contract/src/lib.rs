//! Contracts: what a routine is to compute, from which operands, and how these lie in memory.
//!
//! The grammar is that of docs/contracts.md. Whoever reads a certificate trusts this crate: it says what
//! was proved.

mod contract;
mod modular;
mod modulus;
mod pattern;

pub use contract::{Contract, ContractError, Expression, MOST_BITS};
pub use modular::{Modular, ModularOperation};
pub use modulus::{MOST_MODULUS_BITS, Modulus, ModulusError};
pub use pattern::Pattern;
