//! The highest column first (J. Grossschaedl, E. Savas, CHES 2004, algorithm 2): what stands above it comes back as a
//! multiple of C = R mod p within the pass that adds up the others, so that a bit at most is left above R.

use super::{Number, Task, address};
use num_bigint::BigUint;
use rhomb_line::{Array, Line, Source};

impl Task<'_> {
    /// a + b, where C has half of the words at most.
    pub(super) fn sum_from_the_highest(&self) -> Option<Line> {
        if self.d < 2 || 2 * self.count(&self.back) > self.d {
            return None;
        }
        let last = self.d - 1;
        let mut line = Line::default();
        let [a, b] = [Array::A, Array::B].map(|array| self.value(&mut line, address(array, last)));
        let top = line.add(a, Some(b), false, true);
        let mask = line.spread(false);
        let back = self.words(&self.back, self.d);
        let masked: Vec<_> = back.iter().map(|word| self.masked(&mut line, mask, *word)).collect();
        let columns = (0..self.d).map(|column| {
            let own = match column == last {
                true => vec![Source::Value(top)],
                false => [Array::A, Array::B].map(|array| address(array, column)).into(),
            };
            own.into_iter().chain(masked[column].map(Source::Value)).collect()
        });
        let columns: Vec<Vec<Source>> = columns.collect();
        let most = self.most(&vec![2; last]) + &self.back;
        Some(self.added_up(line, &columns, most))
    }

    /// A number of 2d words modulo a generalized Mersenne number without subtractions.
    pub(super) fn product_from_the_highest(&self) -> Option<Line> {
        let rows = self.rows().filter(|rows| rows.iter().flatten().all(|times| *times >= 0))?;
        let last = self.d - 1;
        if self.d < 2 || rows[0][last] > 0 {
            return None;
        }
        // the row of a word above R, for which 0 stands
        let columns = |column: usize| {
            let own = [address(Array::A, column)].into_iter();
            let more = rows.iter().enumerate().flat_map(move |(i, row)| {
                std::iter::repeat_n(address(Array::A, self.d + i), row[column] as usize)
            });
            own.chain(more)
        };
        let mut line = Line::default();
        line.clear();
        columns(last).for_each(|word| line.plus(word));
        let top = line.take(2);
        let above = line.take(1);
        let mut all: Vec<Vec<Source>> = (0..last).map(|column| columns(column).collect()).collect();
        all.push(vec![Source::Value(top)]);
        for (column, times) in all.iter_mut().zip(&rows[0]) {
            column.extend((0..*times).map(|_| Source::Value(above)));
        }
        let counts: Vec<u32> = (0..last).map(|column| columns(column).count() as u32).collect();
        let most = self.most(&counts) + &self.back * columns(last).count();
        Some(self.added_up(line, &all, most))
    }

    /// The most that columns of so many words add up to with a word in the highest.
    fn most(&self, counts: &[u32]) -> BigUint {
        self.weighted(&[counts, &[1]].concat())
    }

    /// Columns added up, to a number that is at most so large.
    fn added_up(&self, mut line: Line, columns: &[Vec<Source>], most: BigUint) -> Line {
        line.clear();
        let mut words = Vec::new();
        for column in 0..=self.d {
            columns.get(column).into_iter().flatten().for_each(|word| line.plus(*word));
            let word = line.take(self.d + 1 - column);
            words.push(self.at_home(&mut line, word, column));
        }
        self.folded(line, Number { words, most, minus: false }, None)
    }
}
