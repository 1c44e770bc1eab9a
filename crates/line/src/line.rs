//! A line under construction.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::op::{Address, Array, Logic, Op, Source, Term, Value};

/// Operations in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The operations.
    pub ops: Vec<Op>,
    /// How many values they make.
    pub values: usize,
    /// Where a value may wait in memory while it has no register.
    pub homes: BTreeMap<Value, Address>,
    /// Values that are 0 or 1, as whoever wrote the line knows. What is made of a line may be faster for it, and is proved
    /// in any case.
    pub bits: BTreeSet<Value>,
    /// Values that are all ones or zero, likewise.
    pub masks: BTreeSet<Value>,
}

macro_rules! makers {
    ($($(#[$doc:meta])* $name:ident($($field:ident: $type:ty),*) $op:ident;)*) => {
        impl Line {
            $($(#[$doc])*
            pub fn $name(&mut self, $($field: $type),*) -> Value {
                let to = self.value();
                self.ops.push(Op::$op { to, $($field),* });
                to
            })*
        }
    };
}

makers! {
    /// A word from memory.
    load(from: Address) Load;
    /// A number.
    number(number: u64) Number;
    /// The low word of a product.
    low(x: Value, y: Value) Low;
    /// A sum; see [`Op::Add`].
    add(x: Value, y: Option<Value>, carry_in: bool, carry_out: bool) Add;
    /// A difference; see [`Op::Subtract`].
    subtract(x: Value, y: Option<Value>, carry_in: bool, carry_out: bool) Subtract;
    /// All ones or zero, by the carry or borrow.
    spread(borrow: bool) Spread;
    /// All ones or zero, by a word's highest bit.
    sign(x: Value) Sign;
    /// All ones less a word.
    not(x: Value) Not;
    /// Some of a word's bits.
    mask(x: Value, bits: u64) Mask;
    /// Zero less a word.
    negate(x: Value) Negate;
    /// Bits of two words.
    logic(logic: Logic, x: Value, y: Value) Logic;
    /// Half of a word; see [`Op::Halve`].
    halve(x: Value, carry_in: bool, carry_out: bool) Halve;
    /// The column's low word.
    peek() Peek;
}

impl Line {
    /// A value that nothing makes yet.
    pub fn value(&mut self) -> Value {
        self.values += 1;
        Value(self.values - 1)
    }

    /// A word goes to memory.
    pub fn store(&mut self, from: Value, to: Address) {
        self.ops.push(Op::Store { from, to });
    }

    /// Both words of a product, the low one first.
    pub fn multiply(&mut self, x: Value, y: Value) -> [Value; 2] {
        let [low, high] = [self.value(), self.value()];
        self.ops.push(Op::Multiply { low, high, x, y });
        [low, high]
    }

    /// The low word of `2^places x`.
    pub fn shift_up(&mut self, x: Value, places: u32) -> Value {
        let low = self.value();
        self.ops.push(Op::Shift { low: Some(low), high: None, x, places });
        low
    }

    /// A word shifted down: the high word of `2^(bits - places) x`.
    pub fn shift_down(&mut self, x: Value, bits: u32, places: u32) -> Value {
        let high = self.value();
        self.ops.push(Op::Shift { low: None, high: Some(high), x, places: bits - places });
        high
    }

    /// Both words of `2^places x`, the low one first.
    pub fn shift(&mut self, x: Value, places: u32) -> [Value; 2] {
        let [low, high] = [self.value(), self.value()];
        self.ops.push(Op::Shift { low: Some(low), high: Some(high), x, places });
        [low, high]
    }

    /// A column begins.
    pub fn clear(&mut self) {
        self.ops.push(Op::Clear);
    }

    /// A word is added to the column.
    pub fn plus(&mut self, word: Source) {
        self.ops.push(Op::Term(Term { minus: false, word, factor: None }));
    }

    /// A word is subtracted from the column.
    pub fn minus(&mut self, word: Source) {
        self.ops.push(Op::Term(Term { minus: true, word, factor: None }));
    }

    /// A product is added to the column.
    pub fn product(&mut self, word: Source, factor: Source) {
        self.ops.push(Op::Term(Term { minus: false, word, factor: Some(factor) }));
    }

    /// A product over GF(2) is added to the column.
    pub fn carryless(&mut self, x: Value, y: Value) {
        self.ops.push(Op::Carryless { x, y });
    }

    /// The column's low word, of a sum of which so many words are left, or 0 where that is not known.
    pub fn take(&mut self, words: usize) -> Value {
        let to = self.value();
        self.ops.push(Op::Take { to: Some(to), words });
        to
    }

    /// The same line, where words are stored as soon as they are made: where the result lies in the place of an operand, its word
    /// there must have been read before.
    pub fn with_early_stores(self) -> Line {
        let mut stores: HashMap<Value, Vec<Op>> = HashMap::new();
        let mut ops = Vec::with_capacity(self.ops.len());
        for op in &self.ops {
            if let Op::Store { from, .. } = op {
                stores.entry(*from).or_default().push(*op);
            }
        }
        for op in &self.ops {
            if !matches!(op, Op::Store { .. }) {
                ops.push(*op);
            }
            for value in op.makes().into_iter().flatten() {
                ops.extend(stores.remove(&value).unwrap_or_default());
            }
        }
        Line { ops, ..self }
    }

    /// How many words of the routine's own it uses.
    pub fn scratch(&self) -> usize {
        self.words(Array::Scratch)
    }

    /// The same, where each value may wait at home.
    pub fn scratch_with_homes(&self) -> usize {
        let homes = self.homes.values().filter(|home| home.array == Array::Scratch);
        homes.map(|home| home.index + 1).max().unwrap_or(0).max(self.scratch())
    }

    /// How many words of an array it reaches.
    pub fn words(&self, array: Array) -> usize {
        let of_term = |source: Source| match source {
            Source::Memory(address) => Some(address),
            Source::Value(_) | Source::Number(_) => None,
        };
        let addresses = |op: &Op| match *op {
            Op::Term(Term { word, factor, .. }) => [of_term(word), factor.and_then(of_term)],
            _ => [op.access(), None],
        };
        let own = |address: &Address| address.array == array;
        let all = self.ops.iter().flat_map(addresses).flatten().filter(own);
        all.map(|address| address.index + 1).max().unwrap_or(0)
    }
}
