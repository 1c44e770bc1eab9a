//! Many functions at once: a suite of functions with their contracts.

mod guess;
mod sarif;
mod shard;
mod table;
mod text;

pub use guess::{Guess, Listed, functions, guess, listing};
pub use sarif::sarif;
pub use shard::Shard;
pub use table::table;
pub use text::{Defaults, Suite};

use crate::error::{Error, Kind};
use crate::report;
use crate::verdict::{Proof, Require};
use crate::verify::Verification;
use rhomb_certificate::Contract;
use rhomb_machine::Interrupts;
use serde::Serialize;

/// A function of a suite, and what is asked of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The function.
    pub symbol: String,
    /// What it is to compute.
    pub contract: Contract,
    /// What it calls, and is to be followed by contracts of their own.
    pub calls: Vec<(String, Contract)>,
    /// The object file, as the suite has it.
    pub file: String,
    /// The core.
    pub target: String,
    /// By which it is called, where that is not the target's usual convention.
    pub convention: Option<String>,
    /// What may be assumed about interrupts.
    pub interrupts: Interrupts,
    /// Effort for the proof: see [`crate::EFFORT`].
    pub effort: u64,
    /// What its time must be.
    pub require: Option<Require>,
}

/// What became of a function of a suite.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What was asked.
    pub member: Member,
    /// The verdicts, or why there are none.
    pub found: Result<Verification, Error>,
}

/// How a function of a suite, or all of it, came out; the worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// Proved, and in the time that is asked for.
    Good,
    /// Neither proved nor refuted.
    Unknown,
    /// It could not be asked.
    Failed,
    /// Refuted, or not in the time that is asked for.
    Bad,
}

impl Answer {
    /// How it came out.
    pub fn outcome(&self) -> Outcome {
        match &self.found {
            Err(error) if error.kind == Kind::Evidence => Outcome::Bad,
            Err(_) => Outcome::Failed,
            Ok(found) => match found.proof {
                Proof::Refuted => Outcome::Bad,
                _ if !self.is_in_time(found) => Outcome::Bad,
                Proof::Proved => Outcome::Good,
                Proof::Unknown | Proof::NotRun => Outcome::Unknown,
            },
        }
    }

    fn is_in_time(&self, found: &Verification) -> bool {
        self.member.require.is_none_or(|require| require.holds(found.constant_time))
    }

    /// One line of JSON: the verification, or why there is none.
    pub fn json(&self) -> String {
        #[derive(Serialize)]
        struct Failure<'a> {
            symbol: &'a str,
            contract: String,
            target: &'a str,
            fault: &'a str,
            hint: &'a str,
        }
        match &self.found {
            Ok(found) => found.json(),
            Err(Error { fault, hint, .. }) => {
                let Member { symbol, contract, target, .. } = &self.member;
                let contract = contract.to_string();
                report::versioned("rhomb failure 1", &Failure { symbol, contract, target, fault, hint })
            }
        }
    }
}

/// What to tell of all of them in the end, where not all is good.
pub fn fault(answers: &[Answer]) -> Option<Error> {
    let worst = answers.iter().map(Answer::outcome).max().filter(|worst| *worst != Outcome::Good)?;
    let count = answers.iter().filter(|answer| answer.outcome() == worst).count();
    let all = answers.len();
    let of = if all == 1 { "function" } else { "functions" };
    Some(match worst {
        Outcome::Bad => Error::evidence(
            format_args!("{count} of {all} {of} refuted, or not in the time required"),
            "`rhomb verify FILE --symbol F --contract C` tells all about one of them",
        ),
        Outcome::Failed => Error::request(
            format_args!("{count} of {all} {of} could not be verified"),
            "the lines of these say why; `rhomb help contracts` describes the file of contracts",
        ),
        Outcome::Unknown | Outcome::Good => Error::open(
            format_args!("{count} of {all} {of} neither proved nor refuted"),
            "the lines of these say why; `rhomb help soundness` says what the prover can follow",
        ),
    })
}
