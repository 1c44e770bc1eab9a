//! What stands in loops: a product added, a word finished.

use super::{AFTER, BEFORE, CARRY, COUNT, WORD};
use crate::instructions::{Instruction, Op, Register};
use crate::lower::Ring;
use crate::lower::code::{self, Code};
use crate::lower::{Context, LowerError};

impl Context<'_> {
    /// Whether overflows are counted.
    pub(super) fn counts(&self) -> bool {
        !self.abilities.is_wide() && self.ring == Ring::Integers
    }

    /// The instruction that adds a product.
    pub(super) fn product(&self) -> Result<Instruction, LowerError> {
        match (self.ring, self.abilities.carryless) {
            (Ring::Integers, _) => Ok(Instruction::new(Op::Maddu)),
            (Ring::BinaryPolynomials, Some([_, more])) => Ok(more),
            (Ring::BinaryPolynomials, None) => Err(LowerError::Carryless),
        }
    }
}

/// `acc = 0`.
pub(super) fn clear(code: &mut Code) {
    code.push(Instruction::new(Op::Multu));
}

/// Adds a product of the words in two registers; `fill` is done on the way.
pub(super) fn product(
    code: &mut Code,
    context: &Context<'_>,
    [x, y]: [Register; 2],
    fill: Option<Instruction>,
) -> Result<(), LowerError> {
    let add = code::of(context.product()?, x, y);
    if !context.counts() {
        code.push(add);
        fill.into_iter().for_each(|fill| code.push(fill));
        return Ok(());
    }
    code.push(code::into(Instruction::new(Op::Mfhi), BEFORE));
    code.push(add);
    fill.into_iter().for_each(|fill| code.push(fill));
    code.push(code::into(Instruction::new(Op::Mfhi), AFTER));
    code.push(code::compute(Op::Sltu, CARRY, AFTER, BEFORE));
    code.push(code::compute(Op::Addu, COUNT, COUNT, CARRY));
    Ok(())
}

/// Adds a product twice.
pub(super) fn twice(
    code: &mut Code,
    context: &Context<'_>,
    [x, y]: [Register; 2],
    fill: Option<Instruction>,
) -> Result<(), LowerError> {
    match context.abilities.twice.filter(|_| context.abilities.is_wide()) {
        Some(twice) => {
            code.push(code::of(twice, x, y));
            fill.into_iter().for_each(|fill| code.push(fill));
            Ok(())
        }
        None => {
            product(code, context, [x, y], fill)?;
            product(code, context, [x, y], None)
        }
    }
}

/// The low word of the sum goes to the result, at an offset from `pointer`; the sum moves down by a word. `fill` is done
/// before the word is stored.
pub(super) fn finish(
    code: &mut Code,
    context: &Context<'_>,
    (pointer, offset): (Register, i32),
    fill: Option<Instruction>,
) {
    let store = code::sw(WORD, pointer, offset);
    match (context.abilities.take, context.abilities.shift) {
        (Some(take), _) if context.abilities.is_wide() => {
            code.push(code::into(take, WORD));
            fill.into_iter().for_each(|fill| code.push(fill));
            code.push(store);
        }
        (None, Some(shift)) if context.abilities.is_wide() => {
            code.push(code::into(Instruction::new(Op::Mflo), WORD));
            code.push(shift);
            fill.into_iter().for_each(|fill| code.push(fill));
            code.push(store);
        }
        _ => {
            code.push(code::into(Instruction::new(Op::Mflo), WORD));
            code.push(code::into(Instruction::new(Op::Mfhi), BEFORE));
            fill.into_iter().for_each(|fill| code.push(fill));
            code.push(store);
            code.push(code::of(Instruction::new(Op::Mtlo), BEFORE, 0));
            let above = if context.counts() { COUNT } else { 0 };
            code.push(code::of(Instruction::new(Op::Mthi), above, 0));
            if context.counts() {
                code.push(code::copy(COUNT, 0));
            }
        }
    }
}

/// The last word of the sum goes to the result.
pub(super) fn last(code: &mut Code, pointer: Register, offset: i32) {
    code.push(code::into(Instruction::new(Op::Mflo), WORD));
    code.push(code::sw(WORD, pointer, offset));
}
