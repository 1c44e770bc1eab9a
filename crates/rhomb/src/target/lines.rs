//! Operations of fields from straight lines of words, on every target that lowers these.

use super::{FieldRoutine, LowerFault, Product, Target, find};
use crate::bounds::Bounds;
use crate::choose::{self, Choice, Wanted};
use crate::contract;
use crate::error::Error;
use crate::work::Work;
use rhomb_certificate::{Contract, Modular, ModularOperation};
use rhomb_field::reduce::{Way, ways};
use rhomb_kernel::{Form, Operation, Parameters, Shape};

/// Whether there are straight lines for a contract.
pub(super) fn makes(contract: &Contract) -> bool {
    let is_inverse = |modular: &Modular| {
        matches!(modular.operation, ModularOperation::Inverse | ModularOperation::MontgomeryInverse)
    };
    contract.modular().is_some_and(|modular| !is_inverse(modular) && !modular.canonical)
}

/// The routines of all straight lines that keep a contract.
pub(super) fn routines(
    target: &dyn Target,
    contract: &Contract,
    form: Option<Form>,
    convention: &str,
) -> Result<Vec<FieldRoutine>, Error> {
    let hint = "`rhomb list operations`; code of others is proved by `rhomb verify`";
    let refused = |fault: &dyn std::fmt::Display| {
        Error::request(format_args!("{} on {}: {fault}", contract::name(contract), target.name()), hint)
    };
    if form == Some(Form::Looped) {
        return Err(refused(&"it is not made looped; valid: unrolled"));
    }
    let Some(modular) = contract.modular() else {
        return Err(refused(&"it is not made; valid: operations modulo a number"));
    };
    let product = match modular.operation {
        ModularOperation::Mul | ModularOperation::MontgomeryMul => Some(Operation::Mul),
        ModularOperation::Sqr | ModularOperation::MontgomerySqr => Some(Operation::Sqr),
        _ => None,
    };
    let words = modular.modulus.words(target.word_bits()) as usize;
    let product = product.map(|operation| fastest(target, operation, words, convention)).transpose()?;
    let mut made = Vec::new();
    let mut fault = None;
    for Way { method, line } in ways(modular.operation, &modular.modulus.number(), target.word_bits()) {
        match target.line(&line, product.as_ref(), convention) {
            Ok(code) => made.push(FieldRoutine { code, method, form: Form::Unrolled }),
            Err(error) => fault = Some(error),
        }
    }
    match fault {
        Some(fault) if made.is_empty() => Err(refused(&text(fault))),
        _ => Ok(made),
    }
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

/// The fastest product or square.
fn fastest(
    target: &dyn Target,
    operation: Operation,
    words: usize,
    convention: &str,
) -> Result<Product, Error> {
    let target = find(target.name())?;
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
        unasked_levels: target.unasked_levels(words),
        pairs: target.pairs(),
        on_x: None,
        work: &Work::default(),
    };
    let Choice { method, form, parameters, on_x, accumulation, .. } = choose::choose(target, &wanted)?;
    let task = method.task(&Shape { form, words, parameters: &parameters });
    let task = task.ok_or_else(|| Error::request("a product has no such form", "leave --form out"))?;
    Ok(Product { task, on_x, accumulation })
}
