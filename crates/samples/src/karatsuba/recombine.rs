//! The last step: Z points to r, which holds L and H; Y to M, the product of the differences.

use super::{Extension, Shape, Sign};
use crate::assembler::{Assembler, ByHand, X, Y, Z};
use crate::branched;

/// At first what the frame holds: the sign mask, all ones where the differences have different signs and M is
/// to be added; or the sign word of a signed M.
pub(crate) const SIGN: u8 = 16;
const WORD: u8 = 18;
const OTHER: u8 = 19;
/// Masks of carries, later the carry word.
pub(crate) const CARRY: u8 = 20;
pub(crate) const CARRY_OF_M: u8 = 21;
const EXTENSION: u8 = 22;
const ZERO: u8 = 23;

/// From a sign to the mask with which M is negated: all ones where it is to be subtracted.
fn negation(asm: &mut Assembler, sign: Sign) {
    match sign {
        Sign::Frame => asm.com(SIGN),
        Sign::Flag => {
            // T = 0: 0 - 1; T = 1: 1 - 1
            asm.clr(SIGN);
            asm.bld(SIGN, 0);
            asm.dec(SIGN);
        }
        Sign::Corrected | Sign::Branched(_) => {}
    }
}

/// `T = L +- M`, `T += H` in the frame, `r += w T`: the carries are added, there is no sign to extend.
/// With the mask f of the negation, `-M = (M ^ f) + f - w^2 f`.
pub(super) fn plain(asm: &mut Assembler, h: usize, sign: Sign) {
    assert!(matches!(sign, Sign::Frame | Sign::Flag));
    let step = h as i32;
    negation(asm, sign);
    asm.movw(X, Z);
    asm.clr(ZERO);
    asm.mov(CARRY, SIGN);
    asm.restore(CARRY);
    for _ in 0..2 * h {
        asm.load_at(WORD, Y, 0);
        asm.eor(WORD, SIGN);
        asm.load(OTHER, X);
        asm.adc(WORD, OTHER);
        asm.store(Y, WORD);
    }
    asm.park(CARRY);
    asm.sub(SIGN, CARRY);
    asm.walk(Y, -2 * step);
    for j in 0..2 * h {
        asm.load_at(WORD, Y, 0);
        asm.load(OTHER, X);
        asm.add_chain(j == 0, WORD, OTHER);
        asm.store(Y, WORD);
    }
    asm.park(CARRY);
    asm.sub(SIGN, CARRY);
    asm.walk(Y, -2 * step);
    asm.walk(Z, step);
    for j in 0..3 * h {
        asm.load_at(WORD, Z, 0);
        match j.checked_sub(2 * h) {
            None => {
                asm.load(OTHER, Y);
                asm.add_chain(j == 0, WORD, OTHER);
            }
            Some(0) => asm.adc(WORD, SIGN),
            Some(_) => asm.adc(WORD, ZERO),
        }
        asm.store(Z, WORD);
    }
}

/// `H' = H + l1` in place, then `(1 + w)(l0 + w H')`, then `+- w M`.
pub(super) fn refined(asm: &mut Assembler, h: usize, shape: &Shape) {
    let step = h as i32;
    raise(asm, h);
    // X at r, Z at r + h; M waits on the stack
    asm.movw(X, Z);
    asm.walk(Z, step);
    asm.push(Y);
    asm.push(Y + 1);
    asm.movw(Y, X);
    asm.walk(Y, 2 * step);
    for j in 0..2 * h {
        if j < h {
            asm.load(WORD, X);
        } else {
            asm.load_at(WORD, Z, 0);
        }
        asm.load(OTHER, Y);
        asm.add_chain(j == 0, WORD, OTHER);
        asm.store(Z, WORD);
    }
    asm.park(CARRY);
    asm.pop(Y + 1);
    asm.pop(Y);
    asm.walk(Z, -2 * step);
    match shape.sign {
        Sign::Branched(sides) => branched::add_or_subtract(asm, h, sides),
        sign => {
            negation(asm, sign);
            if sign != Sign::Corrected {
                asm.cp(ZERO, SIGN);
            }
            for j in 0..2 * h {
                asm.load_at(WORD, Z, 0);
                asm.load(OTHER, Y);
                combine(asm, sign, j == 0, WORD, OTHER);
                asm.store(Z, WORD);
            }
            asm.park(CARRY_OF_M);
        }
    }
    extend(asm, h, shape);
}

/// The same, words v of `(1 + w)(l0 + w H')` and of `v +- M` in one pass.
pub(super) fn fused(asm: &mut Assembler, h: usize, shape: &Shape) {
    assert!(h <= 16 && !matches!(shape.sign, Sign::Branched(_)));
    const WORDS: usize = 4;
    const FIRST: u8 = 2;
    raise(asm, h);
    negation(asm, shape.sign);
    asm.clr(CARRY);
    asm.clr(CARRY_OF_M);
    if shape.sign != Sign::Corrected {
        asm.mov(CARRY_OF_M, SIGN);
    }
    for first in (0..2 * h).step_by(WORDS) {
        let columns = first..(first + WORDS).min(2 * h);
        let word = |column: usize| FIRST + (column - first) as u8;
        asm.restore(CARRY);
        for j in columns.clone() {
            // l0 + t, then t + h1'; the place of t is overwritten in the second half only
            asm.load_at(word(j), Z, if j < h { j } else { h + j });
            asm.load_at(OTHER, Z, 2 * h + j);
            asm.adc(word(j), OTHER);
        }
        asm.park(CARRY);
        asm.restore(CARRY_OF_M);
        for j in columns {
            asm.load(OTHER, Y);
            combine(asm, shape.sign, false, word(j), OTHER);
            asm.store_at(Z, h + j, word(j));
        }
        asm.park(CARRY_OF_M);
    }
    asm.walk(Z, 3 * h as i32);
    extend(asm, h, shape);
}

/// `H += l1`. Z stays.
fn raise(asm: &mut Assembler, h: usize) {
    let step = h as i32;
    asm.clr(ZERO);
    asm.movw(X, Z);
    asm.walk(X, step);
    asm.walk(Z, 2 * step);
    for j in 0..2 * h {
        asm.load_at(WORD, Z, 0);
        if j < h {
            asm.load(OTHER, X);
            asm.add_chain(j == 0, WORD, OTHER);
        } else {
            asm.adc(WORD, ZERO);
        }
        asm.store(Z, WORD);
    }
    asm.walk(Z, -4 * step);
}

/// A word of M added, negated by the mask; or subtracted where M has a sign of its own.
fn combine(asm: &mut Assembler, sign: Sign, first: bool, word: u8, of_m: u8) {
    if sign == Sign::Corrected {
        asm.sub_chain(first, word, of_m);
    } else {
        asm.eor(of_m, SIGN);
        asm.adc(word, of_m);
    }
}

/// The carries, -1 to 1 together, added to the top quarter of r at Z. The masks count as follows: carry of
/// the sum +1; of M added +1, its negation -1; of M subtracted -1, its negative sign +1.
fn extend(asm: &mut Assembler, h: usize, shape: &Shape) {
    match shape.sign {
        Sign::Frame | Sign::Flag => {
            asm.sub(SIGN, CARRY);
            asm.sub(SIGN, CARRY_OF_M);
            asm.mov(CARRY, SIGN);
        }
        Sign::Corrected => {
            asm.sub(CARRY_OF_M, SIGN);
            asm.sub(CARRY_OF_M, CARRY);
            asm.mov(CARRY, CARRY_OF_M);
        }
        // a number here, not a mask
        Sign::Branched(_) => {
            asm.sub(CARRY_OF_M, CARRY);
            asm.mov(CARRY, CARRY_OF_M);
        }
    }
    asm.mov(EXTENSION, CARRY);
    match shape.extension {
        Extension::Asr => asm.asr(EXTENSION),
        Extension::Sbc => {
            asm.lsl(EXTENSION);
            asm.park(EXTENSION);
        }
    }
    for j in 0..h {
        asm.load_at(WORD, Z, 0);
        asm.add_chain(j == 0, WORD, if j == 0 { CARRY } else { EXTENSION });
        asm.store(Z, WORD);
    }
}
