//! Drafts: straight lines of instructions before they have registers, for processors without a carry flag, with an
//! accumulator or without.
//!
//! [`words()`] makes routines of lines of words, [`routine()`] of sums and products. A [`Sum`] keeps a column in the accumulator,
//! whatever that can do ([`Abilities`]); without one, words wait in registers. Instructions get an order and registers at the
//! same time, by the clock of a [`Core`].

mod adder;
mod arrange;
mod arrays;
mod chain;
mod choose;
mod columns;
mod comb;
mod core;
mod fit;
mod form;
mod forward;
mod numbers;
mod routine;
mod split;
mod squaring;
mod sum;
mod values;
mod waiting;
mod waits;
mod walked;
mod way;
mod words;
mod writer;

pub use self::core::{Abilities, Clock, Core, Facts, Fault, Ring, Setting, best};
pub use arrays::Frame;
pub use choose::Registers;
pub use form::{Act, Change, Draft, Made, Memory, Name, Pair, Part, ZERO};
pub use routine::{Kernel, Product, Routines, comb, roads, routine, unmade, words};
pub use sum::Sum;
