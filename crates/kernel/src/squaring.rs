//! Squaring: half of the rhombus, doubled, and the squares of the words.
//!
//! `a^2 = 2 sum over i < j of B^(i+j) a_i a_j + sum over i of B^2i a_i^2`. The first sum is walked like a
//! multiplication, row by row; all rows but the last store it undoubled. The last row covers all columns
//! and finishes them by batches of `k` squares, that is `2k` columns (see `accumulator`).

use crate::accumulator::{self, AccumulateError, Action};
use crate::operands::{self, Needed};
use crate::schedule::Step;
use crate::walk::{Product, Row, WalkError, check_rows};
use std::ops::Range;

/// A squaring of an operand of `words` words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Squaring {
    /// Words of the operand.
    pub words: usize,
    /// Rows in order, column by column, of the products `A[i]*A[j]` with `i < j`. The last one covers the
    /// columns from 0 up to the top, some of them without a product.
    pub rows: Vec<Row>,
    /// Words of the result that are re-loaded and added at once; at least 1.
    pub carry_once: usize,
    /// Squares that are finished at once where registers are short; more where they are not. At least 1.
    pub batch: usize,
}

/// Why there are no actions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SquaringError {
    /// The accumulator cannot follow.
    #[error(transparent)]
    Accumulate(#[from] AccumulateError),
    /// Too few registers.
    #[error("{needed} registers are needed")]
    Registers {
        /// How many the accumulator needs.
        needed: usize,
    },
}

impl From<Needed> for SquaringError {
    fn from(Needed(needed): Needed) -> Self {
        SquaringError::Registers { needed }
    }
}

impl Squaring {
    /// Checks that the rows partition the triangle `i < j`, that columns are finished in order, and that
    /// each row's carry word is fresh.
    ///
    /// # Errors
    /// The first fault.
    pub fn validate(&self) -> Result<(), WalkError> {
        check_rows(self.words, &self.rows, |product| product.i < product.j)
    }

    /// What a processor has to do, with words of `word_bits` bits and `registers` of them for accumulator
    /// and operands together. Two more slots hold an operand word for one product only.
    ///
    /// # Errors
    /// Where the registers are too few.
    pub fn actions(&self, word_bits: u32, registers: usize) -> Result<Vec<Action>, SquaringError> {
        self.with_words(word_bits, registers, false)
    }

    /// The same, where the first actions load all words; as long as registers suffice none is loaded again.
    ///
    /// # Errors
    /// Where the registers are too few.
    pub fn actions_behind_loads(
        &self,
        word_bits: u32,
        registers: usize,
    ) -> Result<Vec<Action>, SquaringError> {
        self.with_words(word_bits, registers, true)
    }

    fn with_words(
        &self,
        word_bits: u32,
        registers: usize,
        loaded: bool,
    ) -> Result<Vec<Action>, SquaringError> {
        let steps = self.steps(&self.batches(registers, loaded));
        let actions = accumulator::follow(&steps, self.words, word_bits, 0)?;
        Ok(operands::place(&actions, self.words, registers, loaded)?)
    }

    /// The number of squares of each batch; `loaded` says that all words are there from the beginning.
    fn batches(&self, registers: usize, loaded: bool) -> Vec<usize> {
        let mut sizes = Vec::new();
        let mut done = 0;
        while done < self.words {
            let left = self.words - done;
            let fits = |size: &usize| {
                let end = 2 * (done + size);
                // words of the batch, squares that wait, words above
                let window = 2 * size + 2 * (size - 1) + if *size == left { 0 } else { 2 };
                window + self.live(end, loaded) <= registers
            };
            let least = self.batch.clamp(1, left);
            let size = (least..=left).take_while(fits).last().unwrap_or(least);
            sizes.push(size);
            done += size;
        }
        sizes
    }

    /// Operand words that are used both below column `end` of the last row, or loaded there, and from there on.
    fn live(&self, end: usize, loaded: bool) -> usize {
        let Some(row) = self.rows.last() else { return 0 };
        let (mut below, mut above) = (vec![loaded; self.words], vec![false; self.words]);
        for product in row.segments.iter().flat_map(|segment| &segment.products) {
            let seen = if product.column() < end { &mut below } else { &mut above };
            seen[product.i] = true;
            seen[product.j] = true;
        }
        above.iter_mut().skip(end / 2).for_each(|above| *above = true);
        below.iter().zip(&above).filter(|(below, above)| **below && **above).count()
    }

    fn steps(&self, batches: &[usize]) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut stored: Option<Range<usize>> = None;
        for (index, row) in self.rows.iter().enumerate() {
            let start = row.first_column;
            steps.push(Step::StartRow { column: start });
            let last = index + 1 == self.rows.len();
            let mut ends = batches.iter().scan(0, |end, size| {
                *end += 2 * size;
                Some(*end)
            });
            let mut open = start;
            let mut end = ends.next();
            let mut added = start; // columns below have their intermediates in the accumulator
            for (column, segment) in (start..).zip(&row.segments) {
                if let Some(stored) = &stored
                    && column >= added
                    && stored.contains(&column)
                {
                    let group = column..(column + self.carry_once.max(1)).min(stored.end);
                    added = group.end;
                    steps.push(Step::AddIntermediates { columns: group });
                }
                for product in &segment.products {
                    let Product { i, j } = *product;
                    steps.push(Step::Multiply { a: i, b: j, product: *product });
                }
                if !last {
                    steps.push(Step::Finish { columns: column..column + 1, intermediates: column..column });
                } else if Some(column + 1) == end {
                    steps.push(Step::FinishSquare { columns: open..column + 1 });
                    open = column + 1;
                    end = ends.next();
                }
            }
            if !last {
                let carry = row.carry_column();
                steps.push(Step::EndRow { column: carry });
                stored = Some(stored.map_or(start..carry + 1, |old| start.min(old.start)..carry + 1));
            }
        }
        steps
    }
}
