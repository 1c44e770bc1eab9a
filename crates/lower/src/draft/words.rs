//! Straight lines of words become drafts.
//!
//! Columns and chains of carries are added up in the accumulator or in registers ([`adder`](super::adder)). Words of
//! operands are kept or loaded again, words on the way stay in registers or wait in memory ([`waits`](super::waits)).

use super::arrays::Frame;
use super::core::{Fault, Setting};
use super::form::Draft;
use super::way::Way;
use super::writer::Writer;
use rhomb_line::Line;

/// Drafts of a line, one for each way; with `apart`, its first operand is a product that stands in the frame.
pub fn words(
    line: &Line,
    apart: bool,
    setting: &Setting,
) -> impl Iterator<Item = Result<(Draft, Frame), Fault>> {
    let line = line.clone().with_early_stores();
    Way::all().map(move |way| Writer::new(&line, apart, way, setting)?.written())
}
