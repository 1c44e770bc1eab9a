//! Operand words in a pool of registers: on a miss, the word that is needed last makes room.

use crate::walk::{Operand, Product};

/// A load into the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Load {
    pub(crate) operand: Operand,
    pub(crate) slot: usize,
}

/// Where a product finds its operands, and what must be loaded before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    pub(crate) loads: Vec<Load>,
    pub(crate) a: usize,
    pub(crate) b: usize,
}

/// Places the operands of `products` in `slots` registers, with the fewest loads for this order
/// (L. A. Belady, "A study of replacement algorithms", IBM Systems Journal 5(2), 1966). Slots are
/// taken from 0 upwards, so a small multiplication uses few of them.
///
/// Slots from `slots` on (as many as `passing`) hold a word for one product only: they take the words
/// that would be the first to go again. Needs `slots + passing >= 2`.
pub(crate) fn place(products: &[Product], words: usize, slots: usize, passing: usize) -> Vec<Placed> {
    const NEVER: usize = usize::MAX;
    let index = |operand: Operand| match operand {
        Operand::A(i) => i,
        Operand::B(j) => words + j,
    };
    // next use of each operand after each product, found backwards
    let mut upcoming = vec![NEVER; 2 * words];
    let mut next_use = vec![[NEVER; 2]; products.len()];
    for (time, product) in products.iter().enumerate().rev() {
        for (side, operand) in [Operand::A(product.i), Operand::B(product.j)].into_iter().enumerate() {
            next_use[time][side] = upcoming[index(operand)];
            upcoming[index(operand)] = time;
        }
    }
    let mut slot_of: Vec<Option<usize>> = vec![None; 2 * words];
    let mut held: Vec<Option<(Operand, usize)>> = vec![None; slots]; // the word and its next use
    let mut placed = Vec::with_capacity(products.len());
    for (time, product) in products.iter().enumerate() {
        let pair = [Operand::A(product.i), Operand::B(product.j)];
        let mut loads = Vec::new();
        let mut at = [0; 2];
        let mut passed = 0;
        for (side, operand) in pair.into_iter().enumerate() {
            let slot = slot_of[index(operand)].unwrap_or_else(|| {
                let next = next_use[time][side];
                let free = |slot: &usize| held[*slot].is_none();
                let slot = (0..slots).find(free).or_else(|| {
                    let mut victim = None;
                    for (slot, word) in held.iter().enumerate() {
                        if let Some((word, next)) = word
                            && !pair.contains(word)
                            && victim.is_none_or(|(_, latest)| *next > latest)
                        {
                            victim = Some((slot, *next));
                        }
                    }
                    let stays = |latest: usize| next < latest || passed == passing;
                    victim.filter(|(_, latest)| stays(*latest)).map(|(slot, _)| slot)
                });
                let Some(slot) = slot else {
                    let slot = slots + passed;
                    passed += 1;
                    loads.push(Load { operand, slot });
                    return slot;
                };
                if let Some((evicted, _)) = held[slot] {
                    slot_of[index(evicted)] = None;
                }
                slot_of[index(operand)] = Some(slot);
                loads.push(Load { operand, slot });
                slot
            });
            if slot < slots {
                held[slot] = Some((operand, next_use[time][side]));
            }
            at[side] = slot;
        }
        placed.push(Placed { loads, a: at[0], b: at[1] });
    }
    placed
}
