//! The difference of two parts, as absolute value and sign: `|d| = (d ^ m) - m`, with `m` all ones where something
//! was borrowed at the end.
//!
//! The chain runs through loads and stores, which leave the carry alone. Where registers hold all of the longer part, the
//! difference stays in them; else it goes to the frame and comes back for its sign.

use super::steps::Other;
use super::{Location, Register, Tree, flag};
use crate::instructions::{DataOp, SP, Shifter};
use crate::lower::code;
use rhomb_kernel::split::plan::{Flag, Words};
use rhomb_lower::split::{Level, Numbers};

impl Tree<'_> {
    pub(super) fn absolute_difference(
        &mut self,
        level: &Level<Location>,
        [to, x, y]: [Words; 3],
        number: Flag,
        turn: bool,
    ) {
        let (own, place) = (&level.own, flag(level, number));
        let (low, high) = (x.length, y.length);
        let registers = self.registers;
        let (pointer, data) = (registers[0], &registers[1..]);
        // a pointer, and a word of the other part at least
        let mask = if low < data.len() {
            let (words, others) = data.split_at(low);
            self.point(pointer, own.place(x));
            self.load(pointer, words, y.at == x.at + low);
            if y.at != x.at + low {
                self.point(pointer, own.place(y));
            }
            let mut done = 0;
            while done < high {
                let count = others.len().min(high.div_ceil(high.div_ceil(others.len()))).min(high - done);
                self.load(pointer, &others[..count], true);
                for (word, other) in words[done..].iter().zip(&others[..count]) {
                    self.subtract(done == 0, *word, Shifter::plain(*other));
                    done += 1;
                }
            }
            for word in &words[high..] {
                self.subtract(false, *word, code::ZERO);
            }
            let mask = others[0];
            self.data(DataOp::Sbc, false, mask, mask, Shifter::plain(mask));
            self.absolute(words, mask);
            self.point(pointer, own.place(to));
            self.store(pointer, words, false);
            mask
        } else {
            self.long_difference(own, [to, x, y])
        };
        if turn {
            self.code.push(code::ldr(pointer, SP, place));
            self.data(DataOp::Eor, false, mask, mask, Shifter::plain(pointer));
        }
        self.code.push(code::str(mask, SP, place));
    }

    /// By way of the frame; gives the register that holds the mask, which is not the first.
    fn long_difference(&mut self, own: &Numbers<Location>, [to, x, y]: [Words; 3]) -> Register {
        let [pointer, other, target] = [self.registers[0], self.registers[1], self.registers[2]];
        self.point(pointer, own.place(x));
        self.point(other, own.place(y));
        self.point(target, own.place(to));
        let (rest, ops) = (x.length - y.length, [DataOp::Sub, DataOp::Sbc]);
        self.chain([target, pointer], Other::String(other), y.length, ops, None);
        self.chain([target, pointer], Other::Word(code::ZERO), rest, [DataOp::Sbc; 2], None);
        let mask = other;
        self.data(DataOp::Sbc, false, mask, mask, Shifter::plain(mask));
        self.point(target, own.place(to));
        let sign = Other::Word(Shifter::plain(mask));
        self.chain([target; 2], sign, x.length, ops, Some((DataOp::Eor, mask)));
        mask
    }

    fn subtract(&mut self, first: bool, word: Register, from: Shifter) {
        self.code.push(code::sub(!first, true, word, word, from));
    }

    /// A string, negated where the mask is all ones.
    fn absolute(&mut self, words: &[Register], mask: Register) {
        for word in words {
            self.data(DataOp::Eor, false, *word, *word, Shifter::plain(mask));
        }
        for (index, word) in words.iter().enumerate() {
            self.subtract(index == 0, *word, Shifter::plain(mask));
        }
    }

    pub(super) fn load(&mut self, pointer: Register, words: &[Register], moves: bool) {
        self.code.push(code::transfer(true, pointer, words, moves));
    }

    pub(super) fn store(&mut self, pointer: Register, words: &[Register], moves: bool) {
        self.code.push(code::transfer(false, pointer, words, moves));
    }
}
