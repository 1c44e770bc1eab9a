//! What a processor is asked to make: the meeting point of methods and processors.

use crate::form::Form;
use crate::parameters::Parameters;
use crate::rolled::Rolled;
use crate::split::Node;
use crate::squaring::Squaring;
use crate::walk::Walk;
use rhomb_contract::Operation;

/// What a method is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Shape<'a> {
    /// Straight line or loops.
    pub form: Form,
    /// Words of each operand; at least 1.
    pub words: usize,
    /// The method's parameters; those left open take the method's default.
    pub parameters: &'a Parameters,
}

/// A routine, described without a processor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    /// The straight line along a walk.
    Multiplication(Walk),
    /// A multiplication with loops.
    LoopedMultiplication(Rolled),
    /// Addition or subtraction of numbers of `words` words, the carry or borrow returned; the result may
    /// lie in the place of an operand.
    Chain {
        /// Whether it subtracts.
        subtract: bool,
        /// Words of each operand; at least 1.
        words: usize,
        /// Straight line or loop.
        form: Form,
    },
    /// Multiplication bit by bit, without a multiplier, in loops over strips of A and words of B.
    Strips {
        /// Words of each operand; at least 1.
        words: usize,
        /// Words of A in a strip, 1 to `words`. What is left over is the first strip.
        width: usize,
    },
    /// Product scanning in loops, each product of words made without a multiplier by a subroutine.
    SoftwareProducts {
        /// Words of each operand; at least 1.
        words: usize,
    },
    /// The straight line of a squaring.
    Squaring(Squaring),
    /// A squaring with loops.
    LoopedSquaring(Rolled),
    /// A squaring with loops over its columns: in each the products of different words, doubled as they are added, and
    /// the square of the middle one. For processors whose accumulator holds a whole column.
    ScannedSquaring {
        /// Words of the operand; at least 1.
        words: usize,
    },
    /// A multiplication or squaring of parts.
    Split(Node),
}

impl Task {
    /// What it computes.
    pub fn operation(&self) -> Operation {
        match self {
            Task::Multiplication(_)
            | Task::LoopedMultiplication(_)
            | Task::Strips { .. }
            | Task::SoftwareProducts { .. } => Operation::Mul,
            Task::Split(node) if !node.is_square() => Operation::Mul,
            Task::Split(_) => Operation::Sqr,
            Task::Squaring(_) | Task::LoopedSquaring(_) | Task::ScannedSquaring { .. } => Operation::Sqr,
            Task::Chain { subtract: false, .. } => Operation::Add,
            Task::Chain { subtract: true, .. } => Operation::Sub,
        }
    }

    /// Words of each operand.
    pub fn words(&self) -> usize {
        match self {
            Task::Multiplication(walk) => walk.words,
            Task::LoopedMultiplication(rolled) | Task::LoopedSquaring(rolled) => rolled.words,
            Task::Squaring(squaring) => squaring.words,
            Task::Split(node) => node.words(),
            Task::Chain { words, .. }
            | Task::Strips { words, .. }
            | Task::SoftwareProducts { words }
            | Task::ScannedSquaring { words } => *words,
        }
    }
}
