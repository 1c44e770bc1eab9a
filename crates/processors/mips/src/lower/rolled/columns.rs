//! Product scanning with loops: one loop over the columns below the middle, one over those above, in each the products
//! of a column in a loop of their own. A's words are walked up, B's down; the outer loops move where they begin.

use super::add::{clear, finish, last, product};
use super::{COUNT, DOWN, LONGEST, UP, X, Y, check, routine};
use crate::instructions::Register;
use crate::lower::code::{Code, addiu, copy, lw};
use crate::lower::{Context, Kernel, LowerError};

/// Behind A's last word.
const END: Register = 12;
/// B's last word.
const LAST: Register = 13;
/// B's first word of the next column.
const NEXT: Register = 14;

pub(super) fn multiplication(words: usize, context: &Context<'_>) -> Result<Kernel, LowerError> {
    if words > LONGEST {
        return Err(LowerError::Displacement);
    }
    check((0..2 * words - 1).map(|column| column.min(2 * words - 2 - column) + 1), context)?;
    let [r, a, b, _] = context.convention.arguments;
    let bytes = 4 * words as i32;
    let mut code = Code::default();
    clear(&mut code);
    code.push(addiu(LAST, b, bytes - 4));
    if context.counts() {
        code.push(copy(COUNT, 0));
    }
    if words > 1 {
        code.push(addiu(END, a, bytes));
    }
    code.push(copy(NEXT, b));
    let rising = code.label();
    code.push(copy(UP, a));
    code.push(copy(DOWN, NEXT));
    // down to B's first word
    turn(&mut code, context, (DOWN, b), false)?;
    finish(&mut code, context, (r, -4), Some(addiu(r, r, 4)));
    code.repeat(rising, NEXT, LAST, addiu(NEXT, NEXT, 4))?;
    if words > 1 {
        code.push(addiu(a, a, 4));
        let falling = code.label();
        code.push(copy(UP, a));
        code.push(copy(DOWN, LAST));
        // up to A's last word
        turn(&mut code, context, (UP, END), true)?;
        finish(&mut code, context, (r, 0), Some(addiu(a, a, 4)));
        code.repeat(falling, a, END, addiu(r, r, 4))?;
    }
    last(&mut code, r, 0);
    routine(code, true, context)
}

/// The products of a column: until the pointer that `end` names first is where the second one is; `passed` says that
/// this is behind its last word, else it is at it.
fn turn(
    code: &mut Code,
    context: &Context<'_>,
    end: (Register, Register),
    passed: bool,
) -> Result<(), LowerError> {
    let label = code.label();
    let (up, down) = (addiu(UP, UP, 4), addiu(DOWN, DOWN, -4));
    code.push(lw(X, UP, 0));
    code.push(lw(Y, DOWN, 0));
    if !context.counts() {
        // in the slot of the second load
        code.push(up);
        product(code, context, [X, Y], None)?;
        return code.repeat(label, end.0, end.1, down);
    }
    product(code, context, [X, Y], Some(up))?;
    // the count goes behind the branch
    let count = code.instructions.pop().ok_or(LowerError::Instruction)?;
    if passed {
        let compare = code.instructions.pop().ok_or(LowerError::Instruction)?;
        code.push(down);
        code.push(compare);
        return code.repeat(label, end.0, end.1, count);
    }
    code.push(count);
    code.repeat(label, end.0, end.1, down)
}
