//! What stands above R comes back as C = R mod p.

use super::{Number, Task, address};
use num_bigint::BigUint;
use rhomb_line::{Array, Line, Source, Value};

/// Most bits above the modulus, each of which costs two additions.
const MOST_SPARE: u64 = 4;

impl Task<'_> {
    /// a + b, or a - b.
    pub(super) fn sum(&self, minus: bool) -> Line {
        let mut line = Line::default();
        let mut words = Vec::new();
        for index in 0..self.d {
            let [a, b] = [Array::A, Array::B].map(|array| self.value(&mut line, address(array, index)));
            let word = added(&mut line, minus, a, Some(b), index > 0, true);
            words.push(self.at_home(&mut line, word, index));
        }
        let mask = line.spread(minus);
        self.carry_back(&mut line, &mut words, minus, mask, (self.radix() - 1u8) * 2u8);
        self.stored(&mut line, &words);
        line
    }

    /// A number of d words has left a carry above them, or a borrow, of which `mask` is all ones; with it the number was at
    /// most `most`. C is added, or subtracted, until there is none.
    ///
    /// The second time, what is left was below C, or above R - C for a borrow: all words above those of 2C are zero then, or
    /// all ones, and stay.
    pub(super) fn carry_back(
        &self,
        line: &mut Line,
        words: &mut [Source],
        minus: bool,
        mut mask: Value,
        mut most: BigUint,
    ) {
        let radix = self.radix();
        let back = self.words(&self.back, self.d);
        let first = back.iter().position(|word| *word > 0).unwrap_or(0);
        loop {
            most = most - &radix + &self.back;
            let is_last = most < radix;
            // a carry that leaves a word to which nothing was added is easily shown to be none; words of 16 bits are added in
            // pairs, so that it costs nothing there
            let in_pairs = self.bits == 16;
            let longer =
                self.count(&self.back) + usize::from(in_pairs || self.back.bits() > self.bits.into());
            let count = self.count(&most).max(longer).min(self.d);
            let count = count + usize::from(in_pairs && !minus && count % 2 == 1 && count + 1 < self.d);
            for index in first..count {
                let own = self.masked(line, mask, back[index]);
                let word = self.value(line, words[index]);
                let more = !is_last || index + 1 < count;
                let word = added(line, minus, word, own, index > first, more);
                words[index] = self.at_home(line, word, index);
            }
            if is_last {
                return;
            }
            mask = line.spread(minus);
        }
    }

    /// A word of a number where the mask is all ones, zero where it is zero; nothing for a zero.
    pub(super) fn masked(&self, line: &mut Line, mask: Value, word: u64) -> Option<Value> {
        match word {
            0 => None,
            word if word == self.ones() => Some(mask),
            word => Some(line.mask(mask, word)),
        }
    }

    /// A number of 2d words, where C is short enough that its multiples are.
    pub(super) fn folded_product(&self) -> Option<Line> {
        let is_short = 2 * self.back.bits() <= u64::from(self.bits) * self.d as u64;
        is_short.then(|| self.folded(Line::default(), self.operand(Array::A, 2 * self.d), None))
    }

    /// A number of d words times a factor, where the multiples of C that come back have half of the words at most.
    pub(super) fn times(&self, factor: u32) -> Option<Line> {
        let factor = BigUint::from(factor);
        if 2 * (self.back.bits() + factor.bits()) > u64::from(self.bits) * self.d as u64 {
            return None;
        }
        let a = self.operand(Array::A, self.d);
        let most = a.most * &factor;
        let terms = self.multiples(&a.words, &self.words(&factor, 0));
        let mut line = Line::default();
        line.clear();
        let count = self.count(&most);
        let mut words = Vec::new();
        for column in 0..count {
            for (word, factor) in terms.get(column).map_or(&[][..], |terms| &terms[..]) {
                match factor {
                    1 => line.plus(*word),
                    _ => line.product(*word, Source::Number(*factor)),
                }
            }
            let word = line.take(count - column);
            words.push(self.at_home(&mut line, word, column));
        }
        Some(self.folded(line, Number { words, most, minus: false }, None))
    }

    /// A number of 2d words modulo p = 2^b - c, for a c and R mod p of a word and few bits of the highest word above b. What
    /// stands above 2^b in the highest column, before it gets a carry from below, comes back first: then the carry has
    /// room there, and nothing is left above.
    ///
    /// With `apart`, that is multiplied by c apart, where the product is a word.
    pub(super) fn folded_from_the_top(&self, apart: bool) -> Option<Line> {
        let (mut line, words) = self.product_from_the_top(apart)?;
        self.stored(&mut line, &words);
        Some(line)
    }

    /// a + n b or n a + b, for an n of a word, in the same way.
    pub(super) fn weighted_from_the_top(&self, weights: [u32; 2], apart: bool) -> Option<Line> {
        let (plain, times, factor) = match weights {
            [1, factor] => (Array::A, Array::B, factor),
            [factor, 1] => (Array::B, Array::A, factor),
            _ => return None,
        };
        let [plain, times] =
            [plain, times].map(|array| (0..self.d).map(|index| address(array, index)).collect::<Vec<_>>());
        let mut line = Line::default();
        let words = self.words_from_the_top(&mut line, (&plain, &times, factor.into()), apart)?;
        self.stored(&mut line, &words);
        Some(line)
    }

    /// The words of a number of 2d words modulo p, which are not stored.
    fn product_from_the_top(&self, apart: bool) -> Option<(Line, Vec<Source>)> {
        let factor = self.word(&self.back).filter(|_| self.d >= 2)?;
        let [plain, times] = [0, self.d]
            .map(|from| (from..from + self.d).map(|index| address(Array::A, index)).collect::<Vec<_>>());
        let mut line = Line::default();
        let words = self.words_from_the_top(&mut line, (&plain, &times, factor), apart)?;
        Some((line, words))
    }

    /// A number of one word.
    fn word(&self, number: &BigUint) -> Option<u64> {
        (self.count(number) <= 1).then(|| number.iter_u64_digits().next().unwrap_or(0))
    }

    /// The words of x + n y, for d words of each and an n of a word.
    pub(super) fn words_from_the_top(
        &self,
        line: &mut Line,
        (plain, times, factor): (&[Source], &[Source], u64),
        apart: bool,
    ) -> Option<Vec<Source>> {
        let (spare, small) = self.spare_at_the_top()?;
        let last = self.d - 1;
        let kept = self.ones() >> spare;
        // what goes into the highest column from above and from below it
        let above = ((u128::from(factor) + 1) * u128::from(self.ones())) >> (self.bits - spare);
        let below = self.weighted(&vec![1; last]) * (factor + 1) + BigUint::from(above) * small;
        let carry = below >> (self.bits as usize * last);
        if u128::from(factor.max(small)).max(above) > u128::from(self.ones())
            || carry + kept > self.ones().into()
            || apart && above * u128::from(small) > u128::from(self.ones())
        {
            return None;
        }
        let [low, high] = [plain, times].map(|words| self.value(line, words[last]));
        let (mut low, mut over) = match factor {
            1 => {
                let low = line.add(high, Some(low), false, true);
                let zero = line.number(0);
                (low, line.add(zero, None, true, false))
            }
            _ => {
                let factor = line.number(factor);
                let [product, over] = line.multiply(high, factor);
                let low = line.add(product, Some(low), false, true);
                (low, line.add(over, None, true, false))
            }
        };
        let top = line.mask(low, kept);
        if apart {
            let [moved, above] =
                [line.shift_up(over, spare), line.shift_down(low, self.bits, self.bits - spare)];
            over = line.add(moved, Some(above), false, false);
        } else {
            for _ in 0..spare {
                low = line.add(low, Some(low), false, true);
                over = line.add(over, Some(over), true, false);
            }
        }
        let multiple = apart.then(|| {
            let small = line.number(small);
            line.low(over, small)
        });
        line.clear();
        let mut words = Vec::new();
        for column in 0..self.d {
            if let (0, Some(multiple)) = (column, multiple) {
                line.plus(Source::Value(multiple));
            }
            if column == last {
                line.plus(Source::Value(top));
            } else {
                line.plus(plain[column]);
                match factor {
                    1 => line.plus(times[column]),
                    _ => line.product(times[column], Source::Number(factor)),
                }
            }
            if column == 0 && !apart {
                line.product(Source::Value(over), Source::Number(small));
            }
            let word = line.take(self.d - column);
            words.push(self.at_home(line, word, column));
        }
        Some(words)
    }

    /// Bits of the highest word above p = 2^b - c, and c, where both are small.
    pub(super) fn spare_at_the_top(&self) -> Option<(u32, u64)> {
        let b = self.modulus.bits();
        let spare = u64::from(self.bits) * self.d as u64 - b;
        let is_usual = (1..=MOST_SPARE).contains(&spare) && self.d >= 2 && self.count(&self.back) <= 1;
        let small = self.word(&((BigUint::from(1u8) << b as usize) - self.modulus))?;
        is_usual.then_some((spare as u32, small))
    }

    /// A number of 2d words modulo p = 2^b - c, where R is 2^(b + 1), and below p: after the fold the bit above 2^b comes back
    /// as c, so that the number is below 2p. Then p is subtracted, and where that leaves a borrow R - p, too.
    pub(super) fn canonical(&self) -> Option<Line> {
        let spare = u64::from(self.bits) * self.d as u64 - self.modulus.bits();
        let (mut line, words) = self.product_from_the_top(false).filter(|_| spare == 1)?;
        let small = (self.radix() >> 1usize) - self.modulus;
        let small = self.words(&small, 0).first().copied()?;
        let mut words: Vec<Value> = words.into_iter().map(|word| self.value(&mut line, word)).collect();
        let top = words[self.d - 1];
        line.add(top, Some(top), false, true);
        let above = line.spread(false);
        words[self.d - 1] = line.mask(top, self.ones() >> 1);
        let own = self.masked(&mut line, above, small);
        for (index, word) in words.iter_mut().enumerate() {
            let own = own.filter(|_| index == 0);
            *word = line.add(*word, own, index > 0, index + 1 < self.d);
            self.at_home(&mut line, *word, index);
        }
        for (index, p) in self.words(self.modulus, self.d).into_iter().enumerate() {
            let p = line.number(p);
            words[index] = line.subtract(words[index], Some(p), index > 0, true);
            self.at_home(&mut line, words[index], index);
        }
        let below = line.spread(true);
        for (index, own) in self.words(&(self.radix() - self.modulus), self.d).into_iter().enumerate() {
            let own = self.masked(&mut line, below, own);
            words[index] = line.subtract(words[index], own, index > 0, index + 1 < self.d);
        }
        let words: Vec<Source> = words.into_iter().map(Source::Value).collect();
        self.stored(&mut line, &words);
        Some(line)
    }

    /// Folds a number until it is below R, and stores it. A word above R comes back by products, or by the digits of C.
    pub(super) fn folded(&self, mut line: Line, mut number: Number, digits: Option<&[i32]>) -> Line {
        let radix = self.radix();
        let back = self.words(&self.back, 0);
        while number.most >= &radix * 2u8 {
            let over = &number.most / &radix;
            // at its largest, or below with all ones in the words that stay
            let below = &radix - 1u8 + (&over - 1u8) * &self.back;
            let most = below.max(&number.most % &radix + &over * &self.back);
            let count = self.count(&most).max(self.d);
            if let Some(digits) = digits.filter(|_| number.words.len() == self.d + 1) {
                self.added_by_digits(&mut line, &mut number.words, digits);
                number = Number { words: number.words, most, minus: true };
                continue;
            }
            let terms = self.multiples(&number.words[self.d..], &back);
            line.clear();
            let mut words = Vec::new();
            for column in 0..count {
                if column < self.d {
                    line.plus(number.words[column]);
                }
                for (word, factor) in terms.get(column).map_or(&[][..], |terms: &Vec<(Source, u64)>| terms) {
                    match factor {
                        1 => line.plus(*word),
                        _ => line.product(*word, Source::Number(*factor)),
                    }
                }
                let word = line.take(count - column);
                words.push(self.at_home(&mut line, word, column));
            }
            number = Number { words, most, minus: false };
        }
        let top = number.words.get(self.d).copied();
        number.words.truncate(self.d);
        if let Some(top) = top.filter(|_| number.most >= radix) {
            let mut top = self.value(&mut line, top);
            if number.minus {
                // that it is a bit tells a proof more than that it is carries less borrows
                top = line.mask(top, 1);
            } else {
                line.bits.insert(top);
            }
            let mask = line.negate(top);
            self.carry_back(&mut line, &mut number.words, false, mask, number.most);
        }
        self.stored(&mut line, &number.words);
        line
    }

    /// The word above R comes back as its multiple of C, of which these are the digits: what is added first, so that the
    /// number never falls below zero.
    fn added_by_digits(&self, line: &mut Line, words: &mut [Source], digits: &[i32]) {
        let top = self.value(line, words[self.d]);
        words[self.d] = Source::Number(0);
        for sign in [1, -1] {
            let Some(first) = digits.iter().position(|digit| *digit == sign) else { continue };
            for (index, place) in words.iter_mut().enumerate().skip(first) {
                let own = (digits.get(index) == Some(&sign)).then_some(top);
                let word = self.value(line, *place);
                let word = added(line, sign < 0, word, own, index > first, index < self.d);
                *place = self.at_home(line, word, index);
            }
        }
    }

    /// In each column the words times those of a number.
    pub(super) fn multiples(&self, words: &[Source], factor: &[u64]) -> Vec<Vec<(Source, u64)>> {
        let mut columns = vec![Vec::new(); words.len() + factor.len()];
        for (i, word) in words.iter().enumerate() {
            for (j, factor) in factor.iter().enumerate().filter(|(_, factor)| **factor > 0) {
                columns[i + j].push((*word, *factor));
            }
        }
        columns
    }
}

fn added(line: &mut Line, minus: bool, x: Value, y: Option<Value>, carry_in: bool, carry_out: bool) -> Value {
    match minus {
        false => line.add(x, y, carry_in, carry_out),
        true => line.subtract(x, y, carry_in, carry_out),
    }
}
