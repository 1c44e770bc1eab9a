//! Division by R modulo p (P. L. Montgomery, "Modular multiplication without trial division", 1985). Each column but those of
//! the result gets the multiple of p that makes it zero: column by column, or row by row, where the accumulator of columns is
//! free while the multiples are chosen.

use super::{Number, Task, waits};
use num_bigint::BigUint;
use rhomb_line::{Address, Array, Line, Op, Source, Value};

/// What is divided by: the words of the modulus, as many as an element has, and -1 divided by the lowest of them, numbers
/// or words in memory; and the largest that the modulus can be.
pub(super) struct Divisor {
    pub(super) words: Vec<Source>,
    pub(super) inverse: Source,
    pub(super) most: BigUint,
    /// Whether the result lies in the place of what is divided, with the multiples below the quotient.
    pub(super) in_place: bool,
}

/// A number that was divided, and what made it divisible: the multiples of the modulus, a word a column.
pub(super) struct Divided {
    pub(super) multiples: Vec<Source>,
    pub(super) quotient: Number,
}

impl Divisor {
    /// What makes a column with this low word zero.
    fn quotient(&self, task: &Task<'_>, line: &mut Line, low: Value) -> Value {
        match self.inverse {
            Source::Number(inverse) => task.times_number(line, low, inverse),
            inverse => {
                let inverse = task.value(line, inverse);
                line.low(low, inverse)
            }
        }
    }
}

/// In which order the multiples of p are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Columns,
    /// By columns, of p + 1 instead, which has fewer words where the low words of p are the largest.
    Next,
    /// So many rows at a time.
    Rows(usize),
}

impl Task<'_> {
    /// A number of 2d words, divided by R.
    pub(super) fn divided(&self, order: Order) -> Line {
        let mut line = Line::default();
        let operand = self.operand(Array::A, 2 * self.d);
        let quotient = self.divide(&mut line, operand, order, &self.divisor()).quotient;
        self.folded(line, quotient, None)
    }

    /// The same times R: divided, multiplied by R^2 mod p, and divided again.
    pub(super) fn divided_twice(&self, order: Order) -> Line {
        let mut line = Line::default();
        let operand = self.operand(Array::A, 2 * self.d);
        let divisor = self.divisor();
        let quotient = self.divide(&mut line, operand, order, &divisor).quotient;
        let factor = (&self.back * &self.back) % self.modulus;
        let product = self.multiplied(&mut line, &quotient, &factor, order);
        let quotient = self.divide(&mut line, product, order, &divisor).quotient;
        self.folded(line, quotient, None)
    }

    /// A number times another one, in scratch words.
    fn multiplied(&self, line: &mut Line, number: &Number, factor: &BigUint, order: Order) -> Number {
        let most = &number.most * factor;
        let count = self.count(&most);
        let factor: Vec<Source> = self.words(factor, 0).into_iter().map(Source::Number).collect();
        line.clear();
        let mut words = Vec::new();
        for column in 0..count {
            for (at, word) in number.words.iter().enumerate().take(column + 1) {
                self.plus_multiple(line, *word, factor.get(column - at));
            }
            let word = line.take(count - column);
            let scratch = Address { array: Array::Scratch, index: column };
            words.push(match order {
                Order::Columns | Order::Next => {
                    line.store(word, scratch);
                    Source::Memory(scratch)
                }
                // each is changed soon, and may stay where it is
                Order::Rows(_) => {
                    line.homes.insert(word, scratch);
                    Source::Value(word)
                }
            });
        }
        Number { words, most, minus: false }
    }

    /// -1/p modulo the word's base.
    fn inverse(&self) -> u64 {
        self.inverse_of(self.words(self.modulus, self.d)[0])
    }

    /// -1 by an odd number modulo the word's base.
    pub(super) fn inverse_of(&self, odd: u64) -> u64 {
        // Newton's iteration doubles the right low bits, of which the number itself has three
        let better = |y: u64| y.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(y)));
        (0..5).fold(odd, |y, _| better(y)).wrapping_neg() & self.ones()
    }

    /// The same where the low word of p is the largest, so that p + 1 ends in a zero.
    pub(super) fn divided_by_next(&self) -> Option<Line> {
        let divisor = self.divisor();
        let is_next = self.inverse() == 1 && self.next(&divisor.words).is_some();
        is_next.then(|| self.divided(Order::Next))
    }

    /// The modulus, which is a number.
    fn divisor(&self) -> Divisor {
        let words = self.words(self.modulus, self.d).into_iter().map(Source::Number).collect();
        Divisor {
            words,
            inverse: Source::Number(self.inverse()),
            most: self.modulus.clone(),
            in_place: false,
        }
    }

    /// A number divided by R modulo p.
    pub(super) fn divide(&self, line: &mut Line, z: Number, order: Order, divisor: &Divisor) -> Divided {
        let most = (&z.most + (self.radix() - 1u8) * &divisor.most) / self.radix();
        let (multiples, words) = match order {
            Order::Columns => self.divide_columns(line, &z, &most, divisor, None),
            Order::Next => self.divide_columns(line, &z, &most, divisor, self.next(&divisor.words)),
            Order::Rows(rows) => self.divide_rows(line, &z, divisor, rows),
        };
        Divided { multiples, quotient: Number { words, most, minus: false } }
    }

    /// The words of p + 1, where they are numbers, and no more than those of p.
    fn next(&self, words: &[Source]) -> Option<Vec<Source>> {
        let mut carry = 1;
        let word = |word: &Source| match word {
            Source::Number(word) => {
                let sum = u128::from(*word) + carry;
                carry = sum >> self.bits;
                Some(Source::Number(sum as u64 & self.ones()))
            }
            _ => None,
        };
        let next: Option<Vec<Source>> = words.iter().map(word).collect();
        next.filter(|_| carry == 0)
    }

    /// The low word of a word times an odd number.
    pub(super) fn times_number(&self, line: &mut Line, word: Value, number: u64) -> Value {
        match number {
            1 => word,
            number if number == self.ones() => line.negate(word),
            number => {
                let number = line.number(number);
                line.low(word, number)
            }
        }
    }

    /// Adds a word times one of a number.
    fn plus_multiple(&self, line: &mut Line, own: Source, word: Option<&Source>) {
        match word {
            None | Some(Source::Number(0)) => {}
            Some(Source::Number(1)) => line.plus(own),
            Some(word) => line.product(own, *word),
        }
    }

    /// The multiple of a column, which may wait.
    fn multiple(&self, line: &mut Line, quotient: Value, column: usize, divisor: &Divisor) -> Source {
        match divisor.in_place {
            true => waits(line, quotient, column),
            false => Source::Value(quotient),
        }
    }

    /// The multiples, and the words that are left.
    fn divide_rows(
        &self,
        line: &mut Line,
        z: &Number,
        divisor: &Divisor,
        rows: usize,
    ) -> (Vec<Source>, Vec<Source>) {
        let wait = |line: &mut Line, value: Value, column: usize| match divisor.in_place {
            true => waits(line, value, column),
            // what stands there in the row above is done
            false => self.at_home(line, value, column % self.d),
        };
        let mut multiples = Vec::new();
        let mut words = z.words.clone();
        words.resize(words.len().max(2 * self.d), Source::Number(0));
        let mut carry: Option<Source> = None;
        for first in (0..self.d).step_by(rows) {
            let above = first + rows.min(self.d - first);
            let mut quotients: Vec<Source> = Vec::new();
            for column in first..above + self.d {
                let low = (column == first).then(|| self.value(line, words[first]));
                let first_quotient = low.map(|low| (low, divisor.quotient(self, line, low)));
                if let Some((low, quotient)) = first_quotient {
                    words[first] = Source::Value(low);
                    quotients.push(self.multiple(line, quotient, first, divisor));
                    line.clear();
                }
                let products = quotients.iter().enumerate().filter_map(|(row, quotient)| {
                    Some((*quotient, divisor.words.get(column - first - row)?))
                });
                for (quotient, word) in products.collect::<Vec<_>>() {
                    self.plus_multiple(line, quotient, Some(word));
                }
                if words[column] != Source::Number(0) {
                    line.plus(words[column]);
                }
                if column == first + self.d {
                    carry.into_iter().for_each(|carry| line.plus(carry));
                }
                if column > first && column < above {
                    let low = line.peek();
                    let quotient = divisor.quotient(self, line, low);
                    quotients.push(self.multiple(line, quotient, column, divisor));
                    self.plus_multiple(line, quotients[column - first], divisor.words.first());
                }
                let left = (above + self.d + 1 - column) * usize::from(column >= first + self.d);
                let to = (column >= above).then(|| line.value());
                line.ops.push(Op::Take { to, words: left });
                if let Some(to) = to {
                    words[column] = wait(line, to, column);
                }
            }
            carry = Some(Source::Value(line.take(1)));
            multiples.extend(quotients);
        }
        // above what was divided there is nothing, or a word to which the carry is added
        let mut words = words.split_off(self.d);
        if let (Some(own), Some(carry)) = (words.get(self.d).copied(), carry) {
            line.clear();
            line.plus(own);
            line.plus(carry);
            words[self.d] = Source::Value(line.take(1));
        } else {
            words.extend(carry);
        }
        (multiples, words)
    }

    /// Likewise; with p + 1, if that is said, a column becomes zero without its low word, which is its multiple.
    fn divide_columns(
        &self,
        line: &mut Line,
        z: &Number,
        most: &BigUint,
        divisor: &Divisor,
        next: Option<Vec<Source>>,
    ) -> (Vec<Source>, Vec<Source>) {
        let count = self.d + self.count(most);
        let mut quotients: Vec<Source> = Vec::new();
        let mut words = Vec::new();
        let factor = next.as_ref().unwrap_or(&divisor.words);
        line.clear();
        for column in 0..count {
            if let Some(word) = z.words.get(column) {
                line.plus(*word);
            }
            let products = quotients.iter().enumerate().take(column.min(self.d));
            for (at, quotient) in products {
                self.plus_multiple(line, *quotient, factor.get(column - at));
            }
            if column >= self.d {
                let word = line.take(count - column);
                words.push(match divisor.in_place {
                    true => waits(line, word, column),
                    false => self.at_home(line, word, column - self.d),
                });
                continue;
            }
            if divisor.inverse == Source::Number(1) {
                // the low word of p is the largest: with its multiple the column is the word, one column higher
                let low = line.take(0);
                let quotient = self.at_home(line, low, column);
                if next.is_none() {
                    line.plus(quotient);
                }
                quotients.push(quotient);
                continue;
            }
            let low = line.peek();
            let quotient = divisor.quotient(self, line, low);
            let quotient = self.at_home(line, quotient, column);
            self.plus_multiple(line, quotient, divisor.words.first());
            line.ops.push(Op::Take { to: None, words: 0 });
            quotients.push(quotient);
        }
        (quotients, words)
    }
}
