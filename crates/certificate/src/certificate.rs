//! Certificates and their checker.

use crate::accept::LemmaError;
use crate::binary::execute_binary;
use crate::calls::Callees;
use crate::checkable::Checkable;
use crate::claim::Claim;
use crate::exclusion::{Exclusion, vanishes};
use crate::execution::{Reading, execute, execute_composed};
use crate::facts::{EFFORT, Facts};
use crate::lemma::Lemma;
use crate::modulo::Modulo;
use crate::reduced::{NoBorrow, Reduced};
use rhomb_contract::{Contract, ContractError, Expression};
use rhomb_machine::{Fault, Stopped};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// The name of the format; it changes with the numbering of variables too.
pub const FORMAT: &str = "rhomb certificate 1";

/// All that is needed to see again that a routine keeps its contract.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// [`FORMAT`].
    pub format: String,
    /// Core and convention.
    pub routine: String,
    /// The contract as text.
    pub contract: String,
    /// SHA-256 of the code bytes, in hexadecimal.
    pub code_sha256: String,
    /// What the proof rests on of what a linker is still to fill in, one entry each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub relocations: Vec<String>,
    /// The routines that it calls, where those are proved by themselves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<CalledRoutine>,
    /// One proof for each aliasing pattern of the contract.
    pub patterns: Vec<PatternProof>,
}

/// A routine that another one calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CalledRoutine {
    /// Byte address of its first instruction.
    pub entry: u64,
    /// Whether it is called by the inner convention of its caller's.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub inner: bool,
    /// The stack that it may take.
    pub stack_bytes: u32,
    /// What shows that it keeps its contract.
    pub certificate: Certificate,
}

/// The proof for one aliasing pattern.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PatternProof {
    /// Name of the pattern.
    pub pattern: String,
    /// How the code is read.
    #[serde(default, skip_serializing_if = "Reading::is_plain")]
    pub reading: Reading,
    /// Claims and lemmas, each shown with the help of earlier ones.
    pub steps: Vec<Step>,
}

/// A step of a proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    /// A carry is constant.
    Claim(Claim),
    /// A run of words is a number.
    Lemma(Lemma),
    /// Bits never have these values together.
    Exclusion(Exclusion),
    /// A number that is reduced by a step lies below a bound.
    Reduced(Reduced),
    /// A borrow is 0 by a bound.
    NoBorrow(NoBorrow),
}

/// Why a certificate does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    /// Another format.
    #[error("format '{0}' is not '{FORMAT}'")]
    Format(String),
    /// For other code, another core or another convention.
    #[error("the certificate is for {what} {certified}, not {given}")]
    Other {
        /// What differs.
        what: &'static str,
        /// In the certificate.
        certified: String,
        /// In the file.
        given: String,
    },
    /// Its contract cannot be read.
    #[error(transparent)]
    Contract(#[from] ContractError),
    /// Not the patterns of the contract, each once and in order.
    #[error("the certificate's aliasing patterns are not those of its contract")]
    Patterns,
    /// A call that cannot be followed.
    #[error("a call of {0:#x} cannot be followed by its contract")]
    Call(u64),
    /// The execution does not come to its end.
    #[error("execution stopped: {0}")]
    Stopped(#[from] Stopped),
    /// The convention is broken.
    #[error("{0}")]
    Breach(String),
    /// Result words are not written.
    #[error("result word {0} is never written")]
    Missing(usize),
    /// A claim does not follow.
    #[error("a claim does not follow")]
    Claim,
    /// An exclusion does not follow.
    #[error("an exclusion does not follow")]
    Exclusion,
    /// A bound does not follow.
    #[error("a bound does not follow")]
    Bound,
    /// A lemma does not follow.
    #[error(transparent)]
    Lemma(#[from] LemmaError),
    /// The check takes longer than it may.
    #[error("effort exhausted after {0} terms")]
    Effort(u64),
    /// The statement does not follow from the claims.
    #[error("the result, or its range, does not follow from the claims")]
    Remainder,
}

/// SHA-256 in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        // writing to a String cannot fail
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Checks a step and records what it shows.
pub fn take(step: &Step, facts: &mut Facts) -> Result<(), CheckError> {
    match step {
        Step::Claim(claim) if claim.accept(facts) => Ok(()),
        Step::Claim(_) => Err(CheckError::Claim),
        Step::Exclusion(exclusion) if exclusion.accept(facts) => Ok(()),
        Step::Exclusion(_) => Err(CheckError::Exclusion),
        Step::Reduced(reduced) if reduced.accept(facts) => Ok(()),
        Step::NoBorrow(own) if own.accept(facts) => Ok(()),
        Step::Reduced(_) | Step::NoBorrow(_) => Err(CheckError::Bound),
        Step::Lemma(lemma) => Ok(lemma.clone().accept(facts)?),
    }
}

/// That the convention is kept, and every word of the result written.
pub fn kept(breaches: &[String], missing: &[usize]) -> Result<(), CheckError> {
    match (breaches.first(), missing.first()) {
        (Some(breach), _) => Err(CheckError::Breach(breach.clone())),
        (None, Some(word)) => Err(CheckError::Missing(*word)),
        (None, None) => Ok(()),
    }
}

/// Replays a certificate: executes the code over equations, checks every claim, and substitutes. What
/// it costs is bounded by [`EFFORT`], whatever the certificate says.
pub fn check(routine: &dyn Checkable, certificate: &Certificate) -> Result<Contract, CheckError> {
    check_within(routine, certificate, EFFORT)
}

/// The same touching so many terms at most.
pub fn check_within(
    routine: &dyn Checkable,
    certificate: &Certificate,
    effort: u64,
) -> Result<Contract, CheckError> {
    let mut left = effort;
    check_all(routine, certificate, &mut left).map_err(|error| match error {
        CheckError::Effort(_) => CheckError::Effort(effort),
        error => error,
    })
}

/// That a certificate is for this routine: its identity, the SHA-256 of its code, and its relocations.
///
/// # Errors
/// What differs.
pub fn same_code(
    routine: &dyn Checkable,
    (identity, code_sha256, relocations): (&str, &str, &[String]),
) -> Result<(), CheckError> {
    let given = [
        ("code", code_sha256.to_owned(), sha256(&routine.code())),
        ("routine", identity.to_owned(), routine.identity()),
        ("relocations", relocations.join(", "), routine.relocations().join(", ")),
    ];
    match given.into_iter().find(|(_, certified, given)| certified != given) {
        Some((what, certified, given)) => Err(CheckError::Other { what, certified, given }),
        None => Ok(()),
    }
}

/// Replays the certificate of a routine that this one calls; gives its contract. What that costs is taken off.
///
/// # Errors
/// Why it does not hold.
pub fn check_called(
    routine: &dyn Checkable,
    called: &CalledRoutine,
    left: &mut u64,
) -> Result<Contract, CheckError> {
    let CalledRoutine { entry, inner, stack_bytes, certificate } = called;
    let own = routine.checkable_at(*entry, Some(*stack_bytes), *inner).ok_or(CheckError::Call(*entry))?;
    check_all(&*own, certificate, left)
}

/// The same, those of the called routines first; what that costs is taken off.
fn check_all(
    routine: &dyn Checkable,
    certificate: &Certificate,
    left: &mut u64,
) -> Result<Contract, CheckError> {
    if certificate.format != FORMAT {
        return Err(CheckError::Format(certificate.format.clone()));
    }
    let Certificate { routine: identity, code_sha256, relocations, .. } = certificate;
    same_code(routine, (identity, code_sha256, relocations))?;
    let contract: Contract = certificate.contract.parse()?;
    if contract.expression() == Expression::Inverse {
        return Err(CheckError::Remainder);
    }
    if contract.misfit(routine.word_bits()).is_some() {
        return Err(ContractError::AnyModulus(certificate.contract.clone()).into());
    }
    let names = certificate.patterns.iter().map(|proof| proof.pattern.as_str());
    if !names.eq(contract.patterns().iter().map(|pattern| pattern.name)) {
        return Err(CheckError::Patterns);
    }
    let effort = *left;
    let mut callees = Callees::new(routine.word_bits());
    for own in &certificate.calls {
        let contract = check_called(routine, own, left)?;
        if !callees.take((own.entry, own.inner), &contract, own.stack_bytes) {
            return Err(CheckError::Call(own.entry));
        }
    }
    for (pattern, proof) in contract.patterns().iter().zip(&certificate.patterns) {
        let (proved, taken) = if let Some(binary) = contract.binary() {
            let execution = execute_binary(routine, (&contract, binary), pattern, *left)?;
            kept(&execution.breaches, &execution.missing)?;
            *left = execution.effort;
            (execution.open.is_empty() && proof.steps.is_empty(), Ok(()))
        } else {
            let mut execution = match callees.is_empty() {
                true => execute(routine, &contract, pattern, proof.reading, *left),
                false => execute_composed(routine, &contract, pattern, proof.reading, *left, &mut callees),
            }
            .map_err(|stopped| match stopped.fault {
                Fault::Effort { .. } => CheckError::Effort(effort),
                _ => stopped.into(),
            })?;
            kept(&execution.breaches, &execution.missing)?;
            let taken = proof.steps.iter().try_for_each(|step| take(step, &mut execution.facts));
            let below = || vanishes(&execution.excess(), &execution.facts, &Modulo::Nothing);
            let proved = taken.is_ok() && execution.holds() && below();
            *left = execution.facts.effort();
            (proved, taken)
        };
        match taken {
            _ if proved => {}
            _ if *left == 0 => return Err(CheckError::Effort(effort)),
            Err(error) => return Err(error),
            Ok(()) => return Err(CheckError::Remainder),
        }
    }
    Ok(contract)
}
