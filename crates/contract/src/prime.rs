//! Whether a number is prime, and a polynomial over GF(2) irreducible: what makes a field.

use crate::polynomial::BinaryPolynomial;
use num_bigint::BigUint;

/// Whether a number is prime, by strong pseudoprimality (A. Menezes, P. van Oorschot, S. Vanstone, "Handbook of Applied
/// Cryptography", 4.24) to the 64 smallest prime bases. A prime is never refused; composite numbers that pass are made on
/// purpose, if at all.
pub fn is_prime(number: &BigUint) -> bool {
    let one = BigUint::from(1u8);
    let small = (2u32..=311).filter(|n| (2..*n).take_while(|d| d * d <= *n).all(|d| !n.is_multiple_of(d)));
    let bases: Vec<BigUint> = small.map(BigUint::from).collect();
    if number <= &one || bases.contains(number) {
        return number > &one;
    }
    let most = number - 1u8;
    let twos = most.trailing_zeros().unwrap_or(0);
    let odd = &most >> twos;
    bases.iter().all(|base| {
        let mut power = base.modpow(&odd, number);
        if power == one || power == most {
            return true;
        }
        (1..twos).any(|_| {
            power = &power * &power % number;
            power == most
        })
    })
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
        for (polynomial, holds) in [("x^191+x^9+1", true), ("x^233+x^74+1", true), ("x^191+x^8+1", false)] {
            assert_eq!(format!("gf2modinv {polynomial}").parse::<crate::Contract>().is_ok(), holds);
        }
    }
}
