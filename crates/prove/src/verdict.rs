//! Whether a routine keeps its contract, with what shows it.

use crate::calls::calls_others;
use crate::causes::causes;
use crate::compose::prove_composition;
use crate::products::prove_with_calls;
use crate::provable::Provable;
use crate::reason::{Reason, distinct, distinct_reasons, weight_text};
use crate::refute::{CounterExample, Search, refute};
use crate::right::Failure;
use crate::unproved::Unproved;
use crate::whole::{WHOLE, prove_either};
use rhomb_certificate::{Certificate, Contract, EFFORT, Expression, check_within};
use rhomb_composition::Composition;

/// The answer, with its evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Right for every input; the certificate has passed the checker.
    Proved(Certificate),
    /// Right for every input: a composition of routines whose certificates have passed the checker.
    Composed(Composition),
    /// Wrong, and where that is known the instructions that make it so.
    Refuted(CounterExample, Vec<Reason>),
    /// Neither could be shown; why not.
    Unknown(Vec<Reason>),
}

/// How much longer than the first search the second is where the proof could not follow the code: then it does not know
/// where a fault might be.
const NOT_FOLLOWED: u64 = 20;

/// How long to look for counter-examples, in instructions, and for a proof, in terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Before the proof.
    pub first: u64,
    /// After a proof that failed.
    pub second: u64,
    /// Terms of sums that the proof may touch, and its check again.
    pub effort: u64,
    /// The same at first where a composition may take the place of a proof without calls.
    pub whole: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Budget { first: 500_000, second: 100_000_000, effort: EFFORT, whole: WHOLE }
    }
}

/// Looks for a counter-example, then for a proof, and then longer for a counter-example.
pub fn decide(routine: &dyn Provable, contract: &Contract, budget: Budget) -> Verdict {
    let search = refute(routine, contract, budget.first);
    decide_after(search, routine, contract, &[], budget)
}

/// The same after a first search; `calls` are routines that are called, by the byte addresses of their first instructions, and the
/// contracts by which they are to be proved and followed.
pub fn decide_after(
    search: Search,
    routine: &dyn Provable,
    contract: &Contract,
    calls: &[(u64, Contract)],
    budget: Budget,
) -> Verdict {
    match search {
        Search { found: Some(example), interrupted, .. } => {
            return refuted(routine, contract, example, interrupted);
        }
        // where a call cannot be followed, all calls cannot
        Search { stopped: Some(stopped), .. } => {
            return Verdict::Unknown(inside(routine, vec![Reason::stopped(&stopped)]));
        }
        Search { .. } => {}
    }
    let mut second = budget.second;
    let is_inversion = contract.expression() == Expression::Inverse;
    let whole = |effort| match calls {
        [] => prove_either(routine, contract, budget.whole, effort),
        calls => prove_with_calls(routine, contract, calls, effort),
    };
    let composed = (calls.is_empty() && is_inversion
        || calls.is_empty() && contract.modular().is_some() && calls_others(routine, contract))
    .then(|| prove_composition(routine, *contract, budget.effort));
    let unproved = match composed {
        Some(Ok(composition)) => return Verdict::Composed(composition),
        Some(Err(unproved)) if is_inversion => reasons(unproved),
        _ => match whole(budget.effort) {
            Ok(certificate) => match check_within(routine, &certificate, budget.effort) {
                Ok(_) => return Verdict::Proved(certificate),
                Err(error) => vec![Reason::text(format!("the checker does not accept the proof: {error}"))],
            },
            Err(unproved) => {
                if let Unproved::Stopped(_) = unproved {
                    second = second.min(budget.first.saturating_mul(NOT_FOLLOWED));
                }
                reasons(unproved)
            }
        },
    };
    match refute(routine, contract, second) {
        Search { found: Some(example), interrupted, .. } => refuted(routine, contract, example, interrupted),
        Search { stopped: Some(stopped), .. } => {
            Verdict::Unknown(inside(routine, vec![Reason::stopped(&stopped)]))
        }
        Search { .. } => Verdict::Unknown(inside(routine, unproved)),
    }
}

/// The reasons without addresses at which no instruction stands.
fn inside(routine: &dyn Provable, mut reasons: Vec<Reason>) -> Vec<Reason> {
    for reason in &mut reasons {
        reason.addresses.retain(|address| routine.instruction(*address).is_some());
    }
    reasons
}

/// `beside` is what an interrupt may do to the routine besides.
fn refuted(
    routine: &dyn Provable,
    contract: &Contract,
    example: CounterExample,
    beside: Option<CounterExample>,
) -> Verdict {
    let mut reasons = match &example.failure {
        Failure::Wrong { .. } => causes(routine, contract, example.pattern, &example.operands),
        Failure::Stopped(stopped) => vec![Reason::stopped(stopped)],
        Failure::Missing { .. } | Failure::Breach(_) => Vec::new(),
    };
    let beside = beside.filter(|beside| *beside != example).and_then(|beside| match beside.failure {
        Failure::Stopped(stopped) => Some(Reason::stopped(&stopped)),
        Failure::Breach(text) => Some(Reason::text(text)),
        Failure::Wrong { .. } | Failure::Missing { .. } => None,
    });
    reasons.extend(beside);
    Verdict::Refuted(example, inside(routine, reasons))
}

fn reasons(unproved: Unproved) -> Vec<Reason> {
    match unproved {
        Unproved::Stopped(stopped) => vec![Reason::stopped(&stopped)],
        Unproved::Breach(breach) => vec![Reason::text(breach)],
        Unproved::Effort(_)
        | Unproved::Coefficients { .. }
        | Unproved::Composition(_)
        | Unproved::NotWritten(_) => vec![Reason::text(unproved.to_string())],
        Unproved::Open(obligations) => distinct_reasons(obligations.into_iter().map(|obligation| Reason {
            addresses: distinct(obligation.addresses.into_iter().map(u64::from)),
            weight: Some(weight_text(&obligation.weight)),
            text: "not shown to be zero".to_owned(),
            count: 1,
        })),
    }
}
