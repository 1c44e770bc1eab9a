//! Programs: routines called in a fixed order, on numbers in a frame and on those that arguments point to. A processor's
//! crate makes code of a program, with the routines behind it; nothing here knows one.

mod argument;
mod binary;
mod blocks;
mod comb;
mod digits;
mod ecdh;
mod ecdsa;
mod ends;
mod exponentiation;
mod formula;
mod fused;
mod group;
mod inversion;
mod ladder;
mod montgomery;
mod odd;
mod power;
mod rsa;
mod run;
mod scalar;
mod windows;
mod words;
mod writer;
mod x25519;

pub use argument::{Argument, montgomery};
pub use blocks::{Blocks, Products};
pub use comb::{COMBS, Comb};
pub use ecdh::{ecdh, public, scalarmul};
pub use ecdsa::{ecdsa_sign, ecdsa_verify};
pub use exponentiation::{Exponent, Exponentiation, MOST_WINDOW, exponentiation};
pub use fused::multiples;
pub use group::OnCurve;
pub use inversion::{Inversion, inversion};
pub use montgomery::by_montgomery;
pub use power::power;
pub use rsa::{KEY, rsa_private};
pub use scalar::{Doubling, Scalar, Scan, Strategy};
pub use words::words;
pub use writer::{Called, Composed, Routine};
pub use x25519::x25519;

use crate::curve::Base;

/// A program: what it calls, in which order, and where the numbers stand.
///
/// Arguments are pointers: to the result where there is one, which is written, and to operands, which are only read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The words of each number that stands in the frame.
    pub slots: Vec<usize>,
    /// Whether there is a result, beside what is returned.
    pub has_result: bool,
    /// How many operands there are.
    pub operands: usize,
    /// How many routines may be called; steps name them by number.
    pub routines: usize,
    /// In order.
    pub steps: Vec<Step>,
    /// The word of a slot that is returned, where one is.
    pub returned: Option<(usize, usize)>,
}

/// Where a number stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the program's result.
    Result,
    /// In an operand of the program.
    Operand(usize),
    /// In the frame.
    Slot(usize),
    /// In a slot of several numbers, so many words from its first.
    Part(usize, usize),
    /// In an operand of the program, so many words from its first.
    Inside(usize, usize),
    /// In the program's result, so many words from its first.
    Behind(usize),
}

impl Place {
    /// The place so many words behind this one.
    pub fn moved(self, words: usize) -> Place {
        match self {
            _ if words == 0 => self,
            Place::Result => Place::Behind(words),
            Place::Behind(first) => Place::Behind(first + words),
            Place::Operand(index) => Place::Inside(index, words),
            Place::Inside(index, first) => Place::Inside(index, first + words),
            Place::Slot(index) => Place::Part(index, words),
            Place::Part(index, first) => Place::Part(index, first + words),
        }
    }
}

/// A step of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A call of a routine. Whether the result may be one of the operands is up to the routine.
    Call {
        /// Which one.
        routine: usize,
        /// Where its result goes.
        to: Place,
        /// Where its operands stand.
        operands: Vec<Place>,
    },
    /// What the call before returned becomes a word of a slot.
    Take {
        /// The slot.
        slot: usize,
        /// Which of its words.
        word: usize,
    },
    /// Steps that are made so many times, at least once.
    Repeat {
        /// How many times.
        times: u32,
        /// What is made.
        steps: Vec<Step>,
    },
    /// Steps that are made where a word of a slot is not zero: a branch, so that time tells whether it is.
    When {
        /// The slot.
        slot: usize,
        /// Which of its words.
        word: usize,
        /// What is made.
        steps: Vec<Step>,
    },
}

impl Program {
    /// How often each routine is called, where all branches are taken.
    pub fn calls(&self) -> Vec<u64> {
        let mut calls = vec![0; self.routines];
        count(&self.steps, 1, &mut calls);
        calls
    }
}

fn count(steps: &[Step], times: u64, calls: &mut [u64]) {
    for step in steps {
        match step {
            Step::Call { routine, .. } => {
                if let Some(own) = calls.get_mut(*routine) {
                    *own += times;
                }
            }
            Step::Repeat { times: own, steps } => count(steps, times * u64::from(*own), calls),
            Step::When { steps, .. } => count(steps, times, calls),
            Step::Take { .. } => {}
        }
    }
}

/// The program of a scalar multiplication: `r` and the point have the words of two elements, `k` those of one.
///
/// `None` for curves whose elements or orders do not fill their words but for few bits, or where a formula does not hold.
pub fn scalar(task: &Scalar<'_>) -> Option<Called> {
    match &task.curve.base {
        Base::Prime(field) => scalar::prime(task, field),
        Base::Binary(field) => ladder::ladder(task, field),
    }
}
