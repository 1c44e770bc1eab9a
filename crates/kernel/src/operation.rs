//! What a routine computes: its operands and its result.

/// An operation on little-endian arrays of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// `r = a * b`: two operands of n words, a result of 2n.
    Mul,
    /// `r = a * a`: one operand of n words, a result of 2n.
    Sqr,
    /// `r = a + b`, n words each, the carry returned.
    Add,
    /// `r = a - b`, n words each, the borrow returned.
    Sub,
}

impl Operation {
    /// All operations.
    pub const ALL: [Operation; 4] = [Operation::Mul, Operation::Sqr, Operation::Add, Operation::Sub];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Operation::Mul => "mul",
            Operation::Sqr => "sqr",
            Operation::Add => "add",
            Operation::Sub => "sub",
        }
    }

    /// One line for people.
    pub fn summary(self) -> &'static str {
        match self {
            Operation::Mul => "r = a * b: the product of two operands of n words, 2n words long",
            Operation::Sqr => "r = a * a: the square of an operand of n words, 2n words long",
            Operation::Add => "r = a + b: the sum of two operands of n words, and the carry returned",
            Operation::Sub => "r = a - b: the difference of two operands of n words, and the borrow returned",
        }
    }

    /// The operation of that name.
    pub fn named(name: &str) -> Option<Self> {
        Operation::ALL.into_iter().find(|operation| operation.name() == name)
    }

    /// Names of the operands, in the order of the arguments after the result `r`.
    pub fn operands(self) -> &'static [&'static str] {
        match self {
            Operation::Sqr => &["a"],
            Operation::Mul | Operation::Add | Operation::Sub => &["a", "b"],
        }
    }

    /// Words of the result for operands of `words` words.
    pub fn result_words(self, words: usize) -> usize {
        match self {
            Operation::Mul | Operation::Sqr => 2 * words,
            Operation::Add | Operation::Sub => words,
        }
    }

    /// Whether a carry or borrow is returned.
    pub fn returns_carry(self) -> bool {
        matches!(self, Operation::Add | Operation::Sub)
    }
}

/// How a routine's code is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// A straight line.
    Unrolled,
    /// Loops with public counts.
    Looped,
}

impl Form {
    /// All forms, the default first.
    pub const ALL: [Form; 2] = [Form::Unrolled, Form::Looped];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Form::Unrolled => "unrolled",
            Form::Looped => "looped",
        }
    }

    /// One line for people.
    pub fn summary(self) -> &'static str {
        match self {
            Form::Unrolled => "a straight line without loops: the fastest, and the largest",
            Form::Looped => "loops with public counts: small code whatever the size",
        }
    }

    /// The form of that name.
    pub fn named(name: &str) -> Option<Self> {
        Form::ALL.into_iter().find(|form| form.name() == name)
    }
}
