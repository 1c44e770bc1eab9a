//! Certificates that somebody has tampered with, or made up.

// the processors over the domains of proofs are compiled there, and not once more
use rhomb_targets as _;

mod argument;
mod claims;
mod exclusions;
mod files;
mod kernels;
mod lemmas;
mod text;
