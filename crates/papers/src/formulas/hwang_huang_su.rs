//! Hwang, Huang and Su, "The optimal split method for large integer multiplication on low-end devices":
//! tables 1 to 4 and theorems 1 to 7.
//!
//! The unit is the paper's base instruction: a multiplication, addition, load or store of words, each of one
//! cycle. `s` is the number of words of an operand, `t` the number of parts into which it is split (at least
//! 2), `n` how often it is split (*levels*). A split replaces the products of two parts with each other by
//! one product of the parts' sums, from which the parts' own products are subtracted. The carries of these
//! sums, which make them a bit longer than a part, and parts of unequal length are not in the paper's counts,
//! hence not here either.

use crate::Fraction;

/// Base instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instructions {
    /// Multiplications.
    pub multiply: Fraction,
    /// Additions and subtractions.
    pub add: Fraction,
    /// Loads.
    pub load: Fraction,
    /// Stores.
    pub store: Fraction,
}

impl Instructions {
    /// All of them.
    pub fn total(&self) -> Fraction {
        self.multiply + self.add + self.load + self.store
    }
}

fn whole(value: i64) -> Fraction {
    Fraction::from(value)
}

/// Table 1: the classical multiplication of `s` words, algorithm 1. Its first step, which clears the result,
/// is not counted.
pub fn classical(s: Fraction) -> Instructions {
    let square = s * s;
    Instructions { multiply: square, add: whole(4) * square, load: whole(2) * square + s, store: square + s }
}

/// Table 2: the addition or subtraction of `s` words, algorithm 2. An addition with carry counts twice.
pub fn addition(s: Fraction) -> Instructions {
    Instructions { multiply: whole(0), add: whole(2) * s, load: whole(2) * s, store: s }
}

/// Table 3: what the Karatsuba-Ofman method consists of: multiplications of `s/2` words, additions of `s`
/// words, additions of `s/2` words.
pub const KARATSUBA_PARTS: [i64; 3] = [3, 3, 2];

/// Table 4: the Karatsuba-Ofman method, as a polynomial in `s`.
pub fn karatsuba(s: Fraction) -> Instructions {
    let square = s * s;
    Instructions {
        multiply: Fraction::new(3, 4) * square,
        add: whole(3) * square + whole(8) * s,
        load: Fraction::new(3, 2) * square + Fraction::new(19, 2) * s,
        store: Fraction::new(3, 4) * square + Fraction::new(11, 2) * s,
    }
}

/// Theorem 1: a balanced `t`-way split, `(4t+4)/t s^2 + (21t-19) s`.
pub fn balanced(t: i64, s: i64) -> Fraction {
    Fraction::new(4 * t + 4, t) * whole(s * s) + whole((21 * t - 19) * s)
}

/// Theorem 2, corrected: a split into parts of these lengths, of which no word is whole by need. The product
/// of the sums of two parts is as long as the longer of them.
pub fn unbalanced(parts: &[Fraction]) -> Fraction {
    let mut parts = parts.to_vec();
    parts.sort_by(|x, y| y.cmp(x));
    let of = |length| classical(length).total();
    let pairs = |index: usize| whole((parts.len() - 1 - index) as i64);
    let each = |(index, length): (usize, &Fraction)| {
        of(*length) + pairs(index) * (of(*length) + whole(40) * *length)
    };
    parts.iter().enumerate().map(each).fold(whole(0), |sum, one| sum + one)
}

/// Theorem 2 as printed, for parts of `s/t + d[0]`, ..., `s/t + d[t-2]` words in descending order and a last
/// one with the rest: the weights 1, 2, ..., t of the squares of the differences are in reverse order, so
/// that it is right for two parts only.
pub fn printed_unbalanced(parts: &[Fraction]) -> Fraction {
    let mut parts = parts.to_vec();
    parts.sort_by(|x, y| y.cmp(x));
    let t = parts.len() as i64;
    let s = parts.iter().fold(whole(0), |sum, part| sum + *part);
    let d: Vec<Fraction> = parts.iter().map(|part| *part - s * Fraction::new(1, t)).collect();
    let weighted = (0..t - 1).zip(&d).fold(whole(0), |sum, (i, d)| sum + whole(t - 1 - i) * *d);
    // the last difference is minus the sum of the others, which the paper has
    let squares = (1..=t).zip(&d).fold(whole(0), |sum, (i, d)| sum + whole(i) * *d * *d);
    Fraction::new(4 * t + 4, t) * s * s
        + (whole(21 * t - 19) + Fraction::new(16, t) * weighted) * s
        + whole(42) * weighted
        + whole(8) * squares
}

/// Theorem 3: `n` times recursive balanced `t`-way split,
/// `8 ((t+1)/2t)^n s^2 + 42 ((t+1)/2)^n s - 40 s`; with `n = 0` the classical multiplication.
pub fn recursive(t: i64, n: u32, s: i64) -> Fraction {
    whole(8) * Fraction::new(t + 1, 2 * t).power(n) * whole(s * s)
        + whole(42) * Fraction::new(t + 1, 2).power(n) * whole(s)
        + whole(-40 * s)
}

/// Theorem 4 for `t = 2` as the paper uses it: `floor(log2(0.13515 s))` levels, none where that is negative.
/// The constant, rounded from `4 ln(4/3) / (21 ln(3/2))`, is the minimum of theorem 3 over real numbers of
/// levels; rounded down it is no minimum over whole ones.
pub fn printed_levels(s: i64) -> u32 {
    whole_logarithm(2, 13_515 * s, 100_000)
}

/// The number of levels with the fewest base instructions, `max(0, floor(log_t(4s/21)))`: one level more
/// pays while `T(n+1, s) <= T(n, s)`, that is `21 t^(n+1) <= 4s`. Where equality holds, `n` and `n+1` levels
/// cost the same.
pub fn levels(t: i64, s: i64) -> u32 {
    whole_logarithm(t, 4 * s, 21)
}

/// The greatest `n` with `base^n <= x/y`; 0 where there is none.
fn whole_logarithm(base: i64, x: i64, y: i64) -> u32 {
    let mut n = 0;
    while i128::from(base).pow(n + 1) * i128::from(y) <= i128::from(x) {
        n += 1;
    }
    n
}

/// Theorem 4 over the real numbers, which figure 3 is drawn with: the number of levels and its base
/// instructions. An approximation, as logarithms are.
pub fn real_levels(t: i64, s: f64) -> (f64, f64) {
    let t = t as f64;
    let (shrink, grow) = ((t + 1.0) / (2.0 * t), (t + 1.0) / 2.0);
    let n = (4.0 * s * -shrink.ln() / (21.0 * grow.ln())).ln() / t.ln();
    (n, 8.0 * shrink.powf(n) * s * s + 42.0 * grow.powf(n) * s - 40.0 * s)
}

/// Cycles that a Montgomery multiplication of table 7 takes beyond its multiplication: not in the paper, but
/// the difference of tables 7 and 5 wherever they can be compared. One cycle a product of words, where the
/// multiplication itself has eight.
pub fn reduction(s: i64) -> i64 {
    s * s + 15 * s + 22
}

/// Table 8 of table 7: as many squarings as bits, half as many multiplications, a squaring taking as long as
/// a multiplication; neither conversion nor windows.
pub fn exponentiation(bits: i64, multiplication: i64) -> Fraction {
    Fraction::new(3, 2) * whole(bits) * whole(multiplication)
}
