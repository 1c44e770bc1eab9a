//! Products that take words with them and destroy these: `x * y + low + high` into the registers of `low` and `high`.
//!
//! Words wait in columns, as in `draft` (its `waiting.rs`), but no carry ever comes about, so that nothing is added: a product
//! takes two words of its column, leaves one there and one in the next, and a column that has met all its products with one
//! word left is final. A product that finds one word takes a zero with it, or begins anew with none, and one word more waits
//! then. In a column `k` with `p` products, of which `u` begin anew and `z` take a zero, `p' + 2 u + z - p = 1`, where `p'` are the
//! products of column `k - 1`: the whole product of `n` words costs `n` products that begin anew and no zero at the least, and a
//! zero is the price of an order that saves loads.
//!
//! Neither of the other roads has such a product: a step of `draft` has two operands and one result, which destroys nothing,
//! and its sums are comparisons; `allocate` takes a line whose order is settled, and carries in a flag. Here order, the columns'
//! beginnings and registers are one choice, made by a search from a seed: each candidate gets its registers ([`fit`], by the
//! furthest next use, numbers made again, operand words loaded again, pointers being words that end with the last load), its
//! loads stand in groups ([`group`]), and its cycles are counted.

mod columns;
mod fit;
mod group;
mod line;
mod search;

pub use search::{MOST_WORDS, candidates, found, line, routine};

use crate::file::Register;

/// What the core has for such products, and what it takes.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Where the addresses of the result and of the operands are at the call.
    pub arguments: [Register; 3],
    /// Registers that need not be preserved, those of the arguments among them.
    pub scratch: Vec<Register>,
    /// Registers that must be preserved.
    pub preserved: Vec<Register>,
    /// The one of these with the address to return to, which is saved with any other.
    pub link: Register,
    /// How many instructions make a number.
    pub number: fn(u32) -> u64,
    /// Whether one instruction keeps just these bits.
    pub masks: fn(u32) -> bool,
    /// Words that registers beside these hold, to which nothing but moves has access.
    pub bank: usize,
    /// Cycles.
    pub times: Times,
}

/// Cycles of instructions; products and sums take one, numbers one for each instruction that makes them.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// A load.
    pub load: u64,
    /// A load right after a load whose result it does not need.
    pub next_load: u64,
    /// A store.
    pub store: u64,
    /// A move to the bank or from it.
    pub moved: u64,
    /// Saving and restoring a register.
    pub saved: u64,
    /// Saving, restoring and returning, beside that.
    pub call: u64,
    /// Returning where nothing was saved.
    pub leaf: u64,
}

/// What words are in memory, or in the bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A word behind an address in a register.
    Behind(Register, usize),
    /// A word of the stack that is the routine's own, the lowest first.
    Frame(usize),
    /// A word of the bank, which is no memory.
    Bank(usize),
    /// Where the address in one of [`Setting::arguments`] was saved at the call.
    Argument(usize),
}

/// An instruction with its registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placed {
    /// `high:low = x * y`. Of different factors one may stand where a word of it goes; else none does.
    Product {
        /// Factors.
        factors: [Register; 2],
        /// Low and high word.
        to: [Register; 2],
    },
    /// `high:low = x * y + low + high`.
    Accumulate {
        /// Factors.
        factors: [Register; 2],
        /// Low and high word.
        to: [Register; 2],
    },
    /// `to = x + y + carry`. Nothing but these and differences touches the carry.
    Sum {
        /// Sum.
        to: Register,
        /// The first word.
        x: Register,
        /// The second word, or nothing.
        y: Option<Register>,
        /// Whether the carry is added.
        carry_in: bool,
        /// Whether somebody takes the carry that this makes.
        carry_out: bool,
    },
    /// `to = x - y - borrow`.
    Difference {
        /// Difference.
        to: Register,
        /// The first word.
        x: Register,
        /// The second word, or nothing.
        y: Option<Register>,
        /// Whether the borrow is subtracted.
        borrow_in: bool,
        /// Whether somebody takes the borrow that this makes.
        borrow_out: bool,
    },
    /// All ones where there is a borrow, else zero.
    Spread {
        /// Where to.
        to: Register,
    },
    /// The low word of `x * y`, in another register than those.
    Low {
        /// The word.
        to: Register,
        /// Factors.
        factors: [Register; 2],
    },
    /// The bits that two words share.
    And {
        /// Those bits.
        to: Register,
        /// The first word.
        x: Register,
        /// The second word.
        y: Register,
    },
    /// `x` with nothing but the bits of a number.
    Mask {
        /// What is left.
        to: Register,
        /// The word.
        x: Register,
        /// The bits that stay.
        bits: u32,
    },
    /// `-x`.
    Negate {
        /// The difference of zero and the word.
        to: Register,
        /// The word.
        x: Register,
    },
    /// All ones less `x`.
    Not {
        /// The complement.
        to: Register,
        /// The word.
        x: Register,
    },
    /// `x`, a word of 32 bits, shifted.
    Shift {
        /// Where to.
        to: Register,
        /// The word.
        x: Register,
        /// Whether to the left; else to the right, zeros entering.
        up: bool,
        /// By how many bits.
        by: u32,
    },
    /// `to = number`.
    Number {
        /// Where to.
        to: Register,
        /// The number.
        number: u32,
    },
    /// A word from its place.
    Load {
        /// Where to.
        to: Register,
        /// Where from.
        place: Place,
    },
    /// A word into its place.
    Store {
        /// What.
        from: Register,
        /// Where to.
        place: Place,
    },
}

/// A routine but for what encloses it.
#[derive(Clone, Debug)]
pub struct Routine {
    /// Its instructions.
    pub code: Vec<Placed>,
    /// The registers that it saves.
    pub saved: Vec<Register>,
    /// The arguments whose addresses are saved, by number.
    pub arguments: Vec<usize>,
    /// Words of the stack beside these.
    pub frame: usize,
    /// Cycles from entry to return.
    pub cycles: u64,
}
