//! What is known about a routine beyond the calls that were simulated.

use rhomb_certificate::sha256;
use rhomb_prove::Timing;
use serde::{Deserialize, Serialize};

/// Whether time depends on secrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConstantTime {
    /// Neither branch nor address depends on them.
    Constant,
    /// Branches or the times of instructions depend on them, but every call takes equally long.
    Balanced,
    /// Branches or the times of instructions depend on where the arrays lie.
    DependsOnAddresses,
    /// Time, or an address, depends on them: two calls show it.
    Leaks,
    /// It may depend on them, or on where the arrays lie, and could not be told.
    Unknown,
    /// Nobody looked, or the code could not be followed.
    Unchecked,
}

impl ConstantTime {
    /// As JSON has it.
    pub fn name(self) -> &'static str {
        match self {
            ConstantTime::Constant => "constant",
            ConstantTime::Balanced => "balanced",
            ConstantTime::DependsOnAddresses => "depends-on-addresses",
            ConstantTime::Leaks => "leaks",
            ConstantTime::Unknown => "unknown",
            ConstantTime::Unchecked => "unchecked",
        }
    }

    /// Whether every call takes equally long.
    pub fn is_same_in_every_call(self) -> bool {
        matches!(self, ConstantTime::Constant | ConstantTime::Balanced)
    }

    /// Whether operands have no influence on it.
    pub fn is_same_for_operands(self) -> bool {
        match self {
            ConstantTime::Constant | ConstantTime::Balanced | ConstantTime::DependsOnAddresses => true,
            ConstantTime::Leaks | ConstantTime::Unknown | ConstantTime::Unchecked => false,
        }
    }
}

/// What is asked of a routine's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Require {
    /// No branch, address or instruction depends on the operands.
    Constant,
    /// Every call takes equally long.
    Balanced,
}

impl Require {
    /// On the command line.
    pub fn name(self) -> &'static str {
        match self {
            Require::Constant => "constant",
            Require::Balanced => "balanced",
        }
    }

    /// Whether time is as asked.
    pub fn holds(self, time: ConstantTime) -> bool {
        match self {
            Require::Constant => time == ConstantTime::Constant,
            Require::Balanced => time.is_same_in_every_call(),
        }
    }
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

/// What the machine code told beside its calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdicts {
    /// Whether time depends on secrets.
    pub constant_time: ConstantTime,
    /// Bytes below the stack pointer that depend on the operands after the return, where that can be told.
    pub residue_bytes: Option<u32>,
    /// Whether the routine is right for every input.
    pub proof: Proof,
    /// What shows it.
    pub certificate: Option<Written>,
}

/// A certificate as it is written to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// JSON.
    pub text: String,
    /// SHA-256 of the text, in hexadecimal.
    pub sha256: String,
}

impl Written {
    pub(crate) fn new(certificate: &impl Serialize) -> Self {
        let text =
            serde_json::to_string(certificate).unwrap_or_else(|error| unreachable!("plain data: {error}"));
        Written { sha256: sha256(text.as_bytes()), text }
    }
}

impl From<&Timing> for ConstantTime {
    fn from(timing: &Timing) -> Self {
        match timing {
            Timing::Constant => ConstantTime::Constant,
            Timing::Balanced => ConstantTime::Balanced,
            Timing::Places { .. } => ConstantTime::DependsOnAddresses,
            Timing::Leaks { .. } => ConstantTime::Leaks,
            Timing::Unshown { .. } | Timing::Apart(_) => ConstantTime::Unknown,
            Timing::Unknown(_) => ConstantTime::Unchecked,
        }
    }
}
