//! What a schedule does, product by product and row by row, ready to be drawn.

use rhomb_kernel::{Operand, Product, Schedule, Step};
use std::collections::BTreeSet;

/// Of which operands a part of a row loads words. It tells apart the four parts of a row of operand
/// caching (Hutter and Wenger 2020, section 3.4), of any other method, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Loads {
    Both,
    B,
    A,
    Nothing,
}

impl Loads {
    pub(crate) const ALL: [Loads; 4] = [Loads::Both, Loads::B, Loads::A, Loads::Nothing];

    fn of(loads: &[Load]) -> Loads {
        let a = loads.iter().any(|load| matches!(load.operand, Operand::A(_)));
        let b = loads.iter().any(|load| matches!(load.operand, Operand::B(_)));
        match (a, b) {
            (true, true) => Loads::Both,
            (false, true) => Loads::B,
            (true, false) => Loads::A,
            (false, false) => Loads::Nothing,
        }
    }
}

/// A load of an operand word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Load {
    pub(crate) operand: Operand,
    /// Whether the word was loaded before.
    pub(crate) again: bool,
}

/// A product with the loads that it waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Visit {
    /// Number in the order of computation, from 1.
    pub(crate) order: usize,
    pub(crate) product: Product,
    pub(crate) loads: Vec<Load>,
}

/// Consecutive products of a row whose loads are alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) loads: Loads,
    pub(crate) visits: Vec<Visit>,
}

/// A store of a result word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Store {
    pub(crate) column: usize,
    /// Whether the word is stored again later.
    pub(crate) intermediate: bool,
}

/// What happens with one accumulator. Where a single row finishes several columns at a time (as blocks do),
/// what is finished together counts as a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DrawnRow {
    pub(crate) parts: Vec<Part>,
    /// Columns whose stored words are loaded and added.
    pub(crate) added: Vec<usize>,
    pub(crate) stores: Vec<Store>,
}

impl DrawnRow {
    pub(crate) fn visits(&self) -> impl Iterator<Item = &Visit> {
        self.parts.iter().flat_map(|part| &part.visits)
    }

    /// Lowest and highest column that is stored.
    pub(crate) fn columns(&self) -> Option<(usize, usize)> {
        let columns = self.stores.iter().map(|store| store.column);
        columns.clone().min().zip(columns.max())
    }
}

/// All of a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tour {
    pub(crate) words: usize,
    pub(crate) rows: Vec<DrawnRow>,
    /// Whether `rows` are the groups of columns of a single row.
    pub(crate) grouped: bool,
}

/// How often something happens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) products: usize,
    pub(crate) first_loads: usize,
    pub(crate) again_loads: usize,
    pub(crate) added: usize,
    pub(crate) intermediate_stores: usize,
    pub(crate) final_stores: usize,
}

impl Tour {
    pub(crate) fn of(schedule: &Schedule) -> Tour {
        let mut rows = Vec::new();
        let mut row = DrawnRow::default();
        let mut segment: Vec<Visit> = Vec::new();
        let mut waiting: Vec<Load> = Vec::new();
        let mut loaded = BTreeSet::new();
        let mut order = 0;
        let grouped = is_grouped(schedule);
        for step in &schedule.steps {
            match step {
                Step::StartRow { .. } => row = DrawnRow::default(),
                Step::Load { operand, .. } => {
                    waiting.push(Load { operand: *operand, again: !loaded.insert(*operand) });
                }
                Step::Multiply { product, .. } => {
                    order += 1;
                    let loads = std::mem::take(&mut waiting);
                    segment.push(Visit { order, product: *product, loads });
                }
                Step::AddIntermediates { columns } => row.added.extend(columns.clone()),
                Step::Finish { columns, intermediates } => {
                    row.added.extend(intermediates.clone());
                    row.stores.extend(columns.clone().map(|column| Store { column, intermediate: false }));
                    join(&mut row.parts, std::mem::take(&mut segment));
                    if grouped {
                        rows.push(std::mem::take(&mut row));
                    }
                }
                // the last row of a square has no carry word
                Step::FinishSquare { columns } => {
                    row.stores.extend(columns.clone().map(|column| Store { column, intermediate: false }));
                    join(&mut row.parts, std::mem::take(&mut segment));
                    if columns.end == 2 * schedule.words {
                        rows.push(std::mem::take(&mut row));
                    }
                }
                Step::EndRow { column } => {
                    if let Some(last) = rows.pop_if(|_| grouped) {
                        row = last;
                    }
                    row.stores.push(Store { column: *column, intermediate: false });
                    rows.push(std::mem::take(&mut row));
                }
            }
        }
        let mut later = BTreeSet::new();
        for store in rows.iter_mut().rev().flat_map(|row| row.stores.iter_mut().rev()) {
            store.intermediate = !later.insert(store.column);
        }
        Tour { words: schedule.words, rows, grouped }
    }

    /// Lines that the stores take.
    pub(crate) fn levels(&self) -> usize {
        if self.grouped { 1 } else { self.rows.len() }
    }

    /// The line of a row's stores.
    pub(crate) fn level(&self, row: usize) -> usize {
        if self.grouped { 0 } else { row }
    }

    pub(crate) fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for row in &self.rows {
            counts.products += row.visits().count();
            for load in row.visits().flat_map(|visit| &visit.loads) {
                *if load.again { &mut counts.again_loads } else { &mut counts.first_loads } += 1;
            }
            counts.added += row.added.len();
            for store in &row.stores {
                let count = match store.intermediate {
                    true => &mut counts.intermediate_stores,
                    false => &mut counts.final_stores,
                };
                *count += 1;
            }
        }
        counts
    }

    /// Which parts there are.
    pub(crate) fn kinds(&self) -> Vec<Loads> {
        let there =
            |loads: &Loads| self.rows.iter().flat_map(|row| &row.parts).any(|part| part.loads == *loads);
        Loads::ALL.into_iter().filter(there).collect()
    }
}

/// Whether there is one row, with several groups of columns.
fn is_grouped(schedule: &Schedule) -> bool {
    let rows = schedule.steps.iter().filter(|step| matches!(step, Step::StartRow { .. })).count();
    let groups = schedule.steps.iter().filter_map(|step| match step {
        Step::Finish { columns, .. } => Some(columns.len()),
        _ => None,
    });
    rows == 1 && groups.clone().count() > 1 && groups.max() > Some(1)
}

/// Adds a segment to the part before it if their loads are alike.
fn join(parts: &mut Vec<Part>, visits: Vec<Visit>) {
    if visits.is_empty() {
        return;
    }
    let all: Vec<Load> = visits.iter().flat_map(|visit| &visit.loads).copied().collect();
    let loads = Loads::of(&all);
    match parts.last_mut().filter(|part| part.loads == loads) {
        Some(part) => part.visits.extend(visits),
        None => parts.push(Part { loads, visits }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rhomb_kernel::{Operation, Parameters, method, walks};

    fn tour(name: &str, words: usize, parameters: &Parameters) -> (Tour, Schedule) {
        let walk = method(Operation::Mul, name).unwrap().walk(words, parameters).unwrap();
        let schedule = Schedule::new(&walk, walk.pool, 2);
        (Tour::of(&schedule), schedule)
    }

    #[test]
    fn counts_are_those_of_the_schedule() {
        for method in walks() {
            for words in [1, 2, 4, 8, 20, 33] {
                let (tour, schedule) = tour(method.name, words, &Parameters::default());
                let (counts, accesses) = (tour.counts(), schedule.accesses());
                assert_eq!(counts.products, words * words);
                assert_eq!(counts.first_loads, 2 * words, "every word is loaded");
                assert_eq!(counts.first_loads + counts.again_loads, accesses.operand_loads);
                assert_eq!(counts.added, accesses.intermediate_loads);
                assert_eq!(counts.final_stores, 2 * words, "every result word is stored");
                assert_eq!(counts.final_stores + counts.intermediate_stores, accesses.stores);
                assert_eq!(counts.intermediate_stores, counts.added, "what is stored early is added later");
            }
        }
    }

    /// The parts of a row of operand caching: what was loaded in the first stays, then B streams, then A,
    /// and the last part loads nothing.
    #[test]
    fn a_row_of_operand_caching_has_its_four_parts() {
        let parameters = Parameters { cache: Some(4), initial_block: Some(0), ..Default::default() };
        let (tour, _) = tour("operand-caching", 20, &parameters);
        let kinds =
            |row: usize| -> Vec<Loads> { tour.rows[row].parts.iter().map(|part| part.loads).collect() };
        assert_eq!(kinds(0), [Loads::Both, Loads::Nothing]);
        assert_eq!(kinds(4), [Loads::Both, Loads::B, Loads::A, Loads::Nothing]);
        let sizes: Vec<usize> = tour.rows[4].parts.iter().map(|part| part.visits.len()).collect();
        assert_eq!(sizes, [10, 64, 64, 6]);
    }
}
