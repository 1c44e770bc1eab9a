//! The operations.

/// A word that an operation makes; values are numbered in the order in which they are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(pub usize);

/// Words one after the other in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Array {
    /// What is computed. It may lie in the place of an operand, word for word, where the contract says so.
    Result,
    /// The first operand.
    A,
    /// The second operand.
    B,
    /// Words of the routine's own, in its stack.
    Scratch,
}

impl Array {
    /// All of them.
    pub const ALL: [Array; 4] = [Array::Result, Array::A, Array::B, Array::Scratch];
    /// Those that are arguments, in their order.
    pub const ARGUMENTS: [Array; 3] = [Array::Result, Array::A, Array::B];
}

/// A word in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Address {
    /// Of which array.
    pub array: Array,
    /// Which word, the lowest is 0.
    pub index: usize,
}

/// Where an operation finds a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A value.
    Value(Value),
    /// A word in memory.
    Memory(Address),
    /// A number. That of a [`Term`] without a factor may be larger than a word.
    Number(u64),
}

/// What is added to a column: a word, or the product of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Term {
    /// Whether it is subtracted.
    pub minus: bool,
    /// The word.
    pub word: Source,
    /// What it is multiplied by.
    pub factor: Option<Source>,
}

/// What is done with the bits of two words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Logic {
    /// Those that both have.
    And,
    /// Those that one has.
    Or,
    /// Those that exactly one has.
    Xor,
}

impl Logic {
    /// All of them.
    pub const ALL: [Logic; 3] = [Logic::And, Logic::Or, Logic::Xor];
}

/// An operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A word from memory.
    Load {
        /// The word.
        to: Value,
        /// Where it stands.
        from: Address,
    },
    /// A word goes to memory.
    Store {
        /// The word.
        from: Value,
        /// Where it is to stand.
        to: Address,
    },
    /// A number.
    Number {
        /// The value that it becomes.
        to: Value,
        /// Of at most a word.
        number: u64,
    },
    /// `high:low = x * y`.
    Multiply {
        /// The low word of the product.
        low: Value,
        /// The high word.
        high: Value,
        /// The first factor.
        x: Value,
        /// The second factor.
        y: Value,
    },
    /// The low word of `x * y`.
    Low {
        /// The word.
        to: Value,
        /// The first factor.
        x: Value,
        /// The second factor.
        y: Value,
    },
    /// `x + y + carry`, where `y` and the carry may be left out. There is one carry, that of the last sum or difference
    /// that made one.
    Add {
        /// The sum.
        to: Value,
        /// The first word.
        x: Value,
        /// The second word, or nothing.
        y: Option<Value>,
        /// Whether the carry is added.
        carry_in: bool,
        /// Whether somebody takes the carry that this makes.
        carry_out: bool,
    },
    /// `x - y - carry`, likewise; the carry is the borrow.
    Subtract {
        /// The difference.
        to: Value,
        /// The word from which is subtracted.
        x: Value,
        /// The word that is subtracted, or nothing.
        y: Option<Value>,
        /// Whether the borrow is subtracted.
        carry_in: bool,
        /// Whether somebody takes the borrow that this makes.
        carry_out: bool,
    },
    /// All ones where the carry is set, zero elsewhere.
    Spread {
        /// The mask.
        to: Value,
        /// Whether the carry is a borrow.
        borrow: bool,
    },
    /// All ones where the highest bit of `x` is set, zero elsewhere.
    Sign {
        /// The mask.
        to: Value,
        /// The word.
        x: Value,
    },
    /// All ones less `x`.
    Not {
        /// The complement.
        to: Value,
        /// The word.
        x: Value,
    },
    /// `x` with nothing but the bits of a number.
    Mask {
        /// What is left.
        to: Value,
        /// The word.
        x: Value,
        /// The bits that stay.
        bits: u64,
    },
    /// `-x` modulo the word: all ones for 1.
    Negate {
        /// The difference of zero and the word.
        to: Value,
        /// The word.
        x: Value,
    },
    /// Bits of two words, place by place.
    Logic {
        /// The word.
        to: Value,
        /// Which bits.
        logic: Logic,
        /// The first word.
        x: Value,
        /// The second word.
        y: Value,
    },
    /// `x` shifted down by a bit; its lowest bit is the carry. With the carry of the word above that comes in.
    Halve {
        /// The word.
        to: Value,
        /// What is halved.
        x: Value,
        /// Whether the carry comes in from above.
        carry_in: bool,
        /// Whether somebody takes the bit that leaves.
        carry_out: bool,
    },
    /// `high:low = 2^places * x`.
    Shift {
        /// The low word, where it is wanted.
        low: Option<Value>,
        /// The high word, where it is wanted.
        high: Option<Value>,
        /// What is shifted.
        x: Value,
        /// By how many bits, less than a word and not 0.
        places: u32,
    },
    /// A column begins; what was in it is known to be zero.
    Clear,
    /// A term is added to the column.
    Term(Term),
    /// A product over GF(2) is added to the column over GF(2), in which there is nothing else.
    Carryless {
        /// The first factor.
        x: Value,
        /// The second factor.
        y: Value,
    },
    /// The column's low word, which stays.
    Peek {
        /// The word.
        to: Value,
    },
    /// The column's low word; what is above it is the beginning of the next column.
    Take {
        /// The word, unless it is known to be zero.
        to: Option<Value>,
        /// So many words, this one among them, are left of the sum, whatever its terms could add up to; 0 where nothing is
        /// known of that.
        words: usize,
    },
}

impl Op {
    /// The values that it makes.
    pub fn makes(&self) -> [Option<Value>; 2] {
        match *self {
            Op::Multiply { low, high, .. } => [Some(low), Some(high)],
            Op::Load { to, .. }
            | Op::Number { to, .. }
            | Op::Low { to, .. }
            | Op::Add { to, .. }
            | Op::Subtract { to, .. }
            | Op::Spread { to, .. }
            | Op::Sign { to, .. }
            | Op::Not { to, .. }
            | Op::Mask { to, .. }
            | Op::Negate { to, .. }
            | Op::Logic { to, .. }
            | Op::Halve { to, .. }
            | Op::Peek { to } => [Some(to), None],
            Op::Take { to, .. } => [to, None],
            Op::Shift { low, high, .. } => [low, high],
            Op::Store { .. } | Op::Clear | Op::Term(_) | Op::Carryless { .. } => [None, None],
        }
    }

    /// The values that it reads.
    pub fn reads(&self) -> [Option<Value>; 2] {
        match *self {
            Op::Store { from: x, .. }
            | Op::Sign { x, .. }
            | Op::Not { x, .. }
            | Op::Mask { x, .. }
            | Op::Negate { x, .. }
            | Op::Halve { x, .. }
            | Op::Shift { x, .. } => [Some(x), None],
            Op::Multiply { x, y, .. }
            | Op::Low { x, y, .. }
            | Op::Logic { x, y, .. }
            | Op::Carryless { x, y } => [Some(x), Some(y)],
            Op::Add { x, y, .. } | Op::Subtract { x, y, .. } => [Some(x), y],
            Op::Term(Term { word, factor, .. }) => [value(Some(word)), value(factor)],
            Op::Load { .. }
            | Op::Number { .. }
            | Op::Spread { .. }
            | Op::Clear
            | Op::Peek { .. }
            | Op::Take { .. } => [None, None],
        }
    }

    /// The word in memory that it accesses, but for terms.
    pub fn access(&self) -> Option<Address> {
        match *self {
            Op::Load { from: address, .. } | Op::Store { to: address, .. } => Some(address),
            _ => None,
        }
    }
}

fn value(source: Option<Source>) -> Option<Value> {
    match source {
        Some(Source::Value(value)) => Some(value),
        Some(Source::Memory(_) | Source::Number(_)) | None => None,
    }
}
