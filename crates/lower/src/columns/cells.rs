//! Where the values of a line stand: in memory, in a temporary register, or nowhere because they are made where they are
//! used.

use super::Unmade;
use super::act::{Act, Reg};
use rhomb_line::{Address, Array, Line, Op, Source, Value};
use std::collections::HashMap;

/// What an address is counted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Base {
    /// An array of the line.
    Of(Array),
    /// Numbers that products read.
    Pool,
    /// Values without a home.
    Spill,
}

/// A word in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Cell {
    pub(super) base: Base,
    pub(super) index: usize,
}

impl From<Address> for Cell {
    fn from(Address { array, index }: Address) -> Cell {
        Cell { base: Base::Of(array), index }
    }
}

/// An operand in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    pub(super) cell: Cell,
    /// Whether it is two words.
    pub(super) double: bool,
}

/// An instruction whose operands have no addresses yet: one operand, or those of a multiplication, the word last.
pub(super) struct Step {
    pub(super) one: Act,
    pub(super) accesses: Vec<Access>,
}

/// How a value is got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rep {
    Number(u64),
    Cell(Cell),
    Temporary(u8),
    /// Bits of a mask that stands in a temporary register.
    Masked(Value, u64),
    /// The low word of an accumulator, which is used at once.
    Low(u8),
}

/// The values of a line, and what it does with them.
pub(super) struct Values {
    /// The operations but for those that only name what others use.
    pub(super) ops: Vec<Op>,
    reps: HashMap<Value, Rep>,
    /// The last operation that uses a value.
    last: HashMap<Value, usize>,
    /// The last one that reads a word as the line has it.
    read: HashMap<Cell, usize>,
    homes: HashMap<Value, Vec<Cell>>,
    /// Stores to a word, with what is stored.
    stores: HashMap<Cell, Vec<(usize, Value)>>,
    /// Until when a word has a value's.
    held: HashMap<Cell, usize>,
    spills: Vec<usize>,
    /// Temporary registers, those first that are taken first, and until when each is used.
    temporaries: Vec<(u8, usize)>,
    /// Where such a register's word stands twice.
    twice: Vec<Option<Cell>>,
    /// Those that were used.
    pub(super) used: u8,
    /// Whether A may lie in the place of the result.
    shares_a: bool,
}

impl Values {
    pub(super) fn of(line: &Line, temporaries: &[u8], shares_a: bool) -> Values {
        let mut values = Values {
            ops: Vec::new(),
            reps: HashMap::new(),
            last: HashMap::new(),
            read: HashMap::new(),
            homes: HashMap::new(),
            stores: HashMap::new(),
            held: HashMap::new(),
            spills: Vec::new(),
            temporaries: temporaries.iter().map(|number| (*number, 0)).collect(),
            twice: vec![None; temporaries.len()],
            used: 0,
            shares_a,
        };
        let mut masks = Vec::new();
        for op in &line.ops {
            let lazy = match *op {
                Op::Load { to, from } => Some((to, Rep::Cell(from.into()))),
                Op::Number { to, number } => Some((to, Rep::Number(number))),
                Op::Mask { to, x, bits } if masks.contains(&x) => Some((to, Rep::Masked(x, bits))),
                Op::Spread { to, .. } | Op::Negate { to, .. } => {
                    masks.push(to);
                    None
                }
                _ => None,
            };
            match lazy {
                Some((to, rep)) => _ = values.reps.insert(to, rep),
                None => values.ops.push(*op),
            }
        }
        line.homes
            .iter()
            .for_each(|(value, home)| values.homes.entry(*value).or_default().push((*home).into()));
        for at in 0..values.ops.len() {
            values.note(at);
        }
        values
    }

    fn note(&mut self, at: usize) {
        let op = self.ops[at];
        if let Op::Store { from, to } = op {
            self.homes.entry(from).or_default().push(to.into());
            self.stores.entry(to.into()).or_default().push((at, from));
        }
        if let Op::Term(term) = op {
            for source in [Some(term.word), term.factor].into_iter().flatten() {
                if let Source::Memory(address) = source {
                    self.read.insert(address.into(), at);
                }
            }
        }
        for value in op.reads().into_iter().flatten() {
            self.last.insert(value, at);
            match self.reps.get(&value) {
                Some(Rep::Cell(cell)) => _ = self.read.insert(*cell, at),
                Some(Rep::Masked(mask, _)) => _ = self.last.insert(*mask, at),
                _ => {}
            }
        }
    }

    /// The last operation that uses it.
    pub(super) fn last(&self, value: Value) -> usize {
        self.last.get(&value).copied().unwrap_or(0)
    }

    /// Whether it is made already.
    pub(super) fn is_made(&self, source: Source) -> bool {
        match source {
            Source::Value(value) => self.reps.contains_key(&value),
            Source::Memory(_) | Source::Number(_) => true,
        }
    }

    pub(super) fn rep(&self, value: Value) -> Result<Rep, Unmade> {
        self.reps.get(&value).copied().ok_or(Unmade::Order)
    }

    pub(super) fn source(&self, source: Source) -> Result<Rep, Unmade> {
        match source {
            Source::Value(value) => self.rep(value),
            Source::Memory(address) => Ok(Rep::Cell(address.into())),
            Source::Number(number) => Ok(Rep::Number(number)),
        }
    }

    pub(super) fn set(&mut self, value: Value, rep: Rep) {
        self.reps.insert(value, rep);
    }

    /// A word in memory for a value that the operation `at` makes: its home, where nobody reads what stands there.
    pub(super) fn place(&mut self, value: Value, at: usize) -> Cell {
        let until = self.last(value);
        let homes = self.homes.get(&value).cloned().unwrap_or_default();
        let cell = homes.into_iter().find(|cell| self.is_free(*cell, value, at, until));
        let cell = cell.unwrap_or_else(|| self.spill(at, until));
        self.held.insert(cell, until);
        self.reps.insert(value, Rep::Cell(cell));
        cell
    }

    /// Whether two values are to stand side by side, as far as they have homes.
    pub(super) fn lie_together(&self, low: Value, high: Value) -> bool {
        let home = |value: Value| self.homes.get(&value).and_then(|homes| homes.first().copied());
        match (home(low), home(high)) {
            (Some(low), Some(high)) => low.index % 2 == 0 && high == Cell { index: low.index + 1, ..low },
            (None, None) => true,
            _ => false,
        }
    }

    /// A word for what is used up to an operation.
    pub(super) fn spill(&mut self, at: usize, until: usize) -> Cell {
        let index = self.spills.iter().position(|end| *end < at).unwrap_or(self.spills.len());
        self.spills.resize(self.spills.len().max(index + 1), 0);
        self.spills[index] = until.max(at);
        Cell { base: Base::Spill, index }
    }

    /// Where a temporary register's word stands twice, and whether it stands there already.
    pub(super) fn twice(&mut self, t: u8, at: usize) -> (Cell, bool) {
        let number = self.temporaries.iter().position(|(own, _)| *own == t).unwrap_or(0);
        if let Some(cell) = self.twice[number] {
            return (cell, true);
        }
        let until = self.temporaries[number].1.max(at);
        let free = |index: &usize| self.spills.iter().skip(*index).take(2).all(|end| *end < at);
        let index = (0..).step_by(2).find(free).unwrap_or(0);
        self.spills.resize(self.spills.len().max(index + 2), 0);
        self.spills[index..index + 2].fill(until);
        let cell = Cell { base: Base::Spill, index };
        self.twice[number] = Some(cell);
        (cell, false)
    }

    /// Words of values without a home.
    pub(super) fn spilled(&self) -> usize {
        self.spills.len()
    }

    /// Words that lie in the same place, or may.
    fn is_read_after(&self, cell: Cell, at: usize) -> bool {
        let read = |base: Base| self.read.get(&Cell { base, ..cell }).is_some_and(|last| *last > at);
        match cell.base {
            Base::Of(Array::Result) => {
                read(cell.base) || self.shares_a && read(Base::Of(Array::A)) || read(Base::Of(Array::B))
            }
            // read when it has what is stored
            Base::Of(Array::Scratch) => false,
            _ => true,
        }
    }

    fn is_free(&self, cell: Cell, value: Value, at: usize, until: usize) -> bool {
        let stores = self.stores.get(&cell).map_or(&[][..], Vec::as_slice);
        let mut others = stores.iter().filter(|(_, other)| *other != value);
        let is_kept = match cell.base {
            Base::Of(Array::Scratch) => others.next().is_none(),
            _ => !others.any(|(store, _)| (at..until).contains(store)),
        };
        is_kept && !self.is_read_after(cell, at) && self.held.get(&cell).is_none_or(|end| *end <= at)
    }

    /// Whether a store leaves what others read.
    pub(super) fn may_store(&self, to: Cell, from: Value, at: usize) -> bool {
        let is_held = self.held.get(&to).is_some_and(|end| *end > at);
        to.base == Base::Of(Array::Scratch)
            || !is_held && !self.is_read_after(to, at)
            || self.last(from) == at
    }

    /// A temporary register up to an operation.
    pub(super) fn temporary(&mut self, at: usize, until: usize) -> Result<u8, Unmade> {
        let free = self.temporaries.iter().position(|(_, end)| *end <= at);
        let number = free.ok_or(Unmade::Temporaries)?;
        self.temporaries[number].1 = until.max(at + 1);
        self.twice[number] = None;
        let own = self.temporaries[number].0;
        self.used |= 1 << own;
        Ok(own)
    }

    /// A temporary register for a value.
    pub(super) fn hold(&mut self, value: Value, at: usize) -> Result<Reg, Unmade> {
        let number = self.temporary(at, self.last(value))?;
        self.set(value, Rep::Temporary(number));
        Ok(Reg::Temporary(number))
    }
}
