//! Product scanning, two columns at once.
//!
//! Columns 2m and 2m+1 share a word of B: `a[2m-j] b[j]` and `a[2m+1-j] b[j]`, so that one dual multiplication adds to
//! both. A column at the border of the rhombus has a product less than its neighbour; there the other half only moves
//! its address register (AMAR).
//!
//! Bound: a column of n products and what is carried into it stays below `n (2^16-1)^2 + 2^24 < 2^40` for n up to 256,
//! as sums are moved down as unsigned numbers (SFTL), not by `MAC ... >> #16`, which sees bit 39 as a sign.

use super::code::{Code, amov, point, shifted, store};
use super::linear::clear;
use super::passes::{Product, Streams};
use crate::instructions::{Instruction, ShiftOp, Ta};

/// Most words of operands: the bound above.
pub const MOST_WORDS: usize = 256;

/// `r = a * b` for `words` words each: AR0 at r, AR1 and AR3 at the first two words of a, CDP at b. T0 becomes 2;
/// accumulators AC0 and AC1.
pub(super) fn product(code: &mut Code, words: usize) {
    let shape = Product { words };
    let passes = shape.passes(0);
    code.push(amov(2, Ta::T(0)));
    for (number, pass) in passes.iter().enumerate() {
        let (even, odd) = if pass.m.is_multiple_of(2) { (0, 1) } else { (1, 0) };
        let terms = shape.terms(*pass, (even, odd), [number == 0, true]);
        if terms.iter().all(|term| term.odd.is_none()) {
            // the highest column has what is carried into it only
            code.push(clear(odd));
        }
        let next = passes.get(number + 1);
        Streams { even: 1, odd: 3 }.emit(code, &terms, next.map(|next| shape.start(*next)));
        code.push(store(even, 0));
        code.beside(shifted(ShiftOp::Add, even, -16, odd));
        code.push(store(odd, 0));
        if next.is_some() {
            code.beside(shifted(ShiftOp::Sftl, odd, -16, odd));
        }
    }
}

/// A function `r = a * b`: XAR0, XAR1, XAR2. `None` for sizes whose columns do not fit the accumulator.
pub fn multiplication(words: usize) -> Option<Code> {
    (1..=MOST_WORDS).contains(&words).then(|| multiplication_unchecked(words))
}

/// The same for any size; above [`MOST_WORDS`] it is wrong for some operands.
pub fn multiplication_unchecked(words: usize) -> Code {
    let mut code = Code::new();
    code.push(point(8, 2, 0));
    code.push(point(3, 1, 1));
    product(&mut code, words);
    code.push(Instruction::Return);
    code
}
