//! Operations of fields as straight lines of words, with the product that comes before a reduction.

use crate::bounds::Bounds;
use crate::choose::{self, Choice};
use crate::error::Error;
use crate::targets::{Code, FieldRoutine, LowerFault, Making, Named, Product, Target};
use crate::wanted::Wanted;
use crate::work::Work;
use rhomb_certificate::{Contract, Expression, Operation};
use rhomb_field::reduce::{DIGITS, Way, ways_by_blocks};
use rhomb_field::ways;
use rhomb_kernel::{Form, Parameter, Parameters, Shape};

/// The routines of all straight lines that keep a contract, and why one of them is not made. Products in them take no more than
/// `product_bytes`, where these are given.
pub(crate) fn straight(
    target: &'static dyn Target,
    contract: &Contract,
    convention: &str,
    product_bytes: Option<usize>,
) -> Result<(Vec<FieldRoutine>, Option<LowerFault>), Error> {
    let bits = target.description().word_bits;
    let product = match contract.modular() {
        Some(modular) if modular.factor.is_none() => {
            let words = modular.modulus.words(bits) as usize;
            product(modular.operation)
                .map(|operation| product_of(target, operation, words, (convention, product_bytes)))
                .transpose()?
        }
        _ => None,
    };
    let mut made = Vec::new();
    let mut fault = None;
    // the lines of such a product are its reduction alone
    let is_program = contract
        .binary()
        .is_some_and(|binary| matches!(binary.operation(), Operation::Gf2ModMul | Operation::Gf2MontMul));
    let all = if is_program { Vec::new() } else { ways(contract, bits) }.into_iter();
    // products that take two words leave one in each column of some of these
    let is_tied = target.description().accumulations.iter().any(|way| way.name == "tied");
    let more = contract.modular().filter(|own| is_tied && own.is_plain());
    let more = more.map(|own| ways_by_blocks(own.operation, &own.modulus.number(), bits));
    let all = all.chain(more.into_iter().flatten());
    let has_carry = target.description().has_carry;
    for Way { method, line } in all.filter(|way| has_carry || !DIGITS.contains(&way.method)) {
        let code = target.line(&line, product.as_ref(), convention);
        match code.and_then(|code| within_flash(target, code)) {
            Ok(code) => made.push(FieldRoutine { code, method, form: Form::Unrolled }),
            Err(error) => fault = Some(error),
        }
    }
    Ok((made, fault))
}

/// Code that the core has room for.
pub(crate) fn within_flash(target: &dyn Target, code: Code) -> Result<Code, LowerFault> {
    let (needed, flash) = (target.code_bytes(&code), target.description().flash_bytes);
    if needed as u64 > flash {
        return Err(LowerFault::Unmade(format!("its {needed} bytes of code are more than {flash} of flash")));
    }
    Ok(code)
}

/// What comes before a reduction.
fn product(operation: Operation) -> Option<Operation> {
    match operation.expression() {
        Expression::Product => Some(Operation::Mul),
        Expression::Square => Some(Operation::Sqr),
        _ => None,
    }
}

/// That there is no routine, and why.
pub(crate) fn refused(target: &dyn Target, contract: &Contract, fault: &dyn std::fmt::Display) -> Error {
    let hint = "`rhomb list operations`; code of others is proved by `rhomb verify`";
    Error::request(format_args!("{} on {}: {fault}", contract.operation().name(), target.name()), hint)
}

/// A fault in words.
pub(crate) fn text(fault: LowerFault) -> String {
    match fault {
        LowerFault::NoMultiplier => "it has no multiplication instruction; valid: a core with one".to_owned(),
        LowerFault::Registers(text)
        | LowerFault::Unmade(text)
        | LowerFault::ConstantTime { message: text, .. }
        | LowerFault::Trail(text)
        | LowerFault::Other(text) => text,
    }
}

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
    (convention, bytes): (&str, Option<usize>),
) -> Result<Code, Error> {
    let words = contract.bits().div_ceil(target.description().word_bits) as usize;
    let Product { task, on_x, accumulation, .. } =
        fastest(target, contract.operation(), words, (convention, bytes))?;
    let making =
        Making { convention, registers: None, accumulation, constant_time: false, on_x, trail: None };
    let routine = target.routine(&task, &making).map_err(|fault| refused(target, contract, &text(fault)))?;
    Ok(routine.code)
}

/// The fastest product or square; a square is a multiplication where there is no other.
fn product_of(
    target: &'static dyn Target,
    operation: Operation,
    words: usize,
    within: (&str, Option<usize>),
) -> Result<Product, Error> {
    match fastest(target, operation, words, within) {
        Err(_) if operation == Operation::Sqr && !target.description().has_multiplier => {
            let product = fastest(target, Operation::Mul, words, within)?;
            Ok(Product { of_one: true, ..product })
        }
        found => found,
    }
}

/// The fastest product or square of so many bytes of code at most, where that is given.
fn fastest(
    target: &'static dyn Target,
    operation: Operation,
    words: usize,
    (convention, bytes): (&str, Option<usize>),
) -> Result<Product, Error> {
    if let Some(product) = chosen(target, operation, words).filter(|_| bytes.is_none()) {
        return Ok(product);
    }
    let Choice { method, form, parameters, on_x, accumulation, .. } =
        choice(target, operation, words, (convention, bytes))?;
    let task = method.task(&Shape { form, words, parameters: &parameters });
    let task = task.ok_or_else(|| Error::request("a product has no such form", "leave --form out"))?;
    Ok(Product { task, of_one: false, on_x, accumulation })
}

fn choice(
    target: &'static dyn Target,
    operation: Operation,
    words: usize,
    (convention, bytes): (&str, Option<usize>),
) -> Result<Choice, Error> {
    let wanted = Wanted {
        operation,
        words,
        form: None,
        convention,
        method: None,
        rows: None,
        parameters: &Parameters::default(),
        bounds: Bounds { code: bytes, ..Bounds::default() },
        accumulation: None,
        constant_time: false,
        thorough: false,
        walks_only: false,
        unasked_levels: target.description().unasked_levels(words),
        pairs: target.description().pairs,
        columns_wait: target.description().columns_wait,
        on_x: None,
        trail: None,
        work: &Work::default(),
    };
    choose::choose(target, &wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::find;

    /// Sizes of usual moduli in bits.
    const BITS: [u32; 8] = [160, 192, 224, 256, 320, 384, 512, 521];

    /// Those of blocks of larger ones.
    fn blocks(target: &str) -> &'static [u32] {
        match target {
            "attiny85" => &[64, 128],
            "arm7tdmi" | "arm9ej-s" => &[512, 1024],
            _ => &[],
        }
    }

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

    const TARGETS: [&str; 10] = [
        "arm7tdmi",
        "arm9ej-s",
        "arm7tdmi-paper",
        "attiny85",
        "cortex-m3",
        "cortex-m4",
        "cortex-m4f",
        "cortex-m7",
        "cortex-m33",
        "cortex-m33-nodsp",
    ];

    /// What stands in the table is what would be chosen; `RHOMB_TABLES=overwrite` writes it, and the beginnings of names of cores
    /// in place of `overwrite` the lines of these.
    #[test]
    fn products_are_chosen_as_before() {
        let wanted = std::env::var("RHOMB_TABLES").ok();
        let overwrite = wanted.is_some();
        let is_wanted = |target: &str| match wanted.as_deref() {
            None | Some("overwrite") => true,
            Some(names) => names.split(',').any(|name| target.starts_with(name)),
        };
        let every = if overwrite { 1 } else { rhomb_oracles::sample(24, 1) };
        let mut text = String::new();
        let mut at = 0;
        for name in TARGETS {
            if !is_wanted(name) {
                let head = format!("{name} ");
                CHOSEN
                    .lines()
                    .filter(|line| line.starts_with(&head))
                    .for_each(|line| text += &format!("{line}\n"));
                continue;
            }
            let target = find(name).unwrap();
            for (operation, bits) in BITS
                .iter()
                .chain(blocks(target.name()))
                .flat_map(|bits| [(Operation::Mul, bits), (Operation::Sqr, bits)])
            {
                let words = bits.div_ceil(target.description().word_bits) as usize;
                at += 1;
                if at % every != 0 {
                    continue;
                }
                let convention = target.description().conventions()[0].name;
                let Ok(choice) = choice(target, operation, words, (convention, None)) else { continue };
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
