//! Below what no multiplication of this kind goes.

/// Instructions that a multiplication by single products of words cannot do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Floor {
    /// `n^2`: each product once.
    pub multiplications: usize,
    /// `2n^2 - 2n`: the products have `2n^2` words, the result `2n`, and an addition makes one of two. What
    /// carries take beside is not counted.
    pub additions: usize,
    /// Each operand word at least once. With `m` registers, and `s` loads and stores between which `m` words
    /// may be at hand before and `m` more come in, at most `m^2` products are made: so `n^2 / m - m` where
    /// that is more (J.-W. Hong and H. T. Kung, "I/O complexity: the red-blue pebble game", STOC 1981).
    pub loads: usize,
    /// Each result word once.
    pub stores: usize,
}

impl Floor {
    /// For `n` words of each operand and `registers` registers.
    pub fn of(n: usize, registers: usize) -> Floor {
        let registers = registers.max(1);
        Floor {
            multiplications: n * n,
            additions: 2 * n * n - 2 * n,
            loads: (2 * n).max((n * n / registers).saturating_sub(registers)),
            stores: 2 * n,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accumulator::{Action, accumulate};
    use crate::methods::walks;
    use crate::parameters::Parameters;
    use crate::schedule::Schedule;

    /// No method has fewer of anything.
    #[test]
    fn no_method_goes_below() {
        for words in [1, 2, 3, 5, 8, 16, 20, 24] {
            for method in walks() {
                let Some(walk) = method.walk(words, &Parameters::default()) else { continue };
                let schedule = Schedule::new(&walk, walk.pool, 0);
                let actions = accumulate(&schedule, 8, 8).unwrap();
                let floor = Floor::of(words, walk.pool + 4);
                let additions = actions.iter().filter(|one| matches!(one, Action::Add { .. })).count();
                let accesses = schedule.accesses();
                assert!(additions >= floor.additions, "{} {words}", method.name);
                assert!(accesses.operand_loads >= floor.loads, "{} {words}", method.name);
                assert!(accesses.stores >= floor.stores, "{} {words}", method.name);
            }
        }
        assert_eq!(Floor::of(20, 24), Floor { multiplications: 400, additions: 760, loads: 40, stores: 40 });
    }
}
