//! All tests of the crate in one program: what they are made for is compiled once.

mod argument;
mod executor;
mod field;
mod lines;
mod others;
mod polynomial;
mod reduce;
mod scalar;
mod signatures;
