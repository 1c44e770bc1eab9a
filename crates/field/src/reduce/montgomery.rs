//! Division by R modulo p (P. L. Montgomery, "Modular multiplication without trial division", 1985), column by column: each
//! column but those of the result gets the multiple of p that makes it zero.

use super::{Number, Task};
use num_bigint::BigUint;
use rhomb_line::{Address, Array, Line, Op, Source};

impl Task<'_> {
    /// A number of 2d words, divided by R.
    pub(super) fn divided(&self) -> Line {
        let mut line = Line::default();
        let operand = self.operand(Array::A, 2 * self.d);
        let quotient = self.divide(&mut line, operand);
        self.folded(line, quotient, None)
    }

    /// The same times R: divided, multiplied by R^2 mod p, and divided again.
    pub(super) fn divided_twice(&self) -> Line {
        let mut line = Line::default();
        let operand = self.operand(Array::A, 2 * self.d);
        let quotient = self.divide(&mut line, operand);
        let factor = (&self.back * &self.back) % self.modulus;
        let product = self.multiplied(&mut line, &quotient, &factor);
        let quotient = self.divide(&mut line, product);
        self.folded(line, quotient, None)
    }

    /// A number times another one, in scratch words.
    fn multiplied(&self, line: &mut Line, number: &Number, factor: &BigUint) -> Number {
        let most = &number.most * factor;
        let count = self.count(&most);
        let factor = self.words(factor, 0);
        line.clear();
        let mut words = Vec::new();
        for column in 0..count {
            for (at, word) in number.words.iter().enumerate().take(column + 1) {
                match factor.get(column - at) {
                    None | Some(0) => {}
                    Some(1) => line.plus(*word),
                    Some(factor) => line.product(*word, Source::Number(*factor)),
                }
            }
            let word = line.take(count - column);
            let scratch = Address { array: Array::Scratch, index: column };
            line.store(word, scratch);
            words.push(Source::Memory(scratch));
        }
        Number { words, most, minus: false }
    }

    /// -1/p modulo the word's base.
    fn inverse(&self) -> u64 {
        let modulus = self.words(self.modulus, self.d)[0];
        // Newton's iteration doubles the right low bits, of which p itself has three
        let better = |y: u64| y.wrapping_mul(2u64.wrapping_sub(modulus.wrapping_mul(y)));
        (0..5).fold(modulus, |y, _| better(y)).wrapping_neg() & self.ones()
    }

    /// A number divided by R modulo p.
    fn divide(&self, line: &mut Line, z: Number) -> Number {
        let modulus = self.words(self.modulus, self.d);
        let inverse = self.inverse();
        let most = (&z.most + (self.radix() - 1u8) * self.modulus) / self.radix();
        let count = self.d + self.count(&most);
        let mut quotients: Vec<Source> = Vec::new();
        let mut words = Vec::new();
        line.clear();
        for column in 0..count {
            if let Some(word) = z.words.get(column) {
                line.plus(*word);
            }
            let products = quotients.iter().enumerate().take(column.min(self.d));
            for (at, quotient) in products {
                match modulus.get(column - at) {
                    None | Some(0) => {}
                    Some(1) => line.plus(*quotient),
                    Some(word) => line.product(*quotient, Source::Number(*word)),
                }
            }
            if column >= self.d {
                let word = line.take(count - column);
                words.push(self.at_home(line, word, column - self.d));
                continue;
            }
            if inverse == 1 {
                // the low word of p is the largest: with its multiple the column is the word, one column higher
                let low = line.take(0);
                let quotient = self.at_home(line, low, column);
                line.plus(quotient);
                quotients.push(quotient);
                continue;
            }
            let low = line.peek();
            let inverse = line.number(inverse);
            let quotient = line.low(low, inverse);
            let quotient = self.at_home(line, quotient, column);
            line.product(quotient, Source::Number(modulus[0]));
            line.ops.push(Op::Take { to: None, words: 0 });
            quotients.push(quotient);
        }
        Number { words, most, minus: false }
    }
}
