//! Strips: multiplication without a multiplier, by shifts and additions.
//!
//! `e` words of A stay in registers, with as many words of an accumulator. For each word `y` of B, `w`
//! times for words of `w` bits: where the next bit of `y` is set, the strip is added to the accumulator;
//! the accumulator moves one bit to the right, and the bit that leaves it enters `y` from the left, where
//! one has left. So `y` becomes a word of the product as its bits are used. The word that the strip before
//! has stored in its place is added to it, and the carry enters the accumulator with the next word.
//!
//! Source: the shift-and-add step is Knuth, "The Art of Computer Programming", volume 2, section 4.3.1,
//! exercise 19, and every textbook on processors without multiplier; to keep strips of A is the block of
//! Gura et al. 2004 in one operand only.
//!
//! With `s = ceil(n/e)` strips: `sn + n` loads of operands, `(s - 1)n` of the result, `sn + n` stores,
//! `wn^2` additions and `wn(n + s)` shifts, all conditional additions as long as their omission.

use super::Method;
use crate::form::Form;
use crate::parameters::Parameter;
use crate::task::Task;
use rhomb_contract::Operation;

pub(super) const METHOD: Method = Method {
    name: "strip",
    summary: "no multiplier: shift and add, e words of A at a time, bit by bit of B",
    source: "shift and add; strips as the rows of a block in Gura et al. 2004",
    operation: Operation::Mul,
    forms: &[Form::Looped],
    multiplier: false,
    parameters: &[Parameter::Cache],
    free_rows: false,
    task: |shape| Task::Strips {
        words: shape.words,
        width: shape.parameters.cache.unwrap_or(8).min(shape.words),
    },
};
