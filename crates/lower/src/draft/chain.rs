//! Addition and subtraction word by word.
//!
//! In registers each word takes an addition with its carry by comparison, and another one for the carry that enters; at
//! most one of the two carries. In an accumulator that moves down by a word, the sum's high words are the carry; a
//! difference is the sum of A, the complement of B and 1.

use super::core::{Fault, Setting};
use super::form::{Draft, Made, Memory, Name, Pair, ZERO};
use super::sum::Sum;

/// Drafts of a sum or difference of so many words, whose carry is returned.
pub(super) fn chains(
    subtract: bool,
    words: usize,
    setting: &Setting,
) -> impl Iterator<Item = Result<Draft, Fault>> {
    let is_wide = setting.abilities.is_wide();
    let accumulated = is_wide.then(|| in_accumulator(subtract, words, setting));
    [Ok(in_registers(subtract, words, setting))].into_iter().chain(accumulated)
}

/// A draft with result and operands, which may lie in one another's place.
fn arrays(setting: &Setting) -> (Draft, [Memory; 3]) {
    let mut draft = Draft::default();
    let [r, a, b] = setting.arguments.map(|register| draft.argument(register));
    let r = draft.memory(r);
    let [a, b] = [a, b].map(|pointer| draft.memory_over(pointer, r));
    (draft, [r, a, b])
}

fn in_registers(subtract: bool, words: usize, setting: &Setting) -> Draft {
    let (mut draft, [r, a, b]) = arrays(setting);
    let mut carry: Option<Made> = None;
    for word in 0..words {
        let last = word + 1 == words;
        let (x, y) = (a.load(&mut draft, word), b.load(&mut draft, word));
        let (mut result, own) = step(&mut draft, subtract, x, y);
        let mut carries = vec![own];
        if let Some(carry) = carry {
            let (next, more) = step(&mut draft, subtract, result, carry);
            result = next;
            carries.push(more);
        }
        r.store(&mut draft, word, result);
        let second = carries.get(1).map_or(ZERO, |carry| Name::from(*carry));
        if last {
            draft.pair_into(setting.returned, Pair::Add, carries[0], second);
        } else {
            carry = Some(match carries[..] {
                [own, more] => draft.pair(Pair::Add, own, more),
                _ => own,
            });
        }
    }
    draft
}

/// The sum or difference of two words, and its carry or borrow.
fn step(draft: &mut Draft, subtract: bool, x: Made, y: Made) -> (Made, Made) {
    if subtract {
        let borrow = draft.pair(Pair::Below, x, y);
        (draft.pair(Pair::Subtract, x, y), borrow)
    } else {
        let sum = draft.pair(Pair::Add, x, y);
        (sum, draft.pair(Pair::Below, sum, y))
    }
}

fn in_accumulator(subtract: bool, words: usize, setting: &Setting) -> Result<Draft, Fault> {
    let (mut draft, [r, a, b]) = arrays(setting);
    let mut sum = Sum::new(setting.abilities, setting.ring)?;
    if subtract {
        let one = draft.number(1);
        sum.word(&mut draft, one)?;
    }
    for word in 0..words {
        let (x, y) = (a.load(&mut draft, word), b.load(&mut draft, word));
        let y = if subtract { draft.pair(Pair::Nor, y, ZERO) } else { y };
        sum.words(&mut draft, x, y)?;
        let low = sum.take(&mut draft);
        r.store(&mut draft, word, low);
    }
    let carry = sum.last(&mut draft)?;
    // no borrow is a carry
    let carry = if subtract { draft.with_number(Pair::Xor, carry, 1).into() } else { carry };
    draft.pair_into(setting.returned, Pair::Or, carry, ZERO);
    Ok(draft)
}
