//! Which register holds what.

use crate::conventions::Convention;
use rhomb_kernel::Place;
use std::collections::HashMap;

/// The registers beside the pointers and the product, by use.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// One register that holds zero, or an aligned pair of them.
    pub(super) zeros: Vec<u8>,
    /// Accumulator.
    pub(super) accumulator: Vec<u8>,
    /// Operand pool, by slot.
    pub(super) pool: Vec<u8>,
}

impl Layout {
    /// Registers that need no saving are used first; accumulator and zeros get them by aligned pairs,
    /// so that MOVW can place products and clear two words.
    pub(super) fn new(slots: usize, accumulator: usize, zeros: usize, convention: &Convention) -> Layout {
        let costly = |register: u8| convention.saved & (1 << register) != 0;
        let mut free: Vec<u8> = (2..26).rev().filter(|register| !costly(*register)).collect();
        free.extend((2..26).rev().filter(|register| costly(*register)));
        let accumulator = take_pairs(&mut free, accumulator);
        let zeros = take_pairs(&mut free, zeros);
        Layout { zeros, accumulator, pool: free.into_iter().take(slots).collect() }
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

/// The accumulator's registers while the program runs.
pub(super) struct Allocation {
    free: Vec<u8>,
    /// A free register that holds zero.
    cleared: Option<u8>,
    places: HashMap<Place, u8>,
}

impl Allocation {
    pub(super) fn new(registers: &[u8]) -> Self {
        let mut free = registers.to_vec();
        free.sort_unstable();
        Allocation { free, cleared: None, places: HashMap::new() }
    }

    fn paired(&self, register: u8) -> bool {
        self.free.contains(&(register ^ 1))
    }

    /// A register for a new word: one whose neighbour is taken, so that pairs stay whole, and one that
    /// is not cleared already.
    pub(super) fn take(&mut self, place: Place) -> u8 {
        let rank = |register: u8| (self.cleared == Some(register), self.paired(register));
        let best = (0..self.free.len()).min_by_key(|at| rank(self.free[*at])).unwrap_or(0);
        let register = self.free.remove(best);
        self.cleared = self.cleared.filter(|cleared| *cleared != register);
        self.places.insert(place, register);
        register
    }

    /// A register for a new word that must be zero, if one is cleared already.
    pub(super) fn take_cleared(&mut self, place: Place) -> Option<u8> {
        let register = self.cleared.take()?;
        self.free.retain(|free| *free != register);
        self.places.insert(place, register);
        Some(register)
    }

    /// An aligned pair, to be cleared as a whole: its low register for a new word, its high one for the
    /// next that must be zero.
    pub(super) fn take_half_pair(&mut self, place: Place) -> Option<u8> {
        let even = *self.free.iter().find(|register| *register % 2 == 0 && self.paired(**register))?;
        self.free.retain(|free| *free != even);
        self.places.insert(place, even);
        self.cleared = Some(even + 1);
        Some(even)
    }

    /// An aligned pair for two new words, if there is one.
    pub(super) fn take_pair(&mut self, low: Place, high: Place) -> Option<u8> {
        let even = *self.free.iter().find(|register| *register % 2 == 0 && self.paired(**register))?;
        self.free.retain(|register| register / 2 != even / 2);
        self.cleared = self.cleared.filter(|cleared| cleared / 2 != even / 2);
        self.places.insert(low, even);
        self.places.insert(high, even + 1);
        Some(even)
    }

    /// Gives the register of one word to another.
    pub(super) fn rename(&mut self, from: Place, to: Place) {
        if let Some(register) = self.places.remove(&from) {
            self.places.insert(to, register);
        }
    }

    /// The register of a word that is there.
    pub(super) fn of(&self, place: Place) -> u8 {
        self.places[&place]
    }

    /// The register of a word that is no longer needed; it is free afterwards.
    pub(super) fn release(&mut self, place: Place) -> u8 {
        let register = self.of(place);
        self.places.remove(&place);
        let at = self.free.partition_point(|free| *free < register);
        self.free.insert(at, register);
        register
    }
}
