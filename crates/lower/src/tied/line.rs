//! Lines behind a product, in the same words: what comes back of a product's upper half is more products of its columns. Or lines
//! alone, of two operands.
//!
//! A line goes on as far as the words of A that are final let it, so that what it needs no more is gone early. In a column,
//! products take the words that nothing else reads. Of three words that are left one is taken by a product with 1; of two, a
//! carry goes to the column above.

use super::Setting;
use super::columns::{Draft, Home, Op, Word};
use rhomb_line::{Address, Array, Line, Op as Own, Source, Term, Value};
use std::collections::HashMap;

/// What writes a line into a draft, as the words of A become final.
pub(super) struct Writer<'a> {
    line: &'a Line,
    setting: &'a Setting,
    /// The words of B; none behind a product.
    b: Vec<Word>,
    /// The operation that is next.
    at: usize,
    /// The last operation that reads a value, or a word of A.
    last: Last,
    names: Vec<Option<Word>>,
    numbers: HashMap<u64, Word>,
    /// The bits of which masks are all ones.
    masks: HashMap<Value, Value>,
    /// Words of the current column, each with the last operation that reads it, and its products.
    column: Vec<(Word, usize)>,
    products: Vec<[Word; 2]>,
    /// Whether a carry goes from the column below into this one.
    carry: bool,
    /// Words that its products have left to the column above.
    above: Vec<Word>,
}

/// By value, and by word of an operand.
struct Last {
    values: Vec<usize>,
    words: HashMap<Address, usize>,
}

impl Last {
    fn of(line: &Line) -> Self {
        let mut last = Last { values: vec![0; line.values], words: HashMap::new() };
        for (at, op) in line.ops.iter().enumerate() {
            op.reads().into_iter().flatten().for_each(|value| last.values[value.0] = at);
            words(op).into_iter().flatten().for_each(|word| {
                last.words.insert(word, at);
            });
        }
        // a value that is loaded is the word itself
        for op in &line.ops {
            if let Own::Load { to, from } = *op {
                let later = last.values[to.0].max(last.words.get(&from).copied().unwrap_or(0));
                last.values[to.0] = later;
                last.words.insert(from, later);
            }
        }
        last
    }

    fn read(&self, source: Source) -> usize {
        match source {
            Source::Value(value) => self.values[value.0],
            Source::Memory(address) => self.words.get(&address).copied().unwrap_or(usize::MAX),
            Source::Number(_) => usize::MAX,
        }
    }
}

/// The words of operands that an operation reads.
fn words(op: &Own) -> [Option<Address>; 2] {
    let word = |source: Option<Source>| match source {
        Some(Source::Memory(address)) => Some(address),
        _ => None,
    };
    match *op {
        Own::Load { from, .. } => [Some(from), None],
        Own::Term(Term { word: own, factor, .. }) => [word(Some(own)), word(factor)],
        _ => [None, None],
    }
}

impl<'a> Writer<'a> {
    pub(super) fn new(line: &'a Line, b: Vec<Word>, setting: &'a Setting) -> Self {
        Writer {
            line,
            setting,
            b,
            at: 0,
            last: Last::of(line),
            names: vec![None; line.values],
            numbers: HashMap::new(),
            masks: HashMap::new(),
            column: Vec::new(),
            products: Vec::new(),
            carry: false,
            above: Vec::new(),
        }
    }

    /// Goes on where these words of A are final. Nothing where the line does what is not made here.
    pub(super) fn advance(&mut self, draft: &mut Draft, a: &[Word]) -> Option<()> {
        let line = self.line;
        while let Some(op) = line.ops.get(self.at) {
            let is_open = |word: Address| word.array == Array::A && word.index >= a.len();
            if words(op).into_iter().flatten().any(is_open) {
                break;
            }
            self.one(draft, a, op)?;
            self.at += 1;
        }
        Some(())
    }

    /// Whether all of it is written.
    pub(super) fn is_done(&self) -> bool {
        self.at == self.line.ops.len()
    }

    fn get(&self, value: Value) -> Option<Word> {
        self.names[value.0]
    }

    fn named(&mut self, draft: &mut Draft, value: Value) -> Word {
        let word = draft.word(Home::Nowhere);
        self.names[value.0] = Some(word);
        word
    }

    fn number(&mut self, draft: &mut Draft, number: u64) -> Option<Word> {
        if let Some(word) = self.numbers.get(&number) {
            return Some(*word);
        }
        let own = u32::try_from(number).ok()?;
        let word = draft.word(Home::Number(own));
        self.numbers.insert(number, word);
        Some(word)
    }

    fn source(&mut self, draft: &mut Draft, a: &[Word], source: Source) -> Option<Word> {
        match source {
            Source::Value(value) => self.get(value),
            Source::Memory(address) => match address.array {
                Array::A => a.get(address.index).copied(),
                Array::B => self.b.get(address.index).copied(),
                Array::Result | Array::Scratch => None,
            },
            Source::Number(number) => self.number(draft, number),
        }
    }

    /// The words of a sum or a difference.
    fn both(&self, x: Value, y: Option<Value>) -> Option<(Word, Option<Word>)> {
        let y = match y {
            Some(y) => Some(self.get(y)?),
            None => None,
        };
        Some((self.get(x)?, y))
    }

    fn one(&mut self, draft: &mut Draft, a: &[Word], op: &Own) -> Option<()> {
        match *op {
            Own::Load { to, from } => {
                self.names[to.0] = Some(self.source(draft, a, Source::Memory(from))?);
            }
            Own::Store { from, to } if to.array == Array::Result => {
                let word = self.get(from)?;
                draft.ops.push(Op::Store { word, index: to.index as u16 });
            }
            Own::Number { to, number } => self.names[to.0] = Some(self.number(draft, number)?),
            Own::Multiply { low, high, x, y } => {
                let words = draft.product([self.get(x)?, self.get(y)?]);
                (self.names[low.0], self.names[high.0]) = (Some(words[0]), Some(words[1]));
            }
            Own::Low { to, x, y } => {
                let factors = [self.get(x)?, self.get(y)?];
                let to = self.named(draft, to);
                draft.ops.push(Op::Low { factors, to });
            }
            Own::Add { to, x, y, carry_in, carry_out } => {
                self.is_free(carry_in || carry_out)?;
                let (x, y) = self.both(x, y)?;
                let to = self.named(draft, to);
                draft.ops.push(Op::Sum { x, y, to, carry_in, carry_out });
            }
            Own::Subtract { to, x, y, carry_in, carry_out } => {
                self.is_free(carry_in || carry_out)?;
                let (x, y) = self.both(x, y)?;
                let to = self.named(draft, to);
                draft.ops.push(Op::Difference { x, y, to, borrow_in: carry_in, borrow_out: carry_out });
            }
            Own::Spread { to, borrow: true } => {
                self.is_free(true)?;
                let to = self.named(draft, to);
                draft.ops.push(Op::Spread { to });
            }
            Own::Mask { to, x, bits } => {
                if let (1, Some(bit)) = (bits, self.masks.get(&x)) {
                    let later = self.last.values[bit.0].max(self.last.values[to.0]);
                    (self.last.values[bit.0], self.last.values[to.0]) = (later, later);
                    self.names[to.0] = self.get(*bit);
                    return Some(());
                }
                let x = self.get(x)?;
                let own = u32::try_from(bits).ok()?;
                let op = match (self.setting.masks)(own) {
                    true => Op::Mask { x, to: self.named(draft, to), bits: own },
                    false => {
                        let words = [x, self.number(draft, bits)?];
                        Op::And { words, to: self.named(draft, to) }
                    }
                };
                draft.ops.push(op);
            }
            Own::Negate { to, x } => {
                if self.line.bits.contains(&x) {
                    self.masks.insert(to, x);
                }
                let x = self.get(x)?;
                let to = self.named(draft, to);
                draft.ops.push(Op::Negate { x, to });
            }
            Own::Not { to, x } => {
                let x = self.get(x)?;
                let to = self.named(draft, to);
                draft.ops.push(Op::Not { x, to });
            }
            Own::Shift { low, high, x, places } => {
                let x = self.get(x)?;
                for (to, up, by) in [(low, true, places), (high, false, 32 - places)] {
                    if let Some(to) = to {
                        let to = self.named(draft, to);
                        draft.ops.push(Op::Shift { x, to, up, by });
                    }
                }
            }
            Own::Clear => {
                self.column.clear();
                self.products.clear();
                self.above.clear();
                self.carry = false;
            }
            Own::Term(Term { minus: false, word, factor: None }) => {
                let last = self.last.read(word);
                let word = self.source(draft, a, word)?;
                self.column.push((word, last));
            }
            Own::Term(Term { minus: false, word, factor: Some(factor) }) => {
                let factors = [self.source(draft, a, word)?, self.source(draft, a, factor)?];
                self.products.push(factors);
            }
            Own::Peek { to } => {
                let word = self.alone(draft)?;
                self.names[to.0] = Some(word);
                self.column = vec![(word, self.last.values[to.0])];
            }
            // what is left out is zero
            Own::Take { to: None, .. } => {
                self.alone(draft)?;
                self.column = self.above.drain(..).map(|word| (word, 0)).collect();
            }
            Own::Take { to: Some(to), words } => {
                let word = self.settled(draft, words)?;
                self.names[to.0] = Some(word);
                self.column = self.above.drain(..).map(|word| (word, 0)).collect();
            }
            _ => return None,
        }
        Some(())
    }

    /// Nothing where the carry is one between columns.
    fn is_free(&self, wanted: bool) -> Option<()> {
        (!wanted || !self.carry).then_some(())
    }

    /// A word of the column that a product may take, which nothing reads from here on: another one with the same content, if
    /// need be.
    fn taken(&mut self, draft: &mut Draft) -> Option<Word> {
        let at = (0..self.column.len()).min_by_key(|at| self.column[*at].1)?;
        let (word, last) = self.column.remove(at);
        let again = self.column.iter().any(|(own, _)| *own == word)
            || self.products.iter().flatten().any(|own| *own == word);
        if last <= self.at && !again {
            return Some(word);
        }
        let to = draft.word(Home::Nowhere);
        draft.ops.push(Op::Sum { x: word, y: None, to, carry_in: false, carry_out: false });
        Some(to)
    }

    /// Products take two words each, and leave one.
    fn accumulate(&mut self, draft: &mut Draft) -> Option<()> {
        while let Some(factors) = self.products.first().copied() {
            let [low, high] = match self.column.len() {
                0 => draft.product(factors),
                count => {
                    let one = self.taken(draft)?;
                    let other = match count {
                        1 => draft.word(Home::Number(0)),
                        _ => self.taken(draft)?,
                    };
                    draft.accumulate(factors, [one, other])
                }
            };
            self.products.remove(0);
            self.column.push((low, 0));
            self.above.push(high);
        }
        Some(())
    }

    /// The column's low word, to which products with 1 make all its words; what is above goes to the next column. Nothing where a carry
    /// comes from below.
    fn alone(&mut self, draft: &mut Draft) -> Option<Word> {
        self.accumulate(draft)?;
        while self.column.len() > 1 {
            let (word, _) = self.column.remove(0);
            let one = self.number(draft, 1)?;
            self.products.push([word, one]);
            self.accumulate(draft)?;
        }
        match self.column[..] {
            [(word, _)] if !self.carry => Some(word),
            _ => None,
        }
    }

    /// The column's word, where so many words are left of the sum. One word more than the products take is added with a carry,
    /// which goes through all columns above.
    fn settled(&mut self, draft: &mut Draft, words: usize) -> Option<Word> {
        self.accumulate(draft)?;
        // no carry comes out of the last word
        let carry_out = words != 1;
        while self.column.len() > 2 {
            // the one that is read later is no more than a factor
            let at = (0..self.column.len()).max_by_key(|at| self.column[*at].1)?;
            let (word, _) = self.column.remove(at);
            if carry_out {
                let one = self.number(draft, 1)?;
                self.products.push([word, one]);
                self.accumulate(draft)?;
            } else {
                let (x, _) = self.column.remove(0);
                let to = draft.word(Home::Nowhere);
                draft.ops.push(Op::Sum { x, y: Some(word), to, carry_in: false, carry_out: false });
                self.column.push((to, 0));
            }
        }
        let carry_in = std::mem::take(&mut self.carry);
        let (x, y) = match self.column[..] {
            [(word, _)] if !carry_in => return Some(word),
            [(word, _)] => (word, None),
            [(x, _), (y, _)] => (x, Some(y)),
            [] if carry_in => (self.number(draft, 0)?, None),
            _ => return None,
        };
        let to = draft.word(Home::Nowhere);
        draft.ops.push(Op::Sum { x, y, to, carry_in, carry_out });
        self.carry = carry_out;
        Some(to)
    }
}
