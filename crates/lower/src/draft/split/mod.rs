//! Splits: parts multiplied in turn, in one straight line with a frame on the stack.
//!
//! All of the products, and what makes the result of them, are one line, whose instructions are put in order and get
//! registers together. Offsets reach every word of the operands and of the frame, so that nothing is called and no
//! pointer moves. Each level has its words in the frame: differences or sums, their product, and the flags; they remain
//! there, below the stack pointer, after the return.
//!
//! Two halves whose pair is a difference are put together in few passes over their words, other parts by the steps of
//! their plan ([`steps`]), which takes longer.
//!
//! No instruction depends on data but by the time of a multiplication: signs are masks, carries come by comparison.

mod steps;

use super::core::{Fault, Setting};
use super::form::{Draft, Made, Memory, Name, Pair, ZERO};
use crate::split::{Level, Location, Numbers, frame_words, product};
use rhomb_kernel::split::Node;
use rhomb_kernel::split::halves::{Action, Block, Chain, Halves, SIGN};
use rhomb_kernel::split::plan::Flag;
use std::collections::HashMap;

/// Words of a block: the fewest, as a line has no blocks of registers.
const BLOCK: usize = 2;

/// Registers that the difference of two halves takes beside those of its words.
const BESIDE_WORDS: usize = 10;

/// Operand words that products hold at a time, fewer than a walk asks for.
const FEWER: [usize; 6] = [0, 1, 2, 4, 7, 10];
/// Words of A that stay where columns wait in registers.
const WIDTHS: [usize; 4] = [4, 3, 6, 8];

/// Drafts of a tree of splits, each with fewer operand words at a time than the one before, or by strips of other widths, and the
/// words of the stack that they use; `available` are registers beside those of the arguments.
pub(in crate::draft) fn splits(
    node: &Node,
    available: usize,
    setting: &Setting,
) -> impl Iterator<Item = Result<(Draft, usize), Fault>> {
    let accumulates = setting.abilities.accumulates();
    let all: &[usize] = if accumulates { &FEWER } else { &WIDTHS };
    all.iter().map(move |own| {
        let mut draft = Draft::default();
        let pointers = setting.arguments.map(|register| draft.argument(register));
        let [result, a, b] = pointers.map(|pointer| draft.memory(pointer));
        let frame = draft.memory(Name::Register(setting.stack));
        let mut tree = Tree { draft, setting, available, own: *own, made: Vec::new() };
        product(&mut tree, node, &Numbers { result, a, b, frame })?;
        let mut draft = tree.draft;
        if accumulates {
            return Ok((draft, split_words(node)));
        }
        // where words are is decided with the registers
        draft.forward(frame, usize::MAX, false);
        draft.forward(result, usize::MAX, true);
        draft.is_spare(result);
        Ok((draft, 0))
    })
}

/// Words of the stack that a tree of splits takes.
fn split_words(node: &Node) -> usize {
    frame_words::<Tree>(node)
}

impl Location for Memory {
    fn plus(self, words: usize) -> Memory {
        Memory::plus(self, words)
    }
}

struct Tree<'a> {
    draft: Draft,
    setting: &'a Setting,
    available: usize,
    /// Of [`FEWER`] or [`WIDTHS`].
    own: usize,
    /// Flags that are made and not yet stored.
    made: Vec<(Flag, Made)>,
}

impl Tree<'_> {
    /// `to = |x - y|`, of which x is not the shorter one; gives 1 where `x < y`.
    fn absolute_difference(&mut self, [to, x, y]: [Memory; 3], [low, high]: [usize; 2]) -> Made {
        let held = low <= self.available.saturating_sub(BESIDE_WORDS);
        let line = &mut self.draft;
        let mut words: Vec<Made> = Vec::new();
        let mut borrow: Option<Made> = None;
        for index in 0..low {
            let minuend = x.load(line, index);
            let subtrahend = (index < high).then(|| y.load(line, index));
            let (word, own) = steps::difference(line, minuend, subtrahend, borrow);
            borrow = own;
            if held {
                words.push(word);
            } else {
                to.store(line, index, word);
            }
        }
        // both have words
        let less = borrow.unwrap_or_else(|| line.number(0));
        let mask = line.pair(Pair::Subtract, ZERO, less);
        // -d is the complement of d - 1
        let mut borrow = less;
        for index in 0..low {
            let word = words.get(index).copied().unwrap_or_else(|| to.load(line, index));
            let lowered = line.pair(Pair::Subtract, word, borrow);
            if index + 1 < low {
                borrow = line.pair(Pair::Below, word, borrow);
            }
            let word = line.pair(Pair::Xor, lowered, mask);
            to.store(line, index, word);
        }
        less
    }

    /// Makes the result of the three products.
    fn put_together(&mut self, level: &Level<Memory>, halves: Halves) {
        let own = &level.own;
        let sign = level.flags.load(&mut self.draft, SIGN);
        let line = &mut self.draft;
        // M is added where the sign is set
        let mask = line.with_number(Pair::Add, sign, -1);
        let subtracted = line.with_number(Pair::Xor, sign, 1);
        let mut carries = HashMap::from([(Chain::Middle, subtracted)]);
        let (mut x, mut y): (Vec<Name>, Vec<Name>) = (Vec::new(), Vec::new());
        // what is added to the highest words: a number, then its sign and a carry
        let mut extension: Vec<Made> = Vec::new();
        let mut above: Option<Made> = None;
        for action in halves.recombination(BLOCK) {
            match action {
                Action::Load { to, from } => {
                    let part = own.place(from);
                    let words = (0..from.length).map(|index| Name::from(part.load(line, index))).collect();
                    match to {
                        Block::X => x = words,
                        Block::Y => y = words,
                    }
                }
                Action::Store { from, to } => {
                    let part = own.place(to);
                    let words = if from == Block::X { &x } else { &y };
                    words.iter().enumerate().for_each(|(index, word)| part.store(line, index, *word));
                }
                Action::Clear { length } => y = vec![ZERO; length],
                Action::Complement => {
                    y = y.iter().map(|word| line.pair(Pair::Xor, *word, mask).into()).collect();
                }
                Action::Add(chain) => {
                    for (x, y) in x.iter_mut().zip(&y) {
                        let added = [Some(*y), carries.remove(&chain).map(Name::from)];
                        let (word, carry) = sum(line, *x, added);
                        *x = word;
                        carries.extend(carry.map(|carry| (chain, carry)));
                    }
                }
                Action::Carry(chain) => {
                    for y in &mut y {
                        let added = [None, carries.remove(&chain).map(Name::from)];
                        let (word, carry) = sum(line, *y, added);
                        *y = word;
                        carries.extend(carry.map(|carry| (chain, carry)));
                    }
                }
                Action::Extend => {
                    let of = |chain| carries.get(&chain).map_or(ZERO, |carry| Name::from(*carry));
                    let [sum, middle] = [of(Chain::Sum), of(Chain::Middle)];
                    let both = line.pair(Pair::Add, sum, middle);
                    extension = vec![line.pair(Pair::Add, both, mask)];
                    let any = line.pair(Pair::Or, sum, middle);
                    let negative = line.pair(Pair::Below, any, subtracted);
                    above = Some(line.pair(Pair::Subtract, ZERO, negative));
                }
                Action::AddExtension => {
                    for x in &mut x {
                        let added = [extension.first(), extension.get(1)];
                        let (word, carry) = sum(line, *x, added.map(|value| value.copied().map(Name::from)));
                        *x = word;
                        extension = above.into_iter().chain(carry).collect();
                    }
                }
            }
        }
    }
}

/// `x` and up to two more words, of which the second is at most 1; the sum, and its carry, which is at most 1, too.
fn sum(line: &mut Draft, x: Name, added: [Option<Name>; 2]) -> (Name, Option<Made>) {
    let mut word = x;
    let mut carry: Option<Made> = None;
    for more in added.into_iter().flatten().filter(|more| *more != ZERO) {
        if word == ZERO {
            word = more;
            continue;
        }
        let sum = line.pair(Pair::Add, word, more);
        let own = line.pair(Pair::Below, sum, more);
        carry = Some(carry.map_or(own, |carry| line.pair(Pair::Add, carry, own)));
        word = sum.into();
    }
    (word, carry)
}
