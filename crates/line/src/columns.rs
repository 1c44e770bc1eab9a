//! Columns become chains of carries, for processors without an accumulator.
//!
//! The words of a block of columns stand in values; each row of terms is added to them by one chain, whose carry goes to
//! the word above the block. A block of one column holds its sum in two or three words; a block of all columns is a chain
//! for each row. How far a carry can go follows from the largest values of the terms.

use crate::line::Line;
use crate::op::{Address, Op, Source, Term, Value};
use num_bigint::BigUint;
use std::collections::{BTreeMap, HashMap};

/// How columns are made chains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Columns {
    /// Bits of a word.
    pub bits: u32,
    /// How many columns make a block, where no word is looked at on the way.
    pub block: usize,
    /// Whether columns of a block may have a product each: those of every second column make a row, low words beside
    /// high ones, which waits in values and is added by one chain. Without, a column with products is no part of a block.
    pub products: bool,
}

/// The same line without columns.
pub fn legalise(line: &Line, columns: Columns) -> Line {
    let mut writer = Writer {
        columns,
        homes: &line.homes,
        line: Line::default(),
        names: vec![None; line.values],
        most: HashMap::new(),
        numbers: HashMap::new(),
        sum: Sum::default(),
    };
    let mut at = 0;
    while at < line.ops.len() {
        at = writer.one(&line.ops, at);
    }
    writer.line.with_early_stores()
}

/// A word of a sum.
#[derive(Clone, Copy)]
enum Word {
    Made(Value),
    /// A single word, which is got when something is added to it.
    Waiting(Source),
}

/// The words of a sum that are not taken yet.
#[derive(Default)]
struct Sum {
    words: Vec<Option<Word>>,
    /// Where the words may wait in memory.
    homes: Vec<Option<Address>>,
    /// The largest value of the words up to each one, with all that was added so far.
    most: Vec<BigUint>,
    /// There are no more words than these; 0 where that is not known.
    limit: usize,
    /// Whether something was subtracted.
    minus: bool,
}

struct Writer<'a> {
    columns: Columns,
    /// Those of the line that is read.
    homes: &'a BTreeMap<Value, Address>,
    line: Line,
    /// The values of the line that is read, in that which is written.
    names: Vec<Option<Value>>,
    /// Largest values of those that may not be any word.
    most: HashMap<Value, u64>,
    /// Values that are numbers, which may be made again.
    numbers: HashMap<u64, Value>,
    sum: Sum,
}

/// A column with a product at most.
struct Plain {
    terms: Vec<Term>,
    product: Option<[Source; 2]>,
    to: Option<Value>,
    words: usize,
}

impl Writer<'_> {
    /// Writes one operation, or the columns that begin there; gives the place behind.
    fn one(&mut self, ops: &[Op], at: usize) -> usize {
        match ops[at] {
            Op::Clear => self.sum = Sum::default(),
            Op::Term(_) | Op::Take { .. } => return self.columns(ops, at),
            Op::Peek { to } => {
                let low = self.low();
                self.named(to, low);
            }
            other => self.plain(other),
        }
        at + 1
    }

    /// The sum's low word.
    fn low(&mut self) -> Value {
        let low = match self.sum.words.first().copied().flatten() {
            Some(low) => self.made(low),
            None => return self.number(0),
        };
        self.sum.words[0] = Some(Word::Made(low));
        low
    }

    /// A value of the line that is read is this one.
    fn named(&mut self, value: Value, new: Value) {
        self.names[value.0] = Some(new);
        if let Some(home) = self.homes.get(&value) {
            self.line.homes.insert(new, *home);
        }
    }

    fn made(&mut self, word: Word) -> Value {
        match word {
            Word::Made(value) => value,
            Word::Waiting(source) => self.value(source),
        }
    }

    fn name(&self, value: Value) -> Value {
        self.names[value.0].expect("values are made before they are read")
    }

    fn number(&mut self, number: u64) -> Value {
        let to = self.line.number(number);
        self.most.insert(to, number);
        to
    }

    fn word(&self) -> BigUint {
        BigUint::from(1u8) << self.columns.bits
    }

    fn most_of(&self, value: Value) -> BigUint {
        self.most.get(&value).map_or_else(|| self.word() - 1u8, |most| BigUint::from(*most))
    }

    /// A source as a value.
    fn value(&mut self, source: Source) -> Value {
        match source {
            Source::Value(value) => self.name(value),
            Source::Memory(address) => self.line.load(address),
            Source::Number(number) => match self.numbers.get(&number) {
                Some(value) => *value,
                None => {
                    let value = self.number(number);
                    self.numbers.insert(number, value);
                    value
                }
            },
        }
    }

    /// An operation that is no column, with the names of its values changed.
    fn plain(&mut self, op: Op) {
        let made = |writer: &mut Writer<'_>, value: Value| {
            let new = writer.line.value();
            writer.named(value, new);
            new
        };
        let new = match op {
            Op::Load { to, from } => Op::Load { to: made(self, to), from },
            Op::Store { from, to } => Op::Store { from: self.name(from), to },
            Op::Number { to, number } => {
                let to = made(self, to);
                self.most.insert(to, number);
                Op::Number { to, number }
            }
            Op::Multiply { low, high, x, y } => {
                let (x, y) = (self.name(x), self.name(y));
                Op::Multiply { low: made(self, low), high: made(self, high), x, y }
            }
            Op::Low { to, x, y } => {
                let (x, y) = (self.name(x), self.name(y));
                Op::Low { to: made(self, to), x, y }
            }
            Op::Add { to, x, y, carry_in, carry_out } => {
                let (x, y) = (self.name(x), y.map(|y| self.name(y)));
                Op::Add { to: made(self, to), x, y, carry_in, carry_out }
            }
            Op::Subtract { to, x, y, carry_in, carry_out } => {
                let (x, y) = (self.name(x), y.map(|y| self.name(y)));
                Op::Subtract { to: made(self, to), x, y, carry_in, carry_out }
            }
            Op::Spread { to, borrow } => Op::Spread { to: made(self, to), borrow },
            Op::Sign { to, x } => {
                let x = self.name(x);
                Op::Sign { to: made(self, to), x }
            }
            Op::Not { to, x } => {
                let x = self.name(x);
                Op::Not { to: made(self, to), x }
            }
            Op::Mask { to, x, bits } => {
                let x = self.name(x);
                let to = made(self, to);
                self.most.insert(to, bits);
                Op::Mask { to, x, bits }
            }
            Op::Negate { to, x } => {
                let x = self.name(x);
                Op::Negate { to: made(self, to), x }
            }
            Op::Logic { to, logic, x, y } => {
                let (x, y) = (self.name(x), self.name(y));
                Op::Logic { to: made(self, to), logic, x, y }
            }
            Op::Halve { to, x, carry_in, carry_out } => {
                let x = self.name(x);
                Op::Halve { to: made(self, to), x, carry_in, carry_out }
            }
            Op::Shift { low, high, x, places } => {
                let x = self.name(x);
                let low = low.map(|low| made(self, low));
                Op::Shift { low, high: high.map(|high| made(self, high)), x, places }
            }
            // no chain: whoever has no instruction for it says so
            Op::Carryless { x, y } => Op::Carryless { x: self.name(x), y: self.name(y) },
            Op::Clear | Op::Term(_) | Op::Peek { .. } | Op::Take { .. } => return,
        };
        self.line.ops.push(new);
    }

    /// The columns from here on: as many as make a block, or one that may be looked at on the way.
    fn columns(&mut self, ops: &[Op], at: usize) -> usize {
        let (mut block, mut stores) = (Vec::new(), Vec::new());
        let mut next = at;
        while block.len() < self.columns.block.max(1) {
            let Some((column, behind)) = plain_column(&ops[next..]) else { break };
            // what is taken of a block is known behind it
            let known =
                |word: &Source| !block.iter().any(|own: &Plain| own.to.map(Source::Value) == Some(*word));
            let mut words = column.terms.iter().map(|term| &term.word).chain(column.product.iter().flatten());
            if !words.all(known) || column.product.is_some() && !self.columns.products {
                break;
            }
            block.push(column);
            next += behind;
            while let Some(store @ Op::Store { .. }) = ops.get(next) {
                stores.push(*store);
                next += 1;
            }
        }
        if block.is_empty() {
            return self.open(ops, at);
        }
        let with_products = block.iter().any(|column| column.product.is_some());
        let carried =
            (with_products && !self.sum.minus && self.sum.words.len() == 1).then(|| self.carried()).flatten();
        let last = block.len() - 1;
        self.sum.limit = if block[last].words > 0 { block[last].words + last } else { 0 };
        let home = |column: &Plain| column.to.and_then(|to| self.homes.get(&to).copied());
        self.sum.homes = block.iter().map(home).collect();
        let constant: BigUint = block.iter().enumerate().map(|(at, column)| self.constant(at, column)).sum();
        self.constants(&constant);
        for minus in [false, true] {
            let of = |column: &Plain| -> Vec<Source> {
                let own = column.terms.iter().filter(|term| term.minus == minus);
                own.map(|term| term.word).filter(|word| !matches!(word, Source::Number(_))).collect()
            };
            let rows: Vec<Vec<Source>> = block.iter().map(of).collect();
            for row in 0..rows.iter().map(Vec::len).max().unwrap_or(0) {
                let sources = rows.iter().map(|column| column.get(row).copied()).collect::<Vec<_>>();
                self.row(minus, &sources);
            }
        }
        self.products(&block, 0, None);
        self.products(&block, 1, carried);
        for column in block {
            self.take(column.to);
        }
        stores.into_iter().for_each(|store| self.plain(store));
        next
    }

    fn constant(&self, at: usize, column: &Plain) -> BigUint {
        let numbers = column.terms.iter().filter_map(|term| match term.word {
            Source::Number(number) => Some(BigUint::from(number)),
            Source::Value(_) | Source::Memory(_) => None,
        });
        numbers.sum::<BigUint>() << (self.columns.bits as usize * at)
    }

    fn constants(&mut self, constant: &BigUint) {
        let count = constant.bits().div_ceil(self.columns.bits.into()) as usize;
        let word = self.word();
        let words: Vec<BigUint> =
            (0..count).map(|at| (constant >> (self.columns.bits as usize * at)) % &word).collect();
        let source = |word: &BigUint| word.iter_u64_digits().next().map(Source::Number);
        if count > 0 {
            self.row(false, &words.iter().map(source).collect::<Vec<_>>());
        }
    }

    /// One column, term by term, up to where it is taken or looked at.
    fn open(&mut self, ops: &[Op], at: usize) -> usize {
        let take = ops[at..].iter().find_map(|op| match op {
            Op::Take { words, .. } => Some(*words),
            _ => None,
        });
        self.sum.limit = take.unwrap_or(0);
        match ops[at] {
            Op::Take { to, .. } => self.take(to),
            Op::Term(Term { minus, word, factor: None }) => match word {
                Source::Number(number) => self.constants(&BigUint::from(number)),
                word => self.row(minus, &[Some(word)]),
            },
            Op::Term(Term { minus, word, factor: Some(factor) }) => {
                let (words, most) = self.multiplied(word, factor);
                let (words, largest): (Vec<Value>, Vec<BigUint>) = words.into_iter().unzip();
                self.chain(minus, &largest, &most, |at| words.get(at).copied().map(Word::Made));
            }
            _ => {}
        }
        at + 1
    }

    /// What is left of the columns before, where it is a word: it is added later.
    fn carried(&mut self) -> Option<(Value, BigUint)> {
        let word = self.sum.words.pop().flatten()?;
        let most = self.sum.most.pop()?;
        Some((self.made(word), most))
    }

    /// Adds the products of every second column, and a word to the first column beside those of odd ones.
    fn products(&mut self, block: &[Plain], parity: usize, first: Option<(Value, BigUint)>) {
        let (mut words, mut most) = (vec![None; block.len() + 1], vec![BigUint::ZERO; block.len() + 1]);
        let mut whole = BigUint::ZERO;
        if let Some((value, largest)) = first {
            (words[0], most[0], whole) = (Some(value), largest.clone(), largest);
        }
        for (at, column) in block.iter().enumerate().skip(parity).step_by(2) {
            let Some([word, factor]) = column.product else { continue };
            let (parts, largest) = self.multiplied(word, factor);
            whole += largest << (self.columns.bits as usize * at);
            for (part, (value, largest)) in parts.into_iter().enumerate() {
                words[at + part] = Some(value);
                most[at + part] = largest;
            }
        }
        let count = words.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        if count > 0 {
            most.truncate(count);
            self.chain(false, &most, &whole, |at| words[at].map(Word::Made));
        }
    }

    /// The words of a product, but for a high one that is zero, each with the largest that it can be, and the largest
    /// product.
    fn multiplied(&mut self, x: Source, y: Source) -> (Vec<(Value, BigUint)>, BigUint) {
        let (x, y) = (self.value(x), self.value(y));
        let most = self.most_of(x) * self.most_of(y);
        let part = |most: &BigUint| most.iter_u64_digits().next().unwrap_or(0);
        let above = &most >> self.columns.bits;
        if above == BigUint::ZERO {
            let value = self.line.low(x, y);
            self.most.insert(value, part(&most));
            return (vec![(value, most.clone())], most);
        }
        let [low, high] = self.line.multiply(x, y);
        self.most.insert(high, part(&above));
        (vec![(low, self.word() - 1u8), (high, above)], most)
    }

    /// Adds a row of words, which are loaded when they are added.
    fn row(&mut self, minus: bool, sources: &[Option<Source>]) {
        let most = |writer: &Writer<'_>, source: &Option<Source>| match source {
            None => BigUint::ZERO,
            Some(Source::Value(value)) => writer.most_of(writer.name(*value)),
            Some(Source::Memory(_)) => writer.word() - 1u8,
            Some(Source::Number(number)) => BigUint::from(*number),
        };
        let most: Vec<BigUint> = sources.iter().map(|source| most(self, source)).collect();
        let whole = self.number_of(&most);
        self.chain(minus, &most, &whole, |at| sources[at].map(Word::Waiting));
    }

    /// The number of which these are the words.
    fn number_of(&self, words: &[BigUint]) -> BigUint {
        words.iter().rev().fold(BigUint::ZERO, |number, word| (number << self.columns.bits) + word)
    }

    /// A chain of carries over the sum's words from the lowest. `word` gives those that are added, of which these are the
    /// largest values, and that of them all.
    fn chain(
        &mut self,
        minus: bool,
        most: &[BigUint],
        whole: &BigUint,
        word: impl Fn(usize) -> Option<Word>,
    ) {
        let bits = self.columns.bits as usize;
        let mut carry = false;
        self.sum.minus |= minus;
        let mut at = 0;
        while at < most.len() || carry {
            if self.sum.words.len() <= at {
                self.sum.words.push(None);
                self.sum.most.push(self.sum.most.last().cloned().unwrap_or_default());
            }
            if !minus {
                let brought = self.number_of(&most[..most.len().min(at + 1)]).min(whole.clone());
                self.sum.most[at] += brought;
            }
            let is_last = self.sum.limit == at + 1;
            let fits = self.sum.most[at].bits() <= (bits * (at + 1)) as u64;
            // a word between may be missing where it is zero
            let stands_above = self.sum.words.iter().skip(at + 1).any(Option::is_some);
            let more = !is_last && if minus { stands_above } else { !fits };
            let added = if at < most.len() { word(at) } else { None };
            let own = self.sum.words[at];
            // what is put down or caught carries nothing on
            let is_sum = (carry || added.is_some()) && (own.is_some() || added.is_some() && carry || minus);
            self.sum.words[at] = match (own, added) {
                (own, None) if !carry => own,
                (None, Some(own)) if !carry && !minus => Some(own),
                (own, added) => Some(Word::Made(self.sum(minus, own, added, carry, more, at))),
            };
            carry = is_sum && more;
            at += 1;
        }
        if !minus {
            self.sum.most[at..].iter_mut().for_each(|above| *above += whole);
        }
        self.note();
    }

    /// A word of a chain.
    fn sum(
        &mut self,
        minus: bool,
        own: Option<Word>,
        added: Option<Word>,
        carry: bool,
        more: bool,
        at: usize,
    ) -> Value {
        let [own, added] = [own, added].map(|word| word.map(|word| self.made(word)));
        let (x, y) = match (own, added) {
            (Some(own), y) => (own, y),
            (None, Some(own)) if !minus => (own, None),
            (None, y) => (self.number(0), y),
        };
        let sum = match minus {
            false => self.line.add(x, y, carry, more),
            true => self.line.subtract(x, y, carry, more),
        };
        if let Some(Some(home)) = self.sum.homes.get(at) {
            self.line.homes.insert(sum, *home);
        }
        sum
    }

    /// What the words can be at most.
    fn note(&mut self) {
        let bits = self.columns.bits as usize;
        for at in 0..self.sum.words.len() {
            if let Some(Word::Made(value)) = self.sum.words[at] {
                let most = &self.sum.most[at] >> (bits * at);
                if most.bits() <= bits as u64 {
                    let most = most.iter_u64_digits().next().unwrap_or(0);
                    self.most.insert(value, most);
                }
            }
        }
    }

    /// Takes the low word.
    fn take(&mut self, to: Option<Value>) {
        let low = self.low();
        if let Some(to) = to {
            self.named(to, low);
        }
        if !self.sum.words.is_empty() {
            self.sum.words.remove(0);
            self.sum.most.remove(0);
        }
        if !self.sum.homes.is_empty() {
            self.sum.homes.remove(0);
        }
        let bits = self.columns.bits;
        self.sum.most.iter_mut().for_each(|most| *most >>= bits);
        self.sum.limit = self.sum.limit.saturating_sub(1);
    }
}

/// The column with a product at most at the beginning, and where what is behind it begins.
fn plain_column(ops: &[Op]) -> Option<(Plain, usize)> {
    let (mut terms, mut product) = (Vec::new(), None);
    for (at, op) in ops.iter().enumerate() {
        match op {
            Op::Term(term @ Term { factor: None, .. }) => terms.push(*term),
            Op::Term(Term { minus: false, word, factor: Some(factor) }) if product.is_none() => {
                product = Some([*word, *factor]);
            }
            Op::Take { to, words } => {
                return Some((Plain { terms, product, to: *to, words: *words }, at + 1));
            }
            _ => return None,
        }
    }
    None
}
