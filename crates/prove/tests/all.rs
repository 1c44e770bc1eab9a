//! All tests of the prover in one program.

// the processors over the domains of proofs are compiled there, and not once more
use rhomb_targets as _;

mod argument;
mod arm;
mod beyond;
mod binary;
mod c55x;
mod composed;
mod deep;
mod double;
mod edges;
mod effort;
mod fields;
mod foreign;
mod halves;
mod inversion;
mod looped;
mod made;
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
mod thumb;
mod timing;
mod verdict;
mod wide;
