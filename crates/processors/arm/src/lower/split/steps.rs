//! A plan step by step: each a chain of carries over strings in memory, which loads and stores leave alone.
//!
//! A flag is kept as C - 1, which SBC of a register from itself gives: that of a difference is all ones where it is set,
//! that of a sum where it is clear.

use super::{Location, Register, Tree, along, flag, squared};
use crate::instructions::{DataOp, SP, Shifter};
use crate::lower::{LowerError, code};
use rhomb_kernel::split::halves::Halves;
use rhomb_kernel::split::plan::{Flag, Words};
use rhomb_kernel::{Squaring, Walk};
use rhomb_lower::split::{Added, Level, Numbers, Splits};

impl Splits for Tree<'_> {
    type Location = Location;
    type Error = LowerError;

    fn walk(&mut self, walk: &Walk, own: &Numbers<Location>) -> Result<(), LowerError> {
        let places = [own.result, own.a, own.b];
        self.whole(walk.words, places, |own| along(walk, own.core, &own.inner, own.below))
    }

    fn square(&mut self, squaring: &Squaring, own: &Numbers<Location>) -> Result<(), LowerError> {
        let places = [own.result, own.a];
        self.whole(squaring.words, places, |own| squared(squaring, own.core, &own.inner, own.below))
    }

    fn difference(&mut self, level: &Level<Location>, numbers: [Words; 3], flag: Flag, turn: bool) {
        self.absolute_difference(level, numbers, flag, turn);
    }

    fn recombine(&mut self, level: &Level<Location>, halves: Halves) {
        self.put_together(level, halves);
    }

    fn add_one(&mut self, level: &Level<Location>, to: Words, flags: [Flag; 2]) {
        let [pointer, kept, other] = [self.registers[0], self.registers[1], self.registers[2]];
        self.point(pointer, level.own.place(to));
        for (register, number) in [(kept, flags[0]), (other, flags[1])] {
            self.code.push(code::ldr(register, SP, flag(level, number)));
        }
        self.data(DataOp::Orr, false, kept, kept, Shifter::plain(other));
        // zero where both are set: then nothing is borrowed, and C is the one
        self.data(DataOp::Rsb, true, kept, kept, code::ZERO);
        self.chain([pointer; 2], Other::Word(code::ZERO), to.length, [DataOp::Adc; 2], None);
    }

    fn copy(&mut self, level: &Level<Location>, to: Words, from: Words) {
        let registers = self.registers;
        let (target, pointer, data) = (registers[0], registers[1], &registers[2..]);
        self.point(target, level.own.place(to));
        self.point(pointer, level.own.place(from));
        for words in pieces(from.length, data) {
            self.load(pointer, words, true);
            self.store(target, words, true);
        }
    }

    fn sum(&mut self, level: &Level<Location>, [to, x, y]: [Words; 3], carry: Flag) {
        let [target, pointer, other] = [self.registers[0], self.registers[1], self.registers[2]];
        for (register, words) in [(target, to), (pointer, x), (other, y)] {
            self.point(register, level.own.place(words));
        }
        self.chain([target, pointer], Other::String(other), y.length, [DataOp::Add, DataOp::Adc], None);
        let rest = x.length - y.length;
        self.chain([target, pointer], Other::Word(code::ZERO), rest, [DataOp::Adc; 2], None);
        self.data(DataOp::Sbc, false, other, other, Shifter::plain(other));
        self.code.push(code::str(other, SP, flag(level, carry)));
    }

    fn add(&mut self, level: &Level<Location>, to: Words, from: Words, how: Added) {
        let [pointer, other, mask] = [self.registers[0], self.registers[1], self.registers[2]];
        self.point(pointer, level.own.place(to));
        self.point(other, level.own.place(from));
        let mut change = None;
        let first = match how {
            Added::Plainly => DataOp::Add,
            Added::Subtracted => DataOp::Sub,
            // the complement, and one in C
            Added::By(number) => {
                self.code.push(code::ldr(mask, SP, flag(level, number)));
                self.data(DataOp::Rsb, true, self.registers[3], mask, code::ZERO);
                self.data(DataOp::Mvn, false, mask, 0, Shifter::plain(mask));
                change = Some((DataOp::Eor, mask));
                DataOp::Adc
            }
            Added::Where(number) => {
                self.code.push(code::ldr(mask, SP, flag(level, number)));
                change = Some((DataOp::Bic, mask));
                DataOp::Add
            }
        };
        let more = if how == Added::Subtracted { DataOp::Sbc } else { DataOp::Adc };
        self.chain([pointer; 2], Other::String(other), from.length, [first, more], change);
        let above = if matches!(how, Added::By(_)) { Shifter::plain(mask) } else { code::ZERO };
        self.chain([pointer; 2], Other::Word(above), to.length - from.length, [more; 2], None);
    }
}

/// The second operand of a chain.
#[derive(Clone, Copy)]
pub(super) enum Other {
    /// Words from a pointer on.
    String(Register),
    /// The same for each word.
    Word(Shifter),
}

impl Tree<'_> {
    /// A chain of carries over words from pointers on, which are among the first three registers: `to = x op other`, with the
    /// first operation and that of all words above. Words of a string are changed before by a mask, or those of x where there is
    /// none.
    pub(super) fn chain(
        &mut self,
        [to, x]: [Register; 2],
        other: Other,
        length: usize,
        [first, more]: [DataOp; 2],
        change: Option<(DataOp, Register)>,
    ) {
        let mut op = first;
        let all = &self.registers[3..];
        let (half, others) = all.split_at(all.len() / 2);
        let data = if matches!(other, Other::String(_)) { half } else { all };
        for words in pieces(length, data) {
            let others = &others[..words.len().min(others.len())];
            self.load(x, words, x != to);
            let mut changed = words;
            if let Other::String(other) = other {
                self.load(other, others, true);
                changed = others;
            }
            for word in changed {
                change
                    .iter()
                    .for_each(|(op, mask)| self.data(*op, false, *word, *word, Shifter::plain(*mask)));
            }
            for (index, word) in words.iter().enumerate() {
                let from = match other {
                    Other::String(_) => Shifter::plain(others[index]),
                    Other::Word(from) => from,
                };
                self.data(op, true, *word, *word, from);
                op = more;
            }
            self.store(to, words, true);
        }
    }
}

/// The registers for so many words, as many at a time as there are.
fn pieces(length: usize, registers: &[Register]) -> impl Iterator<Item = &[Register]> {
    (0..length).step_by(registers.len()).map(move |done| &registers[..registers.len().min(length - done)])
}
