use num_bigint::Sign;
use num_bigint::{BigInt, BigUint};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

/// An exact number `m * 2^e`. Weights in a long result are powers of two times something small, so a
/// machine integer nearly always holds `m`; where it does not, a big one does.
#[derive(Clone, Debug)]
pub struct Dyadic(Repr);

#[derive(Clone, Debug)]
enum Repr {
    /// Odd `m`, or 0 with exponent 0.
    Small(i64, i32),
    Big(Box<(BigInt, i32)>),
}

impl Dyadic {
    /// 0.
    pub const ZERO: Dyadic = Dyadic(Repr::Small(0, 0));

    /// `m * 2^e`.
    pub fn new(m: i64, e: i32) -> Self {
        if m == 0 {
            return Self::ZERO;
        }
        let zeros = m.trailing_zeros();
        Dyadic(Repr::Small(m >> zeros, e + zeros as i32))
    }

    /// `2^e`.
    pub fn power(e: i32) -> Self {
        Dyadic(Repr::Small(1, e))
    }

    /// A whole number.
    pub fn whole(number: BigUint) -> Self {
        Self::from_big(number.into(), 0)
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Repr::Small(0, _))
    }

    /// Whether it is below 0.
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Repr::Small(m, _) => *m < 0,
            Repr::Big(big) => big.0.sign() == Sign::Minus,
        }
    }

    /// The exponent: the number is an odd multiple of `2^exponent` (0 for 0).
    pub fn exponent(&self) -> i32 {
        match &self.0 {
            Repr::Small(_, e) => *e,
            Repr::Big(big) => big.1,
        }
    }

    fn from_wide(m: i128, e: i32) -> Self {
        if m == 0 {
            return Self::ZERO;
        }
        let zeros = m.trailing_zeros();
        let (odd, e) = (m >> zeros, e + zeros as i32);
        match i64::try_from(odd) {
            Ok(small) => Dyadic(Repr::Small(small, e)),
            Err(_) => Dyadic(Repr::Big(Box::new((BigInt::from(odd), e)))),
        }
    }

    fn from_big(m: BigInt, e: i32) -> Self {
        let Some(zeros) = m.trailing_zeros() else { return Self::ZERO };
        let (odd, e) = (m >> zeros, e + zeros as i32);
        match i64::try_from(&odd) {
            Ok(small) => Dyadic(Repr::Small(small, e)),
            Err(_) => Dyadic(Repr::Big(Box::new((odd, e)))),
        }
    }

    fn to_big(&self) -> (BigInt, i32) {
        match &self.0 {
            Repr::Small(m, e) => (BigInt::from(*m), *e),
            Repr::Big(big) => (**big).clone(),
        }
    }

    /// Sum.
    pub fn plus(&self, other: &Self) -> Self {
        if let (Repr::Small(m, e), Repr::Small(n, f)) = (&self.0, &other.0) {
            if *m == 0 {
                return other.clone();
            }
            if *n == 0 {
                return self.clone();
            }
            let (low, distance, high, own) = if e <= f { (*e, f - e, *n, *m) } else { (*f, e - f, *m, *n) };
            if distance < 62 {
                return Self::from_wide((i128::from(high) << distance) + i128::from(own), low);
            }
        }
        let ((m, e), (n, f)) = (self.to_big(), other.to_big());
        let low = e.min(f);
        Self::from_big((m << (e - low) as u32) + (n << (f - low) as u32), low)
    }

    /// Product.
    pub fn times(&self, other: &Self) -> Self {
        if let (Repr::Small(m, e), Repr::Small(n, f)) = (&self.0, &other.0) {
            return Self::from_wide(i128::from(*m) * i128::from(*n), e + f);
        }
        let ((m, e), (n, f)) = (self.to_big(), other.to_big());
        Self::from_big(m * n, e + f)
    }

    /// Product with an integer.
    pub fn scale(&self, by: i64) -> Self {
        if by == 1 {
            return self.clone();
        }
        self.times(&Dyadic::new(by, 0))
    }

    /// The number times `2^places`.
    pub fn shift(&self, places: i32) -> Self {
        if self.is_zero() {
            return Self::ZERO;
        }
        match &self.0 {
            Repr::Small(m, e) => Dyadic(Repr::Small(*m, e + places)),
            Repr::Big(big) => Dyadic(Repr::Big(Box::new((big.0.clone(), big.1 + places)))),
        }
    }

    /// Whether it is an odd number's multiple, divided by any power of two.
    pub fn is_multiple_of(&self, odd: &BigUint) -> bool {
        self.is_zero() || (self.to_big().0.magnitude() % odd).bits() == 0
    }

    /// Machine words that the number takes.
    pub fn words(&self) -> u64 {
        match &self.0 {
            Repr::Small(..) => 1,
            Repr::Big(big) => 1 + big.0.bits() / 64,
        }
    }

    /// The number with the other sign.
    pub fn negate(&self) -> Self {
        match &self.0 {
            Repr::Small(m, e) if *m != i64::MIN => Dyadic(Repr::Small(-m, *e)),
            _ => self.scale(-1),
        }
    }
}

/// A sum of many numbers whose exponents lie far apart: added up by exponent first, so that nothing
/// large is carried along.
#[derive(Clone, Debug, Default)]
pub struct Total {
    /// Sums of numbers with exponents from 32 times the key on.
    near: BTreeMap<i32, i128>,
    rest: Option<Dyadic>,
}

impl Total {
    /// Adds a number.
    pub fn add(&mut self, number: &Dyadic) {
        if let Repr::Small(m, e) = number.0 {
            let sum = self.near.entry(e.div_euclid(32)).or_insert(0);
            // below 2^95, so that this holds for any number of terms that fit in memory
            if let Some(longer) = sum.checked_add(i128::from(m) << e.rem_euclid(32)) {
                *sum = longer;
                return;
            }
        }
        let rest = self.rest.take().unwrap_or(Dyadic::ZERO);
        self.rest = Some(rest.plus(number));
    }

    /// Adds a number times others, none of them negative.
    pub fn add_product(&mut self, number: &Dyadic, others: impl Iterator<Item = i64> + Clone) {
        // two words of 32 bits, and a small factor: such products need no big number either
        if let Repr::Small(m, e) = number.0
            && let Some(product) = others.clone().try_fold(i128::from(m), |m, by| m.checked_mul(by.into()))
            && product.unsigned_abs() < 1 << 90
        {
            let sum = self.near.entry(e.div_euclid(32)).or_insert(0);
            if let Some(longer) = sum.checked_add(product << e.rem_euclid(32)) {
                *sum = longer;
                return;
            }
        }
        self.add(&others.fold(number.clone(), |product, by| product.scale(by)));
    }

    /// The sum.
    pub fn value(&self) -> Dyadic {
        let near: Vec<Dyadic> =
            self.near.iter().map(|(place, near)| Dyadic::from_wide(*near, 32 * place)).collect();
        let rest = self.rest.clone().unwrap_or(Dyadic::ZERO);
        rest.plus(&halves(&near))
    }
}

/// The sum of numbers with growing exponents: that of each half first, so that what is long is added a few times only.
fn halves(numbers: &[Dyadic]) -> Dyadic {
    match numbers {
        [] => Dyadic::ZERO,
        [one] => one.clone(),
        _ => {
            let (low, high) = numbers.split_at(numbers.len() / 2);
            halves(low).plus(&halves(high))
        }
    }
}

impl PartialEq for Dyadic {
    fn eq(&self, other: &Self) -> bool {
        // each number has one form
        match (&self.0, &other.0) {
            (Repr::Small(m, e), Repr::Small(n, f)) => (m, e) == (n, f),
            (Repr::Big(own), Repr::Big(other)) => own == other,
            _ => false,
        }
    }
}

impl Eq for Dyadic {}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Dyadic {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.is_negative() != other.is_negative() {
            return other.is_negative().cmp(&self.is_negative());
        }
        let difference = self.plus(&other.negate());
        match (difference.is_zero(), difference.is_negative()) {
            (true, _) => Ordering::Equal,
            (_, true) => Ordering::Less,
            (_, false) => Ordering::Greater,
        }
    }
}

impl fmt::Display for Dyadic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (m, e) = self.to_big();
        match e {
            0 => write!(f, "{m}"),
            _ if m == BigInt::from(1) => write!(f, "2^{e}"),
            _ => write!(f, "{m}*2^{e}"),
        }
    }
}

/// As text: `m`, or `m*2^e`.
impl Serialize for Dyadic {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (m, e) = self.to_big();
        serializer.serialize_str(&if e == 0 { m.to_string() } else { format!("{m}*2^{e}") })
    }
}

impl<'de> Deserialize<'de> for Dyadic {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let (m, e) = text.split_once("*2^").unwrap_or((&text, "0"));
        // no weight of a result comes near these bounds, and no file may make us allocate for ever
        let bounded = |e: i32| e.unsigned_abs() <= 1 << 20;
        let exponent = e.parse::<i32>().ok().filter(|e| bounded(*e));
        let m = (m.len() <= 1 << 16).then(|| m.parse::<BigInt>().ok()).flatten();
        let number = m.zip(exponent).map(|(m, e)| Dyadic::from_big(m, e));
        // an even m moves the exponent up
        let number = number.filter(|number| bounded(number.exponent()));
        number.ok_or_else(|| serde::de::Error::custom("no number of the form m*2^e"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_big_integers() {
        let mut state = 7u64;
        let mut random = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            state
        };
        for _ in 0..2000 {
            let mut numbers = Vec::new();
            for _ in 0..3 {
                let m = (random() as i64) >> (random() % 64);
                let e = (random() % 200) as i32;
                numbers.push((Dyadic::new(m, e), BigInt::from(m) << e as u32));
            }
            let sum = numbers.iter().fold(Dyadic::ZERO, |sum, (x, _)| sum.plus(x));
            let exact: BigInt = numbers.iter().map(|(_, x)| x).sum();
            assert_eq!(sum, Dyadic::from_big(exact.clone(), 0));
            assert_eq!(sum.is_negative(), exact.sign() == Sign::Minus);
            let product = numbers.iter().fold(Dyadic::new(1, 0), |product, (x, _)| product.times(x));
            assert_eq!(product, Dyadic::from_big(numbers.iter().map(|(_, x)| x).product(), 0));
            assert_eq!(numbers[0].0.cmp(&numbers[1].0), numbers[0].1.cmp(&numbers[1].1));
            assert!(sum.plus(&sum.negate()).is_zero());
            let mut total = Total::default();
            numbers.iter().for_each(|(number, _)| total.add(number));
            total.add(&product);
            assert_eq!(total.value(), sum.plus(&product));
            let mut products = Total::default();
            let words = [random() as i64 >> 1 & i64::MAX >> (random() % 60), i64::from(u32::MAX)];
            products.add_product(&numbers[0].0, words.into_iter());
            products.add_product(&numbers[1].0, [].into_iter());
            let right = numbers[0].0.scale(words[0]).scale(words[1]).plus(&numbers[1].0);
            assert_eq!(products.value(), right);
            assert_eq!(product == sum, product.cmp(&sum) == Ordering::Equal);
        }
    }

    /// Numbers that lie far apart, some of them long.
    #[test]
    fn totals_of_far_numbers() {
        let (mut total, mut sum) = (Total::default(), Dyadic::ZERO);
        for at in 0..200i32 {
            let number = Dyadic::new(i64::from(7 * at - 600), (at * 7919) % 40_000 - 20_000);
            let number = if at % 5 == 0 { number.times(&Dyadic::new(i64::MAX, 3)) } else { number };
            total.add(&number);
            sum = sum.plus(&number);
            assert_eq!(total.value(), sum);
        }
        assert!(sum.words() > 500);
    }

    #[test]
    fn fractions() {
        let half = Dyadic::power(-1);
        assert_eq!(half.plus(&half), Dyadic::new(1, 0));
        assert!(half < Dyadic::new(1, 0) && Dyadic::new(-1, 0) < half);
        assert_eq!(Dyadic::new(12, 0).exponent(), 2);
        assert_eq!(Dyadic::new(-5, 3).to_string(), "-5*2^3");
    }
}
