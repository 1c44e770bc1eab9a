//! What a routine computes: its operands and its result.

/// An operation on little-endian arrays of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// `r = a * b`: two operands of n words, a result of 2n.
    Mul,
}

impl Operation {
    /// All operations.
    pub const ALL: [Operation; 1] = [Operation::Mul];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Operation::Mul => "mul",
        }
    }

    /// One line for people.
    pub fn summary(self) -> &'static str {
        match self {
            Operation::Mul => "r = a * b: the product of two operands of n words, 2n words long",
        }
    }

    /// The operation of that name.
    pub fn named(name: &str) -> Option<Self> {
        Operation::ALL.into_iter().find(|operation| operation.name() == name)
    }

    /// Names of the operands, in the order of the arguments after the result `r`.
    pub fn operands(self) -> &'static [&'static str] {
        match self {
            Operation::Mul => &["a", "b"],
        }
    }

    /// Words of the result for operands of `words` words.
    pub fn result_words(self, words: usize) -> usize {
        match self {
            Operation::Mul => 2 * words,
        }
    }
}
