//! Straight lines of words, as they are written for all processors: all ways are tried, and the routine with the fewest
//! cycles is taken. The call of a product comes first where the line is its reduction.

use super::finish::{Around, finish_around};
use super::{Context, Kernel, LowerError, Ring, abilities::Abilities, code};
use crate::conventions::Convention;
use crate::instructions::{Instruction, Op, SP};
use crate::model::Model;
use rhomb_line::Line;
use rhomb_lower::draft::{Draft, Frame, best, words as drafts};

/// The routine of a line, or of a product whose reduction the line is.
///
/// # Errors
/// Where registers are too few, or an instruction is missing.
pub fn words(
    line: &Line,
    product: Option<&Kernel>,
    model: &Model,
    convention: &Convention,
) -> Result<Kernel, LowerError> {
    let abilities = Abilities::of(model);
    let ring = Ring::Integers;
    let context = Context { model, convention, abilities: &abilities, ring, registers: usize::MAX };
    let setting = context.setting();
    let drafts = drafts(line, product.is_some(), &setting);
    let kernels = drafts.map(|made| {
        let (draft, frame) = made?;
        finished(&draft, frame, product, &context)
    });
    best(kernels, Kernel::rank, LowerError::Instruction)
}

/// The routine, with the call of the product, which stands behind.
fn finished(
    draft: &Draft,
    frame: Frame,
    product: Option<&Kernel>,
    context: &Context<'_>,
) -> Result<Kernel, LowerError> {
    let around = Around { stack_bytes: 4 * frame.words as u32, knowing: true, ..Around::default() };
    let Some(product) = product else { return finish_around(draft, context, &around) };
    let [r, ..] = context.convention.arguments;
    let first = [
        code::sw(r, SP, 4 * frame.pointer as i32),
        Instruction::new(Op::Bgezal),
        code::addiu(r, SP, 4 * frame.product as i32),
    ];
    let mut kernel = finish_around(draft, context, &Around { first: &first, ..around })?;
    let length = kernel.program.len();
    let call = kernel.program.iter().position(|one| one.op == Op::Bgezal).ok_or(LowerError::Instruction)?;
    let distance = length - call - 1;
    kernel.program[call].immediate = i16::try_from(distance).map_err(|_| LowerError::Displacement)?.into();
    kernel.program.extend(&product.program);
    kernel.stack_bytes += product.stack_bytes;
    Ok(kernel)
}
