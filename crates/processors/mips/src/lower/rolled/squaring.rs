//! Squaring with loops, column by column: products of different words once, doubled, and the square of the middle.
//!
//! Columns `2m - 1` and `2m` end at the same place: their pairs are those of which the lower word stands below word m.
//! So a turn of the outer loops takes two columns. The first column, those around the middle where the number of words
//! is even, and the last two columns stand outside of loops.

use super::add::{clear, finish, last, product, twice};
use super::{AFTER, BEFORE, COUNT, DOWN, LONGEST, UP, X, Y, check, routine};
use crate::instructions::{Instruction, Op, Register};
use crate::lower::Ring;
use crate::lower::code::{self, Code, addiu, copy, lw, sw};
use crate::lower::{Context, Kernel, LowerError};

/// Word m of A.
const MIDDLE: Register = 12;
/// Where the upper words of a column begin.
const TOP: Register = 13;
/// Where an outer loop ends.
const END: Register = 14;
/// A's last word.
const LAST: Register = 2;

pub(in crate::lower) fn squaring(words: usize, context: &Context<'_>) -> Result<Kernel, LowerError> {
    if words > LONGEST {
        return Err(LowerError::Displacement);
    }
    if context.ring == Ring::BinaryPolynomials {
        return spread(words, context);
    }
    // the products of a column with doubled ones twice
    check((0..2 * words - 1).map(|column| column.min(2 * words - 2 - column) + 1), context)?;
    let mut loops = Loops { code: Code::default(), context };
    loops.write(words)?;
    routine(loops.code, true, context)
}

/// In characteristic 2 a square is the squares of the words.
fn spread(words: usize, context: &Context<'_>) -> Result<Kernel, LowerError> {
    let Some([first, _]) = context.abilities.carryless else { return Err(LowerError::Carryless) };
    let [r, a, ..] = context.convention.arguments;
    let mut code = Code::default();
    code.push(addiu(END, a, 4 * words as i32));
    let label = code.label();
    code.push(lw(X, a, 0));
    code.push(addiu(a, a, 4));
    code.push(code::of(first, X, X));
    code.push(addiu(r, r, 8));
    code.push(code::into(Instruction::new(Op::Mflo), BEFORE));
    code.push(code::into(Instruction::new(Op::Mfhi), AFTER));
    code.push(sw(BEFORE, r, -8));
    code.repeat(label, a, END, sw(AFTER, r, -4))?;
    routine(code, false, context)
}

struct Loops<'a> {
    code: Code,
    context: &'a Context<'a>,
}

impl Loops<'_> {
    fn write(&mut self, words: usize) -> Result<(), LowerError> {
        let [r, a, ..] = self.context.convention.arguments;
        let last_word = 4 * (words as i32 - 1);
        clear(&mut self.code);
        self.code.push(lw(X, a, 0));
        if self.context.counts() {
            self.code.push(copy(COUNT, 0));
        }
        self.code.push(addiu(TOP, a, 4));
        product(&mut self.code, self.context, [X, X], Some(addiu(LAST, a, last_word)))?;
        self.code.push(addiu(MIDDLE, a, 4));
        finish(&mut self.code, self.context, (r, -4), Some(addiu(r, r, 4)));
        let rising = (words - 1) / 2;
        if rising > 0 {
            let rising = if words.is_multiple_of(2) { (words - 2) / 2 } else { rising };
            self.code.push(addiu(END, TOP, 8 * rising as i32));
            let label = self.code.label();
            self.pairs([copy(UP, a), copy(DOWN, TOP)])?;
            self.finish(0, None);
            self.pairs([copy(UP, a), addiu(DOWN, TOP, 4)])?;
            self.middle(addiu(TOP, TOP, 8))?;
            self.finish(4, Some(addiu(MIDDLE, MIDDLE, 4)));
            self.code.repeat(label, TOP, END, addiu(r, r, 8))?;
        }
        if words.is_multiple_of(2) && words > 2 {
            self.pairs([copy(UP, a), copy(DOWN, LAST)])?;
            self.finish(0, None);
            self.pairs([addiu(UP, a, 4), copy(DOWN, LAST)])?;
            self.middle(addiu(r, r, 8))?;
            self.finish(-4, Some(addiu(MIDDLE, MIDDLE, 4)));
        }
        // how far the lowest word of the next column is from A's first one
        let start = if words.is_multiple_of(2) { 2 } else { 1 };
        let falling = (words.saturating_sub(2 + start)) / 2;
        if falling > 0 {
            self.code.push(addiu(a, a, 4 * start as i32));
            self.code.push(addiu(END, a, 8 * falling as i32));
            let label = self.code.label();
            self.pairs([copy(UP, a), copy(DOWN, LAST)])?;
            self.finish(0, None);
            self.pairs([addiu(UP, a, 4), copy(DOWN, LAST)])?;
            self.middle(addiu(a, a, 8))?;
            self.finish(4, Some(addiu(MIDDLE, MIDDLE, 4)));
            self.code.repeat(label, a, END, addiu(r, r, 8))?;
        }
        if words > 1 {
            self.code.push(lw(X, LAST, -4));
            self.code.push(lw(Y, LAST, 0));
            self.code.push(addiu(r, r, 12));
            twice(&mut self.code, self.context, [X, Y], None)?;
            self.finish(-12, None);
            product(&mut self.code, self.context, [Y, Y], None)?;
            self.finish(-8, None);
            last(&mut self.code, r, -4);
        } else {
            last(&mut self.code, r, 0);
        }
        Ok(())
    }

    /// The pairs of a column, from where these instructions put the pointers until the lower word is the middle.
    fn pairs(&mut self, start: [Instruction; 2]) -> Result<(), LowerError> {
        start.into_iter().for_each(|one| self.code.push(one));
        let label = self.code.label();
        self.code.push(lw(X, UP, 0));
        self.code.push(lw(Y, DOWN, 0));
        self.code.push(addiu(UP, UP, 4));
        twice(&mut self.code, self.context, [X, Y], None)?;
        self.code.repeat(label, UP, MIDDLE, addiu(DOWN, DOWN, -4))
    }

    /// The square of the middle word.
    fn middle(&mut self, fill: Instruction) -> Result<(), LowerError> {
        self.code.push(lw(X, MIDDLE, 0));
        self.code.push(fill);
        product(&mut self.code, self.context, [X, X], None)
    }

    fn finish(&mut self, offset: i32, fill: Option<Instruction>) {
        let r = self.context.convention.arguments[0];
        // something between the product and what waits for it
        let early = fill.filter(|_| !self.context.counts());
        early.into_iter().for_each(|fill| self.code.push(fill));
        finish(&mut self.code, self.context, (r, offset), fill.filter(|_| self.context.counts()));
    }
}
