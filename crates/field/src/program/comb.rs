//! Multiples of a known point by a comb: the bits of a scalar are dealt out to teeth, of which a column has one bit each, and
//! a table holds what a column may be (C. Lim, P. Lee, "More flexible exponentiation with precomputation", CRYPTO '94).
//!
//! An odd k is a sum of 2^i or -2^i for each place i, whose signs are those of [`super::windows`]: bit i + 1 of k is set where it
//! is added, and at the highest place it is always. The places are those of [`TEETH`] numbers one behind the other, each of
//! them in [`BLOCKS`] parts. A column is negative where its highest tooth is, and its entry in the table of its part has a bit
//! for each other tooth, which is set where their signs differ.

use super::windows::{ENTRIES, WORDS, masks};
use super::words::{Up, load, one_of, store, words};
use crate::curve::{Affine, Curve};
use num_bigint::BigUint;
use rhomb_line::{Array, Line, Value};

/// Bits of a column.
const TEETH: usize = 4;
/// Parts of a tooth: columns that are added to a sum before it is doubled.
const BLOCKS: usize = 2;

/// Columns of a block; `None` where they do not divide the bits of the scalar.
pub(super) fn columns(size: usize) -> Option<usize> {
    size.is_multiple_of(TEETH * BLOCKS).then_some(size / (TEETH * BLOCKS))
}

/// The masks of a block's next column, in the slot of a scalar.
pub(super) fn column(bits: u32, count: usize, block: usize) -> Line {
    let mut line = Line::default();
    let part = bits as usize * count / (TEETH * BLOCKS);
    let tooth = |line: &mut Line, tooth: usize| {
        let place = (tooth * BLOCKS + block + 1) * part - 1;
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

/// The entries of the blocks' tables, the first block first.
pub(super) fn tables(curve: &Curve) -> Option<Vec<Vec<Affine>>> {
    let part = columns(curve.order.bits() as usize)?;
    let mut powers = vec![curve.generator.clone()];
    for block in 1..TEETH * BLOCKS {
        let mut own = powers.get(block - 1).cloned()?;
        for _ in 0..part {
            own = curve.add(Some(&own), Some(&own))?;
        }
        powers.push(own);
    }
    let entry = |block: usize, entry: usize| {
        let mut sum = powers.get((TEETH - 1) * BLOCKS + block).cloned();
        for tooth in 0..TEETH - 1 {
            let own = powers.get(tooth * BLOCKS + block)?;
            let own = if entry >> tooth & 1 == 0 { own.clone() } else { curve.negative(own) };
            sum = curve.add(sum.as_ref(), Some(&own));
        }
        sum
    };
    (0..BLOCKS).map(|block| (0..ENTRIES).map(|own| entry(block, own)).collect()).collect()
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
