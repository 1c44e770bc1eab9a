//! The kernel matrix: every method, size and parameter, run from its bytes on our own simulator; beside it
//! the figures that the kernels must reach, and golden texts.

#[cfg(feature = "oracles")]
mod armulator;
mod cases;
mod chains;
mod columns;
mod contracts;
mod golden;
mod interlocked;
mod looped;
mod requests;
mod run;
mod splits;
#[cfg(feature = "oracles")]
mod unicorn;
