//! Subtractive Karatsuba multiplication of n = 2h bytes, `w = 2^8h`, branch-free:
//!
//! `a b = L + w (L + H - (al - ah)(bl - bh)) + w^2 H`, where `L = al bl` and `H = ah bh`.
//!
//! A level takes pointers to a, b and r in X, Y and Z and gives them back. It keeps `|al - ah|` and
//! `|bl - bh|` in the low half of r, multiplies them into a stack frame, then makes L and H in r and
//! recombines. The halves are multiplied in the same way or, in the end, by product scanning.

pub(crate) mod recombine;

use crate::assembler::{A, Assembler, B, ByHand, Label, R, X, Y, Z};
use crate::branched::Sides;
use rhomb_avr::instructions::{Instruction, Op};

/// How the sign of `(al - ah)(bl - bh)` is dealt with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// Absolute values by EOR and SUB of the borrow masks; the product is negated by EOR with a mask and
    /// a carry in. The mask waits in the frame.
    Frame,
    /// The same, but the sign waits in the T flag. For one level.
    Flag,
    /// No absolute values: with borrows p and q, `al - ah = da - p w` and `bl - bh = db - q w`, so the
    /// signed product is `da db - w (p db + q da) + w^2 p q`, whose masked corrections are subtracted.
    Corrected,
    /// Absolute values; the product is added or subtracted behind a balanced branch.
    Branched(Sides),
}

/// How the three products become the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recombination {
    /// `L + H - M` in the frame, then added to the result at w.
    Plain,
    /// `H' = H + (L >> 8h)` in place: the result is `(1 + w)(l0 + w H') - w M`, so that the sum of the
    /// middle words is formed once.
    Refined,
    /// The same with both sums of a word in one pass, four words at a time; two parked carries. r has at
    /// most 64 bytes.
    Fused,
}

/// How the carry of the middle, -1 to 1, is extended to the words above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extension {
    /// ASR of the carry word: it is its own sign.
    Asr,
    /// LSL, then SBC of a register from itself.
    Sbc,
}

/// How inner multiplications are reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inner {
    /// Their code stands in place.
    Inlined,
    /// By RCALL.
    Called,
}

/// A shape of the multiplication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Levels of Karatsuba, at least one.
    pub levels: u32,
    /// The sign.
    pub sign: Sign,
    /// The recombination.
    pub recombination: Recombination,
    /// The extension of the carry.
    pub extension: Extension,
    /// The inner multiplications.
    pub inner: Inner,
}

/// The usual shape of this many levels.
pub const fn shape(levels: u32) -> Shape {
    Shape {
        levels,
        sign: Sign::Frame,
        recombination: Recombination::Refined,
        extension: Extension::Asr,
        inner: Inner::Inlined,
    }
}

/// Multiplies n bytes; `n / 2^levels` is whole and at most 10.
pub fn karatsuba(n: usize, shape: Shape) -> Vec<Instruction> {
    assert!(n.is_multiple_of(1 << shape.levels) && n >> shape.levels <= 10);
    assert!(shape.levels == 1 || shape.sign != Sign::Flag);
    let mut asm = Assembler::default();
    let mut routines = Vec::new();
    if shape.inner == Inner::Called {
        for levels in 0..shape.levels {
            let size = n >> (shape.levels - levels);
            let routine = asm.routine(|asm| multiply(asm, size, levels, &shape, &routines));
            routines.push(routine);
        }
    }
    asm.movw(X, A);
    asm.movw(Y, B);
    asm.movw(Z, R);
    level(&mut asm, n, shape.levels, &shape, &routines);
    asm.by_gcc()
}

/// A multiplication that keeps the pointers.
fn multiply(asm: &mut Assembler, n: usize, levels: u32, shape: &Shape, routines: &[Label]) {
    if let Some(routine) = routines.get(levels as usize) {
        return asm.rcall(*routine);
    }
    if levels == 0 {
        return schoolbook(asm, n);
    }
    const KEPT: [u8; 6] = [X, X + 1, Y, Y + 1, Z, Z + 1];
    KEPT.iter().for_each(|register| asm.push(*register));
    level(asm, n, levels, shape, routines);
    KEPT.iter().rev().for_each(|register| asm.pop(*register));
}

/// Product scanning of up to 10 bytes, both operands in registers.
fn schoolbook(asm: &mut Assembler, n: usize) {
    const SUM: [u8; 3] = [22, 23, 24];
    const ZERO: u8 = 25;
    let (a, b) = (|i: usize| 2 + i as u8, |j: usize| 12 + j as u8);
    for i in 0..n {
        asm.load(a(i), X);
        asm.load_at(b(i), Y, i);
    }
    asm.with(Op::Sbiw, X, n);
    [SUM[0], SUM[1], ZERO].iter().for_each(|register| asm.clr(*register));
    for column in 0..2 * n {
        let word = |place: usize| SUM[(column + place) % 3];
        asm.clr(word(2));
        for i in (column + 1).saturating_sub(n)..n.min(column + 1) {
            asm.mul(a(i), b(column - i));
            asm.add(word(0), 0);
            asm.adc(word(1), 1);
            asm.adc(word(2), ZERO);
        }
        asm.store_at(Z, column, word(0));
    }
}

/// Bytes of the frame before the product: masks or sign.
const MASKS: usize = 2;

/// One level. The pointers are lost.
fn level(asm: &mut Assembler, n: usize, levels: u32, shape: &Shape, routines: &[Label]) {
    const ORIGIN: [u8; 4] = [X, X + 1, Y, Y + 1];
    const OTHER: u8 = 20;
    const MASK_A: u8 = 16;
    const MASK_B: u8 = 17;
    let h = n / 2;
    let step = h as i32;
    let room = 2 * h + MASKS;
    asm.open_frame(room);
    ORIGIN.iter().for_each(|register| asm.push(*register));
    let absolute = shape.sign != Sign::Corrected;
    asm.movw(OTHER, Y);
    asm.movw(Y, X);
    asm.walk(Y, step);
    difference(asm, h, MASK_A, absolute);
    asm.movw(X, OTHER);
    asm.movw(Y, OTHER);
    asm.walk(Y, step);
    difference(asm, h, MASK_B, absolute);
    if absolute {
        asm.eor(MASK_A, MASK_B);
    }
    if shape.sign == Sign::Flag {
        asm.on_bit(Op::Bst, MASK_A, 0);
    }
    asm.movw(Y, 24);
    asm.store_at(Y, 1, MASK_A);
    asm.store_at(Y, 2, MASK_B);

    asm.walk(Z, -2 * step);
    asm.movw(X, Z);
    asm.movw(Y, Z);
    asm.walk(Y, step);
    asm.movw(Z, 24);
    asm.with(Op::Adiw, Z, 1 + MASKS);
    multiply(asm, h, levels - 1, shape, routines);
    if !absolute {
        correct(asm, h);
    }
    asm.movw(Z, X);
    ORIGIN.iter().rev().for_each(|register| asm.pop(*register));
    multiply(asm, h, levels - 1, shape, routines);
    asm.walk(X, step);
    asm.walk(Y, step);
    asm.walk(Z, 2 * step);
    multiply(asm, h, levels - 1, shape, routines);
    asm.walk(Z, -2 * step);

    // Y to the product in the frame
    asm.read_sp(Y);
    asm.load_at(recombine::SIGN, Y, 1);
    asm.with(Op::Adiw, Y, 1 + MASKS);
    match shape.recombination {
        Recombination::Plain => recombine::plain(asm, h, shape.sign),
        Recombination::Refined => recombine::refined(asm, h, shape),
        Recombination::Fused => recombine::fused(asm, h, shape),
    }
    asm.close_frame(room);
}

/// h bytes at X less h bytes at Y, to Z, the borrow as a mask; with `absolute`, `|x - y| = ((x - y) ^ m) - m`.
/// The pointers end up behind.
fn difference(asm: &mut Assembler, h: usize, mask: u8, absolute: bool) {
    const LOW: u8 = 18;
    const HIGH: u8 = 19;
    for j in 0..h {
        asm.load(LOW, X);
        asm.load(HIGH, Y);
        asm.sub_chain(j == 0, LOW, HIGH);
        asm.store(Z, LOW);
    }
    asm.park(mask);
    if !absolute {
        return;
    }
    asm.walk(Z, -(h as i32));
    for j in 0..h {
        asm.load_at(LOW, Z, 0);
        asm.eor(LOW, mask);
        asm.sub_chain(j == 0, LOW, mask);
        asm.store(Z, LOW);
    }
}

/// The product at Z of the differences at X and Y made a signed one, its sign word (0 or -1) stored in place
/// of the first mask. X stays.
fn correct(asm: &mut Assembler, h: usize) {
    const MASKS_HERE: [u8; 2] = [16, 17];
    const TOP: u8 = 20;
    const WORD: u8 = 18;
    const CHANGE: u8 = 19;
    let step = h as i32;
    asm.with(Op::Sbiw, Z, MASKS);
    asm.load(MASKS_HERE[0], Z);
    asm.load(MASKS_HERE[1], Z);
    asm.mov(TOP, MASKS_HERE[0]);
    asm.and(TOP, MASKS_HERE[1]);
    asm.neg(TOP);
    asm.walk(Z, step);
    for (difference, mask) in [(X, MASKS_HERE[1]), (Y, MASKS_HERE[0])] {
        for j in 0..h {
            asm.load(CHANGE, difference);
            asm.and(CHANGE, mask);
            asm.load_at(WORD, Z, 0);
            asm.sub_chain(j == 0, WORD, CHANGE);
            asm.store(Z, WORD);
        }
        asm.park(WORD);
        asm.add(TOP, WORD);
        asm.walk(Z, -step);
    }
    asm.walk(X, -step);
    asm.walk(Z, -step - MASKS as i32);
    asm.store_at(Z, 0, TOP);
}
