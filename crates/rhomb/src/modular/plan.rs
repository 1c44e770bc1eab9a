//! From a request to a program with its figures.

use super::{ModularMethod, ModularOperation, ModularProgram, ModularTask, evidence, made, text};
use crate::error::Error;
use crate::evidence::Evidence;
use crate::generate::{self, Kernel, Measurement, own_fault};
use crate::header::{self, Heading};
use crate::output::Output;
use crate::report::{Cycles, Report};
use crate::request::Request;
use crate::rows;
use crate::subject::Subject;
use crate::targets::{self, LowerFault, Static, Target, one_of};
use crate::verdict::{ConstantTime, Proof, Verdicts};
use crate::{c_header, name, programs};
use rhomb_machine::Interrupts;
use rhomb_prove::Budget;
use serde_json::Value;

/// Instructions of the calls that a proof begins with; those of the evidence were many.
const FIRST_CALLS: u64 = 200_000;

/// Instructions of the calls that look for a fault after a proof that failed, likewise.
const SECOND_CALLS: u64 = 200_000;

/// No program worth a wait executes more instructions.
const MOST_STEPS: u64 = 1 << 33;

/// A request with every choice made.
struct Plan {
    task: ModularTask,
    target: &'static dyn Target,
    convention: &'static str,
    syntax: &'static str,
    name: String,
    program: ModularProgram,
    constant_time: bool,
    proof: bool,
    output: Output,
}

/// What was found about a program.
struct Found {
    evidence: Evidence,
    verdicts: Verdicts,
    facts: Static,
}

pub(crate) fn generate(request: &Request, operation: ModularOperation) -> Result<Kernel, Error> {
    let plan = plan(request, operation)?;
    let Found { evidence, verdicts, facts } = plan.found(plan.proof)?;
    let report = plan.report(&evidence, &verdicts);
    let text = plan.target.assembly(&plan.program.code, &plan.name, plan.syntax).map_err(own_fault)?;
    let heading = plan.heading();
    Ok(Kernel {
        assembly: plan.output.file(
            (&plan.name, plan.target, plan.syntax),
            header::heading(&heading, &facts, &evidence, &verdicts),
            &text,
        ),
        extension: plan.output.extension(plan.target, plan.syntax),
        c_header: c_header::file(&heading, &header::briefly(&heading, &evidence, &verdicts)),
        warnings: generate::warnings(plan.target, plan.convention, (&plan.name, &verdicts)),
        command_line: heading.command_line,
        name: plan.name,
        calls: evidence.calls,
        report,
        facts,
        certificate: verdicts.certificate,
    })
}

pub(crate) fn measure(request: &Request, operation: ModularOperation) -> Result<Measurement, Error> {
    let plan = plan(request, operation)?;
    let Found { evidence, verdicts, facts } = plan.found(false)?;
    Ok(Measurement {
        report: plan.report(&evidence, &verdicts),
        warnings: generate::experimental(plan.target, plan.convention).into_iter().collect(),
        name: plan.name,
        calls: evidence.calls,
        facts,
    })
}

/// Cycles of the body of a call where every second bit of an exponent is 1.
pub(crate) fn typical(request: &Request) -> Result<u64, Error> {
    let operation = ModularOperation::named(&request.operation)
        .ok_or_else(|| Error::request("no modular operation", "valid: montmul, montsqr, modexp"))?;
    let plan = plan(request, operation)?;
    let subject = plan.subject()?;
    let operands = evidence::typical(&plan.program, plan.target.description().word_bits);
    let call = evidence::call(
        &*subject,
        operation,
        &plan.program,
        plan.target.description().word_bits,
        (operands, 0),
    );
    Ok(call.map_err(own_fault)?.body.max)
}

fn method(
    request: &Request,
    operation: ModularOperation,
    target: &dyn Target,
) -> Result<&'static ModularMethod, Error> {
    let methods = || operation.methods().iter().filter(|own| own.is_shared || target.has_modular());
    let names: Vec<&str> = methods().map(|method| method.name).collect();
    let default = match operation {
        ModularOperation::Exponentiate if request.constant_time => "fixed-window",
        _ => names[0],
    };
    let given = request.method.as_deref().filter(|given| *given != "best").unwrap_or(default);
    let known = methods().find(|method| method.name == given);
    known.ok_or_else(|| Error::unknown("method", given, &names, "`rhomb list methods` describes them"))
}

/// Refuses what the operation or its method does not have.
fn check_options(
    request: &Request,
    operation: ModularOperation,
    method: &ModularMethod,
) -> Result<(), Error> {
    let Request { parameters, form, bounds, accumulation, .. } = request;
    let others = rhomb_kernel::Parameter::ALL.into_iter().filter(|one| one.name() != "levels");
    let given = others.filter(|one| one.of(parameters).is_some()).map(|one| (one.name(), true));
    let given = given.chain([
        (
            request.extension.as_ref().map_or("extension", |own| own.adds.option()),
            request.extension.is_some(),
        ),
        ("form", form.is_some()),
        ("accumulation", accumulation.is_some()),
        ("registers", bounds.registers.is_some()),
        ("max-code", bounds.code.is_some()),
        ("max-stack", bounds.stack.is_some()),
        ("levels", parameters.levels.is_some()),
        ("square-levels", request.square_levels.is_some()),
        ("window", request.window.is_some()),
        ("block", request.block.is_some()),
    ]);
    let given = given.chain(rows::option(request).map(|name| (name, true)));
    let mut unknown = given.filter(|(name, is_given)| *is_given && !method.parameters.contains(name));
    let Some((name, _)) = unknown.next() else { return Ok(()) };
    let valid: Vec<String> = method.parameters.iter().map(|name| format!("--{name}")).collect();
    let valid = if valid.is_empty() { "no parameters".to_owned() } else { valid.join(", ") };
    let fault = format!("{} by {} has no --{name}; valid: {valid}", operation.name(), method.name);
    Err(Error::request(fault, format_args!("leave --{name} out")))
}

/// The size of the modulus.
fn size(request: &Request, operation: ModularOperation) -> Result<usize, Error> {
    let bits = request.bits;
    if request.modulus.is_some() || request.polynomial.is_some() {
        let fault = format!("{} takes its modulus as an argument; valid: --bits alone", operation.name());
        return Err(Error::request(fault, "montmul, montsqr and montreduce can have --modulus in the code"));
    }
    if !(1..=4096).contains(&bits) {
        let fault = format!("a modulus of {bits} bits; valid: 1 to 4096");
        return Err(Error::request(fault, "--bits is the size of the modulus"));
    }
    Ok(bits)
}

fn plan(request: &Request, operation: ModularOperation) -> Result<Plan, Error> {
    let target = targets::wanted(&request.target, request.constant_time)?;
    let method = method(request, operation, target)?;
    check_options(request, operation, method)?;
    let bits = size(request, operation)?;
    let convention =
        one_of("convention", request.convention.as_deref(), &target.description().conventions(), target)?;
    let mut syntaxes = target.description().syntaxes();
    syntaxes.sort_by_key(|syntax| syntax.name != target.description().convention(convention).syntax);
    let syntax = one_of("syntax", request.syntax.as_deref(), &syntaxes, target)?;
    let name = name::of(request, target, syntax, &format!("{}{bits}", operation.name()))?;
    request.output.check(syntax)?;
    let task = ModularTask {
        operation,
        bits,
        method: method.name,
        levels: request.parameters.levels,
        square_levels: request.square_levels,
        window: request.window,
        block: request.block,
    };
    let program = made(target, &task, convention).map_err(|fault| refusal(target, &task, fault))?;
    let (constant_time, proof) = (request.constant_time, !request.no_proof);
    let output = request.output.clone();
    Ok(Plan { task, target, convention, syntax, name, program, constant_time, proof, output })
}

/// The parameters of its method that were asked for.
fn given_parameters(task: &ModularTask) -> Vec<&'static str> {
    let given = [
        ("window", task.window.is_some()),
        ("levels", task.levels.is_some()),
        ("square-levels", task.square_levels.is_some()),
        ("block", task.block.is_some()),
    ];
    given.into_iter().filter(|(_, is_given)| *is_given).map(|(name, _)| name).collect()
}

fn refusal(target: &dyn Target, task: &ModularTask, fault: LowerFault) -> Error {
    let operation = task.operation.name();
    match fault {
        LowerFault::Unmade(message) => {
            let able = targets::all().filter(|other| other.description().has_multiplier);
            let able: Vec<&str> = able.map(|target| target.name()).collect();
            let fault = format!("{operation} on {}: {message}; valid: {}", target.name(), able.join(", "));
            let in_code = format!("{operation} 2^192-2^64-1")
                .parse()
                .is_ok_and(|contract| programs::makes(target, &contract));
            let hint = match (in_code, able.first()) {
                (true, _) => "--modulus in place of --bits writes the modulus into the code".to_owned(),
                (false, Some(other)) => format!("--target {other} has it"),
                (false, None) => "`rhomb list operations` says what there is".to_owned(),
            };
            Error::request(fault, hint)
        }
        LowerFault::NoMultiplier => {
            Error::request(format!("{operation}: {} has no multiplier", target.name()), "another --target")
        }
        LowerFault::Registers(message)
        | LowerFault::ConstantTime { message, .. }
        | LowerFault::Other(message) => {
            let fault = format!("{operation} by {} on {}: {message}", task.method, target.name());
            let options: Vec<String> =
                given_parameters(task).iter().map(|name| format!("--{name}")).collect();
            let hint = match options.join(", ") {
                none if none.is_empty() => "another --method or --bits".to_owned(),
                options => format!("leave {options} out and good values are chosen"),
            };
            Error::request(fault, hint)
        }
    }
}

impl Plan {
    fn subject(&self) -> Result<Box<dyn Subject>, Error> {
        self.target.subject_within(&self.program.code, self.convention, MOST_STEPS).map_err(own_fault)
    }

    fn found(&self, prove: bool) -> Result<Found, Error> {
        let facts = self.target.read(&self.program.code).map_err(own_fault)?;
        let subject = self.subject()?;
        let word_bits = self.target.description().word_bits;
        let operation = self.task.operation;
        let simulated = evidence::simulate(&*subject, operation, &self.program, word_bits);
        let mut evidence = simulated.map_err(own_fault)?;
        if let Some(other) = self.target.paired() {
            let subject = other.subject_within(&self.program.code, self.convention, MOST_STEPS);
            let own = evidence::simulate(&*subject.map_err(own_fault)?, operation, &self.program, word_bits);
            evidence.paired = own.ok().map(|own| [own.function, own.body]);
        }
        let contract = self.program.contract(operation, word_bits);
        let constant_time = match evidence::timing(&*subject, operation, &self.program, word_bits) {
            // ways that part at a secret may take the same time
            ConstantTime::Unknown if contract.is_some() => {
                contract.as_ref().map_or(ConstantTime::Unknown, |own| (&subject.time(own).timing).into())
            }
            known => known,
        };
        let budget = Budget { second: SECOND_CALLS, ..Budget::default() };
        // products that are sums of shifted words take the prover minutes
        let is_open = prove && self.target.description().has_multiplier;
        let (proof, certificate) = match contract.filter(|_| is_open) {
            None if prove => (Proof::Unknown, None),
            None => (Proof::NotRun, None),
            Some(contract) => {
                let search = subject.search(&contract, FIRST_CALLS);
                generate::proof(&contract, subject.decide(search, &contract, budget))?
            }
        };
        if self.constant_time && !constant_time.is_same_for_operands() {
            let fault = format!("--constant-time: the time of {} depends on its operands", self.task.method);
            return Err(Error::request(fault, "valid for modexp: --method fixed-window"));
        }
        // nobody looks at what whole programs leave on the stack
        let verdicts = Verdicts { constant_time, residue_bytes: None, proof, certificate };
        Ok(Found { evidence, verdicts, facts })
    }

    fn report(&self, evidence: &Evidence, verdicts: &Verdicts) -> Report {
        let parameters = self.program.parameters.iter();
        Report {
            operation: self.task.operation.name(),
            bits: self.task.bits,
            target: self.target.name(),
            method: Some(self.task.method),
            parameters: parameters
                .map(|(name, value)| (name.replace('-', "_"), Value::from(*value)))
                .collect(),
            accumulation: None,
            form: None,
            convention: self.convention,
            syntax: Some(self.syntax),
            cycles: Cycles::of(evidence, self.target),
            floor: None,
            instructions: evidence.mix,
            code_bytes: self.target.code_bytes(&self.program.code),
            stack_bytes: evidence.stack_bytes,
            residue_bytes: verdicts.residue_bytes,
            interrupts: Interrupts::Any,
            constant_time: verdicts.constant_time,
            proof: verdicts.proof,
            files: Vec::new(),
        }
    }

    fn heading(&self) -> Heading<'_> {
        let Plan { task, target, program, name, .. } = self;
        let mut method = task.method.to_owned();
        for (name, value) in &program.parameters {
            method.push_str(&format!(", {name} {value}"));
        }
        let word_bits = target.description().word_bits;
        Heading {
            name,
            target: *target,
            convention: self.convention,
            syntax: self.syntax,
            prototype: text::prototype(task.operation, program, name, word_bits),
            declaration: text::prototype(task.operation, program, name, word_bits),
            rules: text::rules(task.operation, program, word_bits),
            method,
            extension: Default::default(),
            code_bytes: target.code_bytes(&program.code),
            command_line: self.command_line(),
        }
    }

    /// The command line that makes the same file, every choice stated.
    fn command_line(&self) -> String {
        let Plan { task, target, convention, syntax, name, program, .. } = self;
        let mut line = format!("rhomb generate {}", task.operation.name());
        line.push_str(&format!(" --bits {}", task.bits));
        line.push_str(&format!(" --target {} --method {}", target.name(), task.method));
        for (name, value) in &program.parameters {
            line.push_str(&format!(" --{name} {value}"));
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
