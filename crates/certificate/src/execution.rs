//! A routine executed over equations, and what its contract says about the result.

use crate::exclusion::vanishes;
use crate::facts::{Argument, Facts};
use crate::lemma::Lemma;
use crate::modulo::Modulo;
use crate::reduce::{Reduction, View};
use rhomb_contract::{AnyModulus, Contract, Expression, Modular, Modulus, Pattern};
use rhomb_equations::{Equations, Graph, Value};
use rhomb_machine::{Buffer, Calls, Domain, Finished, Routine, Stopped, Surroundings};
use rhomb_poly::{Dyadic, Monomial, Polynomial, Sum, Variable};
use serde::{Deserialize, Serialize};

/// The outcome of one execution.
#[derive(Debug)]
pub struct Execution {
    /// Equations between all that was computed.
    pub facts: Facts,
    /// What the contract says: this sum is zero, but for multiples of `modulo`.
    statement: Vec<(Polynomial, Dyadic)>,
    products: Vec<(Monomial, Dyadic)>,
    /// What the remainder may be a multiple of.
    pub modulo: Modulo,
    /// Where the result is to be below the modulus: the borrow when it is subtracted from `p - 1`, which is zero.
    borrow: Option<Polynomial>,
    /// Demands of the convention that do not hold.
    pub breaches: Vec<String>,
    /// Result words that were never written, or are addresses.
    pub missing: Vec<usize>,
    /// The first read of what nobody has set.
    pub undefined: Option<Stopped>,
    /// Whether [`Reading::Compiled`] has found anything to tell.
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
pub fn execute<R: Routine>(
    routine: &R,
    contract: &Contract,
    pattern: &Pattern,
    reading: Reading,
    effort: u64,
) -> Result<Execution, Stopped> {
    let executed = |filled| {
        let surroundings = Surroundings { filled, ..Surroundings::default() };
        execute_in(routine, contract, pattern, (reading, effort), |domain, buffers| {
            Ok((routine.call_in(domain, buffers, surroundings)?, Vec::new()))
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

/// Runs of words of which somebody knows what number they are.
pub type Numbers = Vec<(Vec<Variable>, Sum)>;

/// The same where calls are taken over, by somebody who gives what is known of the words of their results.
///
/// # Errors
/// As there.
pub fn execute_composed<R: Routine, C: Calls<Equations>>(
    routine: &R,
    contract: &Contract,
    pattern: &Pattern,
    effort: u64,
    calls: &mut C,
    given: impl FnOnce(&mut C) -> Numbers,
) -> Result<Execution, Stopped> {
    execute_in(routine, contract, pattern, (Reading::Plain, effort), |domain, buffers| {
        let finished = routine.call_composed(domain, buffers, calls)?;
        Ok((finished, given(calls)))
    })
}

fn execute_in<R: Routine>(
    routine: &R,
    contract: &Contract,
    pattern: &Pattern,
    (reading, effort): (Reading, u64),
    call: impl FnOnce(Equations, &[Buffer<Value>]) -> Result<(Finished<Equations>, Numbers), Stopped>,
) -> Result<Execution, Stopped> {
    let bits = routine.word_bits();
    let mut domain = Equations::new(bits);
    if !matches!(contract, Contract::Modular(_) | Contract::AnyModulus(_)) {
        domain = domain.in_parts();
    }
    if reading == Reading::Compiled {
        domain = domain.compiled();
    }
    domain.set_effort(effort);
    let inputs: Vec<Vec<Variable>> = contract
        .operands(bits)
        .iter()
        .map(|words| (0..*words).map(|_| domain.graph.variable(u32::MAX >> (32 - bits))).collect())
        .collect();
    let operands = pattern.fitting(&inputs);
    let values = |words: &Vec<Variable>| words.iter().map(|word| Value::Variable(*word)).collect();
    let values: Vec<Vec<Value>> = operands.iter().map(values).collect();
    let any = contract.any_modulus().zip(operands.last());
    let argument = any.map(|(any, workspace)| argument(any, workspace, bits, &mut domain.graph));
    let buffers = contract.buffers(bits, pattern, &values);
    let (finished, numbers) = call(domain, &buffers)?;
    let mut breaches: Vec<String> = finished.breaches.into_iter().map(|breach| breach.text).collect();
    if let (Some((any, _)), Some(before), Some(after)) = (any, values.last(), finished.buffers.last())
        && any.constants(bits).any(|at| after[at].as_ref() != Some(&before[at]))
    {
        breaches.push("the modulus, or what belongs to it, is not what it was at the call".to_owned());
    }
    let mut domain = finished.domain;
    let borrow = contract.modular().filter(|modular| modular.canonical);
    let borrow = borrow.and_then(|own| borrow_below(&own.modulus, &finished.buffers[0], &mut domain));
    let weight = |column: usize| Dyadic::power((bits as usize * column) as i32);
    let shift = contract.shift(bits) as i32;
    let (mut statement, mut missing) = (Vec::new(), Vec::new());
    for (column, word) in finished.buffers[0].iter().enumerate() {
        match word.as_ref().and_then(|word| domain.polynomial(word)) {
            Some(polynomial) => statement.push(((*polynomial).clone(), weight(column).shift(shift))),
            None => missing.push(column),
        }
    }
    let result_words = contract.result(bits) as usize;
    if contract.returns_carry() {
        let sign = if contract.expression() == Expression::Difference { -1 } else { 1 };
        match finished.returned.as_ref().and_then(|word| domain.polynomial(word)) {
            Some(polynomial) => statement.push(((*polynomial).clone(), weight(result_words).scale(sign))),
            None => missing.push(result_words),
        }
    }
    let mut products = Vec::new();
    let mut linear = |operand: usize, sign: i64| {
        for (column, word) in operands[operand].iter().enumerate() {
            statement.push((Polynomial::variable(*word), weight(column).scale(sign)));
        }
    };
    match contract.expression() {
        Expression::Product | Expression::Square => {
            let b = usize::from(contract.expression() == Expression::Product);
            for (i, x) in operands[0].iter().enumerate() {
                for (j, y) in operands[b].iter().enumerate() {
                    let product = Monomial::variable(*x).times(&Monomial::variable(*y));
                    products.push((product, weight(i + j).negate()));
                }
            }
        }
        Expression::Sum => (0..2).for_each(|operand| linear(operand, -1)),
        Expression::Difference => (0..2).for_each(|operand| linear(operand, [-1, 1][operand])),
        Expression::Value => linear(0, -i64::from(contract.times())),
        // equations do not say what a power is: nothing is proved
        Expression::Inverse => missing.push(0),
    }
    let modulo = match (contract.modular(), products.is_empty()) {
        _ if argument.is_some() => Modulo::Argument,
        (Some(modular), _) => Modulo::Odd(modular.modulus.number()),
        // result and product both lie below this power, so congruence is equality
        (None, false) => Modulo::Power((bits as usize * result_words) as i32),
        (None, true) => Modulo::Nothing,
    };
    let has_found = domain.has_found();
    let mut graph = domain.graph;
    let (argument, complement) = argument.unzip();
    let given = contract.modular().map(|modular| reduced(modular, &operands, bits, &mut graph));
    let mut facts = Facts::new(graph, bits);
    facts.set_effort(effort.saturating_sub(facts.graph.terms()));
    facts.set_size(bits * (contract.operands(bits).iter().sum::<u32>() + contract.result(bits)));
    let numbers = numbers.into_iter().map(|(words, value)| Lemma::given(&words, value));
    given.into_iter().flatten().chain(complement).chain(numbers).for_each(|lemma| facts.record_lemma(lemma));
    facts.argument = argument;
    Ok(Execution {
        facts,
        statement,
        products,
        modulo,
        borrow,
        breaches,
        missing,
        undefined: None,
        has_found,
    })
}

/// The borrow when the result is subtracted from `p - 1`; `None` where words are missing: then nothing is proved.
fn borrow_below(modulus: &Modulus, result: &[Option<Value>], domain: &mut Equations) -> Option<Polynomial> {
    let mut borrow = domain.bit(false);
    for (most, word) in modulus.less_one(domain.bits()).into_iter().zip(result) {
        let most = domain.word(most);
        (_, borrow) = domain.sub(&most, word.as_ref()?, &borrow);
    }
    Some((*domain.bit_polynomial(&borrow)).clone())
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

/// That operands are below the modulus, where the contract says so: `p - 1` less such an operand is a number of as
/// many words, of which nothing else is known.
fn reduced(modular: &Modular, operands: &[Vec<Variable>], bits: u32, graph: &mut Graph) -> Vec<Lemma> {
    let most = Dyadic::whole(modular.modulus.number() - 1u8);
    let is_reduced = |(index, _): &(usize, &Vec<Variable>)| modular.is_reduced(*index);
    let given = operands.iter().enumerate().filter(is_reduced).map(|(_, words)| {
        let slack: Vec<Variable> = words.iter().map(|_| graph.variable(u32::MAX >> (32 - bits))).collect();
        let mut value = Sum::number(&slack, bits, &Dyadic::new(-1, 0));
        value.add(&Monomial::one(), &most);
        Lemma::given(words, value)
    });
    given.collect()
}

impl Execution {
    /// What remains of the statement after substitution, multiples of the modulus left out. It is
    /// proved when nothing remains.
    pub fn remainder(&self) -> Sum {
        let mut reduction = Reduction::new(&self.facts, View::Identity, 0, self.facts.graph.len());
        if self.modulo == Modulo::Argument {
            reduction.keep_digits(true);
        }
        for (polynomial, factor) in &self.statement {
            reduction.add(polynomial, factor);
        }
        for (monomial, factor) in &self.products {
            reduction.add_term(monomial, factor);
        }
        self.without_multiples(reduction.finish())
    }

    /// What else has to vanish: the borrow, after substitution, where the result is to be below the modulus.
    pub fn excess(&self) -> Sum {
        let mut reduction = Reduction::new(&self.facts, View::Identity, 0, self.facts.graph.len());
        self.borrow.iter().for_each(|borrow| reduction.add(borrow, &Dyadic::new(1, 0)));
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

    /// The words of the statement, which are the result's.
    pub fn statement(&self) -> impl Iterator<Item = &Polynomial> {
        self.statement.iter().map(|(polynomial, _)| polynomial)
    }
}
