//! Multiples of a known point by a comb: the bits of a scalar are dealt out to teeth, of which a column has one bit each, and
//! a table holds what a column may be (C. Lim, P. Lee, "More flexible exponentiation with precomputation", CRYPTO '94).
//!
//! An odd k is a sum of 2^i or -2^i for each place i, whose signs are those of [`super::windows`]: bit i + 1 of k is set where it
//! is added, and at the highest place it is always. The places are those of [`TEETH`] numbers one behind the other, each of
//! them in so many parts. A column is negative where its highest tooth is, and its entry in the table of its part has a bit
//! for each other tooth, which is set where their signs differ.

use super::windows::{ENTRIES, WORDS, masks};
use super::words::{Up, load, one_of, store, words};
use crate::curve::{Affine, Curve};
use num_bigint::BigUint;
use rhomb_line::{Array, Line, Value};

/// Bits of a column.
const TEETH: usize = 4;
/// Into how many parts a tooth may be divided, so many columns being added to a sum before it is doubled: the more parts, the
/// fewer doublings, and the more tables. All are even.
pub const PARTS: [usize; 2] = [4, 2];

/// Columns of a part; `None` where they do not divide the bits of the scalar.
pub(super) fn columns(size: usize, parts: usize) -> Option<usize> {
    size.is_multiple_of(TEETH * parts).then_some(size / (TEETH * parts))
}

/// The masks of the next column of one of so many parts, in the slot of a scalar.
pub(super) fn column(bits: u32, count: usize, (part, parts): (usize, usize)) -> Line {
    let mut line = Line::default();
    let length = bits as usize * count / (TEETH * parts);
    let tooth = |line: &mut Line, tooth: usize| {
        let place = (tooth * parts + part + 1) * length - 1;
        let (word, place) = (place / bits as usize, (place % bits as usize) as u32);
        let own = load(line, Array::A, WORDS + word);
        let own = if place == 0 { own } else { line.shift_down(own, bits, place) };
        let own = line.mask(own, 1);
        line.negate(own)
    };
    let positive = tooth(&mut line, TEETH - 1);
    masks(&mut line, positive, |line, bit| tooth(line, bit));
    line
}

/// The columns move up by one.
pub(super) fn up(count: usize) -> Line {
    let mut line = Line::default();
    let mut up = Up::new(false);
    for word in 0..count {
        let own = load(&mut line, Array::A, WORDS + word);
        let moved = up.word(&mut line, own, word + 1 == count);
        store(&mut line, moved, WORDS + word);
    }
    line
}

/// The entries of the tables of so many parts, the lowest part first.
pub(super) fn tables(curve: &Curve, parts: usize) -> Option<Vec<Vec<Affine>>> {
    let length = columns(curve.order.bits() as usize, parts)?;
    let mut powers = vec![curve.generator.clone()];
    for part in 1..TEETH * parts {
        let mut own = powers.get(part - 1).cloned()?;
        for _ in 0..length {
            own = curve.add(Some(&own), Some(&own))?;
        }
        powers.push(own);
    }
    let entry = |part: usize, entry: usize| {
        let mut sum = powers.get((TEETH - 1) * parts + part).cloned();
        for tooth in 0..TEETH - 1 {
            let own = powers.get(tooth * parts + part)?;
            let own = if entry >> tooth & 1 == 0 { own.clone() } else { curve.negative(own) };
            sum = curve.add(sum.as_ref(), Some(&own));
        }
        sum
    };
    (0..parts).map(|part| (0..ENTRIES).map(|own| entry(part, own)).collect()).collect()
}

/// That one of known numbers whose mask a has.
pub(super) fn selected(numbers: &[BigUint], bits: u32, count: usize) -> Line {
    let mut line = Line::default();
    let masks: Vec<Value> = (0..numbers.len()).map(|entry| load(&mut line, Array::A, entry)).collect();
    let numbers: Vec<Vec<u64>> = numbers.iter().map(|number| words(number, bits, count)).collect();
    let at = |entry: usize, word: usize| numbers[entry][word];
    for word in 0..count {
        let own = one_of(&mut line, &masks, |line, entry, mask| line.mask(mask, at(entry, word)));
        store(&mut line, own, word);
    }
    line
}
