//! The accumulator between two blocks of a rolled schedule.
//!
//! There, exactly those words are there that the bound of the value allows to be more than zero, so
//! that every way to the next block leaves the same words.

use super::square::Parked;
use super::{AccumulateError, Accumulator, AccumulatorWord, Action, Bound, Column};
use std::collections::BTreeMap;

/// What is known between two blocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct State {
    /// Upper bound of the accumulator's value, in units of the lowest open column.
    pub(crate) total: Bound,
    /// Upper bounds of catchers, by their distance from the lowest open column.
    pub(crate) catchers: BTreeMap<usize, u128>,
    /// Carries of a squaring that wait.
    pub(super) parked: Parked,
}

impl State {
    /// Words that may be more than zero.
    pub(crate) fn words(&self, bits: u32) -> usize {
        self.total.bits().div_ceil(bits) as usize
    }

    /// What holds if either holds.
    pub(crate) fn or(mut self, other: &State) -> State {
        self.total = self.total.max(other.total);
        for (distance, bound) in &other.catchers {
            let own = self.catchers.entry(*distance).or_default();
            *own = (*own).max(*bound);
        }
        self.parked = self.parked.or(other.parked);
        self
    }
}

impl Accumulator {
    /// An accumulator in a known state, its lowest open column at `base`.
    pub(crate) fn enter(state: &State, base: usize, bits: u32, catchers: usize) -> Accumulator {
        let mut accumulator = Accumulator::new(None, bits, catchers);
        accumulator.base = base;
        accumulator.total = state.total;
        accumulator.parked = state.parked;
        let limit = accumulator.largest_word();
        for offset in 0..state.words(bits) {
            let bound = accumulator.high_part(state.total, offset).min(limit);
            accumulator.column(base + offset).word = Some(bound);
        }
        for (distance, bound) in &state.catchers {
            accumulator.column(base + distance).catcher = Some(*bound);
        }
        accumulator
    }

    /// The columns of the result are known: there are so many.
    pub(crate) fn limit_columns(&mut self, columns: usize) {
        self.columns = columns;
    }

    /// All products of all rows are processed, and their sum is known to have one word left from here.
    pub(crate) fn limit_to_word(&mut self) {
        self.total = self.total.min(self.largest_word().into());
    }

    /// Adds the catchers to their words unless they are to be kept, and says what is known.
    pub(crate) fn leave(&mut self, keep_catchers: bool) -> State {
        if !keep_catchers {
            self.fold_catchers(self.base..self.base + self.window.len());
        }
        let catchers = self.window.iter().enumerate().filter_map(|(at, column)| Some((at, column.catcher?)));
        State { total: self.total, catchers: catchers.collect(), parked: self.parked }
    }

    /// Makes the words there that `state` has, and no others; `state` follows from what is known here.
    /// The actions, and the lowest open column.
    ///
    /// # Errors
    /// Where no carry waits, and `state` has one.
    pub(crate) fn close(mut self, state: &State) -> Result<(Vec<Action>, usize), AccumulateError> {
        if self.parked.or(state.parked) != self.parked {
            return Err(AccumulateError::Carry);
        }
        let words = state.words(self.bits);
        let most = self.window.len().max(words);
        let most = most.max(state.catchers.last_key_value().map_or(0, |(distance, _)| distance + 1));
        self.window.resize(most, Column::default());
        for offset in 0..most {
            let column = self.base + offset;
            let wanted = [
                (AccumulatorWord::Column(column), offset < words),
                (AccumulatorWord::Catcher(column), state.catchers.contains_key(&offset)),
            ];
            for (place, wanted) in wanted {
                let there = self.bound(place).is_some();
                if wanted && !there {
                    self.actions.push(Action::Clear { to: place, in_chain: false });
                } else if there && !wanted {
                    self.actions.push(Action::Drop { place });
                }
            }
        }
        Ok((self.actions, self.base))
    }
}
