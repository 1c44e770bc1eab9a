//! A straight line before its words have registers.

use crate::instructions::{Instruction, Op};

/// A word: 0 and 1 are R0 and R1, which take products and what is read in passing; all others get registers of their own.
pub(super) type Name = u16;
/// The low word of the last product.
pub(super) const LOW: Name = 0;
/// Its high word.
pub(super) const HIGH: Name = 1;
/// Names that are registers.
pub(super) const FIXED: usize = 2;

/// What is done. Words may be spilled into the result as long as nothing else is written there.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// A word of an operand through a pointer: X moves on, Y has a distance. With the last one the pointer's registers are free.
    Load { to: Name, pointer: u8, at: u8, last: bool },
    /// A word of the result.
    Store { at: u8, from: Name },
    /// `x y` into R0 and R1.
    Mul { x: Name, y: Name },
    /// The product moves to two words.
    Move { low: Name, high: Name },
    /// `to = to op from`, or a comparison.
    Two { op: Op, to: Name, from: Name },
    /// `to = x op y`, which becomes a word of the result; x is lost.
    Sum { op: Op, x: Name, y: Name, to: Name, at: u8 },
    /// `to = op to`.
    One { op: Op, to: Name },
    /// Zero.
    Clear { to: Name },
    /// The carry as a mask.
    Mask { to: Name },
    /// A copy.
    Copy { to: Name, from: Name },
    /// The carry of a mask.
    Carry { from: Name },
    /// The lowest bit into T.
    Keep { from: Name },
    /// T as the lowest bit of a word that is zero.
    Kept { to: Name },
    /// To the stack.
    Push { from: Name },
    /// From the stack.
    Pop { to: Name },
    /// A pair of registers is taken for a pointer.
    Claim { pair: u8 },
    /// It is free again.
    Release { pair: u8 },
    /// Words of the result are no places for others, or are such again.
    Hold { at: u8, count: u8, held: bool },
    /// As it stands.
    Plain(Instruction),
}

impl Step {
    /// Words that are read.
    pub(super) fn reads(&self) -> impl Iterator<Item = Name> + use<> {
        let both = match *self {
            Step::Store { from, .. }
            | Step::Copy { from, .. }
            | Step::Carry { from }
            | Step::Keep { from }
            | Step::Push { from } => [Some(from), None],
            Step::Mul { x, y } | Step::Sum { x, y, .. } => [Some(x), Some(y)],
            Step::Two { to, from, .. } => [Some(to), Some(from)],
            Step::One { to, .. } | Step::Kept { to } => [Some(to), None],
            _ => [None, None],
        };
        both.into_iter().flatten()
    }

    /// Whether R0 gets a new content, or loses what it had.
    fn writes_low(&self) -> bool {
        match *self {
            Step::Mul { .. } => true,
            Step::Load { to, .. }
            | Step::Two { to, .. }
            | Step::One { to, .. }
            | Step::Clear { to }
            | Step::Mask { to }
            | Step::Copy { to, .. }
            | Step::Kept { to }
            | Step::Pop { to } => to == LOW,
            _ => false,
        }
    }

    fn reads_low(&self) -> bool {
        matches!(self, Step::Move { .. }) || self.reads().any(|name| name == LOW)
    }
}

/// For each step whether R0 may be lost while it is done.
pub(super) fn low_is_free(steps: &[Step]) -> Vec<bool> {
    let mut is_read = false;
    let mut free: Vec<bool> = steps
        .iter()
        .rev()
        .map(|step| {
            let behind = is_read;
            is_read = step.reads_low() || (is_read && !step.writes_low());
            !is_read && !behind
        })
        .collect();
    free.reverse();
    free
}

/// A phase: its block, and what it does there.
pub type Phase = (&'static str, &'static str);

/// A line as it is written.
#[derive(Default)]
pub(super) struct Writer {
    pub(super) steps: Vec<Step>,
    /// Where each phase begins: its block, and what it does there.
    pub(super) phases: Vec<(usize, Phase)>,
    names: usize,
}

/// A chain of additions or subtractions: the first one begins it, or goes on with the carry.
#[derive(Clone, Copy)]
pub(super) enum Chain {
    Add,
    Sub,
    /// With the carry that there is.
    AndAdd,
}

impl Writer {
    /// What follows is a phase of a block.
    pub(super) fn phase(&mut self, block: usize, name: &'static str) {
        self.phases.push((self.steps.len(), (["L", "M", "H", "L, M, H"][block], name)));
    }
    pub(super) fn step(&mut self, step: Step) {
        self.steps.push(step);
    }
    pub(super) fn name(&mut self) -> Name {
        self.names += 1;
        (self.names + FIXED - 1) as Name
    }
    pub(super) fn names(&mut self, count: usize) -> Vec<Name> {
        (0..count).map(|_| self.name()).collect()
    }
    /// All names, R0 and R1 among them.
    pub(super) fn count(&self) -> usize {
        self.names + FIXED
    }
    pub(super) fn mul(&mut self, x: Name, y: Name) {
        self.step(Step::Mul { x, y });
    }
    /// The last product into words of its own.
    pub(super) fn moved(&mut self) -> [Name; 2] {
        let [low, high] = [self.name(), self.name()];
        self.step(Step::Move { low, high });
        [low, high]
    }
    pub(super) fn two(&mut self, op: Op, to: Name, from: Name) {
        self.step(Step::Two { op, to, from });
    }
    pub(super) fn one(&mut self, op: Op, to: Name) {
        self.step(Step::One { op, to });
    }
    pub(super) fn zero(&mut self) -> Name {
        let to = self.name();
        self.clear(to);
        to
    }
    pub(super) fn clear(&mut self, to: Name) {
        self.step(Step::Clear { to });
    }
    /// The carry as a mask.
    pub(super) fn mask(&mut self, to: Name) -> Name {
        self.step(Step::Mask { to });
        to
    }
    pub(super) fn store(&mut self, at: usize, from: Name) {
        self.step(Step::Store { at: at as u8, from });
    }
    pub(super) fn load(&mut self, to: Name, pointer: u8, at: usize, last: bool) {
        self.step(Step::Load { to, pointer, at: at as u8, last });
    }
    /// A chain through pairs of words.
    pub(super) fn chain(&mut self, chain: Chain, pairs: impl IntoIterator<Item = (Name, Name)>) {
        let (first, rest) = match chain {
            Chain::Add => (Op::Add, Op::Adc),
            Chain::Sub => (Op::Sub, Op::Sbc),
            Chain::AndAdd => (Op::Adc, Op::Adc),
        };
        for (index, (to, from)) in pairs.into_iter().enumerate() {
            self.two(if index == 0 { first } else { rest }, to, from);
        }
    }
}

/// Words of two numbers, one behind the other.
pub(super) fn pairs<'a>(to: &'a [Name], from: &'a [Name]) -> impl Iterator<Item = (Name, Name)> + 'a {
    to.iter().copied().zip(from.iter().copied())
}
