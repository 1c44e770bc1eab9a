//! Lines for processors with a few accumulators that take operands from memory: their columns are summed there. Words have
//! 16 bits.
//!
//! `cells` says where values stand; `select`, `column`, `pairs` and `half` choose what is done, `address` the registers that
//! point to operands. A processor says what it has ([`Units`], [`Pointing`]) and makes its instructions of [`Placed`] ones.

mod act;
mod address;
mod carryless;
mod cells;
mod column;
mod half;
mod pairs;
mod pool;
mod select;
mod stack;
mod state;
mod sum;

pub use act::{Act, Address, Placed, Product, Reg, Sum, Way, With};
pub use address::{Pointing, Region};
pub use stack::{Chosen, Frame, choose};

/// What a processor has.
#[derive(Clone, Copy, Debug)]
pub struct Units {
    /// How many accumulators.
    pub accumulators: u8,
    /// Temporary registers, those first that a routine need not preserve.
    pub temporaries: &'static [u8],
    /// Whether the factors of two products at once stand in the instruction in the other order.
    pub is_turned: fn(Product, Product) -> bool,
}

/// Why there is no routine of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unmade {
    /// A column of too many terms.
    #[error("a column does not fit the bits of an accumulator")]
    Wide,
    /// Too many sums at once.
    #[error("the accumulators are too few")]
    Accumulators,
    /// Too many masks at once.
    #[error("the temporary registers are too few")]
    Temporaries,
    /// Too many places in memory at once.
    #[error("the address registers are too few")]
    Pointers,
    /// An order of operations that columns have not.
    #[error("its words are used in an order that is not made")]
    Order,
    /// Anything else.
    #[error("{0} is not made")]
    Operation(&'static str),
}
