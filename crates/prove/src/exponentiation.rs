//! Exponentiations modulo a number that is an argument: the machine code of a whole program against its specification.
//!
//! The program is executed over normal forms of the exponent's bits, but for calls of routines that keep a contract of Montgomery's
//! arithmetic, make the word that clears a word, or pick one of two numbers by a mask. Of a number that a call leaves, it is
//! known to be congruent to `2^t b^x`: products add t and x, divisions by R take from t, and what a bit picks of two has an x
//! that is a polynomial in that bit.

use crate::inverse::clearing;
use crate::powers::{Exponent, Power};
use crate::routines::{Differences, Routines, executed, refused};
use crate::unproved::Unproved;
use rhomb_anf::{Bit, NormalForms, Word};
use rhomb_certificate::{Certificate, Expression, Operation};
use rhomb_machine::{Callee, Calls, Domain, Fault, Outcome, Routine};
use std::collections::HashMap;

/// Products of bits that digits of an exponent and what picks by them may take.
const EFFORT: u64 = 1 << 32;

/// Words that exponents may take together: more than those of an exponentiation of 4096 bits.
const MOST_WORDS: u64 = 1 << 26;

/// What a number of so many words is below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Below {
    Modulus,
    /// R / 2.
    Half,
    /// What its words can say.
    Words,
}

/// A number of which no word is known: what it is congruent to modulo n.
#[derive(Clone, Debug)]
struct Number {
    words: usize,
    power: Power,
    below: Below,
}

/// A program, and what is known of its numbers.
struct OverPowers<'r, R> {
    routine: &'r R,
    routines: Routines<'r, R>,
    /// Words of a number, and bits of a word.
    count: usize,
    bits: u32,
    /// n.
    modulus: Vec<Word>,
    /// -1/n modulo the base of a word.
    inverse: Option<Word>,
    differences: Differences,
    /// By the number of the lowest bit, which those of the others follow.
    numbers: HashMap<u64, Number>,
    /// By entry what makes that inverse, and nothing for all else.
    clearing: HashMap<u64, Option<Callee>>,
    /// Words that exponents take.
    size: u64,
}

fn wrong(what: &str) -> Unproved {
    Unproved::Composition(what.to_owned())
}

/// The number of the first of these words' bits, of which nothing is known, where those of the others follow it.
fn run(words: &[Word]) -> Option<u64> {
    let bits = words.iter().map(|word| match word {
        Word::Bits(bits) => Some(bits.iter()),
        _ => None,
    });
    let bits: Option<Vec<_>> = bits.collect();
    let mut numbers = bits?.into_iter().flatten().map(|bit| match bit {
        Bit::Unknown(number) => Some(*number),
        _ => None,
    });
    let first = numbers.next()??;
    numbers.zip(first + 1..).all(|(own, next)| own == Some(next)).then_some(first)
}

/// Proves that a routine is an exponentiation: r = b^e modulo n, below n, of numbers of so many words, where n is odd and has its
/// highest bit set; r lies apart. Arguments are r, b, e and n, or, for a known exponent, r, b and n. Gives the certificates of the
/// routines that it calls; the execution here is trusted, as that of the checker is.
///
/// # Errors
/// Where it calls others than proved routines for what depends on b and n, or computes something else.
pub fn prove_exponentiation<R: Routine>(
    routine: &R,
    (count, exponent): (usize, Option<u64>),
    effort: u64,
) -> Result<Vec<Certificate>, Unproved> {
    let mut domain = NormalForms::new(routine.word_bits(), EFFORT);
    let argument: Vec<Word> = (0..count).map(|_| domain.input()).collect();
    let bits: Vec<Bit> = match exponent {
        Some(number) => (0..u64::BITS).map(|place| Bit::Known(number >> place & 1 == 1)).collect(),
        None => argument.iter().flat_map(|word| domain.bits_of(word)).collect(),
    };
    let modulus: Vec<Word> = (0..count).map(|_| domain.arbitrary()).collect();
    let mut program = OverPowers::new(routine, modulus.clone(), effort);
    let base = program.made(&mut domain, count, Power::of_base(), Below::Words);
    let length = count as u32;
    let argument = exponent.is_none().then_some(("e", Some(argument)));
    let buffers = [("r", None), ("b", Some(base))].into_iter().chain(argument).chain([("n", Some(modulus))]);
    let buffers = buffers.map(|(name, content)| (name, length, content)).collect();
    let finished = executed(routine, domain, buffers, &mut program)?;
    let result: Option<Vec<Word>> = finished.buffers[0].iter().cloned().collect();
    let found = result.and_then(|words| program.number(&words));
    let found = found.ok_or_else(|| wrong("of the result nothing is known"))?;
    if found.below != Below::Modulus {
        return Err(wrong("it is not shown that the result is below the modulus"));
    }
    match Exponent::number(&bits) {
        Some(specified) if found.power.is(0, &specified) => Ok(program.routines.certificates()),
        _ => Err(wrong("the result is not that power")),
    }
}

impl<'r, R: Routine> OverPowers<'r, R> {
    fn new(routine: &'r R, modulus: Vec<Word>, effort: u64) -> Self {
        let (bits, count) = (routine.word_bits(), modulus.len());
        let size = bits as usize * count;
        let (words, complement, inverse) = (2 * count + 1, count, 2 * count);
        let by_argument = ["montreduce", "montmul", "montsqr"].map(|name| {
            format!("{name} any {size} workspace {words} complement {complement} inverse {inverse}")
        });
        let others = ["mul SIZE", "sqr SIZE", "neg SIZE", "shl SIZE 1", "sub SIZE"];
        let others = others.map(|name| name.replace("SIZE", &size.to_string()));
        OverPowers {
            routine,
            routines: Routines::new(routine, effort, count, &[&by_argument[..], &others].concat()),
            count,
            bits,
            modulus,
            inverse: None,
            differences: Differences::default(),
            numbers: HashMap::new(),
            clearing: HashMap::new(),
            size: 0,
        }
    }

    /// New words of a number.
    fn made(&mut self, domain: &mut NormalForms, count: usize, power: Power, below: Below) -> Vec<Word> {
        let words: Vec<Word> = (0..count).map(|_| domain.arbitrary()).collect();
        self.note(&words, power, below);
        words
    }

    fn note(&mut self, words: &[Word], power: Power, below: Below) {
        let number = Number { words: words.len(), power, below };
        self.numbers.extend(run(words).map(|first| (first, number)));
    }

    /// What is known of a number, which may have zeros above.
    fn number(&self, words: &[Word]) -> Option<Number> {
        let zeros = words.iter().rev().take_while(|word| **word == Word::Known(0)).count();
        let words = &words[..words.len() - zeros];
        self.numbers.get(&run(words)?).filter(|own| own.words == words.len()).cloned()
    }

    /// The same of an operand.
    fn operand(&self, words: &[Word]) -> Result<Number, Fault> {
        self.number(words).ok_or_else(|| refused("a call with words of which no power is known"))
    }

    /// The power of two that R is.
    fn radix(&self) -> i64 {
        i64::from(self.bits) * self.count as i64
    }

    /// Counts what a power takes, so that no program takes all memory.
    fn spend(&mut self, power: &Power) -> Result<(), Fault> {
        self.size += power.size();
        (self.size <= MOST_WORDS).then_some(()).ok_or_else(|| refused("powers that are too large together"))
    }

    /// That words are n, R - n and -1/n.
    fn check_workspace(&self, words: &[Word]) -> Result<(), Fault> {
        let [modulus, complement, inverse] =
            [0..self.count, self.count..2 * self.count, 2 * self.count..words.len()].map(|own| &words[own]);
        // what is congruent to R and below R / 2 is below n, as R - n is
        let is_complement = self
            .number(complement)
            .is_some_and(|own| own.below == Below::Half && own.power.is(self.radix(), &Exponent::zero()));
        let is_inverse = inverse == self.inverse.as_slice();
        match modulus == self.modulus && is_complement && is_inverse {
            true => Ok(()),
            false => Err(refused("a workspace that is not known to be that of the modulus")),
        }
    }

    /// What a bit picks of two numbers.
    fn picked(&self, bit: &Bit, unset: &[Word], set: &[Word]) -> Result<(Power, Below), Fault> {
        // a number below R, which is below 2 n, less n where that is not negative
        if let Some(own) = self.differences.of(set, &self.modulus)
            && (own.words == unset, &own.borrow) == (true, bit)
        {
            return Ok((self.operand(set)?.power, Below::Modulus));
        }
        let [x, y] = [self.operand(unset)?, self.operand(set)?];
        let power = if let Bit::Form(form) = bit { x.power.or(&y.power, form) } else { None };
        let power = power.ok_or_else(|| refused("a choice of numbers with other powers of two"))?;
        Ok((power, x.below.max(y.below)))
    }
}

impl<R: Routine> Calls<NormalForms> for OverPowers<'_, R> {
    fn callee(&mut self, entry: u64) -> Result<Option<Callee>, Fault> {
        if let Some(callee) = self.routines.callee(entry)? {
            return Ok(Some(callee));
        }
        let routine = self.routine;
        let found = self.clearing.entry(entry).or_insert_with(|| {
            let of = |inner: bool| clearing(routine, (entry, inner));
            of(false).or_else(|| of(true))
        });
        Ok(found.clone())
    }

    fn result(
        &mut self,
        domain: &mut NormalForms,
        entry: u64,
        operands: &[Vec<Word>],
    ) -> Result<Outcome<Word>, Fault> {
        if let Some(shape) = self.routines.shape(entry) {
            let picked = shape.picked(domain, operands);
            let (bit, unset, set) = picked.ok_or_else(|| refused("a choice that picks no number"))?;
            let (power, below) = match bit {
                Bit::Known(false) => return Ok(unset.to_vec().into()),
                Bit::Known(true) => return Ok(set.to_vec().into()),
                bit => self.picked(&bit, unset, set)?,
            };
            self.spend(&power)?;
            return Ok(self.made(domain, self.count, power, below).into());
        }
        if self.clearing.get(&entry).is_some_and(Option::is_some) {
            let word = domain.arbitrary();
            match operands {
                [own] if own[..] == self.modulus[..1] => self.inverse = Some(word.clone()),
                _ => {}
            }
            return Ok(vec![word].into());
        }
        let contract = self.routines.contract(entry, operands.len())?;
        let unknown = || refused(&format!("a call of a routine that keeps {contract}"));
        let [first, others @ ..] = operands else { return Err(unknown()) };
        if contract.operation() == Operation::Sub {
            return self.differences.result(domain, operands);
        }
        if contract.operation() == Operation::Neg {
            // n is above R / 2
            return match *first == self.modulus {
                true => Ok(self.made(domain, self.count, Power::of_two(self.radix()), Below::Half).into()),
                false => Err(unknown()),
            };
        }
        let x = self.operand(first)?;
        if contract.operation() == Operation::Shl {
            return match x.below {
                Below::Half => {
                    let power = x.power.moved(1).ok_or_else(unknown)?;
                    Ok(self.made(domain, self.count, power, Below::Words).into())
                }
                _ => Err(unknown()),
            };
        }
        let by_argument = contract.any_modulus().is_some();
        let (power, others) = match (contract.expression(), others) {
            (Expression::Product, [y, others @ ..]) => (x.power.times(&self.operand(y)?.power), others),
            (Expression::Square, _) => (x.power.squared(), others),
            (Expression::Value, _) if by_argument => (Some(x.power), others),
            _ => return Err(unknown()),
        };
        let power = power.ok_or_else(|| refused("a power that is too large"))?;
        // the others share what they take
        if contract.expression() == Expression::Product {
            self.spend(&power)?;
        }
        match others {
            [] if !by_argument => return Ok(self.made(domain, 2 * self.count, power, Below::Words).into()),
            [workspace] if by_argument => self.check_workspace(workspace)?,
            _ => return Err(unknown()),
        }
        let power = power.moved(-self.radix()).ok_or_else(unknown)?;
        Ok(self.made(domain, self.count, power, Below::Words).into())
    }
}
