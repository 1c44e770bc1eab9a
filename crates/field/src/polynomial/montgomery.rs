//! Division by R = x^(w n) modulo a polynomial f with the term 1: a multiple of f is added that clears the lowest words, from
//! the bottom up, and the upper words are left. With f = 1 + g modulo x^w, 1/f = (1 + g)(1 + g^2)(1 + g^4)... there.

use super::reduce::{Above, Distances, Moves, together};
use super::{MOST_OPS, Polynomial};
use rhomb_line::{Address, Array, Line, Logic, Value};

impl Polynomial {
    /// The upper words of what is left, where the exponents are those of the polynomial, the highest first; `None` without the
    /// term 1, or where it takes too long.
    pub(super) fn divided(mut self, exponents: &[usize], moves: Moves) -> Option<Line> {
        let (0, upper) = exponents.split_last()? else { return None };
        let nearest = *upper.last()?;
        let w = self.bits as usize;
        let n = self.words.len() / 2;
        self.keeps_upper = true;
        let ways: Vec<usize> = upper.iter().map(|exponent| exponent % w).collect();
        let distances = Distances::of(&ways, w);
        let most = (nearest / w).clamp(1, together(moves, distances));
        let mut start = 0;
        while start < n {
            let count = most.min(n - start);
            let mut words: Vec<Option<Value>> = (start..start + count).map(|at| self.take(at)).collect();
            if let ([Some(word)], true) = (words.as_mut_slice(), nearest < w) {
                *word = self.quotient(*word, upper);
            }
            self.done = start + count;
            let places: Vec<usize> = upper.iter().map(|exponent| w * start + exponent).collect();
            let above = Above { words, length: w * count };
            match moves {
                Moves::Shifts => self.shifted(&above, &places),
                Moves::Chains => self.chained(&above, &places, distances),
            }
            start += count;
            if self.line.ops.len() > MOST_OPS {
                return None;
            }
        }
        for index in 0..n {
            let word = self.word(n + index).unwrap_or_else(|| self.line.number(0));
            self.line.store(word, Address { array: Array::Result, index });
        }
        Some(self.line)
    }

    /// A word divided by the polynomial modulo x^w.
    fn quotient(&mut self, word: Value, exponents: &[usize]) -> Value {
        let w = self.bits as usize;
        let mut quotient = word;
        let mut power = 1;
        loop {
            let near: Vec<usize> = exponents.iter().map(|own| own * power).filter(|own| *own < w).collect();
            if near.is_empty() {
                return quotient;
            }
            let terms: Vec<Value> =
                near.iter().map(|places| self.line.shift_up(quotient, *places as u32)).collect();
            quotient = terms.into_iter().fold(quotient, |sum, term| self.line.logic(Logic::Xor, sum, term));
            power *= 2;
        }
    }
}
