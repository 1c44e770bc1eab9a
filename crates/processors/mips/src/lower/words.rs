//! Straight lines of words, as they are written for all processors: all ways are tried, and the routine with the fewest
//! cycles is taken. Where the line is the reduction of a product, that is called first, or becomes a part of the routine.

use super::finish::{Around, cycles, finish_around, registers};
use super::{Context, Kernel, LowerError, Ring, abilities::Abilities, code, draft, routine_within};
use crate::conventions::Convention;
use crate::instructions::{Instruction, Op, SP};
use crate::model::Model;
use rhomb_kernel::Task;
use rhomb_line::Line;
use rhomb_lower::draft::{
    Draft, Frame, Registers, arranged, best, comb as comb_drafts, comb_words, joined, words as drafts,
};

/// What comes before a reduction.
#[derive(Clone, Copy, Debug)]
pub enum Product<'a> {
    /// A multiplication or squaring over a ring.
    Task(&'a Task, Ring),
    /// A routine.
    Routine(&'a Kernel),
}

/// The routine of a line, or of a product whose reduction the line is.
///
/// # Errors
/// Where registers are too few, or an instruction is missing.
pub fn words(
    line: &Line,
    product: Option<Product<'_>>,
    model: &Model,
    convention: &Convention,
) -> Result<Kernel, LowerError> {
    best(roads(line, product, model, convention)?, Kernel::rank, LowerError::Instruction)
}

/// The routine where the product is called, and that where it is a part of the routine, which is faster but may take another
/// time for small factors; that of a line alone.
///
/// # Errors
/// Where there is no product.
pub fn roads(
    line: &Line,
    product: Option<Product<'_>>,
    model: &Model,
    convention: &Convention,
) -> Result<Vec<Result<Kernel, LowerError>>, LowerError> {
    let abilities = Abilities::of(model);
    let ring = match product {
        Some(Product::Task(_, ring)) => ring,
        _ => Ring::Integers,
    };
    let context = Context { model, convention, abilities: &abilities, ring, registers: usize::MAX };
    let setting = context.setting();
    let made = match product {
        Some(Product::Task(task, ring)) => Some(routine_within(task, model, convention, ring, usize::MAX)?),
        _ => None,
    };
    let called = match product {
        Some(Product::Routine(kernel)) => Some(kernel),
        _ => made.as_ref(),
    };
    let kernel = |made: Result<(Draft, Frame), LowerError>, called| {
        let (draft, frame) = made?;
        finished(&draft, frame, called, &context)
    };
    let apart = drafts(line, called.is_some(), &setting).map(|made| kernel(made, called));
    let apart = best(apart, Kernel::rank, LowerError::Instruction);
    let Some(Product::Task(task, _)) = product else { return Ok(vec![apart]) };
    // what is faster is not to be longer
    let most = apart.as_ref().map_or(usize::MAX, |own| own.program.len());
    let within = joined(line, task, &setting).into_iter().map(|made| kernel(made, None));
    let within = within.filter(|made| made.as_ref().is_ok_and(|own| own.program.len() <= most));
    let within = best(within, Kernel::rank, LowerError::Instruction);
    Ok(vec![within, apart])
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
    kernel.cycles = kernel.cycles.zip(product.cycles).map(|(own, more)| own + more);
    Ok(kernel)
}

/// A product over GF(2) on cores without an instruction for it, by a table whose addresses depend on the first operand.
///
/// # Errors
/// Where registers are too few.
pub fn comb(words: usize, model: &Model, convention: &Convention) -> Result<Kernel, LowerError> {
    let abilities = Abilities::of(model);
    let ring = Ring::Integers;
    let context = Context { model, convention, abilities: &abilities, ring, registers: usize::MAX };
    let [table, sum] = comb_drafts(words, &context.setting());
    let all = registers(convention);
    let own = Registers { free: all.len(), most: all.len(), all };
    let core = draft::Core { model, abilities: &abilities };
    let tables = arranged(&table, &core, false, &own)?;
    let first = best(tables, |code| cycles(code, model, false), LowerError::Instruction)?;
    let stack_bytes = 4 * comb_words(words) as u32;
    finish_around(&sum, &context, &Around { first: &first, stack_bytes, knowing: false })
}
