//! From a request to files and figures.

use crate::error::{Error, Kind};
use crate::evidence::{self, Evidence, describe, simulate};
use crate::modular;
use crate::plan::Plan;
use crate::question::{Loaded, Question};
use crate::report::Report;
use crate::request::Request;
use crate::subject::Subject;
use crate::targets::{Code, MOST_STEPS, Static, Target};
use crate::verdict::{ConstantTime, Proof, Verdicts, Written};
use crate::{c_header, header, scheme};
use rhomb_certificate::Contract;
use rhomb_composition::Program;
use rhomb_prove::{Budget, Verdict};

/// A routine with its evidence and its files' contents.
pub struct Kernel {
    /// Its name; the files are called after it.
    pub name: String,
    /// What it promises, as `--contract` takes it; nothing for programs that have no such contract.
    pub contract: Option<String>,
    /// Figures and verdicts; its list of files is empty.
    pub report: Report,
    /// What reading the machine code told.
    pub facts: Static,
    /// Number of simulated calls.
    pub calls: u64,
    /// The assembly file.
    pub assembly: String,
    /// The extension of its name, without the dot.
    pub extension: &'static str,
    /// The C header.
    pub c_header: String,
    /// The command line that makes the same files.
    pub command_line: String,
    /// What shows that the routine is right, where it is proved.
    pub certificate: Option<Written>,
    /// What the user should know; each one line.
    pub warnings: Vec<String>,
}

/// Figures of a routine.
pub struct Measurement {
    /// Name of the routine.
    pub name: String,
    /// Figures and verdicts.
    pub report: Report,
    /// What reading the machine code told.
    pub facts: Static,
    /// Number of simulated calls.
    pub calls: u64,
    /// What the user should know; each one line.
    pub warnings: Vec<String>,
}

/// Makes a routine. It has passed its evidence; nothing is written. One that could not be proved is marked
/// so in its file and its report.
///
/// # Errors
/// A request that cannot be met, or code that fails its evidence.
pub fn generate(request: &Request) -> Result<Kernel, Error> {
    if let Some(operation) = modular::of(request) {
        return modular::generate(request, operation);
    }
    if scheme::is_one(request) {
        return scheme::generate(request);
    }
    generate_planned(&request.plan()?, request)
}

/// The plan of a request, from which [`generate_planned`] and [`crate::draw_planned`] go on; none of requests for whole
/// programs, which [`generate`] alone makes.
///
/// # Errors
/// A request that cannot be met.
pub fn planned(request: &Request) -> Result<Option<Plan>, Error> {
    let is_program = modular::of(request).is_some() || scheme::is_one(request);
    if is_program { Ok(None) } else { request.plan().map(Some) }
}

/// As [`generate`], with every choice of the request made.
///
/// # Errors
/// As there.
pub fn generate_planned(plan: &Plan, request: &Request) -> Result<Kernel, Error> {
    if let Some(warning) = beyond_flash(plan.target, &plan.code) {
        let hint = "`rhomb measure` counts its cycles all the same; --form looped, a smaller size or another core has room";
        return Err(Error::request(warning, hint));
    }
    let facts = plan.target.read(&plan.code).map_err(own_fault)?;
    let subject = plan.target.subject(&plan.code, plan.convention).map_err(own_fault)?;
    request.work.tell("simulating");
    let search = subject.search(&plan.contract, evidence::BUDGET);
    let Some(evidence) = Evidence::of(&search) else {
        return Err(own_fault(evidence::failure(plan.target, &plan.contract, &search).fault));
    };
    let time = subject.time(&plan.contract);
    let (constant_time, residue_bytes) = (ConstantTime::from(&time.timing), time.residue);
    let evidence = evidence.within(time.bounds);
    let evidence = evidence.with_pairs(plan.target, (&plan.code, plan.convention), &plan.contract);
    check_time(plan, constant_time)?;
    request.work.tell("proving");
    let (proof, certificate) = if plan.proof && !request.no_proof {
        proof(&plan.contract, subject.decide(search, &plan.contract, &[], Budget::default()))?
    } else {
        (Proof::NotRun, None)
    };
    let verdicts = Verdicts { constant_time, residue_bytes, proof, certificate };
    let report = Report::of_plan(plan, &evidence, &verdicts);
    let heading = header::of_plan(plan);
    let text = plan.target.assembly(&plan.code, &plan.name, plan.syntax).map_err(own_fault)?;
    Ok(Kernel {
        assembly: plan.output.file(
            (&plan.name, plan.target, plan.syntax),
            header::heading(&heading, &facts, &evidence, &verdicts),
            &text,
        ),
        extension: plan.output.extension(plan.target, plan.syntax),
        warnings: warnings(plan.target, plan.convention, (&plan.name, &verdicts)),
        c_header: c_header::file(&heading, &header::briefly(&heading, &evidence, &verdicts)),
        command_line: heading.command_line,
        contract: Some(plan.contract.to_string()),
        name: plan.name.clone(),
        calls: evidence.calls,
        report,
        facts,
        certificate: verdicts.certificate,
    })
}

/// The verdict on a program: what it is to be, if anything proves such, and the certificate where there is one.
pub(crate) fn composed(subject: &dyn Subject, program: Option<&Program>) -> (Proof, Option<Written>) {
    match program.map(|program| subject.compose(program)) {
        Some(Ok(composition)) => (Proof::Proved, Some(Written::new(&composition))),
        Some(Err(_)) | None => (Proof::Unknown, None),
    }
}

/// A verdict as it is reported, with the certificate where there is one.
///
/// # Errors
/// Code that is refuted.
pub(crate) fn proof(contract: &Contract, verdict: Verdict) -> Result<(Proof, Option<Written>), Error> {
    Ok(match verdict {
        Verdict::Proved(certificate) => (Proof::Proved, Some(Written::new(&certificate))),
        Verdict::Composed(composition) => (Proof::Proved, Some(Written::new(&composition))),
        Verdict::Unknown(_) => (Proof::Unknown, None),
        Verdict::Refuted(example, _) => return Err(own_fault(evidence::describe(contract, &example))),
    })
}

/// Makes a routine and gives its figures only, whether or not it fits the target's program memory. It is
/// not proved.
///
/// # Errors
/// As for [`generate`].
pub fn measure(request: &Request) -> Result<Measurement, Error> {
    if let Some(operation) = modular::of(request) {
        return modular::measure(request, operation);
    }
    if scheme::is_one(request) {
        return scheme::measure(request);
    }
    measure_planned(request.plan()?)
}

/// As [`measure`], with every choice of the request made.
pub(crate) fn measure_planned(plan: Plan) -> Result<Measurement, Error> {
    let facts = plan.target.read(&plan.code).map_err(own_fault)?;
    let subject = plan.target.subject(&plan.code, plan.convention).map_err(own_fault)?;
    let evidence = simulate(plan.target, &*subject, &plan.contract).map_err(|error| match error.kind {
        Kind::Evidence => own_fault(error.fault),
        Kind::Request | Kind::Open => error,
    })?;
    let time = subject.time(&plan.contract);
    let (constant_time, residue_bytes) = (ConstantTime::from(&time.timing), time.residue);
    let evidence = evidence.within(time.bounds);
    let evidence = evidence.with_pairs(plan.target, (&plan.code, plan.convention), &plan.contract);
    check_time(&plan, constant_time)?;
    let verdicts = Verdicts { constant_time, residue_bytes, proof: Proof::NotRun, certificate: None };
    Ok(Measurement {
        report: Report::of_plan(&plan, &evidence, &verdicts),
        warnings: beyond_flash(plan.target, &plan.code)
            .into_iter()
            .chain(experimental(plan.target, plan.convention))
            .collect(),
        name: plan.name,
        facts,
        calls: evidence.calls,
    })
}

/// Figures of a function in an object file, which must keep `contract`.
///
/// # Errors
/// A file or a symbol that cannot be read, or code that breaks the contract or the convention.
pub fn measure_object(question: &Question<'_>, contract: &Contract) -> Result<Measurement, Error> {
    let Question { symbol, target, interrupts, .. } = *question;
    let (Loaded { convention, code, facts, .. }, subject) = question.load(MOST_STEPS)?;
    let search = subject.search(contract, evidence::BUDGET);
    let evidence = Evidence::alone(&search).ok_or_else(|| evidence::failure(target, contract, &search))?;
    let time = subject.time(contract);
    let evidence = evidence.within(time.bounds).with_pairs(target, (&code, convention), contract);
    let mut report = Report::of_code(target, contract, convention, &code, &evidence);
    report.interrupts = interrupts;
    report.constant_time = ConstantTime::from(&time.timing);
    report.residue_bytes = time.residue;
    let disturbed = search.interrupted.map(|example| {
        format!(
            "an interrupt may make it wrong, and what is counted is without any: {}",
            describe(contract, &example)
        )
    });
    Ok(Measurement {
        name: symbol.to_owned(),
        report,
        facts,
        calls: evidence.calls,
        warnings: experimental(target, convention).into_iter().chain(disturbed).collect(),
    })
}

/// Generated code that fails is our fault and not the request's.
pub(crate) fn own_fault(fault: String) -> Error {
    Error::evidence(fault, "this is a fault of rhomb; please report it with the command line")
}

/// What was asked to take equally long for all operands must.
fn check_time(plan: &Plan, verdict: ConstantTime) -> Result<(), Error> {
    if plan.constant_time && !verdict.is_same_for_operands() {
        let target = plan.target.name();
        let fault = format!("--constant-time: on {target} the time of this routine depends on its operands");
        return Err(Error::request(fault, "leave --constant-time out, and the range of cycles is told"));
    }
    Ok(())
}

pub(crate) fn experimental(target: &dyn Target, convention: &str) -> Option<String> {
    target.description().convention(convention).is_experimental.then(|| {
        format!("the convention {convention} is experimental: check it against your compiler's manual")
    })
}

/// What somebody should know who writes a routine to a file.
pub(crate) fn warnings(
    target: &dyn Target,
    convention: &str,
    (name, verdicts): (&str, &Verdicts),
) -> Vec<String> {
    let leak = (verdicts.constant_time == ConstantTime::Leaks).then(|| {
        format!(
            "the time of {name} depends on its operands; --constant-time asks for one whose time does not"
        )
    });
    experimental(target, convention).into_iter().chain(leak).collect()
}

fn beyond_flash(target: &dyn Target, code: &Code) -> Option<String> {
    let (needed, there) = (target.code_bytes(code) as u64, target.description().flash_bytes);
    (needed > there).then(|| {
        format!("the routine takes {needed} bytes; {} has {there} bytes of program memory", target.name())
    })
}
