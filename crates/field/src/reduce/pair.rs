//! The sum of two numbers, and above it their difference, so that each word of an operand is loaded once for both.

use super::{Task, address};
use rhomb_line::{Address, Array, Line, Logic, Source, Value};

/// A number that is added up by a chain of carries, block by block, so that another one is between them.
struct Chain {
    minus: bool,
    words: Vec<Value>,
    /// All ones where the last block has left a carry or borrow.
    mask: Option<Value>,
}

impl Chain {
    fn new(minus: bool) -> Self {
        Chain { minus, words: Vec::new(), mask: None }
    }

    /// Adds the next words. `goes_on` says that the carry of the last ones is still there, `stays` that it will be for the next ones.
    fn block(&mut self, line: &mut Line, words: &[[Value; 2]], goes_on: bool, stays: bool) {
        let mut carry = !self.words.is_empty();
        if let Some(mask) = self.mask.take().filter(|_| carry && !goes_on) {
            if self.minus {
                let zero = line.number(0);
                line.subtract(zero, Some(mask), false, true);
            } else {
                line.add(mask, Some(mask), false, true);
            }
        }
        for [a, b] in words {
            self.words.push(match self.minus {
                false => line.add(*a, Some(*b), carry, true),
                true => line.subtract(*a, Some(*b), carry, true),
            });
            carry = true;
        }
        if !stays {
            self.mask = Some(line.spread(self.minus));
        }
    }
}

/// Words that are loaded beside these.
const AT_A_TIME: usize = 3;
/// Words that stay in registers where their number is doubled before another one is read.
const MOST_DOUBLED: usize = 8;

impl Task<'_> {
    /// a - 2 b by chains of borrows: what leaves 2 b above and what a lacks then come back each by R mod p, and what these lack once more. `None`
    /// for long numbers, and where R mod p is not small.
    pub(super) fn less_twice(&self) -> Option<Line> {
        // both together lack R once at most
        let is_small = self.back.bits() + 2 <= u64::from(self.bits) * self.d as u64;
        if self.d > MOST_DOUBLED || !is_small {
            return None;
        }
        let mut line = Line::default();
        let own: Vec<Value> =
            (0..self.d).map(|column| self.value(&mut line, address(Array::B, column))).collect();
        let mut doubled = Vec::new();
        for own in own {
            doubled.push(line.add(own, Some(own), !doubled.is_empty(), true));
        }
        let above = line.spread(false);
        let mut words = Vec::new();
        for (part, doubled) in doubled.chunks(AT_A_TIME).enumerate() {
            let load = |at: usize| self.value(&mut line, address(Array::A, AT_A_TIME * part + at));
            let from: Vec<Value> = (0..doubled.len()).map(load).collect();
            for (from, own) in from.into_iter().zip(doubled) {
                words.push(line.subtract(from, Some(*own), !words.is_empty(), true));
            }
        }
        let below = line.spread(true);
        let [first, second] = [above, below].map(|mask| {
            self.take_away(&mut line, &mut words, mask, true);
            line.spread(true)
        });
        let last = line.logic(Logic::Or, first, second);
        self.take_away(&mut line, &mut words, last, false);
        for (index, own) in words.into_iter().enumerate() {
            line.store(own, Address { array: Array::Result, index });
        }
        Some(line)
    }

    /// R mod p less, where a mask is set.
    fn take_away(&self, line: &mut Line, words: &mut [Value], mask: Value, leaves: bool) {
        let back = self.words(&self.back, self.d);
        for (column, (word, back)) in words.iter_mut().zip(back).enumerate() {
            let own = (back > 0).then(|| if back == self.ones() { mask } else { line.mask(mask, back) });
            *word = line.subtract(*word, own, column > 0, leaves || column + 1 < self.d);
        }
    }

    /// The same for a number of the result that stands so many words above its first one.
    fn above(&self, first: usize) -> Task<'_> {
        Task { modulus: self.modulus, bits: self.bits, d: self.d, back: self.back.clone(), first }
    }

    /// The words of both operands, loaded.
    fn loaded(&self, line: &mut Line, columns: std::ops::Range<usize>) -> Vec<[Value; 2]> {
        columns
            .map(|index| [Array::A, Array::B].map(|array| self.value(line, address(array, index))))
            .collect()
    }

    /// What a chain has left above R comes back, and the number is stored.
    fn closed(&self, line: &mut Line, chain: Chain) {
        let mut words: Vec<Source> = chain
            .words
            .into_iter()
            .enumerate()
            .map(|(index, word)| self.at_home(line, word, index))
            .collect();
        if let Some(mask) = chain.mask {
            self.carry_back(line, &mut words, chain.minus, mask, (self.radix() - 1u8) * 2u8);
        }
        self.stored(line, &words);
    }

    /// a + b and a - b, one behind the other.
    pub(super) fn sum_then_difference(&self) -> Line {
        let mut line = Line::default();
        let words = self.loaded(&mut line, 0..self.d);
        for (minus, task) in [(false, self.above(0)), (true, self.above(self.d))] {
            let mut chain = Chain::new(minus);
            chain.block(&mut line, &words, false, false);
            task.closed(&mut line, chain);
        }
        line
    }

    /// a - b and then a + b, the sum from its highest word on.
    pub(super) fn difference_then_sum_from_the_top(&self) -> Option<Line> {
        let mut line = Line::default();
        let words = self.loaded(&mut line, 0..self.d);
        let mut chain = Chain::new(true);
        chain.block(&mut line, &words, false, false);
        self.above(self.d).closed(&mut line, chain);
        let [a, b]: [Vec<Source>; 2] =
            [0, 1].map(|own| words.iter().map(|both| Source::Value(both[own])).collect());
        let sum = self.words_from_the_top(&mut line, (&a, &b, 1), true)?;
        self.stored(&mut line, &sum);
        Some(line)
    }

    /// The same in blocks of so many words, which are added and subtracted by turns while they are there. Every second time the one that
    /// was last goes on, so that its carry stays.
    pub(super) fn sum_and_difference_by_blocks(&self, block: usize) -> Option<Line> {
        if block == 0 || block >= self.d {
            return None;
        }
        let mut line = Line::default();
        let mut chains = [false, true].map(Chain::new);
        let mut last = None;
        let firsts: Vec<usize> = (0..self.d).step_by(block).collect();
        for (at, first) in firsts.iter().enumerate() {
            let words = self.loaded(&mut line, *first..(first + block).min(self.d));
            for turn in [0, 1] {
                let own = if at % 2 == 0 { turn } else { 1 - turn };
                let stays = turn == 1 && at + 1 < firsts.len();
                chains[own].block(&mut line, &words, last == Some(own), stays);
                let offset = own * self.d + first;
                for index in 0..words.len() {
                    let word = chains[own].words[first + index];
                    line.homes.insert(word, Address { array: Array::Result, index: offset + index });
                }
                last = Some(own);
            }
        }
        for (chain, first) in chains.into_iter().zip([0, self.d]) {
            self.above(first).closed(&mut line, chain);
        }
        Some(line)
    }
}
