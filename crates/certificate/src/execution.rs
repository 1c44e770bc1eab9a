//! A routine executed over equations, and what its contract says about the result.

use crate::contract::{Contract, Pattern};
use crate::exclusion::vanishes;
use crate::facts::Facts;
use crate::reduce::{Reduction, View};
use crate::sum::Sum;
use rhomb_equations::{Equations, Value};
use rhomb_machine::{Routine, Stopped, Tally};
use rhomb_poly::{Dyadic, Monomial, Polynomial, Variable};

/// The outcome of one execution.
#[derive(Debug)]
pub struct Execution {
    /// Equations between all that was computed.
    pub facts: Facts,
    /// What the contract says: this sum is zero, modulo `2^modulus` if there is one.
    statement: Vec<(Polynomial, Dyadic)>,
    products: Vec<(Monomial, Dyadic)>,
    modulus: Option<i32>,
    /// Demands of the convention that do not hold.
    pub breaches: Vec<String>,
    /// Result words that were never written, or are addresses.
    pub missing: Vec<usize>,
    /// Instructions and cycles, the same for all inputs.
    pub tally: Tally,
    /// Bytes of stack below the return address.
    pub stack_bytes: u32,
}

/// Executes the routine for one aliasing pattern. That it comes to an end says: for all inputs it takes
/// the same path, touches only what the contract gives it, and reads nothing undefined.
pub fn execute<R: Routine>(
    routine: &R,
    contract: &Contract,
    pattern: &Pattern,
) -> Result<Execution, Stopped> {
    let bits = routine.word_bits();
    let mut domain = Equations::new(bits);
    let inputs: Vec<Vec<Variable>> = contract
        .operands(bits)
        .iter()
        .map(|words| (0..*words).map(|_| domain.graph.variable(u32::MAX >> (32 - bits))).collect())
        .collect();
    let operands = pattern.fitting(&inputs);
    let values = |words: &Vec<Variable>| words.iter().map(|word| Value::Variable(*word)).collect();
    let values: Vec<Vec<Value>> = operands.iter().map(values).collect();
    let buffers = contract.buffers(bits, pattern, &values);
    let finished = routine.call(domain, &buffers)?;
    let domain = finished.domain;
    let weight = |column: usize| Dyadic::power((bits as usize * column) as i32);
    let (mut statement, mut missing) = (Vec::new(), Vec::new());
    for (column, word) in finished.buffers[0].iter().enumerate() {
        match word.as_ref().and_then(|word| domain.polynomial(word)) {
            Some(polynomial) => statement.push(((*polynomial).clone(), weight(column))),
            None => missing.push(column),
        }
    }
    let result_words = contract.result(bits) as usize;
    if contract.returns_carry() {
        let sign = if matches!(contract, Contract::Sub { .. }) { -1 } else { 1 };
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
    let modulus = match contract {
        Contract::Mul { .. } | Contract::Sqr { .. } => {
            let b = operands.last().map_or(&[][..], |words| words);
            for (i, x) in operands[0].iter().enumerate() {
                for (j, y) in b.iter().enumerate() {
                    let product = Monomial::variable(*x).times(&Monomial::variable(*y));
                    products.push((product, weight(i + j).negate()));
                }
            }
            // result and product both lie below the modulus, so congruence is equality
            Some((bits as usize * result_words) as i32)
        }
        Contract::Add { .. } => {
            linear(0, -1);
            linear(1, -1);
            None
        }
        Contract::Sub { .. } => {
            linear(0, -1);
            linear(1, 1);
            None
        }
    };
    Ok(Execution {
        facts: Facts::new(domain.graph, bits),
        statement,
        products,
        modulus,
        breaches: finished.breaches.into_iter().map(|breach| breach.text).collect(),
        missing,
        tally: finished.tally,
        stack_bytes: finished.stack_bytes,
    })
}

impl Execution {
    /// What remains of the statement after substitution, multiples of the modulus left out. It is
    /// proved when nothing remains.
    pub fn remainder(&self) -> Sum {
        let mut reduction = Reduction::new(&self.facts, View::Identity, 0, self.facts.graph.len());
        for (polynomial, factor) in &self.statement {
            reduction.add(polynomial, factor);
        }
        for (monomial, factor) in &self.products {
            reduction.add_term(monomial, factor);
        }
        self.modulo(reduction.finish())
    }

    /// Whether a remainder vanishes for all values of its variables that are not excluded.
    pub fn is_proved(&self, remainder: &Sum) -> bool {
        vanishes(remainder, &self.facts, self.modulus)
    }

    /// The modulus is 2 to this power; without one, the remainder must be zero itself.
    pub fn modulus(&self) -> Option<i32> {
        self.modulus
    }

    /// A remainder after further claims about its variables.
    pub fn reduced(&self, remainder: &Sum) -> Sum {
        let mut sum = Sum::zero();
        for (monomial, factor) in remainder.terms() {
            let (mut rest, mut factor) = (Monomial::one(), factor.clone());
            for variable in monomial.variables() {
                match self.facts.claimed(variable.index()) {
                    Some(value) => factor = factor.scale(value.into()),
                    None => rest = rest.times(&Monomial::variable(*variable)),
                }
            }
            sum.add(&rest, &factor);
        }
        self.modulo(sum)
    }

    fn modulo(&self, mut sum: Sum) -> Sum {
        if let Some(modulus) = self.modulus {
            sum.retain(|_, factor| factor.exponent() < modulus);
        }
        sum
    }

    /// The words of the statement, which are the result's.
    pub fn statement(&self) -> impl Iterator<Item = &Polynomial> {
        self.statement.iter().map(|(polynomial, _)| polynomial)
    }
}
