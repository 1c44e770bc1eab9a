//! Programs modulo odd numbers that are arguments, executed but for what they call.
//!
//! A program is executed over normal forms of the bits of exponents, but for calls of routines that keep a contract of Montgomery's
//! arithmetic, add, subtract, make the word that clears a word, or pick one of two numbers by a mask. Of a number that a call leaves,
//! it is known to be congruent to a product of powers modulo one of these odd numbers: products add exponents, divisions by R take
//! from that of two, and what a bit picks of two has exponents that are polynomials in that bit.

use crate::called::Keeps;
use crate::inverse::clearing;
use crate::powers::Power;
use crate::routines::{Differences, Routines, refused};
use rhomb_anf::{Bit, NormalForms, Word};
use rhomb_certificate::{Checkable, Contract, Expression, Operation};
use rhomb_machine::{Callee, Calls, Domain, Fault, Outcome};
use std::collections::HashMap;

/// Words that exponents may take together: more than those of an exponentiation of 4096 bits.
const MOST_WORDS: u64 = 1 << 26;

/// What a number of so many words is below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Below {
    /// The modulus of what it is congruent to.
    Modulus,
    /// R / 2.
    Half,
    /// What its words can say.
    Words,
}

/// A number of which no word is known: what it is congruent to.
#[derive(Clone, Debug)]
pub(crate) struct Number {
    words: usize,
    /// Modulo which one; without, modulo all of them.
    pub(crate) modulus: Option<usize>,
    pub(crate) power: Power,
    pub(crate) below: Below,
}

impl Number {
    /// The same of a number that is congruent to another power modulo what both are.
    fn with(&self, other: &Number, power: Option<Power>) -> Option<Number> {
        let modulus = match (self.modulus, other.modulus) {
            (Some(own), Some(other)) if own != other => return None,
            (own, other) => own.or(other),
        };
        Some(Number { words: self.words, modulus, power: power?, below: self.below.max(other.below) })
    }
}

/// An odd number whose highest bit is set.
struct Modulus {
    words: Vec<Word>,
    /// What is -1/n modulo the base of a word.
    inverses: Vec<Word>,
}

/// What a call made of two numbers as whole numbers.
struct Made {
    words: usize,
    operation: Operation,
    operands: [Vec<Word>; 2],
}

/// A program, and what is known of its numbers.
pub(crate) struct OverPowers<'r> {
    routine: &'r dyn Checkable,
    routines: Routines<'r>,
    /// Words of a number, and bits of a word.
    count: usize,
    bits: u32,
    moduli: Vec<Modulus>,
    differences: Differences,
    /// By the number of the lowest bit, which those of the others follow, as in all others.
    numbers: HashMap<u64, Number>,
    made: HashMap<u64, Made>,
    /// Numbers that are bases of powers.
    bases: Vec<Vec<Word>>,
    /// Bases that are x - y modulo a number, with both.
    between: HashMap<usize, [Vec<Word>; 2]>,
    /// By entry what makes an inverse, and nothing for all else.
    clearing: HashMap<u64, Option<Callee>>,
    /// Words that exponents take.
    size: u64,
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

/// A number without the zeros above it.
pub(crate) fn without_zeros(words: &[Word]) -> &[Word] {
    let zeros = words.iter().rev().take_while(|word| **word == Word::Known(0)).count();
    &words[..words.len() - zeros]
}

impl<'r> OverPowers<'r> {
    /// One on numbers of so many words.
    pub(crate) fn new(routine: &'r dyn Checkable, count: usize, keeps: &'r mut dyn Keeps) -> Self {
        let bits = routine.word_bits();
        let size = bits as usize * count;
        let (words, complement, inverse) = (2 * count + 1, count, 2 * count);
        let by_argument = ["montreduce", "montmul", "montsqr"].map(|name| {
            format!("{name} any {size} workspace {words} complement {complement} inverse {inverse}")
        });
        let others = ["mul SIZE", "sqr SIZE", "neg SIZE", "shl SIZE 1", "sub SIZE", "add SIZE", "add TWICE"];
        let twice = (2 * size).to_string();
        let others = others.map(|name| name.replace("SIZE", &size.to_string()).replace("TWICE", &twice));
        OverPowers {
            routine,
            routines: Routines::new(routine, keeps, count, &[&by_argument[..], &others].concat()),
            count,
            bits,
            moduli: Vec::new(),
            differences: Differences::default(),
            numbers: HashMap::new(),
            made: HashMap::new(),
            bases: Vec::new(),
            between: HashMap::new(),
            clearing: HashMap::new(),
            size: 0,
        }
    }

    /// Any odd number whose highest bit is set, as one modulo which the program computes.
    pub(crate) fn modulus(&mut self, domain: &mut NormalForms) -> Vec<Word> {
        let words: Vec<Word> = (0..self.count).map(|_| domain.arbitrary()).collect();
        self.moduli.push(Modulus { words: words.clone(), inverses: Vec::new() });
        words
    }

    /// Any number of so many words.
    pub(crate) fn any(&mut self, domain: &mut NormalForms, count: usize) -> Vec<Word> {
        let words: Vec<Word> = (0..count).map(|_| domain.arbitrary()).collect();
        self.note_base(&words);
        words
    }

    /// Notes a number that is only known to be itself.
    pub(crate) fn note_base(&mut self, words: &[Word]) {
        let power = Power::of_base(self.base(words));
        self.note(words, Number { words: words.len(), modulus: None, power, below: Below::Words });
    }

    /// The base that a number is.
    pub(crate) fn base(&mut self, words: &[Word]) -> usize {
        let known = self.bases.iter().position(|own| own == words);
        known.unwrap_or_else(|| {
            self.bases.push(words.to_vec());
            self.bases.len() - 1
        })
    }

    /// The bases that are differences.
    pub(crate) fn differences(&self) -> impl Iterator<Item = usize> {
        self.between.keys().copied()
    }

    /// What a base is the difference of, if it is one.
    pub(crate) fn between(&self, base: usize) -> Option<&[Vec<Word>; 2]> {
        self.between.get(&base)
    }

    fn note(&mut self, words: &[Word], number: Number) {
        self.numbers.extend(run(words).map(|first| (first, number)));
    }

    /// New words of a number.
    fn new_number(&mut self, domain: &mut NormalForms, number: Number) -> Vec<Word> {
        let words: Vec<Word> = (0..number.words).map(|_| domain.arbitrary()).collect();
        self.note(&words, number);
        words
    }

    /// New words of what is made of whole numbers.
    fn new_made(&mut self, words: &[Word], operation: Operation, operands: [&Vec<Word>; 2]) {
        let operands = operands.map(Vec::clone);
        let made = Made { words: words.len(), operation, operands };
        self.made.extend(run(words).map(|first| (first, made)));
    }

    /// What is known of a number, which may have zeros above.
    pub(crate) fn number(&self, words: &[Word]) -> Option<&Number> {
        let words = without_zeros(words);
        self.numbers.get(&run(words)?).filter(|own| own.words == words.len())
    }

    /// The numbers that a sum or product is made of.
    pub(crate) fn made_of(&self, words: &[Word], operation: Operation) -> Option<&[Vec<Word>; 2]> {
        let made = self.made.get(&run(words)?)?;
        ((made.operation, made.words) == (operation, words.len())).then_some(&made.operands)
    }

    /// What is known of an operand.
    fn operand(&self, words: &[Word]) -> Result<&Number, Fault> {
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

    /// The modulus that words are.
    fn modulus_of(&self, words: &[Word]) -> Option<usize> {
        self.moduli.iter().position(|own| own.words == words)
    }

    /// That words are n, R - n and -1/n: the number of that modulus.
    fn workspace(&self, words: &[Word]) -> Result<usize, Fault> {
        let [modulus, complement, inverse] =
            [0..self.count, self.count..2 * self.count, 2 * self.count..words.len()].map(|own| &words[own]);
        let own = self.modulus_of(modulus);
        // what is congruent to R and below R / 2 is below n, as R - n is
        let is_complement = |index| {
            let radix = Power::of_two(self.radix());
            self.number(complement).is_some_and(|own| {
                own.below == Below::Half && own.modulus == Some(index) && own.power.is(&radix)
            })
        };
        let is_inverse =
            |index: usize| self.moduli[index].inverses.iter().any(|own| [own.clone()] == *inverse);
        own.filter(|index| is_complement(*index) && is_inverse(*index))
            .ok_or_else(|| refused("a workspace that is not known to be that of the modulus"))
    }

    /// What a bit picks of two numbers.
    fn picked(&mut self, bit: &Bit, unset: &[Word], set: &[Word]) -> Result<Number, Fault> {
        // a number below R, which is below 2 n, less n where that is not negative
        let borrowed = |own: &&crate::routines::Difference| own.words == unset && own.borrow == *bit;
        let reduced = |index: &usize| self.differences.of(set, &self.moduli[*index].words);
        let own = (0..self.moduli.len()).find(|index| reduced(index).as_ref().is_some_and(borrowed));
        if let Some(index) = own {
            let number = self.operand(set)?.clone();
            let power = match number.modulus {
                Some(own) if own != index => Power::of_base(self.base(set)),
                _ => number.power,
            };
            return Ok(Number { modulus: Some(index), power, below: Below::Modulus, ..number });
        }
        // x - y, and n more where that is negative
        if let Some([difference, modulus]) = self.made_of(set, Operation::Add)
            && let Some(index) = self.modulus_of(modulus)
            && difference == unset
            && let Some(own) = self.differences.find(|own| own.words == unset && own.borrow == *bit)
        {
            let operands = [&own.from, &own.less].map(Vec::clone);
            for own in &operands {
                let number = self.operand(own)?;
                if (number.below, number.modulus) != (Below::Modulus, Some(index)) {
                    return Err(refused(
                        "a difference of numbers that are not known to be below the modulus",
                    ));
                }
            }
            let base = self.bases.len();
            // no words are those of a difference
            self.bases.push(Vec::new());
            self.between.insert(base, operands);
            let power = Power::of_base(base);
            return Ok(Number { words: self.count, modulus: Some(index), power, below: Below::Modulus });
        }
        let [x, y] = [self.operand(unset)?, self.operand(set)?];
        let power = if let Bit::Form(form) = bit { x.power.or(&y.power, form) } else { None };
        x.with(y, power).ok_or_else(|| refused("a choice of numbers with other powers of two or moduli"))
    }

    /// What a call for a sum leaves.
    fn sum(&mut self, domain: &mut NormalForms, operands: &[Vec<Word>]) -> Result<Outcome<Word>, Fault> {
        let [x, y] = operands else { return Err(refused("a sum of nothing")) };
        let words: Vec<Word> = x.iter().map(|_| domain.arbitrary()).collect();
        self.new_made(&words, Operation::Add, [x, y]);
        Ok(Outcome { result: words, returned: Some(domain.arbitrary()) })
    }

    /// What a call that keeps a contract leaves of a number of so many words.
    fn kept(
        &mut self,
        domain: &mut NormalForms,
        contract: &Contract,
        operands: &[Vec<Word>],
    ) -> Result<Outcome<Word>, Fault> {
        let unknown = || refused(&format!("a call of a routine that keeps {contract}"));
        let [first, others @ ..] = operands else { return Err(unknown()) };
        let count = self.count;
        match contract.operation() {
            Operation::Sub => return self.differences.result(domain, operands),
            Operation::Add => return self.sum(domain, operands),
            Operation::Neg => {
                // n is above R / 2
                let modulus = Some(self.modulus_of(first).ok_or_else(unknown)?);
                let power = Power::of_two(self.radix());
                let number = Number { words: count, modulus, power, below: Below::Half };
                return Ok(self.new_number(domain, number).into());
            }
            Operation::Shl => {
                let x = self.operand(first)?;
                let power = x.power.moved(1).filter(|_| x.below == Below::Half).ok_or_else(unknown)?;
                let number = Number { words: count, modulus: x.modulus, power, below: Below::Words };
                return Ok(self.new_number(domain, number).into());
            }
            _ => {}
        }
        let by_argument = contract.any_modulus().is_some();
        let x = self.operand(first)?;
        let (number, others) = match (contract.expression(), others) {
            (Expression::Product, [y, others @ ..]) => {
                let y = self.operand(y)?;
                (x.with(y, x.power.times(&y.power)), others)
            }
            (Expression::Square, _) => (x.with(x, x.power.squared()), others),
            (Expression::Value, _) if by_argument => (Some(x.clone()), others),
            _ => return Err(unknown()),
        };
        let number = number.ok_or_else(|| refused("a power that is too large, or of two moduli"))?;
        let number = Number { below: Below::Words, ..number };
        // the others share what they take
        if contract.expression() == Expression::Product {
            self.spend(&number.power)?;
        }
        match others {
            [] if !by_argument => {
                let words = self.new_number(domain, Number { words: 2 * count, ..number });
                if let [x, y] = operands {
                    self.new_made(&words, Operation::Mul, [x, y]);
                }
                Ok(words.into())
            }
            [workspace] if by_argument => {
                let index = self.workspace(workspace)?;
                if number.modulus.is_some_and(|own| own != index) {
                    return Err(refused("a division modulo another number"));
                }
                let power = number.power.moved(-self.radix()).ok_or_else(unknown)?;
                let number = Number { words: count, modulus: Some(index), power, ..number };
                Ok(self.new_number(domain, number).into())
            }
            _ => Err(unknown()),
        }
    }
}

impl Calls<NormalForms> for OverPowers<'_> {
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
            let number = match bit {
                Bit::Known(false) => return Ok(unset.to_vec().into()),
                Bit::Known(true) => return Ok(set.to_vec().into()),
                bit => self.picked(&bit, unset, set)?,
            };
            self.spend(&number.power)?;
            return Ok(self.new_number(domain, number).into());
        }
        if self.clearing.get(&entry).is_some_and(Option::is_some) {
            let word = domain.arbitrary();
            if let [own] = operands {
                let moduli = self.moduli.iter_mut().filter(|modulus| modulus.words[..1] == own[..]);
                moduli.for_each(|modulus| modulus.inverses.push(word.clone()));
            }
            return Ok(vec![word].into());
        }
        let contract = self.routines.contract(entry, operands.len())?;
        self.kept(domain, &contract, operands)
    }
}
