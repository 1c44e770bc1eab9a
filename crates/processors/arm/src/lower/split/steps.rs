//! A plan step by step: each a chain of carries over strings in memory, which loads and stores leave alone.
//!
//! A flag is kept as C - 1, which SBC of a register from itself gives: that of a difference is all ones where it is set,
//! that of a sum where it is clear.

use super::{Location, Register, Tree, flag};
use crate::instructions::{DataOp, SP, Shifter};
use crate::lower::{LowerError, code};
use rhomb_kernel::Walk;
use rhomb_kernel::split::halves::Halves;
use rhomb_kernel::split::plan::{Flag, Words};
use rhomb_lower::split::{Added, Level, Numbers, Splits};

impl Splits for Tree<'_> {
    type Location = Location;
    type Error = LowerError;

    fn walk(&mut self, walk: &Walk, own: &Numbers<Location>) -> Result<(), LowerError> {
        self.along(walk, own)
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
        self.carry(pointer, to.length, DataOp::Adc, code::ZERO);
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
        let registers = self.registers;
        let [target, pointer, other] = [registers[0], registers[1], registers[2]];
        let (data, others) = registers[3..].split_at((registers.len() - 3) / 2);
        for (register, words) in [(target, to), (pointer, x), (other, y)] {
            self.point(register, level.own.place(words));
        }
        let mut started = false;
        for words in pieces(y.length, data) {
            let others = &others[..words.len()];
            self.load(pointer, words, true);
            self.load(other, others, true);
            for (word, from) in words.iter().zip(others) {
                self.code.push(code::add(started, true, *word, *word, Shifter::plain(*from)));
                started = true;
            }
            self.store(target, words, true);
        }
        for words in pieces(x.length - y.length, &registers[3..]) {
            self.load(pointer, words, true);
            for word in words {
                self.code.push(code::add(true, true, *word, *word, code::ZERO));
            }
            self.store(target, words, true);
        }
        self.data(DataOp::Sbc, false, other, other, Shifter::plain(other));
        self.code.push(code::str(other, SP, flag(level, carry)));
    }

    fn add(&mut self, level: &Level<Location>, to: Words, from: Words, how: Added) {
        let registers = self.registers;
        let [pointer, other, mask] = [registers[0], registers[1], registers[2]];
        let (data, others) = registers[3..].split_at((registers.len() - 3) / 2);
        self.point(pointer, level.own.place(to));
        self.point(other, level.own.place(from));
        let first = match how {
            Added::Plainly => DataOp::Add,
            Added::Subtracted => DataOp::Sub,
            // the complement, and one in C
            Added::By(number) => {
                self.code.push(code::ldr(mask, SP, flag(level, number)));
                self.data(DataOp::Rsb, true, data[0], mask, code::ZERO);
                self.data(DataOp::Mvn, false, mask, 0, Shifter::plain(mask));
                DataOp::Adc
            }
            Added::Where(number) => {
                self.code.push(code::ldr(mask, SP, flag(level, number)));
                DataOp::Add
            }
        };
        let more = if how == Added::Subtracted { DataOp::Sbc } else { DataOp::Adc };
        let mut op = first;
        for words in pieces(from.length, data) {
            let others = &others[..words.len()];
            self.load(pointer, words, false);
            self.load(other, others, true);
            for from in others {
                match how {
                    Added::Plainly | Added::Subtracted => {}
                    Added::By(_) => self.data(DataOp::Eor, false, *from, *from, Shifter::plain(mask)),
                    Added::Where(_) => self.data(DataOp::Bic, false, *from, *from, Shifter::plain(mask)),
                }
            }
            for (word, from) in words.iter().zip(others) {
                self.data(op, true, *word, *word, Shifter::plain(*from));
                op = more;
            }
            self.store(pointer, words, true);
        }
        let above = if matches!(how, Added::By(_)) { Shifter::plain(mask) } else { code::ZERO };
        self.carry(pointer, to.length - from.length, more, above);
    }
}

impl Tree<'_> {
    /// The carry, and with it the same in each word, into so many words from a pointer on, which is the first register.
    fn carry(&mut self, pointer: Register, length: usize, op: DataOp, above: Shifter) {
        let registers = self.registers;
        for words in pieces(length, &registers[3..]) {
            self.load(pointer, words, false);
            for word in words {
                self.data(op, true, *word, *word, above);
            }
            self.store(pointer, words, true);
        }
    }
}

/// The registers for so many words, as many at a time as there are.
fn pieces(length: usize, registers: &[Register]) -> impl Iterator<Item = &[Register]> {
    (0..length).step_by(registers.len()).map(move |done| &registers[..registers.len().min(length - done)])
}
