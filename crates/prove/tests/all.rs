//! All tests of the prover in one program: the prover is compiled once for each processor.

mod arm;
mod beyond;
mod binary;
mod c55x;
mod deep;
mod edges;
mod effort;
mod fields;
mod foreign;
mod inversion;
mod looped;
mod methods;
mod mips;
mod modular;
mod museum;
mod mutation;
mod placement;
mod places;
mod programs;
mod samples;
mod split;
mod squaring;
mod tasks;
mod timing;
mod verdict;
mod wide;
