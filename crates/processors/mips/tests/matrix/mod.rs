//! The kernel matrix: every method, size and parameter on every core, run from its bytes on our own simulator; beside
//! it the figures that the kernels must reach.

#[cfg(feature = "oracles")]
mod assembled;
// the operands of 32-bit words are those of ARM
#[path = "../../../arm/tests/matrix/cases.rs"]
mod cases;
mod chains;
mod columns;
mod figures;
mod looped;
mod requests;
mod run;
mod splits;
#[cfg(feature = "oracles")]
mod unicorn;
