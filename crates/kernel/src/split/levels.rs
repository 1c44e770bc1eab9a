//! How many levels of splits are worth while: rules, in place of a measurement.

/// The rule that Hwang, Huang and Su print for two parts, `floor(log2(0.13515 s))` for operands of `s` words,
/// and none where that is negative. It is a level too few for more than half of all sizes.
pub fn printed(words: usize) -> usize {
    logarithm(2, 13_515 * words as u128, 100_000)
}

/// The number of levels with the fewest operations in the same authors' model, where a word takes eight
/// base instructions in a product and five in an addition: `max(0, floor(log_t(4s/21)))` for `parts` parts.
/// For real code the overhead of a split is another, so that measuring decides.
pub fn model(parts: usize, words: usize) -> usize {
    logarithm(parts as u128, 4 * words as u128, 21)
}

/// The greatest `n` with `base^n <= x/y`, or 0. A base below 2 has none.
fn logarithm(base: u128, x: u128, y: u128) -> usize {
    let mut power = base;
    let mut n = 0;
    while base > 1 && power * y <= x {
        power *= base;
        n += 1;
    }
    n
}

/// The most levels that halve operands of this many words into parts of at least `least` words, which is at
/// least 1.
pub fn most(words: usize, least: usize) -> usize {
    // the shortest part after n levels has floor(words / 2^n)
    (1..).take_while(|level| words.checked_shr(*level).unwrap_or(0) >= least.max(1)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules() {
        assert_eq!([8, 11, 15, 64, 192, 512].map(printed), [0, 0, 1, 3, 4, 6]);
        assert_eq!([8, 11, 15, 64, 192, 512].map(|s| model(2, s)), [0, 1, 1, 3, 5, 6]);
        assert_eq!([10, 16, 200].map(|s| model(3, s)), [0, 1, 3]);
        assert_eq!((most(1, 1), most(2, 1), most(32, 8), most(31, 8), most(20, 5)), (0, 1, 2, 1, 2));
    }
}
