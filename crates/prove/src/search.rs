//! The search for claims.

use crate::binary;
use crate::causes::is_made;
use crate::exclude::{exclude, exclude_range};
use crate::provable::Provable;
use crate::reductions::find_reductions;
use crate::rungs::find;
use crate::runs::{find_lemmas, number, plain, reduce};
use crate::unproved::{Obligation, Unproved};
use crate::uses::Uses;
use rhomb_certificate::{
    Certificate, Contract, EFFORT, Execution, Expression, FORMAT, Facts, Lemma, Modulo, Pattern,
    PatternProof, Reading, Step, Sum, execute, kept, sha256,
};
use rhomb_machine::{Fault, Stopped};
use rhomb_poly::{Dyadic, Monomial, Variable};
use std::collections::{BTreeSet, VecDeque};

/// Proves that the routine keeps the contract, for every aliasing pattern that it allows.
pub fn prove(routine: &dyn Provable, contract: &Contract) -> Result<Certificate, Unproved> {
    prove_within(routine, contract, EFFORT)
}

/// The same touching at most so many terms of sums: a measure of work that is the same in every run.
pub fn prove_within(
    routine: &dyn Provable,
    contract: &Contract,
    effort: u64,
) -> Result<Certificate, Unproved> {
    if contract.expression() == Expression::Inverse {
        let what = "an inversion is proved as a composition of routines, and has no certificate of its own";
        return Err(Unproved::Composition(what.to_owned()));
    }
    let mut left = effort;
    let mut readings = READINGS;
    let patterns = contract.patterns().iter().map(|pattern| {
        let proof = match contract.binary() {
            Some(operation) => binary::prove(routine, (contract, operation), pattern, &mut left),
            None => prove_pattern(routine, contract, (pattern, readings), &mut left),
        };
        // what leads to one proof mostly leads to the others, too
        if let Ok(PatternProof { reading, .. }) = proof {
            readings.sort_by_key(|own| *own != reading);
        }
        proof.map_err(|unproved| match unproved {
            Unproved::Open(_) | Unproved::Coefficients { .. } if left == 0 => Unproved::Effort(effort),
            Unproved::Stopped(Stopped { fault: Fault::Effort { .. }, .. }) => Unproved::Effort(effort),
            other => other,
        })
    });
    Ok(Certificate {
        format: FORMAT.into(),
        routine: routine.identity(),
        contract: contract.to_string(),
        code_sha256: sha256(&routine.code()),
        relocations: routine.relocations().to_vec(),
        calls: Vec::new(),
        patterns: patterns.collect::<Result<_, _>>()?,
    })
}

/// In the order in which they are tried.
const READINGS: [Reading; 6] =
    [Reading::Plain, Reading::Compiled, Reading::Masks, Reading::Signs, Reading::Paths, Reading::Ranks];

fn prove_pattern(
    routine: &dyn Provable,
    contract: &Contract,
    (pattern, readings): (&Pattern, [Reading; READINGS.len()]),
    effort: &mut u64,
) -> Result<PatternProof, Unproved> {
    let whole = *effort;
    let mut tried = |reading: Reading, most: u64| {
        let mut left = most.min(*effort);
        let given = left;
        let proof = prove_executed((pattern, reading), &mut left, |effort| {
            execute(routine, contract, pattern, reading, effort)
        });
        *effort -= given - left;
        (proof, left == 0)
    };
    // what is proved at all is mostly proved with little, and by one reading only
    let mut goes_on = readings.to_vec();
    let mut unproved = Unproved::Open(Vec::new());
    for part in EFFORTS {
        let mut next = VecDeque::from(std::mem::take(&mut goes_on));
        while let Some(reading) = next.pop_front() {
            let (proof, is_exhausted) = tried(reading, whole / part);
            let error = match proof {
                Ok(proof) => return Ok(proof),
                Err(error) => error,
            };
            let is_open = matches!(&error, Unproved::Open(_) | Unproved::Coefficients { .. });
            let is_stopped = matches!(&error, Unproved::Stopped(Stopped { fault: Fault::Effort { .. }, .. }));
            // what nobody has set may be looked at with more effort
            let is_undefined = matches!(&error, Unproved::Stopped(stopped) if stopped.fault.is_undefined());
            // an address may be known to be one of two by another reading
            let is_secret = matches!(&error, Unproved::Stopped(Stopped { fault: Fault::Secret { .. }, .. }));
            if is_open && is_exhausted || is_stopped || is_undefined {
                goes_on.push(reading);
            }
            if reading == Reading::Plain {
                // the code's own fault is one in any reading
                if !is_open && !is_stopped && !is_undefined && !is_secret {
                    return Err(error);
                }
                // too many paths, one after the other
                if is_stopped && let Some(at) = next.iter().position(|own| *own == Reading::Paths) {
                    next.swap(0, at);
                }
                unproved = error;
            }
        }
    }
    Err(unproved)
}

/// By which numbers the effort is divided for one attempt after the other, by each reading; that of the last is what is over.
const EFFORTS: [u64; 5] = [96, 48, 8, 2, 1];

/// The proof of what is executed, as often as it must be.
pub(crate) fn prove_executed(
    (pattern, reading): (&Pattern, Reading),
    effort: &mut u64,
    mut again: impl FnMut(u64) -> Result<Execution, Stopped>,
) -> Result<PatternProof, Unproved> {
    let (proof, has_signs) = prove_by(again(*effort)?, (pattern, reading), true, effort)?;
    match proof {
        // numbers that were found at their signs may hide others
        Err(Unproved::Open(_)) if has_signs => {
            prove_by(again(*effort)?, (pattern, reading), false, effort)?.0
        }
        proof => proof,
    }
}

/// The proof, and whether there are signs at which differences are looked for where `by_signs` says so.
fn prove_by(
    mut execution: Execution,
    (pattern, reading): (&Pattern, Reading),
    by_signs: bool,
    effort: &mut u64,
) -> Result<(Result<PatternProof, Unproved>, bool), Unproved> {
    if reading != Reading::Plain && !execution.has_found {
        // the same again
        return Ok((Err(Unproved::Open(Vec::new())), false));
    }
    kept(&execution.breaches, &execution.missing).map_err(|breach| Unproved::Breach(breach.to_string()))?;
    let mut steps = Vec::new();
    let is_reduced = find_reductions(&mut execution, &mut steps);
    let uses = Uses::new(&execution, by_signs && execution.facts.graph.in_parts());
    if uses.nested && !is_reduced {
        find_lemmas(&mut execution, &uses, &mut steps);
    }
    let settled = settle(&mut execution, &mut steps);
    *effort = execution.facts.effort();
    // what is left open may be what nobody has set
    if let (Err(Unproved::Open(_)), Some(undefined)) = (&settled, &execution.undefined) {
        return Err(undefined.clone().into());
    }
    let proof = settled.map(|()| PatternProof { pattern: pattern.name.into(), reading, steps });
    Ok((proof, uses.has_signs()))
}

/// Settles the statement, and the range of the result.
fn settle(execution: &mut Execution, steps: &mut Vec<Step>) -> Result<(), Unproved> {
    let mut left = Sum::default();
    for part in 0..execution.results() {
        left = settle_remainder(execution, part, steps)?;
    }
    settle_excess(execution, &left, steps)
}

/// Settles all carries that remain, as long as each round settles one; what is left vanishes.
fn settle_remainder(execution: &mut Execution, part: usize, steps: &mut Vec<Step>) -> Result<Sum, Unproved> {
    if let Modulo::Odd(_) | Modulo::Argument = execution.modulo {
        clear_words(execution, part, steps);
    }
    let mut remainder = execution.remainder(part);
    loop {
        if execution.is_proved(&remainder) {
            return Ok(remainder);
        }
        let before = steps.len();
        claim_all(execution, &remainder, steps);
        if steps.len() == before {
            came_back(execution, &remainder, steps);
            if steps.len() > before {
                remainder = execution.remainder(part);
                continue;
            }
            let modulo = execution.modulo.clone();
            if exclude(&mut execution.facts, &remainder, &modulo, steps) {
                return Ok(remainder);
            }
            return Err(Unproved::Open(obligations(execution, &remainder)));
        }
        remainder = execution.reduced(&remainder);
    }
}

/// Claims of the carries of a sum that their neighbourhood settles.
fn claim_all(execution: &mut Execution, sum: &Sum, steps: &mut Vec<Step>) {
    for variable in sum.variables() {
        if let Some(claim) = find(&execution.facts, variable.index()) {
            execution.facts.record_claim(variable.index(), claim.value);
            steps.push(Step::Claim(claim));
        }
    }
}

/// Most words that are looked at for what left them.
const MOST_LEFT: usize = 256;

/// Words whose sum went below 0, or beyond a word, on its way, and came back: what left them counts together nothing, and their
/// value is what remains of the sum without that, if its range says so.
fn came_back(execution: &mut Execution, remainder: &Sum, steps: &mut Vec<Step>) {
    let facts = &mut execution.facts;
    let bits = facts.word_bits() as i32;
    let high = |facts: &Facts, variable: &Variable| {
        facts.graph.defining_high(variable.index()).map(|equation| equation.low.index())
    };
    // what left and what came back have the same weight with both signs
    let left: Vec<(usize, &Dyadic)> = remainder
        .terms()
        .filter_map(|(monomial, factor)| match monomial.variables() {
            [own] => Some((high(facts, own)?, factor)),
            _ => None,
        })
        .take(MOST_LEFT)
        .collect();
    let is_back = |factor: &Dyadic| left.iter().any(|(_, other)| other.scale(-1) == *factor);
    let lows: BTreeSet<usize> =
        left.iter().filter(|(_, factor)| is_back(factor)).map(|(low, _)| *low).collect();
    for low in lows {
        if facts.is_exhausted() || facts.word_of(low, &[]).is_some() {
            continue;
        }
        let mut value = reduce(facts, &number(facts, &[low]), 0);
        let before = value.len();
        value.retain(|monomial, factor| {
            factor.exponent() < bits || !monomial.variables().iter().any(|own| high(facts, own).is_some())
        });
        // a constant may have been added as what it lacks to a power
        let radix = Dyadic::power(bits);
        let fitting = [0, -1, 1, -2].into_iter().find_map(|times| {
            let mut value = value.clone();
            value.add(&Monomial::one(), &radix.scale(times));
            let (least, most) = facts.range(value.terms(), &[]);
            (!least.is_negative() && most < radix).then_some(value)
        });
        let lemma = fitting.filter(|value| value.len() < before).map(|value| plain(&[low], value));
        if let Some(lemma) = lemma.filter(|lemma| lemma.clone().accept(facts).is_ok()) {
            steps.push(Step::Lemma(lemma));
        }
    }
}

/// Shows that the result is below the modulus, where it is to be.
fn settle_excess(execution: &mut Execution, statement: &Sum, steps: &mut Vec<Step>) -> Result<(), Unproved> {
    let mut excess = execution.excess();
    // the borrows of limbs are settled one by one
    if excess.len() > 1 {
        claim_all(execution, &excess, steps);
        excess = execution.excess();
    }
    if excess.is_empty() || exclude_range(&mut execution.facts, &excess, statement, steps) {
        return Ok(());
    }
    Err(Unproved::Open(obligations(execution, &excess)))
}

/// Shows words to be zero that a reduction clears: their high parts remain of a statement that is a congruence.
fn clear_words(execution: &mut Execution, part: usize, steps: &mut Vec<Step>) {
    // one that is cleared may bring in the next older one
    loop {
        let variables = execution.remainder(part).variables();
        let high = |variable: &Variable| execution.facts.graph.defining_high(variable.index());
        let lows = variables.iter().rev().filter_map(high).map(|equation| equation.low);
        let lows: Vec<u32> = lows.map(|low| low.index() as u32).collect();
        let before = steps.len();
        for low in lows {
            let (value, words) = (Sum::default(), vec![low]);
            let lemma = Lemma { words, value, forms: Vec::new(), cases: Vec::new(), open: Vec::new() };
            let known = execution.facts.is_zero_word(low as usize, &[]);
            if !known && lemma.clone().accept(&mut execution.facts).is_ok() {
                steps.push(Step::Lemma(lemma));
            }
        }
        if steps.len() == before {
            return;
        }
    }
}

fn obligations(execution: &Execution, remainder: &Sum) -> Vec<Obligation> {
    let graph = &execution.facts.graph;
    let origin = |variable: &Variable| graph.origin(variable.index());
    // operands, and what the caller left in registers, come from nowhere in the code
    let is_made = |variable: &&Variable| is_made(graph, variable.index());
    let obligation = |(monomial, weight): (&Monomial, &Dyadic)| Obligation {
        addresses: monomial.variables().iter().filter(is_made).map(origin).collect(),
        weight: weight.to_string(),
    };
    remainder.terms().map(obligation).collect()
}
