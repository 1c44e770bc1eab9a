//! Hutter and Wenger, "Fast multi-precision multiplication for public-key cryptography on embedded
//! microprocessors", CHES 2011, J. Cryptology 33 (2020), sections 3 and 4.

use crate::Fraction;

/// Whole rows of operand caching: `r = floor(n/e)`.
pub fn rows(n: i64, e: i64) -> i64 {
    n / e
}

/// Side of the initial block of operand caching: `q = n - re`.
pub fn initial_block(n: i64, e: i64) -> i64 {
    n % e
}

/// Equation (1), left of the bound: loads of operand caching, where every row begins with empty registers.
pub fn loads(n: i64, e: i64) -> i64 {
    let r = rows(n, e);
    2 * n + 4 * r * n - 2 * e * r * r - 2 * e * r
}

/// Equation (1), right: `2n^2/e`, which the paper gives as an upper bound of [`loads`]. It is one, and equal
/// to it, only where `e` divides `n`.
pub fn printed_bound_of_loads(n: i64, e: i64) -> Fraction {
    Fraction::new(2 * n * n, e)
}

/// What equation (1) comes to: `2n^2/e + 2q(e-q)/e`.
pub fn bound_of_loads(n: i64, e: i64) -> Fraction {
    let q = initial_block(n, e);
    printed_bound_of_loads(n, e) + Fraction::new(2 * q * (e - q), e)
}

/// Equation (2), left of the bound: stores of operand caching.
pub fn stores(n: i64, e: i64) -> i64 {
    let r = rows(n, e);
    2 * n + 2 * r * n - e * r * r - e * r
}

/// Equation (2), right: `n^2/e + n`, which the paper gives as an upper bound of [`stores`]. It is one, and
/// equal to it, only where `e` divides `n`.
pub fn printed_bound_of_stores(n: i64, e: i64) -> Fraction {
    Fraction::new(n * n, e) + Fraction::from(n)
}

/// What equation (2) comes to: `n^2/e + n + q(e-q)/e`.
pub fn bound_of_stores(n: i64, e: i64) -> Fraction {
    let q = initial_block(n, e);
    printed_bound_of_stores(n, e) + Fraction::new(q * (e - q), e)
}

/// Equation (3): registers of operand caching, `f = 2e + 3`.
pub fn registers(e: i64) -> i64 {
    2 * e + 3
}

/// Equation (3): registers of the hybrid method, `f = 3d + 2`.
pub fn hybrid_registers(d: i64) -> i64 {
    3 * d + 2
}

/// Rows of a block that the hybrid method has `f` registers for, `f` at least 5.
pub fn hybrid_rows(f: i64) -> i64 {
    (f - 2) / 3
}

/// Equation (4), left: accesses of the hybrid method in `f` registers, by the paper's own formula.
pub fn printed_hybrid_accesses_in(f: i64, n: i64) -> i64 {
    printed_hybrid_loads(n, hybrid_rows(f)) + 2 * n
}

/// Equation (4), right: accesses of operand caching in `f` registers, by the paper's two bounds. The paper
/// has it below [`printed_hybrid_accesses_in`] for all `n`; with `f = 3d + 2` and `d` dividing `n`, it is so
/// only for `n < de`.
pub fn printed_accesses_in(f: i64, n: i64) -> Fraction {
    Fraction::new(6 * n * n, f - 3) + Fraction::from(n)
}

/// Table 1: loads and stores of the initial block and of the four parts of row `p`, where every row begins
/// with empty registers; the block comes first. `p` is below [`rows`].
pub fn parts(n: i64, e: i64, p: i64) -> [(i64, i64); 5] {
    let q = initial_block(n, e);
    let stream = n - e * (p + 1);
    [(2 * q, 2 * q), (2 * e, e), (2 * stream, stream), (2 * stream, stream), (0, e)]
}

/// Section 3.1: accesses of operand scanning as printed, `3n^2 + 2n`, which has loads of the result in the
/// first row, too, where nothing is there to be loaded.
pub fn printed_operand_scanning_accesses(n: i64) -> i64 {
    3 * n * n + 2 * n
}

/// Loads of operand scanning: `2n^2`.
pub fn operand_scanning_loads(n: i64) -> i64 {
    2 * n * n
}

/// Stores of operand scanning: `n^2 + n`.
pub fn operand_scanning_stores(n: i64) -> i64 {
    n * n + n
}

/// Section 3.2: loads of product scanning with two operand registers, `2n^2`.
pub fn product_scanning_loads(n: i64) -> i64 {
    2 * n * n
}

/// Section 3.3: loads of the hybrid method as printed, `2 ceil(n^2/d)`.
pub fn printed_hybrid_loads(n: i64, d: i64) -> i64 {
    2 * (n * n).unsigned_abs().div_ceil(d.unsigned_abs()) as i64
}

/// Loads of the hybrid method: `2n ceil(n/d)`, since blocks at the edges take as many block rows as others.
pub fn hybrid_loads(n: i64, d: i64) -> i64 {
    2 * n * n.unsigned_abs().div_ceil(d.unsigned_abs()) as i64
}

/// Words that operand caching stores and later loads again: `2rn - er(r+1)`.
pub fn intermediates(n: i64, e: i64) -> i64 {
    let r = rows(n, e);
    2 * r * n - e * r * (r + 1)
}

/// Columns of the initial block and of all rows.
pub fn columns(n: i64, e: i64) -> i64 {
    let q = initial_block(n, e);
    let block = if q > 0 { 2 * q - 1 } else { 0 };
    (0..rows(n, e)).map(|p| 2 * n - 2 * p * e - 1).sum::<i64>() + block
}

/// Cycles of operand caching on the ATmega128, unrolled: the body. Not printed; it gives every printed cell
/// and follows from the paper's counts:
///
/// ```text
/// 2 loads + 2 stores + 5n^2 + 2 intermediates + columns + 11 rows - 5
/// ```
///
/// Multiplications take 2 cycles and three additions each, an intermediate word two additions, a column a
/// cleared word; the rest, pointers and the start of a row (the initial block is one), was fitted.
pub fn cycles(n: i64, e: i64) -> i64 {
    let rows = rows(n, e) + i64::from(initial_block(n, e) > 0);
    2 * loads(n, e) + 2 * stores(n, e) + 5 * n * n + 2 * intermediates(n, e) + columns(n, e) + 11 * rows - 5
}

/// Section 4.1: what 160 bits and more registers than there are would come to at best: `4n` accesses, `n^2`
/// multiplications, `3n^2` additions.
pub fn optimum(n: i64) -> i64 {
    2 * 4 * n + 5 * n * n
}

/// Cycles of operand caching on the ARM7TDMI column by column, by the paper's times: UMULL 4, LDR 3, STR 2, an
/// addition 1; three additions a product, two for each word that is loaded again, and per row a cleared
/// accumulator of three words and one more cleared word for each further column. Not printed: it gives the 281 and
/// the 392 cycles of the text with `e` = 3.
pub fn arm_caching(n: i64, e: i64) -> i64 {
    let starts = rows(n, e) + i64::from(initial_block(n, e) > 0);
    7 * n * n + 3 * loads(n, e) + 2 * stores(n, e) + 2 * (stores(n, e) - 2 * n) + columns(n, e) + 2 * starts
}

/// The same for product scanning: it gives 356 cycles at five words, where the text has 357 as the best before.
pub fn arm_scanning(n: i64) -> i64 {
    7 * n * n + 3 * 2 * n * n + 2 * 2 * n + (2 * n - 1) + 2
}
