//! Division by a polynomial x^m + x^e + ... + 1: what stands at x^(m + k) comes back at x^(e + k) for each lower term. From the
//! top down, as many words at once as registers hold, until nothing stands above the words of an element. The fewer and the
//! lower the terms are, the faster it is.

use super::{MOST_OPS, Polynomial, Word};
use rhomb_line::{Address, Array, Line, Logic, Value};
use std::collections::BTreeMap;

/// How words are moved by less than a word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Moves {
    /// Each by shifts, for instructions that shift by any number of bits.
    Shifts,
    /// All of them by a bit at a time, through the carry; what moves equally far does so together.
    Chains,
}

/// Words that come back together: by shifts or in one direction, and in both.
const TOGETHER: [usize; 2] = [8, 4];

/// How many words come back together.
pub(super) fn together(moves: Moves, Distances { ups, downs }: Distances) -> usize {
    let is_both = moves == Moves::Chains && ups > 0 && downs > 0;
    TOGETHER[usize::from(is_both)]
}

/// How far words move that come back, in bits beside whole words: up, and down.
#[derive(Clone, Copy)]
pub(super) struct Distances {
    ups: usize,
    downs: usize,
}

impl Distances {
    /// The nearest by which words move in all these ways up.
    pub(super) fn of(ways: &[usize], w: usize) -> Distances {
        let within = |most: usize| {
            let ups = ways.iter().copied().filter(|by| *by <= most).max().unwrap_or(0);
            let downs = ways.iter().filter(|by| **by > most).map(|by| w - by).max().unwrap_or(0);
            Distances { ups, downs }
        };
        let all = (0..w).rev().map(within);
        all.min_by_key(|own| own.ups + own.downs).unwrap_or(Distances { ups: 0, downs: 0 })
    }
}

impl Polynomial {
    /// What is left modulo a polynomial of these exponents, the highest first, in as many words as it has; `None` where that
    /// takes too long.
    pub(super) fn modulo(mut self, exponents: &[usize], moves: Moves) -> Option<Line> {
        let (degree, lower) = exponents.split_first()?;
        let gap = degree - lower.first()?;
        let w = self.bits as usize;
        let n = self.words.len() / 2;
        let ways: Vec<usize> = lower.iter().map(|exponent| (w * n - degree + exponent) % w).collect();
        let distances = Distances::of(&ways, w);
        let together = together(moves, distances);
        let mut end = w * 2 * n;
        while end > w * n {
            let top = end.div_ceil(w);
            let start = n.max(top.saturating_sub(together));
            let words: Vec<Option<Value>> = (start..top).map(|at| self.take(at)).collect();
            // where the lowest bit of these words comes, for each lower term
            let places: Vec<usize> = lower.iter().map(|exponent| w * start - degree + exponent).collect();
            let above = Above { words, length: end - w * start };
            match moves {
                Moves::Shifts => self.shifted(&above, &places),
                Moves::Chains => self.chained(&above, &places, distances),
            }
            end = (w * start).max(end - gap);
            if self.line.ops.len() > MOST_OPS {
                return None;
            }
        }
        for index in 0..n {
            let word = match self.word(index) {
                Some(word) => word,
                None => self.line.number(0),
            };
            self.line.store(word, Address { array: Array::Result, index });
        }
        Some(self.line)
    }

    /// A word, in whose place there is zero then.
    pub(super) fn take(&mut self, at: usize) -> Option<Value> {
        let word = self.word(at);
        self.words[at] = Word::Zero;
        self.taken[at] += 1;
        word
    }

    pub(super) fn shifted(&mut self, above: &Above, places: &[usize]) {
        let w = self.bits as usize;
        for (at, word) in above.words.iter().enumerate().rev() {
            let Some(word) = *word else { continue };
            let length = w.min(above.length - w * at);
            for place in places {
                let (to, by) = (place / w + at, place % w);
                if by == 0 {
                    self.add(to, word);
                    continue;
                }
                if by + length > w {
                    let high = self.line.shift_down(word, self.bits, self.bits - by as u32);
                    self.add(to + 1, high);
                }
                if to >= self.done {
                    let low = self.line.shift_up(word, by as u32);
                    self.add(to, low);
                }
            }
        }
    }

    pub(super) fn chained(&mut self, above: &Above, places: &[usize], Distances { ups, downs }: Distances) {
        let w = self.bits as usize;
        let line = &mut self.line;
        let mut down = Moved::default();
        for by in (1..=downs).rev() {
            let own = places.iter().filter(|place| **place % w == w - by);
            own.for_each(|place| down.add(line, above, place / w + 1, w));
            down.halve(line, w);
        }
        let mut up = Moved::default();
        for by in (1..=ups).rev() {
            let own = places.iter().filter(|place| **place % w == by);
            own.for_each(|place| up.add(line, above, place / w, w));
            up.double(line, w);
        }
        let own = places.iter().filter(|place| **place % w == 0);
        own.for_each(|place| up.add(line, above, place / w, w));
        let words = down.words.into_iter().chain(up.words).rev();
        let words: Vec<_> = words.filter(|(at, _)| *at >= self.done).collect();
        words.into_iter().for_each(|(at, word)| self.add(at, word));
    }
}

/// Words that come back: their length in bits is known.
pub(super) struct Above {
    pub(super) words: Vec<Option<Value>>,
    pub(super) length: usize,
}

/// A sum of such words on its way, with the bits between which something may stand.
#[derive(Default)]
struct Moved {
    words: BTreeMap<usize, Value>,
    start: usize,
    end: usize,
}

impl Moved {
    fn add(&mut self, line: &mut Line, above: &Above, at: usize, w: usize) {
        self.start = if self.words.is_empty() { w * at } else { self.start.min(w * at) };
        self.end = self.end.max(w * at + above.length);
        for (to, word) in (at..).zip(&above.words) {
            let Some(word) = *word else { continue };
            let sum = match self.words.get(&to) {
                None => word,
                Some(own) => line.logic(Logic::Xor, *own, word),
            };
            self.words.insert(to, sum);
        }
    }

    /// The words from the lowest to the highest that something may stand in.
    fn range(&self, w: usize) -> std::ops::Range<usize> {
        self.start / w..self.end.div_ceil(w)
    }

    fn word(&self, line: &mut Line, at: usize) -> Value {
        self.words.get(&at).copied().unwrap_or_else(|| line.number(0))
    }

    /// Up by a bit.
    fn double(&mut self, line: &mut Line, w: usize) {
        if self.words.is_empty() {
            return;
        }
        (self.start, self.end) = (self.start + 1, self.end + 1);
        let range = (self.start - 1) / w..self.end.div_ceil(w);
        for at in range.clone() {
            let carry_out = at + 1 < range.end;
            let twice = match self.words.get(&at).copied() {
                Some(word) => line.add(word, Some(word), at > range.start, carry_out),
                None => {
                    let zero = line.number(0);
                    line.add(zero, None, at > range.start, carry_out)
                }
            };
            self.words.insert(at, twice);
        }
    }

    /// Down by a bit.
    fn halve(&mut self, line: &mut Line, w: usize) {
        if self.words.is_empty() {
            return;
        }
        let top = self.range(w).end;
        (self.start, self.end) = (self.start - 1, self.end - 1);
        let range = self.start / w..top;
        for at in range.clone().rev() {
            let word = self.word(line, at);
            let half = line.halve(word, at + 1 < range.end, at > range.start);
            self.words.insert(at, half);
        }
    }
}
