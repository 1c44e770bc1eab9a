//! A level with loops, for any size: eight words in a turn, the rest behind. The same as in `straight`, but H'
//! is kept in memory.

use super::{A, B, R, extend, products, stack};
use crate::assembler::{Assembler, Label, X, Y, Z};

const ZERO: u8 = 25;
/// All ones where M is subtracted.
const NEGATION: u8 = 24;
/// The chains of H', of the sum, and of M.
const OF_HIGH: u8 = 23;
const OF_SUM: u8 = 22;
const OF_MIDDLE: u8 = 21;
/// Turns.
const COUNT: u8 = 20;
/// Words of a turn.
const BATCH: usize = 8;
const FIRST: u8 = 2;
/// Largest displacement.
const REACH: usize = 63;

/// The most words of a low half: a byte counts the turns.
pub(super) const MOST: usize = BATCH * 255 + BATCH - 1;

/// Multiplies halves as `straight::level`.
pub(super) fn level(asm: &mut Assembler, low: usize, high: usize, calls: [Label; 3]) {
    const SIGNS: [u8; 2] = [18, 19];
    const COUNT_EARLY: u8 = 17;
    stack::open(asm, low);
    asm.movw(Z, R);
    asm.clr(ZERO_EARLY);
    for (operand, sign) in [A, B].into_iter().zip(SIGNS) {
        asm.movw(X, operand);
        asm.movw(Y, operand);
        asm.advance(Y, low as i32);
        difference(asm, low, high, sign, COUNT_EARLY);
    }
    asm.eor(SIGNS[0], SIGNS[1]);
    asm.com(SIGNS[0]);
    stack::find(asm);
    stack::keep_sign(asm, SIGNS[0]);
    asm.advance(Z, -2 * low as i32);
    products(asm, low, calls);
    stack::result(asm, Z);
    stack::sign(asm, NEGATION);
    recombine(asm, low, high);
    stack::close(asm, low);
}

/// Zero while the operands' pointers are still in R20 to R23.
const ZERO_EARLY: u8 = 16;

fn word(index: usize) -> u8 {
    FIRST + index as u8
}

/// `write` for batches of words: in a loop as far as they are whole, then for the rest. The loop keeps the
/// carry.
fn batches(asm: &mut Assembler, words: usize, count: u8, mut write: impl FnMut(&mut Assembler, usize)) {
    let turns = words / BATCH;
    match turns {
        0 => {}
        1 => write(asm, BATCH),
        _ => {
            asm.ldi(count, turns as u8);
            let top = asm.here();
            write(asm, BATCH);
            asm.dec(count);
            asm.back(top);
        }
    }
    if !words.is_multiple_of(BATCH) {
        write(asm, words % BATCH);
    }
}

/// Low half at X less high half at Y to Z, as absolute value and sign. Z ends behind.
fn difference(asm: &mut Assembler, low: usize, high: usize, sign: u8, count: u8) {
    asm.clc();
    batches(asm, high, count, |asm, words| {
        for index in 0..words {
            asm.load(word(index), X);
            asm.load(0, Y);
            asm.sbc(word(index), 0);
            asm.store(Z, word(index));
        }
    });
    for _ in high..low {
        asm.load(word(0), X);
        asm.sbc(word(0), ZERO_EARLY);
        asm.store(Z, word(0));
    }
    asm.park(sign);
    asm.advance(Z, -(low as i32));
    asm.clc();
    batches(asm, low, count, |asm, words| {
        for index in 0..words {
            asm.load_at(word(index), Z, 0);
            asm.eor(word(index), sign);
            asm.sbc(word(index), sign);
            asm.store(Z, word(index));
        }
    });
}

/// Z points to r with the products of the halves, X to M. Y is lost.
fn recombine(asm: &mut Assembler, low: usize, high: usize) {
    let near = low + BATCH <= REACH;
    let step = low as i32;
    asm.clr(ZERO);
    asm.clr(OF_HIGH);
    asm.clr(OF_SUM);
    asm.mov(OF_MIDDLE, NEGATION);
    asm.movw(Y, Z);
    asm.advance(Y, 2 * step);
    // Z moves through l0, Y through h0, which becomes h0 + l1
    batches(asm, low, COUNT, |asm, words| {
        let all = 0..words;
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
        middle(asm, words);
        if near {
            all.for_each(|index| asm.store_at(Z, low - words + index, word(index)));
        } else {
            asm.advance(Z, step - words as i32);
            all.for_each(|index| asm.store_at(Z, index, word(index)));
            asm.advance(Z, words as i32 - step);
        }
    });
    asm.advance(Z, step);
    // Z moves through h0 + l1, Y through h1; what lies above H is its carry
    let above = 2 * high - low;
    let second = |asm: &mut Assembler, words: usize, in_memory: bool| {
        let all = 0..words;
        for index in all.clone() {
            if in_memory {
                asm.load_at(word(BATCH + index), Y, index);
            } else {
                asm.clr(word(BATCH + index));
            }
        }
        asm.restore(OF_HIGH);
        for index in all.clone() {
            asm.adc(word(BATCH + index), ZERO);
            if in_memory {
                asm.store(Y, word(BATCH + index));
            }
        }
        asm.park(OF_HIGH);
        all.clone().for_each(|index| asm.load_at(word(index), Z, index));
        asm.restore(OF_SUM);
        all.clone().for_each(|index| asm.adc(word(index), word(BATCH + index)));
        asm.park(OF_SUM);
        middle(asm, words);
        all.for_each(|index| asm.store(Z, word(index)));
    };
    batches(asm, above, COUNT, |asm, words| second(asm, words, true));
    if above < low {
        second(asm, low - above, false);
    }
    extend(asm, NEGATION, [OF_SUM, OF_MIDDLE]);
    asm.advance(Y, -(above as i32));
    let single = |asm: &mut Assembler, from: u8, first: bool| {
        asm.load_at(word(0), Y, 0);
        asm.add_chain(first, word(0), from);
        asm.store(Y, word(0));
    };
    if above > 0 {
        single(asm, NEGATION, true);
        batches(asm, above - 1, COUNT, |asm, words| (0..words).for_each(|_| single(asm, OF_SUM, false)));
    }
}

/// Adds the next words of M, negated, to registers.
fn middle(asm: &mut Assembler, words: usize) {
    asm.restore(OF_MIDDLE);
    for index in 0..words {
        asm.load(0, X);
        asm.eor(0, NEGATION);
        asm.adc(word(index), 0);
    }
    asm.park(OF_MIDDLE);
}
