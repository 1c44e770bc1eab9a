//! A split into two halves whose pair is a difference, block by block: what processors that hold several words
//! at a time make of it.
//!
//! With `L = al bl`, `H = ah bh`, `M = |al - ah| |bl - bh|` and `h0`, `h1` the low and the high part of H,
//!
//! ```text
//! H' = H + l1            the result is  (1 + w)(l0 + w H') -/+ w M
//! ```
//!
//! so that each sum of two middle words is formed once. L and H lie in the result, M in the frame. Three chains of
//! carries run through the words, block after block; a processor keeps the carries of those that do not run.

use super::Split;
use super::plan::{Array, Step, Words};

/// The flag of [`Step::Difference`]: set where M is added, for the signs of the two differences are not the same.
pub const SIGN: usize = 0;

/// A run of words that a processor holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Block {
    /// What is added to, and becomes the result.
    X,
    /// What is added.
    Y,
}

/// A chain of additions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Chain {
    /// H + l1.
    High,
    /// l0 + H' in the second quarter, and H' plus its high part in the third.
    Sum,
    /// M, as it is or subtracted. It begins with the carry that a subtraction adds to the complement: one where
    /// [`SIGN`] is clear.
    Middle,
}

/// What is done with blocks; the words of both are as many, and as many as are loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Words from memory.
    Load {
        /// Where they come.
        to: Block,
        /// From here.
        from: Words,
    },
    /// Words into memory.
    Store {
        /// The block.
        from: Block,
        /// Where they go.
        to: Words,
    },
    /// `Y` is zero, of so many words.
    Clear {
        /// Its words.
        length: usize,
    },
    /// `Y` becomes its complement where [`SIGN`] is clear.
    Complement,
    /// `X = X + Y` and the chain's carry; what leaves it is the chain's next one.
    Add(Chain),
    /// `Y = Y` and the chain's carry, likewise. After the last of [`Chain::High`] nothing leaves it.
    Carry(Chain),
    /// The carries of the sum and of M, less one where M is subtracted, become a number that is -1, 0 or 1. Both chains
    /// end.
    Extend,
    /// `X = X` and that number; blocks that follow get what it leaves.
    AddExtension,
}

/// Two halves, the low one as long as the other or a word longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Halves {
    /// Words of the low half.
    pub low: usize,
    /// Words of the high half.
    pub high: usize,
}

impl Halves {
    /// The halves of a product, if it is split into such.
    pub fn of(split: &Split) -> Option<Halves> {
        split.halves().filter(|_| !split.is_square()).map(|[low, high]| Halves { low, high })
    }

    /// Words of the frame: both differences, and M.
    pub fn frame(&self) -> usize {
        4 * self.low
    }

    fn in_frame(&self, at: usize, length: usize) -> Words {
        Words { array: Array::Frame, at, length }
    }

    /// The differences and the three products.
    pub fn products<'a>(&self, split: &'a Split) -> Vec<Step<'a>> {
        let Halves { low, high } = *self;
        let part = |array, at, length| Words { array, at, length };
        let (x, y) = (self.in_frame(0, low), self.in_frame(low, low));
        let difference = |to, array, turn| Step::Difference {
            to,
            x: part(array, 0, low),
            y: part(array, low, high),
            sign: SIGN,
            turn,
        };
        let mut steps = vec![difference(x, Array::A, false), difference(y, Array::B, true)];
        if let ([own_low, own_high], [middle]) = (&split.own[..], &split.crossed[..]) {
            let own = |at, length, node| Step::Multiply {
                to: part(Array::Result, 2 * at, 2 * length),
                x: part(Array::A, at, length),
                y: part(Array::B, at, length),
                node,
            };
            let to = self.in_frame(2 * low, 2 * low);
            steps.extend([Step::Multiply { to, x, y, node: middle }]);
            steps.extend([own(0, low, own_low), own(low, high, own_high)]);
        }
        steps
    }

    /// What makes the result of the products, in blocks of at most `most` words, which is at least 2.
    pub fn recombination(&self, most: usize) -> Vec<Action> {
        let Halves { low, high } = *self;
        let result = |at, length| Words { array: Array::Result, at, length };
        let load = |to, from| Action::Load { to, from };
        let store = |from, to| Action::Store { from, to };
        let middle = |at, length| {
            let from = self.in_frame(2 * low + at, length);
            [load(Block::Y, from), Action::Complement, Action::Add(Chain::Middle)]
        };
        let mut actions = Vec::new();
        for (at, words) in blocks(low, most) {
            actions.extend([
                load(Block::X, result(low + at, words)),
                load(Block::Y, result(2 * low + at, words)),
                Action::Add(Chain::High),
                store(Block::X, result(2 * low + at, words)),
                load(Block::Y, result(at, words)),
                Action::Add(Chain::Sum),
            ]);
            actions.extend(middle(at, words));
            actions.push(store(Block::X, result(low + at, words)));
        }
        // H has no more than so many words above its low part; there H' is its carry, and zero
        let above = 2 * high - low;
        let rest = (above < low).then_some((above, low - above));
        for (at, words) in blocks(above, most).chain(rest) {
            let own = result(3 * low + at, words);
            if at < above {
                actions.extend([load(Block::Y, own), Action::Carry(Chain::High), store(Block::Y, own)]);
            } else {
                actions.extend([Action::Clear { length: words }, Action::Carry(Chain::High)]);
            }
            actions.extend([load(Block::X, result(2 * low + at, words)), Action::Add(Chain::Sum)]);
            actions.extend(middle(low + at, words));
            actions.push(store(Block::X, result(2 * low + at, words)));
        }
        if above > 0 {
            actions.push(Action::Extend);
        }
        for (at, words) in blocks(above, most) {
            let own = result(3 * low + at, words);
            actions.extend([load(Block::X, own), Action::AddExtension, store(Block::X, own)]);
        }
        actions
    }
}

/// Where blocks begin and how many words they have: as few as can be, of equal length but for a word.
fn blocks(words: usize, most: usize) -> impl Iterator<Item = (usize, usize)> {
    let count = words.div_ceil(most.max(1));
    (0..count).map(move |index| {
        let start = |index: usize| index * words / count;
        (start(index), start(index + 1) - start(index))
    })
}
