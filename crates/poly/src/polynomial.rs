use serde::{Deserialize, Deserializer, Serialize, Serializer};
use smallvec::SmallVec;
use std::cmp::Ordering;

/// A variable: an index, and whether it is a bit, so that `b*b = b`. Ordered by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Variable(u32);

impl Variable {
    /// The largest index.
    pub const MOST: u32 = u32::MAX >> 1;

    /// The variable of an index, at most [`Variable::MOST`].
    pub fn new(index: u32, bit: bool) -> Self {
        Variable(index << 1 | u32::from(bit))
    }

    /// Its index.
    pub fn index(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether it is 0 or 1.
    pub fn is_bit(self) -> bool {
        self.0 & 1 == 1
    }
}

/// A product of variables, sorted; the empty product is 1. A bit occurs once at most.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Monomial(SmallVec<[Variable; 4]>);

impl Monomial {
    /// 1.
    pub fn one() -> Self {
        Monomial::default()
    }

    /// One variable.
    pub fn variable(variable: Variable) -> Self {
        Monomial(SmallVec::from_slice(&[variable]))
    }

    /// Its variables, ascending.
    pub fn variables(&self) -> &[Variable] {
        &self.0
    }

    /// Product.
    pub fn times(&self, other: &Self) -> Self {
        if let ([x], [y]) = (&self.0[..], &other.0[..]) {
            return match x.cmp(y) {
                Ordering::Less => Monomial(SmallVec::from_slice(&[*x, *y])),
                Ordering::Equal if x.is_bit() => self.clone(),
                Ordering::Equal | Ordering::Greater => Monomial(SmallVec::from_slice(&[*y, *x])),
            };
        }
        let mut all: SmallVec<[Variable; 4]> = SmallVec::with_capacity(self.0.len() + other.0.len());
        all.extend_from_slice(&self.0);
        all.extend_from_slice(&other.0);
        all.sort_unstable();
        all.dedup_by(|x, y| x == y && x.is_bit());
        Monomial(all)
    }

    /// The monomial without one occurrence of a variable.
    pub fn without(&self, variable: Variable) -> Self {
        let mut rest = self.0.clone();
        if let Some(at) = rest.iter().position(|own| *own == variable) {
            rest.remove(at);
        }
        Monomial(rest)
    }
}

/// As text: `b` and the index of a bit, `w` and that of a word, separated by blanks.
impl Serialize for Monomial {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let names =
            self.0.iter().map(|own| format!("{}{}", if own.is_bit() { 'b' } else { 'w' }, own.index()));
        serializer.serialize_str(&names.collect::<Vec<_>>().join(" "))
    }
}

impl<'de> Deserialize<'de> for Monomial {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let mut monomial = Monomial::one();
        for name in text.split_ascii_whitespace() {
            let bit = name.starts_with('b');
            let index = name.strip_prefix(['b', 'w']).and_then(|index| index.parse().ok());
            let index = index.filter(|index| *index <= Variable::MOST);
            let index = index.ok_or_else(|| serde::de::Error::custom(format!("'{name}' is no variable")))?;
            monomial = monomial.times(&Monomial::variable(Variable::new(index, bit)));
        }
        Ok(monomial)
    }
}

/// A polynomial with integer coefficients: sorted monomials, no zero coefficient. Operations give
/// `None` where a coefficient would overflow.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Polynomial(Vec<(Monomial, i64)>);

impl Polynomial {
    /// 0.
    pub fn zero() -> Self {
        Polynomial::default()
    }

    /// A constant.
    pub fn constant(value: i64) -> Self {
        Polynomial(if value == 0 { Vec::new() } else { vec![(Monomial::one(), value)] })
    }

    /// A variable.
    pub fn variable(variable: Variable) -> Self {
        Polynomial(vec![(Monomial::variable(variable), 1)])
    }

    /// From terms in any order.
    pub fn from_terms(mut terms: Vec<(Monomial, i64)>) -> Option<Self> {
        terms.sort_unstable_by(|x, y| x.0.cmp(&y.0));
        let mut sum: Vec<(Monomial, i64)> = Vec::with_capacity(terms.len());
        for (monomial, value) in terms {
            match sum.last_mut() {
                Some(last) if last.0 == monomial => last.1 = last.1.checked_add(value)?,
                _ => sum.push((monomial, value)),
            }
        }
        sum.retain(|term| term.1 != 0);
        Some(Polynomial(sum))
    }

    /// Its terms, sorted by monomial.
    pub fn terms(&self) -> &[(Monomial, i64)] {
        &self.0
    }

    /// The value, if it is a constant.
    pub fn as_constant(&self) -> Option<i64> {
        match self.0.as_slice() {
            [] => Some(0),
            [(monomial, value)] if monomial.variables().is_empty() => Some(*value),
            _ => None,
        }
    }

    /// The variable, if it is one with coefficient 1.
    pub fn as_variable(&self) -> Option<Variable> {
        match self.0.as_slice() {
            [(monomial, 1)] => match monomial.variables() {
                [variable] => Some(*variable),
                _ => None,
            },
            _ => None,
        }
    }

    /// `self + factor * other`.
    pub fn plus_multiple(&self, other: &Self, factor: i64) -> Option<Self> {
        let mut sum = Vec::with_capacity(self.0.len() + other.0.len());
        let (mut own, mut their) = (self.0.iter().peekable(), other.0.iter().peekable());
        loop {
            match (own.peek(), their.peek()) {
                (None, None) => break,
                (Some(x), Some(y)) if x.0 == y.0 => {
                    let value = x.1.checked_add(y.1.checked_mul(factor)?)?;
                    if value != 0 {
                        sum.push((x.0.clone(), value));
                    }
                    own.next();
                    their.next();
                }
                (Some(x), y) if y.is_none_or(|y| x.0 < y.0) => {
                    sum.push((*x).clone());
                    own.next();
                }
                (_, Some(y)) => {
                    if factor != 0 {
                        sum.push((y.0.clone(), y.1.checked_mul(factor)?));
                    }
                    their.next();
                }
                (Some(_), None) => break, // covered by the arm before: no y leaves only own terms
            }
        }
        Some(Polynomial(sum))
    }

    /// Product.
    pub fn times(&self, other: &Self) -> Option<Self> {
        let mut terms = Vec::with_capacity(self.0.len() * other.0.len());
        for (x, m) in &self.0 {
            for (y, n) in &other.0 {
                terms.push((x.times(y), m.checked_mul(*n)?));
            }
        }
        Self::from_terms(terms)
    }

    /// The polynomial with another one in place of a bit; `None` where a factor is too large.
    pub fn with(&self, bit: Variable, other: &Self) -> Option<Self> {
        self.0.iter().try_fold(Self::zero(), |all, (monomial, factor)| {
            let rest = Polynomial(vec![(monomial.without(bit), *factor)]);
            let own = if monomial.variables().contains(&bit) { rest.times(other)? } else { rest };
            all.plus_multiple(&own, 1)
        })
    }

    /// All variables, ascending, each once.
    pub fn variables(&self) -> Vec<Variable> {
        let mut all: Vec<Variable> =
            self.0.iter().flat_map(|(monomial, _)| monomial.variables().iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The value where each variable has a value.
    pub fn evaluate(&self, value: impl Fn(Variable) -> i64) -> Option<i128> {
        self.0
            .iter()
            .try_fold(0i128, |sum, (monomial, factor)| sum.checked_add(product(*factor, monomial, &value)?))
    }

    /// Least and largest value where each variable lies in `0..=most(variable)`, term by term.
    pub fn range(&self, most: impl Fn(Variable) -> i64) -> Option<(i128, i128)> {
        let (mut low, mut high) = (0i128, 0i128);
        for (monomial, factor) in &self.0 {
            let extreme = product(*factor, monomial, &most)?;
            match (monomial.variables().is_empty(), extreme < 0) {
                (true, _) => {
                    low = low.checked_add(extreme)?;
                    high = high.checked_add(extreme)?;
                }
                (false, true) => low = low.checked_add(extreme)?,
                (false, false) => high = high.checked_add(extreme)?,
            }
        }
        Some((low, high))
    }
}

/// `factor` times the values of a monomial's variables.
fn product(factor: i64, monomial: &Monomial, value: impl Fn(Variable) -> i64) -> Option<i128> {
    let times = |product: i128, variable: &Variable| product.checked_mul(value(*variable).into());
    match monomial.variables() {
        [] => Some(factor.into()),
        // two machine integers fit
        [one] => Some(i128::from(factor) * i128::from(value(*one))),
        all => all.iter().try_fold(factor.into(), times),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn x() -> Polynomial {
        Polynomial::variable(Variable::new(1, false))
    }

    fn b() -> Polynomial {
        Polynomial::variable(Variable::new(2, true))
    }

    #[test]
    fn bits_are_idempotent_and_words_are_not() {
        assert_eq!(b().times(&b()), Some(b()));
        let square = x().times(&x()).unwrap();
        assert_eq!(square.terms()[0].0.variables().len(), 2);
        let product = square.times(&b()).unwrap().times(&b()).unwrap();
        assert_eq!(product.terms()[0].0.variables().len(), 3);
    }

    #[test]
    fn sums_cancel() {
        let sum = x().plus_multiple(&b(), 3).unwrap();
        assert_eq!(sum.plus_multiple(&b(), -3), Some(x()));
        assert_eq!(x().plus_multiple(&x(), -1), Some(Polynomial::zero()));
        assert_eq!(x().plus_multiple(&b(), 0), Some(x()));
        assert_eq!(sum.range(|v| if v.is_bit() { 1 } else { 255 }), Some((0, 258)));
        let difference = Polynomial::constant(5).plus_multiple(&sum, -1).unwrap();
        assert_eq!(difference.range(|v| if v.is_bit() { 1 } else { 255 }), Some((-253, 5)));
        assert_eq!(sum.evaluate(|v| if v.is_bit() { 1 } else { 7 }), Some(10));
    }

    #[test]
    fn overflow_is_reported() {
        let huge = Polynomial::constant(i64::MAX);
        assert_eq!(huge.plus_multiple(&huge, 1), None);
        assert_eq!(huge.times(&x()).unwrap().times(&Polynomial::constant(2)), None);
        // the values of what has fitting coefficients need not fit
        let word = i64::from(u32::MAX);
        let square = x().times(&x()).unwrap();
        assert_eq!(square.range(|_| word), Some((0, i128::from(word) * i128::from(word))));
        let fourth = square.times(&square).unwrap();
        assert_eq!(fourth.range(|_| word), None);
        assert_eq!(fourth.evaluate(|_| word), None);
        assert_eq!(fourth.evaluate(|_| -3), Some(81));
    }
}
