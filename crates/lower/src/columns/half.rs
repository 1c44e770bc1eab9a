//! Halves of sums.

use super::Unmade;
use super::act::{self, Act, Reg};
use super::cells::Rep;
use super::column::Item;
use super::state::Select;
use super::sum::Sum;
use rhomb_line::{Op, Value};

impl Select<'_> {
    /// Halves of a sum: each word, with the lowest bit of the one above, from below.
    pub(super) fn halved(&mut self, at: usize) -> Result<Option<usize>, Unmade> {
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
            return Err(Unmade::Operation("a half that is not that of a sum"));
        }
        self.ended();
        let total = 0;
        for (number, item) in items.iter().enumerate() {
            let mut sum = Sum::fresh(if number == 0 { total } else { 1 + (number % 2) as u8 });
            self.current = Some(total);
            let mut reps = self.reps(item).ok_or(Unmade::Order)?;
            reps.sort_by_key(|(_, rep)| !matches!(rep, Rep::Masked(..)));
            for (_, rep) in reps {
                self.add_rep(&mut sum, false, rep, 0)?;
            }
            match number {
                0 => self.push(Act::Shifted(act::Sum::Set, total, -1, total)),
                _ => {
                    self.push(Act::Shifted(act::Sum::Add, sum.ac, 15, total));
                    self.half(halves[count - number].0, at + count + count - number);
                    self.push(Act::Shifted(act::Sum::Set, total, -16, total));
                }
            }
        }
        self.half(halves[0].0, at + 2 * count - 1);
        self.current = None;
        Ok(Some(at + 2 * count))
    }

    fn half(&mut self, to: Value, at: usize) {
        let cell = self.values.place(to, at);
        self.store(Reg::Accumulator(0), cell);
    }
}
