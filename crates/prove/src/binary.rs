//! Polynomials over GF(2): what is right, and the proof, which is an execution.

use crate::provable::Provable;
use crate::unproved::Unproved;
use num_bigint::BigUint;
use rhomb_certificate::{Binary, Contract, Expression, Pattern, PatternProof, Reading, execute_binary, kept};
use rhomb_field::Field;
use rhomb_field::binary::{BinaryField, product};

fn field(operation: &Binary) -> Option<BinaryField> {
    BinaryField::new(&operation.modulus()?.exponents())
}

/// What is left of a polynomial modulo that of the operation, if it has one.
pub(crate) fn residue(operation: &Binary, polynomial: &BigUint) -> BigUint {
    field(operation).map_or_else(|| polynomial.clone(), |field| field.element(polynomial))
}

/// The right result, of a congruence the residue.
pub(crate) fn expected(operation: &Binary, bits: u32, numbers: &[BigUint]) -> BigUint {
    let a = &numbers[0];
    let value = match operation.operation().expression() {
        Expression::Product => product(a, &numbers[1]),
        Expression::Square => product(a, a),
        Expression::Sum | Expression::Difference => a ^ &numbers[1],
        // there are no others over GF(2)
        _ => a.clone(),
    };
    let Some(field) = field(operation) else { return value };
    if operation.operation().expression() == Expression::Inverse {
        return field.inverse(&value).unwrap_or_default();
    }
    let power = BigUint::from(1u8) << operation.shift(bits) as usize;
    // the modulus has the term 1, so that powers of x have inverses
    let inverse = field.inverse(&power).unwrap_or_default();
    field.mul(&value, &inverse)
}

/// Proves the routine for one aliasing pattern. There is nothing to be found for the checker.
pub(crate) fn prove(
    routine: &dyn Provable,
    contract: (&Contract, &Binary),
    pattern: &Pattern,
    effort: &mut u64,
) -> Result<PatternProof, Unproved> {
    let execution = execute_binary(routine, contract, pattern, *effort)?;
    *effort = execution.effort;
    kept(&execution.breaches, &execution.missing).map_err(|breach| Unproved::Breach(breach.to_string()))?;
    match execution.open.first() {
        Some(lowest) => Err(Unproved::Coefficients { count: execution.open.len(), lowest: *lowest }),
        None => Ok(PatternProof { pattern: pattern.name.into(), reading: Reading::Plain, steps: Vec::new() }),
    }
}
