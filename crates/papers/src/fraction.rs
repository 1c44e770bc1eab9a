use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Mul, Sub};

/// An exact rational number, in lowest terms: some printed formulas have a division that leaves a rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fraction {
    numerator: i128,
    denominator: i128,
}

impl Fraction {
    /// `numerator / denominator`.
    ///
    /// # Panics
    /// If the denominator is 0.
    pub fn new(numerator: i64, denominator: i64) -> Fraction {
        Fraction::of(i128::from(numerator), i128::from(denominator))
    }

    fn of(numerator: i128, denominator: i128) -> Fraction {
        assert_ne!(denominator, 0, "no number is divided by 0");
        let divisor = greatest_common_divisor(numerator, denominator) * denominator.signum();
        Fraction { numerator: numerator / divisor, denominator: denominator / divisor }
    }

    /// The number, if it is whole.
    pub fn whole(self) -> Option<i64> {
        i64::try_from(self.numerator).ok().filter(|_| self.denominator == 1)
    }

    /// The greatest whole number that is not above it.
    ///
    /// # Panics
    /// If that has more than 64 bits.
    pub fn floor(self) -> i64 {
        i64::try_from(self.numerator.div_euclid(self.denominator)).expect("no figure has that many digits")
    }

    /// The number times itself, `exponent` times; 1 for 0 times.
    pub fn power(self, exponent: u32) -> Fraction {
        (0..exponent).fold(Fraction::from(1), |power, _| power * self)
    }

    /// The nearest floating-point number.
    pub fn value(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

fn greatest_common_divisor(x: i128, y: i128) -> i128 {
    let (mut x, mut y) = (x.abs(), y.abs());
    while y != 0 {
        (x, y) = (y, x % y);
    }
    x
}

impl From<i64> for Fraction {
    fn from(whole: i64) -> Fraction {
        Fraction { numerator: i128::from(whole), denominator: 1 }
    }
}

impl Add for Fraction {
    type Output = Fraction;

    fn add(self, other: Fraction) -> Fraction {
        let numerator = self.numerator * other.denominator + other.numerator * self.denominator;
        Fraction::of(numerator, self.denominator * other.denominator)
    }
}

impl Sub for Fraction {
    type Output = Fraction;

    fn sub(self, other: Fraction) -> Fraction {
        self + other * Fraction::from(-1)
    }
}

impl Mul for Fraction {
    type Output = Fraction;

    fn mul(self, other: Fraction) -> Fraction {
        Fraction::of(self.numerator * other.numerator, self.denominator * other.denominator)
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Fraction) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Fraction) -> Ordering {
        (self.numerator * other.denominator).cmp(&(other.numerator * self.denominator))
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.whole() {
            Some(whole) => f.pad(&whole.to_string()),
            None => f.pad(&format!("{}/{}", self.numerator, self.denominator)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_is_exact_and_in_lowest_terms() {
        let third = Fraction::new(-2, -6);
        assert_eq!((third.to_string(), third.whole()), ("1/3".to_owned(), None));
        assert_eq!(third + Fraction::new(2, 3), Fraction::from(1));
        assert_eq!(Fraction::new(3, 4) * Fraction::from(8), Fraction::from(6));
        assert_eq!(Fraction::new(0, -7), Fraction::from(0));
        assert_eq!(Fraction::new(1, 2) - Fraction::new(2, 3), Fraction::new(-1, 6));
        assert_eq!(
            [Fraction::new(7, 2), Fraction::new(-7, 2), Fraction::from(3)].map(Fraction::floor),
            [3, -4, 3]
        );
        assert_eq!(Fraction::new(2, 3).power(3), Fraction::new(8, 27));
        assert!(Fraction::new(-1, 2) < third && third < Fraction::new(1, 2));
        assert_eq!(Fraction::new(1152, 10).value(), 115.2);
    }
}
