//! Product scanning without a multiplier: each product of two words is made by a subroutine, by shifts and
//! additions.
//!
//! Source: product scanning is Comba, "Exponentiation cryptosystems on the IBM PC", IBM Systems Journal
//! 29(4), 1990; the product of words is Knuth, "The Art of Computer Programming", volume 2, section 4.6.3.
//!
//! `2n^2` loads, `2n` stores, `n^2` calls. Strips are faster; this has the smallest code, and its size does
//! not depend on `n`.

use super::Method;
use crate::form::Form;
use crate::task::Task;
use rhomb_contract::Operation;

pub(super) const METHOD: Method = Method {
    name: "software-products",
    summary: "no multiplier: product scanning that calls for each product of words",
    source: "Comba 1990; shift and add",
    operation: Operation::Mul,
    forms: &[Form::Looped],
    multiplier: false,
    parameters: &[],
    free_rows: false,
    task: |shape| Task::SoftwareProducts { words: shape.words },
};
