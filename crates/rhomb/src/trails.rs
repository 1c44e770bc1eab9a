//! Trails, by which what a search for registers found is made again: who may have one.

use crate::candidates::Candidate;
use crate::error::{Error, shown};
use crate::request::Request;
use crate::targets::{LowerFault, Target, all};
use crate::wanted::Wanted;
use rhomb_kernel::{Method, Operation, method};

/// The method of the products that are searched for.
pub(crate) const SEARCHED: &str = "split";

/// The method, which a trail says where it is open; refuses a trail of what has none.
pub(crate) fn check(
    request: &Request,
    given: Option<&'static Method>,
    target: &dyn Target,
) -> Result<Option<&'static Method>, Error> {
    if request.trail.is_none() {
        return Ok(given);
    }
    has_trails(&request.operation, target)?;
    match given {
        Some(other) if other.name != SEARCHED => {
            let fault = format!("method {} has no --trail; valid: --method {SEARCHED}", other.name);
            Err(Error::request(fault, "leave --trail out"))
        }
        _ => Ok(method(Operation::Mul, SEARCHED)),
    }
}

/// Refuses what is not searched for.
pub(crate) fn has_trails(operation: &str, target: &dyn Target) -> Result<(), Error> {
    let hint = "trails are of products whose registers `rhomb tune` searches for";
    if operation != Operation::Mul.name() {
        let fault = format!("{} has no trails; valid: {}", shown(operation), Operation::Mul.name());
        return Err(Error::request(fault, hint));
    }
    if !target.has_trails() {
        let able: Vec<&str> = all().filter(|one| one.has_trails()).map(|one| one.name()).collect();
        let fault = format!("{} has no trails; valid: {}", target.name(), able.join(", "));
        return Err(Error::request(fault, hint));
    }
    Ok(())
}

/// Those of the candidates of which a trail may be, if one is given.
pub(crate) fn fitting(
    mut candidates: Vec<Candidate>,
    target: &dyn Target,
    wanted: &Wanted,
) -> Result<Vec<Candidate>, Error> {
    if wanted.trail.is_none() {
        return Ok(candidates);
    }
    let mut fault = None;
    candidates.retain(|candidate| {
        let first = candidate.task(wanted).and_then(|task| target.trail(&task));
        first.map_err(|own| fault = Some(own)).is_ok()
    });
    match fault {
        Some(fault) if candidates.is_empty() => Err(none(target, wanted.words, fault)),
        _ => Ok(candidates),
    }
}

/// Refuses a task that nothing is searched for in.
pub(crate) fn none(target: &dyn Target, words: usize, fault: LowerFault) -> Error {
    let (target, message) = (target.name(), crate::lines::text(fault));
    let fault = format!("a product of {words} words on {target} has no trail: {message}");
    Error::request(fault, "another --bits or --levels has one")
}

/// Refuses a trail that leads nowhere.
pub(crate) fn refusal(target: &dyn Target, wanted: &Wanted, message: &str) -> Error {
    let bits = wanted.words * target.description().word_bits as usize;
    let tune = format!("rhomb tune mul --bits {bits} --target {}", target.name());
    let fault =
        format!("--trail with {SEARCHED} on {}: {message}; valid: what `{tune}` prints", target.name());
    Error::request(fault, "leave --trail out and the one that is known is taken")
}
