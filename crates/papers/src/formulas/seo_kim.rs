//! Seo and Kim, "Optimized multi-precision multiplication for public-key cryptography on embedded
//! microprocessors" (2013), sections III.B and IV.
//!
//! Intermediates are words of the result that are stored and later loaded again. A *run* is a series of
//! them in consecutive columns of one row. To add `c` of them at once takes `c` additions and one more for
//! the carry, so that a run of `l` takes `l + ceil(l/c)`.

use super::hutter_wenger::{initial_block, rows};
use crate::Fraction;

fn ceil(x: i64, y: i64) -> i64 {
    x.unsigned_abs().div_ceil(y.unsigned_abs()) as i64
}

fn half(x: i64) -> Fraction {
    Fraction::new(x, 2)
}

/// Additions for a run of `l` intermediates, `c` at once.
pub fn run(l: i64, c: i64) -> i64 {
    l + ceil(l, c)
}

/// Section III.A: additions that a run of `i` intermediates saves if `s` are added at once instead of one:
/// `sb - b` where `s` divides `i`, `i - b - 1` otherwise, with `b = floor(i/s)`.
pub fn advantage(i: i64, s: i64) -> i64 {
    let b = i / s;
    if i % s == 0 { s * b - b } else { i - b - 1 }
}

// Operand scanning

/// Section III.B.1: intermediates of operand scanning, `n(n-1)`.
pub fn operand_scanning_intermediates(n: i64) -> i64 {
    n * (n - 1)
}

/// What the paper says that `n(n-1)` is: `n^2`.
pub fn printed_operand_scanning_intermediates(n: i64) -> i64 {
    n * n
}

/// Section IV.A.1, under the title of operand caching: additions of operand scanning, with
/// `floor(n/c)`.
pub fn printed_operand_scanning_additions(n: i64, c: i64) -> i64 {
    (n - 1) * (n / c + n)
}

/// Additions of operand scanning: a run of `n` in all rows but the first.
pub fn operand_scanning_additions(n: i64, c: i64) -> i64 {
    (n - 1) * run(n, c)
}

// Hybrid, `d` dividing `n`: block after block, each storing its whole accumulator of 2d+1 words

/// Section III.B.2: intermediates of the hybrid method, `(q-1)(2dq+q+1)` with `q = n/d`.
pub fn hybrid_intermediates(n: i64, d: i64) -> i64 {
    let q = n / d;
    (q - 1) * (2 * d * q + q + 1)
}

/// Section IV.A.2: additions of the hybrid method as printed, in three cases.
pub fn printed_hybrid_additions(n: i64, d: i64, c: i64) -> i64 {
    let q = n / d;
    let of_run = |l: i64| if c >= l { l } else { l / c + l + 1 };
    2 * (q - 1) * of_run(d + 1) + (q - 1) * (q - 1) * of_run(2 * d + 1)
}

/// Additions of the hybrid method: `2(q-1)` runs of `d+1` and `(q-1)^2` of `2d+1`. A run that is added
/// whole has no addition for its carry, by the paper's rule.
pub fn hybrid_additions(n: i64, d: i64, c: i64) -> i64 {
    let q = n / d;
    let of_run = |l: i64| if c >= l { l } else { run(l, c) };
    2 * (q - 1) * of_run(d + 1) + (q - 1) * (q - 1) * of_run(2 * d + 1)
}

// Operand caching

/// Section III.B.3: intermediates of operand caching as printed: `r^2e - re` where `e` divides `n`, and
/// `2nr - r^2e - re` otherwise, which covers both.
pub fn caching_intermediates(n: i64, e: i64) -> i64 {
    let r = rows(n, e);
    if n % e == 0 { r * r * e - r * e } else { 2 * n * r - r * r * e - r * e }
}

/// Section IV.A.3, under the title of operand scanning, and IV.A.4: additions of operand caching two at
/// once as printed, right of the last equals sign.
pub fn printed_caching_additions(n: i64, e: i64) -> Fraction {
    let r = rows(n, e);
    match (n % e == 0, e % 2 == 1) {
        (true, true) => half(3 * (e - 1) * r * (r - 1)) + Fraction::from(4 * (r - 1)),
        (true, false) => half(3 * (e - 1) * r * (r - 1)),
        (false, true) => {
            let sum = Fraction::new(3 * (2 * (n - r * e) * r + r * (r - 1) * (e - 1)), 4);
            Fraction::from(2) * (sum + Fraction::from(2 * (r - 1)))
        }
        (false, false) => Fraction::from(3 * r * (n - r * e)) + half(3 * e * r * (r - 1)),
    }
}

/// The same, left of the last equals sign: the sums, worked out.
pub fn printed_caching_additions_as_sum(n: i64, e: i64) -> Fraction {
    let r = rows(n, e);
    let triangle = r * (r - 1) / 2; // 1 + 2 + .. + (r-1)
    match (n % e == 0, e % 2 == 1) {
        (true, true) => Fraction::from(2) * (half(3 * 2 * (e - 1) * triangle) + Fraction::from(2 * (r - 1))),
        (true, false) => Fraction::from(2) * half(3 * e * triangle),
        (false, true) => {
            let sum = (n - r * e) * r + (e - 1) * triangle;
            Fraction::from(2 * sum) * half(3) + Fraction::from(2 * (r - 1))
        }
        (false, false) => Fraction::from(3 * ((n - r * e) * r + e * triangle)),
    }
}

/// Additions of operand caching: row `p` has a run of `2(n - e(p+1))`.
pub fn caching_additions(n: i64, e: i64, c: i64) -> i64 {
    (0..rows(n, e)).map(|p| run(2 * (n - e * (p + 1)), c)).sum()
}

// Consecutive operand caching; R = ceil(n/e) rows

/// Which strip is the narrow one where `e` does not divide `n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Narrow {
    /// The first, which makes fewer intermediates.
    First,
    /// The last, which the paper's formula has.
    Last,
}

/// Runs of consecutive operand caching: the first, which is `2e` or `2q`, and `R-2` of `n+e`; none in a
/// single row.
fn consecutive_runs(n: i64, e: i64, narrow: Narrow) -> Option<(i64, i64, i64)> {
    let rows = ceil(n, e);
    let q = initial_block(n, e);
    let first = if narrow == Narrow::First && q > 0 { 2 * q } else { 2 * e };
    (rows > 1).then_some((first, rows - 2, n + e))
}

/// Section III.B.4: intermediates of consecutive operand caching as printed: `nr + re - 2n` where `e`
/// divides `n`, and `nr + re - n + e` otherwise, the narrow strip being the last.
pub fn printed_consecutive_intermediates(n: i64, e: i64) -> i64 {
    let r = rows(n, e);
    if n % e == 0 { n * r + r * e - 2 * n } else { n * r + r * e - n + e }
}

/// Intermediates of consecutive operand caching: the sum of the runs; `n(R-1)` where `e` divides `n`.
pub fn consecutive_intermediates(n: i64, e: i64, narrow: Narrow) -> i64 {
    consecutive_runs(n, e, narrow).map_or(0, |(first, others, each)| first + others * each)
}

/// Section IV.A.5: additions of consecutive operand caching two at once as printed.
pub fn printed_consecutive_additions(n: i64, e: i64) -> Fraction {
    let r = rows(n, e);
    let inner = match (n % e == 0, e % 2 == 1) {
        (true, true) => {
            half(3 * (e - 1)) + Fraction::new(3 * (n + e - 1) * (r - 2), 4) + Fraction::from(r - 2)
        }
        (true, false) => half(3 * e) + Fraction::from(2) + Fraction::new(3 * (n + e) * (r - 2), 4),
        (false, true) => {
            half(3 * (e - 1))
                + Fraction::from(2)
                + Fraction::new(3 * (n + e - 1) * (r - 1), 4)
                + Fraction::from(r - 1)
        }
        (false, false) => half(3 * e) + Fraction::new(3 * (n + e) * (r - 1), 4),
    };
    Fraction::from(2) * inner
}

/// Additions of consecutive operand caching.
pub fn consecutive_additions(n: i64, e: i64, c: i64, narrow: Narrow) -> i64 {
    consecutive_runs(n, e, narrow).map_or(0, |(first, others, each)| run(first, c) + others * run(each, c))
}

// Cycles on the ATmega128

/// Cycles of operand caching with carry-once 2, of the body: those without it, half an addition less for
/// each intermediate, and `e` loads of 2 cycles less, which are words kept from one row to the next and have
/// nothing to do with carry-once. It gives the 18 cells of table II where `e` divides `n`, and not the six
/// others.
pub fn caching_cycles(n: i64, e: i64) -> i64 {
    super::hutter_wenger::cycles(n, e) - caching_intermediates(n, e) / 2 - 2 * e
}

/// Cycles of consecutive operand caching, of the body, without carry-once (`c` = 1) or with 2 words at once.
/// Not printed; it gives all 24 cells of table II. With `R = ceil(n/e)`, and `q` the remainder of `n` by `e`
/// or `e` itself,
///
/// ```text
/// 5n^2 + (1 + 1/c)(nR + eR - 2n) + 7nR + n - 2R + 2e - 11(e-q)
/// ```
///
/// Where `e` divides `n` this is loads and stores at 2 cycles, `5n^2`, the additions of intermediates, and
/// the others. Elsewhere it counts additions of one layout of the strips and memory accesses of another,
/// about `4(e-q)` cycles too few: no real schedule has both.
///
/// # Panics
/// If `c` is neither 1 nor 2.
pub fn consecutive_cycles(n: i64, e: i64, c: i64) -> Fraction {
    assert!(c == 1 || c == 2, "the paper has no other group");
    let rows = ceil(n, e);
    let q = if n % e == 0 { e } else { n % e };
    let additions = Fraction::new((c + 1) * (n * rows + e * rows - 2 * n), c);
    Fraction::from(5 * n * n + 7 * n * rows + n - 2 * rows + 2 * e - 11 * (e - q)) + additions
}

/// Loads of consecutive operand caching where `e` divides `n`: `nR + e` of operands, and the intermediates.
pub fn consecutive_loads(n: i64, e: i64) -> i64 {
    n * rows(n, e) + e + consecutive_intermediates(n, e, Narrow::Last)
}

/// Stores of consecutive operand caching: `2n` and the intermediates.
pub fn consecutive_stores(n: i64, e: i64) -> i64 {
    2 * n + consecutive_intermediates(n, e, Narrow::Last)
}

/// Instructions of consecutive operand caching beside loads, stores, multiplications and additions: a
/// cleared word a column, less one a row. Where `e` divides `n`.
pub fn consecutive_others(n: i64, e: i64) -> i64 {
    consecutive_stores(n, e) - 2 * rows(n, e)
}
