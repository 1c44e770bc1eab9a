//! Lines behind a product, in the same words: what comes back of a product's upper half is more products of its columns.

use super::Setting;
use super::columns::{Draft, Home, Op, Word};
use rhomb_line::{Array, Line, Op as Own, Source, Term, Value};
use std::collections::HashMap;

/// Appends a line whose A are these words. Nothing where it does what is not made here, or a column does not come down to a
/// word.
pub(super) fn append(draft: &mut Draft, a: &[Word], line: &Line, setting: &Setting) -> Option<()> {
    let mut writer = Writer {
        draft,
        a,
        setting,
        names: vec![None; line.values],
        numbers: HashMap::new(),
        column: Vec::new(),
        products: Vec::new(),
    };
    line.ops.iter().try_for_each(|op| writer.one(op))?;
    // what a product takes is gone
    let mut reads = vec![0; draft.homes.len()];
    for op in &draft.ops {
        let (own, count) = op.reads();
        own[..count].iter().for_each(|word| reads[usize::from(*word)] += 1);
    }
    let taken = draft.ops.iter().filter_map(|op| match op {
        Op::Accumulate { words, .. } => Some(words),
        _ => None,
    });
    taken.flatten().all(|word| reads[usize::from(*word)] == 1).then_some(())
}

struct Writer<'a> {
    draft: &'a mut Draft,
    a: &'a [Word],
    setting: &'a Setting,
    names: Vec<Option<Word>>,
    numbers: HashMap<u64, Word>,
    /// Words of the current column, and its products.
    column: Vec<Word>,
    products: Vec<[Word; 2]>,
}

impl Writer<'_> {
    fn get(&self, value: Value) -> Option<Word> {
        self.names[value.0]
    }

    fn named(&mut self, value: Value) -> Word {
        let word = self.draft.word(Home::Nowhere);
        self.names[value.0] = Some(word);
        word
    }

    fn number(&mut self, number: u64) -> Option<Word> {
        if let Some(word) = self.numbers.get(&number) {
            return Some(*word);
        }
        let own = u32::try_from(number).ok().filter(|own| (self.setting.makes)(*own))?;
        let word = self.draft.word(Home::Number(own));
        self.numbers.insert(number, word);
        Some(word)
    }

    fn source(&mut self, source: Source) -> Option<Word> {
        match source {
            Source::Value(value) => self.get(value),
            Source::Memory(address) if address.array == Array::A => self.a.get(address.index).copied(),
            Source::Memory(_) => None,
            Source::Number(number) => self.number(number),
        }
    }

    fn one(&mut self, op: &Own) -> Option<()> {
        match *op {
            Own::Load { to, from } => self.names[to.0] = Some(self.source(Source::Memory(from))?),
            Own::Store { from, to } if to.array == Array::Result => {
                let word = self.get(from)?;
                self.draft.ops.push(Op::Store { word, index: to.index as u16 });
            }
            Own::Number { to, number } => self.names[to.0] = Some(self.number(number)?),
            Own::Multiply { low, high, x, y } => {
                let words = self.draft.product([self.get(x)?, self.get(y)?]);
                (self.names[low.0], self.names[high.0]) = (Some(words[0]), Some(words[1]));
            }
            Own::Low { to, x, y } => {
                let factors = [self.get(x)?, self.get(y)?];
                let to = self.named(to);
                self.draft.ops.push(Op::Low { factors, to });
            }
            Own::Add { to, x, y, carry_in, carry_out } => {
                let x = self.get(x)?;
                let y = match y {
                    Some(y) => Some(self.get(y)?),
                    None => None,
                };
                let to = self.named(to);
                self.draft.ops.push(Op::Sum { x, y, to, carry_in, carry_out });
            }
            Own::Mask { to, x, bits } => {
                let bits = u32::try_from(bits).ok().filter(|bits| (self.setting.masks)(*bits))?;
                let x = self.get(x)?;
                let to = self.named(to);
                self.draft.ops.push(Op::Mask { x, to, bits });
            }
            Own::Shift { low, high, x, places } => {
                let x = self.get(x)?;
                for (to, up, by) in [(low, true, places), (high, false, 32 - places)] {
                    if let Some(to) = to {
                        let to = self.named(to);
                        self.draft.ops.push(Op::Shift { x, to, up, by });
                    }
                }
            }
            Own::Clear => {
                self.column.clear();
                self.products.clear();
            }
            Own::Term(Term { minus: false, word, factor: None }) => {
                let word = self.source(word)?;
                self.column.push(word);
            }
            Own::Term(Term { minus: false, word, factor: Some(factor) }) => {
                let factors = [self.source(word)?, self.source(factor)?];
                self.products.push(factors);
            }
            Own::Take { to, words } => {
                let word = self.taken(words)?;
                if let Some(to) = to {
                    self.names[to.0] = Some(word);
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// The column's word, where so many words are left of the sum.
    fn taken(&mut self, words: usize) -> Option<Word> {
        let mut above = Vec::new();
        for factors in std::mem::take(&mut self.products) {
            let [low, high] = match self.column[..] {
                [one, other, ..] => {
                    self.column.drain(..2);
                    self.draft.accumulate(factors, [one, other])
                }
                [one] => {
                    self.column.clear();
                    let zero = self.draft.word(Home::Number(0));
                    self.draft.accumulate(factors, [one, zero])
                }
                [] => self.draft.product(factors),
            };
            self.column.push(low);
            above.push(high);
        }
        let word = match self.column[..] {
            [word] => word,
            // no carry comes out of the last word
            [x, y] if words == 1 && above.is_empty() => {
                let to = self.draft.word(Home::Nowhere);
                self.draft.ops.push(Op::Sum { x, y: Some(y), to, carry_in: false, carry_out: false });
                to
            }
            _ => return None,
        };
        self.column = above;
        Some(word)
    }
}
