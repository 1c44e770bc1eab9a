//! Kernels: from what is to be computed to lines.

mod chain;
mod code;
mod exponentiation;
mod framed;
mod karatsuba;
mod linear;
mod montgomery;
mod multiplication;
mod passes;
mod place;
mod squaring;

pub use chain::chain;
pub use code::Code;
pub use exponentiation::{Exponentiation, Ladder};
pub use framed::framed;
pub use karatsuba::{split_multiplication, split_squaring};
pub use montgomery::{Correction, montgomery_fixed, montgomery_multiplication, montgomery_squaring};
pub use multiplication::{MOST_WORDS, multiplication, multiplication_unchecked};
pub use squaring::squaring;
