//! The kernel matrix: every method, size and parameter on every core, run from its bytes on our own simulator; beside
//! it the figures that the kernels must reach.

mod cases;
mod chains;
mod columns;
mod figures;
mod looped;
mod requests;
mod run;
