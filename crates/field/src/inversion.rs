//! Inversion: binary extended Euclid, and powers by addition chains.

use crate::formulas::{Formula, Step, mul, sqr};
use num_bigint::BigUint;

/// 1/x modulo an odd modulus by halving and subtracting; `None` if they have a common divisor.
///
/// a x = u and c x = v modulo the modulus, always; u and v get smaller (Handbook of Applied Cryptography, 14.61, without
/// the coefficients that nobody needs).
pub fn binary_euclid(x: &BigUint, modulus: &BigUint) -> Option<BigUint> {
    let one = BigUint::from(1u32);
    if !modulus.bit(0) {
        return None;
    }
    let halve = |number: &mut BigUint, coefficient: &mut BigUint| {
        while number.bits() > 0 && !number.bit(0) {
            *number >>= 1;
            if coefficient.bit(0) {
                *coefficient += modulus;
            }
            *coefficient >>= 1;
        }
    };
    let (mut u, mut v) = (x % modulus, modulus.clone());
    let (mut a, mut c) = (one.clone(), BigUint::ZERO);
    while u.bits() > 0 {
        halve(&mut u, &mut a);
        halve(&mut v, &mut c);
        if u >= v {
            u -= &v;
            a = if a >= c { a - &c } else { a + modulus - &c };
        } else {
            v -= &u;
            c = if c >= a { c - &a } else { c + modulus - &a };
        }
    }
    (v == one).then_some(c % modulus)
}

/// x^(p - 2) for p = 2^192 - 2^64 - 1: 191 squarings and 13 multiplications. Reads `x`, writes `y`.
///
/// p - 2 = (2^127 - 1) 2^65 + 2^64 - 3 in binary: 127 ones, a zero, 62 ones, 01.
pub fn fermat_p192() -> Formula {
    let mut chain = Chain::new();
    chain.ones(2, 1, 1);
    chain.ones(3, 2, 1);
    chain.ones(6, 3, 3);
    chain.ones(7, 6, 1);
    chain.ones(14, 7, 7);
    chain.ones(15, 14, 1);
    chain.ones(30, 15, 15);
    chain.ones(31, 30, 1);
    chain.ones(62, 31, 31);
    chain.ones(124, 62, 62);
    chain.ones(127, 124, 3);
    // a zero and 62 ones, then 0 and 1
    chain.steps.push(Step::copy("y", "e127"));
    chain.squarings("y", 63);
    chain.steps.push(mul("y", "y", "e62"));
    chain.squarings("y", 2);
    chain.steps.push(mul("y", "y", "x"));
    chain.finish("x^(p - 2) for P-192")
}

/// x^(2^191 - 2) in GF(2^191), as T. Itoh and S. Tsujii have it (1988): (x^(2^190 - 1))^2, 190 squarings and 12
/// multiplications. Reads `x`, writes `y`.
pub fn itoh_tsujii_191() -> Formula {
    let mut chain = Chain::new();
    for (ones, from, other) in [
        (2, 1, 1),
        (4, 2, 2),
        (5, 4, 1),
        (10, 5, 5),
        (11, 10, 1),
        (22, 11, 11),
        (23, 22, 1),
        (46, 23, 23),
        (47, 46, 1),
        (94, 47, 47),
        (95, 94, 1),
        (190, 95, 95),
    ] {
        chain.ones(ones, from, other);
    }
    chain.steps.push(sqr("y", "e190"));
    chain.finish("x^(2^191 - 2)")
}

/// Steps towards a power, and the powers x^(2^n - 1) that later ones need.
struct Chain {
    steps: Vec<Step>,
}

/// Names of x^(2^n - 1).
fn name(ones: u32) -> &'static str {
    match ones {
        1 => "x",
        2 => "e2",
        3 => "e3",
        4 => "e4",
        5 => "e5",
        6 => "e6",
        7 => "e7",
        10 => "e10",
        11 => "e11",
        14 => "e14",
        15 => "e15",
        22 => "e22",
        23 => "e23",
        30 => "e30",
        31 => "e31",
        46 => "e46",
        47 => "e47",
        62 => "e62",
        94 => "e94",
        95 => "e95",
        124 => "e124",
        127 => "e127",
        190 => "e190",
        _ => unreachable!("a power that no chain here has"),
    }
}

impl Chain {
    fn new() -> Self {
        Chain { steps: Vec::new() }
    }

    fn squarings(&mut self, slot: &'static str, count: u32) {
        self.steps.extend((0..count).map(|_| sqr(slot, slot)));
    }

    /// x^(2^ones - 1) = (x^(2^from - 1))^(2^by) x^(2^by - 1), with ones = from + by.
    fn ones(&mut self, ones: u32, from: u32, by: u32) {
        let to = name(ones);
        self.steps.push(sqr(to, name(from)));
        self.squarings(to, by - 1);
        self.steps.push(mul(to, to, name(by)));
    }

    fn finish(self, title: &'static str) -> Formula {
        Formula { title, inputs: &["x"], outputs: &["y"], steps: self.steps }
    }
}
