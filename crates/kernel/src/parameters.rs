//! The parameters of methods.

use crate::rows::{Orders, Strips};
use crate::split::Pairs;

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
    /// Widths of the strips, for methods with [`Method::free_rows`](crate::Method::free_rows). Those that are missing of the number of words
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
