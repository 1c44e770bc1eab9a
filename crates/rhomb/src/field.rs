//! Requests for operations modulo a number and over GF(2).

use crate::error::{Error, shown};
use crate::evidence::check_memory;
use crate::name;
use crate::plan::{Plan, Way};
use crate::products::Products;
use crate::programs;
use crate::request::Request;
use crate::rows;
use crate::targets::{self, FieldRoutine, Target, one_of};
use crate::verdict::ConstantTime;
use rhomb_certificate::{Contract, Family, Operation};
use rhomb_kernel::{Form, Parameter};
use rhomb_machine::{Fault, Stopped};
use rhomb_prove::{CounterExample, Failure};

/// The option that says the size of a family's operands, and an example of it.
fn option(family: Family) -> (&'static str, &'static str) {
    match family {
        Family::Whole | Family::Binary => ("bits", "191"),
        Family::Modular => ("modulus", "p192"),
        Family::BinaryModular => ("polynomial", "x^191+x^9+1"),
    }
}

/// Sizes with a name.
fn names(family: Family) -> &'static [(&'static str, &'static str)] {
    match family {
        Family::Modular => MODULI,
        Family::BinaryModular => POLYNOMIALS,
        Family::Whole | Family::Binary => &[],
    }
}

/// Moduli by name: FIPS 186-4, D.1.2; RFC 7748, sections 4.1 and 4.2; SEC 2, version 2, section 2.4.1; and the orders of
/// the base points there. Each as contracts print it; of several names for one number the first is that of routines.
pub(crate) const MODULI: &[(&str, &str)] = &[
    ("p192", "2^192-2^64-1"),
    ("p224", "2^224-2^96+1"),
    ("p256", "2^256-2^224+2^192+2^96-1"),
    ("p384", "2^384-2^128-2^96+2^32-1"),
    ("p521", "2^521-1"),
    ("p25519", "2^255-2^4-2^2+1"),
    ("p448", "2^448-2^224-1"),
    ("secp256k1", "2^256-2^32-2^10+2^6-2^4-1"),
    ("secp192r1", "2^192-2^64-1"),
    ("secp224r1", "2^224-2^96+1"),
    ("secp256r1", "2^256-2^224+2^192+2^96-1"),
    ("prime256v1", "2^256-2^224+2^192+2^96-1"),
    ("secp384r1", "2^384-2^128-2^96+2^32-1"),
    ("secp521r1", "2^521-1"),
    ("curve25519", "2^255-2^4-2^2+1"),
    ("ed25519", "2^255-2^4-2^2+1"),
    ("curve448", "2^448-2^224-1"),
    ("ed448", "2^448-2^224-1"),
    ("p192-order", "0xffffffffffffffffffffffff99def836146bc9b1b4d22831"),
    ("p224-order", "0xffffffffffffffffffffffffffff16a2e0b8f03e13dd29455c5c2a3d"),
    ("p256-order", "0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"),
    (
        "p384-order",
        "0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973",
    ),
    (
        "p521-order",
        concat!(
            "0x1ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
            "fa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409"
        ),
    ),
    ("p25519-order", "0x1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed"),
    ("secp256k1-order", "0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"),
];

/// Polynomials by name: FIPS 186-4, D.1.3; ANSI X9.62, J.2.1 for t191.
const POLYNOMIALS: &[(&str, &str)] = &[
    ("b163", "x^163+x^7+x^6+x^3+1"),
    ("t191", "x^191+x^9+1"),
    ("b233", "x^233+x^74+1"),
    ("b283", "x^283+x^12+x^7+x^5+1"),
    ("b409", "x^409+x^87+1"),
    ("b571", "x^571+x^10+x^5+x^2+1"),
];

/// Moduli by name, as contracts print them.
pub fn moduli() -> &'static [(&'static str, &'static str)] {
    MODULI
}

/// Polynomials by name, as contracts print them.
pub fn polynomials() -> &'static [(&'static str, &'static str)] {
    POLYNOMIALS
}

/// A modulus or polynomial as contracts write it, where `given` is the name of one that the operation may have.
pub(crate) fn written(operation: Operation, given: &str) -> &str {
    let named = names(operation.family()).iter().find(|(name, _)| name.eq_ignore_ascii_case(given));
    named.map_or(given, |(_, text)| text)
}

/// The plan of a request for an operation of fields.
pub(crate) fn plan(request: &Request, operation: Operation) -> Result<Plan, Error> {
    let target = targets::wanted(&request.target, request.constant_time)?;
    let (contract, given) = contract_of(request, operation)?;
    let target = targets::extended(target, request.extension.as_ref())?;
    check_options(request)?;
    let form = request.form.as_deref().map(|given| {
        let forms: Vec<&str> = Form::ALL.iter().map(|form| form.name()).collect();
        Form::named(given).ok_or_else(|| Error::unknown("form", given, &forms, "leave --form out"))
    });
    let form = form.transpose()?;
    let convention =
        one_of("convention", request.convention.as_deref(), &target.description().conventions(), target)?;
    let syntax = one_of("syntax", request.syntax.as_deref(), &target.description().syntaxes(), target)?;
    let own = own_name(&contract, &given);
    let name = name::of(request, target, syntax, &own)?;
    request.output.check(syntax)?;
    check_memory(target, &contract)?;
    let made = programs::field_routines(&contract, form, &Products::new(target, convention))?;
    let FieldRoutine { code, method, form } = fastest(target, request, &contract, convention, made)?;
    Ok(Plan {
        given,
        contract,
        target,
        way: Way::Field(method),
        form,
        convention,
        syntax,
        name,
        code,
        schedule: None,
        accumulation: None,
        proof: !request.no_proof,
        registers: None,
        constant_time: request.constant_time,
        walk: None,
        trail: None,
        extension: request.extension.clone(),
        output: request.output.clone(),
    })
}

/// The routine's name: of the modulus or polynomial, which `given` has as an option, where that has a name.
fn own_name(contract: &Contract, given: &str) -> String {
    let (operation, bits) = (contract.operation(), contract.bits());
    let name = operation.name();
    let Some((_, text)) = given.split_once(' ').filter(|_| operation.family() != Family::Binary) else {
        return format!("{name}{bits}");
    };
    match names(operation.family()).iter().find(|(_, own)| *own == text) {
        Some((named, _)) => format!("{name}_{}", named.replace('-', "_")),
        None => format!("{name}{bits}_{}", name::digest(text)),
    }
}

/// The contract, and the option that says the size.
fn contract_of(request: &Request, operation: Operation) -> Result<(Contract, String), Error> {
    let Request { bits, modulus, polynomial, .. } = request;
    let (family, name) = (operation.family(), operation.name());
    let (own, example) = option(family);
    let bits = (*bits != 0).then(|| bits.to_string());
    let options =
        [("bits", bits.as_deref()), ("modulus", modulus.as_deref()), ("polynomial", polynomial.as_deref())];
    if let Some((other, _)) = options.iter().find(|(option, given)| *option != own && given.is_some()) {
        let fault = format!("{name} takes no --{other}; valid: --{own} {example}");
        return Err(Error::request(fault, "`rhomb list operations` says what each takes"));
    }
    let given = options.iter().find(|(option, _)| *option == own).and_then(|(_, given)| *given);
    let given = given.ok_or_else(|| {
        let fault = format!("no --{own}; valid: {name} --{own} {example} --target mips32-ise");
        Error::request(fault, format_args!("add --{own} {example}"))
    })?;
    if given.contains(char::is_whitespace) {
        let fault = format!("--{own} '{}' has blanks; valid: --{own} {example}", shown(given));
        return Err(Error::request(fault, "conditions on operands and results are for `rhomb verify`"));
    }
    let text = written(operation, given);
    let contract: Contract = format!("{name} {text}").parse().map_err(|error| {
        let names: Vec<&str> = names(family).iter().map(|(name, _)| *name).collect();
        let hint = match names.as_slice() {
            [] => "a size is in bits: --bits 191 is for polynomials of degree 190".to_owned(),
            names => format!("names: {}", names.join(", ")),
        };
        Error::request(error, hint)
    })?;
    let printed = contract.to_string();
    let size = printed.split_once(' ').map_or("", |(_, size)| size);
    Ok((contract, format!("--{own} {size}")))
}

/// Refuses what only multiplications along walks have.
fn check_options(request: &Request) -> Result<(), Error> {
    let parameter = Parameter::ALL.into_iter().find(|parameter| parameter.of(&request.parameters).is_some());
    let own = parameter.map(Parameter::name).or(request.bounds.registers.map(|_| "registers"));
    let own = own.or(rows::option(request));
    match own.or(request.accumulation.as_ref().map(|_| "accumulation")) {
        None => Ok(()),
        Some(option) => {
            let fault = format!(
                "{} has no --{option}; valid: --method, --form, --max-code, --max-stack, --constant-time",
                request.operation
            );
            Err(Error::request(fault, format_args!("leave --{option} out")))
        }
    }
}

/// The one with the fewest cycles in the slowest call, of those that the request allows.
fn fastest(
    target: &'static dyn Target,
    request: &Request,
    contract: &Contract,
    convention: &str,
    made: Vec<FieldRoutine>,
) -> Result<FieldRoutine, Error> {
    let mut names: Vec<&str> = made.iter().map(|routine| routine.method).collect();
    names.dedup();
    let wanted = request.method.as_deref().filter(|name| *name != "best");
    if let Some(name) = wanted.filter(|name| !names.contains(name)) {
        names.push("best");
        return Err(Error::unknown("method", name, &names, "leave --method out and the fastest is taken"));
    }
    let mut best: Option<((bool, u64, u64), FieldRoutine)> = None;
    let mut least = (usize::MAX, u32::MAX);
    let mut stopped = None;
    for routine in made.into_iter().filter(|own| wanted.is_none_or(|name| name == own.method)) {
        let subject = target.subject(&routine.code, convention).map_err(own_fault)?;
        let search = subject.search(contract, 0);
        match search.found.filter(|found| search.interrupted.as_ref() != Some(found)) {
            Some(CounterExample { failure: Failure::Stopped(deep), .. }) if is_too_deep(&deep) => {
                stopped = stopped.or(Some(deep));
                continue;
            }
            // another routine may be right, but a wrong one must not be passed over in silence
            Some(example) => {
                let fault = format!("{contract} by {} is wrong: {:?}", routine.method, example.failure);
                return Err(own_fault(fault));
            }
            None => {}
        }
        let Some(figures) = search.figures else {
            stopped = stopped.or(search.stopped);
            continue;
        };
        let (code, stack) = (target.code_bytes(&routine.code), figures.stack_bytes);
        if !request.bounds.allow(code, stack as usize) {
            least = (least.0.min(code), least.1.min(stack));
            continue;
        }
        let timing = request.constant_time.then(|| ConstantTime::from(&subject.time(contract).timing));
        let is_open = timing.is_some_and(|timing| !timing.is_same_for_operands());
        let key = (is_open, figures.function.max, figures.body.max);
        if best.as_ref().is_none_or(|(fewest, _)| key < *fewest) {
            best = Some((key, routine));
        }
    }
    best.map(|(_, routine)| routine).ok_or_else(|| match least.0 {
        usize::MAX => stopped.map_or_else(
            || own_fault(format!("no routine for {contract} returns")),
            |stopped| unreturned(target, contract, &stopped),
        ),
        _ => {
            let fault = format!(
                "no routine keeps --max-code and --max-stack; valid: {} and {} or more",
                least.0, least.1
            );
            Error::request(fault, "--form looped makes small code where there is such a form")
        }
    })
}

/// Whether a call needed more stack than there is.
fn is_too_deep(stopped: &Stopped) -> bool {
    matches!(stopped.fault, Fault::StackLowered { .. })
}

/// That no routine comes to its end.
fn unreturned(target: &dyn Target, contract: &Contract, stopped: &Stopped) -> Error {
    match stopped.fault {
        Fault::StackLowered { by, limit } => Error::request(
            format_args!(
                "{} on {}: it takes {by} bytes of stack or more; {limit} bytes of data memory are there",
                contract.operation().name(),
                target.name()
            ),
            "a smaller size, or another core (`rhomb list targets`)",
        ),
        _ => own_fault(format!("no routine for {contract} returns: {stopped}")),
    }
}

fn own_fault(fault: impl std::fmt::Display) -> Error {
    Error::evidence(fault, "this is a fault of rhomb; please report it with the command line")
}
