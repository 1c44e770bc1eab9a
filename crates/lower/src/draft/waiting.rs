//! Columns in registers: words that wait to be added, each with the most that it can be.
//!
//! With words below `w`, a product of two and two words more is at most `(w - 1)^2 + 2 (w - 1) = w^2 - 1`. So a product takes two
//! words of its column for three instructions each, an addition to its low word, a comparison and an addition to its high
//! word, which does not overflow. It leaves a word in its column and one in the next. Where the most that words can be
//! excludes a carry, nothing is compared.

use super::core::{Fault, Ring, Setting};
use super::form::{Draft, Name, Pair, ZERO};
use std::collections::VecDeque;

/// A word and the most that it can be.
#[derive(Clone, Copy, Debug)]
struct Word {
    name: Name,
    most: u64,
}

/// The words of a column and of those above it.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    ring: Ring,
    /// The largest word.
    ones: u64,
    columns: VecDeque<Vec<Word>>,
}

impl Waiting {
    /// Nothing, for words of so many bits.
    pub(super) fn new(ring: Ring, bits: u32) -> Self {
        Waiting { ring, ones: (1 << bits) - 1, columns: VecDeque::new() }
    }

    /// Nothing, for products.
    ///
    /// # Errors
    /// Where there are none in this ring.
    pub(super) fn of(setting: &Setting) -> Result<Self, Fault> {
        match setting.ring == Ring::BinaryPolynomials && !setting.abilities.carryless {
            true => Err(Fault::Carryless),
            false => Ok(Waiting::new(setting.ring, setting.abilities.word)),
        }
    }

    fn push(&mut self, column: usize, name: Name, most: u64) {
        if name != ZERO {
            self.column(column).push(Word { name, most });
        }
    }

    fn column(&mut self, column: usize) -> &mut Vec<Word> {
        if self.columns.len() <= column {
            self.columns.resize(column + 1, Vec::new());
        }
        &mut self.columns[column]
    }

    /// Adds a word.
    pub(super) fn word(&mut self, column: usize, name: Name) {
        self.push(column, name, self.ones);
    }

    /// Adds a word to the lowest column, which is at most this.
    pub(super) fn small(&mut self, name: Name, most: u32) {
        self.push(0, name, most.into());
    }

    /// Adds words in front of those that are there, which are there last.
    pub(super) fn before(&mut self, column: usize, names: &[Name]) {
        let most = self.ones;
        let words = names.iter().filter(|name| **name != ZERO).map(|name| Word { name: *name, most });
        self.column(column).splice(0..0, words);
    }

    /// Adds a carry, which is at most this, to another one if there is one.
    fn carry(&mut self, draft: &mut Draft, column: usize, carry: Name) {
        let ones = self.ones;
        let words = self.column(column);
        match words.iter_mut().find(|word| word.most < ones) {
            Some(word) => {
                *word = Word { name: draft.pair(Pair::Add, word.name, carry).into(), most: word.most + 1 };
            }
            None => words.push(Word { name: carry, most: 1 }),
        }
    }

    /// Adds the product of two words, of which the second is at most this where that is known, and with it as many words of its
    /// column as fit; with `low`, of no column above.
    pub(super) fn product(
        &mut self,
        draft: &mut Draft,
        column: usize,
        ([x, y], most): ([Name; 2], Option<u32>),
        low: bool,
    ) {
        let (of_low, of_high) = match self.ring {
            Ring::Integers => (Pair::Low, Pair::High),
            Ring::BinaryPolynomials => (Pair::CarrylessLow, Pair::CarrylessHigh),
        };
        let mut high = if low { ZERO } else { draft.pair(of_high, x, y).into() };
        let mut word: Name = draft.pair(of_low, x, y).into();
        if self.ring == Ring::BinaryPolynomials {
            let ones = self.ones;
            for (column, own) in [(column, word), (column + 1, high)] {
                if own == ZERO {
                    continue;
                }
                let words = self.column(column);
                let name = match words.pop() {
                    Some(other) => draft.pair(Pair::Xor, other.name, own).into(),
                    None => own,
                };
                words.push(Word { name, most: ones });
            }
            return;
        }
        let ones = u128::from(self.ones);
        let mut most = ones * most.map_or(ones, u128::from);
        let words = self.column(column);
        while let Some(other) = words.first().copied() {
            // two words of the largest product
            if most + u128::from(other.most) > (ones + 1) * (ones + 1) - 1 {
                break;
            }
            words.remove(0);
            word = draft.pair(Pair::Add, word, other.name).into();
            if !low {
                let carry = draft.pair(Pair::Below, word, other.name);
                high = draft.pair(Pair::Add, high, carry).into();
            }
            most += u128::from(other.most);
        }
        self.word(column, word);
        self.push(column + 1, high, (most >> ones.count_ones()) as u64);
    }

    /// Adds the square of a word, and nothing with it. Squares are 0, 1, 4 or 9 modulo 16, so that the low word is no more than
    /// the largest word less 6.
    pub(super) fn square(&mut self, draft: &mut Draft, column: usize, x: Name) {
        let high = draft.pair(Pair::High, x, x).into();
        let low = draft.pair(Pair::Low, x, x).into();
        self.push(column, low, self.ones - 6);
        self.push(column + 1, high, self.ones - 1);
    }

    /// Makes one word of a column, of which so many words are left, 0 where that is not known; and gives it. It stays there.
    pub(super) fn sum(&mut self, draft: &mut Draft, column: usize, left: usize) -> Name {
        let ones = self.ones;
        let ring = self.ring;
        let words = self.column(column);
        if ring == Ring::BinaryPolynomials {
            let sum = words.drain(..).reduce(|one, other| Word {
                name: draft.pair(Pair::Xor, one.name, other.name).into(),
                most: ones,
            });
            words.extend(sum);
        }
        // without a carry first
        while let Some([one, other]) = without_carry(words, ones) {
            let (later, earlier) = (words.remove(one.max(other)), words[one.min(other)]);
            let name = draft.pair(Pair::Add, earlier.name, later.name).into();
            words[one.min(other)] = Word { name, most: earlier.most + later.most };
        }
        while self.column(column).len() > 1 {
            let words = self.column(column);
            let (one, other) = (words[0], words.remove(1));
            let name: Name = draft.pair(Pair::Add, one.name, other.name).into();
            words[0] = Word { name, most: ones };
            if left != 1 {
                let carry = draft.pair(Pair::Below, name, other.name).into();
                self.carry(draft, column + 1, carry);
            }
        }
        self.column(column).first().map_or(ZERO, |word| word.name)
    }

    /// The lowest column's word, which must have been made one; the columns move down.
    pub(super) fn take(&mut self) -> Name {
        let words = self.columns.pop_front().unwrap_or_default();
        words.first().map_or(ZERO, |word| word.name)
    }

    /// The lowest column becomes these, a word and what comes out of it.
    pub(super) fn becomes(&mut self, word: Name, carry: Name) {
        self.columns.clear();
        self.word(0, word);
        self.push(1, carry, 1);
    }

    /// The most that the lowest column is, if it is one word or none.
    pub(super) fn most(&self) -> Option<u64> {
        match self.columns.front().map(Vec::as_slice) {
            None | Some([]) => Some(0),
            Some([word]) => Some(word.most),
            _ => None,
        }
    }

    /// Adds a bit to a word that has room for it; what is still to be added.
    pub(super) fn joined(&mut self, draft: &mut Draft, bit: Name) -> Name {
        match self.columns.front_mut().map(Vec::as_mut_slice) {
            Some([word]) if bit != ZERO && word.most <= 1 => {
                word.name = draft.pair(Pair::Add, word.name, bit).into();
                word.most += 1;
                ZERO
            }
            _ => bit,
        }
    }
}

/// Two words whose sum is one.
fn without_carry(words: &[Word], ones: u64) -> Option<[usize; 2]> {
    let least = (0..words.len()).min_by_key(|at| words[*at].most)?;
    let room = |at: &usize| *at != least && words[*at].most <= ones - words[least].most;
    let other = (0..words.len()).filter(room).max_by_key(|at| words[*at].most)?;
    Some([least, other])
}
