//! Methods: one file each, opening with the algebra, the source and the access counts.
//!
//! `n` is the number of words of either operand throughout.

mod carry_chain;
mod consecutive_operand_caching;
mod hybrid;
mod mixed_operand_caching;
mod operand_caching;
mod operand_scanning;
mod product_scanning;
mod rows;
mod software_products;
mod split;
mod square_caching;
mod square_scanning;
mod strip;

pub use rows::{List, Order, Orders, Strips, strips_of};

use crate::form::Form;
use crate::split::Pairs;
use crate::task::{Shape, Task};
use crate::walk::{Product, Walk};
use rhomb_contract::Operation;

/// Parameters of a method; a method ignores none of those that it declares and has no others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Parameters {
    /// Words of each operand held in registers (`e`; the pool has twice as many).
    pub cache: Option<usize>,
    /// Intermediate words added at once (`c`).
    pub carry_once: Option<usize>,
    /// Rows of a block of the hybrid method (`d`).
    pub rows: Option<usize>,
    /// Side of the initial block of operand caching, in words.
    pub initial_block: Option<usize>,
    /// Squares that are finished at once where registers are short (`k`).
    pub batch: Option<usize>,
    /// Full strips before the one whose width is `initial_block`, of consecutive operand caching.
    pub narrow_strip: Option<usize>,
    /// Levels of splits.
    pub levels: Option<usize>,
    /// Parts of a split: their number, or the shares of unequal ones as decimal digits, from the lowest part.
    pub parts: Option<usize>,
    /// How a split multiplies pairs of parts: 0 by differences, 1 by sums.
    pub pairs: Option<usize>,
    /// Widths of the strips, for methods with [`Method::free_rows`]. Those that are missing of the number of words
    /// are one strip more, those beyond are left out.
    pub strips: Option<Strips>,
    /// The order within the columns of each row, likewise.
    pub orders: Option<Orders>,
}

impl Parameters {
    /// All of them open.
    pub const OPEN: Parameters = Parameters {
        cache: None,
        carry_once: None,
        rows: None,
        initial_block: None,
        batch: None,
        narrow_strip: None,
        levels: None,
        parts: None,
        pairs: None,
        strips: None,
        orders: None,
    };
}

/// The name of a parameter that is a number, as users write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Parameter {
    /// [`Parameters::cache`].
    Cache,
    /// [`Parameters::carry_once`].
    CarryOnce,
    /// [`Parameters::rows`].
    Rows,
    /// [`Parameters::initial_block`].
    InitialBlock,
    /// [`Parameters::batch`].
    Batch,
    /// [`Parameters::narrow_strip`].
    NarrowStrip,
    /// [`Parameters::levels`].
    Levels,
    /// [`Parameters::parts`].
    Parts,
    /// [`Parameters::pairs`].
    Pairs,
}

impl Parameter {
    /// All parameters.
    pub const ALL: [Parameter; 9] = [
        Parameter::Levels,
        Parameter::Parts,
        Parameter::Pairs,
        Parameter::Cache,
        Parameter::CarryOnce,
        Parameter::Rows,
        Parameter::InitialBlock,
        Parameter::Batch,
        Parameter::NarrowStrip,
    ];

    /// The name on the command line, without dashes in front.
    pub fn name(self) -> &'static str {
        match self {
            Parameter::Cache => "cache",
            Parameter::CarryOnce => "carry-once",
            Parameter::Rows => "rows",
            Parameter::InitialBlock => "initial-block",
            Parameter::Batch => "batch",
            Parameter::NarrowStrip => "narrow-strip",
            Parameter::Levels => "levels",
            Parameter::Parts => "parts",
            Parameter::Pairs => "pairs",
        }
    }

    /// The smallest legal value.
    pub fn least(self) -> usize {
        match self {
            Parameter::InitialBlock | Parameter::NarrowStrip | Parameter::Levels | Parameter::Pairs => 0,
            Parameter::Parts => 2,
            Parameter::Cache | Parameter::CarryOnce | Parameter::Rows | Parameter::Batch => 1,
        }
    }

    /// Its value among `parameters`.
    pub fn of(self, parameters: &Parameters) -> Option<usize> {
        match self {
            Parameter::Cache => parameters.cache,
            Parameter::CarryOnce => parameters.carry_once,
            Parameter::Rows => parameters.rows,
            Parameter::InitialBlock => parameters.initial_block,
            Parameter::Batch => parameters.batch,
            Parameter::NarrowStrip => parameters.narrow_strip,
            Parameter::Levels => parameters.levels,
            Parameter::Parts => parameters.parts,
            Parameter::Pairs => parameters.pairs,
        }
    }

    /// A value as users write it: `4`, `1:3`, `sums`.
    pub fn text(self, value: usize) -> String {
        match self {
            Parameter::Parts if value > 9 => {
                let shares: Vec<String> = value.to_string().chars().map(String::from).collect();
                shares.join(":")
            }
            Parameter::Pairs => {
                Pairs::ALL.get(value).map_or_else(|| value.to_string(), |pairs| pairs.name().to_owned())
            }
            _ => value.to_string(),
        }
    }

    /// Sets its value among `parameters`.
    pub fn set(self, parameters: &mut Parameters, value: Option<usize>) {
        match self {
            Parameter::Cache => parameters.cache = value,
            Parameter::CarryOnce => parameters.carry_once = value,
            Parameter::Rows => parameters.rows = value,
            Parameter::InitialBlock => parameters.initial_block = value,
            Parameter::Batch => parameters.batch = value,
            Parameter::NarrowStrip => parameters.narrow_strip = value,
            Parameter::Levels => parameters.levels = value,
            Parameter::Parts => parameters.parts = value,
            Parameter::Pairs => parameters.pairs = value,
        }
    }
}

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
