//! A walk with its operand loads placed and its intermediates grouped.

use crate::pool;
use crate::walk::{Operand, Product, Walk};
use std::ops::Range;

/// Groups of so many intermediates are added when the first of their columns is complete: before, the products of
/// that column would have to carry past them.
const LATE: usize = 3;

/// One step of a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A row begins at this column with an empty accumulator.
    StartRow {
        /// Lowest column of the row.
        column: usize,
    },
    /// An operand word is loaded into a slot of the pool.
    Load {
        /// Slot; from [`Schedule::slots`] on, one that holds it for the next product only.
        slot: usize,
        /// The word.
        operand: Operand,
    },
    /// The product of two slots is added to the accumulator.
    Multiply {
        /// Slot of the word of A.
        a: usize,
        /// Slot of the word of B.
        b: usize,
        /// The product.
        product: Product,
    },
    /// Words that an earlier row stored are added to the accumulator at once.
    AddIntermediates {
        /// Their columns.
        columns: Range<usize>,
    },
    /// The lowest columns are finished and stored; with `intermediates`, the words that earlier rows
    /// stored there are added first, in one carry chain.
    Finish {
        /// The columns.
        columns: Range<usize>,
        /// Which columns from the lowest on (possibly none, or some above those that are finished) hold intermediates
        /// to add.
        intermediates: Range<usize>,
    },
    /// The lowest columns of a square are finished and stored: they are doubled, and the squares of the
    /// words that belong there are added. Both ends are even. Word `i` stands in the slot of its number.
    FinishSquare {
        /// The columns.
        columns: Range<usize>,
    },
    /// The row ends: its carry word is stored.
    EndRow {
        /// Column of the carry word.
        column: usize,
    },
}

/// A walk as a list of steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Words of either operand.
    pub words: usize,
    /// Slots of the operand pool; those that are never used stand at its end.
    pub slots: usize,
    /// Slots of the pool that are really used.
    pub used: usize,
    /// Most columns that lie between the lowest open one and a product's own: 0 column-wise.
    pub reach: usize,
    /// The steps.
    pub steps: Vec<Step>,
}

/// Memory accesses of a schedule, in words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accesses {
    /// Loads of operand words.
    pub operand_loads: usize,
    /// Loads of intermediate result words.
    pub intermediate_loads: usize,
    /// Stores of result words, intermediate or final.
    pub stores: usize,
}

impl Schedule {
    /// Schedules a valid walk: operand words in a pool of `slots` registers with furthest-next-use
    /// eviction, each load at the point of first use; `passing` further slots hold a word for the next
    /// product only (registers that the product itself will overwrite); intermediates in groups of
    /// `walk.carry_once`, at the first column of a group where segments are columns (groups of three or more at its
    /// end), and at the end of the segment where segments span several.
    pub fn new(walk: &Walk, slots: usize, passing: usize) -> Schedule {
        let products: Vec<Product> = walk.products().collect();
        let mut placed = pool::place(&products, walk.words, slots, passing).into_iter().zip(&products);
        let (mut used, mut reach) = (0, 0);
        let mut steps = Vec::with_capacity(2 * products.len());
        // result words stored so far form one range of columns, because rows are contiguous and
        // overlap or touch
        let mut stored: Option<Range<usize>> = None;
        for row in &walk.rows {
            steps.push(Step::StartRow { column: row.first_column });
            let mut base = row.first_column;
            let intermediates = |columns: Range<usize>| match &stored {
                Some(stored) => {
                    let start = columns.start.max(stored.start).min(columns.end);
                    start..columns.end.min(stored.end).max(start)
                }
                None => columns.start..columns.start,
            };
            let columns_only = row.segments.iter().all(|segment| segment.finishes == 1);
            let mut added = base; // columns below have their intermediates in the accumulator
            for segment in &row.segments {
                let columns = base..base + segment.finishes;
                let old = intermediates(columns.clone());
                let mut at_end = old.start..old.start;
                // a group may reach into a segment of several columns: what is left of that one's is added before its end
                let mut rest = None;
                if segment.finishes > 1 {
                    if added > base {
                        rest = Some(old.start.max(added).min(old.end)..old.end);
                    } else {
                        at_end = old;
                    }
                } else if !old.is_empty() && base >= added {
                    let group = intermediates(base..base + walk.carry_once.max(1));
                    let group = base..group.end.min(row.carry_column());
                    added = group.end;
                    if walk.carry_once >= LATE && columns_only {
                        at_end = group;
                    } else {
                        steps.push(Step::AddIntermediates { columns: group });
                    }
                }
                for _ in &segment.products {
                    let Some((place, product)) = placed.next() else { break };
                    for load in place.loads {
                        if load.slot < slots {
                            used = used.max(load.slot + 1);
                        }
                        steps.push(Step::Load { slot: load.slot, operand: load.operand });
                    }
                    reach = reach.max(product.column() - base);
                    steps.push(Step::Multiply { a: place.a, b: place.b, product: *product });
                }
                if let Some(columns) = rest.filter(|rest| !rest.is_empty()) {
                    steps.push(Step::AddIntermediates { columns });
                }
                steps.push(Step::Finish { columns: columns.clone(), intermediates: at_end });
                base = columns.end;
            }
            steps.push(Step::EndRow { column: base });
            stored = Some(match stored {
                None => row.first_column..base + 1,
                Some(old) => old.start.min(row.first_column)..old.end.max(base + 1),
            });
        }
        Schedule { words: walk.words, slots, used, reach, steps }
    }

    /// Counts the memory accesses.
    pub fn accesses(&self) -> Accesses {
        let mut accesses = Accesses::default();
        for step in &self.steps {
            match step {
                Step::Load { .. } => accesses.operand_loads += 1,
                Step::AddIntermediates { columns } => accesses.intermediate_loads += columns.len(),
                Step::Finish { columns, intermediates } => {
                    accesses.stores += columns.len();
                    accesses.intermediate_loads += intermediates.len();
                }
                Step::FinishSquare { columns } => accesses.stores += columns.len(),
                Step::EndRow { .. } => accesses.stores += 1,
                Step::StartRow { .. } | Step::Multiply { .. } => {}
            }
        }
        accesses
    }
}
