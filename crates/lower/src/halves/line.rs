//! Lines, and lines behind a product, as steps over words. A carry that a step takes must be the one that was meant for it:
//! what loses it goes before the chain or behind it.

use super::draft::{Draft, Home, Manner, Op};
use super::{Address, Base, One, Two, Value};
use rhomb_line::{Array, Line, Logic, Op as Own, Source, Term, Value as Word};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A line as steps; with `product`, its A is the square (or else the product) of operands
/// of so many words. Columns with products by small numbers are added up so many at a time. Nothing where it does what is not
/// made here.
pub fn reduced(product: Option<(bool, usize)>, line: &Line, manner: Manner, block: usize) -> Option<Draft> {
    let binary = !matches!(product, Some((true, _))) && (product.is_some() || line.words(Array::B) > 0);
    let mut draft = Draft::new(if binary { 3 } else { 2 }, manner);
    let out = Address { base: Base::Frame, word: 0 };
    let (a, b) = match product {
        Some((true, words)) => {
            let own = draft.operand(1, words);
            (draft.square(&own, out, 0, 2 * words), Vec::new())
        }
        Some((false, words)) => {
            let own = [1, 2].map(|number| draft.operand(number, words));
            (draft.multiply(&own[0], &own[1], out, 0, 2 * words), Vec::new())
        }
        None => (draft.operand(1, line.words(Array::A)), draft.operand(2, line.words(Array::B))),
    };
    let start = draft.ops.len();
    let mut writer = Writer {
        arrays: [a, b],
        windows: [0..0, 0..0],
        bits: &line.bits,
        names: vec![None; line.values],
        numbers: HashMap::new(),
        scratch: HashMap::new(),
        masks: BTreeSet::new(),
        complements: HashMap::new(),
        carry: None,
        links: HashMap::new(),
        stores: Neighbours::default(),
        waits: Neighbours::default(),
        homes: BTreeMap::new(),
        block,
        column: Column::default(),
        columns: Vec::new(),
        over: None,
        late: Vec::new(),
        draft,
    };
    let stored = line.ops.iter().filter_map(|op| match op {
        Own::Store { from, .. } => Some(*from),
        _ => None,
    });
    let stored: BTreeSet<Word> = stored.collect();
    let homes =
        line.homes.iter().filter(|(word, home)| home.array == Array::Result && !stored.contains(word));
    writer.homes = homes.map(|(word, home)| (*word, home.index)).collect();
    line.ops.iter().try_for_each(|op| writer.one(op))?;
    writer.add_up()?;
    if !writer.late.is_empty() {
        return None;
    }
    writer.flush();
    let Writer { mut draft, links, .. } = writer;
    let ops = draft.ops.split_off(start);
    let links: Vec<Option<usize>> =
        (start..start + ops.len()).map(|at| links.get(&at).map(|maker| maker - start)).collect();
    let order = Order::new(&ops, &links).all()?;
    draft.ops.extend(order.iter().map(|at| ops[*at].clone()));
    let read: BTreeSet<Value> = draft.ops.iter().flat_map(Op::names).collect();
    draft.ops.retain(|op| !matches!(op, Op::One { one: One::Not, to, .. } if !read.contains(to)));
    // the result may lie in the place of an operand of a sum
    let overlaps = product.is_none() && line.words(Array::B) > 0;
    Some(without_conflicts(draft, overlaps))
}

/// The same, where from a step on a value is another one, which stands in no memory; the carry stays.
fn with_copy(mut draft: Draft, value: Value, at: usize) -> Draft {
    let to = draft.value(Home::Nowhere);
    for op in &mut draft.ops[at..] {
        let own = |other: &mut Value| {
            if *other == value {
                *other = to;
            }
        };
        match op {
            Op::One { x, .. } | Op::Return(x) => own(x),
            Op::Two { x, y, .. } => [x, y].into_iter().for_each(own),
            Op::Fetch(words) | Op::Store { words, .. } => words.iter_mut().for_each(own),
            Op::Spread { .. } => {}
        }
    }
    draft.ops.insert(at, Op::Two { two: Two::Or, to, x: value, y: value, moved: None });
    draft
}

/// The same, where nothing is stored in a place whose word is read later: of another value, or of an operand in the place of the
/// result.
fn without_conflicts(mut draft: Draft, overlaps: bool) -> Draft {
    let mut last = vec![0; draft.homes.len()];
    for (at, op) in draft.ops.iter().enumerate() {
        op.reads().iter().for_each(|value| last[usize::from(*value)] = at);
    }
    let mut there: HashMap<Address, Vec<Value>> = HashMap::new();
    if overlaps {
        for (value, home) in draft.homes.iter().enumerate() {
            if let Home::Memory(Address { base: Base::Argument(1 | 2), word }) = *home {
                let place = Address { base: Base::Argument(0), word };
                there.entry(place).or_default().push(value as Value);
            }
        }
    }
    for at in 0..draft.ops.len() {
        let Op::Store { words, at: place, must } = &draft.ops[at] else { continue };
        let (words, place, must) = (words.clone(), *place, *must);
        let places: Vec<Address> = (0..words.len()).map(|index| place.plus(index)).collect();
        let is_free = |place: &Address| {
            there.get(place).is_none_or(|values| values.iter().all(|value| last[usize::from(*value)] <= at))
        };
        if places.iter().all(is_free) {
            for (place, word) in places.into_iter().zip(words) {
                there.entry(place).or_default().push(word);
            }
            continue;
        }
        if !must {
            words.iter().for_each(|word| draft.homes[usize::from(*word)] = Home::Nowhere);
            continue;
        }
        // what stands there is no longer looked for there
        for (place, word) in places.into_iter().zip(words) {
            for value in there.insert(place, vec![word]).unwrap_or_default() {
                match draft.homes[usize::from(value)] {
                    Home::Memory(Address { base: Base::Argument(0), .. }) => {
                        draft.homes[usize::from(value)] = Home::Nowhere;
                    }
                    Home::Memory(Address { base: Base::Argument(_), .. })
                        if last[usize::from(value)] > at =>
                    {
                        return without_conflicts(with_copy(draft, value, at), overlaps);
                    }
                    _ => {}
                }
            }
        }
    }
    let Draft { ops, homes, .. } = &mut draft;
    ops.retain(|op| {
        let Op::Store { words, must: false, .. } = op else { return true };
        let is_kept = words.iter().all(|word| homes[usize::from(*word)] != Home::Nowhere);
        if !is_kept {
            words.iter().for_each(|word| homes[usize::from(*word)] = Home::Nowhere);
        }
        is_kept
    });
    draft
}

/// What the carry is.
#[derive(Clone, Copy)]
enum Carry {
    /// That of a step; whether it is a borrow.
    Of(usize, bool),
    /// The lowest bit of a word.
    Bit(Value),
}

struct Writer<'a> {
    draft: Draft,
    /// Words of A and B, and which of them were fetched last.
    arrays: [Vec<Value>; 2],
    windows: [std::ops::Range<usize>; 2],
    bits: &'a BTreeSet<Word>,
    names: Vec<Option<Value>>,
    numbers: HashMap<u32, Value>,
    scratch: HashMap<usize, Value>,
    /// Values that are zero or all ones.
    masks: BTreeSet<Value>,
    /// Masks by their complements.
    complements: HashMap<Value, Value>,
    carry: Option<Carry>,
    /// The step whose carry a step takes.
    links: HashMap<usize, usize>,
    /// Words that are to be stored together.
    stores: Neighbours,
    /// Words that may be.
    waits: Neighbours,
    /// Words of the result in which values may wait.
    homes: BTreeMap<Word, usize>,
    /// How many columns are added up at a time; none where the line is made of chains.
    block: usize,
    column: Column,
    columns: Vec<Column>,
    /// What is carried to the next column, in which there is room for it.
    over: Option<Value>,
    /// Words of columns that are to be stored once they are there.
    late: Vec<(Word, usize)>,
}

/// Words of the result, one behind the other.
#[derive(Default)]
struct Neighbours(Vec<(usize, Value)>);

impl Neighbours {
    /// One more; where it is none of these, or they are as many as a piece, they give way to it.
    fn joined(&mut self, piece: usize, index: usize, value: Value) -> Vec<(usize, Value)> {
        let follows = self.0.last().is_none_or(|(last, _)| last + 1 == index);
        let before = match follows && self.0.len() < piece {
            true => Vec::new(),
            false => std::mem::take(&mut self.0),
        };
        self.0.push((index, value));
        before
    }
}

/// The terms of a column.
#[derive(Default)]
struct Column {
    words: Vec<Source>,
    products: Vec<(Source, u32)>,
    to: Option<Word>,
    is_last: bool,
}

/// The largest sum of factors, half by half, in a column, and of their upper halves, whose products go into the next one: products
/// by halves leave room for all that is carried.
const MOST_FACTOR: u32 = 0xffe0;
const MOST_UPPER: u32 = 8;

/// Both halves of a factor.
fn parts(factor: u32) -> [u32; 2] {
    [factor & 0xffff, factor >> 16]
}

impl Writer<'_> {
    fn get(&self, word: Word) -> Option<Value> {
        self.names[word.0]
    }

    fn name(&mut self, word: Word, value: Value) {
        self.names[word.0] = Some(value);
        if let Some(index) = self.homes.get(&word) {
            self.wait(*index, value);
        }
    }

    fn source(&mut self, source: Source) -> Option<Value> {
        match source {
            Source::Value(word) => self.get(word),
            Source::Memory(at) if at.array == Array::A => self.load(0, at.index),
            Source::Memory(at) if at.array == Array::B => self.load(1, at.index),
            Source::Memory(_) => None,
            Source::Number(number) => Some(self.number(u32::try_from(number).ok()?)),
        }
    }

    /// A number; one of more than a byte from steps, or as it is.
    fn number(&mut self, number: u32) -> Value {
        if number == 0 {
            return self.draft.zero;
        }
        if let Some(value) = self.numbers.get(&number) {
            return *value;
        }
        let value = if number >> 8 == 0 || !number >> 8 == 0 {
            self.draft.value(Home::Number(number))
        } else if number.is_multiple_of(256)
            || (number.trailing_zeros() > 0 && number >> number.trailing_zeros() >> 8 == 0)
        {
            let places = number.trailing_zeros();
            let own = self.number(number >> places);
            self.draft.one(One::Up(places as u8), own)
        } else if self.draft.manner.literals && !(number + 1).is_power_of_two() {
            self.draft.value(Home::Number(number))
        } else if number.count_ones() > 24 || (number.leading_ones() >= 16) {
            let own = self.number(!number);
            self.draft.one(One::Not, own)
        } else if (number + 1).is_power_of_two() {
            let own = self.number(u32::MAX);
            self.draft.one(One::Down(number.leading_zeros() as u8), own)
        } else {
            let [own, low] = [number & !0xff, number & 0xff].map(|part| self.number(part));
            self.draft.two(Two::Add, own, low)
        };
        self.numbers.insert(number, value);
        value
    }

    /// A word of an operand; a piece of them may be loaded with it.
    fn load(&mut self, array: usize, index: usize) -> Option<Value> {
        let all = &self.arrays[array];
        let value = *all.get(index)?;
        if self.draft.manner.sliding || !self.windows[array].contains(&index) {
            let window = index..all.len().min(index + self.draft.manner.piece);
            self.draft.ops.push(Op::Fetch(all[window.clone()].to_vec()));
            self.windows[array] = window;
        }
        Some(value)
    }

    /// A word that is stored in the result.
    fn store(&mut self, index: usize, value: Value) {
        // what waits below it is stored with it
        let waits = self.waits.0.last().is_some_and(|(last, _)| last + 1 == index);
        if self.draft.manner.sliding && self.stores.0.is_empty() && waits {
            std::mem::swap(&mut self.stores, &mut self.waits);
        }
        let before = self.stores.joined(self.draft.manner.piece, index, value);
        self.put(&before, true);
    }

    /// A word that may wait in the result.
    fn wait(&mut self, index: usize, value: Value) {
        if self.draft.homes[usize::from(value)] == Home::Nowhere {
            let before = self.waits.joined(self.draft.manner.piece, index, value);
            self.put(&before, false);
        }
    }

    /// Stores what waits to be.
    fn flush(&mut self) {
        let (stores, waits) = (std::mem::take(&mut self.stores.0), std::mem::take(&mut self.waits.0));
        self.put(&stores, true);
        self.put(&waits, false);
    }

    fn put(&mut self, words: &[(usize, Value)], must: bool) {
        let Some((first, _)) = words.first() else { return };
        let at = Address { base: Base::Argument(0), word: *first as u16 };
        let words: Vec<Value> = words.iter().map(|(_, value)| *value).collect();
        self.draft.store(&words, at, must);
    }

    /// A step that takes the carry.
    fn taking(&mut self, borrow: bool, step: impl FnOnce(&mut Self) -> Value) -> Option<Value> {
        let maker = match self.carry? {
            Carry::Of(maker, own) if own == borrow => maker,
            Carry::Bit(value) if !borrow => {
                self.draft.one(One::Down(1), value);
                self.draft.ops.len() - 1
            }
            _ => return None,
        };
        let value = step(self);
        self.links.insert(self.draft.ops.len() - 1, maker);
        Some(value)
    }

    /// A sum or a difference.
    fn sum(&mut self, minus: bool, [x, y]: [Value; 2], carry_in: bool, carry_out: bool) -> Option<Value> {
        let two = match (minus, carry_in) {
            (false, false) => Two::Add,
            (false, true) => Two::AddCarry,
            (true, false) => Two::Subtract,
            (true, true) => Two::SubtractCarry,
        };
        let value = match carry_in {
            false => self.draft.two(two, x, y),
            true => self.taking(minus, |own| own.draft.two(two, x, y))?,
        };
        if carry_out {
            self.carry = Some(Carry::Of(self.draft.ops.len() - 1, minus));
        }
        Some(value)
    }

    fn one(&mut self, op: &Own) -> Option<()> {
        match *op {
            Own::Term(Term { minus: false, word, factor }) if self.block > 0 => {
                match factor {
                    None => self.column.words.push(word),
                    Some(Source::Number(factor)) => {
                        self.column.products.push((word, u32::try_from(factor).ok()?));
                    }
                    Some(_) => return None,
                }
                return Some(());
            }
            Own::Take { to, words } if self.block > 0 => {
                let column = std::mem::take(&mut self.column);
                self.columns.push(Column { to, is_last: words == 1, ..column });
                return if self.columns.len() == self.block { self.add_up() } else { Some(()) };
            }
            Own::Store { from, to } if self.names[from.0].is_none() && to.array == Array::Result => {
                self.late.push((from, to.index));
                return Some(());
            }
            _ => self.add_up()?,
        }
        match *op {
            Own::Clear
                if self.block > 0 && self.column.words.is_empty() && self.column.products.is_empty() =>
            {
                self.over = None;
            }
            Own::Load { to, from } => {
                let value = match from.array {
                    Array::A => self.load(0, from.index)?,
                    Array::B => self.load(1, from.index)?,
                    Array::Scratch => *self.scratch.get(&from.index)?,
                    Array::Result => return None,
                };
                self.name(to, value);
            }
            Own::Store { from, to } => {
                let value = self.get(from)?;
                match to.array {
                    Array::Result => self.store(to.index, value),
                    Array::Scratch => {
                        self.scratch.insert(to.index, value);
                    }
                    Array::A | Array::B => return None,
                }
            }
            Own::Number { to, number } => {
                let value = self.number(u32::try_from(number).ok()?);
                self.name(to, value);
            }
            Own::Multiply { low, high, x, y } => {
                let factors = [self.get(x)?, self.get(y)?];
                let words = self.product(factors);
                self.name(low, words[0]);
                self.name(high, words[1]);
            }
            Own::Low { to, x, y } => {
                let factors = [self.get(x)?, self.get(y)?];
                let value = self.draft.two(Two::Multiply, factors[0], factors[1]);
                self.name(to, value);
            }
            Own::Add { to, x, y, carry_in, carry_out } | Own::Subtract { to, x, y, carry_in, carry_out } => {
                let minus = matches!(op, Own::Subtract { .. });
                let x = self.get(x)?;
                let y = match y {
                    Some(y) => self.get(y)?,
                    None => self.draft.zero,
                };
                let value = self.sum(minus, [x, y], carry_in, carry_out)?;
                self.name(to, value);
            }
            Own::Spread { to, borrow } => {
                let mask = self.taking(borrow, |own| {
                    let to = own.draft.value(Home::Nowhere);
                    own.draft.ops.push(Op::Spread { to });
                    to
                })?;
                let value = if borrow { mask } else { self.draft.one(One::Not, mask) };
                if !borrow {
                    self.complements.insert(value, mask);
                }
                self.masks.insert(value);
                self.name(to, value);
            }
            Own::Sign { to, x } => {
                let value = self.draft.one(One::Highest, self.names[x.0]?);
                self.masks.insert(value);
                self.name(to, value);
            }
            Own::Not { to, x } => {
                let value = self.draft.one(One::Not, self.names[x.0]?);
                self.name(to, value);
            }
            Own::Negate { to, x } => {
                let value = self.draft.one(One::Negate, self.names[x.0]?);
                if self.bits.contains(&x) {
                    self.masks.insert(value);
                }
                self.name(to, value);
            }
            Own::Mask { to, x, bits } => {
                let value = self.mask(self.names[x.0]?, u32::try_from(bits).ok()?);
                self.name(to, value);
            }
            Own::Logic { to, logic, x, y } => {
                let two = match logic {
                    Logic::And => Two::And,
                    Logic::Or => Two::Or,
                    Logic::Xor => Two::Xor,
                };
                let value = self.draft.two(two, self.names[x.0]?, self.names[y.0]?);
                self.name(to, value);
            }
            Own::Halve { to, x, carry_in, carry_out } => {
                let x = self.get(x)?;
                let half = self.draft.one(One::Down(1), x);
                let value = if carry_in {
                    let above = match self.carry? {
                        Carry::Bit(above) => above,
                        Carry::Of(_, false) => {
                            let zero = self.draft.zero;
                            self.taking(false, |own| own.draft.two(Two::AddCarry, zero, zero))?
                        }
                        Carry::Of(..) => return None,
                    };
                    let up = self.draft.one(One::Up(31), above);
                    self.draft.two(Two::Or, half, up)
                } else {
                    half
                };
                if carry_out {
                    self.carry = Some(Carry::Bit(x));
                }
                self.name(to, value);
            }
            Own::Shift { low, high, x, places } => {
                let x = self.get(x)?;
                if let Some(to) = low {
                    let value = self.draft.one(One::Up(places as u8), x);
                    self.name(to, value);
                }
                if let Some(to) = high {
                    let value = self.draft.one(One::Down((32 - places) as u8), x);
                    self.name(to, value);
                }
            }
            Own::Clear | Own::Term(_) | Own::Carryless { .. } | Own::Peek { .. } | Own::Take { .. } => {
                return None;
            }
        }
        Some(())
    }

    /// Adds up the columns that wait: first what products leave in each, which has room for all of that, then chains.
    fn add_up(&mut self) -> Option<()> {
        let columns = std::mem::take(&mut self.columns);
        if columns.is_empty() {
            return Some(());
        }
        let is_last = columns.last().is_some_and(|own| own.is_last);
        let mut sums: Vec<Option<Value>> = Vec::new();
        let mut middles = Vec::new();
        for column in &columns {
            // at the border of the word, at its middle and at the border above
            let mut own = [None; 3];
            let mut factors = [0; 2];
            for (word, factor) in &column.products {
                let (x, factor) = (self.source(*word)?, parts(*factor));
                factors = [factors[0] + factor[0] + factor[1], factors[1] + factor[1]];
                for (at, one) in [One::Low, One::High].into_iter().enumerate() {
                    let half = self.draft.one(one, x);
                    for (part, factor) in factor.into_iter().enumerate().filter(|(_, factor)| *factor > 0) {
                        let product = self.half_product(half, factor);
                        let sum = &mut own[part + at];
                        *sum = Some(sum.map_or(product, |sum| self.draft.two(Two::Add, sum, product)));
                    }
                }
            }
            if factors[0] > MOST_FACTOR || factors[1] > MOST_UPPER {
                return None;
            }
            let [low, middle, above] = own;
            let over = self.over.take();
            sums.push(match (low, over) {
                (Some(low), Some(over)) => Some(self.draft.two(Two::Add, low, over)),
                (low, over) => low.or(over),
            });
            middles.push(middle.map(|middle| self.draft.one(One::Up(16), middle)));
            let down = middle.map(|middle| self.draft.one(One::Down(16), middle));
            self.over = match (down, above) {
                (Some(down), Some(above)) => Some(self.draft.two(Two::Add, down, above)),
                (down, above) => down.or(above),
            };
        }
        let mut rows = vec![middles];
        for row in 0..columns.iter().map(|own| own.words.len()).max().unwrap_or(0) {
            let word = |own: &Column| own.words.get(row).copied();
            rows.push(
                columns
                    .iter()
                    .map(|own| match word(own) {
                        Some(word) => self.source(word).map(Some),
                        None => Some(None),
                    })
                    .collect::<Option<_>>()?,
            );
        }
        let zero = self.draft.zero;
        for row in rows {
            let mut carries = false;
            for (sum, other) in sums.iter_mut().zip(row) {
                *sum = match (*sum, other) {
                    (Some(x), Some(y)) => {
                        let sum = self.sum(false, [x, y], carries, true)?;
                        carries = true;
                        Some(sum)
                    }
                    (x, y) if carries => {
                        Some(self.sum(false, [x.or(y).unwrap_or(zero), zero], true, true)?)
                    }
                    (x, y) => x.or(y),
                };
            }
            if carries && !is_last {
                let over = self.over.unwrap_or(zero);
                self.over = Some(self.sum(false, [over, zero], true, false)?);
            }
        }
        for (column, sum) in columns.iter().zip(sums) {
            let Some(to) = column.to else { continue };
            self.name(to, sum.unwrap_or(zero));
            for (_, index) in self.late.extract_if(.., |(from, _)| *from == to).collect::<Vec<_>>() {
                self.store(index, self.get(to)?);
            }
        }
        Some(())
    }

    /// Some bits of a word.
    fn mask(&mut self, x: Value, bits: u32) -> Value {
        let (above, below) = (bits.leading_zeros() as u8, bits.trailing_zeros() as u8);
        let is_run = bits != 0 && bits >> below == u32::MAX >> (above + below);
        let is_mask = self.masks.contains(&x);
        match bits {
            0 => self.draft.zero,
            u32::MAX => x,
            _ if is_run && is_mask && below == 0 => self.draft.one(One::Down(above), x),
            _ if is_run && is_mask && above == 0 => self.draft.one(One::Up(below), x),
            _ if bits >> 8 == 0 => {
                let bits = self.number(bits);
                match self.complements.get(&x) {
                    Some(complement) => self.draft.two(Two::AndNot, bits, *complement),
                    None => self.draft.two(Two::And, x, bits),
                }
            }
            _ if is_run && below == 0 => {
                let up = self.draft.one(One::Up(above), x);
                self.draft.one(One::Down(above), up)
            }
            _ if is_run && above == 0 => {
                let down = self.draft.one(One::Down(below), x);
                self.draft.one(One::Up(below), down)
            }
            _ => {
                let bits = self.number(bits);
                self.draft.two(Two::And, x, bits)
            }
        }
    }

    /// Both words of a product.
    fn product(&mut self, [x, y]: [Value; 2]) -> [Value; 2] {
        let number = |own: Value| {
            let known = self.numbers.iter().find(|(_, value)| **value == own).map(|(number, _)| *number);
            known.or((own == self.draft.zero).then_some(0))
        };
        match (number(x), number(y)) {
            (_, Some(number)) => self.multiple(x, number),
            (Some(number), None) => self.multiple(y, number),
            (None, None) => self.word_product(x, y),
        }
    }

    /// A word times a number.
    fn multiple(&mut self, x: Value, number: u32) -> [Value; 2] {
        let zero = self.draft.zero;
        let [low, high] = parts(number);
        if number == 0 {
            return [zero; 2];
        }
        if number == 1 {
            return [x, zero];
        }
        if number.is_power_of_two() {
            let places = number.trailing_zeros() as u8;
            return [One::Up(places), One::Down(32 - places)].map(|one| self.draft.one(one, x));
        }
        if number.leading_ones() >= 16 {
            let [low, high] = self.multiple(x, number.wrapping_neg());
            let low = self.draft.one(One::Negate, low);
            return [low, self.carried(Two::SubtractCarry, x, high)];
        }
        if low == 0 {
            let halves = [One::Low, One::High].map(|one| self.draft.one(one, x));
            let [own, above] = halves.map(|half| self.half_product(half, high));
            let [up, down] = [One::Up(16), One::Down(16)].map(|one| self.draft.one(one, own));
            return [up, self.draft.two(Two::Add, above, down)];
        }
        if high == 0 || low + high <= MOST_FACTOR {
            let halves = [One::Low, One::High].map(|one| self.draft.one(one, x));
            let [own, mut middle] = halves.map(|half| self.half_product(half, low));
            let above = (high > 0).then(|| {
                let [own, above] = halves.map(|half| self.half_product(half, high));
                middle = self.draft.two(Two::Add, middle, own);
                above
            });
            let [up, down] = [One::Up(16), One::Down(16)].map(|one| self.draft.one(one, middle));
            let low = self.draft.two(Two::Add, own, up);
            let high = match above {
                Some(above) => self.carried(Two::AddCarry, above, down),
                None => self.carried(Two::AddCarry, down, zero),
            };
            return [low, high];
        }
        let number = self.number(number);
        self.word_product(x, number)
    }

    /// A half of a word times one of a number, which is below `w`.
    fn half_product(&mut self, half: Value, factor: u32) -> Value {
        if factor == 1 {
            return half;
        }
        let factor = self.number(factor);
        self.draft.two(Two::Multiply, half, factor)
    }

    /// From halves.
    fn word_product(&mut self, x: Value, y: Value) -> [Value; 2] {
        let zero = self.draft.zero;
        let [a, b] = [One::Low, One::High].map(|one| self.draft.one(one, x));
        let [c, d] = [One::Low, One::High].map(|one| self.draft.one(one, y));
        let [low, high, one, other] =
            [[a, c], [b, d], [b, c], [a, d]].map(|[x, y]| self.draft.two(Two::Multiply, x, y));
        let middle = self.draft.two(Two::Add, one, other);
        let over = self.carried(Two::AddCarry, zero, zero);
        let up = self.draft.one(One::Up(16), middle);
        let down = self.draft.one(One::Down(16), middle);
        let over = self.draft.one(One::Up(16), over);
        let high = self.draft.two(Two::Add, high, over);
        let low = self.draft.two(Two::Add, low, up);
        [low, self.carried(Two::AddCarry, high, down)]
    }

    /// A step with the carry of the step before.
    fn carried(&mut self, two: Two, x: Value, y: Value) -> Value {
        let maker = self.draft.ops.len() - 1;
        let value = self.draft.two(two, x, y);
        self.links.insert(self.draft.ops.len() - 1, maker);
        value
    }
}

/// An order in which each carry is still there when it is taken.
struct Order<'a> {
    ops: &'a [Op],
    links: &'a [Option<usize>],
    /// The steps that make what a step reads.
    makers: Vec<Vec<usize>>,
    /// The first step of its chain.
    heads: Vec<usize>,
    chains: BTreeMap<usize, Vec<usize>>,
    busy: BTreeSet<usize>,
    done: Vec<bool>,
    order: Vec<usize>,
}

impl<'a> Order<'a> {
    fn new(ops: &'a [Op], links: &'a [Option<usize>]) -> Self {
        let mut made: HashMap<Value, usize> = HashMap::new();
        let mut makers = Vec::with_capacity(ops.len());
        let mut heads: Vec<usize> = Vec::with_capacity(ops.len());
        let mut chains: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, op) in ops.iter().enumerate() {
            // a store that need not be stands behind what it stores all the same
            makers.push(op.names().iter().filter_map(|value| made.get(value).copied()).collect());
            if let Op::One { to, .. } | Op::Two { to, .. } | Op::Spread { to } = op {
                made.insert(*to, at);
            }
            let head = links[at].map_or(at, |maker| heads[maker]);
            heads.push(head);
            chains.entry(head).or_default().push(at);
        }
        let done = vec![false; ops.len()];
        Order { ops, links, makers, heads, chains, busy: BTreeSet::new(), done, order: Vec::new() }
    }

    /// All steps; nothing where a chain needs what loses its carry.
    fn all(mut self) -> Option<Vec<usize>> {
        (0..self.ops.len()).try_for_each(|at| self.emit(at))?;
        let mut carry = None;
        for at in &self.order {
            if self.links[*at].is_some_and(|maker| carry != Some(maker)) {
                return None;
            }
            if self.ops[*at].changes_carry() {
                carry = Some(*at);
            }
        }
        Some(self.order)
    }

    fn push(&mut self, at: usize) {
        self.done[at] = true;
        self.order.push(at);
    }

    /// Whether it may stand within a chain.
    fn is_free(&self, at: usize) -> bool {
        self.chains[&self.heads[at]].len() == 1 && !self.ops[at].changes_carry()
    }

    /// A step and what must come before it.
    fn emit(&mut self, at: usize) -> Option<()> {
        if self.done[at] {
            return Some(());
        }
        let head = self.heads[at];
        if self.chains[&head].len() > 1 {
            return self.chain(head);
        }
        self.makers[at].clone().into_iter().try_for_each(|maker| self.emit(maker))?;
        self.push(at);
        Some(())
    }

    fn chain(&mut self, head: usize) -> Option<()> {
        if !self.busy.insert(head) {
            return None;
        }
        let members = self.chains[&head].clone();
        members.iter().try_for_each(|at| self.before(*at, head))?;
        let mut at = head;
        for member in members {
            for other in at..member {
                let is_ready = |own: &Self| own.makers[other].iter().all(|maker| own.done[*maker]);
                if !self.done[other] && self.is_free(other) && is_ready(self) {
                    self.push(other);
                }
            }
            self.within(member);
            at = member + 1;
        }
        Some(())
    }

    /// What a step of a chain reads and loses the carry.
    fn before(&mut self, at: usize, head: usize) -> Option<()> {
        for maker in self.makers[at].clone() {
            if self.done[maker] || self.heads[maker] == head {
                continue;
            }
            match self.is_free(maker) {
                true => self.before(maker, head)?,
                false => self.emit(maker)?,
            }
        }
        Some(())
    }

    /// A step of a chain, and what it reads and keeps the carry.
    fn within(&mut self, at: usize) {
        for maker in self.makers[at].clone() {
            if !self.done[maker] {
                self.within(maker);
            }
        }
        self.push(at);
    }
}
