//! Which register holds what.

use crate::conventions::Convention;
use rhomb_kernel::{Carry, Place};

/// The registers beside the pointers and the product, by use.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// One register that holds zero, or an aligned pair of them.
    pub(super) zeros: Vec<u8>,
    /// Accumulator.
    pub(super) accumulator: Vec<u8>,
    /// Operand pool, by slot. Slots beyond it get registers of the accumulator while they are in use.
    pub(super) pool: Vec<u8>,
    /// Masks of carries that wait.
    pub(super) parked: Vec<u8>,
    /// Registers that are not taken as long as others are free (bit n is Rn).
    pub(super) reluctant: u32,
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
        let pool = free.into_iter().take(slots).collect();
        Layout { zeros, accumulator, pool, parked: Vec::new(), reluctant: 0 }
    }

    /// For a routine whose operand words share the registers of the accumulator: all but R0, R1 and those
    /// of `pointers`, with `zeros` zeros and `parked` masks.
    pub(super) fn shared(pointers: &[u8], zeros: usize, parked: usize, convention: &Convention) -> Layout {
        let costly = |register: u8| convention.saved & (1 << register) != 0;
        let mut free: Vec<u8> = (2..32).filter(|register| !pointers.contains(&(register & !1))).collect();
        free.sort_by_key(|register| (costly(*register), std::cmp::Reverse(*register)));
        let zeros = take_pairs(&mut free, zeros);
        let parked = take_pairs(&mut free, parked);
        Layout { zeros, accumulator: free, pool: Vec::new(), parked, reluctant: convention.saved }
    }

    /// The mask of a carry that waits.
    pub(super) fn mask(&self, carry: Carry) -> u8 {
        self.parked[carry as usize]
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
    /// Registers of word, catcher and square, by column.
    places: Vec<[u8; 3]>,
    /// Registers by slot.
    slots: Vec<u8>,
    reluctant: u32,
}

impl Allocation {
    pub(super) fn new(layout: &Layout) -> Self {
        let mut free = layout.accumulator.clone();
        free.sort_unstable();
        let slots = layout.pool.clone();
        Allocation { free, cleared: None, places: Vec::new(), slots, reluctant: layout.reluctant }
    }

    fn entry(&mut self, place: Place) -> &mut u8 {
        let column = place.column();
        if self.places.len() <= column {
            self.places.resize(column + 1, [0; 3]);
        }
        match place {
            Place::Word(_) => &mut self.places[column][0],
            Place::Catcher(_) => &mut self.places[column][1],
            Place::Square(_) => &mut self.places[column][2],
        }
    }

    fn paired(&self, register: u8) -> bool {
        self.free.contains(&(register ^ 1))
    }

    fn is_reluctant(&self, register: u8) -> bool {
        self.reluctant & 1 << register != 0
    }

    /// One whose neighbour is taken, so that pairs stay whole, and one that is not cleared already.
    fn take_any(&mut self) -> u8 {
        let rank = |register: u8| {
            (self.is_reluctant(register), self.cleared == Some(register), self.paired(register))
        };
        let best = (0..self.free.len()).min_by_key(|at| rank(self.free[*at])).unwrap_or(0);
        let register = self.free.remove(best);
        self.cleared = self.cleared.filter(|cleared| *cleared != register);
        self.reluctant &= !(1 << register);
        register
    }

    /// A register for a new word.
    pub(super) fn take(&mut self, place: Place) -> u8 {
        let register = self.take_any();
        *self.entry(place) = register;
        register
    }

    /// The register of a slot.
    pub(super) fn slot(&self, slot: usize) -> u8 {
        self.slots.get(slot).copied().unwrap_or(0)
    }

    /// A register for a slot that had none.
    pub(super) fn take_slot(&mut self, slot: usize) -> u8 {
        if self.slots.len() <= slot {
            self.slots.resize(slot + 1, 0);
        }
        let register = self.take_any();
        self.slots[slot] = register;
        register
    }

    /// The slot needs no register any more.
    pub(super) fn release_slot(&mut self, slot: usize) {
        self.give_back(self.slot(slot));
    }

    /// A register for a new word that must be zero, if one is cleared already.
    pub(super) fn take_cleared(&mut self, place: Place) -> Option<u8> {
        let register = self.cleared.take()?;
        self.free.retain(|free| *free != register);
        *self.entry(place) = register;
        Some(register)
    }

    /// A free aligned pair's low register.
    fn pair(&mut self) -> Option<u8> {
        let pairs = self.free.iter().filter(|register| *register % 2 == 0 && self.paired(**register));
        let even = *pairs.min_by_key(|register| self.is_reluctant(**register))?;
        self.reluctant &= !(3 << even);
        Some(even)
    }

    /// An aligned pair, to be cleared as a whole: its low register for a new word, its high one for the
    /// next that must be zero.
    pub(super) fn take_half_pair(&mut self, place: Place) -> Option<u8> {
        let even = self.pair()?;
        self.free.retain(|free| *free != even);
        *self.entry(place) = even;
        self.cleared = Some(even + 1);
        Some(even)
    }

    /// An aligned pair for two new words, if there is one.
    pub(super) fn take_pair(&mut self, low: Place, high: Place) -> Option<u8> {
        let even = self.pair()?;
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
        let [word, catcher, square] = self.places[place.column()];
        match place {
            Place::Word(_) => word,
            Place::Catcher(_) => catcher,
            Place::Square(_) => square,
        }
    }

    /// The register of a word that is no longer needed; it is free afterwards.
    pub(super) fn release(&mut self, place: Place) -> u8 {
        let register = self.of(place);
        self.give_back(register);
        register
    }

    fn give_back(&mut self, register: u8) {
        let at = self.free.partition_point(|free| *free < register);
        self.free.insert(at, register);
    }
}
