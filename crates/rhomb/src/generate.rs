//! From a request to files and figures.

use crate::contract::Contract;
use crate::error::{Error, Kind};
use crate::evidence::{Evidence, simulate};
use crate::report::Report;
use crate::request::{Plan, Request};
use crate::target::{Code, Static, Target};
use crate::verdict::Verdicts;
use crate::{c_header, header};

/// A routine with its evidence and its files' contents.
pub struct Kernel {
    /// Its name; the files are called after it.
    pub name: String,
    /// Figures and verdicts; its list of files is empty.
    pub report: Report,
    /// What reading the machine code told.
    pub facts: Static,
    /// Number of simulated calls.
    pub calls: usize,
    /// The assembly file.
    pub assembly: String,
    /// The C header.
    pub c_header: String,
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
    pub calls: usize,
    /// What the user should know; each one line.
    pub warnings: Vec<String>,
}

/// A plan and what is known about its code.
struct Examined {
    plan: Plan,
    facts: Static,
    evidence: Evidence,
    verdicts: Verdicts,
}

/// Makes a routine. It has passed its evidence; nothing is written.
///
/// # Errors
/// A request that cannot be met, or code that fails its evidence.
pub fn generate(request: &Request) -> Result<Kernel, Error> {
    let plan = request.plan()?;
    if let Some(warning) = beyond_flash(plan.target, &plan.code) {
        let hint = "`rhomb measure` counts its cycles all the same; a smaller size or another core has room";
        return Err(Error::request(warning, hint));
    }
    let examined = examine(plan)?;
    let Examined { plan, facts, evidence, verdicts } = &examined;
    let report = Report::of_plan(plan, evidence, *verdicts);
    let text = plan.target.assembly(&plan.code, &plan.name, plan.syntax).map_err(own_fault)?;
    Ok(Kernel {
        assembly: header::contract(plan, facts, evidence, *verdicts) + &text,
        c_header: c_header::text(plan),
        name: plan.name.clone(),
        calls: evidence.calls,
        report,
        facts: facts.clone(),
    })
}

/// Makes a routine and gives its figures only, whether or not it fits the target's program memory.
///
/// # Errors
/// As for [`generate`].
pub fn measure(request: &Request) -> Result<Measurement, Error> {
    let Examined { plan, facts, evidence, verdicts } = examine(request.plan()?)?;
    Ok(Measurement {
        report: Report::of_plan(&plan, &evidence, verdicts),
        warnings: beyond_flash(plan.target, &plan.code).into_iter().collect(),
        name: plan.name,
        facts,
        calls: evidence.calls,
    })
}

/// Figures of a function in an object file, which must keep `contract`.
///
/// # Errors
/// A file or a symbol that cannot be read, or code that breaks the contract or the convention.
pub fn measure_object(
    file: &[u8],
    symbol: &str,
    contract: Contract,
    target: &'static dyn Target,
    convention: Option<&str>,
) -> Result<Measurement, Error> {
    let convention = crate::request::one_of("convention", convention, &target.conventions(), target)?;
    let file = rhomb_object::ObjectFile::parse(file).map_err(|error| {
        Error::request(error, "the compiler or assembler writes such a file with -c: avr-gcc -c FILE.S")
    })?;
    let code = target.object_code(&file, symbol)?;
    let facts = target.read(&code).map_err(|fault| {
        let fault = format!("'{}' on {}: {fault}", crate::error::shown(symbol), target.name());
        Error::request(fault, "--target must be a core that the file was made for")
    })?;
    let evidence = simulate(target, &code, &facts, contract, convention)?;
    Ok(Measurement {
        name: symbol.to_owned(),
        report: Report::of_code(target, contract, convention, &code, &evidence),
        facts,
        calls: evidence.calls,
        warnings: Vec::new(),
    })
}

fn examine(plan: Plan) -> Result<Examined, Error> {
    let facts = plan.target.read(&plan.code).map_err(own_fault)?;
    let evidence = simulate(plan.target, &plan.code, &facts, plan.contract, plan.convention).map_err(
        |error| match error.kind {
            Kind::Evidence => own_fault(error.fault),
            Kind::Request => error,
        },
    )?;
    // to be replaced by what prover and secrets check say about the same bytes
    let verdicts = Verdicts::NONE;
    Ok(Examined { plan, facts, evidence, verdicts })
}

/// Generated code that fails is our fault and not the request's.
fn own_fault(fault: String) -> Error {
    Error::evidence(fault, "this is a fault of rhomb; please report it with the command line")
}

fn beyond_flash(target: &dyn Target, code: &Code) -> Option<String> {
    let (needed, there) = (code.routine.len() as u64, target.flash_bytes());
    (needed > there).then(|| {
        format!("the kernel takes {needed} bytes; {} has {there} bytes of program memory", target.name())
    })
}
