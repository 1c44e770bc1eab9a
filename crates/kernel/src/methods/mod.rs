//! Methods: one file each, opening with the algebra, the source and the access counts.
//!
//! `n` is the number of words of either operand throughout.

mod carry_chain;
mod consecutive_operand_caching;
mod given;
mod hybrid;
mod mixed_operand_caching;
mod operand_caching;
mod operand_scanning;
mod product_scanning;
mod software_products;
mod split;
mod square_caching;
mod square_scanning;
mod strip;

pub use given::{GIVEN, given};

use crate::form::Form;
use crate::parameters::{Parameter, Parameters};
use crate::rows::Strips;
use crate::task::{Shape, Task};
use crate::walk::{Product, Walk};
use rhomb_contract::Operation;

/// A way to compute an operation.
#[derive(Clone, Copy, Debug)]
pub struct Method {
    /// Name on the command line; unique for an operation.
    pub name: &'static str,
    /// One line for people.
    pub summary: &'static str,
    /// Where it was published.
    pub source: &'static str,
    /// What it computes.
    pub operation: Operation,
    /// The forms that it has, the default first.
    pub forms: &'static [Form],
    /// Whether it multiplies words by the processor's multiplier.
    pub multiplier: bool,
    /// The parameters that it has.
    pub parameters: &'static [Parameter],
    /// Whether the rows of its straight line may have strips of any widths, and columns in any order.
    pub free_rows: bool,
    /// What the processor is to do. Parameters must be at least [`Parameter::least`]; larger ones than
    /// make sense are clipped to the number of words. The form is one of `forms`.
    task: fn(&Shape) -> Task,
}

impl Method {
    /// What a processor is to do; nothing for a form that the method does not have, or without words.
    pub fn task(&self, shape: &Shape) -> Option<Task> {
        (shape.words > 0 && self.forms.contains(&shape.form)).then(|| (self.task)(shape))
    }

    /// The walk of its unrolled multiplication, for operands of `words` words; nothing for methods that
    /// have none.
    pub fn walk(&self, words: usize, parameters: &Parameters) -> Option<Walk> {
        match self.task(&Shape { form: Form::Unrolled, words, parameters })? {
            Task::Multiplication(walk) => Some(walk),
            Task::LoopedMultiplication(_)
            | Task::Chain { .. }
            | Task::Strips { .. }
            | Task::SoftwareProducts { .. }
            | Task::Squaring(_)
            | Task::LoopedSquaring(_)
            | Task::ScannedSquaring { .. }
            | Task::Split(_) => None,
        }
    }
}

/// All methods.
pub static METHODS: &[Method] = &[
    operand_scanning::METHOD,
    product_scanning::METHOD,
    hybrid::METHOD,
    mixed_operand_caching::METHOD,
    consecutive_operand_caching::METHOD,
    operand_caching::METHOD,
    split::METHOD,
    software_products::METHOD,
    strip::METHOD,
    carry_chain::ADD,
    carry_chain::SUB,
    square_caching::METHOD,
    square_scanning::METHOD,
    split::SQUARE,
];

/// The methods that compute `operation`.
pub fn methods(operation: Operation) -> impl Iterator<Item = &'static Method> {
    METHODS.iter().filter(move |method| method.operation == operation)
}

/// The method of this name that computes `operation`.
pub fn method(operation: Operation, name: &str) -> Option<&'static Method> {
    methods(operation).find(|method| method.name == name)
}

/// The methods whose multiplication is a walk.
pub fn walks() -> impl Iterator<Item = &'static Method> {
    METHODS.iter().filter(|method| method.walk(1, &Parameters::default()).is_some())
}

/// The widths that are asked for, as far as `words` words go; else `own`.
fn widths(asked: Option<Strips>, words: usize, own: impl FnOnce() -> Vec<usize>) -> Vec<usize> {
    let Some(asked) = asked else { return own() };
    let mut left = words;
    let mut widths: Vec<usize> = Vec::with_capacity(asked.len() + 1);
    for width in asked.iter().map(|width| usize::from(*width)).chain([words]) {
        widths.extend(Some(width.min(left)).filter(|width| *width > 0));
        left -= width.min(left);
    }
    widths
}

/// The products of a rectangle's (or any set's) column `k`, by ascending `i`; `inside` says which
/// belong to it.
fn column(k: usize, words: usize, inside: impl Fn(Product) -> bool) -> Vec<Product> {
    (k.saturating_sub(words - 1)..=k.min(words - 1))
        .map(|i| Product { i, j: k - i })
        .filter(|product| inside(*product))
        .collect()
}
