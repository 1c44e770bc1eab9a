//! What is known about a routine beyond the calls that were simulated.

use serde::Serialize;

/// Whether time depends on secrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConstantTime {
    /// Neither branch nor address depends on them.
    Constant,
    /// Branches depend on them, but take equally long.
    Balanced,
    /// Time depends on them.
    Leaks,
    /// Nobody looked.
    Unchecked,
}

/// Whether the routine is right for every input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Proof {
    /// It is.
    Proved,
    /// It is not.
    Refuted,
    /// The prover could not tell.
    Unknown,
    /// The prover was not asked.
    NotRun,
}

/// Both verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdicts {
    /// Whether time depends on secrets.
    pub constant_time: ConstantTime,
    /// Whether the routine is right for every input.
    pub proof: Proof,
}

impl Verdicts {
    /// Nothing was checked.
    pub const NONE: Verdicts = Verdicts { constant_time: ConstantTime::Unchecked, proof: Proof::NotRun };
}
