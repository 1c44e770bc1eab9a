//! How a product by phases is written.

use super::Parts;
use super::rows::{LENGTHS, Rows};
use rhomb_machine::Random;

/// How it is written, as bits: which of nine products have wide rows, then [`Plan::KEPT`] and so on, and two numbers of four bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plan(pub(super) u32);

impl Plan {
    /// The low half of H's first product is left to the allocation, not to the stack.
    pub(super) const KEPT: u32 = 9;
    /// The differences of L are formed after both products of its parts, from words that are loaded again.
    pub(super) const LATE_LOW: u32 = 10;
    /// The same for H, whose products wait on the stack and are read there.
    pub(super) const LATE_HIGH: u32 = 11;
    /// Words of x in H that stay in registers where the others wait on the stack.
    pub(super) const STAYS_X: u32 = 12;
    /// The same of y.
    pub(super) const STAYS_Y: u32 = 16;
    /// A sign inside L is a word, not T; then those of M and H.
    pub(super) const SIGN: u32 = 20;
    /// The pointer to a stays in its registers.
    pub(super) const HAS_X: u32 = 23;
    /// That to b.
    pub(super) const HAS_Y: u32 = 24;
    /// The first of [`Plan::LAST`] is of two parts itself; then those of the others.
    const HALVED: u32 = 25;
    /// The highest quarter of L waits on the stack, where H reads it there; then the quarter below it, too.
    const PUSHED: u32 = 30;
    /// All bits.
    const BITS: u32 = 32;
    /// Products whose factors may end with them: P and M of L, M of M, P and M of H.
    const LAST: [u32; 5] = [0, 2, 5, 6, 8];
    /// Those of a product of two parts.
    const OF_TWO: [u32; 4] = [0, 1, 2, Plan::SIGN];

    /// What a search begins with.
    pub(super) fn usual(parts: Parts) -> Plan {
        let stays = |x: u32, y: u32| x << Plan::STAYS_X | y << Plan::STAYS_Y;
        Plan(match parts {
            Parts { levels: 1, .. } => 1,
            Parts { words: 4, .. } => 0x41 | 1 << Plan::KEPT | stays(4, 4),
            Parts { words: 5, .. } => 0x41 | stays(5, 5),
            Parts { words: 6, .. } => 1 | stays(1, 6),
            Parts { words: 7, .. } => 0x41 | stays(0, 2),
            _ => 0x141 | 1 << Plan::LATE_LOW | 1 << Plan::LATE_HIGH | 31 << Plan::HALVED | 3 << Plan::PUSHED,
        })
    }

    /// With up to two other bits.
    pub(super) fn changed(self, levels: usize, seed: u32) -> Plan {
        let mut random = Random::new(u64::from(seed) ^ 0xb175);
        let mut own = self.0;
        for _ in 0..random.index(3) {
            own ^= 1
                << match levels {
                    1 => *random.pick(&Plan::OF_TWO),
                    _ => random.index(Plan::BITS as usize) as u32,
                };
        }
        Plan(own)
    }

    pub(super) fn rows(self, product: u32) -> Rows {
        if self.has(product) { Rows::Wide } else { Rows::Narrow }
    }
    /// Whether a product of parts of q words is of two parts itself.
    pub(super) fn is_halved(self, product: u32, q: usize) -> bool {
        let own = Plan::LAST.iter().zip(Plan::HALVED..).find(|(own, _)| **own == product);
        own.is_some_and(|(_, bit)| self.has(bit)) && q.is_multiple_of(2) && LENGTHS.contains(&(q / 2))
    }
    /// From which word on the high half of L waits on the stack.
    pub(super) fn pushed(self, q: usize) -> usize {
        match [Plan::LATE_HIGH, Plan::PUSHED, Plan::PUSHED + 1].map(|bit| self.has(bit)) {
            [true, true, true] => 0,
            [true, true, false] => q,
            _ => 2 * q,
        }
    }
    pub(super) fn has(self, bit: u32) -> bool {
        self.0 >> bit & 1 == 1
    }
    /// How many words stay, of so many.
    pub(super) fn stays(self, from: u32, most: usize) -> usize {
        (self.0 >> from & 15).min(most as u32) as usize
    }
}
