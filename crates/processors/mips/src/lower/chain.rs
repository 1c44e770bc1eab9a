//! Addition and subtraction word by word.
//!
//! In registers each word takes an addition with its carry by comparison, and another one for the carry that enters; at
//! most one of the two carries. In an accumulator that moves down by a word, the sum's high words are the carry; a
//! difference is the sum of A, the complement of B and 1. The faster routine is taken.

use super::{Context, Kernel, LowerError, finish};
use crate::instructions::Register;
use rhomb_lower::draft::{Draft, Made, Memory, Name, Pair, ZERO, best};

pub(super) fn straight(subtract: bool, words: usize, context: &Context<'_>) -> Result<Kernel, LowerError> {
    let accumulated = context.abilities.is_wide().then(|| in_accumulator(subtract, words, context));
    let drafts = [Ok(in_registers(subtract, words, context))].into_iter().chain(accumulated);
    let kernels = drafts.map(|draft| finish(&draft?, context));
    best(kernels, |kernel| kernel.cycles, LowerError::Instruction)
}

/// A line with result and operands, which may lie in one another's place.
fn arrays(context: &Context<'_>) -> (Draft, [Memory; 3]) {
    let mut line = Draft::default();
    let [r, a, b, _] = context.convention.arguments;
    let [r, a, b] = [r, a, b].map(|register| line.argument(register));
    let r = line.memory(r);
    let [a, b] = [a, b].map(|pointer| line.memory_over(pointer, r));
    (line, [r, a, b])
}

/// Where the carry is returned.
fn returned(context: &Context<'_>) -> Register {
    context.convention.returned
}

fn in_registers(subtract: bool, words: usize, context: &Context<'_>) -> Draft {
    let (mut line, [r, a, b]) = arrays(context);
    let returned = returned(context);
    let mut carry: Option<Made> = None;
    for word in 0..words {
        let last = word + 1 == words;
        let (x, y) = (a.load(&mut line, word), b.load(&mut line, word));
        let (mut result, own) = step(&mut line, subtract, x, y);
        let mut carries = vec![own];
        if let Some(carry) = carry {
            let (next, more) = step(&mut line, subtract, result, carry);
            result = next;
            carries.push(more);
        }
        r.store(&mut line, word, result);
        let second = carries.get(1).map_or(ZERO, |carry| Name::from(*carry));
        if last {
            line.pair_into(returned, Pair::Add, carries[0], second);
        } else {
            carry = Some(match carries[..] {
                [own, more] => line.pair(Pair::Add, own, more),
                _ => own,
            });
        }
    }
    line
}

/// The sum or difference of two words, and its carry or borrow.
fn step(line: &mut Draft, subtract: bool, x: Made, y: Made) -> (Made, Made) {
    if subtract {
        let borrow = line.pair(Pair::Below, x, y);
        (line.pair(Pair::Subtract, x, y), borrow)
    } else {
        let sum = line.pair(Pair::Add, x, y);
        (sum, line.pair(Pair::Below, sum, y))
    }
}

fn in_accumulator(subtract: bool, words: usize, context: &Context<'_>) -> Result<Draft, LowerError> {
    let (mut line, [r, a, b]) = arrays(context);
    let mut sum = context.sum()?;
    if subtract {
        let one = line.number(1);
        sum.word(&mut line, one)?;
    }
    for word in 0..words {
        let (x, y) = (a.load(&mut line, word), b.load(&mut line, word));
        let y = if subtract { line.pair(Pair::Nor, y, ZERO) } else { y };
        sum.words(&mut line, x, y)?;
        let low = sum.take(&mut line);
        r.store(&mut line, word, low);
    }
    let carry = sum.last(&mut line)?;
    if subtract {
        // no borrow is a carry
        let borrow = flipped(&mut line, carry);
        line.pair_into(returned(context), Pair::Or, borrow, ZERO);
    } else {
        line.pair_into(returned(context), Pair::Or, carry, ZERO);
    }
    Ok(line)
}

/// 1 less a bit.
fn flipped(line: &mut Draft, bit: Name) -> Made {
    line.with_number(Pair::Xor, bit, 1)
}
