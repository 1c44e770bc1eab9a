//! Requests for operations modulo a number and over GF(2).

use crate::contract;
use crate::error::{Error, shown};
use crate::evidence::check_memory;
use crate::name;
use crate::request::{Plan, Request, Way, one_of};
use crate::rows;
use crate::targets::{self, FieldRoutine, Target};
use rhomb_certificate::{BinaryOperation, Contract, ModularOperation};
use rhomb_kernel::{Form, Parameter};

/// What a request must say besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Size {
    Bits,
    Modulus,
    Polynomial,
}

impl Size {
    fn option(self) -> &'static str {
        match self {
            Size::Bits => "bits",
            Size::Modulus => "modulus",
            Size::Polynomial => "polynomial",
        }
    }

    /// Those with a name.
    fn named(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Size::Modulus => MODULI,
            Size::Polynomial => POLYNOMIALS,
            Size::Bits => &[],
        }
    }

    fn example(self) -> &'static str {
        match self {
            Size::Bits => "191",
            Size::Modulus => "p192",
            Size::Polynomial => "x^191+x^9+1",
        }
    }
}

/// Moduli by name: FIPS 186-4, D.1.2; RFC 7748, sections 4.1 and 4.2; SEC 2, version 2, section 2.4.1. Each as contracts
/// print it; of several names for one number the first is that of routines.
const MODULI: &[(&str, &str)] = &[
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

/// The operations of fields with a line for each.
pub fn operations() -> impl Iterator<Item = (&'static str, &'static str)> {
    let modular =
        ModularOperation::ALL.into_iter().map(|operation| (operation.name(), of_numbers(operation)));
    let binary =
        BinaryOperation::ALL.into_iter().map(|operation| (operation.name(), of_polynomials(operation)));
    modular.chain(binary)
}

fn of_numbers(operation: ModularOperation) -> &'static str {
    match operation {
        ModularOperation::Mul => "r = a * b modulo --modulus p, all of n words",
        ModularOperation::Sqr => "r = a * a modulo --modulus p",
        ModularOperation::Add => "r = a + b modulo --modulus p",
        ModularOperation::Sub => "r = a - b modulo --modulus p",
        ModularOperation::Half => "r = a / 2 modulo --modulus p",
        ModularOperation::Reduce => "r = a modulo --modulus p, for an operand of 2n words",
        ModularOperation::MontgomeryMul => "r = a * b / 2^(wn) modulo --modulus p",
        ModularOperation::MontgomerySqr => "r = a * a / 2^(wn) modulo --modulus p",
        ModularOperation::MontgomeryReduce => "r = a / 2^(wn) modulo --modulus p, for an operand of 2n words",
        ModularOperation::Inverse => "r = 1 / a modulo --modulus p, a prime; 0 for 0",
        ModularOperation::MontgomeryInverse => "r = 2^(2wn) / a modulo --modulus p, a prime; 0 for 0",
    }
}

fn of_polynomials(operation: BinaryOperation) -> &'static str {
    match operation {
        BinaryOperation::Mul => "r = a * b: the product of two polynomials over GF(2), 2n words long",
        BinaryOperation::Sqr => "r = a * a: the square of a polynomial over GF(2), 2n words long",
        BinaryOperation::Add => "r = a + b: the sum of two polynomials over GF(2)",
        BinaryOperation::ModMul => "r = a * b over GF(2) modulo --polynomial f",
        BinaryOperation::ModSqr => "r = a * a over GF(2) modulo --polynomial f",
        BinaryOperation::ModReduce => "r = a over GF(2) modulo --polynomial f, for an operand of 2n words",
        BinaryOperation::MontgomeryMul => "r = a * b / x^(wn) over GF(2) modulo --polynomial f",
        BinaryOperation::MontgomerySqr => "r = a * a / x^(wn) over GF(2) modulo --polynomial f",
        BinaryOperation::MontgomeryReduce => {
            "r = a / x^(wn) over GF(2) modulo --polynomial f, for an operand of 2n words"
        }
        BinaryOperation::ModInverse => "r = 1 / a over GF(2) modulo --polynomial f, irreducible; 0 for 0",
    }
}

/// What an operation of fields takes; `None` for others.
fn size(operation: &str) -> Option<Size> {
    if ModularOperation::ALL.iter().any(|known| known.name() == operation) {
        return Some(Size::Modulus);
    }
    let known = BinaryOperation::ALL.into_iter().find(|known| known.name() == operation)?;
    Some(if known.is_modular() { Size::Polynomial } else { Size::Bits })
}

/// A modulus or polynomial as contracts write it, where `given` is the name of one that the operation may have.
pub(crate) fn written<'a>(operation: &str, given: &'a str) -> &'a str {
    let named = size(operation).map_or(&[][..], Size::named);
    named.iter().find(|(name, _)| name.eq_ignore_ascii_case(given)).map_or(given, |(_, text)| text)
}

/// Whether the request is for such an operation.
pub(crate) fn is_field(operation: &str) -> bool {
    size(operation).is_some()
}

/// The plan of a request for an operation of fields.
pub(crate) fn plan(request: &Request) -> Result<Plan, Error> {
    let target = targets::find(&request.target)?;
    let (contract, given) = contract_of(request)?;
    let target = targets::extended(target, request.extension.as_ref())?;
    check_options(request)?;
    let form = request.form.as_deref().map(|given| {
        let forms: Vec<&str> = Form::ALL.iter().map(|form| form.name()).collect();
        Form::named(given).ok_or_else(|| Error::unknown("form", given, &forms, "leave --form out"))
    });
    let form = form.transpose()?;
    let convention = one_of("convention", request.convention.as_deref(), &target.conventions(), target)?;
    let syntax = one_of("syntax", request.syntax.as_deref(), &target.syntaxes(), target)?;
    let own = own_name(&request.operation, contract::bits(&contract), &given);
    let name = name::of(request, target, syntax, &own)?;
    request.output.check(syntax)?;
    check_memory(target, &contract)?;
    let made = target.field_routines(&contract, form, convention)?;
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
        extension: request.extension.as_ref().map(|extension| extension.name.clone()),
        output: request.output.clone(),
    })
}

/// The routine's name: of the modulus or polynomial, which `given` has as an option, where that has a name.
fn own_name(operation: &str, bits: usize, given: &str) -> String {
    let Some((option, text)) = given.split_once(' ').filter(|(option, _)| *option != "--bits") else {
        return format!("{operation}{bits}");
    };
    let size = if option == "--modulus" { Size::Modulus } else { Size::Polynomial };
    match size.named().iter().find(|(_, own)| *own == text) {
        Some((name, _)) => format!("{operation}_{name}"),
        None => format!("{operation}{bits}_{}", name::digest(text)),
    }
}

/// The contract, and the option that says the size.
fn contract_of(request: &Request) -> Result<(Contract, String), Error> {
    let Request { operation, bits, modulus, polynomial, .. } = request;
    let wanted = size(operation).unwrap_or(Size::Bits);
    let bits = bits.to_string();
    let options = [
        (Size::Bits, (request.bits != 0).then_some(bits.as_str())),
        (Size::Modulus, modulus.as_deref()),
        (Size::Polynomial, polynomial.as_deref()),
    ];
    let own = (wanted.option(), wanted.example());
    if let Some((size, _)) = options.iter().find(|(size, given)| *size != wanted && given.is_some()) {
        let fault = format!("{operation} takes no --{}; valid: --{} {}", size.option(), own.0, own.1);
        return Err(Error::request(fault, "`rhomb list operations` says what each takes"));
    }
    let given = options.iter().find(|(size, _)| *size == wanted).and_then(|(_, given)| *given);
    let given = given.ok_or_else(|| {
        let fault = format!("no --{}; valid: {operation} --{} {} --target mips32-ise", own.0, own.0, own.1);
        Error::request(fault, format_args!("add --{} {}", own.0, own.1))
    })?;
    if given.contains(char::is_whitespace) {
        let fault = format!("--{} '{}' has blanks; valid: --{} {}", own.0, shown(given), own.0, own.1);
        return Err(Error::request(fault, "conditions on operands and results are for `rhomb verify`"));
    }
    let text = written(operation, given);
    let contract: Contract = format!("{operation} {text}").parse().map_err(|error| {
        let names: Vec<&str> = wanted.named().iter().map(|(name, _)| *name).collect();
        let hint = match wanted {
            Size::Bits => "a size is in bits: --bits 191 is for polynomials of degree 190".to_owned(),
            _ => format!("names: {}", names.join(", ")),
        };
        Error::request(error, hint)
    })?;
    let printed = contract.to_string();
    let size = printed.split_once(' ').map_or("", |(_, size)| size);
    Ok((contract, format!("--{} {size}", wanted.option())))
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
    let mut best: Option<((u64, u64), FieldRoutine)> = None;
    let mut least = (usize::MAX, u32::MAX);
    for routine in made.into_iter().filter(|own| wanted.is_none_or(|name| name == own.method)) {
        let subject = target.subject(&routine.code, convention).map_err(own_fault)?;
        let Some(figures) = subject.search(contract, 0).figures else { continue };
        let (code, stack) = (target.code_bytes(&routine.code), figures.stack_bytes);
        if !request.bounds.allow(code, stack as usize) {
            least = (least.0.min(code), least.1.min(stack));
            continue;
        }
        let key = (figures.function.max, figures.body.max);
        if best.as_ref().is_none_or(|(fewest, _)| key < *fewest) {
            best = Some((key, routine));
        }
    }
    best.map(|(_, routine)| routine).ok_or_else(|| match least.0 {
        usize::MAX => own_fault(format!("no routine for {contract} returns")),
        _ => {
            let fault = format!(
                "no routine keeps --max-code and --max-stack; valid: {} and {} or more",
                least.0, least.1
            );
            Error::request(fault, "--form looped makes small code where there is such a form")
        }
    })
}

fn own_fault(fault: impl std::fmt::Display) -> Error {
    Error::evidence(fault, "this is a fault of rhomb; please report it with the command line")
}
