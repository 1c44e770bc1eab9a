//! Columns of products over GF(2), for processors that multiply there: what stands above the n words of an element comes back
//! as its product by K = x^(w n) modulo the polynomial, within the columns of the words below.

use crate::Field;
use crate::binary::BinaryField;
use num_bigint::BigUint;
use rhomb_contract::Expression;
use rhomb_line::{Address, Array, Line, Logic, Value};
use std::collections::BTreeMap;
use std::ops::Range;

/// Most words of the operands of a product whose columns are its reduction's, too: all of them are in registers.
const MOST_WORDS: usize = 7;

/// What an operation modulo a polynomial computes, the highest exponent first; `None` where it is long.
pub(super) fn modulo(expression: Expression, exponents: &[u32], bits: u32) -> Option<Line> {
    let n = exponents.first()?.div_ceil(bits) as usize;
    if n < 2 {
        return None;
    }
    let back = BinaryField::new(exponents)?.element(&(BigUint::from(1u8) << (bits as usize * n)));
    let line = Line::default();
    let mut own = Reduction { line, bits, n, back, columns: vec![Vec::new(); n], words: vec![None; n] };
    let (upper, above) = match expression {
        Expression::Product if n <= MOST_WORDS => own.product(),
        Expression::Square => own.square(),
        Expression::Product => return None,
        _ => {
            own.words = (0..n).map(|at| Some(own.load(Array::A, at))).collect();
            ((n..2 * n).map(|at| own.load(Array::A, at)).collect(), 0)
        }
    };
    own.finish(upper, above)
}

struct Reduction {
    line: Line,
    bits: u32,
    n: usize,
    /// K.
    back: BigUint,
    /// Products, and a word, that belong to each word of the result.
    columns: Vec<Vec<[Value; 2]>>,
    words: Vec<Option<Value>>,
}

impl Reduction {
    fn load(&mut self, array: Array, index: usize) -> Value {
        self.line.load(Address { array, index })
    }

    fn column(&mut self, products: &[[Value; 2]]) {
        products.iter().for_each(|[x, y]| self.line.carryless(*x, *y));
    }

    /// Of a product, the upper columns alone; the bits that the lower ones bring there are still to come.
    fn product(&mut self) -> (Vec<Value>, usize) {
        let n = self.n;
        let mut loaded: BTreeMap<Address, Value> = BTreeMap::new();
        let mut word = |line: &mut Line, array, index| {
            let address = Address { array, index };
            *loaded.entry(address).or_insert_with(|| line.load(address))
        };
        let mut of = |line: &mut Line, column: usize| -> Vec<[Value; 2]> {
            let mut own: Vec<usize> = (0..n).filter(|i| (*i..*i + n).contains(&column)).collect();
            // what was not read before comes last
            own.sort_by_key(|i| std::cmp::Reverse((*i).min(column - *i)));
            own.into_iter().map(|i| [word(line, Array::A, i), word(line, Array::B, column - i)]).collect()
        };
        // from the highest column down, so that each reads two words more than the one before
        let mut upper: Vec<Option<Value>> = vec![None; n];
        for column in (n..2 * n - 1).rev() {
            self.line.clear();
            let own = of(&mut self.line, column);
            self.column(&own);
            let [low, high] = [self.line.take(2), self.line.take(1)];
            let above = column + 1 - n;
            let word = upper[above].map_or(high, |word| self.line.logic(Logic::Xor, word, high));
            // the highest is needed first
            if above + 1 < n {
                self.line.homes.insert(word, Address { array: Array::Scratch, index: above });
            }
            upper[above] = Some(word);
            upper[above - 1] = Some(low);
        }
        let upper = upper.into_iter().flatten().collect();
        self.columns = (0..n).rev().map(|column| of(&mut self.line, column)).collect();
        self.columns.reverse();
        (upper, self.bits as usize - 1)
    }

    /// Of a square, the words that begin in the upper half.
    fn square(&mut self) -> (Vec<Value>, usize) {
        let n = self.n;
        let a: Vec<Value> = (0..n).map(|index| self.load(Array::A, index)).collect();
        let mut words = Vec::new();
        for word in &a[n / 2..] {
            self.line.clear();
            self.column(&[[*word; 2]]);
            words.extend([self.line.take(2), self.line.take(1)]);
        }
        for (i, word) in a.iter().enumerate().take(n / 2) {
            self.columns[2 * i].push([*word; 2]);
        }
        // the middle word begins in the lower half
        let upper = words.split_off(n % 2);
        self.words[n - 1] = words.pop();
        (upper, 0)
    }

    /// The result, where `above` bits of the columns are above it beside what the upper words bring: these bits come first, and
    /// back with the upper words. `None` where they would not do so at once.
    fn finish(mut self, mut upper: Vec<Value>, above: usize) -> Option<Line> {
        let (w, n) = (self.bits as usize, self.n);
        let back: Vec<(usize, Value)> =
            self.back_words().into_iter().map(|(at, word)| (at, self.line.number(word))).collect();
        let highest = back.last()?.0;
        let reach = self.back.bits() as usize - 1;
        let over = above.max(reach).div_ceil(w);
        if over + highest > n - 1 {
            return None;
        }
        self.line.clear();
        let mut words = self.sums(n - 1..n + over, &back, &upper).into_iter();
        let last = words.next()?;
        for (word, more) in upper.iter_mut().zip(words) {
            *word = self.line.logic(Logic::Xor, *word, more);
        }
        let sums = match above > 0 {
            true => self.falling(last, &back, &upper),
            false => {
                self.line.clear();
                let mut sums = self.sums(0..n - 1, &back, &upper);
                let high = self.line.take(1);
                sums.push(self.line.logic(Logic::Xor, last, high));
                sums
            }
        };
        for (index, sum) in sums.into_iter().enumerate() {
            let word = self.words[index].map_or(sum, |word| self.line.logic(Logic::Xor, word, sum));
            self.line.store(word, Address { array: Array::Result, index });
        }
        Some(self.line)
    }

    /// The lower words from the highest down, of which the last column made a part: fewer and fewer operands are read.
    fn falling(&mut self, last: Value, back: &[(usize, Value)], upper: &[Value]) -> Vec<Value> {
        let mut sums = vec![last];
        for column in (0..self.n - 1).rev() {
            self.line.clear();
            let [low, high] = [self.sum(column, 2, back, upper), self.line.take(1)];
            if let Some(word) = sums.last_mut() {
                *word = self.line.logic(Logic::Xor, *word, high);
            }
            sums.push(low);
        }
        sums.reverse();
        sums
    }

    /// The words of these columns, with what the upper words bring.
    fn sums(&mut self, columns: Range<usize>, back: &[(usize, Value)], upper: &[Value]) -> Vec<Value> {
        // the word above the last column is left
        let end = columns.end + usize::from(columns.end < self.n);
        columns.map(|column| self.sum(column, end - column, back, upper)).collect()
    }

    /// The low word of a column, of whose sum so many words are left.
    fn sum(&mut self, column: usize, left: usize, back: &[(usize, Value)], upper: &[Value]) -> Value {
        let own = self.columns.get_mut(column).map(std::mem::take).unwrap_or_default();
        self.column(&own);
        for (at, word) in back {
            if let Some(from) = column.checked_sub(*at).and_then(|from| upper.get(from)) {
                self.line.carryless(*from, *word);
            }
        }
        self.line.take(left)
    }

    /// The words of K that are not zero.
    fn back_words(&self) -> Vec<(usize, u64)> {
        let word = |at: usize| {
            let moved = &self.back >> (self.bits as usize * at);
            moved.iter_u64_digits().next().unwrap_or(0) & u64::MAX >> (64 - self.bits)
        };
        (0..self.n).map(|at| (at, word(at))).filter(|(_, word)| *word > 0).collect()
    }
}
