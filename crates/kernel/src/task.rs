//! What a processor is asked to make: the meeting point of methods and processors.

use crate::methods::Parameters;
use crate::operation::{Form, Operation};
use crate::squaring::Squaring;
use crate::walk::Walk;

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
    /// The straight line of a squaring.
    Squaring(Squaring),
}

impl Task {
    /// What it computes.
    pub fn operation(&self) -> Operation {
        match self {
            Task::Multiplication(_) => Operation::Mul,
            Task::Squaring(_) => Operation::Sqr,
        }
    }
}
