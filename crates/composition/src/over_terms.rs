//! Programs over a field: compositions over terms.
//!
//! The program is executed over normal forms of its input bits, but for calls of routines that keep a contract in the
//! field, tell whether a number is below another, choose words under a mask, or make an element of GF(2^m) canonical. Each of these is shown by itself, from the same
//! code, and then the call is what its contract says: new words, of which nothing is known but the term that their number is
//! congruent to, a borrow that is a bit of its own, words that a bit chooses. What lies between the calls, digits of a scalar, copies,
//! loops and the stack, is executed bit by bit.

use crate::called::Keeps;
use crate::choices::{Choices, Shape, number_of};
use crate::routines::{Difference, Differences, Routines, executed, known_words, refused};
use crate::terms::{Term, Terms};
use crate::unshown::Unshown;
use num_bigint::BigUint;
use rhomb_anf::{Bit, NormalForms, Word};
use rhomb_certificate::{Checkable, Contract, Expression, Family};
use rhomb_field::curve::Base;
use rhomb_field::specification::{Algebra, Integers};
use rhomb_machine::{Callee, Calls, Domain, Fault, Finished, Outcome};
use std::collections::HashMap;

/// What is known of the words of a number.
#[derive(Clone)]
pub(crate) struct Number {
    words: Vec<Word>,
    pub(crate) term: Term,
    /// What it is below.
    below: BigUint,
}

/// What is known of numbers as elements of a field.
pub(crate) struct Elements {
    /// What canonical elements are below: the prime, or 2^m.
    limit: BigUint,
    pub(crate) terms: Terms,
    /// All numbers so far, and which of them have a first word whose lowest bit has that number.
    numbers: Vec<Number>,
    by_first: HashMap<Option<u64>, Vec<usize>>,
}

impl Elements {
    fn new(base: &Base) -> Self {
        let terms = Terms::new(base.clone());
        Elements { limit: base.limit(), terms, numbers: Vec::new(), by_first: HashMap::new() }
    }
}

/// A program, and what is known of its numbers.
pub(crate) struct OverTerms<'r> {
    routine: &'r dyn Checkable,
    routines: Routines<'r>,
    /// Words of a number, and bits of a word.
    count: usize,
    bits: u32,
    choices: Choices,
    differences: Differences,
    /// The field that is meant.
    pub(crate) own: Elements,
    /// Another one.
    other: Option<Elements>,
}

impl<'r> OverTerms<'r> {
    /// A program over a field, on numbers of so many words, that calls routines with such contracts at most.
    pub(crate) fn new(
        routine: &'r dyn Checkable,
        keeps: &'r mut dyn Keeps,
        base: &Base,
        contracts: &[String],
    ) -> Self {
        let bits = routine.word_bits();
        let count = base.words(bits);
        let remainder = match base {
            Base::Binary(field) => Some(Shape::remainder(count as u32, field)),
            Base::Prime(_) => None,
        };
        OverTerms {
            routine,
            routines: Routines::new(routine, keeps, count, contracts).with(remainder),
            count,
            bits,
            choices: Choices::with_digits(count),
            differences: Differences::default(),
            own: Elements::new(base),
            other: None,
        }
    }

    /// The same where numbers may be elements of another field, too.
    pub(crate) fn beside(self, base: &Base) -> Self {
        OverTerms { other: Some(Elements::new(base)), ..self }
    }

    /// What is done while the other field is meant.
    pub(crate) fn in_other<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let other = self.other.as_mut()?;
        std::mem::swap(&mut self.own, other);
        let result = act(self);
        std::mem::swap(&mut self.own, self.other.as_mut()?);
        Some(result)
    }

    /// The words of a canonical number that is this element.
    pub(crate) fn canonical(&self, element: &Term) -> Option<Vec<Word>> {
        let is_own = |own: &&Number| self.is_canonical(own) && own.term == *element;
        self.own.numbers.iter().find(is_own).map(|own| own.words.clone())
    }

    /// Words that are an input, whose residue is a term of its own.
    pub(crate) fn input(&mut self, words: Vec<Word>, number: usize) -> Term {
        let term = self.own.terms.input(number);
        let below = self.radix();
        self.note(Number { words, term: term.clone(), below });
        term
    }

    /// Executes the program on buffers: first the result, then the operands.
    pub(crate) fn executed(
        &mut self,
        domain: NormalForms,
        buffers: Vec<(&'static str, u32, Option<Vec<Word>>)>,
    ) -> Result<Finished<NormalForms>, Unshown> {
        executed(self.routine, domain, buffers, self)
    }

    /// See [`Choices::sides`].
    pub(crate) fn sides(&self, words: &[Word]) -> Option<(Bit, Vec<Word>, Vec<Word>)> {
        self.choices.sides(words)
    }

    /// What all numbers are below.
    fn radix(&self) -> BigUint {
        BigUint::from(1u8) << (self.bits as usize * self.count)
    }

    /// Whether a number is canonical: below the prime, or 2^m.
    pub(crate) fn is_canonical(&self, number: &Number) -> bool {
        number.below <= self.own.limit
    }

    fn note(&mut self, number: Number) {
        let first = number.words.first().and_then(number_of);
        self.own.by_first.entry(first).or_default().push(self.own.numbers.len());
        self.own.numbers.push(number);
    }

    /// What is known of a number: of words that are all known, of one with zeros above, and of what a bit chooses, too.
    pub(crate) fn number(&mut self, domain: &NormalForms, words: &[Word]) -> Option<Number> {
        let first = words.first().and_then(number_of);
        let known = self.own.by_first.get(&first).into_iter().flatten().rev();
        if let Some(own) = known.map(|at| &self.own.numbers[*at]).find(|own| own.words == words) {
            return Some(own.clone());
        }
        let known = |word: &Word| domain.known_word(word);
        let bits = domain.bits() as usize;
        let value =
            words.iter().rev().try_fold(BigUint::ZERO, |sum, word| Some((sum << bits) + known(word)?));
        if let Some(value) = value {
            let term = self.own.terms.known(&value);
            return Some(Number { words: words.to_vec(), term, below: value + 1u8 });
        }
        let (low, above) = words.split_at_checked(self.count)?;
        if !above.is_empty() {
            let is_zero = above.iter().all(|word| known(word) == Some(0));
            return is_zero.then(|| self.number(domain, low))?;
        }
        let (bit, unset, set) = self.sides(words)?;
        let y = self.number(domain, &set)?;
        let own = match self.is_less_the_prime(&bit, &unset, &set) {
            // a where that is below p, and else a - p
            true => {
                let less = if y.below > self.own.limit { &y.below - &self.own.limit } else { BigUint::ZERO };
                Number { below: less.max(self.own.limit.clone()), ..y }
            }
            false => {
                let x = self.number(domain, &unset)?;
                let term = self.own.terms.chosen(&bit, &x.term, &y.term);
                Number { term, below: x.below.max(y.below), words: Vec::new() }
            }
        };
        let own = Number { words: words.to_vec(), ..own };
        self.note(own.clone());
        Some(own)
    }

    /// Whether words are those of a number less the prime, and a bit their borrow.
    fn is_less_the_prime(&self, bit: &Bit, words: &[Word], number: &[Word]) -> bool {
        if let Base::Binary(_) = self.own.terms.base() {
            return false;
        }
        let prime = known_words(&self.own.limit, self.bits, self.count);
        let is_own = |own: &Difference| own.borrow == *bit && own.words == words && own.from == number;
        self.differences.find(|own| is_own(own) && own.less == prime).is_some()
    }

    /// A small number times a term.
    fn multiple(&mut self, times: u32, term: &Term) -> Term {
        let times = self.own.terms.number(times);
        self.own.terms.mul(&times, term)
    }

    /// New words for a number.
    fn made(&mut self, domain: &mut NormalForms, term: Term, below: BigUint) -> Vec<Word> {
        let words: Vec<Word> = (0..self.count).map(|_| domain.arbitrary()).collect();
        self.note(Number { words: words.clone(), term, below });
        words
    }
}

impl Algebra for OverTerms<'_> {
    type Element = Term;
    type Bit = Bit;

    fn element(&mut self, number: &BigUint) -> Term {
        self.own.terms.element(number)
    }
    fn add(&mut self, x: &Term, y: &Term) -> Term {
        self.own.terms.add(x, y)
    }
    fn sub(&mut self, x: &Term, y: &Term) -> Term {
        self.own.terms.sub(x, y)
    }
    fn mul(&mut self, x: &Term, y: &Term) -> Term {
        self.own.terms.mul(x, y)
    }
    fn inverse(&mut self, number: &BigUint) -> Term {
        self.own.terms.inverse(number)
    }
    fn power(&mut self, x: &Term, exponent: &BigUint) -> Term {
        self.own.terms.power(x, exponent)
    }
    fn chosen(&mut self, bit: &Bit, x: &Term, y: &Term) -> Term {
        self.own.terms.chosen(bit, x, y)
    }
    fn bit(&mut self, value: bool) -> Bit {
        self.own.terms.bit(value)
    }
    fn differ(&mut self, x: &Bit, y: &Bit) -> Bit {
        self.own.terms.differ(x, y)
    }
    fn both(&mut self, x: &Bit, y: &Bit) -> Bit {
        self.own.terms.both(x, y)
    }
}

/// Like no other bit: what the program did not find out.
const OPEN: Bit = Bit::Unknown(u64::MAX);

/// What is specified of numbers is what the program found out of them.
impl Integers for OverTerms<'_> {
    type Integer = Vec<Word>;

    fn residue(&mut self, x: &Vec<Word>) -> Term {
        let known = self.own.numbers.iter().find(|own| own.words == *x).map(|own| own.term.clone());
        known.unwrap_or_else(|| self.own.terms.open())
    }

    fn below(&mut self, x: &Vec<Word>, limit: &BigUint) -> Bit {
        let limit = known_words(limit, self.bits, x.len());
        let known = self.differences.of(x, &limit);
        known.map_or(OPEN, |own| own.borrow.clone())
    }

    fn bits(&mut self, x: &Vec<Word>) -> Vec<Bit> {
        let bits = self.bits;
        let one = |word: &Word| match word {
            Word::Bits(own) => own.to_vec(),
            Word::Known(own) => (0..bits).map(|place| Bit::Known(own >> place & 1 == 1)).collect(),
            _ => vec![OPEN; bits as usize],
        };
        x.iter().flat_map(one).collect()
    }

    fn is_odd(&mut self, x: &Vec<Word>) -> Bit {
        match x.first() {
            Some(Word::Bits(bits)) => bits.first().cloned().unwrap_or(OPEN),
            _ => OPEN,
        }
    }

    fn odd(&mut self, k: &Vec<Word>, n: &BigUint) -> Vec<Bit> {
        let n = known_words(n, self.bits, k.len());
        let is_odd = self.is_odd(k);
        let is_even = self.own.terms.not(&is_odd);
        let known = self.differences.of(&n, k);
        let others = known.map(|own| own.words.clone()).unwrap_or_default();
        let mut all = Vec::new();
        for (at, own) in k.iter().enumerate() {
            let drawn = others.get(at).and_then(|other| self.choices.drawn(&is_even, own, other));
            match drawn {
                Some(Word::Bits(bits)) => all.extend(bits.iter().cloned()),
                _ => all.extend(vec![OPEN; self.bits as usize]),
            }
        }
        all
    }

    fn is_key(&mut self, k: &Vec<Word>, n: &BigUint) -> Bit {
        // k - 1, which is the highest number for 0, is below n - 1
        let one = known_words(&BigUint::from(1u8), self.bits, k.len());
        let known = self.differences.of(k, &one);
        let less = known.map(|own| own.words.clone());
        less.map_or(OPEN, |less| self.below(&less, &(n - 1u8)))
    }

    fn is_zero(&mut self, x: &Term) -> Bit {
        // a canonical number is 0 in the field where it is below 1
        let is_own =
            |own: &&Number| own.below <= self.own.limit && self.own.terms.are_multiples(&own.term, x);
        let numbers: Vec<Vec<Word>> =
            self.own.numbers.iter().filter(is_own).map(|own| own.words.clone()).collect();
        let mut bits = numbers.iter().map(|words| self.below(words, &BigUint::from(1u8)));
        bits.find(|bit| *bit != OPEN).unwrap_or(OPEN)
    }
}

impl Calls<NormalForms> for OverTerms<'_> {
    fn callee(&mut self, entry: u64) -> Result<Option<Callee>, Fault> {
        self.routines.callee(entry)
    }

    fn result(
        &mut self,
        domain: &mut NormalForms,
        entry: u64,
        operands: &[Vec<Word>],
    ) -> Result<Outcome<Word>, Fault> {
        if let Some(shape) = self.routines.shape(entry) {
            if let Shape::Remainder { .. } = shape {
                let own = operands.first().and_then(|words| self.number(domain, words));
                let own = own.ok_or_else(|| refused("the remainder of words of which nothing is known"))?;
                let below = self.own.limit.clone();
                return Ok(self.made(domain, own.term, below).into());
            }
            return self.choices.result(domain, shape, operands);
        }
        let contract = self.routines.contract(entry, operands.len())?;
        if contract.operation().family() == Family::Whole {
            return self.differences.result(domain, operands);
        }
        let modulus = contract.modular().map(|own| own.modulus.number());
        let is_own = |own: &Elements| modulus.as_ref().is_none_or(|modulus| *modulus == own.limit);
        match (is_own(&self.own), self.other.as_ref().is_some_and(is_own)) {
            (true, _) => Some(self.called(domain, entry, &contract, operands)),
            (_, true) => self.in_other(|program| program.called(domain, entry, &contract, operands)),
            _ => None,
        }
        .unwrap_or_else(|| Err(refused("a call modulo another number")))
    }
}

impl OverTerms<'_> {
    /// Words of which nothing is known in this field, and that are a canonical number in the other one, are an input.
    fn crossed(&mut self, domain: &NormalForms, words: &[Word]) -> Option<Number> {
        let known =
            |program: &mut Self| program.number(domain, words).filter(|own| program.is_canonical(own));
        self.in_other(known)??;
        let term = self.own.terms.open();
        let own = Number { words: words.to_vec(), term, below: self.radix() };
        self.note(own.clone());
        Some(own)
    }

    /// What a call of a routine that keeps a contract of this field leaves.
    fn called(
        &mut self,
        domain: &mut NormalForms,
        entry: u64,
        contract: &Contract,
        operands: &[Vec<Word>],
    ) -> Result<Outcome<Word>, Fault> {
        let mut number =
            |words: &Vec<Word>| self.number(domain, words).or_else(|| self.crossed(domain, words));
        let numbers: Option<Vec<Number>> = operands.iter().map(&mut number).collect();
        let numbers = numbers.ok_or_else(|| {
            refused(&format!(
                "{entry:#x} is called with words of which nothing is known, and keeps {contract}"
            ))
        })?;
        let (Some(a), Some(b)) = (numbers.first(), numbers.last()) else {
            return Err(refused("a call of a routine without operands"));
        };
        if contract.expression() == Expression::SumAndDifference {
            // two numbers, the sum in the lower words
            let [sum, difference] =
                [self.own.terms.add(&a.term, &b.term), self.own.terms.sub(&a.term, &b.term)];
            let numbers = [sum, difference].map(|term| self.made(domain, term, self.radix()));
            return Ok(numbers.concat().into());
        }
        let term = match contract.expression() {
            Expression::Product | Expression::Square => self.own.terms.mul(&a.term, &b.term),
            Expression::Sum | Expression::Difference => {
                let [x, y] = [(0, a), (1, b)].map(|(at, own)| self.multiple(contract.times(at), &own.term));
                match contract.expression() {
                    Expression::Sum => self.own.terms.add(&x, &y),
                    _ => self.own.terms.sub(&x, &y),
                }
            }
            Expression::Value => self.multiple(contract.times(0), &a.term),
            Expression::Negation => {
                let zero = self.own.terms.number(0);
                self.own.terms.sub(&zero, &a.term)
            }
            _ => {
                return Err(refused(&format!("a call of a routine that keeps {contract}")));
            }
        };
        // divided by the base of Montgomery's products, or by 2
        let power = BigUint::from(1u8) << contract.shift(self.bits) as usize;
        let factor = self.own.terms.inverse(&power);
        let term = self.own.terms.mul(&term, &factor);
        let below = contract.result_bound(self.bits).unwrap_or_else(|| self.radix());
        Ok(self.made(domain, term, below).into())
    }
}
