//! Kernels written by hand in the manner of the literature, on which the prover is tested. Each file is a
//! family, each function gives the instructions of a whole function for a number of bytes.

pub mod add_sub;
mod assembler;
pub mod branched;
mod catalogue;
pub mod frames;
pub mod karatsuba;
pub mod looped;
pub mod shift_add;
pub mod squaring;

pub use catalogue::{Sample, catalogue};
