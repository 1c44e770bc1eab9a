//! The difference of two parts, as absolute value and sign: `|d| = (d ^ m) - m`, with `m` all ones where something
//! was borrowed at the end.
//!
//! The chain runs through loads and stores, which leave the carry alone. Where registers hold all of the longer part, the
//! difference stays in them; else it goes to the frame and comes back for its sign.

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
            self.absolute(words, mask, true);
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
        let (low, high) = (x.length, y.length);
        let registers = self.registers;
        let [pointer, other, target] = [registers[0], registers[1], registers[2]];
        let data = &registers[3..];
        self.point(pointer, own.place(x));
        self.point(other, own.place(y));
        self.point(target, own.place(to));
        let half = data.len() / 2;
        let mut done = 0;
        while done < low {
            let left = if done < high { high - done } else { low - done };
            let count = half.min(left);
            let (words, others) = (&data[..count], &data[half..][..count]);
            self.load(pointer, words, true);
            if done < high {
                self.load(other, others, true);
            }
            for (word, from) in words.iter().zip(others) {
                let from = if done < high { Shifter::plain(*from) } else { code::ZERO };
                self.subtract(done == 0, *word, from);
                done += 1;
            }
            self.store(target, words, true);
        }
        let mask = other;
        self.data(DataOp::Sbc, false, mask, mask, Shifter::plain(mask));
        self.point(target, own.place(to));
        let mut done = 0;
        while done < low {
            let count = data.len().min(low - done);
            self.load(target, &data[..count], false);
            self.absolute(&data[..count], mask, done == 0);
            self.store(target, &data[..count], true);
            done += count;
        }
        mask
    }

    fn subtract(&mut self, first: bool, word: Register, from: Shifter) {
        self.code.push(code::sub(!first, true, word, word, from));
    }

    /// Words of a string, negated where the mask is all ones; `first` says that they are its lowest.
    fn absolute(&mut self, words: &[Register], mask: Register, first: bool) {
        for word in words {
            self.data(DataOp::Eor, false, *word, *word, Shifter::plain(mask));
        }
        for (index, word) in words.iter().enumerate() {
            self.subtract(first && index == 0, *word, Shifter::plain(mask));
        }
    }

    pub(super) fn load(&mut self, pointer: Register, words: &[Register], moves: bool) {
        self.code.push(code::transfer(true, pointer, words, moves));
    }

    pub(super) fn store(&mut self, pointer: Register, words: &[Register], moves: bool) {
        self.code.push(code::transfer(false, pointer, words, moves));
    }
}
