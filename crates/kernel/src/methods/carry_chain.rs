//! Addition and subtraction word by word from the lowest, the carry or borrow running through.
//!
//! Source: Knuth, "The Art of Computer Programming", volume 2, section 4.3.1, algorithms A and S.
//!
//! `2n` loads, `n` stores, `n` additions or subtractions, each of which takes the carry of the one before.
//! A word is stored after both operands' words in its place were read, so that the result may lie in the
//! place of an operand.

use super::Method;
use crate::form::Form;
use crate::task::{Shape, Task};
use rhomb_contract::Operation;

pub(super) const ADD: Method = Method {
    name: "carry-chain",
    summary: "addition word by word, the carry running through",
    source: "Knuth, The Art of Computer Programming, volume 2, section 4.3.1",
    operation: Operation::Add,
    forms: &[Form::Unrolled, Form::Looped],
    multiplier: false,
    parameters: &[],
    free_rows: false,
    task: |shape| chain(shape, false),
};

pub(super) const SUB: Method = Method {
    summary: "subtraction word by word, the borrow running through",
    operation: Operation::Sub,
    task: |shape| chain(shape, true),
    ..ADD
};

fn chain(shape: &Shape, subtract: bool) -> Task {
    Task::Chain { subtract, words: shape.words, form: shape.form }
}
