//! Products, and divisions by R modulo a number that is an argument, by blocks of words: what is straight grows with the square
//! of a block, and not with that of the numbers.
//!
//! A block is a word of many bits, and a column of blocks is added up in a window of two blocks and a word for the carries,
//! which moves up by a block from column to column. What the window leaves behind is the result. In a division the lowest block
//! of a column is cleared; the multiple of the modulus that does so takes its place.

use super::Place;
use super::words::{above, load, store};
use super::writer::{Called, Routine, Writer};
use crate::reduce::{Workspace, block_by_argument};
use rhomb_contract::{Contract, Operation};
use rhomb_line::{Address, Array, Line, Logic, Source};

/// How products of blocks are added to a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Products {
    /// By a straight line of columns, for processors that have an accumulator for them.
    Added,
    /// By a routine for products, and then a sum. A product that stands twice in a square is made once.
    Apart,
    /// The same without a multiplication instruction: squares of blocks are products, and what clears a block is its product
    /// with -1/n modulo the block's base, which Newton's iteration makes.
    Inverted,
}

/// Numbers of so many words of so many bits, in blocks of a number of words that divides that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "said above")]
pub struct Blocks {
    pub words: usize,
    pub bits: u32,
    pub block: usize,
    pub products: Products,
}

/// The routines that work on windows, in a program that is being written.
struct Windows<'a> {
    own: &'a Blocks,
    writer: Writer,
    /// The words of a window.
    length: usize,
    /// Two numbers of two blocks, on the way.
    wide: [Place; 2],
}

fn memory(array: Array, index: usize) -> Source {
    Source::Memory(Address { array, index })
}

/// A line that adds up columns: `terms` adds what belongs to each of so many.
fn columns(count: usize, terms: impl Fn(&mut Line, usize)) -> Line {
    let mut line = Line::default();
    line.clear();
    for column in 0..count {
        terms(&mut line, column);
        let word = line.take(count - column);
        store(&mut line, word, column);
    }
    line
}

/// The words of a and so many of b, the latter so often.
fn sum(count: usize, of: usize, times: usize) -> Line {
    columns(count, |line, column| {
        line.plus(memory(Array::A, column));
        (0..times).filter(|_| column < of).for_each(|_| line.plus(memory(Array::B, column)));
    })
}

fn copy(count: usize) -> Line {
    super::words::copy(0, count)
}

/// The words of a, and R - n from b added where the word above them is 1.
fn corrected(words: usize) -> Line {
    let mut line = Line::default();
    let carry = load(&mut line, Array::A, words);
    // that it is a bit tells a proof more than that it is a sum of carries
    let carry = line.mask(carry, 1);
    let mask = line.negate(carry);
    for index in 0..words {
        let own = load(&mut line, Array::B, index);
        let own = line.logic(Logic::And, own, mask);
        let word = load(&mut line, Array::A, index);
        let word = line.add(word, Some(own), index > 0, index + 1 < words);
        store(&mut line, word, index);
    }
    line
}

impl Blocks {
    /// Whether they fill numbers of so many words of so many bits.
    pub(super) fn fits(&self, words: usize, bits: u32) -> bool {
        (words, bits) == (self.words, self.bits) && self.block > 0 && words.is_multiple_of(self.block)
    }

    /// The same with products by a routine where a line would add them.
    pub fn apart(self) -> Self {
        match self.products {
            Products::Added => Blocks { products: Products::Apart, ..self },
            Products::Apart | Products::Inverted => self,
        }
    }

    fn count(&self) -> usize {
        self.words / self.block
    }

    fn window(&self) -> usize {
        2 * self.block + 1
    }

    /// The words of what is -1/n in a workspace.
    pub(super) fn inverse_words(&self) -> usize {
        if self.products == Products::Inverted { self.block } else { 1 }
    }

    fn windows(&self) -> Windows<'_> {
        let mut writer = Writer::default();
        let wide = [(); 2].map(|()| match self.products {
            Products::Added => Place::Result,
            Products::Apart | Products::Inverted => Place::Slot(writer.slot(2 * self.block)),
        });
        Windows { own: self, writer, length: self.window(), wide }
    }

    /// The program of a product of two numbers, or of the square of one.
    pub(super) fn product(&self, is_square: bool) -> Called {
        let mut windows = self.windows();
        let (block, count) = (self.block, self.count());
        let [a, b] = if is_square { [0, 0] } else { [0, 1] }.map(Place::Operand);
        for column in 0..2 * count - 1 {
            let window = Place::Result.moved(column * block);
            // nothing is carried out of the last one
            windows.length = if column + 2 == 2 * count { 2 * block } else { self.window() };
            let first = if column == 0 { 0 } else { block + 1 };
            windows.writer.line(above(Line::default(), first..windows.length), window, &[]);
            for i in (column + 1).saturating_sub(count)..=column.min(count - 1) {
                let j = column - i;
                let operands = [a.moved(i * block), b.moved(j * block)];
                match is_square && self.products != Products::Added {
                    true if j < i => {}
                    true if j == i => windows.square(window, operands[0]),
                    true => windows.product(window, operands, 2),
                    false => windows.product(window, operands, 1),
                }
            }
        }
        windows.writer.finish(if is_square { 1 } else { 2 })
    }

    /// The program of a division: operands are a number of twice as many words and the [`Workspace`], in which -1/n has the
    /// words of a block where it [is given](Self::inverse_words) so.
    pub(super) fn division(&self, is_given: bool) -> Called {
        let mut windows = self.windows();
        let (block, count) = (self.block, self.count());
        let (number, workspace) = (Place::Operand(0), Place::Operand(1));
        let places = Workspace::of(self.words);
        let given = workspace.moved(places.inverse);
        let inverse = match self.products {
            Products::Inverted if !is_given => windows.inverse(workspace, (given, 1)),
            _ => given,
        };
        let all = Place::Slot(windows.writer.slot(2 * self.words + 1));
        for column in 0..2 * count {
            let window = all.moved(column * block);
            let next = number.moved(column * block);
            match column {
                0 => windows.writer.line(above(copy(block), block..self.window()), window, &[next]),
                _ if column + 1 == 2 * count => {
                    windows.writer.line(sum(block + 1, block, 1), window, &[window, next]);
                }
                _ => {
                    let open = above(sum(block + 1, block, 1), block + 1..self.window());
                    windows.writer.line(open, window, &[window, next]);
                }
            }
            for i in (column + 1).saturating_sub(count)..count.min(column) {
                let own = workspace.moved((column - i) * block);
                windows.product(window, [all.moved(i * block), own], 1);
            }
            if column < count {
                windows.clear(window, (workspace, inverse));
            }
        }
        let quotient = all.moved(self.words);
        windows.writer.line(
            corrected(self.words),
            Place::Result,
            &[quotient, workspace.moved(places.complement)],
        );
        windows.writer.finish(2)
    }

    /// The program of -1/n modulo the base of a block, from n.
    pub(super) fn inversion(&self) -> Called {
        let mut windows = self.windows();
        let negative = columns(self.block, |line, column| line.minus(memory(Array::A, column)));
        let first = Place::Slot(windows.writer.slot(self.block));
        windows.writer.line(negative, first, &[Place::Operand(0)]);
        // an odd number is its own inverse modulo 8
        let inverse = windows.newton(Place::Operand(0), first, 3);
        windows.writer.line(copy(self.block), Place::Result, &[inverse]);
        windows.writer.finish(1)
    }
}

impl Windows<'_> {
    fn kept(&mut self, operation: Operation, to: Place, operands: &[Place]) {
        let size = self.own.bits * self.own.block as u32;
        let routine = self.writer.routine(Routine::Kept(Contract::whole(operation, size)));
        self.writer.call(routine, to, operands);
    }

    /// Adds a product to a window so often.
    fn product(&mut self, window: Place, operands: [Place; 2], times: usize) {
        let Blocks { block, products, .. } = *self.own;
        if products == Products::Added {
            let added = columns(self.length, |line, column| {
                line.plus(memory(Array::Result, column));
                for i in (column + 1).saturating_sub(block)..block.min(column + 1) {
                    line.product(memory(Array::A, i), memory(Array::B, column - i));
                }
            });
            return self.writer.line(added, window, &operands);
        }
        self.kept(Operation::Mul, self.wide[0], &operands);
        self.add(window, times);
    }

    fn square(&mut self, window: Place, own: Place) {
        match self.own.products {
            Products::Apart => self.kept(Operation::Sqr, self.wide[0], &[own]),
            _ => self.kept(Operation::Mul, self.wide[0], &[own, own]),
        }
        self.add(window, 1);
    }

    fn add(&mut self, window: Place, times: usize) {
        let sum = sum(self.length, 2 * self.own.block, times);
        self.writer.line(sum, window, &[window, self.wide[0]]);
    }

    /// Clears the lowest block of a window.
    fn clear(&mut self, window: Place, (workspace, inverse): (Place, Place)) {
        let Blocks { words, block, bits, products } = *self.own;
        if products != Products::Inverted {
            let routine = self.writer.routine(Routine::Lines(block_by_argument(words, block, bits)));
            return self.writer.call(routine, window, &[window, workspace]);
        }
        self.kept(Operation::Mul, self.wide[1], &[window, inverse]);
        self.kept(Operation::Mul, self.wide[0], &[self.wide[1], workspace]);
        self.add(window, 1);
        self.writer.line(copy(block), window, &[self.wide[1]]);
    }

    /// -1/n modulo the base of a block, from a number of so many words that is it modulo that of these.
    fn inverse(&mut self, n: Place, (from, words): (Place, usize)) -> Place {
        let Blocks { block, bits, .. } = *self.own;
        let first = Place::Slot(self.writer.slot(block));
        self.writer.line(above(copy(words), words..block), first, &[from]);
        self.newton(n, first, bits * words as u32)
    }

    /// The same, from a number of which so many low bits are right: y (2 + n y) has twice as many.
    fn newton(&mut self, n: Place, y: Place, mut right: u32) -> Place {
        let Blocks { block, bits, .. } = *self.own;
        let two = columns(block, |line, column| {
            line.plus(memory(Array::A, column));
            if column == 0 {
                line.plus(Source::Number(2));
            }
        });
        while right < bits * block as u32 {
            self.kept(Operation::Mul, self.wide[0], &[n, y]);
            self.writer.line(two.clone(), self.wide[1], &[self.wide[0]]);
            self.kept(Operation::Mul, self.wide[0], &[y, self.wide[1]]);
            self.writer.line(copy(block), y, &[self.wide[0]]);
            right *= 2;
        }
        y
    }
}
