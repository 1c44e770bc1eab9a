//! The search for claims.

use rhomb_certificate::{
    Certificate, Claim, Contract, Execution, FORMAT, Manner, Pattern, PatternProof, Rung, accept, execute,
    settle, sha256,
};
use rhomb_machine::{Routine, Stopped};

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
    let claims = settle_remainder(&mut execution)?;
    Ok(PatternProof { pattern: pattern.name.into(), claims })
}

/// Settles all carries that remain, as long as each round settles one.
fn settle_remainder(execution: &mut Execution) -> Result<Vec<Claim>, Unproved> {
    let mut claims = Vec::new();
    let mut remainder = execution.remainder();
    loop {
        if remainder.is_zero() {
            return Ok(claims);
        }
        let before = claims.len();
        let alone = remainder.linear.iter().map(|(variable, _)| *variable);
        let together = remainder.products.iter().flat_map(|(monomial, _)| monomial.variables().to_vec());
        let mut open: Vec<usize> = alone.chain(together).map(|variable| variable.index()).collect();
        open.sort_unstable();
        open.dedup();
        for variable in open {
            if let Some(claim) = find(execution, variable)
                && accept(&mut execution.graph, &claim)
            {
                claims.push(claim);
            }
        }
        if claims.len() == before {
            let linear = remainder.linear.iter().map(|(variable, weight)| (vec![*variable], weight));
            let products =
                remainder.products.iter().map(|(monomial, weight)| (monomial.variables().to_vec(), weight));
            let open = linear.chain(products).map(|(variables, weight)| Obligation {
                addresses: variables
                    .iter()
                    .map(|variable| execution.graph.origin(variable.index()))
                    .collect(),
                weight: weight.to_string(),
            });
            return Err(Unproved::Open(open.collect()));
        }
        remainder = execution.reduced(remainder);
    }
}

/// Carries inside a column or a row settle by their neighbourhood, or not by telescoping alone.
const NEIGHBOURHOOD: usize = 1024;

/// A rung that settles a variable, the cheapest first.
fn find(execution: &Execution, variable: usize) -> Option<Claim> {
    execution.graph.defining_high(variable)?;
    let far = variable + 1;
    for (manner, most) in
        [(Manner::Telescoped, NEIGHBOURHOOD), (Manner::Expanded, far), (Manner::Relaxed, far)]
    {
        let mut reach = 64;
        loop {
            let rung = Rung { manner, reach: reach as u32 };
            if let Some(value) = settle(&execution.graph, variable, rung) {
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
