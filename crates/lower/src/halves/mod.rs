//! Products of words where a multiplication gives the low word only, and may destroy a factor, as MULS of ARMv6-M does.
//!
//! Words are cut into halves. Products of halves with one weight are summed in two rows of words: those that stand at the
//! border of a word, and those that stand at its middle, which are cut once for each column and not once for each product. A
//! product of halves is at most `w - 2^17 + 1`, so that it takes small carries in. From two such products on numbers are cut
//! into halves (Karatsuba), by differences and masks.
//!
//! Everything, whatever the size, is one [`Draft`], and gets its registers at once ([`fit`]): low registers, in which all is
//! done, a bank of others, if there are any, to and from which words are copied, and memory, groups of words at a time. Words whose place in
//! memory is known are loaded again, or never stored where registers suffice.

mod content;
mod draft;
mod fit;
mod line;
mod state;
mod way;

pub use draft::{Draft, Manner, Middle, Pair, product, square, sum};
pub use fit::{Way, fit, follow, refine};
pub use line::reduced;
pub use state::{BANK, LOW};
pub use way::WayError;

use crate::file::Register;

/// A value by its number.
pub type Value = u16;

/// What an address counts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Base {
    /// The stack pointer.
    Frame,
    /// An argument by its number: result, operands.
    Argument(u8),
}

/// A word in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    /// From where.
    pub base: Base,
    /// Which word.
    pub word: u16,
}

impl Address {
    /// So many words on.
    pub fn plus(self, words: usize) -> Self {
        Address { word: self.word + words as u16, ..self }
    }
}

/// What is done to one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum One {
    /// The low half.
    Low,
    /// The high half.
    High,
    /// Moved up by so many places.
    Up(u8),
    /// Moved down by so many places.
    Down(u8),
    /// The complement; the carry stays.
    Not,
    /// A mask as it is; the carry becomes its bits.
    Sign,
    /// A mask of the highest bit.
    Highest,
    /// Zero less the word; a carry where that is zero.
    Negate,
}

/// What is done to two words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Two {
    /// The low word of the product; the carry stays.
    Multiply,
    /// The sum, and a carry.
    Add,
    /// The sum with the carry, and a carry.
    AddCarry,
    /// The difference, and a carry where nothing is borrowed.
    Subtract,
    /// The difference less what the carry says was borrowed, likewise.
    SubtractCarry,
    /// Exclusive or; the carry stays.
    Xor,
    /// Or; the carry stays.
    Or,
    /// And; the carry stays.
    And,
    /// And with the complement of the second operand; the carry stays.
    AndNot,
}

impl Two {
    /// Whether the operands may change places.
    pub fn commutes(self) -> bool {
        !matches!(self, Two::Subtract | Two::SubtractCarry | Two::AndNot)
    }

    /// Whether the result stands where an operand did, the first one where they may not change places.
    pub fn destroys(self) -> bool {
        !matches!(self, Two::Add | Two::Subtract)
    }
}

/// An instruction with its registers. All but [`Placed::Copy`] have low registers alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are registers")]
pub enum Placed {
    One {
        one: One,
        to: Register,
        x: Register,
    },
    /// `to` is `x`, or `y` where they may change places, if [`Two`] destroys an operand and operands are tied. Of `y` it is what
    /// `moved` says, which is done on the way.
    Two {
        two: Two,
        to: Register,
        x: Register,
        y: Register,
        moved: Option<One>,
    },
    /// With a number of a byte; only where operands are not tied.
    With {
        two: Two,
        to: Register,
        x: Register,
        number: u32,
    },
    /// All ones where something was borrowed, else 0.
    Spread {
        to: Register,
    },
    /// A number of a byte or its complement, or any one where numbers are read; the carry stays.
    Number {
        to: Register,
        number: u32,
    },
    Copy {
        to: Register,
        from: Register,
    },
    /// A word behind an address in a register, or behind the stack pointer.
    Load {
        to: Register,
        from: Option<Register>,
        word: u16,
    },
    Store {
        from: Register,
        to: Option<Register>,
        word: u16,
    },
    /// Words into registers (bit n is register n), ascending; the address moves on where its register is none of these.
    LoadMany {
        pointer: Register,
        registers: u16,
    },
    /// The address moves on.
    StoreMany {
        pointer: Register,
        registers: u16,
    },
    /// The address of a word of the frame; the carry stays.
    Point {
        to: Register,
        word: u16,
    },
    /// The address in an argument, as it was at the call.
    Argument {
        to: Register,
        number: u8,
    },
    /// An address moves by so many words; where operands are tied, the carry is lost.
    Advance {
        pointer: Register,
        words: i16,
    },
}

/// Registers, and how far fitting looks around.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Low registers (bit n is register n), of [`LOW`].
    pub low: u16,
    /// Whether operands are tied to results as in the short codes of Thumb state, which reach few words and have room for no
    /// number.
    pub tied: bool,
    /// Registers of the bank, those first that need not be preserved.
    pub bank: Vec<Register>,
    /// How far it is looked around.
    pub look: Look,
    /// By what they are compared beside the cycles that they took.
    pub weights: &'static Weights,
}

/// How far fitting looks around.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// States that are kept at a time.
    pub width: usize,
    /// How many times as many are followed, if any, each by the first decision of every step, to see which are worth keeping; and
    /// for how many steps.
    pub ahead: Option<(usize, usize)>,
    /// Whether an address may come to a register of its own for one word.
    pub apart: bool,
    /// How many changes are tried of what was found, at most.
    pub tries: usize,
}

impl Look {
    /// Whether it finds the same way as another one, whatever is changed then.
    pub fn finds_as(&self, other: &Look) -> bool {
        Look { tries: 0, ..*self } == Look { tries: 0, ..*other }
    }
}

/// What it is worth where values are, in sixteenths of cycles, less being better. Found by trying.
#[derive(Debug)]
pub struct Weights {
    /// In a low register what is in memory, too.
    low_in_memory: i32,
    /// What is in the bank or spilled, too, or a number.
    low_again: i32,
    /// An address of an argument.
    argument: i32,
    /// An address in the frame.
    frame: i32,
    /// In the bank what is in a low register, too.
    bank_again: i32,
    /// What is in memory, too.
    bank_in_memory: i32,
    /// What is nowhere else.
    bank: i32,
    /// An address.
    bank_argument: i32,
    /// Spilled and nowhere else.
    spilled: i32,
    /// Two words in the order in which they will be stored; in the opposite order it is lost.
    ascent: i32,
    /// In a low register alone, to be read after more than `far` steps.
    late: i32,
    far: usize,
}

/// None of these is the best for all sizes.
pub static WEIGHTS: [Weights; 3] = [
    FIRST,
    Weights { ascent: 6, late: 32, far: 20, ..FIRST },
    Weights {
        low_again: -15,
        argument: -5,
        frame: 15,
        bank_again: 9,
        bank_in_memory: 8,
        bank: 14,
        bank_argument: -5,
        spilled: 32,
        ascent: 4,
        late: 41,
        far: 80,
        ..FIRST
    },
];

const FIRST: Weights = Weights {
    low_in_memory: -14,
    low_again: -8,
    argument: -8,
    frame: 0,
    bank_again: 2,
    bank_in_memory: -4,
    bank: 10,
    bank_argument: -8,
    spilled: 24,
    ascent: 0,
    late: 0,
    far: 0,
};

/// A routine but for what encloses it.
#[derive(Clone, Debug)]
pub struct Routine {
    /// Its instructions.
    pub code: Vec<Placed>,
    /// Words of the frame.
    pub frame: usize,
    /// Cycles: a word from or to memory 2, a group of `k` words `1 + k`, all else 1.
    pub cycles: u32,
    /// How it was made of a draft.
    pub way: Way,
}
