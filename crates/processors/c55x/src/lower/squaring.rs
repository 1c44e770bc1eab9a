//! Squares, two columns at once: products of different words once, then doubled.
//!
//! `a[i] a[2m-i]` and `a[i] a[2m+1-i]` for i < m share `a[i]`, which is read from a copy of the operand in another block
//! of memory, as three words are read in a cycle. At i = m the even column's product is that of a word with itself: it is
//! added where the doubled sum goes.
//!
//! Bound: as for a product, since a doubled column counts twice.

use super::code::{Code, amov, point, shifted, store};
use super::multiplication::MOST_WORDS;
use super::passes::{Pass, Position, Streams, Term};
use crate::instructions::{Ind, Instruction, Mode, Reg, RegOp, ShiftOp, Smem, Ta};

/// Sums of the even and the odd column, and what is carried.
const EVEN: u8 = 0;
const ODD: u8 = 1;
const TOTAL: u8 = 2;

fn low(words: usize, m: usize) -> i64 {
    (2 * m as i64 - words as i64 + 1).max(0)
}

fn start(words: usize, pass: Pass) -> Position {
    Position::at(pass.m, if pass.up { low(words, pass.m) } else { pass.m as i64 })
}

fn terms(words: usize, pass: Pass) -> Vec<Term> {
    let mut indices: Vec<i64> = (low(words, pass.m)..=pass.m as i64).collect();
    if !pass.up {
        indices.reverse();
    }
    let (mut fresh_even, mut fresh_odd) = (true, true);
    let term = |i: i64| {
        let at = Position::at(pass.m, i);
        let even = match i == pass.m as i64 {
            true => (TOTAL, pass.m == 0),
            false => (EVEN, std::mem::take(&mut fresh_even)),
        };
        let odd = (at.odd < words as i64).then(|| (ODD, std::mem::take(&mut fresh_odd)));
        Term { even: Some(even), odd, at }
    };
    indices.into_iter().map(term).collect()
}

/// `r = a * a` for `words` words: AR0 at r, AR1 and AR3 at the first two words of a, CDP at a copy of a. T0 becomes 2;
/// accumulators AC0 to AC2.
pub(super) fn square(code: &mut Code, words: usize) {
    let passes: Vec<Pass> = (0..words).map(|m| Pass { m, up: m.is_multiple_of(2) }).collect();
    code.push(amov(2, Ta::T(0)));
    for (number, pass) in passes.iter().enumerate() {
        let terms = terms(words, *pass);
        let next = passes.get(number + 1);
        Streams { even: 1, odd: 3 }.emit(code, &terms, next.map(|next| start(words, *next)));
        let has = |ac: u8| {
            terms.iter().flat_map(|term| [term.even, term.odd]).flatten().any(|(used, _)| used == ac)
        };
        let last = terms.last().map(|term| [term.even, term.odd].into_iter().flatten().map(|(ac, _)| ac));
        let in_last: Vec<u8> = last.map(Iterator::collect).unwrap_or_default();
        let doubled = |ac: u8| Instruction::ShiftByOne { dst: Reg::Ac(ac), left: true };
        let early = |ac: u8| has(ac) && !in_last.contains(&ac);
        // a sum that is complete is doubled beside the last product
        let (early_even, early_odd) = (early(EVEN), early(ODD) && !early(EVEN));
        if early_even {
            code.beside(doubled(EVEN));
        } else if early_odd {
            code.beside(doubled(ODD));
        }
        let add = Instruction::Registers { op: RegOp::Add, src: Reg::Ac(EVEN), dst: Reg::Ac(TOTAL) };
        let mut odd_done = early_odd || !has(ODD);
        if has(EVEN) {
            match early_even {
                true => {
                    code.push(add);
                    if !odd_done {
                        code.beside(doubled(ODD));
                        odd_done = true;
                    }
                }
                false => code.push(shifted(ShiftOp::Add, EVEN, 1, TOTAL)),
            }
        }
        code.push(store(TOTAL, 0));
        match (has(ODD), odd_done) {
            (true, true) => {
                code.beside(shifted(ShiftOp::Add, TOTAL, -16, ODD));
                code.push(store(ODD, 0));
                if next.is_some() {
                    code.beside(shifted(ShiftOp::Sftl, ODD, -16, TOTAL));
                }
            }
            (is_there, _) => {
                code.beside(shifted(ShiftOp::Sftl, TOTAL, -16, TOTAL));
                if is_there {
                    code.push(shifted(ShiftOp::Add, ODD, 1, TOTAL));
                }
                code.push(store(TOTAL, 0));
                if next.is_some() {
                    code.beside(shifted(ShiftOp::Sftl, TOTAL, -16, TOTAL));
                }
            }
        }
    }
}

/// Copies `words` words from `from` to `to`, both at even addresses; the registers move on.
pub(super) fn copied(code: &mut Code, words: usize, from: u8, to: u8) {
    let ind = |ar: u8| Ind { ar, mode: Mode::Up };
    code.repeat(Instruction::CopyDouble { from: ind(from), to: ind(to) }, words / 2);
    if words % 2 == 1 {
        code.push(Instruction::Copy { from: ind(from), to: ind(to) });
    }
}

/// Moves the stack pointer by words.
pub(super) fn move_stack(code: &mut Code, by: i32) {
    let mut left = by;
    while left != 0 {
        let step = left.clamp(-128, 127);
        code.push(Instruction::AddSp { value: step as i8 });
        left -= step;
    }
}

/// A function `r = a * a`: XAR0, XAR1. The copy lies in the stack.
pub fn squaring(words: usize) -> Option<Code> {
    if !(1..=MOST_WORDS).contains(&words) {
        return None;
    }
    let mut code = Code::new();
    // the stack pointer is odd at the call
    let room = words as i32 | 1;
    move_stack(&mut code, -room);
    code.push(Instruction::AmarTo { smem: Smem::Sp(0), dst: 2 });
    code.push(Instruction::AmarTo { smem: Smem::Sp(0), dst: 8 });
    code.push(point(3, 1, 0));
    copied(&mut code, words, 3, 2);
    code.push(point(3, 1, 1));
    square(&mut code, words);
    move_stack(&mut code, room);
    code.push(Instruction::Return);
    Some(code)
}
