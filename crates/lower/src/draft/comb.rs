//! Products over GF(2) without an instruction for them: windows of 4 bits from left to right (J. Lopez, R. Dahab, "High-Speed
//! Software Multiplication in F_2^m", INDOCRYPT 2000). The multiples of B by all polynomials below x^4 stand on the stack; A's
//! digits are addresses there, so that with secret operands a data cache may tell them.

use super::core::Setting;
use super::form::{Draft, Made, Name, Pair, ZERO};

/// Bits of a window, and the multiples.
const WINDOW: u32 = 4;
const MULTIPLES: usize = 1 << WINDOW;

/// Words from one multiple of B to the next, a power of two.
fn stride(words: usize) -> usize {
    (words + 1).next_power_of_two()
}

/// Words of the stack that the multiples take.
pub(super) fn comb_words(words: usize) -> usize {
    MULTIPLES * stride(words)
}

/// Drafts of a product of so many words by as many: that which makes the multiples, and that which comes behind it.
pub(super) fn comb(words: usize, setting: &Setting) -> [Draft; 2] {
    [multiples(words, setting), sum(words, setting)]
}

/// 0 and B, then always twice an earlier one, and that with B.
fn multiples(words: usize, setting: &Setting) -> Draft {
    let mut draft = Draft::default();
    let b = draft.argument(setting.arguments[2]);
    let b = draft.memory(b);
    let table = draft.memory(Name::Register(setting.stack));
    let bits = setting.abilities.word;
    let b: Vec<Made> = (0..words).map(|part| b.load(&mut draft, part)).collect();
    for part in 0..=words {
        table.store(&mut draft, part, ZERO);
        table.store(&mut draft, stride(words) + part, b.get(part).map_or(ZERO, |word| Name::from(*word)));
    }
    for half in 1..MULTIPLES / 2 {
        let mut below: Option<Made> = None;
        for part in 0..=words {
            let own = table.load(&mut draft, stride(words) * half + part);
            let mut twice = draft.up(own, 1);
            if let Some(below) = below {
                let top = draft.down(below, bits - 1);
                twice = draft.pair(Pair::Or, twice, top);
            }
            let to = 2 * stride(words) * half + part;
            table.store(&mut draft, to, twice);
            let more = b.get(part).map_or(twice, |word| draft.pair(Pair::Xor, twice, *word));
            table.store(&mut draft, to + stride(words), more);
            below = Some(own);
        }
    }
    draft
}

/// The sum of multiples by the digits of A.
fn sum(words: usize, setting: &Setting) -> Draft {
    let mut draft = Draft::default();
    let [r, a] = [0, 1].map(|index| draft.argument(setting.arguments[index]));
    let [r, a] = [r, a].map(|pointer| draft.memory(pointer));
    let bits = setting.abilities.word;
    // a digit times the bytes of a multiple is an address
    let bytes = stride(words) as u32 * bits / 8;
    let places = bytes.trailing_zeros();
    let a: Vec<Made> = (0..words).map(|word| a.load(&mut draft, word)).collect();
    let mut sum: Vec<Option<Made>> = vec![None; 2 * words];
    for window in (0..bits / WINDOW).rev() {
        for (word, digits) in a.iter().enumerate() {
            let shift = WINDOW * window;
            let moved = match shift > places {
                true => draft.down(*digits, shift - places),
                false => draft.up(*digits, places - shift),
            };
            let digit = draft.with_number(Pair::And, moved, ((MULTIPLES as u32 - 1) * bytes) as i32);
            let multiple = draft.pair(Pair::Add, digit, Name::Register(setting.stack));
            let multiple = draft.memory(multiple);
            for part in 0..=words {
                // the product's highest word is one of the highest digits alone
                let Some(place) = sum.get_mut(word + part) else { continue };
                let term = multiple.load(&mut draft, part);
                *place = Some(place.map_or(term, |own| draft.pair(Pair::Xor, own, term)));
            }
        }
        if window > 0 {
            for at in (0..2 * words).rev() {
                let Some(own) = sum[at] else { continue };
                let moved = draft.up(own, WINDOW);
                let carried = at.checked_sub(1).and_then(|below| sum[below]);
                sum[at] = Some(match carried {
                    Some(below) => {
                        let carried = draft.down(below, bits - WINDOW);
                        draft.pair(Pair::Or, moved, carried)
                    }
                    None => moved,
                });
            }
        }
    }
    for (word, own) in sum.into_iter().enumerate() {
        r.store(&mut draft, word, own.map_or(ZERO, Name::from));
    }
    draft
}
