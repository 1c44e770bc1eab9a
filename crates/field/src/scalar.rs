//! How the digits of a scalar are scanned.

use num_bigint::BigUint;

/// The non-adjacent form, highest digit first: digit i is bit i + 1 of 3k less bit i + 1 of k. No two neighbours
/// are both not 0; a third of the digits is not 0 on average. Empty for 0.
pub fn non_adjacent(k: &BigUint) -> Vec<i8> {
    let triple = k * 3u32;
    let digit = |bit: u64| i8::from(triple.bit(bit)) - i8::from(k.bit(bit));
    (1..triple.bits()).rev().map(digit).collect()
}

/// Digits 1 and -1 alone, `count` of them, highest first, for an odd k < 2^count: the highest is 1, and digit i is 1 if
/// bit i + 1 of k is.
///
/// `None` for an even or too large k.
pub fn signed_bits(k: &BigUint, count: u64) -> Option<Vec<i8>> {
    if !k.bit(0) || k.bits() > count {
        return None;
    }
    let digit = |place: u64| if place + 1 == count || k.bit(place + 1) { 1 } else { -1 };
    Some((0..count).rev().map(digit).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(digits: &[i8]) -> i64 {
        digits.iter().fold(0, |sum, digit| 2 * sum + i64::from(*digit))
    }

    #[test]
    fn digits_have_the_value() {
        for k in 0u32..2000 {
            let digits = non_adjacent(&k.into());
            assert_eq!(value(&digits), k.into());
            assert!(digits.windows(2).all(|pair| pair[0] == 0 || pair[1] == 0));
            if k % 2 == 1 {
                assert_eq!(signed_bits(&k.into(), 11).map(|digits| value(&digits)), Some(k.into()));
            }
        }
        assert!(signed_bits(&4u32.into(), 4).is_none() && signed_bits(&17u32.into(), 4).is_none());
    }
}
