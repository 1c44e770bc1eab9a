//! Multiplication with loops, whose counts are public: the code does not grow with n.

use crate::assembler::{A, Assembler, B, ByHand, R, X, Y, Z};
use rhomb_avr::instructions::{Instruction, Op, flag};

/// Operands of the multiplication; its result is in R1:R0.
pub(crate) const LEFT: u8 = 16;
pub(crate) const RIGHT: u8 = 17;

fn hardware(asm: &mut Assembler) {
    asm.mul(LEFT, RIGHT);
}

/// Product scanning: `r_k = sum over i + j = k of a_i b_j`, the columns in two loops. In the first, column
/// k has k + 1 products; in the second, one less each time.
pub fn product_scanning(n: usize) -> Vec<Instruction> {
    let mut asm = Assembler::default();
    product_scanning_with(&mut asm, n, hardware);
    asm.by_gcc()
}

pub(crate) fn product_scanning_with(asm: &mut Assembler, n: usize, multiply: impl Fn(&mut Assembler)) {
    const SUM: [u8; 3] = [12, 13, 14];
    const ZERO: u8 = 15;
    const LENGTH: u8 = 24;
    const COUNTER: u8 = 25;
    assert!(n < 256);
    asm.movw(Z, R);
    SUM.iter().chain(&[ZERO]).for_each(|register| asm.clr(*register));
    let column = |asm: &mut Assembler| {
        asm.mov(COUNTER, LENGTH);
        let top = asm.here();
        asm.load(LEFT, X);
        asm.load_below(RIGHT, Y);
        multiply(asm);
        asm.add(SUM[0], 0);
        asm.adc(SUM[1], 1);
        asm.adc(SUM[2], ZERO);
        asm.count_down(COUNTER, top);
        asm.store(Z, SUM[0]);
        asm.mov(SUM[0], SUM[1]);
        asm.mov(SUM[1], SUM[2]);
        asm.clr(SUM[2]);
    };

    asm.with(Op::Ldi, LENGTH, 1);
    let rising = asm.here();
    asm.movw(X, A);
    asm.movw(Y, B);
    asm.add(Y, LENGTH);
    asm.adc(Y + 1, ZERO);
    column(asm);
    asm.inc(LENGTH);
    asm.with(Op::Cpi, LENGTH, (n + 1) % 256);
    asm.back_where(flag::Z, false, rising);

    if n > 1 {
        asm.with(Op::Ldi, LENGTH, n - 1);
        // b + n
        asm.with(Op::Subi, B, 256 - n);
        asm.with(Op::Sbci, B + 1, 255);
        let falling = asm.here();
        // a + 1, a + 2 ...
        asm.with(Op::Subi, A, 255);
        asm.with(Op::Sbci, A + 1, 255);
        asm.movw(X, A);
        asm.movw(Y, B);
        column(asm);
        asm.count_down(LENGTH, falling);
    }
    asm.store(Z, SUM[0]);
}

/// Operand scanning: `r := 0`, then for each i `r := r + 2^8i a_i b`, one row after the other; the carry
/// word of a row is a new word of the result.
pub fn operand_scanning(n: usize) -> Vec<Instruction> {
    let mut asm = Assembler::default();
    operand_scanning_with(&mut asm, n, hardware);
    asm.by_gcc()
}

pub(crate) fn operand_scanning_with(asm: &mut Assembler, n: usize, multiply: impl Fn(&mut Assembler)) {
    const OLD: u8 = 18;
    const CARRY: u8 = 19;
    const ZERO: u8 = 15;
    const ROWS: u8 = 24;
    const COUNTER: u8 = 25;
    assert!(n < 256);
    asm.movw(Z, R);
    asm.movw(X, A);
    asm.clr(ZERO);
    asm.with(Op::Ldi, COUNTER, n);
    let top = asm.here();
    asm.store(Z, ZERO);
    asm.count_down(COUNTER, top);
    asm.walk(Z, -(n as i32));
    asm.with(Op::Ldi, ROWS, n);
    let row = asm.here();
    asm.load(LEFT, X);
    asm.movw(Y, B);
    asm.clr(CARRY);
    asm.with(Op::Ldi, COUNTER, n);
    let product = asm.here();
    asm.load(RIGHT, Y);
    multiply(asm);
    asm.load_at(OLD, Z, 0);
    asm.add(0, CARRY);
    asm.adc(1, ZERO);
    asm.add(0, OLD);
    asm.adc(1, ZERO);
    asm.store(Z, 0);
    asm.mov(CARRY, 1);
    asm.count_down(COUNTER, product);
    asm.store_at(Z, 0, CARRY);
    asm.walk(Z, 1 - n as i32);
    asm.count_down(ROWS, row);
}

/// Operand caching with loops, e dividing n: rows x = n - e, n - 2e .. 0, which differ only in the length
/// of their streams, s = 0, e .. n - e. Row x, with `a_x .. a_(x+e-1)` in registers:
///
/// 1. columns x + t, t < e: `sum_i a_(x+i) b_(t-i)`, both operands loaded;
/// 2. s columns: all e words of `a` times the last e of `b`, one word of `b` loaded a column;
/// 3. s columns: the last e words of `a` times all e of `b`, one word of `a` loaded a column;
/// 4. columns that fade out, without loads; then the carry word.
///
/// Parts 2 and 3 add the words that earlier rows have stored, and take e columns a turn, after which
/// each word is again in the register it started from.
pub fn operand_caching(n: usize, e: usize) -> Vec<Instruction> {
    const SUM: [u8; 3] = [20, 21, 22];
    const ZERO: u8 = 23;
    const STREAM: u8 = 24;
    const COUNTER: u8 = 25;
    assert!((1..=9).contains(&e) && n.is_multiple_of(e) && n <= 256);
    let (a, b) = (|i: usize| 2 + (i % e) as u8, |j: usize| 2 + (e + j % e) as u8);
    let mut asm = Assembler::default();
    let sum = |column: usize, word: usize| SUM[(column + word) % 3];
    let product = |asm: &mut Assembler, column: usize, i: usize, j: usize| {
        asm.mul(a(i), b(j));
        asm.add(sum(column, 0), 0);
        asm.adc(sum(column, 1), 1);
        asm.adc(sum(column, 2), ZERO);
    };
    let finish = |asm: &mut Assembler, column: usize| {
        asm.store(Z, sum(column, 0));
        asm.clr(sum(column, 0));
    };
    // the words of the sum, which has moved on by `columns`, back to where they started
    let realign = |asm: &mut Assembler, columns: usize| match columns % 3 {
        0 => {}
        1 => {
            asm.mov(SUM[0], SUM[1]);
            asm.mov(SUM[1], SUM[2]);
            asm.clr(SUM[2]);
        }
        _ => {
            asm.mov(SUM[1], SUM[0]);
            asm.mov(SUM[0], SUM[2]);
            asm.clr(SUM[2]);
        }
    };
    let streamed = |asm: &mut Assembler, step: &dyn Fn(&mut Assembler, usize)| {
        let test = asm.label();
        let done = asm.label();
        asm.mov(COUNTER, STREAM);
        asm.rjmp(test);
        let top = asm.here();
        for t in 0..e {
            asm.load_at(0, Z, 0);
            asm.add(sum(t, 0), 0);
            asm.adc(sum(t, 1), ZERO);
            asm.adc(sum(t, 2), ZERO);
            step(asm, t);
            finish(asm, t);
        }
        realign(asm, e);
        asm.bind(test);
        asm.with(Op::Subi, COUNTER, e);
        asm.branch(flag::C, true, done);
        asm.rjmp(top);
        asm.bind(done);
    };

    asm.movw(X, A);
    asm.movw(Y, B);
    asm.movw(Z, R);
    asm.walk(X, (n - e) as i32);
    asm.walk(Z, (n - e) as i32);
    asm.clr(ZERO);
    asm.with(Op::Ldi, STREAM, 0);
    let row = asm.here();
    SUM.iter().for_each(|register| asm.clr(*register));
    for t in 0..e {
        asm.load(a(t), X);
        asm.load(b(t), Y);
        (0..=t).for_each(|i| product(&mut asm, t, i, t - i));
        finish(&mut asm, t);
    }
    realign(&mut asm, e);
    streamed(&mut asm, &|asm, t| {
        asm.load(b(t), Y);
        (0..e).for_each(|i| product(asm, t, i, t + e - i));
    });
    streamed(&mut asm, &|asm, t| {
        asm.load(a(t), X);
        (0..e).for_each(|j| product(asm, t, t + e - j, j));
    });
    for t in 1..e {
        (t..e).for_each(|i| product(&mut asm, t - 1, i, e - 1 + t - i));
        finish(&mut asm, t - 1);
    }
    asm.store(Z, sum(e - 1, 0));
    // to a + x - e, b and r + x - e
    for (pointer, streams) in [(X, 1), (Y, 1), (Z, 2)] {
        for _ in 0..streams {
            asm.sub(pointer, STREAM);
            asm.sbc(pointer + 1, ZERO);
        }
    }
    asm.with(Op::Sbiw, X, 2 * e);
    asm.with(Op::Sbiw, Y, e);
    asm.with(Op::Sbiw, Z, 3 * e);
    asm.with(Op::Subi, STREAM, 256 - e);
    asm.with(Op::Cpi, STREAM, n % 256);
    asm.back_where(flag::Z, false, row);
    asm.by_gcc()
}
