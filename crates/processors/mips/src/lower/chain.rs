//! Addition and subtraction word by word.
//!
//! In registers each word takes an addition with its carry by comparison, and another one for the carry that enters; at
//! most one of the two carries. In an accumulator that moves down by a word, the sum's high words are the carry; a
//! difference is the sum of A, the complement of B and 1. The faster routine is taken.

use super::line::{Array, Line, Name, Value};
use super::{Context, Kernel, LowerError, finish};
use crate::instructions::{Op, Register};

pub(super) fn straight(subtract: bool, words: usize, context: &Context<'_>) -> Result<Kernel, LowerError> {
    let kernels = [false, true].map(|accumulated| {
        let line = if accumulated {
            in_accumulator(subtract, words, context)
        } else {
            Ok(in_registers(subtract, words, context))
        };
        line.and_then(|line| finish(&line, context.model, context.convention, context.registers))
    });
    let [registers, accumulator] = kernels;
    match (registers, accumulator) {
        (Ok(one), Ok(other)) => Ok(if one.cycles <= other.cycles { one } else { other }),
        (Ok(one), Err(_)) | (Err(_), Ok(one)) => Ok(one),
        (Err(error), Err(_)) => Err(error),
    }
}

/// A line with result and operands, which may lie in one another's place.
fn arrays(context: &Context<'_>) -> (Line, [Array; 3]) {
    let mut line = Line::new();
    let [r, a, b, _] = context.convention.arguments;
    let [r, a, b] = [r, a, b].map(|register| line.argument(register));
    let r = line.array(r);
    let [a, b] = [a, b].map(|pointer| line.array_over(pointer, r));
    (line, [r, a, b])
}

/// Where the carry is returned.
fn returned(context: &Context<'_>) -> Register {
    context.convention.returned
}

fn in_registers(subtract: bool, words: usize, context: &Context<'_>) -> Line {
    let (mut line, [r, a, b]) = arrays(context);
    let returned = returned(context);
    let mut carry: Option<Value> = None;
    for word in 0..words {
        let last = word + 1 == words;
        let (x, y) = (line.load(a, word), line.load(b, word));
        let (mut result, own) = step(&mut line, subtract, x, y);
        let mut carries = vec![own];
        if let Some(carry) = carry {
            let (next, more) = step(&mut line, subtract, result, carry);
            result = next;
            carries.push(more);
        }
        line.store(r, word, result);
        let second = carries.get(1).map_or(super::ZERO, |carry| Name::from(*carry));
        if last {
            line.compute_into(returned, Op::Addu, carries[0], second);
        } else {
            carry = Some(match carries[..] {
                [own, more] => line.compute(Op::Addu, own, more),
                _ => own,
            });
        }
    }
    line
}

/// The sum or difference of two words, and its carry or borrow.
fn step(line: &mut Line, subtract: bool, x: Value, y: Value) -> (Value, Value) {
    if subtract {
        let borrow = line.compute(Op::Sltu, x, y);
        (line.compute(Op::Subu, x, y), borrow)
    } else {
        let sum = line.compute(Op::Addu, x, y);
        (sum, line.compute(Op::Sltu, sum, y))
    }
}

fn in_accumulator(subtract: bool, words: usize, context: &Context<'_>) -> Result<Line, LowerError> {
    if !context.abilities.is_wide() {
        return Err(LowerError::Guard { bits: context.abilities.accumulator });
    }
    let (mut line, [r, a, b]) = arrays(context);
    let mut sum = context.sum()?;
    if subtract {
        let one = line.number(1);
        sum.word(&mut line, one)?;
    }
    for word in 0..words {
        let (x, y) = (line.load(a, word), line.load(b, word));
        let y = if subtract { line.compute(Op::Nor, y, super::ZERO) } else { y };
        sum.words(&mut line, x, y)?;
        let low = sum.take(&mut line);
        line.store(r, word, low);
    }
    let carry = sum.last(&mut line)?;
    if subtract {
        // no borrow is a carry
        let borrow = flipped(&mut line, carry);
        line.compute_into(returned(context), Op::Or, borrow, super::ZERO);
    } else {
        line.compute_into(returned(context), Op::Or, carry, super::ZERO);
    }
    Ok(line)
}

/// 1 less a bit.
fn flipped(line: &mut Line, bit: Name) -> Value {
    line.immediate(Op::Xori, bit, 1)
}
