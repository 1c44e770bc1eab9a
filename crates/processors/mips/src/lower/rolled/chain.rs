//! Addition and subtraction with a loop over the words.

use super::{AFTER, CARRY, LONGEST, WORD, X, Y, routine};
use crate::instructions::{Instruction, Op, Register};
use crate::lower::code::{self, Code, addiu, compute, copy, lw, sw};
use crate::lower::{Context, Kernel, LowerError, Ring};

/// Behind A's last word.
const END: Register = 12;

/// A loop over the words of an addition or subtraction. A word is stored after both operands' words in its place were
/// read: the result may lie in the place of an operand, or of both.
pub(in crate::lower) fn chain(
    subtract: bool,
    words: usize,
    context: &Context<'_>,
) -> Result<Kernel, LowerError> {
    if words > LONGEST {
        return Err(LowerError::Displacement);
    }
    let [r, a, b, _] = context.convention.arguments;
    // the carry or borrow is where it is returned
    let returned = context.convention.returned;
    let mut code = Code::default();
    code.push(addiu(END, a, 4 * words as i32));
    let shift = context
        .abilities
        .shift
        .zip(context.abilities.words)
        .filter(|_| !subtract && context.ring == Ring::Integers);
    if let Some((shift, add)) = shift.filter(|_| context.abilities.is_wide()) {
        code.push(Instruction::new(Op::Multu));
        let label = code.label();
        code.push(lw(X, a, 0));
        code.push(lw(Y, b, 0));
        code.push(addiu(a, a, 4));
        code.push(code::of(add, X, Y));
        code.push(addiu(b, b, 4));
        code.push(code::into(Instruction::new(Op::Mflo), WORD));
        code.push(shift);
        code.push(sw(WORD, r, 0));
        code.repeat(label, a, END, addiu(r, r, 4))?;
        code.push(code::into(Instruction::new(Op::Mflo), returned));
        return routine(code, true, context);
    }
    if context.ring == Ring::BinaryPolynomials {
        let label = code.label();
        code.push(lw(X, a, 0));
        code.push(lw(Y, b, 0));
        code.push(addiu(a, a, 4));
        code.push(addiu(b, b, 4));
        code.push(compute(Op::Xor, WORD, X, Y));
        code.push(sw(WORD, r, 0));
        code.repeat(label, a, END, addiu(r, r, 4))?;
        return routine(code, false, context);
    }
    code.push(copy(returned, 0));
    let label = code.label();
    code.push(lw(X, a, 0));
    code.push(lw(Y, b, 0));
    code.push(addiu(a, a, 4));
    if subtract {
        code.push(compute(Op::Sltu, CARRY, X, Y));
        code.push(compute(Op::Subu, WORD, X, Y));
        code.push(compute(Op::Sltu, AFTER, WORD, returned));
        code.push(compute(Op::Subu, WORD, WORD, returned));
    } else {
        code.push(compute(Op::Addu, WORD, X, Y));
        code.push(compute(Op::Sltu, CARRY, WORD, Y));
        code.push(compute(Op::Addu, WORD, WORD, returned));
        code.push(compute(Op::Sltu, AFTER, WORD, returned));
    }
    code.push(addiu(b, b, 4));
    // at most one of them
    code.push(compute(Op::Addu, returned, CARRY, AFTER));
    code.push(sw(WORD, r, 0));
    code.repeat(label, a, END, addiu(r, r, 4))?;
    routine(code, false, context)
}
