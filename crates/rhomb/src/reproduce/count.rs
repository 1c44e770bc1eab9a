//! Counts on real schedules, by the papers' rules.

use super::parameters;
use rhomb_kernel::{Operation, Row, Schedule, Segment, Step, Walk, method};
use rhomb_papers::tables::{Afresh, Count, Way};
use std::collections::HashSet;
use std::ops::Range;

/// The number asked for; `None` where there is no such walk.
pub(super) fn count(way: &Way, what: Count) -> Option<i64> {
    let walk = walk(way)?;
    let number = match what {
        Count::Loads(afresh) => loads(&walk, afresh),
        Count::Stores => whole(&walk).accesses().stores,
        Count::Accesses(afresh) => loads(&walk, afresh) + whole(&walk).accesses().stores,
        Count::PartLoads { p, part } => parts(&walk, way, p)?.get(part)?.0,
        Count::PartStores { p, part } => parts(&walk, way, p)?.get(part)?.1,
        // the words that a product reaches above the lowest open column, its high word, and the carry
        Count::Registers => walk.pool + whole(&walk).reach + 3,
        Count::Intermediates => whole(&walk).accesses().intermediate_loads,
        Count::Additions => additions(&whole(&walk)),
        Count::BlockIntermediates => block_runs(&walk, rows(way)?)?.into_iter().sum(),
        Count::BlockAdditions(c) => {
            let c = usize::try_from(c).ok().filter(|c| *c > 0)?;
            block_runs(&walk, rows(way)?)?.into_iter().map(|run| block_additions(run, c)).sum()
        }
    };
    i64::try_from(number).ok()
}

fn walk(way: &Way) -> Option<Walk> {
    method(Operation::Mul, way.method)?.walk(usize::try_from(way.words).ok()?, &parameters(way))
}

fn whole(walk: &Walk) -> Schedule {
    Schedule::new(walk, walk.pool, 0)
}

/// The schedule of some segments alone, which begin with empty registers.
fn alone(walk: &Walk, first_column: usize, segments: &[Segment]) -> Schedule {
    let row = Row { first_column, segments: segments.to_vec() };
    Schedule::new(&Walk { rows: vec![row], ..walk.clone() }, walk.pool, 0)
}

/// Loads of operands, afresh as often as said, and of intermediates.
fn loads(walk: &Walk, afresh: Afresh) -> usize {
    let bare = Walk { rows: Vec::new(), ..walk.clone() };
    let of =
        |first_column, segments: &[Segment]| alone(&bare, first_column, segments).accesses().operand_loads;
    let mut loads = whole(walk).accesses().intermediate_loads;
    for row in &walk.rows {
        match afresh {
            Afresh::Row => loads += of(row.first_column, &row.segments),
            Afresh::Column => {
                let mut base = row.first_column;
                for segment in &row.segments {
                    loads += of(base, std::slice::from_ref(segment));
                    base += segment.finishes;
                }
            }
        }
    }
    loads
}

/// Loads and stores of the initial block and of the parts of row `p` of operand caching.
fn parts(walk: &Walk, way: &Way, p: i64) -> Option<[(usize, usize); 5]> {
    let (n, e) = (walk.words, usize::try_from(way.cache?).ok()?);
    let p = usize::try_from(p).ok().filter(|p| (p + 1) * e <= n)?;
    let block = n % e > 0;
    let x = p * e;
    let at = |column: usize| match column {
        column if column < x + e => 1,
        column if column < n => 2,
        column if column < 2 * n - x - e => 3,
        _ => 4,
    };
    let mut parts = [(0, 0); 5];
    let mut add = |index: usize, part: &dyn Fn(usize) -> usize| {
        let row = walk.rows.get(index)?;
        let cold = alone(walk, row.first_column, &row.segments);
        let mut column = row.first_column;
        for step in &cold.steps {
            match step {
                Step::Load { .. } => parts[part(column)].0 += 1,
                Step::Finish { columns, .. } => {
                    parts[part(column)].1 += columns.len();
                    column = columns.end;
                }
                Step::EndRow { column } => parts[part(*column)].1 += 1,
                _ => {}
            }
        }
        for columns in intermediates_of_row(&whole(walk), index) {
            for column in columns {
                parts[part(column)].0 += 1;
            }
        }
        Some(())
    };
    if block {
        add(0, &|_| 0)?;
    }
    add(usize::from(block) + (n / e - 1 - p), &at)?;
    Some(parts)
}

/// Groups of intermediates that the row of that index adds.
fn intermediates_of_row(schedule: &Schedule, index: usize) -> Vec<Range<usize>> {
    let row = schedule.steps.split(|step| matches!(step, Step::EndRow { .. })).nth(index).unwrap_or_default();
    row.iter().filter_map(group).collect()
}

/// The intermediates that a step adds at once.
fn group(step: &Step) -> Option<Range<usize>> {
    match step {
        Step::AddIntermediates { columns } => Some(columns.clone()),
        Step::Finish { intermediates, .. } => Some(intermediates.clone()),
        _ => None,
    }
    .filter(|columns| !columns.is_empty())
}

/// Additions of intermediates: a group takes one for each word, and one for its carry.
fn additions(schedule: &Schedule) -> usize {
    schedule.steps.iter().filter_map(group).map(|columns| columns.len() + 1).sum()
}

fn rows(way: &Way) -> Option<usize> {
    usize::try_from(way.rows?).ok().filter(|d| *d > 0)
}

/// For each block of the hybrid method, the words of its accumulator that an earlier block stored; all of its
/// `2d + 1` words are stored at its end. `d` divides the number of words.
fn block_runs(walk: &Walk, d: usize) -> Option<Vec<usize>> {
    if !walk.words.is_multiple_of(d) {
        return None;
    }
    let products: Vec<_> = walk.products().collect();
    let mut stored: HashSet<usize> = HashSet::new();
    let mut runs = Vec::new();
    for block in products.chunks(d * d) {
        let base = block.first()?.column();
        let columns = base..base + 2 * d + 1;
        runs.push(columns.clone().take_while(|column| stored.contains(column)).count());
        stored.extend(columns);
    }
    Some(runs)
}

/// Additions of a run, `c` words at once: a group takes one for each word, and one for its carry, unless it
/// is the whole run.
fn block_additions(run: usize, c: usize) -> usize {
    if run <= c { run } else { (0..run).step_by(c).map(|start| c.min(run - start) + 1).sum() }
}
