//! All tests of the crate in one program: what they are made for is compiled once.

mod accumulate;
mod counts;
mod execute;
mod rolled;
mod rolled_squaring;
mod split;
mod squaring;
mod windows;
