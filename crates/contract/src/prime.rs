//! Whether a number is prime, and a polynomial over GF(2) irreducible: what makes a field.

use crate::polynomial::BinaryPolynomial;
use num_bigint::BigUint;

/// The largest of the bases of strong pseudoprimality.
const MOST_BASE: u32 = 311;

/// Whether a number is prime, by strong pseudoprimality (A. Menezes, P. van Oorschot, S. Vanstone, "Handbook of Applied
/// Cryptography", 4.24) to the 64 smallest prime bases, and by a strong test of Lucas beside them. A prime is never
/// refused. Composite numbers that pass the bases are made on purpose; one that passes base 2 and the test of Lucas is
/// not known.
pub fn is_prime(number: &BigUint) -> bool {
    let small = |n: &u32| (2..*n).take_while(|d| d * d <= *n).all(|d| !n.is_multiple_of(d));
    let mut bases = (2..=MOST_BASE).filter(small).map(BigUint::from);
    if number <= &BigUint::from(MOST_BASE) {
        return bases.any(|base| base == *number);
    }
    number.bit(0) && bases.all(|base| is_strong_pseudoprime(number, &base)) && passes_lucas(number)
}

/// For an odd number, larger than the base.
fn is_strong_pseudoprime(number: &BigUint, base: &BigUint) -> bool {
    let most = number - 1u8;
    let twos = most.trailing_zeros().unwrap_or(0);
    let mut power = base.modpow(&(&most >> twos), number);
    if power == BigUint::from(1u8) || power == most {
        return true;
    }
    (1..twos).any(|_| {
        power = &power * &power % number;
        power == most
    })
}

/// The strong test of Lucas (R. Baillie, S. Wagstaff, "Lucas pseudoprimes", 1980) with Selfridge's parameters: P = 1 and
/// Q = (1 - D)/4, where D is the first of 5, -7, 9, -11, ... whose Jacobi symbol is -1. For odd numbers above
/// [`MOST_BASE`].
fn passes_lucas(number: &BigUint) -> bool {
    // a square has no such D
    let root = number.sqrt();
    if &root * &root == *number {
        return false;
    }
    let residue = |value: i64| match value < 0 {
        true => number - BigUint::from(value.unsigned_abs()) % number,
        false => BigUint::from(value.unsigned_abs()) % number,
    };
    let candidates = (2i64..).map(|n| if n % 2 == 0 { 2 * n + 1 } else { -2 * n - 1 });
    let mut symbols = candidates.map(|d| (d, jacobi(residue(d), number.clone())));
    let Some((d, symbol)) = symbols.find(|(_, symbol)| *symbol != 1) else { return false };
    if symbol == 0 {
        return false;
    }
    let (d, q) = (residue(d), residue((1 - d) / 4));
    let half = |x: BigUint| (if x.bit(0) { x + number } else { x }) >> 1;
    let next = number + 1u8;
    let twos = next.trailing_zeros().unwrap_or(0);
    let odd = &next >> twos;
    // U_k, V_k and Q^k modulo the number, for the bits of the odd part from its highest
    let (mut u, mut v, mut power) = (BigUint::from(1u8), BigUint::from(1u8), q.clone());
    let double = |v: &BigUint, power: &BigUint| (v * v + (number - power) * 2u8) % number;
    for bit in (0..odd.bits() - 1).rev() {
        (u, v, power) = (&u * &v % number, double(&v, &power), &power * &power % number);
        if odd.bit(bit) {
            (u, v) = (half((&u + &v) % number), half((&d * &u + &v) % number));
            power = power * &q % number;
        }
    }
    u == BigUint::ZERO
        || (0..twos).any(|_| {
            let is_zero = v == BigUint::ZERO;
            (v, power) = (double(&v, &power), &power * &power % number);
            is_zero
        })
}

/// The symbol of Jacobi for an odd number below the line.
fn jacobi(mut above: BigUint, mut below: BigUint) -> i8 {
    let lowest = |number: &BigUint| number.iter_u32_digits().next().unwrap_or(0);
    let mut symbol = 1;
    while above != BigUint::ZERO {
        let twos = above.trailing_zeros().unwrap_or(0);
        above >>= twos;
        if twos % 2 == 1 && matches!(lowest(&below) % 8, 3 | 5) {
            symbol = -symbol;
        }
        if lowest(&above) % 4 == 3 && lowest(&below) % 4 == 3 {
            symbol = -symbol;
        }
        (above, below) = (below % &above, above);
    }
    if below == BigUint::from(1u8) { symbol } else { 0 }
}

/// Whether a polynomial has no factors (M. Rabin, "Probabilistic algorithms in finite fields", 1980): with its degree m,
/// it divides x^(2^m) - x, and has no common factor with x^(2^(m/q)) - x for a prime q that divides m.
pub fn is_irreducible(polynomial: &BinaryPolynomial) -> bool {
    let (modulus, degree) = (polynomial.number(), polynomial.degree());
    let x = BigUint::from(2u8);
    let start = remainder(x.clone(), &modulus);
    let mut power = start.clone();
    for exponent in 1..=degree {
        power = remainder(square(&power), &modulus);
        let quotient = degree / exponent;
        let is_prime = quotient > 1 && (2..quotient).all(|divisor| !quotient.is_multiple_of(divisor));
        if degree.is_multiple_of(exponent) && is_prime {
            let common = common_divisor(&power ^ &start, modulus.clone());
            if common != BigUint::from(1u8) {
                return false;
            }
        }
    }
    power == start
}

/// The square: a zero between all bits.
fn square(polynomial: &BigUint) -> BigUint {
    let bits = (0..polynomial.bits()).filter(|bit| polynomial.bit(*bit));
    let mut square = BigUint::ZERO;
    bits.for_each(|bit| square.set_bit(2 * bit, true));
    square
}

fn remainder(mut polynomial: BigUint, modulus: &BigUint) -> BigUint {
    while polynomial.bits() >= modulus.bits() {
        let above = polynomial.bits() - modulus.bits();
        polynomial ^= modulus << above;
    }
    polynomial
}

fn common_divisor(mut x: BigUint, mut y: BigUint) -> BigUint {
    while y != BigUint::ZERO {
        x = remainder(x, &y);
        std::mem::swap(&mut x, &mut y);
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers() {
        let by_division = |n: u32| n > 1 && (2..n).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d));
        for n in (0..3000).chain(100_000..100_500) {
            assert_eq!(is_prime(&n.into()), by_division(n), "{n}");
        }
        // strong pseudoprimes to the bases 2, 3, 5 and 7, and to the first eleven primes (OEIS A014233)
        for composite in [3_215_031_751u64, 3_825_123_056_546_413_051] {
            assert!(!is_prime(&composite.into()));
        }
    }

    /// Of three primes such that each base up to 311 is a square modulo all of them or none (F. Arnault, "Constructing
    /// Carmichael numbers which are strong pseudoprimes to several bases", 1995): one prime, and what makes two others.
    const LEAST: &str = "41e770f31ba6f5e01f6aa237768d378cf1f89fcf68bb89584327e9dc8d5c33c0d098c66df2eea4e6bb58ce22365fe1a93cb8948c3a8f11483";
    const MULTIPLES: [u32; 2] = [313, 353];

    #[test]
    fn what_all_bases_let_through_is_caught() {
        let prime = BigUint::parse_bytes(LEAST.as_bytes(), 16).unwrap();
        let mut composite = prime.clone();
        for multiple in MULTIPLES {
            let other = (&prime - 1u8) * multiple + 1u8;
            assert!(is_prime(&other));
            composite *= other;
        }
        assert!((2..=MOST_BASE).all(|base| is_strong_pseudoprime(&composite, &base.into())));
        assert!(!passes_lucas(&composite));
        assert!(is_prime(&prime) && !is_prime(&composite));
    }

    #[test]
    fn what_the_test_of_lucas_lets_through_is_caught() {
        // OEIS A217255
        let passing =
            (313u32..20_000).step_by(2).filter(|n| passes_lucas(&(*n).into()) && !is_prime(&(*n).into()));
        assert_eq!(passing.collect::<Vec<_>>(), [5459, 5777, 10877, 16109, 18971]);
        // 2^128 + 1 has factors, Mersenne's numbers with these exponents are prime
        assert!(!is_prime(&((BigUint::from(1u8) << 128) + 1u8)));
        for exponent in [89, 107, 127, 521, 607] {
            assert!(is_prime(&((BigUint::from(1u8) << exponent) - 1u8)), "{exponent}");
        }
    }

    #[test]
    fn carmichaels_numbers_and_squares_are_caught() {
        for composite in [561u32, 1105, 1729, 2465, 2821, 6601, 8911, 10585, 15841, 29341, 75361, 410_041] {
            assert!(!is_prime(&composite.into()), "{composite}");
        }
        // (6k + 1)(12k + 1)(18k + 1) with prime factors
        let mut seen = 0;
        for k in 1u64..2000 {
            let factors = [6 * k + 1, 12 * k + 1, 18 * k + 1].map(BigUint::from);
            if factors.iter().all(is_prime) {
                assert!(!is_prime(&factors.iter().product()), "{k}");
                seen += 1;
            }
        }
        assert!(seen > 20, "{seen}");
        // Wieferich's primes: their squares pass base 2
        for prime in [1093u32, 3511] {
            let square = BigUint::from(prime) * prime;
            assert!(is_strong_pseudoprime(&square, &2u8.into()) && !passes_lucas(&square));
        }
    }

    #[test]
    fn primes_of_curves() {
        let moduli =
            ["2^192-2^64-1", "2^224-2^96+1", "2^256-2^224+2^192+2^96-1", "2^521-1", "2^255-2^4-2^2+1"];
        for prime in moduli {
            let contract: crate::Contract = format!("modinv {prime}").parse().unwrap();
            assert_eq!(contract.to_string(), format!("modinv {prime}"));
        }
        for composite in ["2^192-2^64-3", "0x1", "0xfffffffffffffffffffffffffffffff1"] {
            assert!(format!("montinv {composite}").parse::<crate::Contract>().is_err(), "{composite}");
        }
    }

    /// All polynomials of degree 9 at most, by division.
    #[test]
    fn small_polynomials() {
        let degree = |f: u32| 31 - f.leading_zeros();
        let divides = |d: u32, mut f: u32| {
            while f >= 1 << degree(d) {
                f ^= d << (degree(f) - degree(d));
            }
            f == 0
        };
        for f in (3u32..1024).step_by(2) {
            let polynomial: BinaryPolynomial = format!("{f:#x}").parse().unwrap();
            let by_division = (2..f).take_while(|d| 2 * degree(*d) <= degree(f)).all(|d| !divides(d, f));
            assert_eq!(is_irreducible(&polynomial), by_division, "{f:#b}");
        }
        // as many as there are (Gauss), of each degree
        let mut counts = vec![1, 1];
        for degree in 2u32..=11 {
            let all = (1u32 << degree | 1..1 << (degree + 1)).step_by(2);
            let irreducible = all.filter(|f| is_irreducible(&format!("{f:#x}").parse().unwrap()));
            counts.push(irreducible.count());
        }
        assert_eq!(counts, [1, 1, 1, 2, 3, 6, 9, 18, 30, 56, 99, 186]);
        for (polynomial, holds) in [("x^191+x^9+1", true), ("x^233+x^74+1", true), ("x^191+x^8+1", false)] {
            assert_eq!(format!("gf2modinv {polynomial}").parse::<crate::Contract>().is_ok(), holds);
        }
    }
}
