//! Calls of RSA by a private key: numbers of a key, and what is right of a result.

use super::evidence::{any_words, number};
use num_bigint::BigUint;
use rhomb_field::program;
use rhomb_machine::Random;

/// The words of c, and of a key with p and q of half as many words, behind one another. p and q have no common factor, which is
/// all that the program asks for beside their highest and lowest bits.
pub(super) fn operands(call: u64, words: usize, word_bits: u32) -> [Vec<u64>; 2] {
    let (half, mask) = (words / 2, (1u64 << word_bits) - 1);
    let mut random = Random::new(call);
    let mut any = |count| any_words(&mut random, count, mask);
    let (mut c, mut dp, mut dq) = (any(words), any(half), any(half));
    let mut prime = || {
        let mut own = any(half);
        own[0] |= 1;
        own[half - 1] |= 1 << (word_bits - 1);
        own
    };
    let (mut p, mut q) = (prime(), prime());
    match call {
        // the largest
        0 => {
            (c, dp, dq, p, q) =
                (vec![mask; words], vec![mask; half], vec![mask; half], vec![mask; half], vec![mask; half]);
            q[0] -= 2;
        }
        // q is above p, as far as numbers may lie apart
        1 => {
            (p, q) = (vec![0; half], vec![mask; half]);
            p[half - 1] = 1 << (word_bits - 1);
            p[0] |= 1;
        }
        2 => c = vec![0; words],
        3 => (dp, dq) = (vec![0; half], vec![0; half]),
        _ => {}
    }
    let inverse = loop {
        let [p, own] = [&p, &q].map(|own| number(own, word_bits));
        if let Some(inverse) = own.modinv(&p) {
            break inverse;
        }
        q = prime();
    };
    let inverse = program::words(&inverse, word_bits, half);
    [c, [p, q, dp, dq, inverse].concat()]
}

/// The result of a call.
pub(super) fn result(c: &[u64], key: &[u64], word_bits: u32) -> BigUint {
    let numbers: Vec<BigUint> =
        key.chunks(key.len() / program::KEY.len()).map(|own| number(own, word_bits)).collect();
    let [p, q, dp, dq, inverse] = &numbers[..] else { return BigUint::ZERO };
    let c = number(c, word_bits);
    let [m1, m2] = [c.modpow(dp, p), c.modpow(dq, q)];
    let h = (m1 + p - &m2 % p) * inverse % p;
    m2 + q * h
}
