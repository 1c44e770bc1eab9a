use serde::{Deserialize, Serialize};
use std::fmt;

/// A number of cycles that somebody else reports, for one size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Figure {
    /// Cycles, of what `scope` says.
    pub cycles: u64,
    /// What the cycles include.
    pub scope: Scope,
    /// Who reports it, and where.
    pub source: String,
    /// How it is known.
    pub status: Status,
    /// Whether the code that takes so long is right.
    pub verdict: Verdict,
    /// Whether the code is known to branch on what it computes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub branches: bool,
    /// How it is computed, where the source tells.
    pub method: Option<Method>,
    /// The family of cores it holds for, such as `atmega`.
    pub family: String,
    /// Such as `mul`.
    pub operation: String,
    /// The modulus, polynomial or curve of an operation that has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// Size of each operand in bits.
    pub bits: u32,
    /// The executed instructions, where the source counts them.
    pub mix: Option<Mix>,
    /// What a reader of the figure should know.
    pub note: Option<String>,
}

/// What a number of cycles includes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Without saving and restoring registers, restoring a zero register, and returning.
    Body,
    /// From the first instruction to the return, both included; without the caller's call.
    Function,
}

/// How a figure is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Printed in a paper, in a table or in the text.
    Published,
    /// Follows from a cost formula that fits a paper's printed figures; not itself printed.
    Formula,
    /// The authors' own code, run on a cycle-accurate simulator.
    Measured,
    /// The authors' own code, run on an emulator, its instructions priced by the manual.
    Counted,
    /// Read in an abstract, a page or a comment in source; not reproduced.
    Claimed,
}

/// Whether code is right: what `rhomb verify` said of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// For every input.
    Proved,
    /// For some input it is not, which the figure's note has.
    Refuted,
    /// It was not asked.
    #[default]
    NotVerified,
}

/// How a figure's operation is computed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Method {
    /// Such as `operand-caching`.
    pub name: String,
    /// What sets it apart from the plain method, such as `looped` or `branch-free`.
    pub variant: Option<String>,
    /// Its parameters; `None` when the source does not tell them.
    pub parameters: Option<Parameters>,
}

/// Parameters of a method. What is `None` is no parameter of the method.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// Words of one operand that are kept in registers.
    pub cache: Option<u32>,
    /// Intermediate words that are added at a time; 1 is the plain method.
    pub carry_once: Option<u32>,
}

/// Numbers of executed instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mix {
    /// Loads.
    pub load: u64,
    /// Stores.
    pub store: u64,
    /// Multiplications.
    pub multiply: u64,
    /// Additions and subtractions.
    pub add: u64,
    /// All others.
    pub other: u64,
    /// Cycles printed beyond [`Mix::cycles`]; not 0 where an instruction among the others takes
    /// longer, or where the print does not add up.
    #[serde(default)]
    pub unexplained: i64,
}

impl Mix {
    /// The cycles that the counts make on an AVR: 2 for a load, store or multiplication, 1 for any
    /// other instruction.
    pub fn cycles(&self) -> u64 {
        2 * (self.load + self.store + self.multiply) + self.add + self.other
    }
}

impl Scope {
    /// The name in data and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Scope::Body => "body",
            Scope::Function => "function",
        }
    }
}

impl Status {
    /// The name in data and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Published => "published",
            Status::Formula => "formula",
            Status::Measured => "measured",
            Status::Counted => "counted",
            Status::Claimed => "claimed",
        }
    }
}

impl Verdict {
    /// The name in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Proved => "proved",
            Verdict::Refuted => "refuted",
            Verdict::NotVerified => "not verified",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
