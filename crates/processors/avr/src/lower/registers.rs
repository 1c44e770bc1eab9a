//! Which register holds what.

use crate::conventions::Convention;
use rhomb_kernel::Place;

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
    /// so that MOVW can place products and clear two words. `homes` are low registers of pairs that are
    /// taken already.
    pub(super) fn new(
        slots: usize,
        accumulator: usize,
        zeros: usize,
        convention: &Convention,
        homes: &[Option<u8>],
    ) -> Layout {
        let costly = |register: &u8| convention.saved & (1 << register) != 0;
        let mut free: Vec<u8> =
            (2..26).rev().filter(|register| !homes.contains(&Some(register & !1))).collect();
        free.sort_by_key(costly);
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
    /// Registers of word and catcher, by column.
    places: Vec<[u8; 2]>,
}

impl Allocation {
    pub(super) fn new(registers: &[u8]) -> Self {
        let mut free = registers.to_vec();
        free.sort_unstable();
        Allocation { free, cleared: None, places: Vec::new() }
    }

    fn entry(&mut self, place: Place) -> &mut u8 {
        let column = place.column();
        if self.places.len() <= column {
            self.places.resize(column + 1, [0; 2]);
        }
        match place {
            Place::Word(_) => &mut self.places[column][0],
            Place::Catcher(_) => &mut self.places[column][1],
        }
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
        *self.entry(place) = register;
        register
    }

    /// A register for a new word that must be zero, if one is cleared already.
    pub(super) fn take_cleared(&mut self, place: Place) -> Option<u8> {
        let register = self.cleared.take()?;
        self.free.retain(|free| *free != register);
        *self.entry(place) = register;
        Some(register)
    }

    /// An aligned pair, to be cleared as a whole: its low register for a new word, its high one for the
    /// next that must be zero.
    pub(super) fn take_half_pair(&mut self, place: Place) -> Option<u8> {
        let even = *self.free.iter().find(|register| *register % 2 == 0 && self.paired(**register))?;
        self.free.retain(|free| *free != even);
        *self.entry(place) = even;
        self.cleared = Some(even + 1);
        Some(even)
    }

    /// An aligned pair for two new words, if there is one.
    pub(super) fn take_pair(&mut self, low: Place, high: Place) -> Option<u8> {
        let even = *self.free.iter().find(|register| *register % 2 == 0 && self.paired(**register))?;
        self.free.retain(|register| register / 2 != even / 2);
        self.cleared = self.cleared.filter(|cleared| cleared / 2 != even / 2);
        *self.entry(low) = even;
        *self.entry(high) = even + 1;
        Some(even)
    }

    /// Gives the register of one word to another.
    pub(super) fn rename(&mut self, from: Place, to: Place) {
        *self.entry(to) = self.of(from);
    }

    /// The register of a word that is there.
    pub(super) fn of(&self, place: Place) -> u8 {
        let [word, catcher] = self.places[place.column()];
        match place {
            Place::Word(_) => word,
            Place::Catcher(_) => catcher,
        }
    }

    /// The register of a word that is no longer needed; it is free afterwards.
    pub(super) fn release(&mut self, place: Place) -> u8 {
        let register = self.of(place);
        let at = self.free.partition_point(|free| *free < register);
        self.free.insert(at, register);
        register
    }
}
