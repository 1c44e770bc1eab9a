//! Two columns at once, where their words lie side by side in memory: sums of 32 bits.

use super::Unmade;
use super::act::Reg;
use super::cells::{Cell, Rep};
use super::column::Item;
use super::state::{Previous, Select};
use super::sum::Sum;
use rhomb_line::{Op, Source, Term};

impl Select<'_> {
    /// The column behind, where both can be added up at once in fewer instructions.
    pub(super) fn second(&self, first: &Item) -> Option<Item> {
        let plain = |item: &Item| item.is_whole && !item.has_products();
        if self.current.is_some() || self.ahead.is_some() || !plain(first) {
            return None;
        }
        let second = self.item(first.next).filter(plain)?;
        // that nothing is borrowed by the last word is easily shown where that stands by itself
        if let Op::Subtract { carry_out: false, .. } = self.values.ops[first.next] {
            return None;
        }
        let reads = |(_, term): &(usize, Term)| first.to.is_some_and(|to| term.word == Source::Value(to));
        let same = second.is_linked
            && second.is_difference == first.is_difference
            && !second.terms.iter().any(reads);
        let is_same_kind = matches!(self.values.ops[first.next], Op::Term(_) | Op::Take { .. })
            == matches!(self.values.ops[first.next - 1], Op::Take { .. });
        let is_apart = !self.values.lie_together(first.to?, second.to?);
        if !same || !is_same_kind || is_apart || first.terms.len() > 60 {
            return None;
        }
        let (single, double) =
            (self.reps(first)?.len() + self.reps(&second)?.len() + 2, self.matched(first, &second)?);
        (1 + double.iter().map(|part| part.cost()).sum::<usize>() < single).then_some(second)
    }

    pub(super) fn reps(&self, item: &Item) -> Option<Vec<(bool, Rep)>> {
        item.terms.iter().map(|(_, term)| Some((term.minus, self.values.source(term.word).ok()?))).collect()
    }

    /// The terms of two columns, side by side where they lie so in memory.
    fn matched(&self, first: &Item, second: &Item) -> Option<Vec<Part>> {
        let (mut low, mut high) = (self.reps(first)?, self.reps(second)?);
        let mut parts = Vec::new();
        low.retain(|(minus, rep)| match (rep, high.iter().position(|own| own == &(*minus, *rep))) {
            (Rep::Temporary(t), Some(found)) => {
                high.swap_remove(found);
                parts.push(Part::Twice(*minus, *t));
                false
            }
            _ => true,
        });
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

    pub(super) fn pair(&mut self, first: &Item, second: &Item) -> Result<usize, Unmade> {
        self.settle(first.terms.iter().chain(&second.terms));
        let mut parts = self.matched(first, second).ok_or(Unmade::Order)?;
        let is_biased = first.is_difference;
        let debt = if is_biased { 0 } else { self.lifted(&mut parts) };
        if is_biased {
            parts.sort_by_key(|part| !part.is_minus());
        }
        let mut sum = if is_biased { self.biased(32)? } else { Sum::fresh(self.free(&[])?) };
        self.most += parts.iter().map(Part::most).sum::<u64>();
        for part in &parts {
            match *part {
                Part::Double(minus, cell) => self.add_cell(&mut sum, minus, cell, true),
                Part::Twice(minus, t) => {
                    let cell = self.twice(t, first.next - 1);
                    self.add_cell(&mut sum, minus, cell, true);
                }
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
        self.debt = debt;
        let values = [first.to, second.to];
        let places = [(first, first.to), (second, second.to)];
        let [low, high] = places.map(|(item, to)| to.map(|to| self.values.place(to, item.next - 1)));
        let (Some(low), Some(high)) = (low, high) else { return Err(Unmade::Order) };
        let is_double = low.index % 2 == 0 && high == Cell { index: low.index + 1, ..low };
        if !is_double {
            self.store(Reg::Accumulator(ac), low);
            self.store_high(ac, high);
        }
        let pending = is_double.then_some((low, true));
        self.carried = std::mem::take(&mut self.most) >> 32;
        self.previous = Some(Previous { ac, down: -32, pending, values, is_biased });
        Ok(second.next)
    }

    /// Keeps each pair from falling below zero whatever is borrowed, which is easily shown then: its constant gets more, which
    /// that of the next pair has too little. Gives how much.
    fn lifted(&mut self, parts: &mut [Part]) -> u64 {
        let least = parts.iter().filter(|part| part.is_minus()).count() as u64;
        let constant = parts.iter_mut().find_map(|part| match part {
            Part::Single(false, Rep::Number(number), 0) => Some(number),
            _ => None,
        });
        let Some(number) = constant else { return 0 };
        if *number >= self.debt {
            *number -= std::mem::take(&mut self.debt);
        }
        let more = least.saturating_sub(*number >> 32);
        *number += more << 32;
        more
    }

    /// Two words in memory that are those of a temporary register.
    fn twice(&mut self, t: u8, at: usize) -> Cell {
        let (cell, is_there) = self.values.twice(t, at);
        if !is_there {
            for index in [cell.index, cell.index + 1] {
                self.store(Reg::Temporary(t), Cell { index, ..cell });
            }
        }
        cell
    }
}

/// What is added to two columns.
enum Part {
    Double(bool, Cell),
    /// A temporary register's word in both.
    Twice(bool, u8),
    Single(bool, Rep, i8),
}

impl Part {
    /// Instructions for it.
    fn cost(&self) -> usize {
        match self {
            Part::Double(..) | Part::Twice(..) => 1,
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

    fn is_minus(&self) -> bool {
        matches!(self, Part::Double(true, _) | Part::Twice(true, _) | Part::Single(true, ..))
    }

    /// The most that it adds.
    fn most(&self) -> u64 {
        match self {
            Part::Double(false, _) | Part::Twice(false, _) => u32::MAX.into(),
            Part::Single(false, Rep::Number(number), _) => *number,
            Part::Single(false, _, places) => u64::from(u16::MAX) << places,
            _ => 0,
        }
    }

    /// What begins a sum in its own accumulator first, what is subtracted last.
    fn rank(&self) -> u8 {
        match self {
            Part::Single(false, Rep::Masked(..), 16) => 0,
            Part::Single(false, Rep::Masked(..) | Rep::Temporary(_), _) => 1,
            Part::Single(false, Rep::Number(_), _) => 2,
            Part::Double(false, _) | Part::Twice(false, _) => 3,
            Part::Single(false, ..) => 4,
            _ => 5,
        }
    }
}
