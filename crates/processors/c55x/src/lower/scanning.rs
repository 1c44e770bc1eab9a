//! Products by one multiplier: the classical ways that the dual multiplications of [`super::passes`] are compared with.
//!
//! Operand scanning (Menezes, van Oorschot and Vanstone 1996, algorithm 14.12; Hwang, Huang and Su, algorithm 1): a row
//! is `(u, v) = a_j b_i + p_(i+j) + u`, three lines a product: `MACM ... AC0 >> #16`, which takes u along, `ADD`, `MOV`.
//! The sum is at most `2^32 - 1`, so that the shift never sees a sign.
//!
//! Product scanning (Comba 1990): a column is a repeated MACM; the columns are gone through up and down in turn, so that
//! every address register stands at most a word away from where it begins again. Bound: as for
//! [`super::multiplication`].

use super::code::{Code, amov, ind, shifted, store};
use super::linear::clear;
use super::multiplication::MOST_WORDS;
use crate::instructions::{
    AddressOp, AddressSource, Counter, Ind, Instruction, Mode, ShiftOp, Single, Smem, Ta,
};

/// Most words of operand scanning: its counters have 12 bits.
pub(super) const MOST_ROWS: usize = 4096;

/// `MACM` or its kin of two unsigned words, in AC0.
pub(super) fn single(op: Single, x: Ind, y: Ind) -> Instruction {
    Instruction::Product { op, x, y, unsigned_x: true, unsigned_y: true, src: 0, dst: 0 }
}

/// `ADD uns(*ARn+), AC0`, or without moving on.
pub(super) fn add_from(ar: u8, mode: Mode) -> Instruction {
    Instruction::AddMemory {
        subtract: false,
        carry: false,
        smem: Smem::Ind(ind(ar, mode)),
        unsigned: true,
        src: 0,
        dst: 0,
    }
}

/// AC0, which goes down by a word, stored through AR0.
pub(super) fn store_and_shift(code: &mut Code) {
    code.push(store(0, 0));
    code.beside(shifted(ShiftOp::Sftl, 0, -16, 0));
}

/// `r = a * b` row by row: AR0 at r, AR1 at a, AR2 at b. T0, T1, BRC0, BRC1 and AC0 change.
pub(super) fn rows(code: &mut Code, words: usize) {
    let carry_out = |code: &mut Code| {
        code.push(shifted(ShiftOp::Sftl, 0, -16, 0));
        code.push(store(0, 0));
    };
    let product = single(Single::MacShifted, ind(1, Mode::Up), ind(2, Mode::Plain));
    let back = |ar: u8, t: u8| Instruction::Address {
        op: AddressOp::Sub,
        src: AddressSource::Ta(Ta::T(t)),
        dst: Ta::Ar(ar),
    };
    let next_row = |code: &mut Code| {
        code.push(back(1, 0));
        code.push(back(0, 0));
        code.push(Instruction::Amar { smem: Smem::Ind(ind(2, Mode::Up)) });
    };
    code.push(amov(words as u16, Ta::T(0)));
    code.push(clear(0));
    let first = |code: &mut Code| {
        code.push(product);
        code.push(store(0, 0));
    };
    match words {
        1 => first(code),
        _ => code.block(words, first),
    }
    carry_out(code);
    if words == 1 {
        return;
    }
    next_row(code);
    code.push(Instruction::SetCounter { counter: Counter::Brc1, value: (words - 1) as u16 });
    let row = |code: &mut Code| {
        code.push(clear(0));
        code.inner_block(|code| {
            code.push(product);
            code.push(add_from(0, Mode::Plain));
            code.push(store(0, 0));
        });
        carry_out(code);
        next_row(code);
    };
    match words - 1 {
        1 => {
            // a block of one is none, and its inner one is the outer one then
            code.push(Instruction::SetCounter { counter: Counter::Brc0, value: 1 });
            row(code);
        }
        more => code.block(more, row),
    }
}

/// The way through a column of `words` words by one multiplier: up and down in turn, so that every address register stands
/// at most a word away from where the next column begins.
pub(super) struct Zigzag {
    /// Products.
    pub(super) count: usize,
    /// How the registers of A and B go on from each product but the last.
    pub(super) through: (Mode, Mode),
    /// And from the last one.
    pub(super) end: (Mode, Mode),
}

impl Zigzag {
    pub(super) fn of(column: usize, words: usize) -> Zigzag {
        let down = column.is_multiple_of(2);
        // the next column begins a word further in the operand that this one ends in first
        let low = column + 1 < words;
        Zigzag {
            count: words - column.abs_diff(words - 1),
            through: if down { (Mode::Down, Mode::Up) } else { (Mode::Up, Mode::Down) },
            end: if down == low { (Mode::Plain, Mode::Up) } else { (Mode::Up, Mode::Plain) },
        }
    }
}

/// `r = a * b` column by column with one multiplier: AR0 at r, AR1 at a, AR2 at b. AC0 changes.
pub(super) fn columns(code: &mut Code, words: usize) {
    for column in 0..2 * words - 1 {
        let Zigzag { count, through: (through_a, through_b), end: (end_a, end_b) } =
            Zigzag::of(column, words);
        let op = if column == 0 { Single::Mpy } else { Single::Mac };
        code.repeat(single(Single::Mac, ind(1, through_a), ind(2, through_b)), count - 1);
        code.push(single(op, ind(1, end_a), ind(2, end_b)));
        store_and_shift(code);
    }
    code.push(store(0, 0));
}

/// A function `r = a * b`: XAR0, XAR1, XAR2; operand scanning. `None` for no words, or too many for a counter.
pub fn operand_scanning(words: usize) -> Option<Code> {
    (1..=MOST_ROWS).contains(&words).then(|| {
        let mut code = Code::new();
        rows(&mut code, words);
        code.push(Instruction::Return);
        code
    })
}

/// A function `r = a * b`: XAR0, XAR1, XAR2; product scanning with one multiplier. `None` for sizes whose columns do not
/// fit the accumulator.
pub fn single_product_scanning(words: usize) -> Option<Code> {
    (1..=MOST_WORDS).contains(&words).then(|| {
        let mut code = Code::new();
        columns(&mut code, words);
        code.push(Instruction::Return);
        code
    })
}

/// AC0 and the registers of [`rows`] from those of a leaf: b in CDP.
pub(super) fn rows_of_leaf(code: &mut Code, words: usize) {
    code.push(Instruction::AmarTo { smem: Smem::Cdp(Mode::Plain), dst: 2 });
    rows(code, words);
}
