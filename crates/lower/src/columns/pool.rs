//! Numbers that products read: the words of the column with the most of them, so that the others find theirs one after the
//! other.

use rhomb_line::{Op, Source, Term};
use std::collections::HashMap;

/// The numbers, and which of them a term reads, by the term's place among the operations.
#[derive(Default)]
pub(super) struct Pool {
    pub(super) numbers: Vec<u16>,
    terms: HashMap<usize, usize>,
}

impl Pool {
    pub(super) fn of(ops: &[Op]) -> Pool {
        let mut columns: Vec<Vec<(usize, u16)>> = vec![Vec::new()];
        for (at, op) in ops.iter().enumerate() {
            match op {
                Op::Term(Term { factor: Some(Source::Number(number)), .. }) => {
                    columns.last_mut().into_iter().for_each(|column| column.push((at, *number as u16)));
                }
                Op::Take { .. } | Op::Clear => columns.push(Vec::new()),
                _ => {}
            }
        }
        columns.retain(|column| !column.is_empty());
        let mut pool = Pool::default();
        let mut by_length: Vec<&Vec<(usize, u16)>> = columns.iter().collect();
        by_length.sort_by_key(|column| usize::MAX - column.len());
        for column in by_length {
            if pool.starts(column).next().is_none() {
                pool.numbers.extend(column.iter().rev().map(|term| term.1));
            }
        }
        let mut last = 0;
        for column in &columns {
            // near that of the column before
            let start = pool.starts(column).min_by_key(|start| start.abs_diff(last + 1)).unwrap_or(0);
            pool.terms.extend(column.iter().enumerate().map(|(at, (term, _))| (*term, start - at)));
            last = start;
        }
        pool
    }

    /// Where the numbers of a column stand one below the other: the places of the first.
    fn starts(&self, column: &[(usize, u16)]) -> impl Iterator<Item = usize> {
        let fits = |start: &usize| {
            let word = |at: usize| start.checked_sub(at).and_then(|at| self.numbers.get(at));
            column.iter().enumerate().all(|(at, term)| word(at) == Some(&term.1))
        };
        (0..self.numbers.len()).filter(fits).collect::<Vec<_>>().into_iter()
    }

    /// Where a number stands.
    pub(super) fn index(&mut self, number: u16) -> usize {
        let found = self.numbers.iter().position(|own| *own == number);
        found.unwrap_or_else(|| {
            self.numbers.push(number);
            self.numbers.len() - 1
        })
    }

    /// Where the factor of a term stands.
    pub(super) fn of_term(&self, at: usize) -> Option<usize> {
        self.terms.get(&at).copied()
    }
}
