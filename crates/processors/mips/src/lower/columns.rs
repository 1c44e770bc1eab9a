//! Multiplication along a walk, each row column by column.
//!
//! There is one accumulator, so that the products of a row are taken by columns whatever the walk's segments are. What
//! earlier rows stored is added to the column where it belongs.

use super::line::{Line, Value};
use super::split::Part;
use super::sum::Sum;
use super::{Context, Kernel, LowerError, finish};
use rhomb_kernel::{Operand, Product, Row, Schedule, Step, Walk};
use std::sync::Arc;

/// Lowers a multiplication. Of the ways to keep operand words, the one that makes the fastest routine is taken.
pub(super) fn multiplication(walk: &Walk, context: &Context<'_>) -> Result<Kernel, LowerError> {
    let sorted = by_columns(walk);
    let mut best: Option<Kernel> = None;
    let mut fault = None;
    for (pool, passing) in [(walk.pool, 2), (walk.pool, 1), (walk.pool.saturating_sub(1), 2)] {
        if pool + passing < 2 {
            continue;
        }
        let schedule = Arc::new(Schedule::new(&sorted, pool, passing));
        let line = line(&schedule, context)?;
        match finish(&line, context.model, context.convention, context.registers) {
            Ok(kernel) if best.as_ref().is_none_or(|best| kernel.cycles < best.cycles) => {
                best = Some(Kernel { schedule: Some(schedule), ..kernel });
            }
            Ok(_) => {}
            Err(error) => fault = Some(error),
        }
        // all words have registers: more makes no difference
        if pool >= 2 * walk.words {
            break;
        }
    }
    best.ok_or(fault.unwrap_or(LowerError::Instruction))
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

/// Writes the product along a walk, with so many operand words at a time, of parts of arrays.
pub(super) fn product(
    line: &mut Line,
    walk: &Walk,
    pool: usize,
    parts: [Part; 3],
    context: &Context<'_>,
) -> Result<(), LowerError> {
    write(line, &Schedule::new(&by_columns(walk), pool.max(1), 2), parts, context)
}

/// The instructions of a schedule whose segments are columns.
fn line(schedule: &Schedule, context: &Context<'_>) -> Result<Line, LowerError> {
    let mut line = Line::new();
    let [r, a, b, _] = context.convention.arguments;
    let pointers = [r, a, b].map(|register| line.argument(register));
    let parts = pointers.map(|pointer| Part { array: line.array(pointer), at: 0 });
    write(&mut line, schedule, parts, context)?;
    Ok(line)
}

fn write(
    line: &mut Line,
    schedule: &Schedule,
    [r, a, b]: [Part; 3],
    context: &Context<'_>,
) -> Result<(), LowerError> {
    let mut sum = context.sum()?;
    let mut slots: Vec<Option<Value>> = Vec::new();
    // a word that waits for the column's first product, which needs no empty accumulator
    let mut waiting: Option<Value> = None;
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
                slots[*slot] = Some(array.load(line, index));
            }
            Step::Multiply { a, b, .. } => {
                let word = |slot: &usize| slots.get(*slot).copied().flatten().ok_or(LowerError::Instruction);
                sum.product(line, word(a)?, word(b)?)?;
                add(&mut sum, line, waiting.take())?;
            }
            Step::AddIntermediates { columns } => {
                for column in columns.clone() {
                    let word = r.load(line, column);
                    if sum.is_empty() {
                        waiting = Some(word);
                    } else {
                        sum.word(line, word)?;
                    }
                }
            }
            Step::Finish { columns, intermediates } => {
                if columns.len() != 1 || !intermediates.is_empty() {
                    return Err(LowerError::Instruction);
                }
                add(&mut sum, line, waiting.take())?;
                store(line, &mut sum, r, columns.start);
                // what is added up so far is a part of the product of the operands' lower words
                sum.limit((reach[0] + reach[1]).saturating_sub(columns.end));
            }
            Step::EndRow { column } => {
                let last = sum.last(line)?;
                r.store(line, *column, last);
            }
            Step::FinishSquare { .. } => return Err(LowerError::Instruction),
        }
    }
    Ok(())
}

fn add(sum: &mut Sum<'_>, line: &mut Line, word: Option<Value>) -> Result<(), LowerError> {
    word.map_or(Ok(()), |word| sum.word(line, word))
}

fn store(line: &mut Line, sum: &mut Sum<'_>, result: Part, column: usize) {
    let word = sum.take(line);
    result.store(line, column, word);
}
