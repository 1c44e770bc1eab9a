//! Products without an instruction for them, by a comb: for each place of a bit, from the highest down, the sum moves up by a
//! bit, and B is added at each word of A that has the bit, under a mask. Which words are read and written depends on no
//! operand.

use rhomb_line::{Address, Array, Line, Logic, Value};

/// How masks are got and sums move up.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Masks {
    /// Both through the carry.
    Carries,
    /// Sums through the carry; a mask is a word's sign, got anew where it is read, for instructions that shift an operand.
    Operands,
    /// By shifts, a mask once.
    Shifts,
}

/// A product of n words by n words.
pub(super) fn product(n: usize, bits: u32, masks: Masks) -> Line {
    let mut line = Line::default();
    let mut load =
        |array| -> Vec<Value> { (0..n).map(|index| line.load(Address { array, index })).collect() };
    let (mut a, b) = (load(Array::A), load(Array::B));
    let mut sum = Sum { words: vec![None; 2 * n] };
    for place in (0..bits).rev() {
        sum.double(&mut line, bits, masks);
        for (at, word) in a.iter_mut().enumerate() {
            let own = *word;
            let mask = match masks {
                Masks::Carries => {
                    *word = line.add(own, Some(own), false, true);
                    Some(line.spread(false))
                }
                Masks::Shifts => Some(line.sign(own)),
                Masks::Operands => None,
            };
            for (above, other) in b.iter().enumerate() {
                let mask = mask.unwrap_or_else(|| line.sign(own));
                let term = line.logic(Logic::And, *other, mask);
                sum.add(&mut line, at + above, term);
            }
            if masks != Masks::Carries && place > 0 {
                *word = line.shift_up(own, 1);
            }
        }
    }
    for (index, word) in sum.words.into_iter().enumerate() {
        let word = word.unwrap_or_else(|| line.number(0));
        line.store(word, Address { array: Array::Result, index });
    }
    line
}

/// A product of n words by n words, column by column, for processors that have such products.
pub(super) fn by_columns(n: usize) -> Line {
    let mut line = Line::default();
    let mut load =
        |array| -> Vec<Value> { (0..n).map(|index| line.load(Address { array, index })).collect() };
    let (a, b) = (load(Array::A), load(Array::B));
    line.clear();
    for index in 0..2 * n {
        for at in (index + 1).saturating_sub(n)..n.min(index + 1) {
            line.carryless(a[at], b[index - at]);
        }
        let word = line.take((2 * n - index).min(2));
        line.store(word, Address { array: Array::Result, index });
    }
    line
}

/// A sum on its way. Words that nothing was added to are none.
struct Sum {
    words: Vec<Option<Value>>,
}

impl Sum {
    fn set(&mut self, line: &mut Line, at: usize, word: Value) {
        // the result lies in the place of no operand
        line.homes.insert(word, Address { array: Array::Result, index: at });
        self.words[at] = Some(word);
    }

    fn add(&mut self, line: &mut Line, at: usize, term: Value) {
        let sum = match self.words[at] {
            Some(word) => line.logic(Logic::Xor, word, term),
            None => term,
        };
        self.set(line, at, sum);
    }

    fn double(&mut self, line: &mut Line, bits: u32, masks: Masks) {
        let words: Vec<Value> = self.words.iter().flatten().copied().collect();
        match masks {
            Masks::Carries | Masks::Operands => {
                for (at, word) in words.iter().enumerate() {
                    let twice = line.add(*word, Some(*word), at > 0, at + 1 < self.words.len());
                    self.set(line, at, twice);
                }
                if !words.is_empty() && words.len() < self.words.len() {
                    let zero = line.number(0);
                    let carry = line.add(zero, None, true, false);
                    self.set(line, words.len(), carry);
                }
            }
            Masks::Shifts => {
                let mut below: Option<Value> = None;
                for at in 0..words.len() + usize::from(!words.is_empty() && words.len() < self.words.len()) {
                    let carry = below.map(|below| line.shift_down(below, bits, bits - 1));
                    let own = words.get(at).map(|word| line.shift_up(*word, 1));
                    let twice = match (own, carry) {
                        (Some(own), Some(carry)) => line.logic(Logic::Or, own, carry),
                        (Some(word), None) | (None, Some(word)) => word,
                        (None, None) => continue,
                    };
                    self.set(line, at, twice);
                    below = words.get(at).copied();
                }
            }
        }
    }
}
