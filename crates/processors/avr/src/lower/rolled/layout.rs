//! Which register holds what.

use crate::conventions::Convention;

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
}

impl Layout {
    /// Registers that need no saving are used first; counters must have constants added to them, and
    /// accumulator and zeros get theirs by aligned pairs, so that MOVW can place products and clear two
    /// words. `homes` are low registers of pairs that are taken already.
    pub(super) fn new(
        slots: usize,
        accumulator: usize,
        zeros: usize,
        counters: usize,
        convention: &Convention,
        homes: &[Option<u8>],
    ) -> Layout {
        let costly = |register: u8| convention.saved & (1 << register) != 0;
        let home = |register: u8| homes.iter().flatten().any(|home| *home == register & !1);
        let general = || (2..26).rev().filter(|register| !home(*register));
        let mut free: Vec<u8> = general().filter(|register| !costly(*register)).collect();
        free.extend(general().filter(|register| costly(*register)));
        let mut high = free.clone();
        high.retain(|register| *register >= 16);
        let counters = take_pairs(&mut high, counters);
        free.retain(|register| !counters.contains(register));
        let accumulator = take_pairs(&mut free, accumulator);
        let zeros = take_pairs(&mut free, zeros);
        Layout { zeros, accumulator, pool: free.into_iter().take(slots).collect(), counters }
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
