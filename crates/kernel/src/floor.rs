//! Below what no routine of this kind goes.

use crate::accumulator::{Action, accumulate};
use crate::methods::{Parameters, method};
use crate::operation::Operation;
use crate::schedule::Schedule;

/// Instructions that a multiplication cannot do without, as far as is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Floor {
    /// `n^2`: each product once.
    pub multiplications: usize,
    /// Additions of product scanning, with known ranges: one row, so that no word is added twice. No walk
    /// that was tried has fewer; this is no proof that none has.
    pub additions: usize,
    /// Each operand word at least once. With `m` registers, and `s` loads and stores between which `m` words
    /// may be at hand before and `m` more come in, at most `m^2` products are made: so `n^2 / m - m` where
    /// that is more (J.-W. Hong and H. T. Kung, "I/O complexity: the red-blue pebble game", STOC 1981).
    pub loads: usize,
    /// Each result word once.
    pub stores: usize,
}

impl Floor {
    /// For `n` words of `word_bits` bits and `registers` registers.
    pub fn of(n: usize, word_bits: u32, registers: usize) -> Option<Floor> {
        let walk = method(Operation::Mul, "product-scanning")?.walk(n, &Parameters::default())?;
        let schedule = Schedule::new(&walk, 2 * n, 0);
        let actions = accumulate(&schedule, word_bits, 0).ok()?;
        let registers = registers.max(1);
        Some(Floor {
            multiplications: n * n,
            additions: actions.iter().filter(|action| matches!(action, Action::Add { .. })).count(),
            loads: (2 * n).max((n * n / registers).saturating_sub(registers)),
            stores: 2 * n,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::walks;

    /// No method has fewer of anything, with registers for all words or for few.
    #[test]
    fn no_method_goes_below() {
        for words in [1, 2, 3, 5, 8, 16, 20, 24] {
            for method in walks() {
                let Some(walk) = method.walk(words, &Parameters::default()) else { continue };
                let schedule = Schedule::new(&walk, walk.pool, 0);
                let actions = accumulate(&schedule, 8, 8).unwrap();
                let floor = Floor::of(words, 8, walk.pool + 4).unwrap();
                let additions = actions.iter().filter(|one| matches!(one, Action::Add { .. })).count();
                let accesses = schedule.accesses();
                assert!(additions >= floor.additions, "{} {words}", method.name);
                assert!(accesses.operand_loads >= floor.loads, "{} {words}", method.name);
                assert!(accesses.stores >= floor.stores, "{} {words}", method.name);
            }
        }
        assert_eq!(Floor::of(20, 8, 24).unwrap().multiplications, 400);
        assert_eq!(Floor::of(20, 8, 24).unwrap().additions, 1194);
    }
}
