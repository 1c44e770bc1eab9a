//! Whether a routine keeps its contract, with what shows it.

use crate::causes::causes;
use crate::compose::prove_inversion;
use crate::refute::{CounterExample, Failure, Search, refute};
use crate::search::{Unproved, prove_within};
use rhomb_certificate::{Certificate, Contract, EFFORT, Expression, check_within};
use rhomb_machine::{Routine, Stopped};
use std::collections::BTreeSet;

/// The answer, with its evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Right for every input; the certificate has passed the checker.
    Proved(Certificate),
    /// An inversion is right for every input: it is composed of routines with these certificates, all of which have passed
    /// the checker; see [`prove_inversion`].
    Composed(Vec<Certificate>),
    /// Wrong, and where that is known the instructions that make it so.
    Refuted(CounterExample, Vec<Reason>),
    /// Neither could be shown; why not.
    Unknown(Vec<Reason>),
}

/// Something that stands between a routine and its proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// Byte addresses of the instructions.
    pub addresses: Vec<u64>,
    /// Weight in the result, where it is about a term of the result.
    pub weight: Option<String>,
    /// What is the matter.
    pub text: String,
}

/// How long to look for counter-examples, in instructions, and for a proof, in terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Before the proof.
    pub first: u64,
    /// After a proof that failed.
    pub second: u64,
    /// Terms of sums that the proof may touch, and its check again.
    pub effort: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Budget { first: 500_000, second: 100_000_000, effort: EFFORT }
    }
}

/// Looks for a counter-example, then for a proof, and then longer for a counter-example.
pub fn decide<R: Routine>(routine: &R, contract: &Contract, budget: Budget) -> Verdict {
    let search = refute(routine, contract, budget.first);
    decide_after(search, routine, contract, budget)
}

/// The same after a first search.
pub fn decide_after<R: Routine>(search: Search, routine: &R, contract: &Contract, budget: Budget) -> Verdict {
    match search {
        Search { found: Some(example), .. } => return refuted(routine, contract, example),
        // where a call cannot be followed, all calls cannot
        Search { stopped: Some(stopped), .. } => return Verdict::Unknown(vec![Reason::stopped(&stopped)]),
        Search { .. } => {}
    }
    let unproved = if contract.expression() == Expression::Inverse {
        match prove_inversion(routine, contract, budget.effort) {
            Ok(callees) => return Verdict::Composed(callees),
            Err(unproved) => reasons(unproved),
        }
    } else {
        match prove_within(routine, contract, budget.effort) {
            Ok(certificate) => match check_within(routine, &certificate, budget.effort) {
                Ok(_) => return Verdict::Proved(certificate),
                Err(error) => vec![Reason::text(format!("the checker does not accept the proof: {error}"))],
            },
            Err(unproved) => reasons(unproved),
        }
    };
    match refute(routine, contract, budget.second).found {
        Some(example) => refuted(routine, contract, example),
        None => Verdict::Unknown(unproved),
    }
}

fn refuted<R: Routine>(routine: &R, contract: &Contract, example: CounterExample) -> Verdict {
    let reasons = match &example.failure {
        Failure::Wrong { .. } => causes(routine, contract, example.pattern, &example.operands),
        Failure::Stopped(stopped) => vec![Reason::stopped(stopped)],
        Failure::Missing { .. } | Failure::Breach(_) => Vec::new(),
    };
    Verdict::Refuted(example, reasons)
}

fn reasons(unproved: Unproved) -> Vec<Reason> {
    match unproved {
        Unproved::Stopped(stopped) => vec![Reason::stopped(&stopped)],
        Unproved::Breach(breach) => vec![Reason::text(breach)],
        Unproved::Effort(_)
        | Unproved::Coefficients { .. }
        | Unproved::Composition(_)
        | Unproved::NotWritten(_) => vec![Reason::text(unproved.to_string())],
        Unproved::Open(obligations) => obligations
            .into_iter()
            .map(|obligation| Reason {
                addresses: distinct(obligation.addresses.into_iter().map(u64::from)),
                weight: Some(weight_text(&obligation.weight)),
                text: "not shown to be zero".to_owned(),
            })
            .collect(),
    }
}

/// Each address once, in the order of the code.
pub(crate) fn distinct(addresses: impl Iterator<Item = u64>) -> Vec<u64> {
    addresses.collect::<BTreeSet<u64>>().into_iter().collect()
}

/// `-2^24` for `-1*2^24`.
pub(crate) fn weight_text(weight: &str) -> String {
    match weight.strip_prefix("-1*") {
        Some(power) => format!("-{power}"),
        None => weight.to_owned(),
    }
}

impl Reason {
    fn text(text: String) -> Self {
        Reason { addresses: Vec::new(), weight: None, text }
    }

    fn stopped(stopped: &Stopped) -> Self {
        Reason { addresses: vec![stopped.address], weight: None, text: stopped.fault.to_string() }
    }
}
