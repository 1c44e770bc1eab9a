//! Loops: columns of products, as in figure 3 of Grossschaedl and Savas (CHES 2004), rows of one word, additions.
//!
//! Pointers move and are compared; there are no counters. What the accumulator can do decides how a product is added
//! and how a column ends, as in straight lines; without guard bits the overflows of a column are counted in a register.

mod add;
mod chain;
mod columns;
mod rows;
mod squaring;

pub(super) use chain::chain;
pub(super) use squaring::squaring;

use super::Ring;
use super::code::Code;
use super::{Context, Kernel, LowerError, frame};
use crate::instructions::Register;
use rhomb_kernel::Rolled;
use rhomb_lower::looped::{Order, order};

// registers that need no saving, by what they hold
/// Operand words.
const X: Register = 8;
const Y: Register = 9;
/// Moves up through the words of A.
const UP: Register = 10;
/// Moves down through the words of B.
const DOWN: Register = 11;
/// A finished word.
const WORD: Register = 15;
/// HI before and after a product, its carry, and the carries of a column.
const BEFORE: Register = 24;
const AFTER: Register = 25;
const CARRY: Register = 3;
const COUNT: Register = 7;

/// Lowers a multiplication with loops.
///
/// # Errors
/// Where its products come in another order than by columns, one in each turn of the innermost loop, or by rows of one
/// word of A; where a column may overflow; where operands are too long for offsets.
pub(super) fn multiplication(rolled: &Rolled, context: &Context<'_>) -> Result<Kernel, LowerError> {
    match order(rolled) {
        Some(Order::Columns) => columns::multiplication(rolled.words, context),
        Some(Order::Rows) => rows::multiplication(rolled.words, context),
        None => Err(LowerError::Loops),
    }
}

/// The most words for which pointers are moved by a single instruction.
const LONGEST: usize = 4000;

/// Checks that columns of so many products each, from the lowest on, fit the accumulator.
fn check(products: impl Iterator<Item = usize>, context: &Context<'_>) -> Result<(), LowerError> {
    if context.ring == Ring::BinaryPolynomials || !context.abilities.is_wide() {
        return Ok(());
    }
    let product = u128::from(u32::MAX) * u128::from(u32::MAX);
    let mut most = 0u128;
    for count in products {
        most += product * count as u128;
        if most >> context.abilities.accumulator != 0 {
            return Err(LowerError::Guard { bits: context.abilities.accumulator });
        }
        most >>= 32;
    }
    Ok(())
}

/// The routine of a body whose last instruction may stand in the return's slot or not.
fn routine(code: Code, movable: bool, context: &Context<'_>) -> Result<Kernel, LowerError> {
    let written = 14;
    if context.registers < written {
        return Err(LowerError::Registers { needed: written, available: context.registers });
    }
    Ok(frame::enclose(code.instructions, movable, 0, context.model, context.convention))
}
