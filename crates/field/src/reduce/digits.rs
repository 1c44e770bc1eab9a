//! Division by R modulo a number whose digits are mostly zero, when they may be negative: what makes a column zero comes back
//! in few other columns, once, twice, or times a word. Where the lowest digit is -1, what makes the column zero is the column
//! itself, so that it need not be computed. Nothing is subtracted: the complement of a word is added, and a multiple of p
//! makes up for that.

use super::{Number, Task, address};
use num_bigint::BigUint;
use rhomb_line::{Address, Array, Line, Op, Source, Value};

/// What a quotient is taken times in a column above its own.
#[derive(Clone, Copy, Debug)]
struct Digit {
    /// How many columns above.
    above: usize,
    digit: i64,
}

/// p or -p by its digits.
struct Digits {
    /// Those above the lowest one that are not zero, the highest first.
    above: Vec<Digit>,
    /// -1, or more than 0.
    lowest: i64,
    /// Whether it is -p.
    minus: bool,
}

/// What is added or subtracted by itself; other multiples are products.
const MOST_TIMES: u64 = 2;

impl Task<'_> {
    /// The digits of p, each at most half of the word's base, and at least minus that.
    fn signed_digits(&self) -> Vec<i64> {
        let base = i128::from(self.ones()) + 1;
        let mut carry = 0;
        let mut digits = Vec::new();
        for word in self.words(self.modulus, self.d).into_iter().chain([0]) {
            let sum = i128::from(word) + carry;
            carry = i128::from(sum > base / 2);
            digits.push((sum - carry * base) as i64);
        }
        digits
    }

    /// p or -p, by half as many digits as it has words, or fewer.
    fn short_digits(&self) -> Option<Digits> {
        let digits = self.signed_digits();
        let lowest = digits[0];
        let minus = lowest < -1 || lowest == 1;
        let sign = if minus { -1 } else { 1 };
        let above = digits.iter().enumerate().skip(1).rev().filter(|(_, digit)| **digit != 0);
        let above: Vec<Digit> = above.map(|(above, digit)| Digit { above, digit: sign * digit }).collect();
        (2 * above.len() <= self.d).then_some(Digits { above, lowest: sign * lowest, minus })
    }

    /// A number of 2d words, divided by R.
    pub(super) fn divided_by_digits(&self) -> Option<Line> {
        let Digits { above, lowest, minus } = self.short_digits()?;
        let (d, ones) = (self.d, self.ones());
        // what complements add more than is subtracted, and what is missing then to a multiple of p R
        let columns = |own: &Digit| own.above..own.above + d;
        let negative = above.iter().filter(|own| own.digit < 0);
        let weight = |(at, times): (usize, u64)| (BigUint::from(times) * ones) << (self.bits as usize * at);
        let added: BigUint =
            negative.flat_map(|own| columns(own).map(|at| (at, own.digit.unsigned_abs()))).map(weight).sum();
        let rest = (&added * self.one_by_radix()) % self.modulus;
        let missing = (self.modulus - rest) % self.modulus;
        let radix = self.radix();
        let quotients = if minus { BigUint::ZERO } else { (&radix - 1u8) * self.modulus };
        let most = (&radix * &radix - 1u8 + &added + &missing * &radix + quotients) / &radix;
        let missing = self.words(&missing, d);

        let mut line = Line::default();
        // with its complement, where that is kept since it is used more than once
        let keeps_complements = above.iter().filter(|own| own.digit < 0).count() > 1;
        let mut quotients: Vec<(Value, Option<Value>)> = Vec::new();
        let mut words = Vec::new();
        let count = d + self.count(&most).max(d);
        line.clear();
        for column in 0..count {
            // a quotient that leaves makes room for the word that stays in its place
            for digit in above.iter().filter(|own| columns(own).contains(&column)) {
                let (quotient, complement) = quotients[column - digit.above];
                let own = match digit.digit {
                    0.. => quotient,
                    _ => complement.unwrap_or_else(|| line.not(quotient)),
                };
                let own = Source::Value(own);
                match digit.digit.unsigned_abs() {
                    times @ ..=MOST_TIMES => (0..times).for_each(|_| line.plus(own)),
                    times => line.product(own, Source::Number(times)),
                }
            }
            if column < 2 * d {
                line.plus(address(Array::A, column));
            }
            if let Some(constant @ 1..) = column.checked_sub(d).and_then(|at| missing.get(at).copied()) {
                line.plus(Source::Number(constant));
            }
            if column >= d {
                let word = line.take(count - column);
                words.push(self.at_home(&mut line, word, column - d));
                continue;
            }
            let quotient = if lowest == -1 {
                line.take(0)
            } else {
                let low = line.peek();
                let quotient = self.times_number(&mut line, low, self.inverse_of(lowest.unsigned_abs()));
                line.product(Source::Value(quotient), Source::Number(lowest.unsigned_abs()));
                line.ops.push(Op::Take { to: None, words: 0 });
                quotient
            };
            line.homes.insert(quotient, Address { array: Array::Result, index: column });
            let complement = keeps_complements.then(|| line.not(quotient));
            let home = Address { array: Array::Scratch, index: column };
            complement.into_iter().for_each(|own| _ = line.homes.insert(own, home));
            quotients.push((quotient, complement));
        }
        let number = Number { words, most, minus: false };
        Some(self.folded(line, number, self.digits().as_deref()))
    }

    /// 1/R modulo p.
    fn one_by_radix(&self) -> BigUint {
        self.radix().modinv(self.modulus).unwrap_or_default()
    }
}
