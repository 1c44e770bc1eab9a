//! Programs over a prime field: compositions over terms.
//!
//! The program is executed over normal forms of its input bits, but for calls of routines that keep a contract modulo the
//! prime, tell whether a number is below another, or choose words under a mask. Each of these is proved by itself, from the same
//! code, and then the call is what its contract says: new words, of which nothing is known but the term that their number is
//! congruent to, a borrow that is a bit of its own, words that a bit chooses. What lies between the calls, digits of a scalar, copies,
//! loops and the stack, is executed bit by bit.

use crate::callee::{Called, Proved, proved};
use crate::choices::{Choices, Shape, number_of};
use crate::terms::{Term, Terms};
use crate::unproved::Unproved;
use crate::whole::WHOLE;
use num_bigint::BigUint;
use rhomb_anf::{Bit, NormalForms, Word};
use rhomb_certificate::{Certificate, Contract, Expression, Family};
use rhomb_field::program::words;
use rhomb_field::specification::{Algebra, Integers};
use rhomb_machine::{Access, Buffer, Callee, Calls, Domain, Fault, Finished, Outcome, Routine};
use std::collections::HashMap;

/// What is known of the words of a number.
#[derive(Clone)]
pub(crate) struct Number {
    words: Vec<Word>,
    pub(crate) term: Term,
    /// What it is below.
    below: BigUint,
}

/// A difference of two numbers, and its borrow.
struct Difference {
    from: Vec<Word>,
    less: Vec<Word>,
    words: Vec<Word>,
    borrow: Bit,
}

/// A program, and what is known of its numbers.
pub(crate) struct OverTerms<'r, R> {
    routine: &'r R,
    effort: u64,
    /// The contracts that a called routine may have.
    contracts: Vec<Contract>,
    called: Called,
    shapes: Vec<(u64, Shape, Callee)>,
    /// What neither keeps a contract nor chooses.
    executed: Vec<u64>,
    modulus: BigUint,
    /// Words of a number, and bits of a word.
    count: usize,
    bits: u32,
    pub(crate) terms: Terms,
    choices: Choices,
    differences: Vec<Difference>,
    /// All numbers so far, and which of them have a first word whose lowest bit has that number.
    numbers: Vec<Number>,
    by_first: HashMap<Option<u64>, Vec<usize>>,
}

fn refused(what: &str) -> Fault {
    Fault::NotModelled { what: what.to_owned() }
}

/// The words of a number that is known.
fn known_words(number: &BigUint, bits: u32, count: usize) -> Vec<Word> {
    words(number, bits, count).into_iter().map(Word::Known).collect()
}

impl<'r, R: Routine> OverTerms<'r, R> {
    /// A program modulo a prime, on numbers of so many words, that calls routines with such contracts at most.
    pub(crate) fn new(routine: &'r R, effort: u64, modulus: &BigUint, contracts: &[String]) -> Self {
        let bits = routine.word_bits();
        OverTerms {
            routine,
            effort,
            contracts: contracts.iter().filter_map(|name| name.parse().ok()).collect(),
            called: Called::default(),
            shapes: Vec::new(),
            executed: Vec::new(),
            modulus: modulus.clone(),
            count: modulus.bits().div_ceil(bits.into()) as usize,
            bits,
            terms: Terms::new(modulus.clone()),
            choices: Choices::default(),
            differences: Vec::new(),
            numbers: Vec::new(),
            by_first: HashMap::new(),
        }
    }

    /// Words that are an input, whose residue is a term of its own.
    pub(crate) fn input(&mut self, words: Vec<Word>, number: usize) -> Term {
        let term = self.terms.input(number);
        let below = self.radix();
        self.note(Number { words, term: term.clone(), below });
        term
    }

    /// Executes the program on buffers: first the result, then the operands.
    pub(crate) fn executed(
        &mut self,
        domain: NormalForms,
        buffers: Vec<(&'static str, u32, Option<Vec<Word>>)>,
    ) -> Result<Finished<NormalForms>, Unproved> {
        let mut is_first = true;
        let buffer = |(name, length, content)| {
            let access = if std::mem::take(&mut is_first) { Access::Store } else { Access::Load };
            Buffer { name, length, access, content, shares: None }
        };
        let buffers: Vec<Buffer<Word>> = buffers.into_iter().map(buffer).collect();
        let routine = self.routine;
        let finished = routine.call_composed(domain, &buffers, self)?;
        match finished.breaches.first() {
            Some(breach) => Err(Unproved::Breach(breach.text.clone())),
            None => Ok(finished),
        }
    }

    /// The certificates of what was called.
    pub(crate) fn certificates(self) -> Vec<Certificate> {
        self.called.certificates()
    }

    /// What every word of a result was chosen of, where one bit chose all.
    pub(crate) fn sides(&self, words: &[Word]) -> Option<(Bit, Vec<Word>, Vec<Word>)> {
        let choices: Vec<_> = words.iter().map(|word| self.choices.of(word)).collect();
        let bit = choices.iter().flatten().map(|choice| &choice.bit).next()?.clone();
        let mut both = (Vec::new(), Vec::new());
        for (word, choice) in words.iter().zip(choices) {
            let (unset, set) = match choice {
                Some(own) if own.bit == bit => (&own.unset, &own.set),
                // the same in both
                _ => (word, word),
            };
            both.0.push(unset.clone());
            both.1.push(set.clone());
        }
        Some((bit, both.0, both.1))
    }

    /// What all numbers are below.
    fn radix(&self) -> BigUint {
        BigUint::from(1u8) << (self.bits as usize * self.count)
    }

    /// Whether a number is below the prime.
    pub(crate) fn is_canonical(&self, number: &Number) -> bool {
        number.below <= self.modulus
    }

    fn note(&mut self, number: Number) {
        let first = number.words.first().and_then(number_of);
        self.by_first.entry(first).or_default().push(self.numbers.len());
        self.numbers.push(number);
    }

    /// What is known of a number: of words that are all known, of one with zeros above, and of what a bit chooses, too.
    pub(crate) fn number(&mut self, domain: &NormalForms, words: &[Word]) -> Option<Number> {
        let first = words.first().and_then(number_of);
        let known = self.by_first.get(&first).into_iter().flatten().rev();
        if let Some(own) = known.map(|at| &self.numbers[*at]).find(|own| own.words == words) {
            return Some(own.clone());
        }
        let known = |word: &Word| domain.known_word(word);
        let bits = domain.bits() as usize;
        let value =
            words.iter().rev().try_fold(BigUint::ZERO, |sum, word| Some((sum << bits) + known(word)?));
        if let Some(value) = value {
            let term = self.terms.known(&value);
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
                let less = if y.below > self.modulus { &y.below - &self.modulus } else { BigUint::ZERO };
                Number { below: less.max(self.modulus.clone()), ..y }
            }
            false => {
                let x = self.number(domain, &unset)?;
                let term = self.terms.chosen(&bit, &x.term, &y.term);
                Number { term, below: x.below.max(y.below), words: Vec::new() }
            }
        };
        let own = Number { words: words.to_vec(), ..own };
        self.note(own.clone());
        Some(own)
    }

    /// Whether words are those of a number less the prime, and a bit their borrow.
    fn is_less_the_prime(&self, bit: &Bit, words: &[Word], number: &[Word]) -> bool {
        let prime = known_words(&self.modulus, self.bits, self.count);
        let is_own = |own: &Difference| own.borrow == *bit && own.words == words && own.from == number;
        self.differences.iter().any(|own| is_own(own) && own.less == prime)
    }

    /// New words for a number.
    fn made(&mut self, domain: &mut NormalForms, term: Term, below: BigUint) -> Vec<Word> {
        let words: Vec<Word> = (0..self.count).map(|_| domain.arbitrary()).collect();
        self.note(Number { words: words.clone(), term, below });
        words
    }

    /// The difference of any numbers, with a borrow that is a bit of its own.
    fn difference(
        &mut self,
        domain: &mut NormalForms,
        operands: &[Vec<Word>],
    ) -> Result<Outcome<Word>, Fault> {
        let [from, less] = operands else { return Err(refused("a difference of nothing")) };
        let fresh = domain.input();
        let borrow =
            domain.bits_of(&fresh).into_iter().next().ok_or_else(|| refused("a word without bits"))?;
        let mut bits = vec![Bit::Known(false); domain.bits() as usize];
        bits[0] = borrow.clone();
        let words: Vec<Word> = (0..from.len()).map(|_| domain.arbitrary()).collect();
        let (from, less) = (from.clone(), less.clone());
        self.differences.push(Difference { from, less, words: words.clone(), borrow });
        Ok(Outcome { result: words, returned: Some(Word::from(bits)) })
    }
}

impl<R: Routine> Algebra for OverTerms<'_, R> {
    type Element = Term;
    type Bit = Bit;

    fn element(&mut self, number: &BigUint) -> Term {
        self.terms.element(number)
    }
    fn add(&mut self, x: &Term, y: &Term) -> Term {
        self.terms.add(x, y)
    }
    fn sub(&mut self, x: &Term, y: &Term) -> Term {
        self.terms.sub(x, y)
    }
    fn mul(&mut self, x: &Term, y: &Term) -> Term {
        self.terms.mul(x, y)
    }
    fn inverse(&mut self, number: &BigUint) -> Term {
        self.terms.inverse(number)
    }
    fn power(&mut self, x: &Term, exponent: &BigUint) -> Term {
        self.terms.power(x, exponent)
    }
    fn chosen(&mut self, bit: &Bit, x: &Term, y: &Term) -> Term {
        self.terms.chosen(bit, x, y)
    }
    fn bit(&mut self, value: bool) -> Bit {
        self.terms.bit(value)
    }
    fn differ(&mut self, x: &Bit, y: &Bit) -> Bit {
        self.terms.differ(x, y)
    }
    fn both(&mut self, x: &Bit, y: &Bit) -> Bit {
        self.terms.both(x, y)
    }
}

/// Like no other bit: what the program did not find out.
const OPEN: Bit = Bit::Unknown(u64::MAX);

/// What is specified of numbers is what the program found out of them.
impl<R: Routine> Integers for OverTerms<'_, R> {
    type Integer = Vec<Word>;

    fn residue(&mut self, x: &Vec<Word>) -> Term {
        let known = self.numbers.iter().find(|own| own.words == *x).map(|own| own.term.clone());
        known.unwrap_or_else(|| self.terms.open())
    }

    fn below(&mut self, x: &Vec<Word>, limit: &BigUint) -> Bit {
        let limit = known_words(limit, self.bits, x.len());
        let known = self.differences.iter().find(|own| own.from == *x && own.less == limit);
        known.map_or(OPEN, |own| own.borrow.clone())
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
        let is_even = self.terms.not(&is_odd);
        let known = self.differences.iter().find(|own| own.from == n && own.less == *k);
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
        let known = self.differences.iter().find(|own| own.from == *k && own.less == one);
        let less = known.map(|own| own.words.clone());
        less.map_or(OPEN, |less| self.below(&less, &(n - 1u8)))
    }

    fn is_zero(&mut self, x: &Term) -> Bit {
        // a number below p is a multiple of p where it is below 1
        let is_own = |own: &&Number| own.below <= self.modulus && self.terms.are_multiples(&own.term, x);
        let numbers: Vec<Vec<Word>> =
            self.numbers.iter().filter(is_own).map(|own| own.words.clone()).collect();
        let mut bits = numbers.iter().map(|words| self.below(words, &BigUint::from(1u8)));
        bits.find(|bit| *bit != OPEN).unwrap_or(OPEN)
    }
}

impl<R: Routine> Calls<NormalForms> for OverTerms<'_, R> {
    fn callee(&mut self, entry: u64) -> Result<Option<Callee>, Fault> {
        let OverTerms { routine, contracts, effort, called, shapes, count, executed, .. } = self;
        let of = |inner: bool| {
            let one = |contract| proved(*routine, (entry, inner), contract, WHOLE, *effort).ok();
            contracts.iter().find_map(one)
        };
        // what preserves nothing keeps the inner convention alone
        if let Some(callee) = called.callee(entry, || of(false).or_else(|| of(true))) {
            return Ok(Some(callee));
        }
        if let Some((.., callee)) = shapes.iter().find(|own| own.0 == entry) {
            return Ok(Some(callee.clone()));
        }
        if executed.contains(&entry) {
            return Ok(None);
        }
        let count = *count as u32;
        let of = |inner: bool| {
            let known = || Shape::of_known(*routine, (entry, inner), count);
            let all = Shape::of(count).into_iter().chain(std::iter::once_with(known).flatten());
            let mut found = all.filter_map(|shape| Some((shape.callee(*routine, (entry, inner))?, shape)));
            found.next().map(|(callee, shape)| (entry, shape, callee))
        };
        let found = of(false).or_else(|| of(true));
        let callee = found.as_ref().map(|own| own.2.clone());
        match found {
            Some(own) => shapes.push(own),
            None => executed.push(entry),
        }
        Ok(callee)
    }

    fn result(
        &mut self,
        domain: &mut NormalForms,
        entry: u64,
        operands: &[Vec<Word>],
    ) -> Result<Outcome<Word>, Fault> {
        if let Some((_, shape, _)) = self.shapes.iter().find(|own| own.0 == entry) {
            let words = shape.result(domain, operands, &mut self.choices);
            return words
                .map(Outcome::from)
                .ok_or_else(|| refused("a choice under what is not known to be a mask"));
        }
        let Proved { contract, .. } = self.called.known(entry)?;
        let contract = *contract;
        if (0..operands.len()).any(|operand| contract.bound(operand, self.bits).is_some()) {
            return Err(refused(&format!(
                "a call of a routine that keeps {contract}, whose operands have bounds"
            )));
        }
        if contract.operation().family() == Family::Whole {
            return self.difference(domain, operands);
        }
        let numbers: Option<Vec<Number>> = operands.iter().map(|words| self.number(domain, words)).collect();
        let numbers = numbers.ok_or_else(|| {
            refused(&format!(
                "{entry:#x} is called with words of which nothing is known, and keeps {contract}"
            ))
        })?;
        let (Some(a), Some(b)) = (numbers.first(), numbers.last()) else {
            return Err(refused("a call of a routine without operands"));
        };
        let term = match contract.expression() {
            Expression::Product | Expression::Square => self.terms.mul(&a.term, &b.term),
            Expression::Sum => self.terms.add(&a.term, &b.term),
            Expression::Difference => self.terms.sub(&a.term, &b.term),
            Expression::Value => {
                let times = self.terms.number(contract.times());
                self.terms.mul(&times, &a.term)
            }
            Expression::Negation => {
                let zero = self.terms.number(0);
                self.terms.sub(&zero, &a.term)
            }
            _ => {
                return Err(refused(&format!("a call of a routine that keeps {contract}")));
            }
        };
        // divided by the base of Montgomery's products, or by 2
        let power = BigUint::from(1u8) << contract.shift(self.bits) as usize;
        let factor = self.terms.inverse(&power);
        let term = self.terms.mul(&term, &factor);
        let below = contract.result_bound(self.bits).unwrap_or_else(|| self.radix());
        Ok(self.made(domain, term, below).into())
    }
}
