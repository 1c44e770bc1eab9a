//! Multiplication on processors without MUL.

use crate::assembler::{A, Assembler, B, ByHand, Label, R, X, Y, Z};
use crate::looped::{LEFT, RIGHT, operand_scanning_with, product_scanning_with};
use rhomb_avr::instructions::{Instruction, Op, flag};

/// How a bit of the multiplier decides whether the multiplicand is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// Skipped, and the other side takes as long.
    Skip,
    /// The multiplicand is masked.
    Mask,
}

/// Strips of e words of `a`, which stay in registers. For each byte y of `b`, eight times: the sum s takes the
/// strip if the next bit of y is set, and one bit of s leaves to the right: `s + strip y = 2^8 s' + p`. Then p
/// is added to the word that the strip before has stored.
pub fn strip(n: usize, e: usize, test: Test) -> Vec<Instruction> {
    const BYTE: u8 = 22;
    const LOW: u8 = 23;
    const ROWS: u8 = 24;
    const BITS: u8 = 25;
    const MASK: u8 = 0;
    const TEMPORARY: u8 = 20;
    const ZERO: u8 = 1;
    assert!((1..=9).contains(&e) && n < 64);
    let (a, sum) = (|i: usize| 2 + i as u8, |i: usize| 11 + i as u8);
    let mut asm = Assembler::default();
    asm.movw(X, A);
    asm.movw(Z, R);
    // the last use of the arguments; B alone is needed again
    asm.push(B);
    asm.push(B + 1);
    for start in (0..n).step_by(e) {
        let words = e.min(n - start);
        asm.pop(Y + 1);
        asm.pop(Y);
        asm.push(Y);
        asm.push(Y + 1);
        for i in 0..words {
            asm.load(a(i), X);
            asm.clr(sum(i));
        }
        asm.with(Op::Ldi, ROWS, n);
        let row = asm.here();
        asm.load(BYTE, Y);
        asm.with(Op::Ldi, BITS, 8);
        if test == Test::Mask {
            asm.clr(LOW);
        }
        let bit = asm.here();
        match test {
            // the multiplier's bits leave on the right, those of the product come in on the left
            Test::Skip => {
                let (add, join) = (asm.label(), asm.label());
                asm.on_bit(Op::Sbrc, BYTE, 0);
                asm.rjmp(add);
                // 2 cycles
                asm.clc();
                asm.nop(words - 1);
                asm.rjmp(join);
                // 3 cycles
                asm.bind(add);
                (0..words).for_each(|i| asm.add_chain(i == 0, sum(i), a(i)));
                asm.nop(1);
                asm.bind(join);
            }
            Test::Mask => {
                asm.lsr(BYTE);
                asm.park(MASK);
                for i in 0..words {
                    asm.mov(TEMPORARY, a(i));
                    asm.and(TEMPORARY, MASK);
                    asm.add_chain(i == 0, sum(i), TEMPORARY);
                }
            }
        }
        (0..words).rev().for_each(|i| asm.ror(sum(i)));
        let low = if test == Test::Skip { BYTE } else { LOW };
        asm.ror(low);
        asm.count_down(BITS, bit);
        if start > 0 {
            asm.load_at(TEMPORARY, Z, 0);
            asm.add(low, TEMPORARY);
            (0..words).for_each(|i| asm.adc(sum(i), ZERO));
        }
        asm.store(Z, low);
        asm.count_down(ROWS, row);
        (0..words).for_each(|i| asm.store_at(Z, i, sum(i)));
        // to the next strip's first word
        asm.walk(Z, words as i32 - n as i32);
    }
    asm.pop(Y + 1);
    asm.pop(Y);
    asm.by_gcc()
}

/// `R1:R0 = x y`, eight times: a bit of y leaves on the right; if it is set, x is added to the high byte; both
/// bytes move one place to the right.
fn mul8(asm: &mut Assembler, test: Test) {
    const MASK: u8 = 18;
    const TEMPORARY: u8 = 19;
    asm.clr(1);
    match test {
        Test::Skip => {
            asm.mov(0, RIGHT);
            asm.lsr(0);
            for _ in 0..8 {
                // over the addition in 2 cycles, or 1 + 1; the carry is clear where it is skipped
                let over = asm.label();
                asm.branch(flag::C, false, over);
                asm.add(1, LEFT);
                asm.bind(over);
                asm.ror(1);
                asm.ror(0);
            }
        }
        Test::Mask => {
            asm.clr(0);
            for _ in 0..8 {
                asm.lsr(RIGHT);
                asm.park(MASK);
                asm.mov(TEMPORARY, LEFT);
                asm.and(TEMPORARY, MASK);
                asm.add(1, TEMPORARY);
                asm.ror(1);
                asm.ror(0);
            }
        }
    }
}

/// How the bytes are multiplied in [`called`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scanning {
    /// [`crate::looped::product_scanning`].
    Product,
    /// [`crate::looped::operand_scanning`].
    Operand,
}

/// Product or operand scanning with a subroutine in the place of MUL.
pub fn called(n: usize, scanning: Scanning, test: Test) -> Vec<Instruction> {
    let mut asm = Assembler::default();
    let mul8: Label = asm.routine(|asm| mul8(asm, test));
    match scanning {
        Scanning::Product => product_scanning_with(&mut asm, n, |asm| asm.rcall(mul8)),
        Scanning::Operand => {
            // the carry word lies where the subroutine has its own
            operand_scanning_with(&mut asm, n, |asm| {
                asm.push(19);
                asm.rcall(mul8);
                asm.pop(19);
            })
        }
    }
    asm.by_gcc()
}
