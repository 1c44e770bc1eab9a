//! Operations of fields from straight lines of words, on every target that lowers these, and inversions as programs that
//! call them.

use crate::bounds::Bounds;
use crate::choose::{self, Choice};
use crate::error::Error;
use crate::polynomials;
use crate::targets::{Code, FieldRoutine, LowerFault, Making, Named, Product, Target, all};
use crate::wanted::Wanted;
use crate::work::Work;
use rhomb_certificate::{Contract, Expression, Operation};
use rhomb_field::program::{Inversion, inversion};
use rhomb_field::reduce::Way;
use rhomb_field::ways;
use rhomb_kernel::{Form, Parameter, Parameters, Shape};

/// Whether there are routines for a contract.
fn has_lines(contract: &Contract) -> bool {
    let is_canonical = contract.modular().is_some_and(|modular| modular.canonical);
    !is_canonical && (contract.modular().is_some() || contract.binary().is_some())
}

/// Whether a target makes routines for a contract, for some modulus or polynomial.
pub(crate) fn makes(target: &dyn Target, contract: &Contract) -> bool {
    target.makes_own(contract) || has_lines(contract)
}

/// Routines of a target that keep a contract modulo a number or over GF(2), in one form or in any, to choose from.
pub(crate) fn field_routines(
    target: &'static dyn Target,
    contract: &Contract,
    form: Option<Form>,
    convention: &str,
) -> Result<Vec<FieldRoutine>, Error> {
    if target.makes_own(contract) {
        return target.own_routines(contract, form, convention);
    }
    if makes(target, contract) {
        let lines = routines(target, contract, form, convention);
        return match (target.own_routines(contract, form, convention), lines) {
            (Ok(own), Ok(lines)) => Ok(own.into_iter().chain(lines).collect()),
            (Ok(own), Err(_)) if !own.is_empty() => Ok(own),
            (_, lines) => lines,
        };
    }
    let able: Vec<&str> = all().filter(|target| makes(*target, contract)).map(Target::name).collect();
    let (operation, name) = (contract.operation().name(), target.name());
    let fault = format!("{operation} is not available for {name}; valid: {}", able.join(", "));
    Err(Error::request(fault, "code of others is proved by `rhomb verify`, for all targets"))
}

/// The routines of all straight lines that keep a contract, or that of an inversion.
fn routines(
    target: &'static dyn Target,
    contract: &Contract,
    form: Option<Form>,
    convention: &str,
) -> Result<Vec<FieldRoutine>, Error> {
    let refused = |fault: &dyn std::fmt::Display| refused(target, contract, fault);
    if let Some(own) = inversion(contract) {
        return invert(target, contract, &own, (form, convention));
    }
    if form == Some(Form::Looped) {
        return Err(refused(&"it is not made looped; valid: unrolled"));
    }
    let product = match contract.modular() {
        Some(modular) => {
            let words = modular.modulus.words(target.description().word_bits) as usize;
            product(modular.operation)
                .map(|operation| product_of(target, operation, words, convention))
                .transpose()?
        }
        None => None,
    };
    let mut made = Vec::new();
    let mut fault = None;
    for own in polynomials::programs(target, contract) {
        match polynomials::routine(target, &own, convention) {
            Ok(routine) => made.push(routine),
            Err(error) => fault = Some(error),
        }
    }
    // the lines of such a product are its reduction alone
    let is_program = contract
        .binary()
        .is_some_and(|binary| matches!(binary.operation(), Operation::Gf2ModMul | Operation::Gf2MontMul));
    let all =
        if is_program { Vec::new() } else { ways(contract, target.description().word_bits) }.into_iter();
    for Way { method, line } in
        all.filter(|way| target.description().has_carry || !DIGITS.contains(&way.method))
    {
        match target.line(&line, product.as_ref(), convention) {
            Ok(code) => made.push(FieldRoutine { code, method, form: Form::Unrolled }),
            Err(error) => fault = Some(error),
        }
    }
    match fault {
        Some(fault) if made.is_empty() => Err(refused(&text(fault))),
        None if made.is_empty() => Err(refused(&"it would be too long; valid: polynomials with few terms")),
        _ => Ok(made),
    }
}

/// What comes before a reduction.
fn product(operation: Operation) -> Option<Operation> {
    match operation.expression() {
        Expression::Product => Some(Operation::Mul),
        Expression::Square => Some(Operation::Sqr),
        _ => None,
    }
}

/// The routine of an inversion, with the fastest products and squares behind it; where there is no squaring, by
/// multiplications alone.
fn invert(
    target: &'static dyn Target,
    contract: &Contract,
    own: &Inversion,
    (form, convention): (Option<Form>, &str),
) -> Result<Vec<FieldRoutine>, Error> {
    if form == Some(Form::Unrolled) {
        return Err(refused(target, contract, &"it is not made unrolled; valid: looped"));
    }
    let fastest = |contract: &Contract| -> Result<Option<Code>, Error> {
        let made = field_routines(target, contract, None, convention)?;
        let cycles = |code: &Code| {
            let figures = target.subject(code, convention).ok()?.search(contract, 0).figures?;
            Some((figures.function.max, target.code_bytes(code)))
        };
        Ok(made.into_iter().map(|own| own.code).min_by_key(|code| cycles(code).unwrap_or((u64::MAX, 0))))
    };
    let [mul, sqr] = &own.routines;
    let square = fastest(sqr).ok().flatten();
    let mut behind: Vec<Code> = fastest(mul)?.into_iter().collect();
    behind.extend(square.clone());
    let program = own.program(target.description().word_bits, square.is_some());
    let program = program.ok_or_else(|| {
        refused(target, contract, &format!("it is not made of {mul}; valid: larger fields"))
    })?;
    let made = target.program(&program, &behind, convention);
    let code = made.map_err(|fault| refused(target, contract, &text(fault)))?;
    Ok(vec![FieldRoutine { code, method: own.method, form: Form::Looped }])
}

fn refused(target: &dyn Target, contract: &Contract, fault: &dyn std::fmt::Display) -> Error {
    let hint = "`rhomb list operations`; code of others is proved by `rhomb verify`";
    Error::request(format_args!("{} on {}: {fault}", contract.operation().name(), target.name()), hint)
}

fn text(fault: LowerFault) -> String {
    match fault {
        LowerFault::NoMultiplier => "it has no multiplication instruction; valid: a core with one".to_owned(),
        LowerFault::Registers(text)
        | LowerFault::Unmade(text)
        | LowerFault::ConstantTime(text)
        | LowerFault::Other(text) => text,
    }
}

/// Ways whose last carries the prover shows to vanish on processors with a carry flag alone.
pub(crate) const DIGITS: [&str; 2] = ["digit-fold", "digit-division"];

/// Products and squares that a choice was made among before, since it takes long: a line for each, with target, operation,
/// words, form, method, and what else was chosen. A test makes the choices anew.
const CHOSEN: &str = include_str!("products.txt");

/// What was chosen before.
fn chosen(target: &dyn Target, operation: Operation, words: usize) -> Option<Product> {
    let head = format!("{} {} {words} ", target.name(), operation.name());
    let mut fields = CHOSEN.lines().find_map(|line| line.strip_prefix(&head))?.split(' ');
    let form = Form::named(fields.next()?)?;
    let method = rhomb_kernel::method(operation, fields.next()?)?;
    let (mut parameters, mut on_x, mut accumulation) = (Parameters::default(), None, None);
    for field in fields {
        let (name, value) = field.split_once('=')?;
        let named = |all: &[Named]| all.iter().find(|own| own.name == value).map(|own| own.name);
        match Parameter::ALL.into_iter().find(|parameter| parameter.name() == name) {
            Some(parameter) => parameter.set(&mut parameters, Some(value.parse().ok()?)),
            None if name == "on-x" => on_x = Some(named(target.description().on_x)?),
            None => accumulation = Some(named(target.description().accumulations)?),
        }
    }
    let task = method.task(&Shape { form, words, parameters: &parameters })?;
    Some(Product { task, of_one: false, on_x, accumulation })
}

/// The routine of the fastest product or square of whole numbers.
pub(crate) fn whole_product(
    target: &'static dyn Target,
    contract: &Contract,
    convention: &str,
) -> Result<Code, Error> {
    let words = contract.bits().div_ceil(target.description().word_bits) as usize;
    let Product { task, on_x, accumulation, .. } = fastest(target, contract.operation(), words, convention)?;
    let making = Making { convention, registers: None, accumulation, constant_time: false, on_x };
    let routine = target.routine(&task, &making).map_err(|fault| refused(target, contract, &text(fault)))?;
    Ok(routine.code)
}

/// The fastest product or square; a square is a multiplication where there is no other.
fn product_of(
    target: &'static dyn Target,
    operation: Operation,
    words: usize,
    convention: &str,
) -> Result<Product, Error> {
    match fastest(target, operation, words, convention) {
        Err(_) if operation == Operation::Sqr && !target.description().has_multiplier => {
            let product = fastest(target, Operation::Mul, words, convention)?;
            Ok(Product { of_one: true, ..product })
        }
        found => found,
    }
}

/// The fastest product or square.
fn fastest(
    target: &'static dyn Target,
    operation: Operation,
    words: usize,
    convention: &str,
) -> Result<Product, Error> {
    if let Some(product) = chosen(target, operation, words) {
        return Ok(product);
    }
    let Choice { method, form, parameters, on_x, accumulation, .. } =
        choice(target, operation, words, convention)?;
    let task = method.task(&Shape { form, words, parameters: &parameters });
    let task = task.ok_or_else(|| Error::request("a product has no such form", "leave --form out"))?;
    Ok(Product { task, of_one: false, on_x, accumulation })
}

fn choice(
    target: &'static dyn Target,
    operation: Operation,
    words: usize,
    convention: &str,
) -> Result<Choice, Error> {
    let wanted = Wanted {
        operation,
        words,
        form: None,
        convention,
        method: None,
        parameters: &Parameters::default(),
        bounds: Bounds::default(),
        accumulation: None,
        constant_time: false,
        thorough: false,
        walks_only: false,
        unasked_levels: target.description().unasked_levels(words),
        pairs: target.description().pairs,
        on_x: None,
        work: &Work::default(),
    };
    choose::choose(target, &wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::find;

    /// Sizes of usual moduli in bits.
    const BITS: [u32; 6] = [160, 192, 224, 256, 384, 521];

    /// A product as a line of [`CHOSEN`].
    fn line_of(target: &str, operation: Operation, words: usize, choice: &Choice) -> String {
        let Choice { method, form, parameters, on_x, accumulation, .. } = choice;
        let mut line = format!("{target} {} {words} {} {}", operation.name(), form.name(), method.name);
        for parameter in Parameter::ALL {
            if let Some(value) = parameter.of(parameters) {
                line += &format!(" {}={value}", parameter.name());
            }
        }
        line += &on_x.map_or(String::new(), |array| format!(" on-x={array}"));
        line + &accumulation.map_or(String::new(), |way| format!(" accumulation={way}"))
    }

    /// What stands in the table is what would be chosen; `RHOMB_TABLES=overwrite` writes it.
    #[test]
    fn products_are_chosen_as_before() {
        let overwrite = std::env::var_os("RHOMB_TABLES").is_some_and(|value| value == "overwrite");
        let every = if overwrite { 1 } else { rhomb_oracles::sample(24, 1) };
        let mut text = String::new();
        let mut at = 0;
        for target in ["arm7tdmi", "arm9ej-s", "arm7tdmi-paper", "attiny85"] {
            let target = find(target).unwrap();
            for (operation, bits) in
                BITS.iter().flat_map(|bits| [(Operation::Mul, bits), (Operation::Sqr, bits)])
            {
                let words = bits.div_ceil(target.description().word_bits) as usize;
                at += 1;
                if at % every != 0 {
                    continue;
                }
                let convention = target.description().conventions()[0].name;
                let Ok(choice) = choice(target, operation, words, convention) else { continue };
                let line = line_of(target.name(), operation, words, &choice);
                assert!(overwrite || CHOSEN.lines().any(|own| own == line), "{line}");
                text += &(line + "\n");
            }
        }
        if overwrite {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/products.txt");
            std::fs::write(path, text).unwrap();
        }
    }
}
