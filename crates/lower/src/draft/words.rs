//! Straight lines of words become drafts.
//!
//! Columns and chains of carries are added up in the accumulator or in registers ([`adder`](super::adder)). Words of
//! operands are kept or loaded again, words on the way stay in registers or wait in memory ([`waits`](super::waits)).

use super::arrays::Frame;
use super::core::{Fault, Setting};
use super::form::Draft;
use super::writer::Writer;
use rhomb_line::Line;

/// Where sums are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In the accumulator.
    Accumulator,
    /// In registers, where there are no products.
    Registers,
    /// Where that takes fewer instructions.
    Shorter,
}

/// How a line is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub(super) place: Place,
    /// Whether words are loaded once.
    pub(super) keep: bool,
    /// Words on the way that are read more operations later than these wait in memory.
    pub(super) patience: usize,
}

impl Way {
    fn all() -> impl Iterator<Item = Way> {
        let places = [Place::Accumulator, Place::Registers, Place::Shorter].into_iter();
        let loads = places.flat_map(|place| [true, false].map(|keep| (place, keep)));
        loads.flat_map(|(place, keep)| PATIENCE.map(|patience| Way { place, keep, patience }))
    }
}

/// How long words on the way stay in registers.
const PATIENCE: [usize; 5] = [usize::MAX, 64, 24, 8, 0];

/// Drafts of a line, one for each way; with `apart`, its first operand is a product that stands in the frame.
pub fn words(
    line: &Line,
    apart: bool,
    setting: &Setting,
) -> impl Iterator<Item = Result<(Draft, Frame), Fault>> {
    let line = line.clone().with_early_stores();
    Way::all().map(move |way| Writer::new(&line, apart, way, setting)?.written())
}
