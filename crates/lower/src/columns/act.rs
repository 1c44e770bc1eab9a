//! What the instructions of such a processor do.

use rhomb_line::Logic;

/// A register for words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reg {
    /// An accumulator.
    Accumulator(u8),
    /// A temporary register, of a word.
    Temporary(u8),
}

/// What is done to a register with another one, which may be the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum With {
    /// It becomes the other one.
    Copy,
    /// It becomes zero less the other one.
    Negate,
    /// It becomes the complement of the other one.
    Not,
    /// Bits of both.
    Logic(Logic),
    /// The other one is added.
    Add,
    /// The other one is subtracted.
    Subtract,
}

/// What becomes of an accumulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sum {
    /// It begins with something.
    Set,
    /// Something is added.
    Add,
    /// Something is subtracted.
    Subtract,
}

/// A product of two words in memory, of which the second one is that of both products where there are two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Product {
    /// What is done with it.
    pub sum: Sum,
    /// In which accumulator.
    pub ac: u8,
}

/// An instruction but for its addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// A register becomes a number; of a temporary register, of a word.
    Number(u64, Reg),
    /// All bits of an accumulator become 1.
    Ones(u8),
    /// A register becomes another one with some of its bits.
    Mask(u64, Reg, Reg),
    /// A register becomes another one with a number of at most a word added.
    AddNumber(u16, Reg, Reg),
    /// A small number is subtracted from a register.
    SubtractNumber(u8, Reg),
    /// Something with a register, the first one, and another one that changes.
    With(With, Reg, Reg),
    /// Something with an accumulator times a power of two, the first one, and another one that changes.
    Shifted(Sum, u8, i8, u8),
    /// A word becomes a register.
    Load(Reg),
    /// Two words become an accumulator.
    LoadDouble(u8),
    /// An accumulator becomes another one with a word added or subtracted, or with two.
    Memory {
        /// Whether it is subtracted.
        minus: bool,
        /// Whether it is two words.
        double: bool,
        /// The other one.
        src: u8,
        /// What it becomes.
        dst: u8,
    },
    /// A register's low word is stored.
    Store(Reg),
    /// An accumulator's second word is stored.
    StoreHigh(u8),
    /// The low two words of an accumulator are stored.
    StoreDouble(u8),
    /// A number is stored.
    StoreNumber(u16),
    /// An accumulator becomes the product of a word and a temporary register.
    Times(u8, u8),
    /// One product, or two.
    Products(Product, Option<Product>),
    /// An address register points to a word.
    Point(u8),
    /// An address register moves by so many words.
    Move(u8, i32),
}

/// How an instruction reaches an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Address {
    /// So many words from the stack pointer.
    Stack(u8),
    /// So many words from where an address register points.
    Apart(u8, i16),
    /// Where an address register points, which then moves by the operand's words: up, down or not.
    At(u8, Way),
}

/// How an address register moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Not at all.
    Stay,
    /// Up.
    Up,
    /// Down.
    Down,
}

/// An instruction with its addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// What it does.
    pub act: Act,
    /// Its operands in memory; those of products in the order that [`Units::is_turned`](super::Units::is_turned) says, the
    /// word that they share last.
    pub addresses: Vec<Address>,
}
