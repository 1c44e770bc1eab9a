//! Products of powers of two and of several bases, whose exponents are polynomials in bits.

use num_bigint::BigInt;
use rhomb_anf::{Bit, Form};
use std::collections::BTreeMap;
use std::rc::Rc;

/// `2^two` times each base to its exponent. Bases have numbers.
#[derive(Clone, Debug)]
pub(crate) struct Power {
    two: i64,
    exponents: BTreeMap<usize, Exponent>,
}

/// `2^scale` times a sum of products of bits, which a square shares with what it is the square of.
#[derive(Clone, Debug)]
pub(crate) struct Exponent {
    scale: usize,
    terms: Rc<Terms>,
}

/// By the bits of a product, ascending, each once, its factor, which is not zero.
type Terms = BTreeMap<Vec<Form>, BigInt>;

/// Most products of bits: more than bits of any exponent and entries of any table.
const MOST_TERMS: usize = 1 << 14;

/// The most that a number in an exponent is moved: more than any exponent has bits.
const MOST_SCALE: usize = 1 << 13;

fn add(terms: &mut Terms, product: Vec<Form>, factor: BigInt) {
    let sum = terms.entry(product.clone()).or_default();
    *sum += factor;
    if *sum == BigInt::ZERO {
        terms.remove(&product);
    }
}

/// Whether a sum is no larger than it must be, so that nothing takes long.
fn is_small(terms: &Terms) -> bool {
    terms.len() <= MOST_TERMS && terms.values().all(|factor| factor.bits() <= 2 * MOST_SCALE as u64)
}

impl Power {
    /// 2^two.
    pub(crate) fn of_two(two: i64) -> Self {
        Power { two, exponents: BTreeMap::new() }
    }

    /// A base.
    pub(crate) fn of_base(base: usize) -> Self {
        Power { two: 0, exponents: [(base, Exponent::one())].into() }
    }

    /// A base to an exponent.
    pub(crate) fn of(base: usize, exponent: Exponent) -> Self {
        Power { two: 0, exponents: [(base, exponent)].into() }
    }

    /// Times 2^by.
    pub(crate) fn moved(&self, by: i64) -> Option<Self> {
        Some(Power { two: self.two.checked_add(by)?, ..self.clone() })
    }

    /// By base what `join` makes of both exponents.
    fn joined(
        &self,
        other: &Power,
        two: i64,
        join: impl Fn(&Exponent, &Exponent) -> Option<Exponent>,
    ) -> Option<Self> {
        let none = Exponent::zero();
        let of = |own: &Power, base| own.exponents.get(base).unwrap_or(&none).clone();
        let bases = self.exponents.keys().chain(other.exponents.keys());
        let exponents = bases.map(|base| Some((*base, join(&of(self, base), &of(other, base))?)));
        Some(Power { two, exponents: exponents.collect::<Option<_>>()? })
    }

    /// The product of both; `None` where that is too large, as in all others.
    pub(crate) fn times(&self, other: &Power) -> Option<Self> {
        self.joined(other, self.two.checked_add(other.two)?, Exponent::plus)
    }

    /// The square.
    pub(crate) fn squared(&self) -> Option<Self> {
        let exponents = self.exponents.iter().map(|(base, own)| Some((*base, own.doubled()?)));
        Some(Power { two: self.two.checked_mul(2)?, exponents: exponents.collect::<Option<_>>()? })
    }

    /// What it takes, in words of a large number.
    pub(crate) fn size(&self) -> u64 {
        let of = |(product, factor): (&Vec<Form>, &BigInt)| product.len() as u64 + factor.bits() / 64 + 8;
        self.exponents.values().flat_map(|own| own.terms.iter()).map(of).sum()
    }

    /// The other one where the bit is set; `None` where they have other powers of two.
    pub(crate) fn or(&self, other: &Power, bit: &Form) -> Option<Self> {
        let joined = self.joined(other, self.two, |own, other| own.or(other, bit))?;
        (self.two == other.two).then_some(joined)
    }

    /// Whether both are the same.
    pub(crate) fn is(&self, other: &Power) -> bool {
        let written = |own: &Power| {
            let all = own.exponents.iter().map(|(base, own)| (*base, own.written()));
            all.filter(|(_, terms)| !terms.is_empty()).collect::<Vec<_>>()
        };
        self.two == other.two && written(self) == written(other)
    }
}

impl Exponent {
    fn zero() -> Self {
        Exponent { scale: 0, terms: Rc::default() }
    }

    fn one() -> Self {
        Exponent { scale: 0, terms: Rc::new([(Vec::new(), BigInt::from(1))].into()) }
    }

    fn doubled(&self) -> Option<Self> {
        let scale = self.scale + 1;
        (scale <= MOST_SCALE).then(|| Exponent { scale, ..self.clone() })
    }

    /// The number with these bits, the lowest first, if something is known of all of them.
    pub(crate) fn number(bits: &[Bit]) -> Option<Self> {
        let mut terms = Terms::new();
        for (place, bit) in bits.iter().enumerate() {
            let factor = BigInt::from(1) << place;
            match bit {
                Bit::Known(true) => add(&mut terms, Vec::new(), factor),
                Bit::Form(form) => add(&mut terms, vec![form.clone()], factor),
                Bit::Known(false) => {}
                Bit::Unknown(_) | Bit::Carry(_) => return None,
            }
        }
        Some(Exponent { scale: 0, terms: Rc::new(terms) })
    }

    /// The terms, each with its whole factor.
    fn written(&self) -> Terms {
        self.above(0)
    }

    /// The terms of what is this times 2^scale, which is no more than the own scale.
    fn above(&self, scale: usize) -> Terms {
        let moved = self.scale - scale;
        self.terms.iter().map(|(product, factor)| (product.clone(), factor << moved)).collect()
    }

    fn plus(&self, other: &Exponent) -> Option<Self> {
        let scale = self.scale.min(other.scale);
        let (mut terms, others) = (self.above(scale), other.above(scale));
        others.into_iter().for_each(|(product, factor)| add(&mut terms, product, factor));
        is_small(&terms).then(|| Exponent { scale, terms: Rc::new(terms) })
    }

    /// The other one where the bit is set: x + bit (y - x).
    fn or(&self, other: &Exponent, bit: &Form) -> Option<Self> {
        let scale = self.scale.min(other.scale);
        let (x, y) = (self.above(scale), other.above(scale));
        let mut terms = x.clone();
        let negative = x.into_iter().map(|(product, factor)| (product, -factor));
        for (mut product, factor) in y.into_iter().chain(negative) {
            // the square of a bit is that bit
            if let Err(at) = product.binary_search(bit) {
                product.insert(at, bit.clone());
            }
            add(&mut terms, product, factor);
        }
        is_small(&terms).then(|| Exponent { scale, terms: Rc::new(terms) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rhomb_anf::NormalForms;
    use rhomb_machine::Domain;

    fn bits(count: usize) -> Vec<Bit> {
        let mut domain = NormalForms::new(8, 1 << 20);
        let word = domain.input();
        domain.bits_of(&word).into_iter().take(count).collect()
    }

    fn form(bit: &Bit) -> &Form {
        let Bit::Form(form) = bit else { panic!("an input bit is a form") };
        form
    }

    fn power(bits: &[Bit]) -> Power {
        Power::of(3, Exponent::number(bits).unwrap())
    }

    #[test]
    fn numbers_of_unknown_bits_are_none() {
        let mut domain = NormalForms::new(8, 1 << 20);
        let word = domain.arbitrary();
        assert!(Exponent::number(&domain.bits_of(&word)).is_none());
    }

    /// A window of two bits picks one of four powers, and squares follow.
    #[test]
    fn a_window_adds_its_digit() {
        let bits = bits(4);
        let base = Power::of_base(3);
        let mut powers = vec![Power::of_two(0), base.clone()];
        let square = base.squared().unwrap();
        powers.extend([square.clone(), square.times(&base).unwrap()]);
        let picked = |low: &Bit, high: &Bit| {
            let [none, one] = [0, 2].map(|at| powers[at].or(&powers[at + 1], form(low)).unwrap());
            none.or(&one, form(high)).unwrap()
        };
        let high = picked(&bits[2], &bits[3]);
        let all = high.squared().unwrap().squared().unwrap();
        let all = all.times(&picked(&bits[0], &bits[1])).unwrap();
        assert!(all.is(&power(&bits)));
        assert!(!all.is(&power(&bits).moved(1).unwrap()));
        assert!(!all.squared().unwrap().is(&power(&bits)));
        assert!(!high.times(&picked(&bits[0], &bits[1])).unwrap().is(&power(&bits)));
        // windows in the wrong order
        assert!(!picked(&bits[3], &bits[2]).is(&power(&bits[2..])));
    }

    #[test]
    fn powers_of_two_are_counted() {
        let [x, y] = [3, 5].map(Power::of_two);
        assert!(x.times(&y).unwrap().moved(-8).unwrap().is(&Power::of_two(0)));
        // what is too large is nothing, and does not come back
        let mut power = Power::of_two(1);
        let squares = std::iter::from_fn(|| {
            power = power.squared()?;
            Some(())
        });
        assert_eq!(squares.count(), 62);
        assert!(Power::of_two(i64::MAX).moved(1).is_none());
        assert!(x.or(&y, form(&bits(1)[0])).is_none());
        assert!(x.or(&x, form(&bits(1)[0])).unwrap().is(&Power::of_two(3)));
    }

    #[test]
    fn bases_are_told_apart() {
        let [x, y] = [1, 2].map(Power::of_base);
        let bit = &bits(1)[0];
        assert!(!x.is(&y));
        assert!(x.times(&y).unwrap().is(&y.times(&x).unwrap()));
        assert!(!x.times(&y).unwrap().is(&x.squared().unwrap()));
        // a base to the power 0 is none
        let none = Power::of(1, Exponent::number(&[Bit::Known(false)]).unwrap());
        assert!(none.times(&y).unwrap().is(&y));
        let picked = x.or(&y, form(bit)).unwrap();
        assert!(!picked.is(&x) && !picked.is(&y));
        assert!(x.or(&x, form(bit)).unwrap().is(&x));
    }
}
