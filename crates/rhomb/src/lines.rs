//! Operations of fields as straight lines of words, with the product that comes before a reduction.

use crate::error::Error;
use crate::products::Products;
use crate::targets::{Code, FieldRoutine, LowerFault, Target};
use rhomb_certificate::{Contract, Expression, Operation};
use rhomb_field::reduce::{DIGITS, Way, ways_by_blocks};
use rhomb_field::ways;
use rhomb_kernel::Form;

/// The routines of all straight lines that keep a contract, and why one of them is not made.
pub(crate) fn straight(
    contract: &Contract,
    products: &Products<'_>,
) -> Result<(Vec<FieldRoutine>, Option<LowerFault>), Error> {
    let Products { target, convention, .. } = *products;
    let bits = target.description().word_bits;
    let product = match contract.modular() {
        Some(modular) if modular.factor.is_none() => {
            let words = modular.modulus.words(bits) as usize;
            product(modular.operation).map(|operation| products.of(operation, words)).transpose()?
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
