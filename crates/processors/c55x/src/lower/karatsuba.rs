//! Splits in halves (Karatsuba), any number of levels, on top of the two-column product and square.
//!
//! Additive: with `a = a0 + a1 x` and `b = b0 + b1 x`, `a b = P0 + (P1 - P0 - P2) x + P2 x^2`, `P1 = (a0 + a1)(b0 + b1)`.
//! The sums have a carry each, `a0 + a1 = A + c x` and `b0 + b1 = B + d x`, so that `P1 = A B + (c B + d A) x + c d x^2`: only
//! A B is a product of long numbers, c and d are factors of sums. Source of the split: Hwang, Huang and Su, section 3
//! (which leaves the carries open).
//!
//! Sums of one operand go where that operand's side may lie, those of the other one into the result's place before that
//! is needed: the words that a dual multiplication reads stay in different blocks of memory.

use super::code::{Code, dual, factor, point, shifted, store};
use super::doubles::{self, Differences, add_word, point_double};
use super::linear::{clear, steps};
use super::location::{Base, Location};
use super::multiplication::{MOST_WORDS, product};
use super::scanning::rows_of_leaf;
use super::squaring::{copied, move_stack, square};
use crate::instructions::{Half, Ind, Instruction, Mode, Reg, RegOp, ShiftOp, Single, Smem};
use std::collections::BTreeSet;

/// How the products at the bottom of splits are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Leaf {
    /// Two columns at once.
    #[default]
    Columns,
    /// Operand scanning: the classical way, to compare splits with those of the literature.
    Rows,
}

/// Products and squares that are called.
#[derive(Clone, Debug, Default)]
pub(super) struct Leaves {
    leaf: Leaf,
    products: BTreeSet<usize>,
    squares: BTreeSet<usize>,
}

/// Where a product's numbers lie.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    pub(super) result: Location,
    pub(super) a: Location,
    /// The same as `a` for a square.
    pub(super) b: Location,
    /// Free words in a block that is neither B's nor the result's: [`scratch_words`].
    pub(super) scratch: Location,
    /// Free words in a block that is not the scratch's: as many as an operand.
    pub(super) spare: Location,
}

/// Words of scratch for so many levels.
pub(super) fn scratch_words(words: usize, levels: u32) -> usize {
    match levels {
        0 => 0,
        _ => own_scratch(words / 2) + scratch_words(words / 2, levels - 1),
    }
}

/// Half an operand's sum, the product of sums, a copy of half a product, and cells.
fn own_scratch(half: usize) -> usize {
    4 * half + CELLS
}

const CELLS: usize = 4;

/// Whether operands of so many words can be split so often: halves of an even number of words.
pub(super) fn splits(words: usize, levels: u32) -> bool {
    let leaf = words.checked_shr(levels).unwrap_or(0);
    leaf.checked_shl(levels) == Some(words)
        && (levels == 0 || leaf.is_multiple_of(2))
        && (1..=MOST_WORDS).contains(&leaf)
}

impl Leaves {
    /// The routines that were called.
    pub(super) fn emit(&self, code: &mut Code) {
        for words in &self.products {
            code.define(format!("product{words}"));
            match self.leaf {
                Leaf::Columns => product(code, *words),
                Leaf::Rows => rows_of_leaf(code, *words),
            }
            code.push(Instruction::Return);
        }
        for words in &self.squares {
            code.define(format!("square{words}"));
            code.push(point(8, 2, 0));
            code.push(point(3, 1, 0));
            copied(code, *words, 3, 2);
            code.push(point(3, 1, 1));
            square(code, *words);
            code.push(Instruction::Return);
        }
    }

    /// The product of `words` words. All address registers from AR0 to AR4, CDP, T0, T1 and the accumulators change.
    pub(super) fn product(&mut self, code: &mut Code, words: usize, levels: u32, at: Places) {
        if levels == 0 {
            at.result.point(code, 0);
            at.a.point(code, 1);
            at.b.point(code, 8);
            code.push(point(3, 1, 1));
            code.call(format!("product{words}"));
            self.products.insert(words);
            return;
        }
        let half = words / 2;
        let own = Own::new(at.scratch, half);
        own.sum(code, at.a, own.sum_a);
        own.keep(code, 0, false);
        own.sum(code, at.b, at.spare);
        own.keep(code, 1, false);
        let inner = Places {
            result: own.middle,
            a: own.sum_a,
            b: at.spare,
            scratch: own.rest,
            spare: at.spare.plus(half),
        };
        self.product(code, half, levels - 1, inner);
        own.correct(code, Some(at.spare));
        for part in [0, 1] {
            let result = at.result.plus(2 * half * part);
            let (a, b) = (at.a.plus(half * part), at.b.plus(half * part));
            let outer = Places { result, a, b, scratch: own.rest, spare: result };
            self.product(code, half, levels - 1, outer);
        }
        own.combine(code, at.result);
    }

    /// The square of A; the copy of a leaf's operand goes to `copy`, which is in another block than A.
    pub(super) fn square(&mut self, code: &mut Code, words: usize, levels: u32, at: Places, copy: Location) {
        if levels == 0 {
            at.result.point(code, 0);
            at.a.point(code, 1);
            copy.point(code, 2);
            code.call(format!("square{words}"));
            self.squares.insert(words);
            return;
        }
        let half = words / 2;
        let own = Own::new(at.scratch, half);
        own.sum(code, at.a, own.sum_a);
        own.keep(code, 0, true);
        let inner =
            Places { result: own.middle, a: own.sum_a, b: own.sum_a, scratch: own.rest, spare: at.spare };
        self.square(code, half, levels - 1, inner, at.spare);
        own.correct(code, None);
        for part in [0, 1] {
            let result = at.result.plus(2 * half * part);
            let a = at.a.plus(half * part);
            let outer = Places { result, a, b: a, scratch: own.rest, spare: result };
            // the sum is no longer needed, where the copy may lie
            self.square(code, half, levels - 1, outer, copy);
        }
        own.combine(code, at.result);
    }
}

/// A level's own numbers.
#[derive(Clone, Copy, Debug)]
struct Own {
    half: usize,
    sum_a: Location,
    /// The product of sums.
    middle: Location,
    /// Of the upper half of the lower product; before that, of a leaf's operand.
    copy: Location,
    /// The carries of the sums (for a square: twice the carry, and the carry), the highest word of the middle product.
    cells: Location,
    rest: Location,
}

impl Own {
    fn new(scratch: Location, half: usize) -> Own {
        Own {
            half,
            sum_a: scratch,
            middle: scratch.plus(half),
            copy: scratch.plus(3 * half),
            cells: scratch.plus(4 * half),
            rest: scratch.plus(own_scratch(half)),
        }
    }

    /// The sum of both halves; its carry is in AC0.
    fn sum(&self, code: &mut Code, of: Location, to: Location) {
        point_double(code, of, 1);
        point_double(code, of.plus(self.half), 2);
        point_double(code, to, 0);
        code.push(clear(0));
        doubles::sum(code, self.half, &[1, 2], 0);
    }

    /// Keeps the carry, in the cell of that number; for a square twice the carry there, and the carry in the next one.
    fn keep(&self, code: &mut Code, cell: usize, twice: bool) {
        self.cells.plus(cell).point(code, 3);
        if twice {
            move_accumulator(code, 0, 1);
            code.push(Instruction::ShiftByOne { dst: Reg::Ac(1), left: true });
            code.push(store(1, 3));
        }
        code.push(store(0, 3));
    }

    /// What the carries add to the middle product: `c B + d A` to its upper half and c d above; for a square 2 c A and c.
    fn correct(&self, code: &mut Code, sum_b: Option<Location>) {
        let upper = self.middle.plus(self.half);
        self.cells.point(code, 8);
        point_double(code, upper, 0);
        self.sum_a.point(code, 1);
        point_double(code, upper, 3);
        if let Some(sum_b) = sum_b {
            sum_b.point(code, 2);
        }
        steps(code);
        code.push(clear(0));
        let pair = |code: &mut Code| {
            let (even, odd) = (0, 1);
            match sum_b {
                Some(_) => {
                    code.push(bits_times(2, (even, Half::Mac), (odd, Half::Mpy), Mode::Up));
                    code.push(bits_times(1, (even, Half::Mac), (odd, Half::Mac), Mode::Down));
                }
                None => code.push(bits_times(1, (even, Half::Mac), (odd, Half::Mpy), Mode::Plain)),
            }
            code.push(shifted(ShiftOp::Add, odd, 16, even));
            let up = |ar: u8| Smem::Ind(Ind { ar, mode: Mode::Up });
            code.push(Instruction::AddDouble { subtract: false, lmem: up(0), src: even, dst: even });
            code.push(Instruction::StoreDouble { src: even, lmem: up(3) });
            code.beside(shifted(ShiftOp::Sftl, even, -32, even));
        };
        match self.half / 2 {
            1 => pair(code),
            pairs => code.block(pairs, pair),
        }
        let carrier = 0;
        let (x, y) = (Ind { ar: 4, mode: Mode::Plain }, Ind { ar: 4, mode: Mode::IndexT0 });
        match sum_b {
            Some(_) => {
                self.cells.point(code, 4);
                code.push(Instruction::Product {
                    op: Single::Mac,
                    x,
                    y,
                    unsigned_x: true,
                    unsigned_y: true,
                    src: carrier,
                    dst: carrier,
                });
            }
            None => {
                self.cells.plus(1).point(code, 4);
                add_word(code, 4, carrier);
            }
        }
        self.cells.plus(2).point(code, 3);
        code.push(store(carrier, 3));
    }

    /// Both outer products lie in the result; the middle one goes between them.
    fn combine(&self, code: &mut Code, result: Location) {
        let half = self.half;
        result.plus(half).point(code, 1);
        self.copy.point(code, 3);
        copied(code, half, 1, 3);
        for (ar, at) in [
            (0, result.plus(half)),
            (1, self.middle),
            (2, result),
            (3, result.plus(2 * half)),
            (4, result.plus(half)),
        ] {
            point_double(code, at, ar);
        }
        let four = [doubles::plus(0), doubles::plus(1), doubles::minus(2), doubles::minus(3)];
        let mut chain = Differences::new(code, 4);
        chain.section(code, half, &four, None);
        point_double(code, self.copy, 2);
        chain.section(code, half, &four, None);
        self.cells.plus(2).point(code, 2);
        chain.section(code, half, &four[..1], Some(2));
        chain.finish(code);
    }
}

/// A word of a number times CDP's factor to each of two accumulators.
fn bits_times(ar: u8, even: (u8, Half), odd: (u8, Half), factors: Mode) -> Instruction {
    dual(factor(even.1, ar, Mode::PlusT1, even.0), factor(odd.1, ar, Mode::IndexT0, odd.0), factors)
}

fn move_accumulator(code: &mut Code, from: u8, to: u8) {
    code.push(Instruction::Registers { op: RegOp::Mov, src: Reg::Ac(from), dst: Reg::Ac(to) });
}

/// A function `r = a * b`, split so many times: XAR0, XAR1, XAR2. `None` for sizes that do not split so, or whose leaves'
/// columns do not fit the accumulator.
pub fn split_multiplication(words: usize, levels: u32, leaf: Leaf) -> Option<Code> {
    if levels == 0 || !splits(words, levels) {
        return None;
    }
    let bases = [(0, 5), (1, 6), (2, 7)];
    Some(function(scratch_words(words, levels), &bases, leaf, |code, leaves, scratch| {
        let (result, a, b) = (Location::of(5), Location::of(6), Location::of(7));
        leaves.product(code, words, levels, Places { result, a, b, scratch, spare: result });
    }))
}

/// A function `r = a * a` likewise: XAR0, XAR1.
pub fn split_squaring(words: usize, levels: u32) -> Option<Code> {
    if levels == 0 || !splits(words, levels) {
        return None;
    }
    Some(function(scratch_words(words, levels), &[(0, 5), (1, 6)], Leaf::Columns, |code, leaves, scratch| {
        let (result, a) = (Location::of(5), Location::of(6));
        leaves.square(code, words, levels, Places { result, a, b: a, scratch, spare: result }, scratch);
    }))
}

/// A function that has so many words of the stack, an even number, and keeps its arguments in other address registers.
pub(super) fn function(
    words: usize,
    bases: &[(u8, u8)],
    leaf: Leaf,
    body: impl FnOnce(&mut Code, &mut Leaves, Location),
) -> Code {
    let mut code = Code::new();
    let mut leaves = Leaves { leaf, ..Leaves::default() };
    for (_, kept) in bases {
        code.push(Instruction::PushBoth { ar: *kept });
    }
    for (argument, kept) in bases {
        code.push(point(*kept, *argument, 0));
    }
    // the stack pointer is odd at the call, and even below the saves and this
    let room = words as i32 + ((bases.len() + 1) % 2) as i32;
    move_stack(&mut code, -room);
    body(&mut code, &mut leaves, Location { base: Base::Stack, offset: 0 });
    move_stack(&mut code, room);
    for (_, kept) in bases.iter().rev() {
        code.push(Instruction::PopBoth { ar: *kept });
    }
    code.push(Instruction::Return);
    leaves.emit(&mut code);
    code
}
