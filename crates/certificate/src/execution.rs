//! A routine executed over equations, and what its contract says about the result.

use crate::calls::{Callees, KnownWords};
use crate::checkable::Checkable;
use crate::compared::outcome;
use crate::exclusion::vanishes;
use crate::facts::{Argument, Facts};
use crate::lemma::Lemma;
use crate::modulo::Modulo;
use crate::reduce::{Reduction, View};
use num_bigint::BigUint;
use rhomb_contract::{AnyModulus, Contract, Expression, Limbs, Pattern, Returned, Word, words};
use rhomb_equations::{Equations, Graph, Value};
use rhomb_machine::{Arguments, Calls, Domain, Finished, Stopped, Surroundings};
use rhomb_poly::{BoundedNumber, Dyadic, Monomial, Polynomial, Sum, Variable};
use serde::{Deserialize, Serialize};

/// The breach of a routine that is to return 0.
pub(crate) const NOT_ZERO: &str = "it is not known to return 0 in every call";

/// The outcome of one execution.
#[derive(Debug)]
pub struct Execution {
    /// Equations between all that was computed.
    pub facts: Facts,
    /// What the contract says, for each number that the result is made of: this sum is zero, but for multiples of `modulo`.
    statements: Vec<Vec<(Polynomial, Dyadic)>>,
    /// How many terms of the first one are the words of its number, which come first.
    words: usize,
    /// Products that belong to the first one.
    products: Vec<(Monomial, Dyadic)>,
    /// What the remainder may be a multiple of.
    pub modulo: Modulo,
    /// What else is zero, numbers none of which is negative: where the result is to be below a bound, the borrow when it is
    /// subtracted from the number before; what is returned, where that is to be 0.
    zeros: Vec<Polynomial>,
    /// Demands of the convention that do not hold.
    pub breaches: Vec<String>,
    /// Result words that were never written, or are addresses.
    pub missing: Vec<usize>,
    /// The first read of what nobody has set.
    pub undefined: Option<Stopped>,
    /// Whether another reading than [`Reading::Plain`] has found anything to tell.
    pub has_found: bool,
}

/// How equations are made of code. Both are right; what one of them tells in a form that leads to a proof, the other may hide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reading {
    /// Instruction by instruction.
    #[default]
    Plain,
    /// As what compilers make of carries: see [`Equations::compiled`].
    Compiled,
    /// So, but that masks which are added stay words: see [`Equations::with_masks`].
    Masks,
    /// So, but that a number has one sign for all its cuts: see [`Equations::with_signs`].
    Signs,
    /// So, but that numbers compared with constants word by word are told as such: see [`Equations::with_ranks`].
    Ranks,
    /// As what compilers make of carries, and paths that come to one place go on as one: see [`Equations::with_paths`].
    Paths,
}

impl Reading {
    /// Whether it is [`Reading::Plain`].
    pub fn is_plain(&self) -> bool {
        *self == Reading::Plain
    }
}

/// Executes the routine for one aliasing pattern. That it comes to an end says: for all inputs it takes
/// the same path, and touches only what the contract gives it. Where it reads what nobody has set, words stand for that
/// of which nothing is known, see [`Execution::undefined`]. What it costs is taken off the effort, and the facts have
/// the rest.
///
/// # Errors
/// Why the execution does not come to its end; that something undefined is read where that decides the way.
pub fn execute(
    routine: &dyn Checkable,
    contract: &Contract,
    pattern: &Pattern,
    reading: Reading,
    effort: u64,
) -> Result<Execution, Stopped> {
    let executed = |filled| {
        let surroundings = Surroundings { filled, ..Surroundings::default() };
        execute_in(routine, contract, pattern, (reading, effort), &mut |domain, given, known| {
            Ok((routine.over_in(domain, given, surroundings)?, known))
        })
    };
    match executed(false) {
        Err(stopped) if stopped.fault.is_undefined() => match executed(true) {
            Ok(execution) => Ok(Execution { undefined: Some(stopped), ..execution }),
            Err(_) => Err(stopped),
        },
        outcome => outcome,
    }
}

/// The same where calls are taken over by somebody who has [`Callees`].
///
/// # Errors
/// As there.
pub fn execute_composed<C: Calls<Equations> + AsMut<Callees>>(
    routine: &dyn Checkable,
    contract: &Contract,
    pattern: &Pattern,
    reading: Reading,
    effort: u64,
    calls: &mut C,
) -> Result<Execution, Stopped> {
    execute_in(routine, contract, pattern, (reading, effort), &mut |domain, given, known| {
        calls.as_mut().known_words = known;
        let finished = routine.over_composed(domain, given, calls)?;
        Ok((finished, std::mem::take(&mut calls.as_mut().known_words)))
    })
}

/// How a call ended, and what is known of words then.
type Executed = Result<(Finished<Equations>, KnownWords), Stopped>;

fn execute_in(
    routine: &dyn Checkable,
    contract: &Contract,
    pattern: &Pattern,
    (reading, effort): (Reading, u64),
    call: &mut dyn FnMut(Equations, &Arguments<Value>, KnownWords) -> Executed,
) -> Result<Execution, Stopped> {
    let bits = routine.word_bits();
    let mut domain = Equations::new(bits);
    if contract.modular().is_none() && contract.any_modulus().is_none() {
        domain = domain.in_parts();
    }
    let is_signed = contract.limbs.is_some_and(|limbs| limbs.is_signed());
    if is_signed {
        domain = domain.with_signed_limbs();
    }
    domain = match reading {
        Reading::Plain => domain,
        Reading::Compiled => domain.compiled(),
        Reading::Masks => domain.with_masks(),
        Reading::Signs => domain.with_signs(),
        Reading::Paths => domain.with_paths(),
        Reading::Ranks => domain.with_ranks(),
    };
    if reading != Reading::Plain && pattern.result_on.len() > 1 {
        domain = domain.same_operands();
    }
    domain.set_effort(effort);
    let inputs: Vec<Vec<Variable>> = contract
        .operands(bits)
        .iter()
        .enumerate()
        .map(|(operand, words)| {
            let is_bit = *words == 1 && contract.bound(operand, bits) == Some(BigUint::from(2u8));
            // what lies in one place is below the bounds of all that lie there
            let here = pattern.result_on.iter().filter(|_| pattern.result_on.contains(&operand)).copied();
            let most = |index| {
                let bounds = here.clone().chain([operand]).map(|own| contract.most(bits, own, index));
                bounds.fold(u64::MAX, u64::min) as u32
            };
            let most = |index| match is_bit {
                true => 1,
                // by how much a limb is above the smallest one
                false if is_signed => 2 * most(index),
                false => most(index),
            };
            (0..*words as usize).map(|index| domain.graph.variable(most(index))).collect()
        })
        .collect();
    let operands = pattern.fitting(&inputs);
    domain.graph.bound_numbers(bounded_numbers(contract, &operands, bits));
    // of a bit nothing is taken away
    let middle = |word: &Variable, domain: &Equations| match is_signed && !word.is_bit() {
        true => domain.graph.most(*word) / 2,
        false => 0,
    };
    let mut value = |word: &Variable| match middle(word, &domain) {
        // the upper words of a short limb
        0 if domain.graph.most(*word) == 0 => domain.word(0),
        0 => Value::Variable(*word),
        middle => {
            let (middle, no_borrow) = (domain.word(middle as u64), domain.bit(false));
            domain.sub(&Value::Variable(*word), &middle, &no_borrow).0
        }
    };
    let values: Vec<Vec<Value>> =
        operands.iter().map(|words| words.iter().map(&mut value).collect()).collect();
    let any = contract.any_modulus().zip(operands.last());
    let argument = any.map(|(any, workspace)| argument(any, workspace, bits, &mut domain.graph));
    // the inputs are the words in memory where bytes are turned, else those of numbers
    let each = contract.limbs.map_or(1, |limbs| limbs.words_of_each(bits));
    let (mut numbers, mut in_memory) = (Vec::new(), Vec::new());
    for (operand, words) in values.iter().enumerate() {
        let has_turned_bytes = contract.has_turned_bytes(Some(operand), bits);
        let other = match contract.is_turned(Some(operand)) {
            true => turned(words, each, has_turned_bytes, &mut domain),
            false => words.clone(),
        };
        let (number, memory) = if has_turned_bytes { (other, words.clone()) } else { (words.clone(), other) };
        numbers.push(number);
        in_memory.push(memory);
    }
    let given = contract.arguments(bits, pattern, &in_memory, |word| match word {
        Word::Number(number) => domain.word(number),
        Word::Negative(value) => {
            let (zero, no_borrow) = (domain.word(0), domain.bit(false));
            domain.sub(&zero, value, &no_borrow).0
        }
    });
    let bounded_operands = values.iter().enumerate();
    let bounded_operands = bounded_operands
        .filter_map(|(operand, words)| Some((words.clone(), contract.bound_of_words(operand, bits)?)));
    let known = KnownWords { below: bounded_operands.collect(), ..KnownWords::default() };
    let (finished, known) = call(domain, &given, known)?;
    let mut breaches: Vec<String> = finished.breaches.into_iter().map(|breach| breach.text).collect();
    if let (Some((any, _)), Some(before), Some(after)) = (any, values.last(), finished.buffers.last())
        && any.constants(bits).any(|at| after[at].as_ref() != Some(&before[at]))
    {
        breaches.push("the modulus, or what belongs to it, is not what it was at the call".to_owned());
    }
    let mut domain = finished.domain;
    let mut result: Vec<Option<Value>> = contract.result_of(&finished.buffers).cloned().collect();
    let all: Option<Vec<Value>> = result.iter().cloned().collect();
    if let Some(words) = all.filter(|words| contract.is_turned(None) && !words.is_empty()) {
        let chunks = words.chunks(words.len() / contract.numbers());
        let bytes = contract.has_turned_bytes(None, bits);
        result = chunks.flat_map(|words| turned(words, each, bytes, &mut domain)).map(Some).collect();
    }
    if is_signed {
        for (index, word) in result.iter_mut().enumerate() {
            let middle = contract.limbs.map_or(0, |limbs| limbs.most_of_result(index));
            let (middle, none) = (domain.word(middle), domain.bit(false));
            *word = word.as_ref().map(|word| domain.add(word, &middle, &none).0);
        }
    }
    let below = match (contract.limbs, contract.result_bound(bits)) {
        (Some(limbs), _) => borrows_of_limbs(&limbs, bits, &result, &mut domain),
        (None, Some(bound)) if known.has(&result, &bound) => None,
        (None, bound) => bound.and_then(|bound| borrow_below(&bound, &result, &mut domain)),
    };
    let mut zeros = Vec::from_iter(below);
    let weight = |column: usize| Dyadic::power(contract.weight(bits, column) as i32);
    let shift = contract.shift(bits) as i32;
    let (mut missing, mut rests) = (Vec::new(), Vec::new());
    let result_words = contract.result(bits) as usize;
    let results = contract.expression().results() as usize;
    let mut statements = vec![Vec::new(); results];
    let own_words = contract.words_of_each(bits) as usize;
    for (at, word) in result.iter().enumerate() {
        // what lies behind one number is the next one, if there is one
        let part = (results - 1).min(at.checked_div(own_words).unwrap_or(0));
        let column = at - part * own_words;
        match word.as_ref().and_then(|word| domain.polynomial(word)) {
            Some(polynomial) => {
                statements[part].push(((*polynomial).clone(), weight(column).shift(shift)));
            }
            None => missing.push(at),
        }
    }
    let (statement, others) = statements.split_at_mut(1);
    let statement = &mut statement[0];
    match contract.returned() {
        own @ (Returned::Carry | Returned::Mask) => {
            let sign = if contract.expression().borrows() { -1 } else { 1 };
            let returned = [&finished.returned].into_iter().chain(&finished.returned_above);
            let mut borrow = domain.bit(false);
            let mut number = |word: &Option<Value>| {
                let word = word.clone()?;
                let zero = domain.word(0);
                match own {
                    Returned::Mask => {
                        let negated;
                        (negated, borrow) = domain.sub(&zero, &word, &borrow);
                        Some(negated)
                    }
                    _ => Some(word),
                }
            };
            let returned: Vec<Option<Value>> = returned.map(&mut number).collect();
            if contract.expression().is_comparison() {
                let read = returned[0].as_ref().and_then(|word| domain.polynomial(word));
                // bytes that lie the other way round are compared one by one
                if contract.has_turned_bytes(Some(0), bits) {
                    for words in &mut numbers {
                        *words = words.iter().flat_map(|word| bytes_of(word, &mut domain)).collect();
                    }
                }
                match read.as_ref().and_then(|read| outcome(contract, &numbers, read, &mut domain)) {
                    Some(outcome) => statement.push((outcome, Dyadic::new(-1, 0))),
                    None => missing.push(0),
                }
            }
            for (at, word) in returned.iter().enumerate() {
                let weight = weight(result_words).shift((bits as usize * at) as i32);
                match word.as_ref().and_then(|word| domain.polynomial(word)) {
                    Some(polynomial) => statement.push(((*polynomial).clone(), weight.scale(sign))),
                    None => missing.push(result_words + at),
                }
                // above -1 all is ones
                if let (1.., Expression::Order, Some(lowest)) = (at, contract.expression(), &returned[0]) {
                    let sign_word = sign_of(lowest, &mut domain);
                    match domain.polynomial(&sign_word) {
                        Some(above) => statement.push(((*above).clone(), weight.scale(-sign))),
                        None => missing.push(result_words + at),
                    }
                }
            }
        }
        Returned::Zero => {
            for word in std::iter::once(&finished.returned).chain(&finished.returned_above) {
                match word.as_ref().and_then(|word| domain.polynomial(word)) {
                    Some(returned) if returned.as_constant().is_none_or(|constant| constant == 0) => {
                        zeros.push((*returned).clone());
                    }
                    _ => breaches.push(NOT_ZERO.to_owned()),
                }
            }
        }
        Returned::Void | Returned::Result => {}
    }
    // what a shift to the right leaves out
    if let (rest @ 1.., Some(lowest)) = (contract.rest(), numbers.first().and_then(|words| words.first())) {
        let low = domain.word((1 << rest) - 1);
        let low = domain.and(lowest, &low);
        match domain.polynomial(&low) {
            Some(polynomial) => rests.push(((*polynomial).clone(), Dyadic::new(1, 0))),
            None => missing.push(0),
        }
    }
    let signed = |word: &Variable| {
        Polynomial::variable(*word).plus_multiple(&Polynomial::constant(middle(word, &domain)), -1)
    };
    let polynomial = |word: &Value| domain.polynomial(word).map(|word| (*word).clone());
    let numbers: Option<Vec<Vec<Polynomial>>> = match is_signed {
        true => operands.iter().map(|words| words.iter().map(signed).collect()).collect(),
        false => numbers.iter().map(|words| words.iter().map(polynomial).collect()).collect(),
    };
    let numbers = numbers.unwrap_or_else(|| {
        missing.push(0);
        vec![Vec::new(); operands.len()]
    });
    let mut products = Vec::new();
    let (upper, raise) = (contract.radix(bits) as i32, contract.raise(bits) as i32);
    for term in contract.expression().terms() {
        let times = i64::from(contract.times_of(term));
        let sign = if term.is_negative { times } else { -times };
        // what is upper belongs to the number above, where that is one by itself
        let (statement, upper) = match others.first_mut().filter(|_| term.is_upper) {
            Some(above) => (above, 0),
            None => (&mut *statement, if term.is_upper { upper } else { 0 }),
        };
        let weight = |column: usize| weight(column).shift(raise + upper);
        match *term.operands {
            [operand] => {
                for (column, word) in numbers[operand].iter().enumerate() {
                    statement.push((word.clone(), weight(column).scale(sign)));
                }
            }
            [_, _] if results > 1 => missing.push(0),
            [x, y] => {
                for (i, x) in numbers[x].iter().enumerate() {
                    for (j, y) in numbers[y].iter().enumerate() {
                        let column = weight(i).shift(contract.weight(bits, j) as i32).scale(sign);
                        match x.times(y) {
                            Some(product) => products.extend(
                                product
                                    .terms()
                                    .iter()
                                    .map(|(own, factor)| (own.clone(), column.scale(*factor))),
                            ),
                            None => missing.push(0),
                        }
                    }
                }
            }
            _ => missing.push(0),
        }
    }
    statement.extend(rests);
    if let Some(limbs) = contract.limbs.filter(|_| is_signed) {
        for column in 0..result_words {
            let middle = Polynomial::constant(limbs.most_of_result(column) as i64);
            statement.push((middle, weight(column).shift(shift).scale(-1)));
        }
    }
    if contract.expression() == Expression::Inverse {
        // equations do not say what a power is: nothing is proved
        missing.push(0);
    }
    let modulo = match (contract.modular(), contract.power(bits)) {
        _ if argument.is_some() => Modulo::Argument,
        (Some(modular), _) => Modulo::Odd(modular.modulus.number()),
        // result and value both lie below this power, or are compared modulo it, so congruence is equality
        (None, Some(power)) => Modulo::Power(power as i32),
        (None, None) => Modulo::Nothing,
    };
    let has_found = domain.has_found();
    let mut graph = domain.graph;
    let (argument, complement) = argument.unzip();
    let given = bounded(contract, &operands, bits, &mut graph);
    let mut facts = Facts::new(graph, bits);
    facts.set_effort(effort.saturating_sub(facts.graph.terms()));
    facts.set_size(bits * (contract.operands(bits).iter().sum::<u32>() + contract.result(bits)));
    let numbers = known.numbers.into_iter().map(|(words, value)| Lemma::given(&words, value));
    for (operand, words) in operands.iter().enumerate() {
        if let Some(bound) = contract.bound_of_words(operand, bits) {
            facts.record_bound(words.iter().map(|own| own.index() as u32).collect(), bound - 1u8);
        }
    }
    given.into_iter().chain(complement).chain(numbers).for_each(|lemma| facts.record_lemma(lemma));
    facts.argument = argument;
    Ok(Execution {
        facts,
        statements,
        words: own_words,
        products,
        modulo,
        zeros,
        breaches,
        missing,
        undefined: None,
        has_found,
    })
}

/// The bytes of a word, the lowest first.
fn bytes_of(word: &Value, domain: &mut Equations) -> Vec<Value> {
    let (mut bytes, mut rest) = (Vec::new(), word.clone());
    for _ in 1..domain.bits() / 8 {
        let (byte, above) = domain.split(&rest, 8);
        bytes.push(byte);
        rest = above;
    }
    bytes.push(rest);
    bytes
}

/// The words of a number the other way round, and their bytes where these go with them; limbs of so many words stay what they are.
fn turned(words: &[Value], each: usize, has_turned_bytes: bool, domain: &mut Equations) -> Vec<Value> {
    let mut word = |own: &Value| {
        let mut turned = domain.word(0);
        for byte in bytes_of(own, domain) {
            let (moved, _) = domain.shift_left(&turned, 8);
            turned = domain.or(&moved, &byte);
        }
        turned
    };
    let words = words.chunks(each).rev().flatten();
    if has_turned_bytes { words.map(&mut word).collect() } else { words.cloned().collect() }
}

/// The borrow when the result is subtracted from the number before `bound`; `None` where words are missing: then nothing is
/// proved.
fn borrow_below(bound: &BigUint, result: &[Option<Value>], domain: &mut Equations) -> Option<Polynomial> {
    let mut borrow = domain.bit(false);
    for (most, word) in words(&(bound - 1u8), domain.bits(), result.len() as u32).into_iter().zip(result) {
        let most = domain.word(most);
        (_, borrow) = domain.sub(&most, word.as_ref()?, &borrow);
    }
    Some((*domain.bit_polynomial(&borrow)).clone())
}

/// All ones where the highest bit of a word is 1, else 0.
fn sign_of(word: &Value, domain: &mut Equations) -> Value {
    let (_, sign) = domain.split(word, domain.bits() - 1);
    let (zero, no_borrow) = (domain.word(0), domain.bit(false));
    domain.sub(&zero, &sign, &no_borrow).0
}

/// The sum of the borrows when the limbs of the result are subtracted from the largest that they may be. None is negative, so
/// that none is there where the sum is 0.
fn borrows_of_limbs(
    limbs: &Limbs,
    bits: u32,
    result: &[Option<Value>],
    domain: &mut Equations,
) -> Option<Polynomial> {
    let mut sum = Polynomial::zero();
    for (index, words) in result.chunks(limbs.words_of_each(bits)).enumerate() {
        let most = limbs.most_of_result(index);
        let most = if limbs.is_signed() { 2 * most } else { most };
        let mut borrow = domain.bit(false);
        for (most, word) in limbs.parted(bits, &[most]).into_iter().zip(words) {
            let most = domain.word(most);
            (_, borrow) = domain.sub(&most, word.as_ref()?, &borrow);
        }
        sum = sum.plus_multiple(&domain.bit_polynomial(&borrow), 1)?;
    }
    Some(sum)
}

/// The modulus of a workspace, and that `R - n` stands there.
fn argument(any: &AnyModulus, workspace: &[Variable], bits: u32, graph: &mut Graph) -> (Argument, Lemma) {
    let words = any.words(bits) as usize;
    let (modulus, complement) = (&workspace[..words], &workspace[any.complement as usize..][..words]);
    let mut value = Sum::number(modulus, bits, &Dyadic::new(-1, 0));
    value.add(&Monomial::one(), &Dyadic::power((bits as usize * words) as i32));
    let quotient = graph.variable(u32::MAX >> (32 - bits));
    let zero = Lemma::given(modulus, Sum::default());
    let argument = Argument { zero, inverse: workspace[any.inverse as usize], quotient };
    (argument, Lemma::given(complement, value))
}

/// That operands are below their bounds, where the contract says so: the number before the bound less such an operand is a
/// number of as many words, of which nothing else is known.
fn bounded(contract: &Contract, operands: &[Vec<Variable>], bits: u32, graph: &mut Graph) -> Vec<Lemma> {
    let bounded = operands.iter().enumerate().filter_map(|(index, words)| {
        let most = Dyadic::whole(contract.bound_of_words(index, bits)? - 1u8);
        // of a bit it is known anyway
        if words.iter().all(|word| word.is_bit()) {
            return None;
        }
        let slack: Vec<Variable> = words.iter().map(|_| graph.variable(u32::MAX >> (32 - bits))).collect();
        let mut value = Sum::number(&slack, bits, &Dyadic::new(-1, 0));
        value.add(&Monomial::one(), &most);
        Some(Lemma::given(words, value))
    });
    bounded.collect()
}

/// The same of operands in limbs: their weights, and the largest number that they may be.
fn bounded_numbers(contract: &Contract, operands: &[Vec<Variable>], bits: u32) -> Vec<BoundedNumber> {
    if contract.limbs.is_none() {
        return Vec::new();
    }
    let whole = |(index, words): (usize, &Vec<Variable>)| {
        let most = Dyadic::whole(contract.bound(index, bits)? - 1u8);
        let weight = |at| Dyadic::power(contract.weight(bits, at) as i32);
        Some(BoundedNumber {
            limbs: words.iter().enumerate().map(|(at, word)| (*word, weight(at))).collect(),
            most,
        })
    };
    operands.iter().enumerate().filter_map(whole).collect()
}

impl Execution {
    /// How many numbers the result is made of, for each of which there is a statement.
    pub fn results(&self) -> usize {
        self.statements.len()
    }

    /// What remains of the statement about one of the result's numbers after substitution, multiples of the modulus left out. It is
    /// proved when nothing remains.
    pub fn remainder(&self, part: usize) -> Sum {
        let mut reduction = Reduction::new(&self.facts, View::Identity, 0, self.facts.graph.len());
        if self.modulo == Modulo::Argument {
            reduction.keep_digits(true);
        }
        for (polynomial, factor) in &self.statements[part] {
            reduction.add(polynomial, factor);
        }
        for (monomial, factor) in self.products.iter().filter(|_| part == 0) {
            reduction.add_term(monomial, factor);
        }
        self.without_multiples(reduction.finish())
    }

    /// What else has to vanish, after substitution: that the result is below its bound, and what is returned, where it is to be 0.
    pub fn excess(&self) -> Sum {
        let mut reduction = Reduction::new(&self.facts, View::Identity, 0, self.facts.graph.len());
        self.zeros.iter().for_each(|zero| reduction.add(zero, &Dyadic::new(1, 0)));
        reduction.finish()
    }

    /// Whether a remainder vanishes for all values of its variables that are not excluded.
    pub fn is_proved(&self, remainder: &Sum) -> bool {
        vanishes(remainder, &self.facts, &self.modulo)
    }

    /// A remainder after further claims about its variables.
    pub fn reduced(&self, remainder: &Sum) -> Sum {
        self.without_multiples(self.facts.where_fixed(remainder, &[]))
    }

    fn without_multiples(&self, mut sum: Sum) -> Sum {
        sum.retain(|_, factor| !self.modulo.ignores(factor));
        sum
    }

    /// Whether every statement vanishes: the checker's question.
    pub fn holds(&self) -> bool {
        (0..self.results()).all(|part| self.is_proved(&self.remainder(part)))
    }

    /// The words of the result's first number, lowest first.
    pub fn result(&self) -> impl Iterator<Item = &Polynomial> {
        self.statements[0].iter().take(self.words).map(|(word, _)| word)
    }

    /// The words of the statements, which are the result's.
    pub fn statement(&self) -> impl Iterator<Item = &Polynomial> {
        self.statements.iter().flatten().map(|(polynomial, _)| polynomial)
    }
}
