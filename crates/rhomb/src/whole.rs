//! Whole programs with every choice made: what their files and reports say.

use crate::bounds::Bounds;
use crate::c_header;
use crate::error::Error;
use crate::evidence::Evidence;
use crate::generate::{self, Kernel, Measurement, own_fault};
use crate::header::{self, Heading};
use crate::output::Output;
use crate::report::{Cycles, Report};
use crate::request::Request;
use crate::subject::{Given, Subject};
use crate::targets::{Code, Static, Target, one_of};
use crate::verdict::{ConstantTime, Verdicts};
use crate::{name, rows};
use rhomb_kernel::Parameter;
use rhomb_machine::{Fault, Hidden, Interrupts};
use serde_json::Value;

/// No program worth a wait executes more instructions.
pub(crate) const MOST_STEPS: u64 = 1 << 33;

/// A program, and how it was asked for.
pub(crate) struct Whole {
    pub(crate) operation: &'static str,
    /// Size of the numbers.
    pub(crate) bits: usize,
    /// Whether the size is an option.
    pub(crate) is_sized: bool,
    pub(crate) method: &'static str,
    /// The parameters, as used: numbers or names.
    pub(crate) parameters: Vec<(&'static str, Value)>,
    pub(crate) target: &'static dyn Target,
    pub(crate) convention: &'static str,
    pub(crate) syntax: &'static str,
    pub(crate) name: String,
    pub(crate) code: Code,
    /// The C prototype, without semicolon.
    pub(crate) prototype: String,
    /// What it computes and asks for, one sentence a line.
    pub(crate) rules: Vec<String>,
    pub(crate) constant_time: bool,
    /// What it may take.
    pub(crate) bounds: Bounds,
    pub(crate) proof: bool,
    pub(crate) output: Output,
}

/// What was found about a program.
pub(crate) struct Found {
    pub(crate) evidence: Evidence,
    pub(crate) verdicts: Verdicts,
    pub(crate) facts: Static,
}

/// How many calls of a program are simulated.
#[derive(Clone, Copy)]
pub(crate) struct Calls {
    /// Cycles that they may take together.
    pub(crate) budget: u64,
    /// Calls that are made whatever they take.
    pub(crate) fewest: u64,
    /// Calls after which nothing new is to be expected.
    pub(crate) most: u64,
}

/// What calls by their numbers took, or what is wrong with one.
pub(crate) fn simulated(
    calls: Calls,
    call: impl Fn(u64) -> Result<Evidence, String>,
) -> Result<Evidence, String> {
    let mut found = call(0)?;
    let mut spent = found.function.max;
    for number in 1..calls.most {
        if number >= calls.fewest && spent >= calls.budget {
            break;
        }
        let own = call(number)?;
        spent += own.function.max;
        found = found.and(own);
    }
    Ok(found)
}

/// Whether time depends on the secret words of buffers: a run with all of them. `None` where a branch or an address does, so that calls
/// may differ.
pub(crate) fn timing(subject: &dyn Subject, buffers: &[Given]) -> Option<ConstantTime> {
    match subject.call_with_secrets(buffers) {
        Ok(None) => Some(ConstantTime::Constant),
        Ok(Some(Hidden::Place)) => Some(ConstantTime::DependsOnAddresses),
        Err(stopped) if !matches!(stopped.fault, Fault::Secret { .. } | Fault::Place { .. }) => {
            Some(ConstantTime::Unchecked)
        }
        Ok(Some(Hidden::Secret)) | Err(_) => None,
    }
}

/// The options of a request that not every program has.
pub(crate) fn options(request: &Request) -> Vec<&'static str> {
    let Request { parameters, bounds, extension, .. } = request;
    let given = Parameter::ALL.into_iter().map(|one| (one.name(), one.of(parameters).is_some()));
    let given = given.chain([
        (extension.as_ref().map_or("extension", |own| own.adds.option()), extension.is_some()),
        ("curve", request.curve.is_some()),
        ("form", request.form.is_some()),
        ("accumulation", request.accumulation.is_some()),
        ("registers", bounds.registers.is_some()),
        ("max-code", bounds.code.is_some()),
        ("max-stack", bounds.stack.is_some()),
        ("square-levels", request.square_levels.is_some()),
        ("window", request.window.is_some()),
        ("public", request.public.is_some()),
        ("block", request.block.is_some()),
    ]);
    given.filter(|(_, is_given)| *is_given).map(|(name, _)| name).chain(rows::option(request)).collect()
}

/// The convention, the dialect and the name that a request asks for.
pub(crate) fn called(
    request: &Request,
    target: &'static dyn Target,
    base: &str,
) -> Result<(&'static str, &'static str, String), Error> {
    let description = target.description();
    let convention = one_of("convention", request.convention.as_deref(), &description.conventions(), target)?;
    let mut syntaxes = description.syntaxes();
    syntaxes.sort_by_key(|syntax| syntax.name != description.convention(convention).syntax);
    let syntax = one_of("syntax", request.syntax.as_deref(), &syntaxes, target)?;
    let name = name::of(request, target, syntax, base)?;
    request.output.check(syntax)?;
    Ok((convention, syntax, name))
}

/// A parameter as it is written on the command line.
fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

impl Whole {
    pub(crate) fn subject(&self) -> Result<Box<dyn Subject>, Error> {
        self.subject_on(self.target)
    }

    pub(crate) fn subject_on(&self, target: &dyn Target) -> Result<Box<dyn Subject>, Error> {
        target.subject_within(&self.code, self.convention, MOST_STEPS).map_err(own_fault)
    }

    /// The files of it.
    pub(crate) fn kernel(self, found: Found) -> Result<Kernel, Error> {
        let Found { evidence, verdicts, facts } = found;
        let report = self.report(&evidence, &verdicts);
        let text = self.target.assembly(&self.code, &self.name, self.syntax).map_err(own_fault)?;
        let heading = self.heading();
        Ok(Kernel {
            assembly: self.output.file(
                (&self.name, self.target, self.syntax),
                header::heading(&heading, &facts, &evidence, &verdicts),
                &text,
            ),
            extension: self.output.extension(self.target, self.syntax),
            c_header: c_header::file(&heading, &header::briefly(&heading, &evidence, &verdicts)),
            warnings: generate::warnings(self.target, self.convention, (&self.name, &verdicts)),
            command_line: heading.command_line,
            contract: None,
            name: self.name,
            calls: evidence.calls,
            report,
            facts,
            certificate: verdicts.certificate,
        })
    }

    /// Its figures alone.
    pub(crate) fn measurement(self, found: Found) -> Measurement {
        Measurement {
            report: self.report(&found.evidence, &found.verdicts),
            warnings: generate::experimental(self.target, self.convention).into_iter().collect(),
            name: self.name,
            calls: found.evidence.calls,
            facts: found.facts,
        }
    }

    fn report(&self, evidence: &Evidence, verdicts: &Verdicts) -> Report {
        let parameters = self.parameters.iter();
        Report {
            operation: self.operation,
            bits: self.bits,
            target: self.target.name(),
            method: Some(self.method),
            parameters: parameters.map(|(name, value)| (name.replace('-', "_"), value.clone())).collect(),
            accumulation: None,
            form: None,
            convention: self.convention,
            syntax: Some(self.syntax),
            cycles: Cycles::of(evidence, self.target),
            floor: None,
            instructions: evidence.mix,
            code_bytes: self.target.code_bytes(&self.code),
            stack_bytes: evidence.stack_bytes,
            residue_bytes: verdicts.residue_bytes,
            interrupts: Interrupts::Any,
            constant_time: verdicts.constant_time,
            proof: verdicts.proof,
            clock: None,
            files: Vec::new(),
        }
    }

    fn heading(&self) -> Heading<'_> {
        let mut method = self.method.to_owned();
        for (name, value) in &self.parameters {
            method.push_str(&format!(", {name} {}", text(value)));
        }
        Heading {
            name: &self.name,
            target: self.target,
            convention: self.convention,
            syntax: self.syntax,
            prototype: self.prototype.clone(),
            declaration: self.prototype.clone(),
            rules: self.rules.clone(),
            method,
            extension: Default::default(),
            code_bytes: self.target.code_bytes(&self.code),
            command_line: self.command_line(),
        }
    }

    /// The command line that makes the same file, every choice stated.
    fn command_line(&self) -> String {
        let Whole { operation, target, convention, syntax, name, method, .. } = self;
        let mut line = format!("rhomb generate {operation}");
        if self.is_sized {
            line.push_str(&format!(" --bits {}", self.bits));
        }
        line.push_str(&format!(" --target {} --method {method}", target.name()));
        for (name, value) in &self.parameters {
            line.push_str(&format!(" --{name} {}", text(value)));
        }
        let Bounds { code, stack, .. } = self.bounds;
        for (name, value) in [("max-code", code), ("max-stack", stack)] {
            line.extend(value.map(|value| format!(" --{name} {value}")));
        }
        if self.constant_time {
            line.push_str(" --constant-time");
        }
        let no_proof = if self.proof { "" } else { " --no-proof" };
        line.push_str(&format!(" --convention {convention} --syntax {syntax} --name {name}{no_proof}"));
        line.push_str(&self.output.options());
        line
    }
}
