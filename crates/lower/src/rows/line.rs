//! A straight line of operations on values: each value is made once, memory is left out.

use crate::file::Register;

/// What is done with words, beside products. Those that take in a carry or a borrow are of ARM's kind, whose borrow is a
/// carry that is clear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Data {
    /// `n + m`.
    Add,
    /// `n + m` and the carry.
    Adc,
    /// `n - m`.
    Sub,
    /// `n - m` less the borrow.
    Sbc,
    /// `m`.
    Mov,
    /// The bits that either has.
    Orr,
    /// The bits of `n` that `m` does not have.
    Bic,
}

/// A shift by constant places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shift {
    /// Up.
    Lsl,
    /// Down, zeros above.
    Lsr,
    /// Down, the sign above.
    Asr,
}

/// A value; it is made by one operation or one load, or is there at the start.
pub type Value = usize;

/// Last operand of data processing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A value.
    Value(Value),
    /// A value, shifted.
    Shifted(Value, Shift, u8),
    /// A number.
    Number(u8),
    /// 2^31.
    Top,
}

impl Source {
    /// The value that it takes.
    pub(super) fn value(self) -> Option<Value> {
        match self {
            Source::Value(value) | Source::Shifted(value, ..) => Some(value),
            Source::Number(_) | Source::Top => None,
        }
    }

    /// The same of another value.
    fn with(self, map: impl Fn(Value) -> Value) -> Source {
        match self {
            Source::Value(value) => Source::Value(map(value)),
            Source::Shifted(value, kind, amount) => Source::Shifted(map(value), kind, amount),
            Source::Number(_) | Source::Top => self,
        }
    }
}

/// An operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// `high:low = x * y`: UMULL.
    Multiply {
        /// Low word.
        low: Value,
        /// High word.
        high: Value,
        /// Factor.
        x: Value,
        /// Factor.
        y: Value,
    },
    /// `high:low = high_in:low_in + x * y`: UMLAL; results lie where the summands were.
    Accumulate {
        /// Low word.
        low: Value,
        /// High word.
        high: Value,
        /// What is added to the low word.
        low_in: Value,
        /// What is added to the high word.
        high_in: Value,
        /// Factor.
        x: Value,
        /// Factor.
        y: Value,
    },
    /// `d = n op m`; of MOV without `n`.
    Data {
        /// Operation.
        op: Data,
        /// Whether the flags are set.
        set: bool,
        /// Result.
        d: Value,
        /// First operand; none for MOV.
        n: Option<Value>,
        /// Last operand.
        m: Source,
    },
}

impl Op {
    /// Values that it makes.
    pub(super) fn makes(&self) -> impl Iterator<Item = Value> + use<> {
        let (first, second) = match *self {
            Op::Multiply { low, high, .. } | Op::Accumulate { low, high, .. } => (low, Some(high)),
            Op::Data { d, .. } => (d, None),
        };
        [Some(first), second].into_iter().flatten()
    }

    /// Values that it uses; one may come twice.
    pub(super) fn uses(&self) -> impl Iterator<Item = Value> + use<> {
        let all = match *self {
            Op::Multiply { x, y, .. } => [Some(x), Some(y), None, None],
            Op::Accumulate { low_in, high_in, x, y, .. } => [Some(x), Some(y), Some(low_in), Some(high_in)],
            Op::Data { n, m, .. } => [n, m.value(), None, None],
        };
        all.into_iter().flatten()
    }
}

/// An array in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Array {
    /// The first operand.
    A,
    /// The second operand.
    B,
    /// The result, and before it is there whatever it may hold for a while.
    Result,
    /// A copy of B on the stack.
    Stack,
    /// The end of the result, counted downwards, where a pointer may wait.
    Home,
}

/// A word in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Address {
    /// Array.
    pub array: Array,
    /// Word of it.
    pub index: usize,
}

/// A value that comes from memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Input {
    /// The value.
    pub(super) value: Value,
    /// Where it lies.
    pub(super) place: Address,
    /// The pointer to the array.
    pub(super) base: Value,
    /// Inputs of the same part may be loaded together.
    pub(super) part: usize,
    /// An earlier value that is the same word, which may be kept instead.
    pub(super) held: Option<Value>,
    /// Words that lie in one place are stored in this order, and loaded before the next is stored.
    pub(super) order: usize,
}

/// A value that goes into memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Output {
    /// The value.
    pub(super) value: Value,
    /// Where it goes.
    pub(super) place: Address,
    /// The pointer to the array.
    pub(super) base: Value,
    /// The inputs that bring it back; if it is kept for all of them, it goes nowhere. None for a result.
    pub(super) inputs: Vec<usize>,
    /// Words that lie in one place are stored in this order, and loaded before the next is stored.
    pub(super) order: usize,
}

/// A multiplication that may be an UMLAL: MOV, UMLAL, ADDS in the place of UMULL, ADDS, ADCS. It takes one
/// register less and one cycle more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tight {
    /// Index of the first of the three operations.
    pub(super) at: usize,
    /// The three as UMLAL.
    pub(super) ops: [Op; 3],
}

/// Operations with what comes from memory and what goes there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Unit {
    /// Number of values.
    pub(super) values: usize,
    /// Values that are there at the start, with their registers.
    pub(super) entry: Vec<(Value, Register)>,
    /// How many of these registers are none of those that are shared out.
    pub(super) besides: usize,
    /// Values, of those at the start, that must be there at the end.
    pub(super) exit: Vec<Value>,
    /// Operations in order.
    pub(super) ops: Vec<Op>,
    /// Whether the second factor of each product must be Rs, which decides the time.
    pub(super) second_is_rs: bool,
    /// What may become UMLAL.
    pub(super) tight: Vec<Tight>,
    /// What comes from memory, each before the first operation that uses it.
    pub(super) inputs: Vec<Input>,
    /// What goes into memory, each after the operation that makes it.
    pub(super) outputs: Vec<Output>,
}

impl Op {
    /// The same of other values.
    pub(super) fn with(&self, map: impl Fn(Value) -> Value) -> Op {
        match *self {
            Op::Multiply { low, high, x, y } => {
                Op::Multiply { low: map(low), high: map(high), x: map(x), y: map(y) }
            }
            Op::Accumulate { low, high, low_in, high_in, x, y } => Op::Accumulate {
                low: map(low),
                high: map(high),
                low_in: map(low_in),
                high_in: map(high_in),
                x: map(x),
                y: map(y),
            },
            Op::Data { op, set, d, n, m } => Op::Data { op, set, d: map(d), n: n.map(&map), m: m.with(map) },
        }
    }
}
