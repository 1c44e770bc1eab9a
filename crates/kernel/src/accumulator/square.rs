//! The columns of a square: `a^2 = 2 sum over i < j of B^(i+j) a_i a_j + sum over i of B^2i a_i^2`.
//!
//! The window holds the first sum undoubled. Columns are finished by batches: doubled in one chain, then
//! the squares that belong there are added in another. A multiplication may spoil a carry, so the carries
//! of the two chains are parked from batch to batch. Where the ranges allow no carry, none is parked.

use super::{AccumulateError, Accumulator, AccumulatorWord, Action, Carry, Source};
use crate::walk::Product;
use std::ops::Range;

/// Which carries may be set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Parked {
    doubling: bool,
    squares: bool,
}

impl Parked {
    /// Those that may be set in either case.
    pub(super) fn or(self, other: Parked) -> Parked {
        Parked { doubling: self.doubling || other.doubling, squares: self.squares || other.squares }
    }

    fn of(&mut self, carry: Carry) -> &mut bool {
        match carry {
            Carry::Doubling => &mut self.doubling,
            Carry::Squares => &mut self.squares,
        }
    }
}

impl Accumulator {
    /// Finishes and stores the lowest columns; both ends of `columns` are even.
    pub(super) fn finish_square(&mut self, columns: Range<usize>) -> Result<(), AccumulateError> {
        self.fold_catchers(columns.clone());
        self.double(columns.clone())?;
        self.multiply_squares(columns.clone());
        self.add_squares(columns.clone())?;
        for column in columns {
            self.store(column, false);
        }
        Ok(())
    }

    fn restore(&mut self, carry: Carry) -> bool {
        let set = std::mem::take(self.parked.of(carry));
        if set {
            self.actions.push(Action::Restore { carry });
        }
        set
    }

    /// Parks the carry out of the columns below `end`, if there can be one.
    fn park(&mut self, carry: Carry, set: bool, end: usize) -> Result<(), AccumulateError> {
        if set && end >= self.columns {
            return Err(AccumulateError::LongCarry { column: end });
        }
        if set {
            self.actions.push(Action::Park { carry });
        }
        *self.parked.of(carry) = set;
        Ok(())
    }

    fn double(&mut self, columns: Range<usize>) -> Result<(), AccumulateError> {
        let mut carry = self.restore(Carry::Doubling);
        for column in columns.clone() {
            let to = AccumulatorWord::Column(column);
            // the word is not larger than what stands in its column and above
            let most = self.high_part(self.total, column - self.base);
            let after = match *self.bound(to) {
                None if carry => {
                    self.actions.push(Action::Clear { to, in_chain: true });
                    self.add(to, Source::Zero, true, false);
                    carry = false;
                    1
                }
                None => continue,
                Some(bound) => {
                    let doubled = 2 * bound.min(most) + u128::from(carry);
                    // twice the first sum is less than the square, which has no more words
                    let carry_out = doubled > self.largest_word() && column + 1 < self.columns;
                    self.actions.push(Action::Double { to, carry_in: carry, carry_out });
                    carry = carry_out;
                    doubled
                }
            };
            *self.bound(to) = Some(after.min(self.largest_word()));
        }
        self.park(Carry::Doubling, carry, columns.end)
    }

    fn add(&mut self, to: AccumulatorWord, source: Source, carry_in: bool, carry_out: bool) {
        self.actions.push(Action::Add { to, source, carry_in, carry_out });
    }

    /// The squares of a batch; all but the last are set aside.
    fn multiply_squares(&mut self, columns: Range<usize>) {
        for column in columns.clone().step_by(2) {
            let i = column / 2;
            self.actions.push(Action::Multiply { a: i, b: i, product: Product { i, j: i } });
            if column + 2 < columns.end {
                let (low, high) = (AccumulatorWord::Square(column), AccumulatorWord::Square(column + 1));
                self.actions.push(Action::PlaceProduct { low, high });
                *self.bound(low) = Some(self.largest_word());
                *self.bound(high) = Some(self.largest_word() - 1);
            }
        }
    }

    fn add_squares(&mut self, columns: Range<usize>) -> Result<(), AccumulateError> {
        let squares: Vec<(AccumulatorWord, Source, u128)> =
            columns.clone().map(|column| self.square(column)).collect();
        // words that are not there take theirs first: then no clear is needed
        let absent = squares.iter().map(|(to, source, most)| {
            let absent = self.bound(*to).is_none();
            if absent {
                self.actions.push(Action::Place { to: *to, source: *source });
                *self.bound(*to) = Some(*most);
            }
            absent
        });
        let absent: Vec<bool> = absent.collect();
        let mut carry = self.restore(Carry::Squares);
        for ((to, source, most), absent) in squares.into_iter().zip(absent) {
            let standing = self.bound(to).unwrap_or(0);
            let (source, most) = if absent { (Source::Zero, 0) } else { (source, most) };
            let sum = standing + most + u128::from(carry);
            // the square of the whole operand has no more words
            let carry_out = sum > self.largest_word() && to.column() + 1 < self.columns;
            if carry || !absent {
                self.add(to, source, carry, carry_out);
            }
            carry = carry_out;
            *self.bound(to) = Some(sum.min(self.largest_word()));
        }
        self.park(Carry::Squares, carry, columns.end)
    }

    /// The word of a square that belongs to a column: where to, from where, its largest value. A square
    /// that was set aside is so no longer.
    fn square(&mut self, column: usize) -> (AccumulatorWord, Source, u128) {
        let waiting = AccumulatorWord::Square(column);
        let (source, most) = match (self.bound(waiting).take(), column % 2) {
            (Some(bound), _) => (Source::Accumulator(waiting), bound),
            (None, 0) => (Source::ProductLow, self.largest_word()),
            (None, _) => (Source::ProductHigh, self.largest_word() - 1),
        };
        (AccumulatorWord::Column(column), source, most)
    }
}
