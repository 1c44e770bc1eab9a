//! A level of two halves: products, and squares, which have one operand less, and whose product of differences has no sign.
//!
//! The differences stand in r until the products of the halves come there. With `t = l1 + h0`, in which a carry k may wait,
//! the result is `l0, t + l0 - m0, t + h1 + k - m1, h1 + k`, each with what the words below carry: so the sum of two middle words
//! is formed once. What is carried are chains through all words; from one batch of words to the next they are masks.

use super::stack::{Frame, argument, find};
use super::{A, B, R};
use crate::assembler::{Assembler, Label, X, Y, Z};
use crate::instructions::Instruction;

const ZERO: u8 = 25;
/// All ones where M is subtracted.
const NEGATION: u8 = 24;
/// The chains of t, of the sum, and of M.
const OF_HIGH: u8 = 23;
const OF_SUM: u8 = 22;
const OF_MIDDLE: u8 = 21;
/// Turns.
const COUNT: u8 = 20;
/// k, which h1 is to get as well.
const KEPT: u8 = 19;

/// While there are differences.
const ZERO_EARLY: u8 = 16;
const COUNT_EARLY: u8 = 17;
const SIGNS: [u8; 2] = [18, 19];

/// Words of a turn of a loop over words in memory.
const TURN: usize = 8;
/// The most words of a batch.
const BATCH: usize = 18;
/// Largest displacement.
const REACH: usize = 63;
/// Turns that are written one behind the other.
const UNROLLED: usize = 2;

/// The most words of a low half: all of r is in the reach of Z, and t in registers.
pub(super) const STRAIGHT: usize = 16;
/// The same where words stay in memory: a byte counts the turns.
pub(super) const MOST: usize = TURN * 255;

/// How the products of the halves and that of the differences are made.
pub(super) enum Products {
    /// By routines: the last one of differences in memory.
    Called([Label; 2], Label),
    /// The squares of the halves by routines, that of the difference by this code, where Y is the operand and Z the place; they stay.
    Inline([Label; 2], Vec<Instruction>),
    /// All squares by this code, where Y is the operand and Z is r; they stay, and the square of the difference goes to the stack.
    Straight(Vec<Instruction>),
}

/// Where M, the product of the differences, is.
#[derive(Clone, Copy)]
enum Middle {
    /// Where X points, which moves on.
    Frame,
    /// On the stack, its lowest word highest; Y is a copy of the stack pointer.
    Stack,
}

/// The chain whose carry is in the flag, by its mask; the others' wait in theirs.
struct Flag(Option<u8>);

impl Flag {
    /// The carry of a chain comes into the flag, unless the chain begins.
    fn turn(&mut self, asm: &mut Assembler, chain: u8, begins: bool) {
        if self.0 == Some(chain) {
            return;
        }
        self.wait(asm);
        if !begins {
            asm.restore(chain);
        }
        self.0 = Some(chain);
    }

    /// The carry waits, too.
    fn wait(&mut self, asm: &mut Assembler) {
        if let Some(chain) = self.0.take() {
            asm.park(chain);
        }
    }

    /// If the chain ends, it leaves no carry.
    fn ends(&mut self, ends: bool) {
        if ends {
            self.0 = None;
        }
    }

    /// The chains of the sum and of M, first the one that is in the flag.
    fn in_turn(&mut self, asm: &mut Assembler, mut chain: impl FnMut(&mut Assembler, &mut Self, u8)) {
        let order = if self.0 == Some(OF_MIDDLE) { [OF_MIDDLE, OF_SUM] } else { [OF_SUM, OF_MIDDLE] };
        order.into_iter().for_each(|own| chain(asm, self, own));
    }
}

/// Two halves, of which the low one may be a word longer.
#[derive(Clone, Copy)]
pub(super) struct Halves {
    pub(super) low: usize,
    pub(super) high: usize,
    pub(super) square: bool,
}

impl Halves {
    /// Multiplies them.
    pub(super) fn level(self, asm: &mut Assembler, products: &Products) {
        let frame = Frame { square: self.square, low: self.low };
        match products {
            Products::Straight(code) => {
                asm.movw(Y, A);
                asm.movw(Z, R);
                code.iter().for_each(|one| asm.emit(*one));
                find(asm);
                self.recombine(asm, Middle::Stack);
                asm.advance(Y, 2 * self.low as i32);
                asm.write_sp(Y);
                return;
            }
            Products::Called(own, label) => {
                frame.open(asm);
                self.of_differences(asm, frame, *label);
                find(asm);
                frame.restore(asm);
                self.of_halves(asm, frame, *own);
            }
            Products::Inline(own, code) => {
                frame.open(asm);
                self.of_halves(asm, frame, *own);
                argument(asm, A, 1);
                asm.movw(Z, Y);
                asm.advance(Z, frame.middle() as i32);
                asm.movw(Y, A);
                code.iter().for_each(|one| asm.emit(*one));
                find(asm);
            }
        }
        asm.movw(X, Y);
        asm.advance(X, frame.middle() as i32);
        argument(asm, Z, 0);
        if !self.square {
            frame.get_sign(asm, NEGATION);
            asm.mov(OF_MIDDLE, NEGATION);
        }
        match self.low <= STRAIGHT {
            true => self.recombine(asm, Middle::Frame),
            false => self.recombine_in_loops(asm),
        }
        frame.close(asm);
    }

    /// Registers for words of the difference of an operand.
    fn free(self, operand: usize) -> Vec<u8> {
        // what waits in the others: zero and turns, signs, the other operand's pointer
        let mut free: Vec<u8> = (1..ZERO_EARLY).chain([24, 25, A, A + 1]).collect();
        if self.square || operand == 1 {
            free.extend([B, B + 1]);
        }
        if self.square {
            free.push(SIGNS[1]);
        }
        if self.low == self.high {
            free.push(ZERO_EARLY);
        }
        if self.low < free.len() + UNROLLED * TURN {
            free.push(COUNT_EARLY);
        }
        free
    }

    /// Whether all words of differences stay in registers.
    fn is_held(self) -> bool {
        self.low <= self.free(0).len()
    }

    /// The difference of an operand's halves, as absolute value, to where Z points or behind the first one; and its sign. The upper
    /// words stay in registers until the sign is known: `|d| = (d ^ m) - m`. Of as many words in memory Y is lost.
    fn difference(self, asm: &mut Assembler, operand: usize) {
        let Halves { low, high, .. } = self;
        let (pointer, sign, at) = ([A, B][operand], SIGNS[operand], operand * low);
        let mut words = self.free(operand);
        words.truncate(low);
        let rest = low - words.len();
        asm.movw(X, pointer);
        if high < low {
            asm.clr(ZERO_EARLY);
        }
        let subtrahend = if rest == 0 {
            words.iter().for_each(|word| asm.load(*word, X));
            X
        } else {
            asm.movw(Y, pointer);
            asm.advance(Y, low as i32);
            asm.advance(Z, at as i32);
            asm.clc();
            turns(asm, rest, TURN, COUNT_EARLY, |asm, count| {
                for _ in 0..count {
                    asm.load(0, X);
                    asm.load(words[0], Y);
                    asm.sbc(0, words[0]);
                    asm.store(Z, 0);
                }
            });
            Y
        };
        for (index, word) in (rest..).zip(&words) {
            if rest > 0 {
                asm.load(*word, X);
            }
            if index < high {
                asm.load(0, subtrahend);
            }
            asm.sub_chain(index == 0, *word, if index < high { 0 } else { ZERO_EARLY });
        }
        asm.park(sign);
        if rest > 0 {
            asm.advance(Z, -(rest as i32));
            asm.clc();
            turns(asm, rest, TURN, COUNT_EARLY, |asm, count| {
                for _ in 0..count {
                    asm.load_at(0, Z, 0);
                    asm.eor(0, sign);
                    asm.sbc(0, sign);
                    asm.store(Z, 0);
                }
            });
        }
        for (index, word) in (rest..).zip(words) {
            asm.eor(word, sign);
            asm.sub_chain(index == 0, word, sign);
            match rest {
                0 => asm.store_at(Z, at + index, word),
                _ => asm.store(Z, word),
            }
        }
        if rest > 0 {
            asm.advance(Z, -((at + low) as i32));
        }
    }

    /// The product of the differences, which stand in r, into the frame at Y, which is lost.
    fn of_differences(self, asm: &mut Assembler, frame: Frame, middle: Label) {
        asm.movw(Z, R);
        self.difference(asm, 0);
        if !self.square {
            self.difference(asm, 1);
        }
        if !self.is_held() {
            find(asm);
        }
        if !self.square {
            asm.eor(SIGNS[0], SIGNS[1]);
            asm.com(SIGNS[0]);
            frame.keep_sign(asm, SIGNS[0]);
        }
        asm.movw(R, Y);
        asm.advance(R, frame.middle() as i32);
        asm.movw(A, Z);
        if !self.square {
            asm.movw(B, Z);
            asm.advance(B, self.low as i32);
        }
        asm.rcall(middle);
    }

    /// The products of the halves into r, by the arguments in their registers. Y then points to the frame.
    fn of_halves(self, asm: &mut Assembler, frame: Frame, [own_low, own_high]: [Label; 2]) {
        let low = self.low as i32;
        asm.rcall(own_low);
        find(asm);
        frame.restore(asm);
        asm.advance(R, 2 * low);
        asm.advance(A, low);
        if !self.square {
            asm.advance(B, low);
        }
        asm.rcall(own_high);
        find(asm);
    }

    /// Z points to r with the products of the halves and reaches all of it.
    fn recombine(self, asm: &mut Assembler, middle: Middle) {
        let Halves { low, high, square } = self;
        let pair = if let Middle::Stack = middle { X } else { Y };
        let others: Vec<u8> =
            (1..OF_MIDDLE).chain([pair, pair + 1]).chain(square.then_some(NEGATION)).collect();
        let batch = others.len() - low;
        let t = &others[..low];
        // then where t has been
        let own = |index: usize| others[if index < batch { low + index } else { index - batch }];
        asm.clr(ZERO);
        t.iter().enumerate().for_each(|(index, word)| asm.load_at(*word, Z, low + index));
        for (index, word) in t.iter().enumerate() {
            asm.load_at(0, Z, 2 * low + index);
            asm.add_chain(index == 0, *word, 0);
        }
        let mut flag = Flag(Some(OF_HIGH));
        for first in (0..low).step_by(batch) {
            let words = first..low.min(first + batch);
            let word = |index: usize| others[low + index - first];
            words.clone().for_each(|index| asm.load_at(word(index), Z, index));
            flag.in_turn(asm, |asm, flag, chain| match chain {
                OF_SUM => {
                    flag.turn(asm, OF_SUM, first == 0);
                    words.clone().for_each(|index| asm.add_chain(index == 0, word(index), t[index]));
                }
                _ => self.middle(asm, flag, middle, first, words.clone().map(word)),
            });
            words.clone().for_each(|index| asm.store_at(Z, low + index, word(index)));
        }
        // the first word above h1 is its carry, the next one zero
        let above = 2 * high - low;
        for first in (0..low).step_by(batch) {
            let words = first..low.min(first + batch);
            words.clone().filter(|index| *index < above).for_each(|index| {
                asm.load_at(own(index), Z, 3 * low + index);
            });
            words.clone().filter(|index| *index == above).for_each(|index| asm.clr(own(index)));
            flag.in_turn(asm, |asm, flag, chain| match chain {
                OF_SUM => {
                    if first <= above {
                        flag.turn(asm, OF_HIGH, false);
                        words
                            .clone()
                            .filter(|index| *index <= above)
                            .for_each(|index| asm.adc(own(index), ZERO));
                        flag.ends(words.end > above.min(low - 1));
                    }
                    flag.turn(asm, OF_SUM, false);
                    for index in words.clone() {
                        asm.adc(t[index], if index <= above { own(index) } else { ZERO });
                    }
                }
                _ => self.middle(asm, flag, middle, low + first, words.clone().map(|index| t[index])),
            });
            words.clone().for_each(|index| asm.store_at(Z, 2 * low + index, t[index]));
        }
        flag.wait(asm);
        let [lowest, higher] = self.extension(asm, &[OF_SUM]);
        for index in 0..above {
            asm.add_chain(index == 0, own(index), if index == 0 { lowest } else { higher });
            asm.store_at(Z, 3 * low + index, own(index));
        }
    }

    /// Z points to r with the products of the halves, X to M. Y is lost.
    fn recombine_in_loops(self, asm: &mut Assembler) {
        let Halves { low, high, .. } = self;
        let step = low as i32;
        let batch = low.div_ceil(low.div_ceil(BATCH));
        let word = |index: usize| 1 + index as u8;
        let near = low + batch <= REACH + 1;
        asm.clr(ZERO);
        asm.clr(OF_HIGH);
        asm.clr(OF_SUM);
        if self.square {
            asm.clr(OF_MIDDLE);
        }
        asm.movw(Y, Z);
        asm.advance(Y, 2 * step);
        // Z moves through l0, Y through h0, which becomes t
        turns(asm, low, batch, COUNT, |asm, count| {
            let all = 0..count;
            if near {
                all.clone().for_each(|index| asm.load_at(word(index), Z, low + index));
            } else {
                asm.advance(Z, step);
                all.clone().for_each(|index| asm.load_at(word(index), Z, index));
                asm.advance(Z, -step);
            }
            asm.restore(OF_HIGH);
            for index in all.clone() {
                asm.load_at(0, Y, 0);
                asm.adc(word(index), 0);
                asm.store(Y, word(index));
            }
            asm.park(OF_HIGH);
            asm.restore(OF_SUM);
            for index in all.clone() {
                asm.load(0, Z);
                asm.adc(word(index), 0);
            }
            asm.park(OF_SUM);
            let mut flag = Flag(None);
            self.middle(asm, &mut flag, Middle::Frame, low, all.clone().map(word));
            flag.wait(asm);
            if near {
                all.for_each(|index| asm.store_at(Z, low - count + index, word(index)));
            } else {
                asm.advance(Z, step - count as i32);
                all.for_each(|index| asm.store_at(Z, index, word(index)));
                asm.advance(Z, count as i32 - step);
            }
        });
        asm.mov(KEPT, OF_HIGH);
        asm.advance(Z, step);
        // Z moves through t, Y through h1
        let above = 2 * high - low;
        let second = |asm: &mut Assembler, count: usize, in_memory: bool| {
            let all = 0..count;
            all.clone().for_each(|index| asm.load_at(word(index), Z, index));
            asm.restore(OF_SUM);
            for index in all.clone() {
                if in_memory {
                    asm.load(0, Y);
                }
                asm.adc(word(index), if in_memory { 0 } else { ZERO });
            }
            asm.park(OF_SUM);
            asm.restore(OF_HIGH);
            all.clone().for_each(|index| asm.adc(word(index), ZERO));
            asm.park(OF_HIGH);
            let mut flag = Flag(None);
            self.middle(asm, &mut flag, Middle::Frame, low, all.clone().map(word));
            flag.wait(asm);
            all.for_each(|index| asm.store(Z, word(index)));
        };
        turns(asm, above, batch, COUNT, |asm, count| second(asm, count, true));
        if above < low {
            second(asm, low - above, false);
        }
        let [lowest, higher] = self.extension(asm, &[OF_SUM, OF_HIGH, KEPT]);
        asm.advance(Y, -(above as i32));
        let single = |asm: &mut Assembler, from: u8, first: bool| {
            asm.load_at(0, Y, 0);
            asm.add_chain(first, 0, from);
            asm.store(Y, 0);
        };
        single(asm, lowest, true);
        turns(asm, above - 1, TURN, COUNT, |asm, count| (0..count).for_each(|_| single(asm, higher, false)));
    }

    /// Subtracts the words of M from one on from registers, or adds them where it is negative; the first ones of a square begin the
    /// chain.
    fn middle(
        self,
        asm: &mut Assembler,
        flag: &mut Flag,
        middle: Middle,
        from: usize,
        words: impl Iterator<Item = u8>,
    ) {
        flag.turn(asm, OF_MIDDLE, self.square && from == 0);
        for (index, word) in (from..).zip(words) {
            match middle {
                Middle::Frame => asm.load(0, X),
                Middle::Stack => asm.load_at(0, Y, 2 * self.low - index),
            }
            if self.square {
                asm.sub_chain(index == 0, word, 0);
            } else {
                asm.eor(0, NEGATION);
                asm.adc(word, 0);
            }
        }
    }

    /// What the highest words get, -1 to 2 in all: the carries in `masks`, of which the first is lost, and what M takes away. A
    /// register for the lowest word, and one for those above.
    fn extension(self, asm: &mut Assembler, masks: &[u8]) -> [u8; 2] {
        let lowest = if self.square { OF_MIDDLE } else { NEGATION };
        if !self.square {
            asm.sub(lowest, OF_MIDDLE);
        }
        masks.iter().for_each(|mask| asm.sub(lowest, *mask));
        asm.mov(masks[0], lowest);
        asm.restore(masks[0]);
        asm.park(masks[0]);
        [lowest, masks[0]]
    }
}

/// `write` for turns of so many words: in a loop as far as they are many, then for the rest. The loop keeps the carry.
fn turns(
    asm: &mut Assembler,
    words: usize,
    each: usize,
    count: u8,
    mut write: impl FnMut(&mut Assembler, usize),
) {
    let whole = words / each;
    if whole > UNROLLED {
        asm.ldi(count, whole as u8);
        let top = asm.here();
        write(asm, each);
        asm.dec(count);
        asm.back(top);
    } else {
        (0..whole).for_each(|_| write(asm, each));
    }
    if !words.is_multiple_of(each) {
        write(asm, words % each);
    }
}
