//! Montgomery multiplication: a product or square, then a reduction column by column, two columns at once.
//!
//! With R = 2^(16 s): `T = a b`, digits m_k that make the columns of `T + m n` zero from below, and the rest is
//! `(T + m n) / R`. In a pass of two columns the digits that are known are multiplied as in a product; then each column
//! gives its own digit `m = (column mod 2^16) n' mod 2^16`, `n n' = -1 mod 2^16`.
//!
//! Numbers stay below R, not below n: `(T + m n) / R < R + n` for `T < R^2`, and where that is R or more, R - n in the place
//! of R brings it below R. So no comparison with n is needed, R need not be above 4 n, and nothing is ever negative.

mod functions;

pub use functions::{Montgomery, montgomery, montgomery_fixed, workspace_words};

use super::code::{Code, amov, copy, dual, factor, shifted, store};
use super::karatsuba::{Leaves, Places, splits};
use super::linear::{clear, linear_in_turn, plus, steps, then};
use super::location::Location;
use super::passes::{Product, Streams};
use super::squaring::copied;
use crate::instructions::{
    AddressOp, AddressSource, Compare, Condition, Half, Ind, Instruction, Mode, Reg, ShiftOp, Smem, Ta,
};

/// Words of a block of memory: numbers that are read in one cycle lie in different ones.
pub(super) const BLOCK: usize = 4096;

/// The workspace, from XAR7 on, at the beginning of a block. For a modulus that is written into the code it lies in the
/// stack, in one piece.
///
/// | block | content |
/// |---|---|
/// | 0 | n, x, the product of 2 s + 2 words, R - n |
/// | 1 | cells (n', 1, a carry), the digits m, a copy of x, scratch |
/// | 2 and up | the caller's |
#[derive(Clone, Copy, Debug)]
pub(super) struct Workspace {
    pub(super) words: usize,
    /// Words from its beginning to the cells.
    apart: usize,
}

impl Workspace {
    /// In blocks of memory of their own.
    pub(super) fn in_blocks(words: usize) -> Workspace {
        Workspace { words, apart: BLOCK }
    }

    fn at(offset: usize) -> Location {
        Location::of(7).plus(offset)
    }

    pub(super) fn modulus(self) -> Location {
        Workspace::at(0)
    }

    pub(super) fn x(self) -> Location {
        Workspace::at(self.words)
    }

    pub(super) fn product(self) -> Location {
        Workspace::at(2 * self.words)
    }

    /// R - n.
    pub(super) fn complement(self) -> Location {
        Workspace::at(4 * self.words + 2)
    }

    /// n', then 1, then a carry.
    pub(super) fn cells(self) -> Location {
        Workspace::at(self.apart)
    }

    pub(super) fn digits(self) -> Location {
        self.cells().plus(8)
    }

    pub(super) fn copy(self) -> Location {
        self.digits().plus(self.words)
    }

    fn scratch(self) -> Location {
        self.copy().plus(self.words)
    }

    /// What the caller may use.
    pub(super) fn free(self) -> Location {
        Workspace::at(2 * BLOCK)
    }
}

/// Whether the last correction is done always, or only where it is needed: then the time depends on the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Correction {
    /// Always; R - n is multiplied by 0 where it is not needed.
    Always,
    /// By a branch.
    Branch,
}

/// Sizes for which Montgomery multiplication is made: words and levels of splits.
pub(super) fn fits(words: usize, levels: u32) -> bool {
    words.is_multiple_of(4) && words <= 256 && splits(words, levels)
}

/// The product of x and the number at `other`, which lies in a block of its own.
pub(super) fn multiply(code: &mut Code, leaves: &mut Leaves, work: Workspace, levels: u32, other: Location) {
    let result = work.product();
    let at = Places { result, a: work.x(), b: other, scratch: work.scratch(), spare: result };
    leaves.product(code, work.words, levels, at);
}

/// The square of x.
pub(super) fn square(code: &mut Code, leaves: &mut Leaves, work: Workspace, levels: u32) {
    let result = work.product();
    let at = Places { result, a: work.x(), b: work.x(), scratch: work.scratch(), spare: result };
    leaves.square(code, work.words, levels, at, work.copy());
}

/// A copy of x where it can be read beside x.
pub(super) fn copy_x(code: &mut Code, work: Workspace) {
    work.x().point(code, 1);
    work.copy().point(code, 2);
    copied(code, work.words, 1, 2);
}

fn step_index(op: AddressOp, value: u8, t: u8) -> Instruction {
    Instruction::Address { op, src: AddressSource::P8(value), dst: Ta::T(t) }
}

/// `ADD uns(*AR0+), ACx` or `MOV uns(*AR0+), ACx`: the next word of the product.
fn next_word(code: &mut Code, ac: u8, fresh: bool) {
    let smem = Smem::Ind(Ind { ar: 0, mode: Mode::Up });
    code.push(match fresh {
        true => Instruction::LoadAc { smem, unsigned: true, dst: ac },
        false => {
            Instruction::AddMemory { subtract: false, carry: false, smem, unsigned: true, src: ac, dst: ac }
        }
    });
}

/// A digit of m, `column n' mod 2^16`, stored through AR2 with this mode. T2 and AC2 change.
pub(super) fn digit(code: &mut Code, column: u8, mode: Mode) {
    code.push(copy(Reg::Ac(column), Reg::Ta(Ta::T(2))));
    let smem = Smem::Ind(Ind { ar: 4, mode: Mode::Plain });
    code.push(Instruction::ProductT { smem, t: 2, unsigned: true, dst: 2 });
    code.push(Instruction::Store { src: Reg::Ac(2), smem: Smem::Ind(Ind { ar: 2, mode }) });
}

/// Reduces the product; the result goes to `to`. T2 changes; `label` is free for labels.
pub(super) fn reduce(code: &mut Code, work: Workspace, to: Location, correction: Correction, label: &str) {
    let words = work.words;
    work.product().point(code, 0);
    work.modulus().point(code, 1);
    work.modulus().plus(1).point(code, 3);
    work.digits().point(code, 2);
    work.digits().point(code, 8);
    work.cells().point(code, 4);
    code.push(amov(0xffff, Ta::T(0)));
    code.push(amov(3, Ta::T(1)));
    for m in 0..words / 2 {
        let (even, odd) = if m.is_multiple_of(2) { (0, 1) } else { (1, 0) };
        next_word(code, even, m == 0);
        next_word(code, odd, true);
        let mac = |ar: u8, mode: Mode, ac: u8| factor(Half::Mac, ar, mode, ac);
        let both = dual(mac(1, Mode::Down, even), mac(3, Mode::Down, odd), Mode::Up);
        code.repeat(both, 2 * m);
        digit(code, even, Mode::Up);
        if m > 0 {
            code.beside(step_index(AddressOp::Add, 2, 1));
        }
        code.push(both);
        code.push(shifted(ShiftOp::Add, even, -16, odd));
        digit(code, odd, Mode::Up);
        if m > 0 {
            code.beside(step_index(AddressOp::Sub, 2, 0));
        }
        let one = factor(Half::Amar, 1, Mode::PlusT1, odd);
        code.push(dual(one, mac(3, Mode::PlusT1, odd), Mode::PlusT0));
        code.push(shifted(ShiftOp::Sftl, odd, -16, odd));
    }
    let shape = Product { words };
    let passes = shape.passes(words / 2);
    let start = passes.first().map(|pass| shape.start(*pass));
    if let Some(start) = start {
        work.modulus().plus(start.even as usize).point(code, 1);
        work.modulus().plus(start.odd as usize).point(code, 3);
        work.digits().plus(start.b as usize).point(code, 8);
    }
    work.x().point(code, 2);
    code.push(amov(2, Ta::T(0)));
    let mut carrier = 0;
    for (number, pass) in passes.iter().enumerate() {
        let (even, odd) = if pass.m.is_multiple_of(2) { (0, 1) } else { (1, 0) };
        next_word(code, even, false);
        next_word(code, odd, true);
        let next = passes.get(number + 1).map(|next| shape.start(*next));
        Streams { even: 1, odd: 3 }.emit(code, &shape.terms(*pass, (even, odd), [false, false]), next);
        code.push(store(even, 2));
        code.beside(shifted(ShiftOp::Add, even, -16, odd));
        code.push(store(odd, 2));
        code.beside(shifted(ShiftOp::Sftl, odd, -16, odd));
        carrier = odd;
    }
    let branch = correction == Correction::Branch;
    let done = format!("{label}_done");
    if branch {
        let condition = Condition::Zero(Reg::Ac(carrier), Compare::Eq);
        code.to(Instruction::BranchIf { to: 0, condition }, done.clone());
    }
    plus_complement(code, work, work.x(), to, carrier);
    if branch {
        code.define(done);
    }
}

/// `to = from + c (R - n)`, where accumulator `carrier` holds `c`, 0 or 1; AC0 holds what is left above: nothing where
/// `c R + from < R + n`.
pub(super) fn plus_complement(code: &mut Code, work: Workspace, from: Location, to: Location, carrier: u8) {
    work.cells().plus(2).point(code, 3);
    // a bit to the prover, which knows a word's range only as that of a sum
    code.push(Instruction::AndK16 { value: 1, src: Reg::Ac(carrier), dst: Reg::Ac(carrier) });
    code.push(store(carrier, 3));
    work.cells().plus(1).point(code, 8);
    from.point(code, 0);
    work.complement().point(code, 1);
    to.point(code, 4);
    steps(code);
    code.push(clear(0));
    // 1 is the factor of the number, c that of R - n
    let up = [then(plus(0), Mode::Up), plus(1)];
    let down = [then(plus(1), Mode::Down), plus(0)];
    let left = linear_in_turn(code, work.words, [&up, &down], 4, 0, false);
    debug_assert_eq!(left, 0);
}

/// Sets the cell that is 1.
pub(super) fn one(code: &mut Code, work: Workspace) {
    work.cells().plus(1).point(code, 3);
    code.push(Instruction::StoreConstant { value: 1, smem: Smem::Ind(Ind { ar: 3, mode: Mode::Plain }) });
}
