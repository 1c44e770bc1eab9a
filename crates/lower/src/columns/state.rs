//! What is known while the instructions of a line are chosen.

use super::Units;
use super::cells::{Cell, Step, Values};
use super::pool::Pool;
use rhomb_line::Value;
use std::collections::HashMap;

/// A line whose instructions are chosen.
pub(super) struct Select<'a> {
    pub(super) units: &'a Units,
    pub(super) values: &'a mut Values,
    pub(super) pool: Pool,
    pub(super) steps: Vec<Step>,
    /// The column before, or two of them.
    pub(super) previous: Option<Previous>,
    /// The accumulator of the column that is added up.
    pub(super) current: Option<u8>,
    /// What the next column has already.
    pub(super) ahead: Option<Ahead>,
    /// Whether that column got products beside those of the one before.
    pub(super) is_second: bool,
    /// The largest value of the column that is added up.
    pub(super) most: u64,
    /// That of the one before, and what is above its words.
    pub(super) last_most: u64,
    pub(super) carried: u64,
    /// So much is too much in what the column before carries.
    pub(super) debt: u64,
    /// Bits of the columns that a difference's accumulator is set for.
    pub(super) bias: Option<i8>,
    /// Where products were last.
    pub(super) last_word: usize,
    /// A column over GF(2).
    pub(super) carryless: Carryless,
}

/// A column, or two, whose low words may still have to be stored.
pub(super) struct Previous {
    pub(super) ac: u8,
    /// By how much it goes down.
    pub(super) down: i8,
    pub(super) pending: Option<(Cell, bool)>,
    pub(super) values: [Option<Value>; 2],
    /// Whether what is carried is 1 less the borrow.
    pub(super) is_biased: bool,
}

/// Terms that the next column has already, by their places.
pub(super) struct Ahead {
    pub(super) ac: Option<u8>,
    pub(super) done: Vec<usize>,
}

/// A column over GF(2) and those before it, of words in four parts each.
#[derive(Default)]
pub(super) struct Carryless {
    /// The parts of the words.
    pub(super) parts: HashMap<Value, [Cell; 4]>,
    /// What is still to be multiplied.
    pub(super) pairs: Vec<[[Cell; 4]; 2]>,
    /// Whether the sum has the high word of the column before, and the mask is that of the last part.
    pub(super) is_carried: bool,
}

impl Carryless {
    /// Whether a column is over GF(2).
    pub(super) fn is_begun(&self) -> bool {
        self.is_carried || !self.pairs.is_empty()
    }

    /// A column begins.
    pub(super) fn clear(&mut self) {
        self.is_carried = false;
        self.pairs.clear();
    }
}
