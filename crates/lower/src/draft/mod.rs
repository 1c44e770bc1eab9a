//! Drafts: straight lines of instructions before they have registers, for processors without a carry flag, with an
//! accumulator or without.
//!
//! [`words`] writes lines of words as drafts, [`chains`] sums, [`products`], [`squares`] and [`splits`] products; a [`Sum`] keeps a
//! column in the accumulator, whatever that can do ([`Abilities`]). [`arranged`] gives instructions an order and registers
//! at the same time, by the clock of a [`Core`].

mod adder;
mod arrange;
mod arrays;
mod chain;
mod choose;
mod columns;
mod comb;
mod core;
mod form;
mod forward;
mod split;
mod squaring;
mod sum;
mod values;
mod waits;
mod way;
mod words;
mod writer;

pub use self::core::{Abilities, Clock, Core, Facts, Fault, Ring, Setting, best};
pub use arrays::Frame;
pub use chain::chains;
pub use choose::{Registers, Tried, arranged};
pub use columns::{product, products};
pub use comb::{comb, comb_words};
pub use form::{Act, Change, Draft, Made, Memory, Name, Pair, Part, ZERO};
pub use split::{split_words, splits};
pub use squaring::squares;
pub use sum::Sum;
pub use words::{joined, words};
