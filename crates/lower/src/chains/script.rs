//! Actions as operations on values, each of which will have a register as long as it is used.

use rhomb_kernel::{AccumulatorWord, Action, Carry, Operand, Source};
use rhomb_line::Array;
use std::collections::{HashMap, HashSet};

/// A word that wants a register.
pub type Value = usize;

/// An operation. Those that add take in a carry or leave one for the next that does; no other touches it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "said of each operation")]
pub enum Op {
    /// From memory, from this index on.
    Load { to: Vec<Value>, array: Array, index: usize },
    /// Into the result, from this index on.
    Store { from: Vec<Value>, index: usize },
    /// Zero into the result.
    StoreZero { index: usize },
    /// `high:low = a * b`.
    Multiply { low: Value, high: Value, a: Value, b: Value },
    /// `to = to + value`.
    Add { to: Value, value: Value, carry_in: bool, set: bool },
    /// `to = to + number`.
    AddNumber { to: Value, number: u8, carry_in: bool, set: bool },
    /// `to = 0`.
    Clear { to: Value },
    /// `to` = the carry.
    Catch { to: Value },
    /// `to` = the carry less one, made from any value.
    CatchLess { to: Value, any: Value },
    /// What [`Op::CatchLess`] caught becomes the carry again.
    Release { from: Value },
    /// Nothing: it went elsewhere.
    Moved,
}

impl Op {
    /// Calls `see` with the values that it reads.
    pub(super) fn reads(&self, mut see: impl FnMut(Value)) {
        match self {
            Op::Store { from, .. } => from.iter().copied().for_each(see),
            Op::Multiply { a: one, b: two, .. } | Op::Add { to: one, value: two, .. } => {
                see(*one);
                see(*two);
            }
            Op::Release { from: one } | Op::AddNumber { to: one, .. } | Op::CatchLess { any: one, .. } => {
                see(*one);
            }
            Op::Load { .. } | Op::StoreZero { .. } | Op::Clear { .. } | Op::Catch { .. } | Op::Moved => {}
        }
    }

    /// The number of values that it makes.
    pub(super) fn makes(&self) -> usize {
        match self {
            Op::Load { to, .. } => to.len(),
            Op::Multiply { .. } => 2,
            Op::Clear { .. } | Op::Catch { .. } | Op::CatchLess { .. } => 1,
            Op::Store { .. }
            | Op::StoreZero { .. }
            | Op::Add { .. }
            | Op::AddNumber { .. }
            | Op::Release { .. }
            | Op::Moved => 0,
        }
    }

    /// The array that it accesses.
    pub(super) fn array(&self) -> Option<Array> {
        match self {
            Op::Load { array, .. } => Some(*array),
            Op::Store { .. } | Op::StoreZero { .. } => Some(Array::Result),
            _ => None,
        }
    }
}

/// Operations in order.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// The operations.
    pub ops: Vec<Op>,
    /// Number of values.
    pub values: usize,
}

impl Script {
    /// The values that are stored together by an operation.
    pub(super) fn stored(&self, at: usize) -> &[Value] {
        match &self.ops[at] {
            Op::Store { from, .. } => from,
            _ => &[],
        }
    }

    /// For each value, the operation that reads it last; 0 where none does.
    pub(super) fn last_reads(&self) -> Vec<usize> {
        let mut last = vec![0; self.values];
        for (at, op) in self.ops.iter().enumerate() {
            op.reads(|value| last[value] = at);
        }
        last
    }

    /// The operations that access the arrays last, by array.
    pub(super) fn last_accesses(&self) -> [Option<usize>; 3] {
        let mut last = [None; 3];
        for (at, op) in self.ops.iter().enumerate() {
            if let Some(array) = op.array() {
                last[array as usize] = Some(at);
            }
        }
        last
    }
}

/// Turns actions into operations.
pub fn script(actions: &[Action]) -> Script {
    let mut writer = Writer::default();
    let mut left = actions;
    while let Some((action, next)) = left.split_first() {
        left = &next[writer.one(action, next)..];
    }
    writer.script
}

/// Operations of a block of a routine with loops.
pub(super) struct Block {
    /// Its operations.
    pub(super) script: Script,
    /// Operand words that stay from block to block, in the order of their slots as given.
    pub(super) pinned: Vec<Value>,
    /// Carries that wait from block to block, in the order of [`Carry`], if there are any.
    pub(super) masks: Vec<Value>,
    /// Words of the accumulator at the start and at the end.
    pub(super) entry: Vec<Value>,
    pub(super) exit: Vec<Value>,
}

/// Turns the actions of a block into operations. These `slots` hold their words from block to block, and so do carries
/// that wait where there are `masks`; `entry` and `exit` are the words of the accumulator that are there at its start
/// and at its end.
pub(super) fn block(
    actions: &[Action],
    slots: &[usize],
    masks: bool,
    entry: &[AccumulatorWord],
    exit: &[AccumulatorWord],
) -> Block {
    let mut writer = Writer::default();
    let pinned: Vec<Value> = slots.iter().map(|_| writer.value()).collect();
    writer.slots.extend(slots.iter().copied().zip(pinned.iter().copied()));
    writer.pinned = slots.to_vec();
    if masks {
        for carry in [Carry::Doubling, Carry::Squares] {
            let mask = writer.value();
            writer.masks.push((carry, mask));
        }
    }
    let masks = writer.masks.iter().map(|(_, mask)| *mask).collect();
    let entry: Vec<Value> = entry
        .iter()
        .map(|place| {
            let value = writer.value();
            writer.places.insert(*place, value);
            value
        })
        .collect();
    let mut left = actions;
    while let Some((action, next)) = left.split_first() {
        left = &next[writer.one(action, next)..];
    }
    let exit = exit.iter().map(|place| writer.take(*place)).collect();
    Block { script: writer.script, pinned, masks, entry, exit }
}

#[derive(Default)]
struct Writer {
    script: Script,
    /// Slots whose words have one value.
    pinned: Vec<usize>,
    /// Operand words, by slot.
    slots: HashMap<usize, Value>,
    places: HashMap<AccumulatorWord, Value>,
    product: (Value, Value),
    /// Where carries wait that do so in registers of their own.
    masks: Vec<(Carry, Value)>,
    /// Where others wait.
    parked: HashMap<Carry, Value>,
    /// The value that was added to last.
    last: Value,
    /// Words that hold one less than they should, until the next carry is added.
    less: HashSet<AccumulatorWord>,
}

impl Writer {
    fn value(&mut self) -> Value {
        self.script.values += 1;
        self.script.values - 1
    }

    fn push(&mut self, op: Op) {
        self.script.ops.push(op);
    }

    fn take(&mut self, place: AccumulatorWord) -> Value {
        debug_assert!(self.places.contains_key(&place) && !self.less.contains(&place), "{place:?}");
        self.places.remove(&place).unwrap_or_default()
    }

    fn load(&mut self, array: Array, index: usize) -> Value {
        let to = self.value();
        self.push(Op::Load { to: vec![to], array, index });
        to
    }

    /// The value of a source; nothing for the carry alone.
    fn source(&mut self, source: Source) -> Option<Value> {
        match source {
            Source::ProductLow => Some(self.product.0),
            Source::ProductHigh => Some(self.product.1),
            Source::Result(column) => Some(self.load(Array::Result, column)),
            Source::Accumulator(from) => Some(self.take(from)),
            Source::Zero => None,
        }
    }

    /// The number of actions that were done besides.
    fn one(&mut self, action: &Action, next: &[Action]) -> usize {
        match *action {
            Action::Load { slot, operand } => {
                let (array, index) = match operand {
                    Operand::A(i) => (Array::A, i),
                    Operand::B(j) => (Array::B, j),
                };
                if self.pinned.contains(&slot) {
                    let to = vec![self.slots[&slot]];
                    self.push(Op::Load { to, array, index });
                } else {
                    let value = self.load(array, index);
                    self.slots.insert(slot, value);
                }
            }
            Action::Multiply { a, b, .. } => {
                self.product = (self.value(), self.value());
                let (low, high) = self.product;
                self.push(Op::Multiply { low, high, a: self.slots[&a], b: self.slots[&b] });
            }
            // the words stay where the product was made
            Action::PlaceProduct { low, high } => {
                self.places.insert(low, self.product.0);
                self.places.insert(high, self.product.1);
            }
            Action::Place { to, source } => {
                let value = self.source(source);
                let value = value.unwrap_or_else(|| self.clear());
                self.places.insert(to, value);
            }
            Action::Clear { to, in_chain: true } if is_carry(next.first(), to) => {
                self.catch(to, &next[1..]);
                return 1;
            }
            Action::Clear { to, .. } => {
                let value = self.clear();
                self.places.insert(to, value);
            }
            Action::Add { to, source, carry_in, carry_out: set } => {
                let value = self.source(source);
                let number = self.less.remove(&to).into();
                let to = self.places[&to];
                self.push(match value {
                    Some(value) => Op::Add { to, value, carry_in, set },
                    None => Op::AddNumber { to, number, carry_in, set },
                });
                self.last = to;
            }
            Action::Store { column, .. } => {
                let from = self.take(AccumulatorWord::Column(column));
                self.push(Op::Store { from: vec![from], index: column });
            }
            Action::StoreZero { column, .. } => self.push(Op::StoreZero { index: column }),
            Action::Drop { place } => {
                self.take(place);
            }
            Action::Double { to, carry_in, carry_out: set } => {
                let to = self.places[&to];
                self.push(Op::Add { to, value: to, carry_in, set });
                self.last = to;
            }
            Action::Park { carry } => {
                let to = self.mask(carry).unwrap_or_else(|| self.value());
                self.push(Op::CatchLess { to, any: self.last });
                self.parked.insert(carry, to);
            }
            Action::Restore { carry } => {
                let parked = self.parked.remove(&carry);
                let from = self.mask(carry).or(parked).unwrap_or_default();
                self.push(Op::Release { from });
            }
        }
        0
    }

    fn mask(&self, carry: Carry) -> Option<Value> {
        self.masks.iter().find(|(own, _)| *own == carry).map(|(_, mask)| *mask)
    }

    fn clear(&mut self) -> Value {
        let to = self.value();
        self.push(Op::Clear { to });
        to
    }

    /// A carry becomes a word. If another carry alone is the next to be added to it, it may hold one less in
    /// between: `SBC to, any, any` and `ADC to, to, #1` need no zero.
    fn catch(&mut self, place: AccumulatorWord, next: &[Action]) {
        let to = self.value();
        self.places.insert(place, to);
        if is_carry(next.iter().find(|action| touches(action, place)), place) {
            self.push(Op::CatchLess { to, any: self.last });
            self.less.insert(place);
        } else {
            self.push(Op::Catch { to });
        }
    }
}

/// Whether an action adds nothing but a carry to a word, which does not overflow.
fn is_carry(action: Option<&Action>, place: AccumulatorWord) -> bool {
    let carry = Action::Add { to: place, source: Source::Zero, carry_in: true, carry_out: false };
    action == Some(&carry)
}

/// Whether an action has to do with a word.
fn touches(action: &Action, place: AccumulatorWord) -> bool {
    let from = |source: Source| source == Source::Accumulator(place);
    match *action {
        Action::PlaceProduct { low, high } => low == place || high == place,
        Action::Place { to, source } | Action::Add { to, source, .. } => to == place || from(source),
        Action::Clear { to, .. } | Action::Double { to, .. } | Action::Drop { place: to } => to == place,
        Action::Store { column, .. } | Action::StoreZero { column, .. } => {
            place == AccumulatorWord::Column(column)
        }
        Action::Load { .. } | Action::Multiply { .. } | Action::Park { .. } | Action::Restore { .. } => false,
    }
}
