//! Montgomery multiplication with the reduction in between, by one multiplier: what the separated one is compared with.
//! Koç, Acar and Kaliski 1996.
//!
//! Coarsely integrated operand scanning (CIOS): for each word of b a row `t += a b_i`, a digit `m = t_0 n' mod 2^16`, and a
//! row `t = (t + m n) / 2^16`. t stays below 2 R for a, b and n below R: it has s + 1 words, and a word that catches the
//! zero of the division.
//!
//! Finely integrated product scanning (FIPS): column k of `a b + m n` in one accumulator, the digits m on the way. Bound:
//! a column has up to 2 s products, `2 s (2^16-1)^2 + 2^24 < 2^40` for s up to 128.

use super::code::{Code, ind, point, shifted, store};
use super::linear::clear;
use super::location::Location;
use super::montgomery::{Workspace, digit, plus_complement};
use super::scanning::{Zigzag, add_from, single, store_and_shift};
use crate::instructions::{Counter, Instruction, Mode, Reg, ShiftOp, Single, Smem};

/// Most words of FIPS: the bound above.
pub(super) const MOST_WORDS: usize = 128;

/// `t`, of s + 2 words, below which a word is free.
fn running(work: Workspace) -> Location {
    work.product().plus(2)
}

/// CIOS: a at AR1, b at AR6; the result goes to `to`.
pub(super) fn cios(code: &mut Code, work: Workspace, to: Location) {
    let words = work.words;
    let t = running(work);
    // AR3 stays at a; the cells' fourth word holds m
    code.push(point(3, 1, 0));
    work.cells().plus(3).point(code, 2);
    work.cells().point(code, 4);
    t.point(code, 0);
    let zero = Instruction::StoreConstant { value: 0, smem: Smem::Ind(ind(0, Mode::Up)) };
    code.repeat(zero, words + 2);
    code.push(Instruction::SetCounter { counter: Counter::Brc1, value: (words - 1) as u16 });
    code.block(words, |code| {
        code.push(point(1, 3, 0));
        t.point(code, 0);
        code.push(clear(0));
        code.inner_block(|code| {
            code.push(single(Single::MacShifted, ind(1, Mode::Up), ind(6, Mode::Plain)));
            code.push(add_from(0, Mode::Plain));
            code.push(store(0, 0));
        });
        code.push(shifted(ShiftOp::Sftl, 0, -16, 0));
        code.push(add_from(0, Mode::Plain));
        store_and_shift(code);
        code.push(store(0, 0));
        t.point(code, 0);
        code.push(Instruction::LoadAc { smem: Smem::Ind(ind(0, Mode::Plain)), unsigned: true, dst: 0 });
        digit(code, 0, Mode::Plain);
        work.modulus().point(code, 1);
        // each word goes down by one; the lowest is 0
        code.push(Instruction::AmarTo { smem: Smem::Offset(0, -1), dst: 8 });
        code.push(clear(0));
        let down = Instruction::Store { src: Reg::Ac(0), smem: Smem::Cdp(Mode::Up) };
        code.inner_block(|code| {
            code.push(single(Single::MacShifted, ind(1, Mode::Up), ind(2, Mode::Plain)));
            code.push(add_from(0, Mode::Up));
            code.push(down);
        });
        code.push(shifted(ShiftOp::Sftl, 0, -16, 0));
        code.push(add_from(0, Mode::Up));
        code.push(down);
        code.push(shifted(ShiftOp::Sftl, 0, -16, 0));
        code.push(add_from(0, Mode::Plain));
        code.push(down);
        code.push(Instruction::Amar { smem: Smem::Ind(ind(6, Mode::Up)) });
    });
    t.plus(words).point(code, 0);
    code.push(Instruction::LoadAc { smem: Smem::Ind(ind(0, Mode::Plain)), unsigned: true, dst: 0 });
    plus_complement(code, work, t, to, 0);
}

/// FIPS: a at AR1, b at AR6; the result goes to `to`.
pub(super) fn fips(code: &mut Code, work: Workspace, to: Location) {
    let words = work.words;
    work.cells().point(code, 4);
    work.digits().point(code, 2);
    code.push(clear(0));
    let mac = |x: u8, y: u8, modes: (Mode, Mode)| single(Single::Mac, ind(x, modes.0), ind(y, modes.1));
    // CDP at the result's words
    work.product().point(code, 8);
    for column in 0..2 * words - 1 {
        let Zigzag { count, through, end } = Zigzag::of(column, words);
        code.repeat(mac(1, 6, through), count - 1);
        code.push(mac(1, 6, end));
        if column < words {
            // the known digits m_0 .. m_(k-1) with n_k .. n_1, then the new one with n_0
            work.digits().point(code, 0);
            work.modulus().plus(column).point(code, 3);
            code.repeat(mac(0, 3, (Mode::Up, Mode::Down)), column);
            digit(code, 0, Mode::Up);
            code.push(mac(0, 3, (Mode::Plain, Mode::Plain)));
            code.push(shifted(ShiftOp::Sftl, 0, -16, 0));
        } else {
            work.digits().plus(column + 1 - words).point(code, 0);
            work.modulus().plus(words - 1).point(code, 3);
            code.repeat(mac(0, 3, (Mode::Up, Mode::Down)), count);
            code.push(Instruction::Store { src: Reg::Ac(0), smem: Smem::Cdp(Mode::Up) });
            code.push(shifted(ShiftOp::Sftl, 0, -16, 0));
        }
    }
    code.push(Instruction::Store { src: Reg::Ac(0), smem: Smem::Cdp(Mode::Plain) });
    code.push(shifted(ShiftOp::Sftl, 0, -16, 0));
    plus_complement(code, work, work.product(), to, 0);
}
