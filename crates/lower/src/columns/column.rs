//! Columns: sums of words and products in an accumulator, whose low word is stored while what is above it goes to the next
//! one. Sums and differences with carries are columns, too. Products that two neighbours share a word of are dual
//! multiplications.

use super::Unmade;
use super::act::{self, Act, Reg};
use super::cells::Rep;
use super::select::is_column;
use super::state::{Ahead, Previous, Select};
use super::sum::Sum;
use rhomb_line::{Op, Source, Term, Value};

/// A column as the operations have it.
pub(super) struct Item {
    pub(super) terms: Vec<(usize, Term)>,
    pub(super) to: Option<Value>,
    /// Whether what is above the column before is added.
    pub(super) is_linked: bool,
    pub(super) is_difference: bool,
    /// Whether it ends here; it is looked at else.
    pub(super) is_whole: bool,
    pub(super) next: usize,
}

impl Item {
    pub(super) fn has_products(&self) -> bool {
        self.terms.iter().any(|(_, term)| term.factor.is_some())
    }
}

/// Bits of an accumulator.
const BITS: u32 = 40;

impl Select<'_> {
    pub(super) fn item(&self, at: usize) -> Option<Item> {
        let word = |minus: bool, value: Value| (at, Term { minus, word: Source::Value(value), factor: None });
        let ops = &self.values.ops;
        match *ops.get(at)? {
            Op::Add { to, x, y, carry_in, .. } | Op::Subtract { to, x, y, carry_in, .. } => {
                let is_difference = matches!(ops[at], Op::Subtract { .. });
                let mut terms = vec![word(false, x)];
                terms.extend(y.map(|y| word(is_difference, y)));
                let to = Some(to);
                Some(Item { terms, to, is_linked: carry_in, is_difference, is_whole: true, next: at + 1 })
            }
            _ => {
                let own =
                    ops[at..].iter().map_while(|op| if let Op::Term(term) = op { Some(*term) } else { None });
                let terms: Vec<(usize, Term)> = (at..).zip(own).collect();
                let next = at + terms.len();
                let (to, is_whole) = match ops.get(next)? {
                    Op::Take { to, .. } => (*to, true),
                    _ => (None, false),
                };
                let next = if is_whole { next + 1 } else { next };
                Some(Item { terms, to, is_linked: true, is_difference: false, is_whole, next })
            }
        }
    }

    /// One column from here on, or two; the place behind.
    pub(super) fn columns(&mut self, at: usize) -> Result<usize, Unmade> {
        if let Some(next) = self.halved(at)? {
            return Ok(next);
        }
        let item = self.item(at).ok_or(Unmade::Order)?;
        if !item.is_linked {
            self.ended();
        }
        if let Some(second) = self.second(&item) {
            return self.pair(&item, &second);
        }
        if item.is_difference {
            self.difference(&item)?;
        } else {
            self.sum(&item)?;
        }
        if !item.is_whole {
            return Ok(item.next);
        }
        self.taken(&item);
        Ok(item.next)
    }

    fn taken(&mut self, item: &Item) {
        let ac = self.opened();
        self.current = None;
        self.is_second = false;
        let at = item.next - 1;
        let mut pending = None;
        if let Some(to) = item.to {
            let end = (self.values.last(to) + 1).max(item.next);
            let is_short = self.values.ops[item.next..end].iter().all(|op| {
                let is_mask = matches!(op, Op::Mask { .. } | Op::Negate { .. });
                !is_column(op) && (is_mask || !op.reads().contains(&Some(to)))
            });
            match is_short {
                true => self.values.set(to, Rep::Low(ac)),
                false => pending = Some((self.values.place(to, at), false)),
            }
        }
        let is_biased = item.is_difference;
        self.last_most = std::mem::take(&mut self.most);
        self.carried = self.last_most >> 16;
        self.previous = Some(Previous { ac, down: -16, pending, values: [item.to, None], is_biased });
    }

    /// What the column before has to store is stored.
    pub(super) fn flush(&mut self) {
        let Some(previous) = &mut self.previous else { return };
        let ac = previous.ac;
        match previous.pending.take() {
            Some((cell, false)) => self.store(Reg::Accumulator(ac), cell),
            Some((cell, true)) => self.store_double(ac, cell),
            None => {}
        }
    }

    /// The column before, when nothing is to be added to what it carries.
    pub(super) fn closed(&mut self) -> Option<Previous> {
        self.flush();
        self.previous.take()
    }

    /// The end of a row of columns.
    pub(super) fn ended(&mut self) {
        self.closed();
        (self.carried, self.debt) = (0, 0);
    }

    /// What is above the column before comes to the one that is added up.
    pub(super) fn joined(&mut self) {
        self.flush();
        let Some(previous) = self.previous.take() else { return };
        self.most += self.carried;
        let own = match self.current {
            Some(own) => {
                self.push(Act::Shifted(act::Sum::Add, previous.ac, previous.down, own));
                own
            }
            None => {
                self.push(Act::Shifted(act::Sum::Set, previous.ac, previous.down, previous.ac));
                previous.ac
            }
        };
        self.current = Some(own);
        if let debt @ 1.. = std::mem::take(&mut self.debt) {
            self.push(Act::SubtractNumber(debt as u8, Reg::Accumulator(own)));
        }
    }

    /// The accumulator of the column that is added up, with all that belongs to it.
    pub(super) fn opened(&mut self) -> u8 {
        if let Some(Ahead { ac: Some(ac), .. }) = self.ahead.as_ref().filter(|_| self.current.is_none()) {
            self.current = Some(*ac);
            self.is_second = true;
            self.ahead = None;
        }
        self.joined();
        if let Some(ac) = self.current {
            return ac;
        }
        self.push(Act::Number(0, Reg::Accumulator(0)));
        *self.current.insert(0)
    }

    /// Stores what one of the terms reads.
    pub(super) fn settle<'a>(&mut self, mut terms: impl Iterator<Item = &'a (usize, Term)>) {
        let made = self.previous.as_ref().map_or([None; 2], |previous| previous.values);
        let reads = |source: Source| matches!(source, Source::Value(value) if made.contains(&Some(value)));
        if terms.any(|(_, term)| reads(term.word) || term.factor.is_some_and(reads)) {
            self.flush();
        }
    }

    fn sum(&mut self, item: &Item) -> Result<(), Unmade> {
        self.bias = None;
        for (_, term) in item.terms.iter().filter(|(_, term)| !term.minus) {
            let most = |source: Source| match source {
                Source::Number(number) => number,
                Source::Value(_) | Source::Memory(_) => u16::MAX.into(),
            };
            self.most += most(term.word) * term.factor.map_or(1, most);
        }
        self.settle(item.terms.iter());
        let mut terms: Vec<(usize, Term)> = item.terms.clone();
        if self.current.is_none()
            && let Some(Ahead { ac, done }) = self.ahead.take()
        {
            self.current = ac;
            self.is_second = true;
            terms.retain(|(at, _)| !done.contains(at));
        }
        let mut sum = match self.current {
            Some(ac) => Sum::on(ac),
            None => Sum::fresh(self.free(&[])?),
        };
        let numbers = terms.iter().filter(|(_, term)| term.factor.is_none() && !term.minus);
        let constant: u64 = numbers
            .filter_map(|(_, term)| match term.word {
                Source::Number(number) => Some(number),
                _ => None,
            })
            .sum();
        if constant >> (BITS - 1) != 0 || terms.len() > 200 {
            return Err(Unmade::Wide);
        }
        self.add_number(&mut sum, constant)?;
        let (products, words): (Vec<_>, Vec<_>) =
            terms.into_iter().partition(|(_, term)| term.factor.is_some());
        self.products(&mut sum, &products, item)?;
        let mut reps = Vec::new();
        for (_, term) in words.iter().filter(|(_, term)| !matches!(term.word, Source::Number(_))) {
            reps.push((term.minus, self.values.source(term.word)?));
        }
        reps.sort_by_key(|(minus, rep)| (*minus, !matches!(rep, Rep::Masked(..))));
        for (minus, rep) in reps {
            self.add_rep(&mut sum, minus, rep, 0)?;
        }
        self.current = (!sum.fresh).then_some(sum.ac);
        Ok(())
    }

    /// The products of a column, with those of the next one that share a word.
    fn products(&mut self, sum: &mut Sum, products: &[(usize, Term)], item: &Item) -> Result<(), Unmade> {
        if products.is_empty() {
            return Ok(());
        }
        let next = match self.is_second {
            true => Vec::new(),
            false => self.neighbour(item.next - usize::from(item.is_whole)),
        };
        let mut all = Vec::new();
        for (at, term) in products {
            let [word, by] = [term.word, term.factor.unwrap_or(Source::Number(1))];
            let rep = self.values.source(word)?;
            let word = self.in_memory(rep, *at)?;
            let by = match self.pool.of_term(*at) {
                Some(index) => Self::in_pool(index),
                None => {
                    let rep = self.values.source(by)?;
                    self.in_memory(rep, *at)?
                }
            };
            let shared =
                next.iter().find(|(_, other)| other.word == term.word && !term.minus && !other.minus);
            let shared =
                shared.and_then(|(other, _)| Some((*other, Self::in_pool(self.pool.of_term(*other)?))));
            all.push((word, by, term.minus, shared));
        }
        all.sort_by_key(|(word, ..)| *word);
        let ends = [all.first(), all.last()].map(|end| end.map_or(0, |(word, ..)| word.index));
        if ends[1].abs_diff(self.last_word) < ends[0].abs_diff(self.last_word) {
            all.reverse();
        }
        self.last_word = all.last().map_or(0, |(word, ..)| word.index);
        let mut ahead = match self.ahead.take() {
            Some(ahead) => ahead,
            None => Ahead { ac: None, done: Vec::new() },
        };
        for (word, by, minus, shared) in all {
            let Some((other, second)) = shared.filter(|(other, _)| !ahead.done.contains(other)) else {
                self.add_products(word, minus, (sum, by), None);
                continue;
            };
            let mut next = match ahead.ac {
                Some(ac) => Sum::on(ac),
                None => Sum::fresh(self.free(&[sum.ac])?),
            };
            self.add_products(word, minus, (sum, by), Some((&mut next, second)));
            ahead.ac = Some(next.ac);
            ahead.done.push(other);
        }
        self.ahead = ahead.ac.is_some().then_some(ahead);
        Ok(())
    }

    /// The products of the next column whose words are made already.
    fn neighbour(&self, from: usize) -> Vec<(usize, Term)> {
        let ops = &self.values.ops[from..];
        let stop = |op: &Op| matches!(op, Op::Clear | Op::Spread { .. });
        let Some(take) = ops.iter().position(|op| matches!(op, Op::Take { .. }) || stop(op)) else {
            return Vec::new();
        };
        if stop(&ops[take]) {
            return Vec::new();
        }
        let mut terms = Vec::new();
        for (at, op) in (from..).zip(ops).skip(take + 1) {
            match op {
                Op::Term(term) if term.factor.is_some() && self.values.is_made(term.word) => {
                    terms.push((at, *term))
                }
                Op::Term(_) | Op::Store { .. } => {}
                _ => break,
            }
        }
        terms
    }

    /// An accumulator that keeps differences from falling below zero: all ones of so many bits, from which is subtracted
    /// first.
    pub(super) fn biased(&mut self, bits: i8) -> Result<Sum, Unmade> {
        let ac = self.free(&[3])?;
        if self.bias != Some(bits) {
            self.bias = Some(bits);
            self.push(Act::Ones(3));
            self.push(Act::Shifted(act::Sum::Set, 3, bits - BITS as i8, 3));
        }
        Ok(Sum { ac, fresh: true, from: Some(3) })
    }

    /// With the borrow of the column before, or with none.
    pub(super) fn bordered(&mut self, sum: &mut Sum) -> Result<(), Unmade> {
        match self.previous.is_some() {
            true => {
                self.current = Some(sum.ac);
                self.joined();
            }
            false => {
                self.add_number(sum, 1)?;
                self.current = Some(sum.ac);
            }
        }
        Ok(())
    }

    fn difference(&mut self, item: &Item) -> Result<(), Unmade> {
        if self.previous.as_ref().is_some_and(|previous| !previous.is_biased) {
            return Err(Unmade::Order);
        }
        self.settle(item.terms.iter());
        let mut sum = self.biased(16)?;
        for (_, term) in item.terms.iter().rev() {
            let rep = self.values.source(term.word)?;
            self.add_rep(&mut sum, term.minus, rep, 0)?;
        }
        self.bordered(&mut sum)
    }
}
