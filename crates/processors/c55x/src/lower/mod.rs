//! Kernels: from what is to be computed to lines.

mod chain;
mod code;
mod doubles;
mod exponentiation;
mod framed;
mod integrated;
mod karatsuba;
mod line;
mod linear;
mod location;
mod montgomery;
mod multiplication;
mod parts;
mod passes;
mod program;
mod scanning;
mod squaring;

pub use chain::chain;
pub use code::Code;
pub use exponentiation::{Exponentiation, Ladder};
pub use framed::framed;
pub use karatsuba::{Leaf, split_multiplication, split_squaring};
pub use line::{LineError, line};
pub use montgomery::{Correction, Montgomery, montgomery, montgomery_fixed, workspace_words};
pub use multiplication::{MOST_WORDS, multiplication, multiplication_unchecked};
pub use parts::parts_multiplication;
pub use program::{ProgramFault, program};
pub use scanning::{operand_scanning, single_product_scanning};
pub use squaring::squaring;
