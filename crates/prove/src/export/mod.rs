//! The statement that a proof is about, for other people's tools: the equations of the instructions, and what
//! the contract says about the result. Nothing of the proof itself goes in, but for CryptoLine the constant
//! carries, which it is asked to confirm.

mod cryptoline;
mod smt;

use crate::provable::Provable;
use crate::unproved::Unproved;
use rhomb_certificate::{
    Certificate, Contract, EFFORT, Execution, Expression, Operation, Pattern, Reading, execute, kept,
};
use rhomb_equations::Graph;
use rhomb_poly::{Polynomial, Variable};

/// What is to be shown for one aliasing pattern.
struct Obligation {
    execution: Execution,
    pattern: &'static Pattern,
    contract: Contract,
    word_bits: u32,
    /// The operands' words, lowest first; those that lie in one place have the same.
    operands: Vec<Vec<Variable>>,
    /// The result's words, lowest first, and the returned carry or borrow where there is one.
    result: Vec<Polynomial>,
    /// By index: the variables on which the result depends, directly or through equations, and the operands.
    needed: Vec<bool>,
}

impl Obligation {
    fn new(
        routine: &dyn Provable,
        contract: &Contract,
        pattern: &'static Pattern,
        reading: Reading,
    ) -> Result<Self, Unproved> {
        if contract.binary().is_some() {
            return Err(Unproved::NotWritten("a statement about polynomials over GF(2)"));
        }
        if contract.expression() == Expression::Inverse {
            return Err(Unproved::NotWritten("a statement about inverses"));
        }
        let is_known = |own: &Contract| own.bounds.result.is_none() || own.is_canonical();
        if Operation::FOREIGN.contains(&contract.operation())
            || !contract.prototype.is_default()
            || contract.limbs.is_some()
            || !contract.big_endian.is_none()
            || !is_known(contract)
        {
            return Err(Unproved::NotWritten("a statement about such an operation, prototype or bound"));
        }
        if contract.any_modulus().is_some() {
            return Err(Unproved::NotWritten("a statement about a modulus that is an argument"));
        }
        let execution = execute(routine, contract, pattern, reading, EFFORT)?;
        kept(&execution.breaches, &execution.missing)
            .map_err(|breach| Unproved::Breach(breach.to_string()))?;
        let word_bits = routine.word_bits();
        // the operands are the first variables, and the statement begins with the result
        let mut next = 0;
        let mut words = |count: &u32| {
            let first = next;
            next += *count as usize;
            (first..next).map(|index| execution.facts.graph.variable_at(index)).collect()
        };
        let operands: Vec<Vec<Variable>> = contract.operands(word_bits).iter().map(&mut words).collect();
        // where both operands lie in one place, they are one
        let operands = pattern.fitting(&operands);
        let length = contract.result(word_bits) as usize + usize::from(contract.returns_carry());
        let result: Vec<Polynomial> = execution.statement().take(length).cloned().collect();
        let first = operands.iter().flatten().copied().chain(result.iter().flat_map(Polynomial::variables));
        let needed = needed(&execution.facts.graph, first);
        Ok(Obligation { execution, pattern, contract: *contract, word_bits, operands, result, needed })
    }

    /// Whether a variable belongs to an operand.
    fn is_operand(&self, index: usize) -> bool {
        index < self.operands.iter().map(Vec::len).sum()
    }

    /// What the file is, one sentence a line.
    fn title(&self, identity: &str) -> Vec<String> {
        vec![
            format!("{} on {identity}, {}.", self.contract, self.pattern.name),
            "Equations of the instructions on which the result depends, from the machine code.".to_owned(),
        ]
    }
}

/// The variables that `first` depend on, and those.
fn needed(graph: &Graph, first: impl Iterator<Item = Variable>) -> Vec<bool> {
    let mut needed = vec![false; graph.len()];
    first.for_each(|variable| needed[variable.index()] = true);
    // what an equation is made of is older than what it makes
    for index in (0..graph.len()).rev().filter(|index| graph.defining_low(*index).is_some()) {
        let Some(equation) = graph.defining_low(index) else { continue };
        let high = equation.high.map(|(high, _)| high.index());
        if needed[index] || high.is_some_and(|high| needed[high]) {
            needed[index] = true;
            high.into_iter().for_each(|high| needed[high] = true);
            equation.right.variables().iter().for_each(|variable| needed[variable.index()] = true);
        }
    }
    needed
}

/// SMT-LIB 2 over integers (QF_NIA): the equations and the negated statement, one query for each aliasing
/// pattern. The routine is right when each is unsatisfiable.
///
/// # Errors
/// As for a proof: an execution that does not come to its end, or a broken convention.
pub fn export_smt(routine: &dyn Provable, contract: &Contract) -> Result<String, Unproved> {
    let queries: Vec<String> = contract
        .patterns()
        .iter()
        .map(|pattern| {
            let obligation = Obligation::new(routine, contract, pattern, Reading::Plain)?;
            Ok(smt::text(&obligation, &routine.identity()))
        })
        .collect::<Result<_, Unproved>>()?;
    Ok(queries.join("(reset)\n"))
}

/// CryptoLine: a procedure for each aliasing pattern, one file each. The constant carries that the certificate
/// names are asserted, which is a question about ranges, and then used in the algebraic one.
///
/// # Errors
/// As for [`export_smt`].
pub fn export_cryptoline(
    routine: &dyn Provable,
    contract: &Contract,
    certificate: Option<&Certificate>,
) -> Result<Vec<String>, Unproved> {
    if contract.is_canonical() {
        return Err(Unproved::NotWritten("for CryptoLine, that a result is below the modulus"));
    }
    // the steps of a composition are about what it calls, too
    let certificate = certificate.filter(|certificate| certificate.calls.is_empty());
    contract
        .patterns()
        .iter()
        .enumerate()
        .map(|(index, pattern)| {
            let proof = certificate.and_then(|certificate| certificate.patterns.get(index));
            let reading = proof.map_or(Reading::Plain, |proof| proof.reading);
            let obligation = Obligation::new(routine, contract, pattern, reading)?;
            Ok(cryptoline::text(&obligation, &routine.identity(), proof))
        })
        .collect()
}
