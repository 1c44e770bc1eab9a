//! Registers for code that is not made from a schedule.

use super::LowerError;
use crate::assembler::{X, Z};
use crate::conventions::Convention;

/// Registers that are still free, those that need no saving first.
#[derive(Clone, Debug)]
pub(super) struct Pick {
    free: Vec<u8>,
    all: usize,
    taken: usize,
}

impl Pick {
    /// All but the pairs with these low registers, the convention's zero register and what it leaves alone.
    pub(super) fn new(pairs: &[u8], convention: &Convention) -> Pick {
        let outside = |register: &u8| {
            let kept = Some(*register) == convention.zero || convention.untouched & 1 << register != 0;
            !kept && !pairs.contains(&(register & !1))
        };
        let mut free: Vec<u8> = (0..32).rev().filter(outside).collect();
        free.sort_by_key(|register| convention.saved & (1 << register) != 0);
        Pick { all: free.len(), free, taken: 0 }
    }

    /// A register that `fits`.
    pub(super) fn one(&mut self, fits: impl Fn(u8) -> bool) -> Result<u8, LowerError> {
        self.taken += 1;
        let at = self.free.iter().position(|register| fits(*register));
        at.map(|at| self.free.remove(at)).ok_or(self.lack(0))
    }

    /// A register that takes constants.
    pub(super) fn high(&mut self) -> Result<u8, LowerError> {
        self.one(|register| register >= 16)
    }

    /// So many registers that `fit`.
    pub(super) fn some(&mut self, count: usize, fits: impl Fn(u8) -> bool) -> Result<Vec<u8>, LowerError> {
        if self.free.iter().filter(|register| fits(**register)).count() < count {
            return Err(self.lack(count));
        }
        (0..count).map(|_| self.one(&fits)).collect()
    }

    /// Any registers.
    pub(super) fn array<const COUNT: usize>(&mut self) -> Result<[u8; COUNT], LowerError> {
        let mut array = [0; COUNT];
        for register in &mut array {
            *register = self.one(|_| true)?;
        }
        Ok(array)
    }

    /// The low register of an aligned pair that `fits`.
    pub(super) fn pair(&mut self, fits: impl Fn(u8) -> bool) -> Option<u8> {
        let whole = |low: &u8| low.is_multiple_of(2) && self.free.contains(&(low + 1)) && fits(*low);
        let low = self.free.iter().copied().find(whole)?;
        self.free.retain(|register| register & !1 != low);
        self.taken += 2;
        Some(low)
    }

    /// That `more` than those taken are too many.
    fn lack(&self, more: usize) -> LowerError {
        LowerError::Registers { needed: self.taken + more, available: self.all }
    }
}

/// A pair for the pointer to the result that waits: where it arrives, unless X is needed.
pub(super) fn result_home(convention: &Convention) -> Result<u8, LowerError> {
    let own = convention.arguments[0];
    if own != X {
        return Ok(own);
    }
    let mut free = Pick::new(&[[X, Z].as_slice(), &convention.arguments].concat(), convention);
    free.pair(|_| true).ok_or(LowerError::Pointers)
}
