//! Straight lines of words become drafts.
//!
//! Columns and chains of carries are added up in the accumulator or in registers ([`adder`](super::adder)). Words of
//! operands are kept or loaded again, words on the way stay in registers or wait in memory ([`waits`](super::waits)).

use super::arrays::{Frame, Product, Writes};
use super::columns::{schedules, write};
use super::core::{Fault, Setting};
use super::form::Draft;
use super::squaring::{square, square_ways};
use super::way::Way;
use super::writer::Writer;
use rhomb_kernel::Task;
use rhomb_line::Line;

/// Drafts of a line, one for each way; with `apart`, its first operand is a product that stands in the frame.
pub(super) fn words(
    line: &Line,
    apart: bool,
    setting: &Setting,
) -> impl Iterator<Item = Result<(Draft, Frame), Fault>> {
    let line = line.clone().with_early_stores();
    let product = if apart { Product::Called } else { Product::None };
    let all = Way::all(setting.abilities.accumulates());
    different(all.map(move |way| Writer::new(&line, product, way, setting)?.written()))
}

/// Those that were not made before.
fn different<T>(
    all: impl Iterator<Item = Result<(Draft, T), Fault>>,
) -> impl Iterator<Item = Result<(Draft, T), Fault>> {
    let mut known: Vec<Draft> = Vec::new();
    all.filter(move |made| {
        let Ok((draft, _)) = made else { return true };
        let is_new = !known.contains(draft);
        if is_new {
            known.push(draft.clone());
        }
        is_new
    })
}

/// Drafts of a product and of the line that reduces it, in one; none where the product is made in another way than by columns.
pub(super) fn joined(line: &Line, product: &Task, setting: &Setting) -> Vec<Result<(Draft, Frame), Fault>> {
    let line = line.clone().with_early_stores();
    let ways: Vec<Way> = Way::all(setting.abilities.accumulates()).filter(|way| way.keep).collect();
    let drafts = |write: &Writes<'_>| -> Vec<_> {
        let product = Product::Inside(write);
        ways.iter().map(|way| Writer::new(&line, product, *way, setting)?.written()).collect()
    };
    let all: Vec<_> = match product {
        Task::Multiplication(walk) => schedules(walk, setting)
            .into_iter()
            .flat_map(|schedule| drafts(&|draft, parts| write(draft, &schedule, parts, setting)))
            .collect(),
        Task::Squaring(task) => square_ways(task, setting)
            .into_iter()
            .flat_map(|way| drafts(&|draft, [r, a, _]| square(draft, task, way, [r, a], setting)))
            .collect(),
        _ => Vec::new(),
    };
    different(all.into_iter()).collect()
}
