//! Numbers as words of 32 bits, lowest first.

use num_bigint::BigUint;

/// The number that words stand for.
pub fn number(words: &[u32]) -> BigUint {
    BigUint::new(words.to_vec())
}

/// The `count` low words of a number.
pub fn words(number: &BigUint, count: usize) -> Vec<u32> {
    let mut words = number.to_u32_digits();
    words.resize(count, 0);
    words
}

/// The product of two binary polynomials of a word each: bit i is the coefficient of t^i.
pub fn carryless(x: u32, y: u32) -> u64 {
    (0..32).filter(|bit| y >> bit & 1 == 1).fold(0, |sum, bit| sum ^ u64::from(x) << bit)
}

/// -1/x mod 2^32 for an odd x: Newton's iteration doubles the correct low bits, of which x has three.
pub fn negative_inverse(x: u32) -> u32 {
    let better = |y: u32| y.wrapping_mul(2u32.wrapping_sub(x.wrapping_mul(y)));
    better(better(better(better(x)))).wrapping_neg()
}

/// 1/x mod t^32 for a binary polynomial with x(0) = 1.
pub fn carryless_inverse(x: u32) -> u32 {
    // y <- y (2 - x y) without the 2: x y^2 has the inverse's low bits twice as far
    let better = |y: u32| carryless(carryless(y, y) as u32, x) as u32;
    (0..5).fold(1, |y, _| better(y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverses_of_words() {
        for x in [1u32, 3, 0xffff_ffff, 0x1234_5679, 0x8000_0001] {
            assert_eq!(x.wrapping_mul(negative_inverse(x)), u32::MAX);
            assert_eq!(carryless(x, carryless_inverse(x)) as u32, 1, "{x:#x}");
        }
    }
}
