//! Operand words in the registers that the accumulator leaves, action by action.
//!
//! The accumulator needs more words at some times than at others. So the pool is as large as what is
//! left at each product; on a miss, or when the accumulator grows, the word that is needed last makes
//! room, as in L. A. Belady, "A study of replacement algorithms", IBM Systems Journal 5(2), 1966.

use crate::accumulator::{Action, change};
use crate::walk::Operand;

const NEVER: usize = usize::MAX;

/// Too few registers: even without operand words the accumulator needs this many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Needed(pub(crate) usize);

/// A product: its action, the words of the accumulator that are there before it, the most of them from
/// then to the next product, its two operands (equal for a square) and the next use of each.
struct Use {
    before: usize,
    most: usize,
    operands: [usize; 2],
    next: [usize; 2],
}

/// Gives the products of one operand's words (`Multiply` without any `Load`) slots, and inserts the
/// loads; a slot is free again after the last use of its word. Accumulator and pool together take at most `registers`; the slots `registers` and
/// `registers + 1` hold a word for one product only. With `loaded` all words are loaded at first.
pub(crate) fn place(
    actions: &[Action],
    words: usize,
    registers: usize,
    loaded: bool,
) -> Result<Vec<Action>, Needed> {
    let uses = uses(actions, words);
    if let Some(most) = uses.iter().map(|product| product.most).filter(|most| *most > registers).max() {
        return Err(Needed(most));
    }
    let mut pool = Pool { held: vec![None; registers], slot_of: vec![None; words], placed: Vec::new() };
    if loaded {
        if words > registers {
            return Err(Needed(words));
        }
        for word in 0..words {
            let first = uses.iter().position(|product| product.operands.contains(&word));
            pool.held[word] = Some((word, first.unwrap_or(NEVER)));
            pool.slot_of[word] = Some(word);
            pool.placed.push(Action::Load { slot: word, operand: Operand::A(word) });
        }
    }
    let mut uses = uses.iter();
    for action in actions {
        match (action, uses.as_slice().first()) {
            (Action::Multiply { product, .. }, Some(one)) => {
                uses.next();
                let slots = pool.fetch(one, registers);
                pool.placed.push(Action::Multiply { a: slots[0], b: slots[1], product: *product });
                pool.keep(one, registers);
            }
            _ => pool.placed.push(*action),
        }
    }
    Ok(pool.placed)
}

fn uses(actions: &[Action], words: usize) -> Vec<Use> {
    let mut uses: Vec<Use> = Vec::new();
    let mut now = 0i32;
    for action in actions {
        if let Action::Multiply { product, .. } = action {
            let here = now.max(0) as usize;
            uses.push(Use { before: here, most: here, operands: [product.i, product.j], next: [NEVER; 2] });
        }
        now += change(action);
        if let Some(last) = uses.last_mut() {
            last.most = last.most.max(now.max(0) as usize);
        }
    }
    let mut upcoming = vec![NEVER; words];
    for (time, product) in uses.iter_mut().enumerate().rev() {
        product.next = product.operands.map(|word| upcoming[word]);
        for word in product.operands {
            upcoming[word] = time;
        }
    }
    uses
}

struct Pool {
    /// By slot: the word and its next use.
    held: Vec<Option<(usize, usize)>>,
    slot_of: Vec<Option<usize>>,
    placed: Vec<Action>,
}

impl Pool {
    fn count(&self) -> usize {
        self.held.iter().flatten().count()
    }

    fn release(&mut self, slot: usize) {
        if let Some((word, _)) = self.held[slot].take() {
            self.slot_of[word] = None;
        }
    }

    /// Releases the word that is needed last among those that `may` go, if there is one.
    fn evict(&mut self, may: impl Fn(usize, usize) -> bool) -> bool {
        let words = self.held.iter().enumerate().filter_map(|(slot, held)| Some((slot, (*held)?)));
        let last = words.filter(|(_, (word, next))| may(*word, *next)).max_by_key(|(_, (_, next))| *next);
        if let Some((slot, _)) = last {
            self.release(slot);
        }
        last.is_some()
    }

    /// Loads what is missing; gives the slots of both operands.
    fn fetch(&mut self, product: &Use, registers: usize) -> [usize; 2] {
        let [a, b] = product.operands;
        let mut passed = 0;
        let mut slots = [0; 2];
        for side in 0..2 {
            let (word, next) = (product.operands[side], product.next[side]);
            slots[side] = self.slot_of[word].unwrap_or_else(|| {
                if side == 1 && a == b {
                    return slots[0];
                }
                let other = product.operands[1 - side];
                // room for it before the product, and for it and what else stays after the product
                let stays = |pool: &Pool| {
                    let gone = |held: &(usize, usize)| held.0 == other && product.next[1 - side] == NEVER;
                    let staying = pool.held.iter().flatten().filter(|held| !gone(held)).count();
                    product.before + pool.count() < registers && product.most + staying < registers
                };
                let mut kept = next != NEVER && stays(self);
                while !kept && next != NEVER && self.evict(|word, own| word != a && word != b && own > next) {
                    kept = stays(self);
                }
                let slot = match self.held.iter().position(Option::is_none).filter(|_| kept) {
                    Some(slot) => {
                        self.held[slot] = Some((word, next));
                        self.slot_of[word] = Some(slot);
                        slot
                    }
                    None => {
                        passed += 1;
                        registers + passed - 1
                    }
                };
                self.placed.push(Action::Load { slot, operand: Operand::A(word) });
                slot
            });
        }
        slots
    }

    /// After a product: keeps what is used again, as far as there is room.
    fn keep(&mut self, product: &Use, registers: usize) {
        for (word, next) in product.operands.into_iter().zip(product.next) {
            if let Some(slot) = self.slot_of[word] {
                self.held[slot] = Some((word, next));
                if next == NEVER {
                    self.release(slot);
                }
            }
        }
        while self.count() + product.most > registers && self.evict(|_, _| true) {}
    }
}
