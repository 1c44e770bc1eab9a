//! A draft: instructions that read and make words, each of which is made once.

use crate::file::Register;

/// A word that wants a register from the instruction that makes it to the last one that reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Made(pub(super) usize);

/// What stands in an instruction's place for a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Name {
    /// A register whatever happens; 0 for zero. No word gets it.
    Register(Register),
    /// The register of a word.
    Made(Made),
}

/// Zero.
pub const ZERO: Name = Name::Register(0);

impl From<Made> for Name {
    fn from(made: Made) -> Name {
        Name::Made(made)
    }
}

/// Words one after the other in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    pub(super) base: Name,
    /// Accesses to different memories never meet; in one memory they meet where their index is the same.
    pub(super) number: usize,
    /// The first of the words, counted from the base.
    at: usize,
}

impl Memory {
    /// The same words from another one on.
    pub fn plus(self, words: usize) -> Memory {
        Memory { at: self.at + words, ..self }
    }

    /// A word, by its index.
    pub fn load(self, draft: &mut Draft, index: usize) -> Made {
        let to = draft.made();
        draft.access(Act::Load, self, index, ZERO, Some(to.into()));
        to
    }

    /// Stores a word by its index.
    pub fn store(self, draft: &mut Draft, index: usize, from: impl Into<Name>) {
        draft.access(Act::Store, self, index, from.into(), None);
    }
}

/// What is made of two words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pair {
    /// Their sum.
    Add,
    /// The first one less the second one.
    Subtract,
    /// 1 where the first one is less than the second one, 0 elsewhere: a carry or a borrow.
    Below,
    /// Bits of both.
    And,
    /// Bits of either.
    Or,
    /// Bits of exactly one.
    Xor,
    /// Bits of neither.
    Nor,
    /// The low word of their product.
    Low,
    /// The high word of their product.
    High,
    /// The low word of their carry-less product.
    CarrylessLow,
    /// The high word of their carry-less product.
    CarrylessHigh,
}

/// What is done with two words and the accumulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It becomes their product.
    Product,
    /// Their product is added.
    More,
    /// Twice their product is added.
    Twice,
    /// Their sum is added.
    Words,
    /// It becomes their carry-less product.
    Carryless,
    /// Their carry-less product is added.
    MoreCarryless,
    /// The lowest word of it becomes the first one.
    SetLow,
    /// The word above becomes the first one.
    SetHigh,
    /// It moves down by a word.
    Shift,
}

/// A word of the accumulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The lowest one.
    Low,
    /// The one above.
    High,
    /// The lowest one, and the accumulator moves down by a word.
    Take,
}

/// What an instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Something of two words.
    Pair(Pair),
    /// The same of a word and a number.
    Number(Pair, i32),
    /// A number of a word, in as many instructions as the core takes for it.
    Word(u32),
    /// A number that stands in the upper part of a word, as the core has it.
    Upper(u32),
    /// A word shifted up.
    Up(u32),
    /// A word shifted down, zeros from above.
    Down(u32),
    /// A word shifted down, its sign from above.
    Sign(u32),
    /// The word of this index is loaded.
    Load(i32),
    /// The word of this index is stored.
    Store(i32),
    /// Something is done with the accumulator.
    Change(Change),
    /// A word of the accumulator.
    Part(Part),
}

/// An instruction whose registers are names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) act: Act,
    pub(super) x: Name,
    pub(super) y: Name,
    pub(super) to: Option<Name>,
    /// Memory and index that it accesses.
    pub(super) place: Option<(usize, i32)>,
}

/// Instructions in an order in which they compute what they should. Words are numbered in the order in which they are
/// made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    pub(super) steps: Vec<Step>,
    pub(super) words: usize,
    /// Words that are there at the start, and where.
    pub(super) arguments: Vec<(Made, Register)>,
    /// The word that is to stand in a register at the end.
    pub(super) returned: Option<(Made, Register)>,
    /// A memory of which nobody else reads or writes a word before it is stored for the last time.
    pub(super) spare: Option<Memory>,
    pub(super) memories: usize,
}

impl Draft {
    pub(super) fn made(&mut self) -> Made {
        self.words += 1;
        Made(self.words - 1)
    }

    /// What stands in a register at the start. The register is free after the word's last use.
    pub fn argument(&mut self, register: Register) -> Made {
        let made = self.made();
        self.arguments.push((made, register));
        made
    }

    /// The words to which a name points; they share none with other memories.
    pub fn memory(&mut self, base: impl Into<Name>) -> Memory {
        self.memories += 1;
        Memory { base: base.into(), number: self.memories - 1, at: 0 }
    }

    /// Words to which a name points, which may lie in the place of others: word for word, or not at all.
    pub fn memory_over(&mut self, base: impl Into<Name>, other: Memory) -> Memory {
        Memory { base: base.into(), number: other.number, at: 0 }
    }

    fn push(&mut self, act: Act, x: Name, y: Name, to: Option<Name>) {
        self.steps.push(Step { act, x, y, to, place: None });
    }

    fn access(&mut self, act: fn(i32) -> Act, memory: Memory, index: usize, y: Name, to: Option<Name>) {
        let index = (memory.at + index) as i32;
        let place = Some((memory.number, index));
        self.steps.push(Step { act: act(index), x: memory.base, y, to, place });
    }

    fn makes(&mut self, act: Act, x: Name, y: Name) -> Made {
        let to = self.made();
        self.push(act, x, y, Some(to.into()));
        to
    }

    /// Something of two words.
    pub fn pair(&mut self, pair: Pair, x: impl Into<Name>, y: impl Into<Name>) -> Made {
        self.makes(Act::Pair(pair), x.into(), y.into())
    }

    /// The same in a register at the end, which may be that of an argument.
    pub fn pair_into(&mut self, register: Register, pair: Pair, x: impl Into<Name>, y: impl Into<Name>) {
        if self.arguments.iter().any(|(_, own)| *own == register) {
            let made = self.pair(pair, x, y);
            self.returned = Some((made, register));
        } else {
            self.push(Act::Pair(pair), x.into(), y.into(), Some(Name::Register(register)));
        }
    }

    /// Something of a word and a number.
    pub fn with_number(&mut self, pair: Pair, x: impl Into<Name>, number: i32) -> Made {
        self.makes(Act::Number(pair, number), x.into(), ZERO)
    }

    /// A word shifted up.
    pub fn up(&mut self, x: impl Into<Name>, places: u32) -> Made {
        self.makes(Act::Up(places), x.into(), ZERO)
    }

    /// A word shifted down, zeros from above.
    pub fn down(&mut self, x: impl Into<Name>, places: u32) -> Made {
        self.makes(Act::Down(places), x.into(), ZERO)
    }

    /// A word shifted down, its sign from above.
    pub fn sign(&mut self, x: impl Into<Name>, places: u32) -> Made {
        self.makes(Act::Sign(places), x.into(), ZERO)
    }

    /// Does something with two words and the accumulator.
    pub fn change(&mut self, change: Change, x: impl Into<Name>, y: impl Into<Name>) {
        self.push(Act::Change(change), x.into(), y.into(), None);
    }

    /// A word of the accumulator.
    pub fn part(&mut self, part: Part) -> Made {
        self.makes(Act::Part(part), ZERO, ZERO)
    }

    /// A number of 32 bits.
    pub fn number(&mut self, number: u32) -> Made {
        self.makes(Act::Word(number), ZERO, ZERO)
    }

    /// The words of a memory serve others until they are stored for the last time.
    pub fn is_spare(&mut self, memory: Memory) {
        self.spare = Some(memory);
    }
}
