//! Passes through two neighbouring columns, up and down in turn, so that every address register stands at most two words
//! away from where it begins again.

use super::code::{Code, Factor, dual, factor};
use crate::instructions::{Half, Instruction, Mode};

/// The columns 2m and 2m + 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pass {
    /// Their even number, halved.
    pub(super) m: usize,
    /// Whether it goes up through B.
    pub(super) up: bool,
}

/// Indices of the words that come next: of A for the even and the odd column, and of B.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) even: i64,
    pub(super) odd: i64,
    pub(super) b: i64,
}

impl Position {
    /// In the pass `m` at index `b` of B.
    pub(super) fn at(m: usize, b: i64) -> Position {
        Position { even: 2 * m as i64 - b, odd: 2 * m as i64 + 1 - b, b }
    }

    /// How the registers get from here to there; T0 is 2. `None` where that is too far.
    pub(super) fn modes(self, to: Position) -> Option<[Mode; 3]> {
        Some([step(self.even, to.even)?, step(self.odd, to.odd)?, step(self.b, to.b)?])
    }
}

fn step(from: i64, to: i64) -> Option<Mode> {
    match to - from {
        -1 => Some(Mode::Down),
        0 => Some(Mode::Plain),
        1 => Some(Mode::Up),
        2 => Some(Mode::PlusT0),
        _ => None,
    }
}

/// Address registers of A's words for even and odd columns. B is in CDP.
#[derive(Clone, Copy, Debug)]
pub(super) struct Streams {
    pub(super) even: u8,
    pub(super) odd: u8,
}

/// What a term adds in each column: to which accumulator, and whether that begins here; `None` for a column that does not
/// take it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Term {
    pub(super) even: Option<(u8, bool)>,
    pub(super) odd: Option<(u8, bool)>,
    pub(super) at: Position,
}

impl Streams {
    fn instruction(self, term: &Term, modes: [Mode; 3]) -> Instruction {
        let half = |ar: u8, mode: Mode, what: Option<(u8, bool)>| -> Factor {
            match what {
                None => factor(Half::Amar, ar, mode, 0),
                Some((ac, true)) => factor(Half::Mpy, ar, mode, ac),
                Some((ac, false)) => factor(Half::Mac, ar, mode, ac),
            }
        };
        let (one, two) = (half(self.even, modes[0], term.even), half(self.odd, modes[1], term.odd));
        dual(one, two, modes[2])
    }

    /// Lines of terms one after the other; after the last one the registers go to `next`, or stay where that is too far.
    pub(super) fn emit(self, code: &mut Code, terms: &[Term], next: Option<Position>) {
        let lines: Vec<Instruction> = terms
            .iter()
            .enumerate()
            .map(|(number, term)| {
                let after = terms.get(number + 1).map(|term| term.at).or(next).unwrap_or(term.at);
                let modes = term.at.modes(after).unwrap_or([Mode::Plain; 3]);
                self.instruction(term, modes)
            })
            .collect();
        let mut at = 0;
        while at < lines.len() {
            let same = lines[at..].iter().take_while(|line| **line == lines[at]).count();
            code.repeat(lines[at], same);
            at += same;
        }
    }
}

/// The passes of a product of `words` words by `words`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Product {
    pub(super) words: usize,
}

impl Product {
    /// The passes `from..`, the first one up.
    pub(super) fn passes(self, from: usize) -> Vec<Pass> {
        (from..self.words).map(|m| Pass { m, up: (m - from).is_multiple_of(2) }).collect()
    }

    /// Whether the odd column is the longer one.
    fn is_low(self, pass: Pass) -> bool {
        2 * pass.m + 1 < self.words
    }

    /// First and last index of B.
    fn range(self, pass: Pass) -> (i64, i64) {
        let (m, words) = (pass.m as i64, self.words as i64);
        if self.is_low(pass) { (0, 2 * m + 1) } else { (2 * m - words + 1, words - 1) }
    }

    /// Where a pass begins.
    pub(super) fn start(self, pass: Pass) -> Position {
        let (first, last) = self.range(pass);
        Position::at(pass.m, if pass.up { first } else { last })
    }

    /// Its terms; `fresh` says whether the accumulators begin here.
    pub(super) fn terms(self, pass: Pass, (even, odd): (u8, u8), fresh: [bool; 2]) -> Vec<Term> {
        let (low, high) = self.range(pass);
        let is_low = self.is_low(pass);
        // the index of B that one column only has
        let lonely = if is_low { high } else { low };
        let [mut fresh_even, mut fresh_odd] = fresh;
        let mut indices: Vec<i64> = (low..=high).collect();
        if !pass.up {
            indices.reverse();
        }
        let term = |b: i64| {
            let takes_even = !(b == lonely && is_low);
            let takes_odd = b != lonely || is_low;
            let even = takes_even.then(|| (even, std::mem::take(&mut fresh_even)));
            let odd = takes_odd.then(|| (odd, std::mem::take(&mut fresh_odd)));
            Term { even, odd, at: Position::at(pass.m, b) }
        };
        indices.into_iter().map(term).collect()
    }
}
