//! Operand scanning with loops: a row for each word of A, the first one apart, since it finds no result. A product, a
//! word of the result and what was carried add up to less than `2^64`.

use super::add::{clear, last};
use super::{BEFORE, LONGEST, UP, WORD, X, Y, routine};
use crate::instructions::{Instruction, Op, Register};
use crate::lower::Ring;
use crate::lower::code::{self, Code, addiu, copy, lw, sw};
use crate::lower::{Context, Kernel, LowerError};

/// Behind A's last word, and B's.
const A_END: Register = 12;
const B_END: Register = 13;
/// Where the row's words of the result are.
const ROW: Register = 14;
/// A word of the result.
const OLD: Register = 11;
/// The number 1.
const ONE: Register = 2;

pub(super) fn multiplication(words: usize, context: &Context<'_>) -> Result<Kernel, LowerError> {
    if words > LONGEST {
        return Err(LowerError::Displacement);
    }
    let [r, a, b, _] = context.convention.arguments;
    let bytes = 4 * words as i32;
    let mut code = Code::default();
    let adds_words = context.abilities.is_wide() && context.abilities.words.is_some();
    clear(&mut code);
    code.push(addiu(B_END, b, bytes));
    code.push(lw(X, a, 0));
    code.push(copy(UP, b));
    code.push(copy(ROW, r));
    row(&mut code, context, false)?;
    if words > 1 {
        if !adds_words || context.ring == Ring::BinaryPolynomials {
            code.push(addiu(ONE, 0, 1));
        }
        code.push(addiu(A_END, a, bytes - 4));
        let again = code.label();
        code.push(lw(X, a, 4));
        code.push(addiu(r, r, 4));
        clear(&mut code);
        code.push(copy(UP, b));
        code.push(copy(ROW, r));
        code.push(addiu(a, a, 4));
        row(&mut code, context, true)?;
        let store = code.instructions.pop().ok_or(LowerError::Instruction)?;
        code.repeat(again, a, A_END, store)?;
    }
    routine(code, words == 1, context)
}

/// A row, and the word that it carries; `again` if there is a result to add to.
fn row(code: &mut Code, context: &Context<'_>, again: bool) -> Result<(), LowerError> {
    let label = code.label();
    let add = context.product()?;
    code.push(lw(Y, UP, 0));
    if again {
        code.push(lw(OLD, ROW, 0));
        code.push(code::of(add, X, Y));
        code.push(addiu(UP, UP, 4));
        match context.abilities.words.filter(|_| context.abilities.is_wide()) {
            Some(words) if context.ring == Ring::Integers => code.push(code::of(words, OLD, 0)),
            _ => code.push(code::of(add, OLD, ONE)),
        }
        code.push(addiu(ROW, ROW, 4));
    } else {
        code.push(addiu(UP, UP, 4));
        code.push(code::of(add, X, Y));
        code.push(addiu(ROW, ROW, 4));
    }
    let store = sw(WORD, ROW, -4);
    match (context.abilities.take, context.abilities.shift) {
        (Some(take), _) if context.abilities.is_wide() => {
            code.push(code::into(take, WORD));
            code.repeat(label, UP, B_END, store)?;
        }
        (None, Some(shift)) if context.abilities.is_wide() => {
            code.push(code::into(Instruction::new(Op::Mflo), WORD));
            code.push(shift);
            code.repeat(label, UP, B_END, store)?;
        }
        _ => {
            code.push(code::into(Instruction::new(Op::Mflo), WORD));
            code.push(code::into(Instruction::new(Op::Mfhi), BEFORE));
            code.push(store);
            code.push(code::of(Instruction::new(Op::Mtlo), BEFORE, 0));
            code.repeat(label, UP, B_END, code::of(Instruction::new(Op::Mthi), 0, 0))?;
        }
    }
    last(code, ROW, 0);
    Ok(())
}
