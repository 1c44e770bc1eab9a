//! Sums and differences of long numbers, two words at once in an accumulator.
//!
//! `ADD dbl(Lmem)` adds two words in a cycle, so that `k` addends take `k + 1` lines for two words. A double word's
//! address is that of its higher word (SPRU371, 6.2): the address registers stand at the odd words.
//!
//! Where something is subtracted, each pair of words has a constant `OFFSET 2^32 - OFFSET` added, which AC3 holds: sums
//! are never negative then, and no status bit says how they are moved down. What is carried is [`OFFSET`] too much.

use super::code::{Code, copy, shifted};
use super::location::Location;
use crate::instructions::{Ind, Instruction, Mode, Reg, ShiftOp, Smem};

/// More than what is ever subtracted from a pair of words, in units of `2^32`: two numbers and a borrow.
pub(super) const OFFSET: i8 = 4;
/// The accumulator of the constant.
const CONSTANT: u8 = 3;

/// A number to be added, or subtracted, by its address register.
#[derive(Clone, Copy, Debug)]
pub(super) struct Addend {
    ar: u8,
    subtract: bool,
}

pub(super) fn plus(ar: u8) -> Addend {
    Addend { ar, subtract: false }
}

pub(super) fn minus(ar: u8) -> Addend {
    Addend { ar, subtract: true }
}

/// Sets an address register for double words from this place on.
pub(super) fn point_double(code: &mut Code, at: Location, ar: u8) {
    at.plus(1).point(code, ar);
}

fn double(ar: u8) -> Smem {
    Smem::Ind(Ind { ar, mode: Mode::Up })
}

/// The word that comes next, by itself.
fn single(ar: u8) -> Smem {
    Smem::Offset(ar, -1)
}

/// Sums only: the sum of `words` words of all addends, stored through `out`. AC0 has the carry before and after; addends
/// and result may be the same numbers. The address registers stand at the next pair of words.
pub(super) fn sum(code: &mut Code, words: usize, addends: &[u8], out: u8) {
    let pair = |code: &mut Code| {
        for ar in addends {
            code.push(Instruction::AddDouble { subtract: false, lmem: double(*ar), src: 0, dst: 0 });
        }
        code.push(Instruction::StoreDouble { src: 0, lmem: double(out) });
        code.beside(shifted(ShiftOp::Sftl, 0, -32, 0));
    };
    repeated(code, words / 2, pair);
    if words % 2 == 1 {
        for ar in addends {
            code.push(add_single(false, *ar, 0, 0));
        }
        code.push(Instruction::Store { src: Reg::Ac(0), smem: single(out) });
        code.push(shifted(ShiftOp::Sftl, 0, -16, 0));
    }
}

fn add_single(subtract: bool, ar: u8, src: u8, dst: u8) -> Instruction {
    Instruction::AddMemory { subtract, carry: false, smem: single(ar), unsigned: true, src, dst }
}

fn repeated(code: &mut Code, times: usize, body: impl Fn(&mut Code)) {
    match times {
        0 => {}
        1 => body(code),
        _ => code.block(times, body),
    }
}

/// Sums in which numbers are subtracted, section after section.
#[derive(Clone, Copy, Debug)]
pub(super) struct Differences {
    /// The address register of the result, the same for all sections.
    out: u8,
    /// Holds the pair of words before, or what is carried into the first.
    ac: u8,
    /// Whether that pair is still to be stored.
    pending: bool,
}

impl Differences {
    /// Nothing is carried into the first section. AC0, AC1 and AC3 change.
    pub(super) fn new(code: &mut Code, out: u8) -> Differences {
        let constant = Reg::Ac(CONSTANT);
        // 2^40 - 1, 2^34 - 1
        code.push(Instruction::MovK4 { value: -1, dst: constant });
        code.push(shifted(ShiftOp::Sftl, CONSTANT, -6, CONSTANT));
        // what goes down by 32 places from here is the offset
        code.push(copy(constant, Reg::Ac(0)));
        code.push(Instruction::AddK4 { subtract: false, value: 1, dst: Reg::Ac(0) });
        code.push(Instruction::AddK4 { subtract: true, value: OFFSET as u8 - 1, dst: constant });
        Differences { out, ac: 0, pending: false }
    }

    /// `words` words of all addends, the first one added; an even number unless it is the last section. `more` is an
    /// address register of a single word that is added to the lowest.
    pub(super) fn section(&mut self, code: &mut Code, words: usize, addends: &[Addend], more: Option<u8>) {
        let mut pairs = words / 2;
        if pairs > 0 && (!self.pending || more.is_some()) {
            self.pair(code, addends, more);
            pairs -= 1;
        }
        let chain = *self;
        repeated(code, pairs / 2, |code| {
            let mut chain = chain;
            chain.pair(code, addends, None);
            chain.pair(code, addends, None);
        });
        if pairs % 2 == 1 {
            self.pair(code, addends, None);
        }
        if words % 2 == 1 {
            for (number, addend) in addends.iter().enumerate() {
                let src = if number == 0 { CONSTANT } else { 1 - self.ac };
                code.push(add_single(addend.subtract, addend.ar, src, 1 - self.ac));
            }
            self.carry(code);
            code.push(Instruction::Store { src: Reg::Ac(self.ac), smem: single(self.out) });
            code.push(shifted(ShiftOp::Sftl, self.ac, -16, self.ac));
            self.pending = false;
        }
    }

    fn pair(&mut self, code: &mut Code, addends: &[Addend], more: Option<u8>) {
        let next = 1 - self.ac;
        for (number, addend) in addends.iter().enumerate() {
            let src = if number == 0 { CONSTANT } else { next };
            let lmem = double(addend.ar);
            code.push(Instruction::AddDouble { subtract: addend.subtract, lmem, src, dst: next });
        }
        if let Some(ar) = more {
            add_word(code, ar, next);
        }
        self.carry(code);
        self.pending = true;
    }

    /// What the pair before carries, while it is stored.
    fn carry(&mut self, code: &mut Code) {
        let carry = shifted(ShiftOp::Add, self.ac, -32, 1 - self.ac);
        match self.pending {
            true => {
                code.push(Instruction::StoreDouble { src: self.ac, lmem: double(self.out) });
                code.beside(carry);
            }
            false => code.push(carry),
        }
        self.ac = 1 - self.ac;
    }

    /// Stores the last pair of words. The accumulator that is named holds [`OFFSET`] less what was borrowed, for an odd
    /// number of words `2^16` times [`OFFSET`].
    pub(super) fn finish(self, code: &mut Code) -> u8 {
        if self.pending {
            code.push(Instruction::StoreDouble { src: self.ac, lmem: double(self.out) });
            code.beside(shifted(ShiftOp::Sftl, self.ac, -32, self.ac));
        }
        self.ac
    }
}

/// `ADD uns(*ARn), ACx`
pub(super) fn add_word(code: &mut Code, ar: u8, ac: u8) {
    code.push(Instruction::AddMemory {
        subtract: false,
        carry: false,
        smem: Smem::Ind(Ind { ar, mode: Mode::Plain }),
        unsigned: true,
        src: ac,
        dst: ac,
    });
}
