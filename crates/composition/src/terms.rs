//! Terms: elements of a field as expressions of inputs. Two that are the same expression are the same element for all
//! inputs; two that are not may be.
//!
//! A term is a sum of products of atoms with coefficients, which are elements, too. Atoms are inputs, what a bit chooses of two terms,
//! and sums that became a factor, which is not multiplied out. So the same steps give the same term, whatever the order of
//! operands, and a power is the same by all chains.

use num_bigint::BigUint;
use rhomb_anf::{Bit, Form};
use rhomb_field::curve::Base;
use rhomb_field::specification::Algebra;
use std::collections::{BTreeMap, HashMap};

/// Atoms by their numbers, and the exponent of each; the lowest number first.
type Product = Vec<(usize, BigUint)>;

/// Products with coefficients, which are not zero.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Term(Vec<(Product, BigUint)>);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Atom {
    Input(usize),
    Sum(Term),
    /// The second where the form is one.
    Chosen(Form, Term, Term),
    /// What a bit of which nothing is known would choose: like nothing else.
    Open(usize),
}

/// Terms over a field, each atom with a number.
#[derive(Clone, Debug)]
pub(crate) struct Terms {
    base: Base,
    atoms: HashMap<Atom, usize>,
}

impl Terms {
    pub(crate) fn new(base: Base) -> Self {
        Terms { base, atoms: HashMap::new() }
    }

    /// The field.
    pub(crate) fn base(&self) -> &Base {
        &self.base
    }

    fn atom(&mut self, atom: Atom) -> usize {
        let next = self.atoms.len();
        *self.atoms.entry(atom).or_insert(next)
    }

    fn of_atom(&mut self, atom: Atom) -> Term {
        let one = BigUint::from(1u8);
        Term(vec![(vec![(self.atom(atom), one.clone())], one)])
    }

    /// An input by its number.
    pub(crate) fn input(&mut self, number: usize) -> Term {
        self.of_atom(Atom::Input(number))
    }

    /// A number.
    pub(crate) fn known(&self, number: &BigUint) -> Term {
        let number = self.base.field().element(number);
        Term(if number == BigUint::ZERO { Vec::new() } else { vec![(Product::new(), number)] })
    }

    /// The sum of a term and another one so many times.
    fn sum(&self, x: &Term, y: &Term, times: &BigUint) -> Term {
        let field = self.base.field();
        let mut all: BTreeMap<&Product, BigUint> =
            x.0.iter().map(|(product, factor)| (product, factor.clone())).collect();
        for (product, factor) in &y.0 {
            let own = all.entry(product).or_default();
            *own = field.add(own, &field.mul(factor, times));
        }
        let left = all.into_iter().filter(|(_, factor)| *factor != BigUint::ZERO);
        Term(left.map(|(product, factor)| (product.clone(), factor)).collect())
    }

    /// As a product with a coefficient: a sum becomes an atom, whose first coefficient is 1. `None` for zero.
    fn product(&mut self, x: &Term) -> Option<(Product, BigUint)> {
        match &x.0[..] {
            [] => None,
            [one] => Some(one.clone()),
            [first, ..] => {
                let factor = first.1.clone();
                let own = Atom::Sum(self.divided(x, &factor));
                let (product, _) = self.of_atom(own).0.pop()?;
                Some((product, factor))
            }
        }
    }

    /// A term times a number.
    fn times(&self, x: &Term, factor: &BigUint) -> Term {
        let field = self.base.field();
        let own = |(product, other): &(Product, BigUint)| (product.clone(), field.mul(other, factor));
        Term(x.0.iter().map(own).filter(|(_, factor)| *factor != BigUint::ZERO).collect())
    }

    /// A term divided by a number that is not 0.
    fn divided(&self, x: &Term, factor: &BigUint) -> Term {
        self.times(x, &self.base.field().inverse(factor).unwrap_or_default())
    }

    /// Whether a term is another one times a number that is not 0.
    pub(crate) fn are_multiples(&self, x: &Term, y: &Term) -> bool {
        match (x.0.first(), y.0.first()) {
            (Some(first), Some(second)) => self.divided(x, &first.1) == self.divided(y, &second.1),
            _ => false,
        }
    }

    /// Like no other.
    pub(crate) fn open(&mut self) -> Term {
        let next = self.atoms.len();
        self.of_atom(Atom::Open(next))
    }
}

impl Term {
    /// The number that it is, if it is one but 0.
    fn number(&self) -> Option<&BigUint> {
        match &self.0[..] {
            [(product, number)] if product.is_empty() => Some(number),
            _ => None,
        }
    }
}

impl Algebra for Terms {
    type Element = Term;
    type Bit = Bit;

    fn element(&mut self, number: &BigUint) -> Term {
        self.known(number)
    }

    fn inverse(&mut self, number: &BigUint) -> Term {
        self.known(&self.base.field().inverse(number).unwrap_or_default())
    }

    fn add(&mut self, x: &Term, y: &Term) -> Term {
        self.sum(x, y, &BigUint::from(1u8))
    }

    fn sub(&mut self, x: &Term, y: &Term) -> Term {
        let minus = self.base.field().sub(&BigUint::ZERO, &BigUint::from(1u8));
        self.sum(x, y, &minus)
    }

    fn mul(&mut self, x: &Term, y: &Term) -> Term {
        // a sum times a number stays a sum
        for (one, other) in [(x, y), (y, x)] {
            if let Some(number) = one.number() {
                return self.times(other, number);
            }
        }
        let (Some((x, own)), Some((y, others))) = (self.product(x), self.product(y)) else {
            return Term(Vec::new());
        };
        let mut product: BTreeMap<usize, BigUint> = x.into_iter().collect();
        for (atom, exponent) in y {
            *product.entry(atom).or_default() += exponent;
        }
        Term(vec![(product.into_iter().collect(), self.base.field().mul(&own, &others))])
    }

    fn power(&mut self, x: &Term, exponent: &BigUint) -> Term {
        let Some((product, factor)) = self.product(x) else { return Term(Vec::new()) };
        let product = product.into_iter().map(|(atom, own)| (atom, own * exponent)).collect();
        Term(vec![(product, self.base.field().power(&factor, exponent))])
    }

    fn chosen(&mut self, bit: &Bit, x: &Term, y: &Term) -> Term {
        match bit {
            Bit::Known(false) => x.clone(),
            Bit::Known(true) => y.clone(),
            _ if x == y => x.clone(),
            Bit::Form(form) => {
                // the first coefficient is 1, as that of a sum
                let first =
                    x.0.first().or(y.0.first()).map_or_else(|| BigUint::from(1u8), |own| own.1.clone());
                let [x, y] = [x, y].map(|term| self.divided(term, &first));
                let own = self.of_atom(Atom::Chosen(form.clone(), x, y));
                self.times(&own, &first)
            }
            Bit::Unknown(_) | Bit::Carry(_) => self.open(),
        }
    }

    fn bit(&mut self, value: bool) -> Bit {
        Bit::Known(value)
    }

    fn differ(&mut self, x: &Bit, y: &Bit) -> Bit {
        match (x, y) {
            (Bit::Known(false), own) | (own, Bit::Known(false)) => own.clone(),
            (Bit::Known(true), Bit::Known(true)) => Bit::Known(false),
            (Bit::Known(true), Bit::Form(own)) | (Bit::Form(own), Bit::Known(true)) => Bit::from(own.not()),
            (Bit::Form(x), Bit::Form(y)) => Bit::from(x.plus(y)),
            // like no other
            _ => Bit::Unknown(u64::MAX),
        }
    }

    fn both(&mut self, x: &Bit, y: &Bit) -> Bit {
        match (x, y) {
            (Bit::Known(false), _) | (_, Bit::Known(false)) => Bit::Known(false),
            (Bit::Known(true), own) | (own, Bit::Known(true)) => own.clone(),
            (Bit::Form(x), Bit::Form(y)) => {
                Form::products(&[(x, y)]).map_or(Bit::Unknown(u64::MAX), Bit::from)
            }
            // like no other
            _ => Bit::Unknown(u64::MAX),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rhomb_field::binary::BinaryField;
    use rhomb_field::prime::PrimeField;

    fn modulo_101() -> Terms {
        Terms::new(Base::Prime(PrimeField::new(BigUint::from(101u8)).unwrap()))
    }

    #[test]
    fn over_a_binary_field() {
        let mut terms = Terms::new(Base::Binary(BinaryField::t191()));
        let [x, y] = [0, 1].map(|number| terms.input(number));
        let [sum, difference] = [terms.add(&x, &y), terms.sub(&x, &y)];
        assert_eq!(sum, difference);
        let zero = terms.number(0);
        assert_eq!(terms.add(&x, &x), zero);
        // t^190 t is t^9 + 1
        let [high, t] = [terms.element(&(BigUint::from(1u8) << 190)), terms.number(2)];
        let product = terms.mul(&high, &t);
        assert_eq!(product, terms.number(1 << 9 | 1));
    }

    #[test]
    fn the_same_steps_in_another_order() {
        let mut terms = modulo_101();
        let [x, y] = [0, 1].map(|number| terms.input(number));
        assert_ne!(x, y);
        let [sum, mus] = [terms.add(&x, &y), terms.add(&y, &x)];
        assert_eq!(sum, mus);
        let difference = terms.sub(&sum, &y);
        assert_eq!(difference, x);
        let [xy, yx] = [terms.mul(&x, &y), terms.mul(&y, &x)];
        assert_eq!(xy, yx);
        // (x + y)^2 (x + y) is (x + y)^3, and not (x + y)^2
        let square = terms.mul(&sum, &mus);
        let cube = terms.mul(&square, &sum);
        assert_eq!(cube, terms.power(&sum, &BigUint::from(3u8)));
        assert_ne!(cube, square);
        let zero = terms.number(0);
        assert_eq!(terms.sub(&x, &x), zero);
        assert_eq!(terms.mul(&zero, &x), zero);
        let [one, hundred] = [1, 100].map(|number| terms.number(number));
        assert_eq!(terms.sub(&zero, &one), hundred);
        let minus = terms.mul(&hundred, &x);
        assert_eq!(terms.add(&x, &minus), zero);
    }

    #[test]
    fn bits_choose() {
        let mut domain = rhomb_anf::NormalForms::new(8, 1000);
        let word = domain.input();
        let bits = domain.bits_of(&word);
        let mut terms = modulo_101();
        let [x, y] = [0, 1].map(|number| terms.input(number));
        let own = terms.chosen(&bits[0], &x, &y);
        assert_eq!(own, terms.chosen(&bits[0], &x, &y));
        assert_ne!(own, terms.chosen(&bits[1], &x, &y));
        assert_ne!(own, terms.chosen(&bits[0], &y, &x));
        assert_eq!(terms.chosen(&bits[0], &x, &x), x);
        let differ = terms.differ(&bits[0], &bits[0]);
        assert_eq!(terms.chosen(&differ, &x, &y), x);
        // of an unknown bit nothing is the same
        let unknown = Bit::Unknown(1);
        assert_ne!(terms.chosen(&unknown, &x, &y), terms.chosen(&unknown, &x, &y));
    }
}
