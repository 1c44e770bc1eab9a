//! The search for claims.

use crate::exclude::exclude;
use crate::runs::find_lemmas;
use crate::uses::Uses;
use rhomb_certificate::{
    Certificate, Claim, Contract, Execution, FORMAT, Facts, Manner, Pattern, PatternProof, Rung, Step, Sum,
    execute, settle, sha256,
};
use rhomb_machine::{Routine, Stopped};
use rhomb_poly::{Dyadic, Monomial, Variable};

/// What could not be shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unproved {
    /// The execution does not come to its end.
    #[error("{0}")]
    Stopped(#[from] Stopped),
    /// The convention is broken, or result words are missing.
    #[error("{0}")]
    Breach(String),
    /// Terms of the result's error that are not shown to vanish.
    #[error("{} terms of the result are not shown to vanish", .0.len())]
    Open(Vec<Obligation>),
}

/// A term of the result's error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligation {
    /// Byte addresses of the instructions that made its variables.
    pub addresses: Vec<u32>,
    /// Its weight in the result.
    pub weight: String,
}

/// Proves that the routine keeps the contract, for every aliasing pattern that it allows.
pub fn prove<R: Routine>(routine: &R, contract: &Contract) -> Result<Certificate, Unproved> {
    let patterns = contract.patterns().iter().map(|pattern| prove_pattern(routine, contract, pattern));
    Ok(Certificate {
        format: FORMAT.into(),
        routine: routine.identity(),
        contract: contract.to_string(),
        code_sha256: sha256(&routine.code()),
        patterns: patterns.collect::<Result<_, _>>()?,
    })
}

fn prove_pattern<R: Routine>(
    routine: &R,
    contract: &Contract,
    pattern: &Pattern,
) -> Result<PatternProof, Unproved> {
    let mut execution = execute(routine, contract, pattern)?;
    if let Some(breach) = execution.breaches.first() {
        return Err(Unproved::Breach(breach.clone()));
    }
    if let Some(word) = execution.missing.first() {
        return Err(Unproved::Breach(format!("result word {word} is never written")));
    }
    let mut steps = Vec::new();
    let uses = Uses::new(&execution);
    if uses.nested {
        find_lemmas(&mut execution, &uses, &mut steps);
    }
    settle_remainder(&mut execution, &mut steps)?;
    Ok(PatternProof { pattern: pattern.name.into(), steps })
}

/// Settles all carries that remain, as long as each round settles one.
fn settle_remainder(execution: &mut Execution, steps: &mut Vec<Step>) -> Result<(), Unproved> {
    let mut remainder = execution.remainder();
    loop {
        if execution.is_proved(&remainder) {
            return Ok(());
        }
        let before = steps.len();
        for variable in remainder.variables() {
            if let Some(claim) = find(&execution.facts, variable.index())
                && claim.accept(&mut execution.facts)
            {
                steps.push(Step::Claim(claim));
            }
        }
        if steps.len() == before {
            let modulus = execution.modulus();
            if exclude(&mut execution.facts, &remainder, modulus, steps) {
                return Ok(());
            }
            return Err(Unproved::Open(obligations(execution, &remainder)));
        }
        remainder = execution.reduced(&remainder);
    }
}

fn obligations(execution: &Execution, remainder: &Sum) -> Vec<Obligation> {
    let origin = |variable: &Variable| execution.facts.graph.origin(variable.index());
    let obligation = |(monomial, weight): (&Monomial, &Dyadic)| Obligation {
        addresses: monomial.variables().iter().map(origin).collect(),
        weight: weight.to_string(),
    };
    remainder.terms().map(obligation).collect()
}

/// Carries inside a column or a row settle by their neighbourhood, or not by telescoping alone.
const NEIGHBOURHOOD: usize = 1024;

/// A rung that settles a variable, the cheapest first.
pub(crate) fn find(facts: &Facts, variable: usize) -> Option<Claim> {
    facts.graph.defining_high(variable)?;
    let far = variable + 1;
    let rungs = [
        (Manner::Telescoped, 64, NEIGHBOURHOOD),
        (Manner::Expanded, 64, far),
        (Manner::Relaxed, 64, far),
        // a carry that was handed on along a whole row
        (Manner::Telescoped, 4 * NEIGHBOURHOOD, far),
    ];
    for (manner, first, most) in rungs {
        let mut reach = first;
        loop {
            let rung = Rung { manner, reach: reach as u32 };
            if let Some(value) = settle(facts, variable, rung) {
                return Some(Claim { variable: variable as u32, value, rung });
            }
            if reach >= most {
                break;
            }
            reach *= 4;
        }
    }
    None
}
