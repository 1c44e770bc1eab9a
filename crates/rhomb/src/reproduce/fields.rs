//! Field arithmetic on the extended MIPS32 core.

use crate::error::Error;
use rhomb_mips::field::figures::{Form, Operation, measure};
use rhomb_mips::field::rolled::Ring;
use rhomb_papers::tables::{FieldOperation, FieldRun};

/// What a program takes, in the units of its cell, rounded down; `None` where there is no such program.
pub(super) fn cycles(run: &FieldRun) -> Result<Option<i64>, Error> {
    let operation = match run.operation {
        FieldOperation::Sum => Operation::Sum,
        FieldOperation::Product => Operation::Product,
        FieldOperation::Square => Operation::Square,
        FieldOperation::Reduction => Operation::Reduction,
        FieldOperation::ReducedProduct => Operation::ReducedProduct,
        FieldOperation::ReducedSquare => Operation::ReducedSquare,
        FieldOperation::MontgomeryProduct => Operation::MontgomeryProduct,
        FieldOperation::MontgomerySquare => Operation::MontgomerySquare,
        FieldOperation::ScalarGeneric => Operation::ScalarGeneric,
        FieldOperation::ScalarOptimized => Operation::ScalarOptimized,
        FieldOperation::ScalarPublishedFormulas => Operation::ScalarPublishedFormulas,
        FieldOperation::ScalarConstantTime => Operation::ScalarConstantTime,
        FieldOperation::InnerLoop => Operation::InnerLoop,
        FieldOperation::PlainProduct => Operation::PlainProduct,
    };
    let ring = if run.binary { Ring::Polynomials } else { Ring::Integers };
    let form = if run.looped { Form::Loops } else { Form::Straight };
    let measured =
        measure(operation, ring, form).map_err(|error| Error::evidence(error, "this is a fault of rhomb"))?;
    let cycles = measured.and_then(|measured| {
        let cycles = if run.corrected { measured.corrected? } else { measured.usual };
        i64::try_from(cycles).ok()
    });
    Ok(cycles.map(|cycles| cycles / run.cycles))
}
