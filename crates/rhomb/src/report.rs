//! The answer as data: one flat record, the same keys in every report.

use crate::evidence::{CyclesFrom, Evidence};
use crate::plan::Plan;
use crate::targets::{Code, Target};
use crate::verdict::{ConstantTime, Proof, Verdicts};
use rhomb_certificate::Contract;
use rhomb_machine::{Interrupts, Mix};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// What was made or measured. A key whose value is not known, such as the method of an object file, is
/// `null`.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Such as `mul`.
    pub operation: &'static str,
    /// Size of each operand.
    pub bits: usize,
    /// The core.
    pub target: &'static str,
    /// The method used.
    pub method: Option<&'static str>,
    /// All of its parameters, as used: numbers, or text such as `sums` and `1:1:2`.
    pub parameters: BTreeMap<String, Value>,
    /// How products are added up, where the processor has several ways.
    pub accumulation: Option<&'static str>,
    /// Unrolled or looped.
    pub form: Option<&'static str>,
    /// Calling convention.
    pub convention: &'static str,
    /// Assembler dialect.
    pub syntax: Option<&'static str>,
    /// Times.
    pub cycles: Cycles,
    /// Cycles of a body that does nothing but multiply words, add their products up without carries, and load
    /// and store each word once; for a multiplication by the multiplier: see [`rhomb_kernel::Floor`].
    pub floor: Option<u64>,
    /// Instructions that the body executes.
    pub instructions: Mix,
    /// Size of the routine.
    pub code_bytes: usize,
    /// Stack beyond the return address.
    pub stack_bytes: u32,
    /// Bytes of stack that depend on the operands after the return, the saved registers left out; `None` where the way
    /// through the code could not be followed.
    pub residue_bytes: Option<u32>,
    /// What is assumed about interrupts.
    pub interrupts: Interrupts,
    /// Whether time depends on secrets.
    pub constant_time: ConstantTime,
    /// Whether it is right for every input.
    pub proof: Proof,
    /// What the cycles are at a clock, where one was named.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub clock: Option<Clock>,
    /// Files written.
    pub files: Vec<String>,
}

/// A clock, and how long the function takes at it in the slowest call.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Clock {
    /// Millions of cycles in a second.
    pub mhz: f64,
    /// Milliseconds of the function.
    pub milliseconds: f64,
}

impl Report {
    /// The same with the time at a clock of so many MHz.
    pub fn at(&mut self, mhz: f64) {
        self.clock = Some(Clock { mhz, milliseconds: self.cycles.function as f64 / (1000.0 * mhz) });
    }
}

/// Clock cycles on the target's model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Cycles {
    /// From the first instruction after the saves to the last before the restores; slowest call.
    pub body: u64,
    /// The same in the fastest call.
    pub body_min: u64,
    /// From the first instruction to the return, both included; slowest call.
    pub function: u64,
    /// The fastest call.
    pub function_min: u64,
    /// The slowest call.
    pub function_max: u64,
    /// Where they are from.
    pub from: CyclesFrom,
    /// Where nobody promises them, what they rest on: they are about right then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<&'static str>,
    /// The body in the slowest call where loads overlap as the manual says, on cores that have such a count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body_paired: Option<u64>,
    /// The function, likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function_paired: Option<u64>,
}

impl Cycles {
    pub(crate) fn of(evidence: &Evidence, target: &dyn Target) -> Cycles {
        Cycles {
            body: evidence.body.max,
            body_min: evidence.body.min,
            function: evidence.function.max,
            function_min: evidence.function.min,
            function_max: evidence.function.max,
            from: evidence.from,
            about: target.description().about,
            body_paired: evidence.paired.map(|[_, body]| body.max),
            function_paired: evidence.paired.map(|[function, _]| function.max),
        }
    }

    /// The body's as text.
    pub(crate) fn body_text(&self) -> String {
        counted(self.about, self.body_min, self.body)
    }

    /// The function's.
    pub(crate) fn function_text(&self) -> String {
        counted(self.about, self.function_min, self.function_max)
    }
}

/// One line of JSON whose first key says what it is, and in which version; docs/report.schema.json describes each.
pub(crate) fn versioned(format: &'static str, data: &impl Serialize) -> String {
    #[derive(Serialize)]
    struct Versioned<'a, D> {
        format: &'static str,
        #[serde(flatten)]
        data: &'a D,
    }
    serde_json::to_string(&Versioned { format, data })
        .unwrap_or_else(|error| unreachable!("plain data: {error}"))
}

/// `26`, or `26 to 85`.
pub(crate) fn range(least: u64, most: u64) -> String {
    if least == most { most.to_string() } else { format!("{least} to {most}") }
}

/// The same as cycles, `about 26` where nobody promises them.
pub(crate) fn counted(about: Option<&str>, least: u64, most: u64) -> String {
    format!("{}{}", if about.is_some() { "about " } else { "" }, range(least, most))
}

/// What such cycles rest on.
pub(crate) fn rests_on(about: &str) -> String {
    format!("about: the cycles are not promised; they rest on {about}")
}

impl Report {
    /// The parameters as text, such as `cache 10`. A trail is long, and tells people nothing.
    pub(crate) fn settings(&self) -> Vec<String> {
        let text = |(name, value): (&String, &Value)| {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            format!("{} {value}", name.replace('_', "-"))
        };
        self.parameters.iter().filter(|(name, _)| *name != "trail").map(text).collect()
    }

    /// About a routine of the generator's.
    pub(crate) fn of_plan(plan: &Plan, evidence: &Evidence, verdicts: &Verdicts) -> Report {
        let mut report = Report::of_code(plan.target, &plan.contract, plan.convention, &plan.code, evidence);
        report.method = Some(plan.way.name());
        report.accumulation = plan.accumulation;
        report.form = Some(plan.form.name());
        report.syntax = Some(plan.syntax);
        report.floor = plan.floor();
        for (name, value) in plan.way.parameters() {
            let value = value.parse::<usize>().map_or(Value::String(value), Value::from);
            report.parameters.insert(name.replace('-', "_"), value);
        }
        let walk = plan.walk.clone().map(|file| ("walk".to_owned(), Value::String(file)));
        report.parameters.extend(walk);
        let trail = plan.trail.clone().map(|trail| ("trail".to_owned(), Value::String(trail)));
        report.parameters.extend(trail);
        report.constant_time = verdicts.constant_time;
        report.residue_bytes = verdicts.residue_bytes;
        report.proof = verdicts.proof;
        report
    }

    /// About machine code of unknown origin.
    pub(crate) fn of_code(
        target: &'static dyn Target,
        contract: &Contract,
        convention: &'static str,
        code: &Code,
        evidence: &Evidence,
    ) -> Report {
        Report {
            operation: contract.operation().name(),
            bits: contract.bits() as usize,
            target: target.name(),
            method: None,
            parameters: BTreeMap::new(),
            accumulation: None,
            form: None,
            convention,
            syntax: None,
            cycles: Cycles::of(evidence, target),
            floor: None,
            instructions: evidence.mix,
            code_bytes: target.code_bytes(code),
            stack_bytes: evidence.stack_bytes,
            residue_bytes: None,
            interrupts: Interrupts::Any,
            constant_time: ConstantTime::Unchecked,
            proof: Proof::NotRun,
            clock: None,
            files: Vec::new(),
        }
    }

    /// One line of JSON.
    pub fn json(&self) -> String {
        versioned("rhomb report 1", self)
    }
}
