//! What hand-written code does around a kernel: stack frames, the T flag, pushes in the middle.

use crate::assembler::{A, Assembler, B, ByHand, R, X, Y, Z};
use rhomb_avr::instructions::{Instruction, Op};

const LEFT: u8 = 18;
const RIGHT: u8 = 19;
const SUM: [u8; 3] = [12, 13, 14];
const ZERO: u8 = 15;

/// Product scanning, with the result in a frame that SPL and SPH make, copied to r in the end.
pub fn stack_frame(n: usize) -> Vec<Instruction> {
    assert!(2 * n <= 62);
    let mut asm = Assembler::default();
    // R25:R24 makes the frame
    asm.movw(16, R);
    asm.open_frame(2 * n);
    asm.movw(Y, 24);
    asm.movw(X, A);
    asm.movw(Z, B);
    SUM.iter().chain(&[ZERO]).for_each(|register| asm.clr(*register));
    // r in R17:R16 is not touched here
    columns(&mut asm, n, |asm, column, word| asm.store_at(Y, column + 1, word));
    asm.movw(Z, 16);
    for column in 0..2 * n {
        asm.load_at(0, Y, column + 1);
        asm.store(Z, 0);
    }
    asm.close_frame(2 * n);
    asm.by_gcc()
}

/// Product scanning, each word of the result pushed; popped to r from the highest.
pub fn pushed(n: usize) -> Vec<Instruction> {
    let mut asm = Assembler::default();
    asm.movw(Y, R);
    asm.movw(X, A);
    asm.movw(Z, B);
    SUM.iter().chain(&[ZERO]).for_each(|register| asm.clr(*register));
    columns(&mut asm, n, |asm, _, word| asm.push(word));
    asm.walk(Y, 2 * n as i32);
    for _ in 0..2 * n {
        asm.pop(0);
        asm.store_below(Y, 0);
    }
    asm.by_gcc()
}

/// The columns of a product, `a` at X, `b` at Z; both pointers move with the snake: up and down by turns.
fn columns(asm: &mut Assembler, n: usize, finish: impl Fn(&mut Assembler, usize, u8)) {
    // where the pointer to a stands
    let mut at = 0;
    for column in 0..2 * n {
        let word = |place: usize| SUM[(column + place) % 3];
        let first = (column + 1).saturating_sub(n);
        let last = n.min(column + 1);
        for i in first..last {
            asm.walk(X, i as i32 - at);
            asm.load(LEFT, X);
            at = i as i32 + 1;
            asm.load_at(RIGHT, Z, column - i);
            asm.mul(LEFT, RIGHT);
            asm.add(word(0), 0);
            asm.adc(word(1), 1);
            asm.adc(word(2), ZERO);
        }
        finish(asm, column, word(0));
        asm.clr(word(0));
    }
}

/// Operand scanning without a carry word: the carry of each row's sum waits in T while MUL destroys C, and the
/// high word of the product before is added one column later.
pub fn t_flag(n: usize) -> Vec<Instruction> {
    const OLD: u8 = 20;
    const HIGH: u8 = 21;
    const CARRY: u8 = 24;
    assert!(n < 63);
    let mut asm = Assembler::default();
    asm.movw(Z, R);
    asm.movw(X, A);
    asm.movw(Y, B);
    asm.clr(ZERO);
    (0..n).for_each(|column| asm.store_at(Z, column, ZERO));
    for _ in 0..n {
        asm.load(LEFT, X);
        asm.clr(HIGH);
        for j in 0..n {
            asm.load_at(RIGHT, Y, j);
            asm.mul(LEFT, RIGHT);
            // l + h_before never leaves the row's words: its carry goes into h
            asm.add(0, HIGH);
            asm.adc(1, ZERO);
            asm.mov(HIGH, 1);
            asm.load_at(OLD, Z, j);
            if j == 0 {
                asm.add(OLD, 0);
            } else {
                // C from T
                asm.clr(CARRY);
                asm.bld(CARRY, 0);
                asm.lsr(CARRY);
                asm.adc(OLD, 0);
            }
            // T from C
            asm.park(CARRY);
            asm.on_bit(Op::Bst, CARRY, 7);
            asm.store_at(Z, j, OLD);
        }
        asm.clr(CARRY);
        asm.bld(CARRY, 0);
        asm.add(HIGH, CARRY);
        asm.store_at(Z, n, HIGH);
        asm.with(Op::Adiw, Z, 1);
    }
    asm.by_gcc()
}
