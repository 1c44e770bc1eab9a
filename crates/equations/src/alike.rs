//! Words that both sides of a branch have made alike: where a word is 0 or 1, as the row of a product by it that is left out or only added.
//!
//! In a case bits have values, and some words are numbers. What was made on the sides is written out there: a word is `sum - radix * carries` with a
//! sum in which no low part of an earlier one is left. Two words with one sum are the same, and the same is above both.

use crate::equations::Equations;
use crate::graph::Equation;
use crate::tabulate::{bits_of, evaluate};
use crate::value::Value;
use rhomb_poly::{Monomial, Polynomial, Variable};
use std::collections::{BTreeMap, HashMap};

/// Most bits that a condition is a function of.
const MOST_BITS_OF_CONDITION: usize = 3;

/// Most values of a word of which each is a case.
const MOST_VALUES: i64 = 2;

/// Most terms of a sum that is looked into.
const MOST_TERMS: usize = 64;

/// How often numbers are looked for that follow from others.
const MOST_ROUNDS: usize = 3;

/// What is told in one case.
#[derive(Debug)]
struct Case {
    /// What variables are.
    told: HashMap<Variable, Polynomial>,
    /// The sum of which a word is the low part, and what is above it.
    sums: HashMap<Variable, (Polynomial, Polynomial)>,
    /// The low part of a sum, and what is above it.
    made: HashMap<Polynomial, (Variable, Polynomial)>,
    /// How many equations were read.
    read: usize,
}

/// The cases in which a condition holds, and in which it does not; nothing where no word is a number in each of them.
#[derive(Debug, Default)]
pub(crate) struct Cases([Option<Vec<Case>>; 2]);

impl Cases {
    /// Those of a condition by which words are chosen.
    pub(crate) fn of(domain: &mut Equations, condition: &Polynomial, words: &[(Value, Value)]) -> Cases {
        let condition = domain.written_in_older(condition);
        let bits = bits_of(&[&condition]).filter(|bits| (1..=MOST_BITS_OF_CONDITION).contains(&bits.len()));
        let Some(bits) = bits.filter(|_| domain.compiled) else { return Cases::default() };
        // a condition may be computed when it is asked for, behind all that the sides have made
        let changed = words.iter().filter(|(x, y)| x != y).filter_map(|(x, y)| {
            let youngest = [x, y].map(|own| domain.polynomial(own)?.variables().last().copied());
            youngest.into_iter().flatten().max()
        });
        let Some(since) = bits.iter().copied().chain(changed).min() else { return Cases::default() };
        let value = |all| Some((all, evaluate(&condition, &bits, all)?));
        let all: Option<Vec<(usize, i64)>> = domain.possible(&bits).into_iter().map(value).collect();
        let Some(all) = all else { return Cases::default() };
        let mut cases = |wanted: i64| {
            let known = |(all, _): &(usize, i64)| {
                let value = |(at, bit): (usize, &Variable)| (*bit, (all >> at & 1) as i64);
                domain.with_few_values(bits.iter().enumerate().map(value).collect())
            };
            let all = all.iter().filter(|(_, value)| *value == wanted);
            let all: Vec<_> = all.flat_map(known).collect();
            all.into_iter().map(|known| Case::of(domain, known, since.index())).collect()
        };
        Cases([cases(0), cases(1)])
    }
}

impl Case {
    /// `None` where no word is a number.
    fn of(domain: &mut Equations, mut known: BTreeMap<Variable, i64>, since: usize) -> Option<Case> {
        for _ in 0..MOST_ROUNDS {
            let told: Vec<(Variable, i64)> =
                known.iter().filter_map(|(own, value)| domain.number_told(*own, *value, &known)).collect();
            known.extend(told);
        }
        if !known.keys().any(|own| !own.is_bit()) {
            return None;
        }
        let read = domain.graph.equations().partition_point(|equation| equation.low.index() < since);
        let told = known.into_iter().map(|(own, value)| (own, Polynomial::constant(value))).collect();
        domain.graph.spend(read as u64);
        let mut case = Case { told, sums: HashMap::new(), made: HashMap::new(), read };
        // what was made of these words before, such as the same product
        for equation in &domain.graph.equations()[..read] {
            let is_told = |(product, _): &(Monomial, i64)| {
                product.variables().iter().any(|own| case.told.contains_key(own))
            };
            if equation.right.terms().iter().any(is_told) {
                case.add(domain, equation, false);
            }
        }
        Some(case)
    }

    /// A polynomial in this case.
    fn told(&self, polynomial: &Polynomial) -> Option<Polynomial> {
        polynomial.terms().iter().try_fold(Polynomial::zero(), |sum, (product, factor)| {
            let few = |own: &Polynomial| own.terms().len() <= MOST_TERMS;
            let term = product.variables().iter().try_fold(Polynomial::constant(*factor), |term, own| {
                let term = match self.told.get(own) {
                    Some(told) => term.times(told),
                    None => term.times(&Polynomial::variable(*own)),
                };
                term.filter(few)
            });
            sum.plus_multiple(&term?, 1).filter(few)
        })
    }

    /// Reads what was made since.
    fn read(&mut self, domain: &mut Equations) {
        while let Some(equation) = domain.graph.equations().get(self.read).cloned() {
            self.read += 1;
            domain.graph.spend(equation.right.terms().len() as u64);
            self.add(domain, &equation, true);
        }
    }

    /// Tells what an equation says; with `is_new`, also what sums are.
    fn add(&mut self, domain: &Equations, equation: &Equation, is_new: bool) -> Option<()> {
        let Equation { low, high, right } = equation;
        let own = domain.with_whole_words(self.told(right)?)?;
        let Some((high, factor)) = *high else {
            self.tell(*low, own);
            return Some(());
        };
        if factor.abs() != domain.radix() {
            // low + factor * high = own
            let (least, most) = domain.graph.range(&own)?;
            let places = least.div_euclid(factor.into());
            if places == most.div_euclid(factor.into()) {
                let places = Polynomial::constant(i64::try_from(places).ok()?);
                self.tell(*low, own.plus_multiple(&places, -factor)?);
                self.tell(high, places);
            }
            return Some(());
        }
        // own is sum - radix * above
        let (mut sum, mut above) = (own.clone(), Polynomial::zero());
        for (product, times) in own.terms() {
            let [word] = product.variables() else { continue };
            if let Some((written, left)) = self.sums.get(word) {
                sum = sum
                    .plus_multiple(&Polynomial::variable(*word), -times)?
                    .plus_multiple(written, *times)?;
                above = above.plus_multiple(left, *times)?;
            }
        }
        if sum.terms().len() > MOST_TERMS {
            return None;
        }
        // low is sum - radix * (above + sign * high)
        let sign = factor.signum();
        let rest =
            |whole: &Polynomial| Polynomial::zero().plus_multiple(whole, sign)?.plus_multiple(&above, -sign);
        let (least, most) = domain.graph.range(&sum)?;
        let places = least.div_euclid(domain.radix().into());
        if places == most.div_euclid(domain.radix().into()) {
            let places = Polynomial::constant(i64::try_from(places).ok()?);
            self.tell(high, rest(&places)?);
            self.tell(*low, sum.plus_multiple(&places, -domain.radix())?);
        } else if let Some((known, whole)) = self.made.get(&sum).cloned() {
            self.tell(high, rest(&whole)?);
            self.tell(*low, Polynomial::variable(known));
        } else if is_new {
            let whole = above.plus_multiple(&Polynomial::variable(high), sign)?;
            self.made.insert(sum.clone(), (*low, whole.clone()));
            self.sums.insert(*low, (sum, whole));
        }
        Some(())
    }

    fn tell(&mut self, own: Variable, told: Polynomial) {
        self.told.entry(own).or_insert(told);
    }
}

impl Equations {
    /// The number that a word is where a bit has a value, and other variables have theirs.
    pub(crate) fn number_told(
        &self,
        own: Variable,
        value: i64,
        known: &BTreeMap<Variable, i64>,
    ) -> Option<(Variable, i64)> {
        if own.is_bit()
            && value == 0
            && let Some(word) = self.word_not_zero(own)
        {
            return Some((word, 0));
        }
        // own + factor * high + radix * (sums of bits) is sign * word + constant
        let Equation { high, right, .. } =
            self.graph.defining_low(own.index()).filter(|equation| equation.low == own)?;
        let (mut word, mut constant, mut bits) = (None, 0, Vec::from_iter(*high));
        for (product, times) in right.terms() {
            match product.variables() {
                [] => constant = *times,
                [bit] if bit.is_bit() && times % self.radix() == 0 => bits.push((*bit, -times)),
                [own] if word.is_none() && times.abs() == 1 => word = Some((*own, *times)),
                _ => return None,
            }
        }
        let (word, sign) = word.filter(|_| bits.len() <= MOST_BITS_OF_CONDITION)?;
        let mut numbers = vec![value.checked_sub(constant)?];
        for (bit, factor) in bits {
            let values = match known.get(&bit) {
                Some(value) => *value..=*value,
                None if bit.is_bit() => 0..=1,
                None => return None,
            };
            let moved = values.map(|value| factor.checked_mul(value)).collect::<Option<Vec<i64>>>()?;
            let with = |number: i64| moved.iter().map(move |by| number.checked_add(*by));
            numbers = numbers.into_iter().flat_map(with).collect::<Option<_>>()?;
        }
        let fits = |number: &i64| (0..=self.graph.most(word)).contains(number);
        let mut numbers = numbers.into_iter().map(|number| sign * number).filter(fits);
        let number = numbers.next()?;
        numbers.next().is_none().then_some((word, number))
    }

    /// A sum with words in place of both parts that they were cut to.
    fn with_whole_words(&self, sum: Polynomial) -> Option<Polynomial> {
        let whole = |sum: &Polynomial, (product, times): &(Monomial, i64)| {
            let [part] = product.variables() else { return None };
            let Equation { low, high: Some((_, factor)), right } = self.graph.defining_high(part.index())?
            else {
                return None;
            };
            let word = right.as_variable().filter(|_| factor.abs() != self.radix())?;
            let [low, high, word] = [*low, *part, word].map(Polynomial::variable);
            let places = times / factor;
            let without = sum.plus_multiple(&high, -times)?.plus_multiple(&low, -places)?;
            let is_both = places * factor == *times && without.terms().len() + 2 == sum.terms().len();
            if is_both { without.plus_multiple(&word, places) } else { None }
        };
        let words = sum.terms().to_vec();
        Some(words.iter().fold(sum, |sum, term| whole(&sum, term).unwrap_or(sum)))
    }

    /// The cases of these in which a word of few values is one of them, if there is such a word.
    fn with_few_values(&self, known: BTreeMap<Variable, i64>) -> Vec<BTreeMap<Variable, i64>> {
        let few = known.iter().find_map(|(bit, value)| {
            let Equation { high: Some((_, factor)), right, .. } = self.graph.defining_high(bit.index())?
            else {
                return None;
            };
            let ((word, below), told) = self.threshold(right, *factor)?;
            (told == (*value == 1) && (1..=MOST_VALUES).contains(&below)).then_some((word, below))
        });
        let Some((word, below)) = few else { return vec![known] };
        let case =
            |value: i64| known.iter().map(|(own, value)| (*own, *value)).chain([(word, value)]).collect();
        (0..below).map(case).collect()
    }

    /// A condition in the older bits that its bits are sums of.
    fn written_in_older(&self, condition: &Polynomial) -> Polynomial {
        let mut condition = condition.clone();
        for _ in 0..MOST_ROUNDS {
            let written = condition.variables().into_iter().find_map(|bit| {
                let equation = self.graph.defining_low(bit.index()).filter(|own| own.high.is_none())?;
                condition.with(bit, &equation.right)
            });
            match written.filter(|written| bits_of(&[written]).is_some()) {
                Some(written) => condition = written,
                None => break,
            }
        }
        condition
    }

    /// `condition ? x : y`, where both are alike wherever the condition holds: `y`; or wherever it does not: `x`.
    pub(crate) fn alike(&mut self, cases: &mut Cases, x: &Value, y: &Value) -> Option<Value> {
        for (cases, other) in cases.0.iter_mut().zip([x, y]) {
            let Some(cases) = cases else { continue };
            let (x, y) = (self.polynomial(x)?, self.polynomial(y)?);
            let is_alike = |case: &mut Case| {
                case.read(self);
                let told = case.told(&x);
                told.is_some() && told == case.told(&y)
            };
            if cases.iter_mut().all(is_alike) {
                return Some(other.clone());
            }
        }
        None
    }
}
