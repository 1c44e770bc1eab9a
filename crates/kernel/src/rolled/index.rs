//! Numbers that depend on loop counters.

use std::ops::{Add, Mul, Neg, Sub};

/// The most loops inside each other.
pub const DEPTH: usize = 2;

/// `at + by[0] * outer counter + by[1] * inner counter`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Index {
    /// The constant.
    pub at: isize,
    /// What a counter counts for, outermost loop first.
    pub by: [isize; DEPTH],
}

impl Index {
    /// The counter of the loop with `depth` loops around it; `depth` is below [`DEPTH`].
    pub fn counter(depth: usize) -> Index {
        Index { at: 0, by: std::array::from_fn(|at| isize::from(at == depth)) }
    }

    /// Its value for given counters.
    pub fn value(&self, counters: &[isize; DEPTH]) -> isize {
        self.at + self.by.iter().zip(counters).map(|(by, counter)| by * counter).sum::<isize>()
    }

    /// Its value, where it depends on no counter.
    pub fn constant(&self) -> Option<isize> {
        (self.by == [0; DEPTH]).then_some(self.at)
    }

    /// Divided by a number that divides it.
    pub fn divided(&self, by: isize) -> Index {
        Index { at: self.at / by, by: self.by.map(|counter| counter / by) }
    }

    /// The same with the counter at `depth` replaced by `value`.
    pub fn with(&self, depth: usize, value: Index) -> Index {
        let by = self.by[depth];
        let mut rest = *self;
        rest.by[depth] = 0;
        rest + value * by
    }
}

impl From<isize> for Index {
    fn from(at: isize) -> Index {
        Index { at, by: [0; DEPTH] }
    }
}

impl From<usize> for Index {
    fn from(at: usize) -> Index {
        Index::from(at as isize)
    }
}

impl From<i32> for Index {
    fn from(at: i32) -> Index {
        Index::from(at as isize)
    }
}

impl<T: Into<Index>> Add<T> for Index {
    type Output = Index;
    fn add(self, other: T) -> Index {
        let other = other.into();
        Index { at: self.at + other.at, by: std::array::from_fn(|at| self.by[at] + other.by[at]) }
    }
}

impl Neg for Index {
    type Output = Index;
    fn neg(self) -> Index {
        self * -1
    }
}

impl<T: Into<Index>> Sub<T> for Index {
    type Output = Index;
    fn sub(self, other: T) -> Index {
        self + -other.into()
    }
}

impl Mul<isize> for Index {
    type Output = Index;
    fn mul(self, by: isize) -> Index {
        Index { at: self.at * by, by: self.by.map(|counter| counter * by) }
    }
}
