//! Programs over a prime field: compositions over terms.
//!
//! The program is executed over normal forms of its input bits, but for calls of routines that keep a contract modulo the
//! prime, or exchange numbers under a mask. Each of these is proved by itself, from the same code, and then the call is what
//! its contract says: new words, of which nothing is known but the term that their number is congruent to. What lies between
//! the calls, digits of a scalar, copies, loops and the stack, is executed bit by bit. The result is right where it is a
//! number below the prime whose term is that of the specification.

use crate::callee::{Called, Proved, proved};
use crate::terms::{Term, Terms};
use crate::unproved::Unproved;
use crate::whole::WHOLE;
use num_bigint::BigUint;
use rhomb_anf::{Bit, NormalForms, Word};
use rhomb_certificate::{Certificate, Contract, Expression};
use rhomb_field::specification::{Algebra, p25519, x25519};
use rhomb_machine::{Access, Buffer, Callee, Calls, Domain, Fault, Outcome, Routine};

/// Products of bits that the digits of a scalar and the small routines on them may take.
const EFFORT: u64 = 1 << 32;

/// Numbers of which an exchange moves so many at most from each side.
const MOST_EXCHANGED: u32 = 4;

/// What is known of the words of a number.
#[derive(Clone)]
struct Number {
    words: Vec<Word>,
    term: Term,
    /// Whether it is below the prime.
    canonical: bool,
}

/// A routine that exchanges two runs of words, one behind the other, where a mask is all ones.
struct Exchange {
    entry: u64,
    callee: Callee,
}

struct OverTerms<'r, R> {
    routine: &'r R,
    effort: u64,
    /// The contracts that a called routine may have.
    contracts: Vec<Contract>,
    called: Called,
    exchanges: Vec<Exchange>,
    modulus: BigUint,
    /// Words of a number.
    count: usize,
    terms: Terms,
    /// All numbers so far.
    numbers: Vec<Number>,
}

fn refused(what: &str) -> Fault {
    Fault::NotModelled { what: what.to_owned() }
}

/// Proves that a routine is X25519 (RFC 7748, section 5): r, a scalar and u are words of strings of 32 bytes, and r lies apart.
/// Gives the certificates of the routines that it calls; the execution here is trusted, as that of the checker is, and the
/// specification is [`x25519`].
///
/// # Errors
/// Where it calls others than proved routines for what depends on the field, or computes something else.
pub fn prove_x25519<R: Routine>(routine: &R, effort: u64) -> Result<Vec<Certificate>, Unproved> {
    let bits = routine.word_bits();
    let count = 256 / bits as usize;
    let mut domain = NormalForms::new(bits, EFFORT);
    let [scalar, u] = [(); 2].map(|()| (0..count).map(|_| domain.input()).collect::<Vec<Word>>());
    let mut terms = Terms::new(p25519());
    let own = terms.input(0);
    let mut masked = u.clone();
    let most = domain.word(u64::MAX >> (64 - bits) >> 1);
    if let Some(top) = masked.last_mut() {
        *top = domain.and(top, &most);
    }
    let bits_of: Vec<Bit> = scalar.iter().flat_map(|word| domain.bits_of(word)).collect();
    let names = ["modmul", "modsqr", "modadd", "modsub"].map(|name| format!("{name} 2^255-19"));
    let others = ["modreduce 2^255-19 r<p", "modmul 2^255-19 b=121665"].map(str::to_owned);
    let contracts = names.iter().chain(&others).filter_map(|name| name.parse().ok());
    let mut program = OverTerms {
        routine,
        effort,
        contracts: contracts.collect(),
        called: Called::default(),
        exchanges: Vec::new(),
        modulus: p25519(),
        count,
        terms,
        numbers: vec![Number { words: masked, term: own.clone(), canonical: false }],
    };
    let buffer = |name, content: Option<Vec<Word>>| Buffer {
        name,
        length: count as u32,
        access: if content.is_some() { Access::Load } else { Access::Store },
        content,
        shares: None,
    };
    let buffers = [buffer("r", None), buffer("k", Some(scalar)), buffer("u", Some(u))];
    let finished = routine.call_composed(domain, &buffers, &mut program)?;
    if let Some(breach) = finished.breaches.first() {
        return Err(Unproved::Breach(breach.text.clone()));
    }
    let wrong = |what: &str| Unproved::Composition(what.to_owned());
    let bits_of: [Bit; 256] = bits_of.try_into().map_err(|_| wrong("words do not fill the scalar"))?;
    let specified = x25519(&mut program.terms, &bits_of, &own);
    let result: Option<Vec<Word>> = finished.buffers[0].iter().cloned().collect();
    let found = result.and_then(|words| program.number(&finished.domain, &words));
    match found {
        None => Err(wrong("of the result nothing is known")),
        Some(found) if !found.canonical => Err(wrong("it is not shown that the result is below the modulus")),
        Some(found) if found.term != specified => Err(wrong("the result is not that of the specification")),
        Some(_) => Ok(program.called.certificates()),
    }
}

impl<R: Routine> OverTerms<'_, R> {
    /// What is known of a number: of words that are all known, and of one with zeros above, too.
    fn number(&self, domain: &NormalForms, words: &[Word]) -> Option<Number> {
        let known = |word: &Word| domain.known_word(word);
        if let Some(own) = self.numbers.iter().rev().find(|own| own.words == words) {
            return Some(own.clone());
        }
        let bits = domain.bits() as usize;
        let value =
            words.iter().rev().try_fold(BigUint::ZERO, |sum, word| Some((sum << bits) + known(word)?));
        if let Some(value) = value {
            let term = self.terms.known(&value);
            return Some(Number { words: words.to_vec(), term, canonical: value < self.modulus });
        }
        let (low, above) = words.split_at_checked(self.count)?;
        let is_zero = above.iter().all(|word| known(word) == Some(0));
        (!above.is_empty() && is_zero).then(|| self.number(domain, low))?
    }

    /// New words for a number.
    fn made(&mut self, domain: &mut NormalForms, term: Term, canonical: bool) -> Vec<Word> {
        let words: Vec<Word> = (0..self.count).map(|_| domain.arbitrary()).collect();
        self.numbers.push(Number { words: words.clone(), term, canonical });
        words
    }

    /// The exchange at an entry, if it is one.
    fn exchange(&mut self, entry: u64) -> Option<&Exchange> {
        if !self.exchanges.iter().any(|own| own.entry == entry) {
            let sizes = (1..=MOST_EXCHANGED).map(|numbers| numbers * self.count as u32);
            let callee = sizes.into_iter().find_map(|words| exchange(self.routine, entry, words))?;
            self.exchanges.push(Exchange { entry, callee });
        }
        self.exchanges.iter().find(|own| own.entry == entry)
    }

    fn exchanged(&mut self, domain: &mut NormalForms, operands: &[Vec<Word>]) -> Result<Vec<Word>, Fault> {
        let [both, mask] = operands else { return Err(refused("an exchange of nothing")) };
        let bits = mask.first().map(|mask| domain.bits_of(mask)).unwrap_or_default();
        let Some((bit, others)) = bits.split_first() else {
            return Err(refused("an exchange without a mask"));
        };
        if others.iter().any(|other| other != bit) || matches!(bit, Bit::Unknown(_) | Bit::Carry(_)) {
            return Err(refused("an exchange under what is not known to be a mask"));
        }
        let numbers: Option<Vec<Number>> =
            both.chunks(self.count).map(|words| self.number(domain, words)).collect();
        let numbers = numbers.ok_or_else(|| refused("an exchange of what is not known"))?;
        let (x, y) = numbers.split_at(numbers.len() / 2);
        let mut words = Vec::new();
        for (x, y) in x.iter().zip(y).chain(y.iter().zip(x)) {
            let term = self.terms.chosen(bit, &x.term, &y.term);
            words.extend(self.made(domain, term, x.canonical && y.canonical));
        }
        Ok(words)
    }
}

/// That a routine exchanges two runs of so many words, which follow each other, into others where a third argument points to
/// a mask of ones, and copies them where that is zero: as execution over normal forms shows.
fn exchange<R: Routine>(routine: &R, entry: u64, words: u32) -> Option<Callee> {
    let called = |stack: Option<u32>| {
        let own = routine.at(entry, stack, false)?;
        let mut domain = NormalForms::new(own.word_bits(), EFFORT);
        let run: Vec<Word> = (0..2 * words).map(|_| domain.input()).collect();
        let choice = domain.input();
        let bit = domain.bits_of(&choice).first().cloned()?;
        let mask = Word::from(vec![bit.clone(); domain.bits() as usize]);
        let buffer = |name, length, content: Option<Vec<Word>>| Buffer {
            name,
            length,
            access: if content.is_some() { Access::Load } else { Access::Store },
            content,
            shares: None,
        };
        let buffers = [
            buffer("r", 2 * words, None),
            buffer("a", 2 * words, Some(run.clone())),
            buffer("m", 1, Some(vec![mask])),
        ];
        let finished = own.call(domain, &buffers).ok()?;
        let mut domain = finished.domain;
        let result: Vec<Word> = finished.buffers[0].iter().cloned().collect::<Option<_>>()?;
        let (x, y) = run.split_at(words as usize);
        let pairs = x.iter().zip(y).chain(y.iter().zip(x));
        let is_right = pairs.zip(&result).all(|((x, y), own)| domain.select(&bit, y, x) == *own);
        (is_right && finished.breaches.is_empty()).then_some(finished.stack_bytes)
    };
    // what it takes of the stack is shown with it
    let stack_bytes = called(None)?;
    let stack_bytes = called(Some(stack_bytes))?;
    Some(Callee::of_pointers(2 * words, vec![2 * words, 1], stack_bytes))
}

impl<R: Routine> Calls<NormalForms> for OverTerms<'_, R> {
    fn callee(&mut self, entry: u64) -> Result<Option<Callee>, Fault> {
        let OverTerms { routine, contracts, effort, called, .. } = self;
        let of = |contract| proved(*routine, (entry, false), contract, WHOLE, *effort).ok();
        let callee = called.callee(entry, || contracts.iter().find_map(of));
        Ok(callee.or_else(|| self.exchange(entry).map(|own| own.callee.clone())))
    }

    fn result(
        &mut self,
        domain: &mut NormalForms,
        entry: u64,
        operands: &[Vec<Word>],
    ) -> Result<Outcome<Word>, Fault> {
        if self.exchanges.iter().any(|own| own.entry == entry) {
            return self.exchanged(domain, operands).map(Outcome::from);
        }
        let Proved { contract, .. } = self.called.known(entry)?;
        let (contract, canonical) = (*contract, contract.is_canonical());
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
            Expression::Inverse
            | Expression::Accumulated
            | Expression::Reduced
            | Expression::Choice
            | Expression::Exchange => {
                return Err(refused(&format!("a call of a routine that keeps {contract}")));
            }
        };
        Ok(self.made(domain, term, canonical).into())
    }
}
