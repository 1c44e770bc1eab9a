//! From a request to a program with its figures.

use super::{ModularMethod, ModularOperation, ModularProgram, ModularTask, evidence, made, text};
use crate::error::Error;
use crate::generate::{self, Kernel, Measurement, own_fault};
use crate::programs;
use crate::request::Request;
use crate::targets::{self, LowerFault, Target};
use crate::verdict::{ConstantTime, Proof, Verdicts};
use crate::whole::{self, Found, Whole};
use rhomb_composition::Program;
use rhomb_prove::Budget;
use rhomb_targets::modular::PUBLIC;

/// Instructions of the calls that a proof begins with; those of the evidence were many.
const FIRST_CALLS: u64 = 200_000;

/// Instructions of the calls that look for a fault after a proof that failed, likewise.
const SECOND_CALLS: u64 = 200_000;

/// A request with every choice made.
struct Plan {
    task: ModularTask,
    program: ModularProgram,
    whole: Whole,
}

pub(crate) fn generate(request: &Request, operation: ModularOperation) -> Result<Kernel, Error> {
    let plan = plan(request, operation)?;
    let found = plan.found(plan.whole.proof)?;
    plan.whole.kernel(found)
}

pub(crate) fn measure(request: &Request, operation: ModularOperation) -> Result<Measurement, Error> {
    let plan = plan(request, operation)?;
    let found = plan.found(false)?;
    Ok(plan.whole.measurement(found))
}

/// A call of it as SVG.
pub(crate) fn draw(request: &Request, operation: ModularOperation) -> Result<String, Error> {
    let Plan { whole, program, .. } = plan(request, operation)?;
    let word_bits = whole.target.description().word_bits;
    let given = evidence::typical_call(operation, &program, word_bits);
    let about = (whole.operation, whole.bits, whole.method);
    crate::draw::draw_whole(&*whole.subject()?, whole.target, &given, about)
}

/// Cycles of the body of a call where every second bit of an exponent is 1.
pub(crate) fn typical(request: &Request) -> Result<u64, Error> {
    let operation = ModularOperation::named(&request.operation)
        .ok_or_else(|| Error::request("no modular operation", "valid: montmul, montsqr, modexp"))?;
    let plan = plan(request, operation)?;
    let subject = plan.whole.subject()?;
    let word_bits = plan.whole.target.description().word_bits;
    let operands = evidence::typical(operation, &plan.program, word_bits);
    let call = evidence::call(&*subject, operation, &plan.program, word_bits, (operands, 0));
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
        ModularOperation::Exponentiate if request.public.is_some() => PUBLIC,
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
    let unknown = whole::options(request).into_iter().find(|name| !method.parameters.contains(name));
    let Some(name) = unknown else { return Ok(()) };
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
    let base = format!("{}{bits}", operation.name().replace('-', "_"));
    let (convention, syntax, name) = whole::called(request, target, &base)?;
    let task = ModularTask {
        operation,
        bits,
        method: method.name,
        levels: request.parameters.levels,
        square_levels: request.square_levels,
        window: request.window,
        public: request.public,
        block: request.block,
    };
    let program = made(target, &task, convention).map_err(|fault| refusal(target, &task, fault))?;
    let word_bits = target.description().word_bits;
    let whole = Whole {
        operation: operation.name(),
        bits,
        is_sized: true,
        method: method.name,
        parameters: program.parameters.iter().map(|(name, value)| (*name, (*value).into())).collect(),
        target,
        convention,
        syntax,
        prototype: text::prototype(operation, &program, &name, word_bits),
        rules: text::rules(operation, &program, word_bits),
        name,
        code: program.code.clone(),
        constant_time: request.constant_time,
        bounds: request.bounds,
        proof: !request.no_proof,
        output: request.output.clone(),
    };
    Ok(Plan { task, program, whole })
}

/// The parameters of its method that were asked for.
fn given_parameters(task: &ModularTask) -> Vec<&'static str> {
    let given = [
        ("window", task.window.is_some()),
        ("public", task.public.is_some()),
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
        | LowerFault::Trail(message)
        | LowerFault::Other(message) => {
            let fault = format!("{operation} by {} on {}: {message}", task.method, target.name());
            let options: Vec<String> =
                given_parameters(task).iter().map(|name| format!("--{name}")).collect();
            let hint = match options.join(", ") {
                none if none.is_empty() => "another --bits, --method or --target".to_owned(),
                options => format!("leave {options} out and good values are chosen"),
            };
            Error::request(fault, hint)
        }
    }
}

/// What machine code of an exponentiation, or of what is made of such, is proved to be.
pub(super) fn proved_as(
    operation: ModularOperation,
    program: &ModularProgram,
    word_bits: u32,
) -> Option<Program> {
    let bits = program.words * word_bits as usize;
    match operation {
        ModularOperation::Exponentiate => Some(Program::Exponentiation { bits, exponent: program.exponent }),
        ModularOperation::Private => Some(Program::PrivateRsa { bits }),
        _ => None,
    }
}

impl Plan {
    fn found(&self, prove: bool) -> Result<Found, Error> {
        let Whole { target, code, .. } = &self.whole;
        let facts = target.read(code).map_err(own_fault)?;
        let subject = self.whole.subject()?;
        let word_bits = target.description().word_bits;
        let operation = self.task.operation;
        let simulated = evidence::simulate(&*subject, operation, &self.program, word_bits);
        let mut evidence = simulated.map_err(own_fault)?;
        if let Some(other) = target.paired() {
            let subject = self.whole.subject_on(other)?;
            let own = evidence::simulate(&*subject, operation, &self.program, word_bits);
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
        let is_open = prove && target.description().has_multiplier;
        let (proof, certificate) = match contract.filter(|_| is_open) {
            // what a processor has of its own takes other moduli, too
            None if prove => {
                let program = proved_as(operation, &self.program, word_bits);
                let program = program.filter(|_| is_open && !target.has_modular());
                generate::composed(&*subject, program.as_ref())
            }
            None => (Proof::NotRun, None),
            Some(contract) => {
                let search = subject.search(&contract, FIRST_CALLS);
                generate::proof(&contract, subject.decide(search, &contract, &[], budget))?
            }
        };
        if self.whole.constant_time && !constant_time.is_same_for_operands() {
            let fault = format!("--constant-time: the time of {} depends on its operands", self.task.method);
            // others are refused on a core whose multiplications leak
            let hint = match target.has_modular() {
                true => "valid for modexp: --method fixed-window",
                false => "another --target, whose multiplications take the same time for all operands",
            };
            return Err(Error::request(fault, hint));
        }
        // nobody looks at what whole programs leave on the stack
        let verdicts = Verdicts { constant_time, residue_bytes: None, proof, certificate };
        Ok(Found { evidence, verdicts, facts })
    }
}
