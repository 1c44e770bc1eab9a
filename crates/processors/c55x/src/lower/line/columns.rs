//! Columns: sums of words and products in an accumulator, whose low word is stored while what is above it goes to the next
//! one. Sums and differences with carries are columns, too. Two columns of words are added up at once where their words lie
//! side by side; products that two neighbours share a factor of are dual multiplications.

use super::LineError;
use super::cells::{Cell, Rep};
use super::select::{Select, is_column};
use super::sum::Sum;
use crate::instructions::{Instruction, Reg, ShiftOp};
use crate::lower::code::shifted;
use rhomb_line::{Op, Source, Term, Value};

/// A column, or two, whose low words may still have to be stored.
pub(super) struct Previous {
    pub(super) ac: u8,
    /// By how much it goes down.
    pub(super) down: i8,
    pending: Option<(Cell, bool)>,
    values: [Option<Value>; 2],
    /// Whether what is carried is 1 less the borrow.
    pub(super) is_biased: bool,
}

/// Terms that the next column has already, by their places.
pub(super) struct Ahead {
    pub(super) ac: Option<u8>,
    done: Vec<usize>,
}

/// A column as the operations have it.
struct Item {
    terms: Vec<(usize, Term)>,
    to: Option<Value>,
    /// Whether what is above the column before is added.
    is_linked: bool,
    is_difference: bool,
    /// Whether it ends here; it is looked at else.
    is_whole: bool,
    next: usize,
}

impl Item {
    fn has_products(&self) -> bool {
        self.terms.iter().any(|(_, term)| term.factor.is_some())
    }
}

/// Bits of an accumulator.
const BITS: u32 = 40;

impl Select<'_> {
    fn item(&self, at: usize) -> Option<Item> {
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
    pub(super) fn columns(&mut self, at: usize) -> Result<usize, LineError> {
        if let Some(next) = self.halved(at)? {
            return Ok(next);
        }
        let item = self.item(at).ok_or(LineError::Order)?;
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
        self.previous = Some(Previous { ac, down: -16, pending, values: [item.to, None], is_biased });
    }

    /// What the column before has to store is stored.
    pub(super) fn flush(&mut self) {
        let Some(previous) = &mut self.previous else { return };
        let ac = previous.ac;
        match previous.pending.take() {
            Some((cell, false)) => self.store(Reg::Ac(ac), cell),
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
    }

    /// What is above the column before comes to the one that is added up.
    fn joined(&mut self) {
        self.flush();
        let Some(previous) = self.previous.take() else { return };
        let own = match self.current {
            Some(own) => {
                self.push(shifted(ShiftOp::Add, previous.ac, previous.down, own));
                own
            }
            None => {
                self.push(shifted(ShiftOp::Sftl, previous.ac, previous.down, previous.ac));
                previous.ac
            }
        };
        self.current = Some(own);
    }

    /// The accumulator of the column that is added up, with all that belongs to it.
    pub(super) fn opened(&mut self) -> u8 {
        if let Some(Ahead { ac: Some(ac), .. }) = self.ahead.as_ref().filter(|_| self.current.is_none()) {
            self.current = Some(*ac);
            self.ahead = None;
        }
        self.joined();
        if let Some(ac) = self.current {
            return ac;
        }
        self.push(Instruction::MovK4 { value: 0, dst: Reg::Ac(0) });
        *self.current.insert(0)
    }

    /// Stores what one of the terms reads.
    fn settle<'a>(&mut self, mut terms: impl Iterator<Item = &'a (usize, Term)>) {
        let made = self.previous.as_ref().map_or([None; 2], |previous| previous.values);
        let reads = |source: Source| matches!(source, Source::Value(value) if made.contains(&Some(value)));
        if terms.any(|(_, term)| reads(term.word) || term.factor.is_some_and(reads)) {
            self.flush();
        }
    }

    fn sum(&mut self, item: &Item) -> Result<(), LineError> {
        self.bias = None;
        self.settle(item.terms.iter());
        let mut terms: Vec<(usize, Term)> = item.terms.clone();
        if self.current.is_none() {
            if let Some(Ahead { ac, done }) = self.ahead.take() {
                self.current = ac;
                terms.retain(|(at, _)| !done.contains(at));
            }
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
            return Err(LineError::Wide);
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
    fn products(&mut self, sum: &mut Sum, products: &[(usize, Term)], item: &Item) -> Result<(), LineError> {
        if products.is_empty() {
            return Ok(());
        }
        let next = self.neighbour(item.next - usize::from(item.is_whole));
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

    /// An accumulator that keeps differences from falling below zero: all ones of so many bits.
    fn biased(&mut self, bits: i8) -> Result<Sum, LineError> {
        let ac = self.free(&[3])?;
        if self.bias != Some(bits) {
            self.bias = Some(bits);
            self.push(Instruction::MovK4 { value: -1, dst: Reg::Ac(3) });
            self.push(shifted(ShiftOp::Sftl, 3, bits - BITS as i8, 3));
        }
        Ok(Sum { ac, fresh: true, from: Some(3) })
    }

    /// With the borrow of the column before, or with none.
    fn bordered(&mut self, sum: &mut Sum) -> Result<(), LineError> {
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

    fn difference(&mut self, item: &Item) -> Result<(), LineError> {
        if self.previous.as_ref().is_some_and(|previous| !previous.is_biased) {
            return Err(LineError::Order);
        }
        self.settle(item.terms.iter());
        let mut sum = self.biased(16)?;
        for (_, term) in &item.terms {
            let rep = self.values.source(term.word)?;
            self.add_rep(&mut sum, term.minus, rep, 0)?;
        }
        self.bordered(&mut sum)
    }

    /// The column behind, where both can be added up at once in fewer instructions.
    fn second(&self, first: &Item) -> Option<Item> {
        let plain = |item: &Item| item.is_whole && !item.has_products();
        if self.current.is_some() || self.ahead.is_some() || !plain(first) {
            return None;
        }
        let second = self.item(first.next).filter(plain)?;
        let reads = |(_, term): &(usize, Term)| first.to.is_some_and(|to| term.word == Source::Value(to));
        let same = second.is_linked
            && second.is_difference == first.is_difference
            && !second.terms.iter().any(reads);
        let is_same_kind = matches!(self.values.ops[first.next], Op::Term(_) | Op::Take { .. })
            == matches!(self.values.ops[first.next - 1], Op::Take { .. });
        if !same || !is_same_kind || first.to.is_none() || second.to.is_none() || first.terms.len() > 60 {
            return None;
        }
        let (single, double) =
            (self.reps(first)?.len() + self.reps(&second)?.len() + 2, self.matched(first, &second)?);
        (1 + double.iter().map(|part| part.cost()).sum::<usize>() < single).then_some(second)
    }

    fn reps(&self, item: &Item) -> Option<Vec<(bool, Rep)>> {
        item.terms.iter().map(|(_, term)| Some((term.minus, self.values.source(term.word).ok()?))).collect()
    }

    /// The terms of two columns, side by side where they lie so in memory.
    fn matched(&self, first: &Item, second: &Item) -> Option<Vec<Part>> {
        let (low, mut high) = (self.reps(first)?, self.reps(second)?);
        let mut parts = Vec::new();
        let mut constant = 0;
        for (minus, rep) in low {
            let beside = |cell: Cell| Rep::Cell(Cell { index: cell.index + 1, ..cell });
            let found = match rep {
                Rep::Cell(cell) if cell.index % 2 == 0 => {
                    high.iter().position(|own| *own == (minus, beside(cell)))
                }
                _ => None,
            };
            match (found, rep) {
                (Some(found), Rep::Cell(cell)) => {
                    high.swap_remove(found);
                    parts.push(Part::Double(minus, cell));
                }
                (_, Rep::Number(number)) if !minus => constant += number,
                _ => parts.push(Part::Single(minus, rep, 0)),
            }
        }
        for (minus, rep) in high {
            match rep {
                Rep::Number(number) if !minus => constant += number << 16,
                _ => parts.push(Part::Single(minus, rep, 16)),
            }
        }
        if constant > 0 {
            parts.push(Part::Single(false, Rep::Number(constant), 0));
        }
        // the sum is never below zero
        parts.sort_by_key(Part::rank);
        Some(parts)
    }

    fn pair(&mut self, first: &Item, second: &Item) -> Result<usize, LineError> {
        self.settle(first.terms.iter().chain(&second.terms));
        let parts = self.matched(first, second).ok_or(LineError::Order)?;
        let is_biased = first.is_difference;
        let mut sum = if is_biased { self.biased(32)? } else { Sum::fresh(self.free(&[])?) };
        for part in &parts {
            match *part {
                Part::Double(minus, cell) => self.add_cell(&mut sum, minus, cell, true),
                Part::Single(minus, rep, places) => self.add_rep(&mut sum, minus, rep, places)?,
            }
        }
        match (is_biased, sum.fresh) {
            (true, _) => self.bordered(&mut sum)?,
            (false, fresh) => {
                self.current = (!fresh).then_some(sum.ac);
                self.joined();
            }
        }
        let ac = self.opened();
        self.current = None;
        let values = [first.to, second.to];
        let places = [(first, first.to), (second, second.to)];
        let [low, high] = places.map(|(item, to)| to.map(|to| self.values.place(to, item.next - 1)));
        let (Some(low), Some(high)) = (low, high) else { return Err(LineError::Order) };
        let is_double = low.index % 2 == 0 && high == Cell { index: low.index + 1, ..low };
        if !is_double {
            self.store(Reg::Ac(ac), low);
            self.store_high(ac, high);
        }
        let pending = is_double.then_some((low, true));
        self.previous = Some(Previous { ac, down: -32, pending, values, is_biased });
        Ok(second.next)
    }

    /// Halves of a sum: each word, with the lowest bit of the one above, from below.
    fn halved(&mut self, at: usize) -> Result<Option<usize>, LineError> {
        let ops = &self.values.ops;
        let count = ops[at..].iter().take_while(|op| matches!(op, Op::Add { .. })).count();
        let halves: Vec<(Value, Value)> = ops[at + count..]
            .iter()
            .map_while(|op| if let Op::Halve { to, x, .. } = op { Some((*to, *x)) } else { None })
            .collect();
        if count == 0 || halves.len() != count {
            return Ok(None);
        }
        let items: Vec<Item> = (at..at + count).filter_map(|at| self.item(at)).collect();
        let fits = items.iter().zip(halves.iter().rev()).all(|(item, (_, x))| item.to == Some(*x));
        if !fits || items.first().is_some_and(|item| item.is_linked) {
            return Err(LineError::Operation("a half that is not that of a sum"));
        }
        self.ended();
        let total = 0;
        for (number, item) in items.iter().enumerate() {
            let mut sum = Sum::fresh(if number == 0 { total } else { 1 + (number % 2) as u8 });
            self.current = Some(total);
            let mut reps = self.reps(item).ok_or(LineError::Order)?;
            reps.sort_by_key(|(_, rep)| !matches!(rep, Rep::Masked(..)));
            for (_, rep) in reps {
                self.add_rep(&mut sum, false, rep, 0)?;
            }
            match number {
                0 => self.push(shifted(ShiftOp::Sftl, total, -1, total)),
                _ => {
                    self.push(shifted(ShiftOp::Add, sum.ac, 15, total));
                    self.half(halves[count - number].0, at + count + count - number);
                    self.push(shifted(ShiftOp::Sftl, total, -16, total));
                }
            }
        }
        self.half(halves[0].0, at + 2 * count - 1);
        self.current = None;
        Ok(Some(at + 2 * count))
    }

    fn half(&mut self, to: Value, at: usize) {
        let cell = self.values.place(to, at);
        self.store(Reg::Ac(0), cell);
    }
}

/// What is added to two columns.
enum Part {
    Double(bool, Cell),
    Single(bool, Rep, i8),
}

impl Part {
    /// Instructions for it.
    fn cost(&self) -> usize {
        match self {
            Part::Double(..) => 1,
            Part::Single(_, Rep::Number(number), _) => {
                if *number >> 16 == 0 {
                    1
                } else {
                    3
                }
            }
            Part::Single(_, Rep::Temporary(_) | Rep::Cell(_), 0) => 1,
            Part::Single(..) => 2,
        }
    }

    /// What begins a sum in its own accumulator first, what is subtracted last.
    fn rank(&self) -> u8 {
        match self {
            Part::Single(false, Rep::Masked(..), 16) => 0,
            Part::Single(false, Rep::Masked(..) | Rep::Temporary(_), _) => 1,
            Part::Single(false, Rep::Number(_), _) => 2,
            Part::Double(false, _) => 3,
            Part::Single(false, ..) => 4,
            _ => 5,
        }
    }
}
