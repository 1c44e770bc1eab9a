//! Multiplication along a walk, each row column by column.
//!
//! There is one accumulator, so that the products of a row are taken by columns whatever the walk's segments are. What
//! earlier rows stored is added to the column where it belongs.

use super::core::{Fault, Setting};
use super::form::{Draft, Made, Memory};
use super::sum::Sum;
use super::walked;
use rhomb_kernel::{Operand, Product, Row, Schedule, Step, Walk};

/// Drafts of a multiplication, one for each way to keep operand words, with their schedules.
pub(super) fn products(
    walk: &Walk,
    setting: &Setting,
) -> impl Iterator<Item = Result<(Schedule, Draft), Fault>> {
    schedules(walk, setting).into_iter().map(move |schedule| {
        let mut draft = Draft::default();
        let pointers = setting.arguments.map(|register| draft.argument(register));
        let parts = pointers.map(|pointer| draft.memory(pointer));
        draft.is_spare(parts[0]);
        write(&mut draft, &schedule, parts, setting)?;
        Ok((schedule, draft))
    })
}

/// The ways to keep operand words.
pub(super) fn schedules(walk: &Walk, setting: &Setting) -> Vec<Schedule> {
    if !setting.abilities.accumulates() {
        let turned = walked::turned(walk);
        let own = (turned != *walk).then_some(turned).into_iter().chain([walk.clone()]);
        return own.map(|walk| Schedule::new(&walk, walk.pool.max(1), 2)).collect();
    }
    let sorted = by_columns(walk);
    let ways = [(walk.pool, 2), (walk.pool, 1), (walk.pool.saturating_sub(1), 2)];
    // where all words have registers more makes no difference
    let count = if walk.pool >= 2 * walk.words { 1 } else { ways.len() };
    let ways = ways.into_iter().take(count).filter(|(pool, passing)| pool + passing >= 2);
    ways.map(|(pool, passing)| Schedule::new(&sorted, pool, passing)).collect()
}

/// The same rows with their products by ascending columns.
fn by_columns(walk: &Walk) -> Walk {
    let row = |row: &Row| {
        let mut columns: Vec<Vec<Product>> = vec![Vec::new(); row.carry_column() - row.first_column];
        for product in row.segments.iter().flat_map(|segment| &segment.products) {
            columns[product.column() - row.first_column].push(*product);
        }
        Row { first_column: row.first_column, ..Row::column_wise(columns) }
    };
    Walk { rows: walk.rows.iter().map(row).collect(), carry_once: 1, ..walk.clone() }
}

/// Writes the product along a walk, with so many operand words at a time.
///
/// # Errors
/// Where it is not for this accumulator.
pub(super) fn product(
    draft: &mut Draft,
    walk: &Walk,
    pool: usize,
    parts: [Memory; 3],
    setting: &Setting,
) -> Result<(), Fault> {
    let sorted = if setting.abilities.accumulates() { &by_columns(walk) } else { walk };
    write(draft, &Schedule::new(sorted, pool.max(1), 2), parts, setting)
}

pub(super) fn write(
    draft: &mut Draft,
    schedule: &Schedule,
    [r, a, b]: [Memory; 3],
    setting: &Setting,
) -> Result<(), Fault> {
    if !setting.abilities.accumulates() {
        let products = walked::products(schedule);
        return walked::product(draft, (schedule.words, &products), [r, a, b], setting);
    }
    let mut sum = Sum::new(setting.abilities, setting.ring)?;
    let mut slots: Vec<Option<Made>> = Vec::new();
    // a word that waits for the column's first product, which needs no empty accumulator
    let mut waiting: Option<Made> = None;
    // the words of either operand from its lowest one that products so far may have
    let mut reach = [0; 2];
    for step in &schedule.steps {
        match step {
            Step::StartRow { .. } => sum.clear(),
            Step::Load { slot, operand } => {
                let (array, index, reach) = match operand {
                    Operand::A(i) => (a, *i, &mut reach[0]),
                    Operand::B(j) => (b, *j, &mut reach[1]),
                };
                *reach = (index + 1).max(*reach);
                slots.resize(slots.len().max(slot + 1), None);
                slots[*slot] = Some(array.load(draft, index));
            }
            Step::Multiply { a, b, .. } => {
                let word = |slot: &usize| slots.get(*slot).copied().flatten().ok_or(Fault::Instruction);
                sum.product(draft, word(a)?, word(b)?)?;
                add(&mut sum, draft, waiting.take())?;
            }
            Step::AddIntermediates { columns } => {
                for column in columns.clone() {
                    let word = r.load(draft, column);
                    if sum.is_empty() {
                        waiting = Some(word);
                    } else {
                        sum.word(draft, word)?;
                    }
                }
            }
            Step::Finish { columns, intermediates } => {
                if columns.len() != 1 || !intermediates.is_empty() {
                    return Err(Fault::Instruction);
                }
                add(&mut sum, draft, waiting.take())?;
                store(draft, &mut sum, r, columns.start);
                // what is added up so far is a part of the product of the operands' lower words
                sum.limit((reach[0] + reach[1]).saturating_sub(columns.end));
            }
            Step::EndRow { column } => {
                let last = sum.last(draft)?;
                r.store(draft, *column, last);
            }
            Step::FinishSquare { .. } => return Err(Fault::Instruction),
        }
    }
    Ok(())
}

fn add(sum: &mut Sum, draft: &mut Draft, word: Option<Made>) -> Result<(), Fault> {
    word.map_or(Ok(()), |word| sum.word(draft, word))
}

fn store(draft: &mut Draft, sum: &mut Sum, result: Memory, column: usize) {
    let word = sum.take(draft);
    result.store(draft, column, word);
}
