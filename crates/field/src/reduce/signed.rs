//! Generalized Mersenne numbers (J. Solinas, "Generalized Mersenne numbers", CORR 99-39, 1999; FIPS 186-4, D.2): R is a sum
//! of few powers of the word's base with signs modulo p, and so are its multiples by them. What the upper words of a product
//! bring is added to the lower ones or subtracted; a multiple of p keeps each column from falling below zero.

use super::{Number, Task, address};
use num_bigint::BigUint;
use rhomb_line::{Array, Line, Source};

/// Most additions and subtractions in a column.
const MOST_TERMS: i32 = 24;

/// The same of a sum of two numbers that count more than once.
const MOST_SUMS: u32 = 5;

impl Task<'_> {
    /// C = R mod p as a digit for each column, where all are 1, 0 or -1.
    pub(super) fn digits(&self) -> Option<Vec<i32>> {
        let mut carry = 0u64;
        let mut digits = Vec::new();
        for word in self.words(&self.back, self.d) {
            let sum = u128::from(word) + u128::from(carry);
            let (digit, above) = match sum {
                0 | 1 => (sum as i32, 0),
                sum if sum == u128::from(self.ones()) => (-1, 1),
                sum if sum == u128::from(self.ones()) + 1 => (0, 1),
                _ => return None,
            };
            digits.push(digit);
            carry = above;
        }
        (carry == 0).then_some(digits)
    }

    /// The columns that `2^(w (d + i))` has modulo p, as how often each is added, for i below d; `None` where p is of no
    /// such kind, or where there is much to be added.
    pub(super) fn rows(&self) -> Option<Vec<Vec<i32>>> {
        let first = self.digits()?;
        let mut rows = vec![first.clone()];
        while rows.len() < self.d {
            let last = rows.last()?;
            let top = last[self.d - 1];
            let moved = [0].iter().chain(&last[..self.d - 1]);
            rows.push(moved.zip(&first).map(|(own, more)| own + top * more).collect());
        }
        let sum = |column: usize| rows.iter().map(|row| row[column].abs()).sum::<i32>();
        ((0..self.d).map(sum).max()? <= MOST_TERMS).then_some(rows)
    }

    /// x a + y b, or x a - y b: products where that is said, else each number is added so often. What is left above R comes back as in
    /// [`Task::signed`]. `None` where there are no such products or digits, or too much is added.
    pub(super) fn weighted_sum(
        &self,
        minus: bool,
        [x, y]: [u32; 2],
        products: bool,
        by_digits: bool,
    ) -> Option<Line> {
        let digits = self.digits().filter(|digits| by_digits && digits.contains(&-1));
        // in chains of carries nothing is added behind what is subtracted
        let is_product = |weight: u32| products && weight > 1 && !minus;
        let sums = [x, y].into_iter().filter(|weight| !is_product(*weight)).sum::<u32>();
        let has_products = is_product(x) || is_product(y);
        let bits = BigUint::from(x.max(y)).bits();
        let is_short = 2 * (self.back.bits() + bits) <= u64::from(self.bits) * self.d as u64;
        let comes_back = bits < self.bits.into() || is_short;
        if by_digits != digits.is_some() || products != has_products || sums > MOST_SUMS || !comes_back {
            return None;
        }
        let times = if minus { y } else { 0 };
        let negative = vec![times; self.d];
        let (least, ones) = (self.weighted(&negative), self.radix() - 1u8);
        let missing = (self.modulus - &least % self.modulus) % self.modulus;
        let most = ones * (x + y) + &missing;
        let constant = self.words(&missing, self.d);
        let total = self.count(&most).max(self.d);
        let operands = [(Array::A, x, false), (Array::B, y, minus)];
        let multiples = operands.map(|(array, weight, _)| {
            let factor = if is_product(weight) { self.words(&weight.into(), 0) } else { Vec::new() };
            self.multiples(&self.operand(array, self.d).words, &factor)
        });
        let mut line = Line::default();
        line.clear();
        let mut words = Vec::new();
        for column in 0..total {
            let constant = constant.get(column).map_or(0, |own| own + u64::from(times) * self.ones());
            if column < self.d && constant > 0 {
                line.plus(Source::Number(constant));
            }
            for ((array, weight, minus), multiples) in operands.iter().zip(&multiples) {
                for (word, factor) in multiples.get(column).into_iter().flatten() {
                    match factor {
                        1 => line.plus(*word),
                        _ => line.product(*word, Source::Number(*factor)),
                    }
                }
                let often = if is_product(*weight) || column >= self.d { 0 } else { *weight };
                for _ in 0..often {
                    let word = address(*array, column);
                    if *minus { line.minus(word) } else { line.plus(word) }
                }
            }
            let word = line.take(total - column);
            words.push(self.at_home(&mut line, word, column));
        }
        let number = Number { words, most, minus };
        Some(self.folded(line, number, digits.as_deref()))
    }

    /// The weighted sum of so many largest words in each column.
    pub(super) fn weighted(&self, times: &[u32]) -> BigUint {
        let weight = |(column, times): (usize, &u32)| {
            (BigUint::from(*times) * self.ones()) << (self.bits as usize * column)
        };
        times.iter().enumerate().map(weight).sum()
    }

    /// A number of 2d words; what is left above R comes back by the digits of C where that is said and some are negative.
    pub(super) fn signed(&self, by_digits: bool) -> Option<Line> {
        let rows = self.rows()?;
        let digits = rows.first().filter(|digits| by_digits && digits.contains(&-1));
        if by_digits && digits.is_none() {
            return None;
        }
        let mut line = Line::default();
        let count = |column: usize, minus: bool| {
            let own = rows.iter().map(|row| row[column]).filter(|times| (*times < 0) == minus);
            own.map(i32::unsigned_abs).sum::<u32>()
        };
        let negative: Vec<u32> = (0..self.d).map(|column| count(column, true)).collect();
        let positive: Vec<u32> = (0..self.d).map(|column| 1 + count(column, false)).collect();
        // what is subtracted at most, and what is missing to a multiple of p
        let least = self.weighted(&negative);
        let missing = (self.modulus - &least % self.modulus) % self.modulus;
        let most = self.weighted(&positive) + &least + &missing;
        let missing = self.words(&missing, self.d);
        let total = self.count(&most).max(self.d);
        line.clear();
        let mut words = Vec::new();
        for column in 0..total {
            if column < self.d {
                line.plus(address(Array::A, column));
                let constant = missing[column] + u64::from(negative[column]) * self.ones();
                if constant > 0 {
                    line.plus(Source::Number(constant));
                }
                for (i, row) in rows.iter().enumerate() {
                    for _ in 0..row[column].abs() {
                        let word = address(Array::A, self.d + i);
                        if row[column] < 0 { line.minus(word) } else { line.plus(word) }
                    }
                }
            }
            let word = line.take(total - column);
            words.push(self.at_home(&mut line, word, column));
        }
        let number = Number { words, most, minus: negative.iter().any(|times| *times > 0) };
        Some(self.folded(line, number, digits.map(Vec::as_slice)))
    }
}
