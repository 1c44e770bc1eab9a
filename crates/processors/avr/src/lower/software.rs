//! Product scanning in loops with a multiplication of bytes in software.
//!
//! X walks up in A, Y down in B, once for each column; Z stores the result. Where the convention keeps Y for
//! itself, Z walks in B, and the pointer to the result waits in a pair of its own. The subroutine moves the bits
//! of one factor out to the right while those of the product come in on the left. Where a bit is set the
//! other factor is added to the high byte: a branch over the addition takes as long as the addition.

use super::pick::{Pick, result_home};
use super::{Kernel, LowerError, frame};
use crate::assembler::{Assembler, Label, X, Y, Z, shifted};
use crate::conventions::Convention;
use crate::instructions::flag;

const BITS: usize = 8;

/// Lowers [`rhomb_kernel::Task::SoftwareProducts`].
pub(super) fn products(words: usize, convention: &Convention) -> Result<Kernel, LowerError> {
    let Ok(last) = u8::try_from(words) else {
        return Err(LowerError::Count { what: "words", count: words });
    };
    let [result, a, b] = convention.arguments;
    let shared = convention.untouched & 1 << Y != 0;
    let (down, store) = if shared { (Z, result_home(convention)?) } else { (Y, Z) };
    let mut pick = Pick::new(&[X, Y, Z, a, b, store], convention);
    let length = pick.high()?;
    let zero = convention.zero.map_or_else(|| pick.one(|_| true), Ok)?;
    let [count, left, right, high] = pick.array()?;
    let sum: [u8; 3] = pick.array()?;
    let mut asm = Assembler::default();
    let product = asm.routine(|asm| multiply(asm, left, right, high));
    let column = asm.routine(|asm| {
        asm.mov(count, length);
        let top = asm.here();
        asm.load(left, X);
        asm.load_below(right, down);
        asm.rcall(product);
        asm.add(sum[0], right);
        asm.adc(sum[1], high);
        asm.adc(sum[2], zero);
        asm.dec(count);
        asm.back(top);
        put(asm, store, sum[0]);
        asm.mov(sum[0], sum[1]);
        asm.mov(sum[1], sum[2]);
        asm.clr(sum[2]);
    });
    if store != result {
        asm.movw(store, result);
    }
    if convention.zero.is_none() {
        asm.clr(zero);
    }
    sum.iter().for_each(|register| asm.clr(*register));
    rising(&mut asm, convention, (down, length, zero), last, column);
    if words > 1 {
        falling(&mut asm, convention, (down, length), last, column);
    }
    put(&mut asm, store, sum[0]);
    Ok(frame::enclose(asm, 0, convention))
}

/// Stores a word of the result, whose pointer is in Z or waits in `store`.
fn put(asm: &mut Assembler, store: u8, word: u8) {
    if store != Z {
        asm.movw(Z, store);
    }
    asm.store(Z, word);
    if store != Z {
        asm.movw(store, Z);
    }
}

/// Columns of 1, 2 ... n products: from A[0] up, and down to B[0].
fn rising(
    asm: &mut Assembler,
    convention: &Convention,
    (down, length, zero): (u8, u8, u8),
    words: u8,
    column: Label,
) {
    let [_, a, b] = convention.arguments;
    asm.ldi(length, 1);
    let top = asm.here();
    asm.movw(X, a);
    asm.movw(down, b);
    asm.add(down, length);
    asm.adc(down + 1, zero);
    asm.rcall(column);
    asm.inc(length);
    asm.cpi(length, words.wrapping_add(1));
    asm.back(top);
}

/// Columns of n-1 ... 1 products: from A[1], A[2] ... up, and down from B[n-1].
fn falling(asm: &mut Assembler, convention: &Convention, (down, length): (u8, u8), words: u8, column: Label) {
    let [_, a, b] = convention.arguments;
    asm.ldi(length, words - 1);
    shifted(b, words.into()).into_iter().for_each(|one| asm.emit(one));
    let top = asm.here();
    shifted(a, 1).into_iter().for_each(|one| asm.emit(one));
    asm.movw(X, a);
    asm.movw(down, b);
    asm.rcall(column);
    asm.dec(length);
    asm.back(top);
}

/// `high:right = left * right`.
fn multiply(asm: &mut Assembler, left: u8, right: u8, high: u8) {
    asm.clr(high);
    asm.lsr(right);
    for _ in 0..BITS {
        let over = asm.label();
        // two cycles either way; C is clear where it branches
        asm.branch(flag::C, false, over);
        asm.add(high, left);
        asm.bind(over);
        asm.ror(high);
        asm.ror(right);
    }
}
