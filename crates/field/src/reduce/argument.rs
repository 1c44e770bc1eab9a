//! Division by R modulo a number that is an argument: the second operand is a workspace that holds it, with what belongs to
//! it. A quotient below R + n comes back below R where R - n is added to the words of one that has a carry above them.

use super::montgomery::{Divided, Divisor, Order};
use super::{Task, address};
use num_bigint::BigUint;
use rhomb_line::{Array, Line, Logic, Source};

/// Where a workspace holds a modulus n of so many words, which stands at word 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workspace {
    /// Where R - n begins.
    pub complement: usize,
    /// The word -1/n.
    pub inverse: usize,
    /// Words of them all.
    pub words: usize,
}

impl Workspace {
    /// One number behind the other.
    pub fn of(words: usize) -> Self {
        Workspace { complement: words, inverse: 2 * words, words: 2 * words + 1 }
    }
}

/// Straight lines that divide a number of twice so many words by R modulo the number in a [`Workspace`], on words of so many
/// bits.
pub fn by_argument(words: usize, bits: u32) -> Vec<Line> {
    let most = (BigUint::from(1u8) << (bits as usize * words)) - 1u8;
    let task = Task::new(&most, bits);
    [Order::Columns, Order::Rows(1)].map(|order| task.divided_by_argument(order)).into()
}

/// Straight lines that add a multiple of the modulus of so many words in a [`Workspace`] to a window of `2 block + 1` words,
/// as far as the modulus' lowest block goes, so that the window's lowest block is cleared. The words of the multiple take the
/// place of that block. The result lies in the place of the first operand.
pub fn block_by_argument(words: usize, block: usize, bits: u32) -> Vec<Line> {
    let most = (BigUint::from(1u8) << (bits as usize * block)) - 1u8;
    let task = Task::new(&most, bits);
    [Order::Columns, Order::Rows(1)].map(|order| task.cleared(order, words)).into()
}

impl Task<'_> {
    /// As many words as there are of the modulus in a workspace.
    fn argument(&self, workspace: Workspace, in_place: bool) -> Divisor {
        Divisor {
            words: (0..self.d).map(|index| address(Array::B, index)).collect(),
            inverse: address(Array::B, workspace.inverse),
            most: self.modulus.clone(),
            in_place,
        }
    }

    fn cleared(&self, order: Order, words: usize) -> Line {
        let mut line = Line::default();
        let mut window = self.operand(Array::A, 2 * self.d + 1);
        // the highest word counts carries
        window.most >>= 1u8;
        let divisor = self.argument(Workspace::of(words), true);
        let Divided { multiples, quotient } = self.divide(&mut line, window, order, &divisor);
        let all: Vec<Source> = multiples.into_iter().chain(quotient.words).take(2 * self.d + 1).collect();
        self.stored(&mut line, &all);
        line
    }

    fn divided_by_argument(&self, order: Order) -> Line {
        let mut line = Line::default();
        let workspace = Workspace::of(self.d);
        let divisor = self.argument(workspace, false);
        let operand = self.operand(Array::A, 2 * self.d);
        let mut words = self.divide(&mut line, operand, order, &divisor).quotient.words;
        if let Some(carry) = words.get(self.d).copied() {
            words.truncate(self.d);
            let carry = self.value(&mut line, carry);
            // that it is a bit tells a proof more than that it is a sum of carries
            let carry = line.mask(carry, 1);
            let mask = line.negate(carry);
            for (index, word) in words.iter_mut().enumerate() {
                let own = self.value(&mut line, address(Array::B, workspace.complement + index));
                let own = line.logic(Logic::And, own, mask);
                let word_before = self.value(&mut line, *word);
                let sum = line.add(word_before, Some(own), index > 0, index + 1 < self.d);
                *word = Source::Value(sum);
            }
        }
        self.stored(&mut line, &words);
        line
    }
}
