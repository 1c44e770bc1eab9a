//! The instructions of a line's operations, whose addresses are still open.

use super::act::{self, Act, Reg, With};
use super::cells::{Cell, Rep, Step, Values};
use super::pool::Pool;
use super::state::{Carryless, Select};
use super::{Units, Unmade};
use rhomb_line::{Op, Value};

/// The instructions of a line, and the numbers of its pool.
pub(super) fn select(units: &Units, values: &mut Values) -> Result<(Vec<Step>, Vec<u16>), Unmade> {
    let pool = Pool::of(&values.ops);
    let mut select = Select {
        units,
        values,
        pool,
        steps: Vec::new(),
        previous: None,
        current: None,
        ahead: None,
        is_second: false,
        most: 0,
        last_most: 0,
        carried: 0,
        debt: 0,
        bias: None,
        last_word: 0,
        carryless: Carryless::default(),
    };
    let mut at = 0;
    while at < select.values.ops.len() {
        at = select.operation(at)?;
    }
    select.flush();
    Ok((select.steps, select.pool.numbers))
}

fn temporary(number: u8) -> Reg {
    Reg::Temporary(number)
}

impl Select<'_> {
    /// An accumulator that nobody needs.
    pub(super) fn free(&self, others: &[u8]) -> Result<u8, Unmade> {
        let ahead = self.ahead.as_ref().and_then(|ahead| ahead.ac);
        let own = [self.previous.as_ref().map(|one| one.ac), self.current, ahead, self.bias.map(|_| 3)];
        let is_free = |ac: &u8| !others.contains(ac) && !own.contains(&Some(*ac));
        (0..self.units.accumulators).find(is_free).ok_or(Unmade::Accumulators)
    }

    fn operation(&mut self, at: usize) -> Result<usize, Unmade> {
        match self.values.ops[at] {
            Op::Clear => {
                self.carryless.clear();
                self.ended();
                self.current = None;
                self.ahead = None;
                self.is_second = false;
                self.most = 0;
            }
            Op::Carryless { x, y } => self.carryless_product(x, y, at)?,
            Op::Take { to, .. } if self.carryless.is_begun() => self.carryless_word(to, at)?,
            Op::Term(_) | Op::Take { .. } | Op::Add { .. } | Op::Subtract { .. } => return self.columns(at),
            Op::Peek { to } => {
                let ac = self.opened();
                self.last_most = u64::MAX;
                self.values.set(to, Rep::Low(ac));
            }
            Op::Spread { to, borrow } => self.spread(to, borrow, at)?,
            Op::Mask { to, x, bits } => {
                let src = self.register(x, at)?;
                let dst = self.values.hold(to, at)?;
                self.push(Act::Mask(bits, src, dst));
            }
            // a word of a column, and no mask
            Op::Negate { to, x } if self.is_term(to, at) => {
                let src = self.register(x, at)?;
                let t = temporary(self.values.temporary(at, at)?);
                self.push(Act::With(With::Negate, src, t));
                let cell = self.values.place(to, at);
                self.store(t, cell);
            }
            Op::Negate { to, x } => {
                let mut src = self.register(x, at)?;
                let dst = self.values.hold(to, at)?;
                if matches!(src, Reg::Accumulator(_)) && self.last_most <= 1 {
                    // a bit, as in a spread
                    self.push(Act::Mask(1, src, dst));
                    src = dst;
                }
                self.push(Act::With(With::Negate, src, dst));
            }
            Op::Store { from, to } => self.stored(from, to.into(), at)?,
            Op::Low { to, x, y } => {
                let ac = self.product(x, y, at)?;
                let cell = self.values.place(to, at);
                self.store(Reg::Accumulator(ac), cell);
            }
            Op::Multiply { low, high, x, y } => {
                let ac = self.product(x, y, at)?;
                let [low, high] = [low, high].map(|to| self.values.place(to, at));
                self.store(Reg::Accumulator(ac), low);
                self.store_high(ac, high);
            }
            Op::Sign { .. } => return Err(Unmade::Operation("a mask of a word's sign")),
            Op::Not { to, x } => {
                let src = self.register(x, at)?;
                let t = temporary(self.values.temporary(at, at)?);
                self.push(Act::With(With::Not, src, t));
                let cell = self.values.place(to, at);
                self.store(t, cell);
            }
            Op::Logic { to, logic, x, y } => {
                let t = self.values.temporary(at, at)?;
                // that of a word which is read here for the last time may be taken
                let (x, y) = if self.stands_in(y, t)? { (y, x) } else { (x, y) };
                let t = temporary(t);
                let first = self.register(x, at)?;
                self.push(Act::With(With::Copy, first, t));
                let src = self.register(y, at)?;
                self.push(Act::With(With::Logic(logic), src, t));
                let cell = self.values.place(to, at);
                self.store(t, cell);
            }
            Op::Shift { low, high, x, places } => {
                let src = self.register(x, at)?;
                let ac = self.free(&[])?;
                self.push(Act::With(With::Copy, src, Reg::Accumulator(ac)));
                self.push(Act::Shifted(act::Sum::Set, ac, places as i8, ac));
                if let Some(low) = low {
                    let cell = self.values.place(low, at);
                    self.store(Reg::Accumulator(ac), cell);
                }
                if let Some(high) = high {
                    let cell = self.values.place(high, at);
                    self.store_high(ac, cell);
                }
            }
            Op::Halve { .. } => return Err(Unmade::Operation("a half that is not that of a sum")),
            Op::Load { .. } | Op::Number { .. } => {}
        }
        Ok(at + 1)
    }

    /// Whether a value, or the mask that it is some bits of, stands in a temporary register.
    fn stands_in(&self, value: Value, t: u8) -> Result<bool, Unmade> {
        let rep = match self.values.rep(value)? {
            Rep::Masked(mask, _) => self.values.rep(mask)?,
            rep => rep,
        };
        Ok(rep == Rep::Temporary(t))
    }

    /// Whether a column has a value.
    fn is_term(&self, value: Value, at: usize) -> bool {
        let reads = |op: &Op| matches!(op, Op::Term(_)) && op.reads().contains(&Some(value));
        self.values.ops[at..=self.values.last(value).max(at)].iter().any(reads)
    }

    /// A value in a register.
    pub(super) fn register(&mut self, value: Value, at: usize) -> Result<Reg, Unmade> {
        let rep = self.values.rep(value)?;
        Ok(match rep {
            Rep::Temporary(number) => temporary(number),
            Rep::Low(ac) => Reg::Accumulator(ac),
            Rep::Cell(cell) => {
                self.flush();
                let t = temporary(self.values.temporary(at, at)?);
                self.access(Act::Load(t), cell, false);
                t
            }
            Rep::Number(number) => {
                let t = temporary(self.values.temporary(at, at)?);
                self.push(Act::Number(number, t));
                t
            }
            Rep::Masked(mask, bits) => {
                let src = self.register(mask, at)?;
                let t = temporary(self.values.temporary(at, at)?);
                self.push(Act::Mask(bits, src, t));
                t
            }
        })
    }

    /// A value in memory.
    pub(super) fn in_memory(&mut self, rep: Rep, at: usize) -> Result<Cell, Unmade> {
        match rep {
            Rep::Cell(cell) => Ok(cell),
            Rep::Number(number) => Ok(Self::in_pool(self.pool.index(number as u16))),
            Rep::Temporary(number) => {
                let cell = self.values.spill(at, at);
                self.store(temporary(number), cell);
                Ok(cell)
            }
            Rep::Low(_) | Rep::Masked(..) => Err(Unmade::Order),
        }
    }

    /// An accumulator with the product of two values.
    fn product(&mut self, x: Value, y: Value, at: usize) -> Result<u8, Unmade> {
        let [mut own, mut other] = [x, y];
        if matches!(self.values.rep(own)?, Rep::Number(_)) || matches!(self.values.rep(other)?, Rep::Low(_)) {
            std::mem::swap(&mut own, &mut other);
        }
        self.flush();
        let rep = self.values.rep(other)?;
        let cell = self.in_memory(rep, at)?;
        let t = match self.register(own, at)? {
            Reg::Temporary(t) => t,
            ac => {
                let t = self.values.temporary(at, at)?;
                self.push(Act::With(With::Copy, ac, temporary(t)));
                t
            }
        };
        let ac = self.free(&[])?;
        self.product_with(cell, t, ac);
        Ok(ac)
    }

    fn spread(&mut self, to: Value, borrow: bool, at: usize) -> Result<(), Unmade> {
        let previous = self.closed().ok_or(Unmade::Order)?;
        if previous.is_biased != borrow {
            return Err(Unmade::Order);
        }
        let ac = Reg::Accumulator(previous.ac);
        let dst = self.values.hold(to, at)?;
        self.push(Act::Shifted(act::Sum::Set, previous.ac, previous.down, previous.ac));
        // a bit to the prover, which knows it only as that of a sum
        self.push(Act::Mask(1, ac, dst));
        self.push(match borrow {
            false => Act::With(With::Negate, dst, dst),
            true => Act::SubtractNumber(1, dst),
        });
        Ok(())
    }

    fn stored(&mut self, from: Value, to: Cell, at: usize) -> Result<(), Unmade> {
        let rep = self.values.rep(from)?;
        if rep == Rep::Cell(to) {
            return Ok(());
        }
        if !self.values.may_store(to, from, at) {
            return Err(Unmade::Order);
        }
        let src = self.register(from, at)?;
        self.store(src, to);
        Ok(())
    }
}

/// Whether an operation is part of a column.
pub(super) fn is_column(op: &Op) -> bool {
    matches!(op, Op::Term(_) | Op::Take { .. } | Op::Add { .. } | Op::Subtract { .. } | Op::Clear)
}
