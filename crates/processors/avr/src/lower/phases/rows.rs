//! Products of a few words by rows: each word of x is multiplied by all of y, and the row is added to a window of words, of which
//! the lowest is then complete.
//!
//! A row of h products takes 2 h cycles for these and about 3 h for the rest. Products of one parity lie beside each other, so that they
//! are one chain; those that come first in it move to other registers. Such a row needs a zero and up to six registers for a while
//! ([`Rows::Wide`]), or its highest word, which is born as zero, serves as one, and three or five registers are enough
//! ([`Rows::Narrow`]), for a cycle more.

use super::step::{Chain, HIGH, LOW, Name, Writer};
use crate::instructions::Op;

/// How rows are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rows {
    Wide,
    Narrow,
}

/// Words of a factor.
pub(super) const LENGTHS: std::ops::RangeInclusive<usize> = 4..=8;

/// x y, and a sum of as many words as x has where one is given, which the product takes up. Before each row
/// `before` gives its word of x, and `after` learns the word that is complete.
pub(super) fn product(
    w: &mut Writer,
    y: &[Name],
    sum: Option<&[Name]>,
    rows: Rows,
    mut before: impl FnMut(&mut Writer, usize) -> Name,
    mut after: impl FnMut(&mut Writer, usize, Name),
) -> Vec<Name> {
    let mut zero = (rows == Rows::Wide).then(|| w.zero());
    let mut words = sum.map(<[Name]>::to_vec).unwrap_or_default();
    for row in 0..y.len() {
        let x = before(w, row);
        if words.is_empty() {
            let own = zero.unwrap_or_else(|| w.zero());
            words = first(w, x, y, own);
            zero = Some(own);
        } else {
            let window = words[row..].to_vec();
            let top = match (rows, zero) {
                (Rows::Wide, Some(zero)) => wide(w, x, y, &window, zero),
                // behind the first row there is a zero
                _ => narrow(w, x, y, &window, zero.take()),
            };
            words.push(top);
        }
        after(w, row, words[row]);
    }
    words
}

/// A first row: even products move to their places, the odd ones are added to them, and each carry ends in the high word of a
/// product, which is no more than 254.
fn first(w: &mut Writer, x: Name, y: &[Name], zero: Name) -> Vec<Name> {
    let length = y.len();
    let mut words = Vec::with_capacity(length + 1);
    let even = |w: &mut Writer, words: &mut Vec<Name>, at: usize| {
        if at < length && words.len() <= at {
            w.mul(x, y[at]);
            words.extend(w.moved());
        }
    };
    even(w, &mut words, 0);
    for odd in (1..length).step_by(2) {
        even(w, &mut words, odd + 1);
        if length.is_multiple_of(2) && odd + 3 == length {
            // with the last product in one chain
            w.mul(x, y[length - 1]);
            let [low, top] = w.moved();
            words.push(top);
            w.mul(x, y[odd]);
            w.chain(
                Chain::Add,
                [(words[odd], LOW), (words[odd + 1], HIGH), (words[odd + 2], low), (top, zero)],
            );
            break;
        }
        w.mul(x, y[odd]);
        if odd + 1 < length {
            w.chain(Chain::Add, [(words[odd], LOW), (words[odd + 1], HIGH), (words[odd + 2], zero)]);
        } else {
            let [low, top] = w.moved();
            words.push(top);
            w.chain(Chain::Add, [(words[odd], low), (top, zero)]);
        }
    }
    words
}

/// A row with a zero. The highest word is that of the highest product.
fn wide(w: &mut Writer, x: Name, y: &[Name], c: &[Name], zero: Name) -> Name {
    let last = y.len() - 1;
    w.mul(x, y[last]);
    let [low, top] = w.moved();
    // those two places below the highest, and further down, in one chain, then the others, with the low word of the highest
    for parity in [last + 1, last] {
        let mut at: Vec<usize> = (0..last).filter(|at| at % 2 == parity % 2).collect();
        let direct = at.pop();
        let begin = at.first().copied().or(direct).unwrap_or_default();
        let mut words: Vec<Name> = Vec::new();
        for own in at {
            w.mul(x, y[own]);
            words.extend(w.moved());
        }
        if let Some(own) = direct {
            w.mul(x, y[own]);
            words.extend([LOW, HIGH]);
        }
        if begin + words.len() == last {
            words.push(low);
        }
        words.push(zero);
        let to = c[begin..].iter().copied().chain([top]);
        w.chain(Chain::Add, to.zip(words));
    }
    top
}

/// A row whose highest word is zero until it gets what the row carries; it may be there already.
fn narrow(w: &mut Writer, x: Name, y: &[Name], c: &[Name], zero: Option<Name>) -> Name {
    let top = zero.unwrap_or_else(|| w.name());
    let clear = |w: &mut Writer| {
        if zero.is_none() {
            w.clear(top);
        }
    };
    if y.len() == 4 {
        w.mul(x, y[0]);
        let [low, high] = w.moved();
        clear(w);
        w.mul(x, y[2]);
        w.chain(Chain::Add, [(c[0], low), (c[1], high), (c[2], LOW), (c[3], HIGH), (top, top)]);
        w.mul(x, y[1]);
        let [low, high] = w.moved();
        w.mul(x, y[3]);
        w.chain(Chain::Add, [(c[1], low), (c[2], high), (c[3], LOW), (top, HIGH)]);
        return top;
    }
    clear(w);
    // three products, of which a word is left
    let three = |w: &mut Writer, at: usize, above: Option<Name>| {
        w.mul(x, y[at + 2]);
        let [low, high] = w.moved();
        let own = [(c[at], LOW), (c[at + 1], HIGH)];
        match above {
            None => {
                w.mul(x, y[at]);
                w.chain(Chain::Add, own.into_iter().chain([(c[at + 2], low), (high, top)]));
                w.mul(x, y[at + 1]);
                w.chain(Chain::Add, [(c[at + 1], LOW), (c[at + 2], HIGH), (high, top)]);
            }
            Some(above) => {
                w.mul(x, y[at + 1]);
                w.chain(Chain::Add, [(c[at], above), (c[at + 1], LOW), (c[at + 2], HIGH), (high, top)]);
                w.mul(x, y[at]);
                w.chain(Chain::Add, own.into_iter().chain([(c[at + 2], low), (high, top)]));
            }
        }
        high
    };
    let above = three(w, 0, None);
    match y.len() {
        5 => {
            w.mul(x, y[3]);
            w.chain(Chain::Add, [(c[3], LOW), (c[4], HIGH), (top, top)]);
            w.mul(x, y[4]);
            w.chain(Chain::Add, [(c[3], above), (c[4], LOW), (top, HIGH)]);
        }
        6 => {
            w.mul(x, y[4]);
            w.chain(Chain::Add, [(c[3], above), (c[4], LOW), (c[5], HIGH), (top, top)]);
            w.mul(x, y[5]);
            let [low, high] = w.moved();
            w.mul(x, y[3]);
            w.chain(Chain::Add, [(c[3], LOW), (c[4], HIGH), (c[5], low), (top, high)]);
        }
        7 => {
            w.mul(x, y[3]);
            let [low, high] = w.moved();
            w.mul(x, y[5]);
            w.chain(Chain::Add, [(c[3], low), (c[4], high), (c[5], LOW), (c[6], HIGH), (top, top)]);
            w.mul(x, y[6]);
            let [low, high] = w.moved();
            w.mul(x, y[4]);
            w.chain(Chain::Add, [(c[3], above), (c[4], LOW), (c[5], HIGH), (c[6], low), (top, high)]);
        }
        _ => {
            let above = three(w, 3, Some(above));
            w.mul(x, y[6]);
            w.chain(Chain::Add, [(c[6], LOW), (c[7], HIGH), (top, top)]);
            w.mul(x, y[7]);
            w.chain(Chain::Add, [(c[6], above), (c[7], LOW), (top, HIGH)]);
        }
    }
    top
}

/// The absolute value of a - b in the place of a, and the mask of its sign, in a register that is given.
pub(super) fn difference(w: &mut Writer, a: &[Name], b: &[Name], sign: Name) {
    w.chain(Chain::Sub, super::step::pairs(a, b));
    absolute(w, a, sign);
}

/// The absolute value of a difference whose borrow is the carry, and the mask of its sign.
pub(super) fn absolute(w: &mut Writer, a: &[Name], sign: Name) {
    w.mask(sign);
    a.iter().for_each(|word| w.two(Op::Eor, *word, sign));
    w.chain(Chain::Sub, a.iter().map(|word| (*word, sign)));
}
