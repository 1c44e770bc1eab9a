//! Squaring: `void f(r, a)`.

use crate::assembler::{A, Assembler, ByHand, R, Y, Z};
use rhomb_avr::instructions::Instruction;

/// Words of `a` that stay in registers from R2 on; the others are loaded at each use.
const CACHED: usize = 10;
/// The first of the words under way.
const WORDS: u8 = 12;
const SQUARES: u8 = 20;
const ZERO: u8 = 22;
const DOUBLED: u8 = 23;
const ADDED: u8 = 24;
const LOADED: [u8; 2] = [26, 27];

/// `a^2 = 2 sum over i < j of 2^8(i+j) a_i a_j + sum over i of 2^16i a_i^2`. Column by column, `batch`
/// columns (2, 4 or 6) at a time: the products i < j once, then all words of the batch doubled, then the
/// squares added. The carries of the two long chains wait in masks between the batches.
pub fn sqr(n: usize, batch: usize) -> Vec<Instruction> {
    assert!((1..=63).contains(&n) && [2, 4, 6].contains(&batch));
    let mut asm = Assembler::default();
    asm.movw(Y, A);
    asm.movw(Z, R);
    for i in 0..n.min(CACHED) {
        asm.load_at(2 + i as u8, Y, i);
    }
    [WORDS, WORDS + 1, ZERO, DOUBLED, ADDED].iter().for_each(|register| asm.clr(*register));
    let operand = |asm: &mut Assembler, i: usize, spare: u8| {
        if i < CACHED {
            return 2 + i as u8;
        }
        asm.load_at(spare, Y, i);
        spare
    };
    for first in (0..2 * n).step_by(batch) {
        let count = batch.min(2 * n - first);
        let word = |m: usize| WORDS + m as u8;
        for m in 0..count {
            asm.clr(word(m + 2));
            let column = first + m;
            for i in (column + 1).saturating_sub(n)..column.div_ceil(2) {
                let (x, y) = (operand(&mut asm, i, LOADED[0]), operand(&mut asm, column - i, LOADED[1]));
                asm.mul(x, y);
                asm.add(word(m), 0);
                asm.adc(word(m + 1), 1);
                asm.adc(word(m + 2), ZERO);
            }
        }
        asm.restore(DOUBLED);
        (0..count).for_each(|m| asm.rol(word(m)));
        asm.park(DOUBLED);
        let squares = count / 2;
        // the last square stays in R1:R0
        let mut places = Vec::new();
        for m in 0..squares {
            let x = operand(&mut asm, first / 2 + m, 0);
            asm.mul(x, x);
            let place = match (m + 1 == squares, m) {
                (true, _) => 0,
                (false, 0) => SQUARES,
                (false, _) => LOADED[0],
            };
            if place != 0 {
                asm.movw(place, 0);
            }
            places.extend([place, place + 1]);
        }
        asm.restore(ADDED);
        places.iter().enumerate().for_each(|(m, place)| asm.adc(word(m), *place));
        asm.park(ADDED);
        (0..count).for_each(|m| asm.store(Z, word(m)));
        asm.movw(word(0), word(count));
    }
    asm.by_gcc()
}
