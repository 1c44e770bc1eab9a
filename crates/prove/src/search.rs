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
    for (manner, most) in
        [(Manner::Telescoped, NEIGHBOURHOOD), (Manner::Expanded, far), (Manner::Relaxed, far)]
    {
        let mut reach = 64;
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

/// dbg
pub fn explain<R: Routine>(routine: &R, contract: &Contract) -> String {
    let mut execution = match execute(routine, contract, &contract.patterns()[0]) {
        Ok(e) => e,
        Err(e) => return e.to_string(),
    };
    let mut steps = Vec::new();
    let uses = Uses::new(&execution);
    let mut out = String::new();
    if uses.nested {
        find_lemmas(&mut execution, &uses, &mut steps);
    }
    for s in &steps {
        match s {
            Step::Claim(c) => {
                out += &format!(
                    "claim {} = {} at {:#x}\n",
                    c.variable,
                    c.value,
                    execution.facts.graph.origin(c.variable as usize)
                )
            }
            Step::Exclusion(x) => out += &format!("{x:?}\n"),
            Step::Lemma(l) => {
                out += &format!(
                    "lemma words {:?} at {:?}\n   = {}\n",
                    l.words,
                    l.words
                        .iter()
                        .map(|w| format!("{:#x}", execution.facts.graph.origin(*w as usize)))
                        .collect::<Vec<_>>(),
                    text(&execution, &l.value, 24)
                );
                for f in &l.forms {
                    out += &format!("   form {}\n", text(&execution, f, 16));
                }
            }
        }
    }
    out += &format!("checkpoints {:?}\n", uses.checkpoints);
    match settle_remainder(&mut execution, &mut steps) {
        Ok(()) => out += "PROVED",
        Err(Unproved::Open(_)) => {
            let r = execution.remainder();
            out += &format!("OPEN {}", text(&execution, &r, 60));
        }
        Err(e) => out += &format!("{e}"),
    }
    out
}
fn text(e: &Execution, s: &Sum, most: usize) -> String {
    let mut t = format!("[{} terms] ", s.len());
    for (m, f) in s.terms().take(most) {
        t += &format!("{f}*");
        for v in m.variables() {
            let k = if e.facts.graph.defining_high(v.index()).is_some() {
                "h"
            } else if e.facts.graph.defining_low(v.index()).is_some() {
                "l"
            } else {
                "i"
            };
            t += &format!(
                "{}{}{}@{:x}.",
                if v.is_bit() { "b" } else { "w" },
                k,
                v.index(),
                e.facts.graph.origin(v.index())
            );
        }
        t += " + ";
    }
    t
}
/// dbg
pub fn dbg2<R: Routine>(routine: &R, contract: &Contract) {
    let mut execution = execute(routine, contract, &contract.patterns()[0]).unwrap();
    let mut steps = Vec::new();
    let uses = Uses::new(&execution);
    find_lemmas(&mut execution, &uses, &mut steps);
    println!("{:?}", settle_remainder(&mut execution, &mut steps).is_ok());
    let rem = execution.remainder();
    let open = rhomb_certificate::open_assignments(&rem, &execution.facts, execution.modulus()).unwrap();
    println!("{open:?}");
    let a = &open[0];
    let facts = &execution.facts;
    let bits: Vec<Variable> = a.iter().map(|(i, _)| facts.graph.variable_at(*i as usize)).collect();
    let fixed: Vec<(Variable, bool)> =
        a.iter().map(|(i, v)| (facts.graph.variable_at(*i as usize), *v)).collect();
    use rhomb_certificate::{Reduction, View};
    let mut r = Reduction::new(facts, View::Above, 0, facts.graph.len());
    r.keep(&bits);
    for i in a.iter().rev().take(2).map(|x| x.0) {
        let e = facts.graph.defining_high(i as usize).unwrap();
        println!("{i}: low {:?} right {:?}", e.low, e.right);
        r.add(&e.right, &Dyadic::new(1, -8));
        r.add_term(&Monomial::variable(e.low), &Dyadic::new(-1, -8));
    }
    let mut p = Reduction::new(facts, View::Identity, 0, facts.graph.len());
    p.keep(&bits);
    let mut sum = Sum::zero();
    for (m, f) in r.finish().terms() {
        if m.variables().len() < 2 { sum.add(m, f) } else { p.add_term(m, f) }
    }
    println!("linear {}", text(&execution, &sum, 100));
    let q = p.finish();
    println!("products {}", text(&execution, &q, 100));
    for m in sum.terms().map(|t| t.0.clone()) {
        for v in m.variables() {
            if let Some(e) = facts.graph.defining_low(v.index()) {
                println!(
                    "{} := {:?} high {:?} claimed {:?}",
                    v.index(),
                    e.right,
                    e.high,
                    e.high.map(|h| facts.claimed(h.0.index()))
                );
            }
        }
    }
    sum.add_multiple(&q, &Dyadic::new(1, 0));
    println!("{:?}", sum.range(facts, &fixed));
}
