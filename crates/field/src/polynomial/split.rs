//! Karatsuba's split over GF(2) into k parts of h words, the highest of which may have fewer (A. Weimerskirch, C. Paar, 2006):
//! with D_i = a_i b_i and M_ij = (a_i + a_j)(b_i + b_j), a_i b_j + a_j b_i = M_ij + D_i + D_j. The lines here are those around
//! the products.

use rhomb_line::{Address, Array, Line, Logic, Value};

/// A split of n words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Split {
    pub(super) words: usize,
    /// k.
    pub(super) parts: usize,
}

impl Split {
    /// Words of the parts but the highest, h.
    pub(super) fn most(&self) -> usize {
        self.words.div_ceil(self.parts)
    }

    /// Words of a part.
    pub(super) fn part(&self, at: usize) -> usize {
        self.most().min(self.words.saturating_sub(at * self.most()))
    }

    /// Pairs of parts.
    pub(super) fn pairs(&self) -> Vec<[usize; 2]> {
        (0..self.parts).flat_map(|one| (one + 1..self.parts).map(move |other| [one, other])).collect()
    }

    /// The sums of all pairs of parts of A, one after the other, each of h words.
    pub(super) fn sums(&self) -> Line {
        let mut line = Line::default();
        let h = self.most();
        // what is loaded for one pair is still known for the next
        for at in 0..h {
            for (pair, parts) in self.pairs().into_iter().enumerate() {
                let own = parts.into_iter().filter(|part| at < self.part(*part));
                let words: Vec<Value> =
                    own.map(|part| line.load(Address { array: Array::A, index: part * h + at })).collect();
                if let Some(sum) = xor(&mut line, &words) {
                    line.store(sum, Address { array: Array::Result, index: pair * h + at });
                }
            }
        }
        line
    }

    /// The product of all D_i, one after the other in A, and all M_ij, likewise in B. `whole` is for a result that lies
    /// elsewhere than A; otherwise what does not change is not stored.
    pub(super) fn merged(&self, whole: bool) -> Line {
        let mut line = Line::default();
        let h = self.most();
        let pairs = self.pairs();
        let length = |part: usize| 2 * self.part(part);
        for at in 0..h {
            let mut own = |array, index| line.load(Address { array, index });
            // the words at + h * half of each product
            let mut halves = |array, first: usize, length: usize| -> [Option<Value>; 2] {
                [0, 1].map(|half| (half * h + at < length).then(|| own(array, first + half * h + at)))
            };
            let squares: Vec<_> =
                (0..self.parts).map(|part| halves(Array::A, 2 * h * part, length(part))).collect();
            let mut words: Vec<(usize, Value)> = Vec::new();
            let mixed: Vec<_> = (0..pairs.len()).map(|pair| halves(Array::B, 2 * h * pair, 2 * h)).collect();
            for block in 0..2 * self.parts {
                let index = block * h + at;
                if index >= 2 * self.words {
                    continue;
                }
                let mut terms: Vec<Value> = Vec::new();
                let mut add = |halves: &[Option<Value>; 2], first: usize| {
                    terms.extend(block.checked_sub(first).and_then(|half| *halves.get(half)?));
                };
                (0..self.parts).for_each(|part| add(&squares[part], 2 * part));
                for (pair, [one, other]) in pairs.iter().enumerate() {
                    add(&mixed[pair], one + other);
                    add(&squares[*one], one + other);
                    add(&squares[*other], one + other);
                }
                let changes =
                    pairs.iter().any(|[one, other]| (one + other..one + other + 2).contains(&block));
                if !(changes || whole) {
                    continue;
                }
                // what stands there twice is nothing
                let once: Vec<Value> = terms
                    .iter()
                    .enumerate()
                    .filter(|(at, term)| {
                        let before = terms[..*at].contains(term);
                        !before && terms.iter().filter(|own| own == term).count() % 2 == 1
                    })
                    .map(|(_, term)| *term)
                    .collect();
                let word = xor(&mut line, &once).unwrap_or_else(|| line.number(0));
                words.push((index, word));
            }
            // A may lie in the place of the result
            for (index, word) in words {
                line.store(word, Address { array: Array::Result, index });
            }
        }
        line
    }
}

fn xor(line: &mut Line, words: &[Value]) -> Option<Value> {
    let (first, rest) = words.split_first()?;
    Some(rest.iter().fold(*first, |sum, word| line.logic(Logic::Xor, sum, *word)))
}
