//! Kernels: from what is to be computed to lines.

mod chain;
mod code;
mod linear;
mod multiplication;
mod passes;
mod squaring;

pub use chain::chain;
pub use code::Code;
pub use multiplication::{MOST_WORDS, multiplication, multiplication_unchecked};
pub use squaring::squaring;
