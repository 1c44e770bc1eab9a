//! Multiples of a known point by a comb: the bits of a scalar are dealt out to teeth, of which a column has one bit each, and
//! a table holds what a column may be (C. Lim, P. Lee, "More flexible exponentiation with precomputation", CRYPTO '94).
//!
//! An odd k is a sum of 2^i or -2^i for each place i, whose signs are those of [`super::windows`]: bit i + 1 of k is set where it
//! is added, and at the highest place it is always. The places are those of the teeth, numbers one behind the other, each of
//! them in so many parts. A column is negative where its highest tooth is, and its entry in the table of its part has a bit
//! for each other tooth, which is set where their signs differ.
//!
//! The slot of a scalar has a mask for each entry, one for negative columns, and then the words of the signs.

use super::windows::{halved, masks};
use super::words::{Up, load, store, words};
use crate::curve::{Affine, Curve};
use num_bigint::BigUint;
use rhomb_line::{Array, Line, Logic, Value};

/// How the places of a scalar are dealt out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Comb {
    /// Bits of a column: with one more a table has twice the entries, and there are fewer columns.
    pub teeth: usize,
    /// Into how many parts a tooth is divided, so many columns being added to a sum before it is doubled: the more parts, the
    /// fewer doublings, and the more tables. They are even.
    pub parts: usize,
}

/// Those that are tried: what is too large for a core's flash leaves the others.
pub const COMBS: [Comb; 3] =
    [Comb { teeth: 5, parts: 4 }, Comb { teeth: 4, parts: 4 }, Comb { teeth: 4, parts: 2 }];

/// Columns of a part are so many more than places above the scalar at least. So the places of the highest part of the highest tooth, of
/// which all above the scalar are some, begin so far below its highest bit at least: what stands there while columns are still to come is
/// little enough for sums to stay below the order ([`super::group`]).
const SPARE: usize = 4;

impl Comb {
    /// Columns of a part for scalars of so many bits; `None` where too many places would be above them.
    pub fn columns(self, size: usize) -> Option<usize> {
        let columns = size.div_ceil(self.teeth * self.parts);
        let above = columns * self.teeth * self.parts - size;
        (above + SPARE <= columns).then_some(columns)
    }

    /// All places.
    pub fn places(self, size: usize) -> Option<usize> {
        Some(self.columns(size)? * self.teeth * self.parts)
    }

    /// Entries of a table.
    pub fn entries(self) -> usize {
        1 << (self.teeth - 1)
    }

    /// The mask of negative columns.
    fn negative(self) -> usize {
        self.entries()
    }

    /// Where the words of the signs begin.
    fn words(self) -> usize {
        self.entries() + 1
    }

    /// Words of a scalar's slot.
    pub(super) fn length(self, bits: u32, count: usize) -> Option<usize> {
        Some(self.words() + self.places(bits as usize * count)?.div_ceil(bits as usize))
    }

    /// The slot before the first column, for an odd number.
    pub(super) fn of_odd(self, bits: u32, count: usize) -> Option<Line> {
        let (size, first) = (bits as usize * count, self.words());
        let places = self.places(size)?;
        let mut line = halved((bits, count), first, places == size);
        let top = BigUint::from(1u8) << (places - 1);
        let above = words(&top, bits, places.div_ceil(bits as usize));
        for (word, own) in above.into_iter().enumerate().skip(count) {
            let own = line.number(own);
            store(&mut line, own, first + word);
        }
        Some(line)
    }

    /// The masks of the next column of a part, in the slot of a scalar.
    pub(super) fn column(self, (bits, count): (u32, usize), part: usize) -> Option<Line> {
        let mut line = Line::default();
        let length = self.columns(bits as usize * count)?;
        let tooth = |line: &mut Line, tooth: usize| {
            let place = (tooth * self.parts + part + 1) * length - 1;
            let (word, place) = (place / bits as usize, (place % bits as usize) as u32);
            let own = load(line, Array::A, self.words() + word);
            let own = if place == 0 { own } else { line.shift_down(own, bits, place) };
            let own = line.mask(own, 1);
            line.negate(own)
        };
        let positive = tooth(&mut line, self.teeth - 1);
        masks(&mut line, (self.teeth - 1, positive), |line, bit| tooth(line, bit));
        Some(line)
    }

    /// The columns move up by one.
    pub(super) fn up(self, bits: u32, count: usize) -> Option<Line> {
        let mut line = Line::default();
        let mut up = Up::new(false);
        let range = self.words()..self.length(bits, count)?;
        for word in range.clone() {
            let own = load(&mut line, Array::A, word);
            let moved = up.word(&mut line, own, word + 1 == range.end);
            store(&mut line, moved, word);
        }
        Some(line)
    }

    /// The entries of the tables, the lowest part first.
    pub(super) fn tables(self, curve: &Curve) -> Option<Vec<Vec<Affine>>> {
        let length = self.columns(curve.order.bits() as usize)?;
        let Comb { teeth, parts } = self;
        let mut powers = vec![curve.generator.clone()];
        for part in 1..teeth * parts {
            let mut own = powers.get(part - 1).cloned()?;
            for _ in 0..length {
                own = curve.add(Some(&own), Some(&own))?;
            }
            powers.push(own);
        }
        let entry = |part: usize, entry: usize| {
            let mut sum = powers.get((teeth - 1) * parts + part).cloned();
            for tooth in 0..teeth - 1 {
                let own = powers.get(tooth * parts + part)?;
                let own = if entry >> tooth & 1 == 0 { own.clone() } else { curve.negative(own) };
                sum = curve.add(sum.as_ref(), Some(&own));
            }
            sum
        };
        (0..parts).map(|part| (0..self.entries()).map(|own| entry(part, own)).collect()).collect()
    }

    /// That one of known numbers, as many as a table's entries, whose mask a has.
    pub(super) fn selected(numbers: &[BigUint], bits: u32, count: usize) -> Line {
        let mut line = Line::default();
        chosen(&mut line, numbers, (bits, count), |line, word, own| store(line, own, word));
        line
    }

    /// The same, and what is left of p where the column is negative. The numbers are above 0 and below p.
    pub(super) fn selected_or_negative(
        self,
        numbers: &[BigUint],
        p: &BigUint,
        (bits, count): (u32, usize),
    ) -> Line {
        let mut line = Line::default();
        let sign = mask(&mut line, self.negative());
        // -y = p + 1 + the complement of y, modulo 2^(wn)
        let above = words(&(p + 1u8), bits, count);
        chosen(&mut line, numbers, (bits, count), |line, word, own| {
            let own = line.logic(Logic::Xor, own, sign);
            let above = (above[word] > 0).then(|| line.mask(sign, above[word]));
            let own = line.add(own, above, word > 0, word + 1 < count);
            store(line, own, word);
        });
        line
    }
}

/// Words of numbers that are made at once.
const AT_ONCE: usize = 8;

/// The mask of an entry.
fn mask(line: &mut Line, entry: usize) -> Value {
    let mask = load(line, Array::A, entry);
    line.masks.insert(mask);
    mask
}

/// The words of the first of several numbers, and of each other one by how much they are more, or where they differ if they are not made at
/// once.
fn differences(numbers: &[BigUint], (bits, count): (u32, usize)) -> (Vec<u64>, Vec<Vec<u64>>) {
    let ones = u64::MAX >> (64 - bits);
    let mut all = numbers.iter().map(|number| words(number, bits, count));
    let first = all.next().unwrap_or_else(|| vec![0; count]);
    let more = |own: Vec<u64>| {
        let one = |(own, first): (&u64, &u64)| match count <= AT_ONCE {
            true => own.wrapping_sub(*first) & ones,
            false => own ^ first,
        };
        own.iter().zip(&first).map(one).collect()
    };
    let others = all.map(more).collect();
    (first, others)
}

/// The words of that one of several numbers whose mask a has, each for `end`, from the lowest on: of the first one, and what another one has
/// more under its mask. Numbers that fit registers are made at once, so that each mask is read once; others are made word by word, with
/// sums that leave the carry alone.
fn chosen(
    line: &mut Line,
    numbers: &[BigUint],
    (bits, count): (u32, usize),
    mut end: impl FnMut(&mut Line, usize, Value),
) {
    let (first, others) = differences(numbers, (bits, count));
    if count <= AT_ONCE {
        let mut sums: Vec<Value> = first.iter().map(|word| line.number(*word)).collect();
        for (entry, own) in (1..).zip(others) {
            let mask = mask(line, entry);
            for (sum, own) in sums.iter_mut().zip(own).filter(|(_, own)| *own > 0) {
                let own = line.mask(mask, own);
                *sum = line.add(*sum, Some(own), false, false);
            }
        }
        return sums.into_iter().enumerate().for_each(|(word, sum)| end(line, word, sum));
    }
    let masks: Vec<Value> = (1..numbers.len()).map(|entry| mask(line, entry)).collect();
    for (word, first) in first.iter().enumerate() {
        let mut sum = line.number(*first);
        for (mask, own) in masks.iter().zip(&others).filter(|(_, own)| own[word] > 0) {
            let own = line.mask(*mask, own[word]);
            sum = line.logic(Logic::Xor, sum, own);
        }
        end(line, word, sum);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_above_a_scalar_are_few() {
        let [most, four, two] = COMBS;
        assert_eq!((most.columns(256), most.places(256)), (Some(13), Some(260)));
        assert_eq!((four.places(256), two.places(256)), (Some(256), Some(256)));
        // eight above ten columns
        assert_eq!((most.columns(192), four.columns(192)), (None, Some(12)));
        for size in [192, 224, 256, 384] {
            let fit = COMBS.into_iter().filter_map(|comb| Some((comb.columns(size)?, comb.places(size)?)));
            assert!(fit.clone().count() > 0 && fit.clone().all(|(columns, places)| places < size + columns));
        }
    }
}
