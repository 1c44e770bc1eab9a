//! Which register holds what.

use super::access::Pointers;
use crate::conventions::Convention;
use rhomb_kernel::Carry;

/// How many registers there are for each use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts {
    pub(super) slots: usize,
    pub(super) accumulator: usize,
    pub(super) zeros: usize,
    pub(super) counters: usize,
    pub(super) masks: usize,
}

/// The registers beside the pointers and the product, by use.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// One register that holds zero, or an aligned pair of them.
    pub(super) zeros: Vec<u8>,
    /// Accumulator.
    pub(super) accumulator: Vec<u8>,
    /// Operand pool, by slot.
    pub(super) pool: Vec<u8>,
    /// Loop counters, from R16 upwards.
    pub(super) counters: Vec<u8>,
    /// Carries that wait, where the routine has any.
    masks: Vec<u8>,
}

impl Layout {
    /// Registers that need no saving are used first; counters must have constants added to them, and
    /// accumulator and zeros get theirs by aligned pairs, so that MOVW can place products and clear two
    /// words.
    pub(super) fn new(counts: &Counts, convention: &Convention, pointers: &Pointers) -> Layout {
        let costly = |register: u8| convention.saved & (1 << register) != 0;
        let taken = |register: u8| pointers.take(register) || convention.untouched & (1 << register) != 0;
        let general = || (2..32).rev().filter(|register| !taken(*register));
        let mut free: Vec<u8> = general().filter(|register| !costly(*register)).collect();
        free.extend(general().filter(|register| costly(*register)));
        let mut high = free.clone();
        high.retain(|register| *register >= 16);
        let counters = take_pairs(&mut high, counts.counters);
        free.retain(|register| !counters.contains(register));
        let accumulator = take_pairs(&mut free, counts.accumulator);
        let zeros = take_pairs(&mut free, counts.zeros);
        let mut free = free.into_iter();
        let pool = free.by_ref().take(counts.slots).collect();
        Layout { zeros, accumulator, pool, counters, masks: free.take(counts.masks).collect() }
    }

    /// Where a carry waits.
    pub(super) fn mask(&self, carry: Carry) -> u8 {
        self.masks.get(carry as usize).copied().unwrap_or(0)
    }
}

/// Removes `count` registers, by aligned pairs as far as possible.
fn take_pairs(free: &mut Vec<u8>, count: usize) -> Vec<u8> {
    let mut taken = Vec::new();
    while taken.len() < count {
        let pair = free.iter().copied().find(|register| register % 2 == 0 && free.contains(&(register + 1)));
        let wanted = count - taken.len();
        let Some(even) = pair.filter(|_| wanted > 1) else {
            taken.extend(free.drain(..wanted.min(free.len())));
            break;
        };
        free.retain(|register| register / 2 != even / 2);
        taken.extend([even, even + 1]);
    }
    taken
}
