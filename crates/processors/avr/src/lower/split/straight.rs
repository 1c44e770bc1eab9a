//! A level in a straight line, for low halves of up to 16 words: Z stays at r and reaches all of it.
//!
//! With `H' = H + l1`, the result is `(1 + w)(l0 + w H') - w M`, so that each sum of two middle words is formed
//! once. Three chains run through the words: H', the sum, and M added or subtracted. They are kept as masks
//! from one batch of words to the next. Per word of a half, 31 cycles and those of the masks, after 18 for the
//! differences.

use super::{A, B, R, extend, products, stack};
use crate::assembler::{Assembler, Label, X, Y, Z};

const ZERO: u8 = 25;
/// All ones where M is subtracted.
const NEGATION: u8 = 24;
/// The chains of H', of the sum, and of M.
const OF_HIGH: u8 = 23;
const OF_SUM: u8 = 22;
const OF_MIDDLE: u8 = 21;
/// Other registers, in the order in which they are used: Y when the frame is done with, and that of the chain of
/// H' when it has ended.
const OTHERS: [u8; 22] =
    [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, Y, Y + 1, OF_HIGH];

/// Multiplies halves of `low` and `high` words by the routines for the product of the differences and those
/// of the halves. `high` is `low` or a word less.
pub(super) fn level(asm: &mut Assembler, low: usize, high: usize, calls: [Label; 3]) {
    const SIGNS: [u8; 2] = [18, 19];
    stack::open(asm, low);
    asm.movw(Z, R);
    asm.clr(ZERO);
    for (half, (operand, sign)) in [A, B].into_iter().zip(SIGNS).enumerate() {
        asm.movw(X, operand);
        difference(asm, low, high, sign);
        (0..low).for_each(|index| asm.store_at(Z, half * low + index, word(index)));
    }
    asm.eor(SIGNS[0], SIGNS[1]);
    asm.com(SIGNS[0]);
    stack::keep_sign(asm, SIGNS[0]);
    products(asm, low, calls);
    stack::result(asm, Z);
    stack::sign(asm, NEGATION);
    recombine(asm, low, high);
    stack::close(asm, low);
}

fn word(index: usize) -> u8 {
    OTHERS[index]
}

/// The difference of the halves at X into registers, as absolute value and sign: `|d| = (d ^ m) - m`.
fn difference(asm: &mut Assembler, low: usize, high: usize, sign: u8) {
    (0..low).for_each(|index| asm.load(word(index), X));
    for index in 0..low {
        if index < high {
            asm.load(0, X);
        }
        asm.sub_chain(index == 0, word(index), if index < high { 0 } else { ZERO });
    }
    asm.park(sign);
    for index in 0..low {
        asm.eor(word(index), sign);
        asm.sub_chain(index == 0, word(index), sign);
    }
}

/// Z points to r with the products of the halves, X to M.
fn recombine(asm: &mut Assembler, low: usize, high: usize) {
    asm.clr(ZERO);
    asm.mov(OF_MIDDLE, NEGATION);
    // words h0 of H become h0 + l1, which both middle quarters need
    (0..low).for_each(|index| asm.load_at(word(index), Z, low + index));
    for index in 0..low {
        asm.load_at(0, Z, 2 * low + index);
        asm.add_chain(index == 0, word(index), 0);
        asm.store_at(Z, 2 * low + index, word(index));
    }
    asm.park(OF_HIGH);
    for index in 0..low {
        asm.load_at(0, Z, index);
        asm.add_chain(index == 0, word(index), 0);
    }
    asm.park(OF_SUM);
    middle(asm, (0..low).map(|index| (word(index), low + index)));
    // words h1 of H' stay in registers to the end; the first word above H is its carry, the next ones zero
    let above = 2 * high - low;
    asm.restore(OF_HIGH);
    for index in 0..above {
        asm.load_at(word(index), Z, 3 * low + index);
        asm.adc(word(index), ZERO);
    }
    let kept = if above < low {
        asm.clr(word(above));
        asm.adc(word(above), ZERO);
        above + 1
    } else {
        above
    };
    let batch = OTHERS.len() - kept;
    for first in (0..low).step_by(batch) {
        let words = first..low.min(first + batch);
        let own = |index: usize| word(kept + index - first);
        words.clone().for_each(|index| asm.load_at(own(index), Z, 2 * low + index));
        asm.restore(OF_SUM);
        words.clone().for_each(|index| asm.adc(own(index), if index < kept { word(index) } else { ZERO }));
        asm.park(OF_SUM);
        middle(asm, words.map(|index| (own(index), 2 * low + index)));
    }
    extend(asm, NEGATION, [OF_SUM, OF_MIDDLE]);
    for index in 0..above {
        asm.add_chain(index == 0, word(index), if index == 0 { NEGATION } else { OF_SUM });
        asm.store_at(Z, 3 * low + index, word(index));
    }
}

/// Adds the next words of M, negated, to registers, and stores these at their distances from Z.
fn middle(asm: &mut Assembler, words: impl Iterator<Item = (u8, usize)>) {
    asm.restore(OF_MIDDLE);
    for (register, place) in words {
        asm.load(0, X);
        asm.eor(0, NEGATION);
        asm.adc(register, 0);
        asm.store_at(Z, place, register);
    }
    asm.park(OF_MIDDLE);
}
