//! The kernel matrix: every method, size and parameter, run from its bytes on our own simulator, and
//! with the feature `oracles` on other people's simulators and through the GNU assembler. Beside it the
//! figures that the kernels must reach, golden texts, and proof that the checks notice broken kernels.

mod case;
mod conventions;
mod cores;
mod figures;
mod golden;
mod kernels;
mod limits;
mod looped;
mod mutants;
mod mutations;
#[cfg(feature = "oracles")]
mod oracles;
mod routine;
mod run;
mod simulate;
mod tasks;
