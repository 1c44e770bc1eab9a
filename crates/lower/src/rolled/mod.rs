//! Multiplications and squarings with loops: what all processors share.
//!
//! [`rhomb_kernel::rolled`] makes actions for each block. A processor gives their words registers ([`trees`]; [`allocate`] where
//! two neighbours are copied at once), and
//! says what its pointers, counters and branches are ([`Loops`], [`emit`]).

mod emit;
mod pairs;
mod tree;

pub use emit::{Counted, Loops, Span, Turns, Unfit, emit};
pub use pairs::{Allocation, Paired, Zero, allocate};
pub use tree::{Tree, Words, depth, trees};
