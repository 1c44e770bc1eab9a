//! What an instruction computes, as a tree.

/// A value that an instruction starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// Register rs.
    Rs,
    /// Register rt.
    Rt,
    /// Register rd, before the instruction.
    Rd,
    /// The shift amount.
    Sa,
    /// The number in the instruction.
    Immediate,
    /// The whole accumulator.
    Accumulator,
    /// Its low word.
    Lo,
    /// Its second word.
    Hi,
    /// The bits above.
    Guard,
}

/// What an instruction writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// Register rd.
    Rd,
    /// Register rt.
    Rt,
    /// The whole accumulator.
    Accumulator,
    /// Its low word.
    Lo,
    /// Its second word.
    Hi,
    /// The bits above.
    Guard,
}

/// An operation on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    Add,
    Sub,
    Mul,
    CarrylessMul,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
    Equal,
    NotEqual,
    Less,
    LessEqual,
}

/// A number and what is known of its size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Expression {
    pub(crate) node: Node,
    pub(crate) width: Width,
}

/// How large a number can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Width {
    /// Without a sign: less than `2^bits`. With one: from `-2^(bits - 1)` to less than `2^(bits - 1)`.
    pub(crate) bits: u32,
    pub(crate) signed: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    Number(u64),
    Source(Source),
    Binary(Binary, Box<Expression>, Box<Expression>),
    /// `-x - 1`: all bits inverted, without end.
    Not(Box<Expression>),
    /// The highest bit taken as a sign.
    Signed(Box<Expression>),
    /// The highest part first.
    Concat(Vec<Expression>),
    /// Bits from the first number down to the second.
    Slice(Box<Expression>, u32, u32),
    Choose(Box<Expression>, Box<Expression>, Box<Expression>),
}

impl Source {
    pub(crate) const NAMES: [(&'static str, Source); 9] = [
        ("rs", Source::Rs),
        ("rt", Source::Rt),
        ("rd", Source::Rd),
        ("sa", Source::Sa),
        ("imm", Source::Immediate),
        ("acc", Source::Accumulator),
        ("lo", Source::Lo),
        ("hi", Source::Hi),
        ("guard", Source::Guard),
    ];
}

impl Target {
    pub(crate) const NAMES: [(&'static str, Target); 6] = [
        ("rd", Target::Rd),
        ("rt", Target::Rt),
        ("acc", Target::Accumulator),
        ("lo", Target::Lo),
        ("hi", Target::Hi),
        ("guard", Target::Guard),
    ];
}

impl Expression {
    /// Calls `visit` with every value that the expression starts from.
    pub(crate) fn sources(&self, visit: &mut impl FnMut(Source)) {
        match &self.node {
            Node::Number(_) => {}
            Node::Source(source) => visit(*source),
            Node::Binary(_, x, y) => {
                x.sources(visit);
                y.sources(visit);
            }
            Node::Not(x) | Node::Signed(x) | Node::Slice(x, ..) => x.sources(visit),
            Node::Concat(parts) => parts.iter().for_each(|part| part.sources(visit)),
            Node::Choose(condition, x, y) => {
                condition.sources(visit);
                x.sources(visit);
                y.sources(visit);
            }
        }
    }
}
